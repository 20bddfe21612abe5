"""The data of a selection, kept for criticisms and reports."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _native
from ._arrays import Matrix
from ._sparse import native
from ._texts import as_text
from .kernels import Custom, Kernel, Linear


Scale = tuple[float, float] | tuple[list[float], list[float]]
"""How a column was scaled: what was subtracted and divided by, or its values in the source with their ranks."""

Origin = tuple[str, "str | None", bool, "Scale | None", bool]
"""Where a feature of a table comes from: column, category, whether that is "missing", how it was scaled, whether its
numbers are days made from dates."""


@dataclass
class Rows:
    """The rows of the source or the target."""

    matrix: Matrix
    """What the core works on: the rows themselves, which may be `SparseRows`, or kernel values instead."""
    numbers: NDArray[np.int64] | None = None
    """The row of the caller's table behind each row of the matrix; None if they are the same."""
    ids: Sequence[str] | None = None
    """The ids as text, as they are written to files."""
    labels: Sequence[Any] | None = None
    id_values: Sequence[Any] | None = None
    """The ids as the caller's table has them, if they are not text."""
    label_values: Sequence[Any] | None = None
    """The labels as a column of the caller's table has them, if `labels` holds their texts."""
    copies: NDArray[np.int64] | None = None
    """The row of the matrix equal to each row of the caller's array, -1 for weight 0; None if they are the same."""
    rows: Matrix | None = None
    """The rows themselves, if `matrix` holds kernel values."""
    n_rows: int | None = None
    """Number of rows of the caller's table, including those that a condition excludes; None if all are in the matrix."""

    def values(self) -> Matrix:
        """Return the rows themselves."""
        return self.matrix if self.rows is None else self.rows

    def table_rows(self) -> NDArray[np.int64]:
        """Return the row of the caller's table behind each row of the matrix."""
        return np.arange(len(self.matrix), dtype=np.int64) if self.numbers is None else self.numbers

    def own_ids(self, positions: Iterable[int]) -> list[Any] | None:
        """Return the ids of some rows of the matrix as the caller has them."""
        ids = self.ids if self.id_values is None else self.id_values
        return None if ids is None else [ids[position] for position in positions]

    def own_labels(self, positions: Iterable[int]) -> list[Any] | None:
        """Return the labels of some rows of the matrix as the caller has them."""
        labels = self.labels if self.label_values is None else self.label_values
        return None if labels is None else [labels[position] for position in positions]

    def id_texts(self, positions: Iterable[int]) -> list[str] | None:
        """Return the ids of some rows of the matrix as text."""
        return None if self.ids is None else [self.ids[position] for position in positions]

    def label_texts(self, positions: Iterable[int]) -> list[str] | None:
        """Return the labels of some rows of the matrix as text."""
        return None if self.labels is None else [as_text(self.labels[position]) for position in positions]

    def n_table_rows(self) -> int:
        """Return the number of rows of the caller's table."""
        return len(self.matrix) if self.n_rows is None else self.n_rows

    def places(self) -> dict[int, int]:
        """Return the row of the matrix for each row of the caller's table that is in it."""
        return {number: position for position, number in enumerate(self.table_rows().tolist())}

    def number(self, position: int) -> int:
        """Return the row of the caller's table behind one row of the matrix."""
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
    memory: int = 0
    """The memory limit of the call, in bytes."""
    n_features: int | None = None
    """Number of features, if the matrices hold kernel values instead."""
    features: list[str] | None = None
    columns: list[Origin] | None = None
    custom: dict[str, Any] | None = None
    """The custom kernel, if its values do not replace the rows."""
    table: Any = None
    """The caller's source, if it is a table, so that prototypes can be shown with all their columns."""
    target_table: Any = None
    """The caller's target, if it is another table."""
    image_shape: tuple[int, int] | None = None
    notes: list[str] = field(default_factory=list)

    def with_copies(self) -> Data:
        """Return the same data with duplicate rows restored; with a custom kernel, return the data unchanged."""
        copies = self.source.copies
        if copies is None or isinstance(self.kernel, Custom):
            return self
        kept = np.flatnonzero(copies >= 0)
        source, places = self.source, copies[kept]
        rows = Rows(source.matrix[places], kept, source.id_texts(places))
        rows.labels = None if source.labels is None else [source.labels[place] for place in places]
        rows.id_values, rows.label_values = source.own_ids(places), source.own_labels(places)
        return replace(self, source=rows)

    def rows(self, role: str) -> Rows:
        """Return the rows of a side; without a target, the source is the target."""
        return self.source if role == "source" or self.target is None else self.target

    def sides(self) -> _native.Sides:
        """Return both sides for the native module."""
        return {
            "source": native(self.source.matrix),
            "target": None if self.target is None else native(self.target.matrix),
            "target_gram": self.target_gram,
            "kernel": self.kernel.described(),
            "custom": self.custom,
        }

    def values(self) -> _native.Sides | None:
        """Return the rows themselves for the native module, if a custom kernel compares them."""
        if not isinstance(self.kernel, Custom):
            return None
        return {
            "source": self.source.values(),
            "target": None if self.target is None else self.target.values(),
            "target_gram": None,
            # The rows are only shown, so any kernel will do.
            "kernel": Linear().described(),
            "custom": None,
        }

    def run(self, report: Callable[[str, int, int], object] | None = None) -> _native.Run:
        """Return the run options for the native module."""
        return {"n_threads": self.n_threads, "progress": report}

    def column_memory(self) -> int:
        """Return what the memory limit leaves for the columns of the search, in bytes."""
        return max(0, self.memory - self.nbytes())

    def nbytes(self) -> int:
        """Return the size of the matrices in bytes."""
        target = 0 if self.target is None else self.target.matrix.nbytes
        blocks = 0 if self.custom is None else int(self.custom["memory"])
        return self.source.matrix.nbytes + target + (0 if self.target_gram is None else self.target_gram.nbytes) + blocks
