"""The numbers of a selection, kept so that it can be asked about them later."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _native
from ._arrays import Matrix
from .kernels import Custom, Kernel, Linear


Origin = tuple[str, "str | None", bool, "tuple[float, float] | None"]
"""What a feature of a table comes from: a column, the level it stands for, whether that is "missing", and its unit."""


@dataclass
class Rows:
    """What is known of the rows of one side."""

    matrix: Matrix
    """What the core works on: the rows themselves, or kernel values in their place."""
    numbers: NDArray[np.int64] | None = None
    """The row of the caller's table that each row of the matrix is; None if they are the same."""
    ids: Sequence[str] | None = None
    labels: Sequence[Any] | None = None
    copies: NDArray[np.int64] | None = None
    """For each row of the caller's array the row of the matrix equal to it, -1 if it does not count; None if they are the
    same."""
    rows: Matrix | None = None
    """The rows themselves, where `matrix` holds kernel values."""
    n_rows: int | None = None
    """Rows of the caller's table, also those that a condition leaves out; None if they are those of the matrix."""

    def values(self) -> Matrix:
        """The rows themselves."""
        return self.matrix if self.rows is None else self.rows

    def number(self, position: int) -> int:
        """The row of the caller's table."""
        return int(position if self.numbers is None else self.numbers[position])


@dataclass
class Data:
    """Target and source as matrices, with the kernel that compares them."""

    source: Rows
    target: Rows | None
    kernel: Kernel
    target_gram: NDArray[np.float64] | None = None
    target_weights: NDArray[np.float64] | None = None
    n_threads: int = 0
    n_features: int | None = None
    """Features of the rows, where the matrices hold kernel values instead."""
    features: list[str] | None = None
    columns: list[Origin] | None = None
    custom: dict[str, Any] | None = None
    """The caller's own function, where its values are not written out in place of the rows."""
    table: Any = None
    """The caller's source, if it was a table, so that chosen rows can be shown with all their columns."""
    target_table: Any = None
    """The caller's target, if it was another table."""
    pictures: tuple[int, int] | None = None
    notes: list[str] = field(default_factory=list)

    def with_copies(self) -> Data:
        """The same data with each row as often as the caller has it; a caller's own function is not asked again."""
        copies = self.source.copies
        if copies is None or isinstance(self.kernel, Custom):
            return self
        kept = np.flatnonzero(copies >= 0)
        labels = None if self.source.labels is None else [self.source.labels[place] for place in copies[kept]]
        return replace(self, source=Rows(self.source.matrix[copies[kept]], kept, labels=labels))

    def rows(self, role: str) -> Rows:
        """The rows of a side; those to be represented are the source's where they are no others."""
        return self.source if role == "source" or self.target is None else self.target

    def sides(self) -> _native.Sides:
        """Both sides for the native half."""
        return {
            "source": self.source.matrix,
            "target": None if self.target is None else self.target.matrix,
            "target_gram": self.target_gram,
            "kernel": self.kernel.described(),
            "custom": self.custom,
        }

    def values(self) -> _native.Sides | None:
        """The rows themselves for the native half, where the caller's own function compares them."""
        if not isinstance(self.kernel, Custom):
            return None
        return {
            "source": self.source.values(),
            "target": None if self.target is None else self.target.values(),
            "target_gram": None,
            # They are shown, not compared: any kernel would do.
            "kernel": Linear().described(),
            "custom": None,
        }

    def run(self, report: Callable[[str, int, int], object] | None = None) -> _native.Run:
        """How the native half is to work."""
        return {"n_threads": self.n_threads, "progress": report}

    def nbytes(self) -> int:
        """Bytes that the numbers take."""
        target = 0 if self.target is None else self.target.matrix.nbytes
        blocks = 0 if self.custom is None else int(self.custom["memory"])
        return self.source.matrix.nbytes + target + (0 if self.target_gram is None else self.target_gram.nbytes) + blocks
