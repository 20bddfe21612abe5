"""Convert arrays to matrices, without a copy where possible."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._memory import check_memory

Matrix = NDArray[Any]
"""Rows in C order, of float32 or float64."""


def as_matrix(data: Any, role: str, memory: int) -> Matrix:
    """Return the rows of `data` in C order as float32 or float64, without a copy if they already are.

    8- and 16-bit integers and float16 become float32, which represents them exactly; all other integers and booleans
    become float64. A three-dimensional array holds images, one per row.
    """
    if is_sparse(data):
        return _dense(data, role, memory)
    array = _as_array(data, role)
    if array.ndim == 1:
        raise ValueError(
            f"the {role} has 1 dimension; it must have 2, with a row for each observation: use reshape(-1, 1) if it is "
            "one feature, reshape(1, -1) if it is one row"
        )
    if array.ndim not in (2, 3):
        raise ValueError(f"the {role} has {array.ndim} dimensions; it must have 2, or 3 if its rows are images")
    wanted = working_type(array.dtype, role)
    if array.ndim == 3:
        array = array.reshape(len(array), -1)
    return _in_order(array, wanted)


def is_sparse(data: Any) -> bool:
    """Return whether `data` is a SciPy sparse matrix or array."""
    return type(data).__module__.startswith("scipy.sparse") and hasattr(data, "tocsr")


def shape_of_images(data: Any) -> tuple[int, int] | None:
    """Return height and width of the rows, if they are images."""
    shape: tuple[int, ...] = data.shape if isinstance(data, np.ndarray) else ()
    return (shape[1], shape[2]) if len(shape) == 3 else None


def working_type(dtype: np.dtype[Any], role: str) -> type[np.float32] | type[np.float64]:
    """Return the precision for numbers of this type; raise TypeError if it is not numeric."""
    native = dtype.newbyteorder("=")
    if native in (np.float32, np.float16, np.int8, np.uint8, np.int16, np.uint16):
        return np.float32
    if native == np.float64 or dtype.kind in "iub":
        return np.float64
    allowed = "float64, float32, float16, integers and booleans"
    raise TypeError(f"the {role} has values of type {dtype}; allowed are {allowed}")


def same_precision(source: Matrix, target: Matrix | None) -> tuple[Matrix, Matrix | None]:
    """Return both in the same precision, double if either needs it."""
    if target is None or source.dtype == target.dtype:
        return source, target
    return source.astype(np.float64, copy=False), target.astype(np.float64, copy=False)


def as_weights(weights: Any, what: str) -> NDArray[np.float64] | None:
    """Return one number for each row, as float64."""
    if weights is None:
        return None
    reject_masked(weights, what)
    array = np.asarray(weights)
    if array.dtype.kind not in "fiub" or array.ndim != 1:
        raise TypeError(f"{what} must be numbers in one dimension, not {array.dtype} in {array.ndim}")
    return _in_order(array, np.float64)


def reject_masked(data: Any, what: str) -> bool:
    """Reject masked values, which are undefined; return whether the array is a masked array."""
    if not isinstance(data, np.ma.MaskedArray):
        return False
    if np.ma.getmaskarray(data).any():
        raise ValueError(f"{what} is an array with masked values; no value may be masked")
    return True


def _in_order(array: NDArray[Any], wanted: type[np.float32] | type[np.float64]) -> NDArray[Any]:
    """Return the values contiguous and aligned, copied only if they are not."""
    ordered = np.ascontiguousarray(array, dtype=wanted)
    return ordered if ordered.flags.aligned else ordered.copy()


def _as_array(data: Any, role: str) -> NDArray[Any]:
    if reject_masked(data, f"the {role}"):
        return np.asarray(data.data)
    if isinstance(data, (str, bytes, dict, set)) or data is None:
        raise TypeError(f"the {role} is of type {type(data).__name__}; an array or a table is expected")
    try:
        array = np.asarray(data)
    except ValueError as error:
        raise ValueError(f"the {role} is not a matrix: {error}") from error
    if array.ndim == 0 and array.dtype == object:
        hint = "; collect it first" if hasattr(data, "collect") else ""
        raise TypeError(f"the {role} is of type {type(data).__name__}; an array or a table is expected{hint}")
    return array


def _dense(data: Any, role: str, memory: int) -> Matrix:
    """Return a sparse matrix as a dense one, converted in blocks of rows so that only the result is large."""
    wanted = working_type(data.dtype, role)
    if data.ndim != 2:
        raise ValueError(f"the {role} has {data.ndim} dimensions; it must have 2")
    rows, columns = data.shape
    check_memory(rows, columns, np.dtype(wanted).itemsize, role, memory)
    sparse = data.tocsr()
    dense = np.empty((rows, columns), dtype=wanted)
    block = max(1, (1 << 22) // max(1, columns))
    for start in range(0, rows, block):
        dense[start : start + block] = sparse[start : start + block].toarray()
    return dense
