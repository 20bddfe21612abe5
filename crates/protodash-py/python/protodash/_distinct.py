"""Merges equal rows, so that k copies of a row and one row of weight k give the same result."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _native
from ._sparse import native


@dataclass
class Distinct:
    """The distinct rows of a matrix or of `SparseRows`, without rows of weight 0."""

    rows: Any
    numbers: NDArray[np.int64]
    """Index of each distinct row in the matrix: the first of its copies."""
    weights: NDArray[np.float64] | None
    """Total weight of the copies of each distinct row; None if all are equal."""
    kept: NDArray[np.int64]
    """Indices of the rows with a weight above 0."""
    places: NDArray[np.int64]
    """For each of these, the index of its distinct row."""

    def copies(self, n_rows: int) -> NDArray[np.int64]:
        """For each row of the matrix, the index of its distinct row, or -1 if its weight is 0."""
        places = np.full(n_rows, -1, dtype=np.int64)
        places[self.kept] = self.places
        return places


def distinct(rows: Any, weights: NDArray[np.float64] | None, *, ascending: bool, n_threads: int) -> Distinct:
    """The distinct rows with a weight above 0, in the order of the matrix, or sorted by value if `ascending`."""
    kept = np.arange(len(rows)) if weights is None else np.flatnonzero(weights > 0)
    counted: Any = rows if len(kept) == len(rows) else rows[kept]
    if isinstance(counted, np.ndarray):
        counted = np.ascontiguousarray(counted)
    first, places = _native.distinct(native(counted), n_threads)
    if not ascending:
        order = np.argsort(first)
        first, places = first[order], np.argsort(order)[places]
    if len(first) == len(counted) and not ascending:
        return Distinct(counted, kept, None if weights is None else weights[kept], kept, places)
    together = np.bincount(places, None if weights is None else weights[kept], len(first))
    # Without weights and duplicates, all rows have the same weight.
    total = None if weights is None and len(first) == len(counted) else together.astype(np.float64)
    merged = counted[first]
    return Distinct(np.ascontiguousarray(merged) if isinstance(merged, np.ndarray) else merged, kept[first], total, kept, places)
