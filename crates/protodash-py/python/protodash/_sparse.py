"""Sparse rows, kept sparse."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _native
from ._arrays import is_sparse, working_type
from ._memory import check_bytes

SparseArrays = tuple[int, NDArray[np.int64], NDArray[np.uint32], NDArray[np.float64]]
"""Number of columns, row pointers, columns and values."""

_MOST_COLUMNS = 2**32


class SparseRows:
    """Rows in SciPy's CSR layout, used where a matrix is."""

    def __init__(self, rows: Any) -> None:
        self._rows = rows
        self.shape: tuple[int, int] = rows.shape
        self.dtype = rows.dtype

    def __len__(self) -> int:
        return self.shape[0]

    @property
    def matrix(self) -> Any:
        """Return the rows as SciPy has them."""
        return self._rows

    def __getitem__(self, rows: Any) -> Any:
        """Return one row with its zeros, or some rows as they are."""
        if isinstance(rows, (int, np.integer)):
            return self._rows[[rows]].toarray()[0]
        return SparseRows(self._rows[rows])

    @property
    def nbytes(self) -> int:
        """Return the size in bytes of what the core stores."""
        return 12 * int(self._rows.nnz) + 24 * self.shape[0]

    def arrays(self) -> SparseArrays:
        """Return the rows for the native module."""
        rows = self._rows
        values = np.ascontiguousarray(rows.data, dtype=np.float64)
        return self.shape[1], rows.indptr.astype(np.int64), rows.indices.astype(np.uint32), values

    def normalized(self) -> tuple[SparseRows, str | None]:
        """Return rows of length 1, and a note if there are rows of zeros."""
        rows = self._rows.copy()
        # Values that share a place are one value.
        rows.sum_duplicates()
        values, note = _native.normalized_sparse(rows.indptr.astype(np.int64), rows.data.astype(np.float64))
        rows.data = values
        return SparseRows(rows), note


def stays_sparse(source: Any, target: Any, kernel: str) -> bool:
    """Return whether rows can be used as they are: all are sparse, and the kernel needs only their products."""
    others = [source] if target is None else [source, target]
    return kernel in _native.SPARSE_KERNELS and all(isinstance(rows, SparseRows) or is_sparse(rows) for rows in others)


def as_sparse(data: Any, role: str, memory: int) -> Any:
    """Return the rows of a SciPy matrix or an array in CSR layout, as `SparseRows`."""
    if isinstance(data, SparseRows):
        return data
    if not is_sparse(data):
        data = import_module("scipy.sparse").csr_matrix(data)
    working_type(data.dtype, role)
    if data.ndim != 2:
        raise ValueError(f"the {role} has {data.ndim} dimensions; it must have 2")
    if data.shape[1] > _MOST_COLUMNS:
        raise ValueError(f"the {role} has {data.shape[1]} columns; sparse rows can have {_MOST_COLUMNS}")
    rows = SparseRows(data.tocsr())
    check_bytes(f"the {role} has {data.nnz} values in {len(rows)} rows", rows.nbytes, memory)
    return rows


def native(rows: Any) -> NDArray[Any] | SparseArrays:
    """Return rows for the native module."""
    return rows.arrays() if isinstance(rows, SparseRows) else rows
