"""Quotas and a budget: values and costs of the source rows, for the native module."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._data import Data
from ._tables import cells
from ._texts import as_text

Limits = Mapping[str, Mapping[Any, int]]
"""For each column, the number of rows for some of its values."""

_Quotas = tuple[str, "list[str | None]", "list[tuple[str, int]]", "list[tuple[str, int]]"]


def quotas(at_least: Limits | None, at_most: Limits | None, data: Data) -> list[_Quotas]:
    """Return for each column of a quota its name, its text in each source row, and its minima and maxima."""
    minima, maxima = _checked("at_least", at_least), _checked("at_most", at_most)
    columns = list(dict.fromkeys([*minima, *maxima]))
    return [(column, _texts(column, data), minima.get(column, []), maxima.get(column, [])) for column in columns]


def costs(cost: Any, budget: Any, data: Data) -> tuple[NDArray[np.float64] | None, float | None, str]:
    """Return the cost of each source row, the budget, and what to call the costs."""
    from ._checks import real

    if (cost is None) != (budget is None):
        lacking = "budget" if budget is None else "cost"
        raise ValueError(f"{lacking} is missing: cost and budget are used together")
    if cost is None:
        return None, None, ""
    name = cost if isinstance(cost, str) else "cost"
    given = _column(cost, data) if isinstance(cost, str) else _one_for_each_row("cost", cost, data)
    try:
        values = np.asarray([np.nan if value is None else value for value in given], dtype=np.float64)
    except (TypeError, ValueError):
        wrong = next(value for value in given if not isinstance(value, (int, float, np.number)))
        raise ValueError(f"cost {name!r} has the value {wrong!r}; costs must be numbers above 0") from None
    return values, real("budget", budget), name


def _checked(what: str, given: Limits | None) -> dict[str, list[tuple[str, int]]]:
    from ._checks import whole

    if given is None:
        return {}
    wanted = f'{what} must map columns to numbers for their values, such as {{"country": {{"FR": 10}}}}'
    if not isinstance(given, Mapping) or not all(isinstance(limits, Mapping) for limits in given.values()):
        raise TypeError(wanted)
    return {
        str(column): [(as_text(value), whole(f"{what}[{column!r}][{value!r}]", number, 0)) for value, number in limits.items()]
        for column, limits in given.items()
    }


def _texts(column: str, data: Data) -> list[str | None]:
    return [None if value is None or value != value else as_text(value) for value in _column(column, data)]


def _column(column: str, data: Data) -> list[Any]:
    """Return the values of a column in each source row of the matrix; "label" names labels given as a sequence."""
    rows = data.source
    if rows.copies is not None:
        raise ValueError("quotas and a budget need distinct rows with a custom kernel; remove duplicate rows first")
    if data.table is None:
        if column == "label" and rows.labels is not None:
            return list(rows.labels)
        raise ValueError(f'arrays have no column {column!r}; pass a table, or label and the column name "label"')
    found = cells(data.table, column, rows.table_rows())
    if found is None:
        raise TypeError(f"single columns of a {type(data.table).__name__} cannot be read; pass a pandas, polars or pyarrow table")
    return found


def _one_for_each_row(what: str, given: Any, data: Data) -> list[Any]:
    rows = data.source
    if rows.copies is not None:
        raise ValueError("quotas and a budget need distinct rows with a custom kernel; remove duplicate rows first")
    values = np.asarray(given)
    n_rows = rows.n_table_rows()
    if values.ndim != 1 or len(values) != n_rows:
        raise ValueError(f"{what} has shape {values.shape}; it must have one number for each of the {n_rows} source rows")
    return list(values[rows.table_rows()].tolist())
