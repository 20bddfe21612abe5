"""Fixed and excluded rows that are given as rows, not by their numbers or ids."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from . import _native
from ._arrays import as_matrix
from ._data import Data
from ._memory import as_bytes
from ._tables import handed_over, is_table, kept


def numbers_in_source(source: Any, fixed: Any, id: Any) -> list[int] | None:
    """Return the numbers of the source rows that fixed rows are; None unless the source has all of them.

    A row stands for the next of the equal source rows, or for all with its id.
    """
    if is_table(source) != is_table(fixed):
        return None
    by_id = isinstance(id, str)
    try:
        found = _equal_rows(source, fixed, id, ())
    except (TypeError, ValueError):
        # The error that columns differ comes when the rows join the source.
        return None
    taken: dict[int, None] = {}
    for equal in found:
        new = [row for row in equal if row not in taken]
        if not equal or not (new or by_id):
            return None
        taken.update(dict.fromkeys(new if by_id else new[:1]))
    return list(taken)


class ExcludedRows:
    """Rows to exclude that are given as rows of another table."""

    def __init__(self, source: Any, exclude: Any, id: Any, keywords: Sequence[str]) -> None:
        if is_table(source) != is_table(exclude):
            wrong = type(exclude).__name__
            raise TypeError(f"source and exclude must both be tables or both be arrays; exclude is of type {wrong}")
        self._by_id = isinstance(id, str)
        self._equal = _equal_rows(source, exclude, id, keywords)

    def positions(self, data: Data) -> list[int]:
        """Return the rows of the matrix, with a note on how many there are; an error if there are none."""
        places = data.source.places()
        found = [[places[row] for row in rows if row in places] for rows in self._equal]
        excluded = sorted({row for rows in found for row in rows})
        which = "with the id of" if self._by_id else "equal to"
        n_rows = f"{len(found)} row{'s' * (len(found) != 1)}"
        if not excluded:
            raise ValueError(f"exclude has {n_rows}, but no source row is {which} one of them")
        n_matched = sum(map(bool, found))
        rows = f"{len(excluded)} row{'s' * (len(excluded) != 1)}"
        data.notes.append(f"excluded {rows} {which} {n_matched} of the {n_rows} of exclude")
        return excluded


def _equal_rows(source: Any, rows: Any, id: Any, keywords: Sequence[str]) -> list[list[int]]:
    """Return, for each row, the equal rows of the source: those with its id, or with the same values in all columns."""
    if is_table(source):
        tables = handed_over(kept(source), "source"), handed_over(kept(rows), "rows")
        return _native.equal_rows(*tables, id if isinstance(id, str) else None, list(keywords))
    matrix = as_matrix(source, "source", as_bytes(None))
    others = as_matrix(rows, "rows", as_bytes(None))
    if matrix.shape[1] != others.shape[1]:
        raise ValueError(f"exclude has {others.shape[1]} columns and source has {matrix.shape[1]}; they must have the same number")
    _, groups = _native.distinct(np.ascontiguousarray(np.concatenate([others, matrix])), 0)
    wanted = groups[: len(others)].tolist()
    equal: dict[int, list[int]] = {group: [] for group in wanted}
    for place, group in enumerate(groups[len(others) :].tolist()):
        if group in equal:
            equal[group].append(place)
    return [equal[group] for group in wanted]
