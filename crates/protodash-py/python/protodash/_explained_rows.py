"""Which rows to explain: new ones, or rows of the source, and their classes."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._arrays import is_sparse
from ._data import Data, Rows
from ._tables import is_table
from ._texts import one_each


class ExplainedRows:
    """The rows to explain as `explain` takes them."""

    def __init__(self, source: Any, rows: Any) -> None:
        self.condition = rows if isinstance(rows, str) else None
        self.given = None if self.condition is not None or rows is source else _numbers(rows)
        """The numbers of rows of the source as the caller gave them."""
        self.numbers = None if self.given is None else sorted(set(self.given))
        """The same in the order of the source, each once."""
        self.are_all = rows is source
        """Whether all rows of the source are explained."""
        self.of_source = self.are_all or self.condition is not None or self.numbers is not None
        """Whether they are rows of the source."""
        self.target = None if self.of_source else rows
        """The rows as a target, if they are not rows of the source."""
        if self.condition is not None and not is_table(source):
            found = type(source).__name__
            raise TypeError(f"rows is the condition {rows!r}, which needs a table with columns; source is of type {found}")

    def pick(self, data: Data) -> None:
        """Make the rows that are given by number the target of the data, whose target has all rows of the source."""
        if self.numbers is None:
            return
        rows = data.rows("target")
        n_rows = rows.n_table_rows()
        wrong = [number for number in self.numbers if not 0 <= number < n_rows]
        if wrong:
            raise ValueError(f"rows names row {wrong[0]}, but the source has {n_rows} rows; rows are counted from 0")
        data.target = Rows(
            rows.matrix[self.numbers],
            np.array(self.numbers, dtype=np.int64),
            rows.id_texts(self.numbers),
            rows.own_labels(self.numbers),
            rows.own_ids(self.numbers),
            n_rows=n_rows,
        )

    def own_rows(self, data: Data) -> list[int | None] | None:
        """Which row of the source's matrix each explained row is."""
        if not self.of_source:
            return None
        places = data.source.places()
        return [places.get(int(number)) for number in data.rows("target").table_rows()]


def _numbers(rows: Any) -> list[int] | None:
    """The numbers of rows of the source; None if `rows` are rows."""
    if isinstance(rows, (int, np.integer)) and not isinstance(rows, bool):
        return [int(rows)]
    if is_table(rows) or is_sparse(rows) or not hasattr(rows, "__iter__") or not hasattr(rows, "__len__") or not len(rows):
        return None
    first = next(iter(rows))
    if not isinstance(first, (int, np.integer)) or isinstance(first, bool):
        return None
    wrong = [row for row in rows if isinstance(row, bool) or not isinstance(row, (int, np.integer))]
    if wrong:
        raise TypeError(f"rows names row {wrong[0]!r} of type {type(wrong[0]).__name__}; rows of the source have whole numbers")
    return [int(row) for row in rows]


def classes_of(
    same: Any, source: Any, rows: Any, explained_rows: ExplainedRows, data: Data
) -> tuple[list[Any], list[Any]]:
    """The classes of the source rows and of the explained rows in the matrices."""
    predict = getattr(same, "predict", same if callable(same) else None)
    of_rows: Any = None
    if predict is not None:
        of_source = predict(source)
        of_rows = None if explained_rows.of_source else predict(rows)
    elif isinstance(same, (tuple, list)) and len(same) == 2 and all(map(_is_sequence, same)):
        of_source, of_rows = same
    elif not explained_rows.of_source:
        wanted = "the name of a column, a model, or the classes of the source rows and those of rows as a pair"
        raise TypeError(f"same must be {wanted}; one sequence is enough only if rows are rows of the source")
    else:
        of_source = same
    target = data.rows("target")
    listed = one_each("same", of_source, data.source.n_table_rows())
    if of_rows is None:
        others = [listed[number] for number in target.table_rows()]
    elif explained_rows.given is not None and explained_rows.numbers is not None:
        given = dict(zip(explained_rows.given, one_each("same", of_rows, len(explained_rows.given), "explained"), strict=True))
        others = [given[number] for number in explained_rows.numbers]
    elif explained_rows.of_source:
        others = one_each("same", of_rows, len(target.matrix), "explained")
    else:
        all_rows = one_each("same", of_rows, target.n_table_rows(), "explained")
        others = [all_rows[number] for number in target.table_rows()]
    return [listed[number] for number in data.source.table_rows()], others


def _is_sequence(value: Any) -> bool:
    return hasattr(value, "__iter__") and not isinstance(value, (str, bytes))
