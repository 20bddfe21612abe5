"""Equal rows taken together, so that a row that comes k times and one that counts k times are the same."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _native


@dataclass
class Distinct:
    """The distinct rows of a matrix that count."""

    rows: NDArray[Any]
    numbers: NDArray[np.int64]
    """The row of the matrix that each is: the first of those equal to it."""
    weights: NDArray[np.float64] | None
    """How much all that are equal to it count together; None if all count the same."""
    kept: NDArray[np.int64]
    """The rows of the matrix that count."""
    places: NDArray[np.int64]
    """For each of those the place of the distinct row that it is equal to."""

    def copies(self, n_rows: int) -> NDArray[np.int64]:
        """For each row of the matrix the place of the distinct row that it is equal to, -1 if it does not count."""
        places = np.full(n_rows, -1, dtype=np.int64)
        places[self.kept] = self.places
        return places


def distinct(rows: NDArray[Any], weights: NDArray[np.float64] | None, *, ascending: bool, n_threads: int) -> Distinct:
    """The distinct rows with a weight above 0, in the order of the matrix, or in that of their values."""
    kept = np.arange(len(rows)) if weights is None else np.flatnonzero(weights > 0)
    counted = np.ascontiguousarray(rows if len(kept) == len(rows) else rows[kept])
    first, places = _native.distinct(counted, n_threads)
    if not ascending:
        order = np.argsort(first)
        first, places = first[order], np.argsort(order)[places]
    if len(first) == len(counted) and not ascending:
        return Distinct(counted, kept, None if weights is None else weights[kept], kept, places)
    together = np.bincount(places, None if weights is None else weights[kept], len(first))
    # Without weights and without repetitions all count the same.
    total = None if weights is None and len(first) == len(counted) else together.astype(np.float64)
    return Distinct(np.ascontiguousarray(counted[first]), kept[first], total, kept, places)
