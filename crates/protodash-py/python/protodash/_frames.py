"""Selections as pandas or polars data frames."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from itertools import count
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._criticisms import Criticisms
    from ._selection import Selection


def prototype_frame(selection: Selection, kind: str | None) -> Any:
    """A row for each prototype, with the columns of its table if that is available."""
    table: Any = None if selection._data is None else selection._data.table
    own_kind = _kind(table)
    numbers: dict[str, Any] = {"weight": selection.weights, "share": selection.shares, "gain": selection.gains}
    if selection._document.n_represented is not None or selection._data is not None:
        numbers["n_represented"] = selection.n_represented
    if own_kind is not None and kind in (None, own_kind):
        return _beside(table, own_kind, _found(selection, numbers, list(map(str, table.columns))))
    cells = _cells(table, own_kind, selection.indices)
    if cells is None:
        columns = {"source_index": selection.indices, **_names(selection.ids, selection.labels), **numbers}
        return _frame(columns, kind)
    names_rows = own_kind == "pandas" and selection.ids is not None and selection._flags["id"] is None
    found = _found(selection, ({"id": selection.ids} if names_rows else {}) | numbers, list(cells))
    return _frame({**found, **cells}, kind)


def _found(selection: Selection, numbers: dict[str, Any], taken: list[str]) -> dict[str, Any]:
    """The result columns, named as in the command's tables so that they do not hide a column of the data."""
    named = {"source_index": selection.indices} | {f"prototype_{name}": values for name, values in numbers.items()}
    return {_free(name, taken): values for name, values in named.items()}


def _free(name: str, taken: list[str]) -> str:
    """The name, with a number appended if a column of the table already has it."""
    numbered = (name if number == 1 else f"{name}_{number}" for number in count(1))
    return next(name for name in numbered if name not in taken)


def _cells(table: Any, kind: str | None, rows: Any) -> dict[str, list[Any]] | None:
    """The cells of some rows by column, for a data frame of another kind; None if the table has no access to them."""
    if kind == "pandas":
        chosen = [table.iloc[rows, place] for place in range(table.shape[1])]
        known = [column.astype(object).where(column.notna(), None).tolist() for column in chosen]
        return dict(zip(map(str, table.columns), known, strict=True))
    if kind == "polars":
        cells: dict[str, list[Any]] = table[rows.tolist()].to_dict(as_series=False)
        return cells
    if hasattr(table, "take") and hasattr(table, "to_pydict"):
        # A table of pyarrow.
        taken: dict[str, list[Any]] = table.take(rows.tolist()).to_pydict()
        return taken
    return None


def criticism_frame(criticisms: Criticisms, kind: str | None) -> Any:
    """A row for each criticism."""
    columns: dict[str, Any] = {f"{criticisms.among}_index": criticisms.indices}
    columns |= _names(criticisms.ids, criticisms.labels)
    return _frame({**columns, "score": criticisms.scores}, kind)


def explanation_frame(columns: dict[str, list[Any]], table: Any, kind: str | None) -> Any:
    """A row for each explained row and each of its prototypes."""
    return _frame(columns, kind or _kind(table))


def figures_frame(figures: dict[str, Any], kind: str | None) -> Any:
    """A column for each list or array."""
    return _frame(figures, kind)


def _kind(table: Any) -> str | None:
    """The library of a data frame, or None."""
    name = type(table).__module__.partition(".")[0]
    return name if name in ("pandas", "polars") and type(table).__name__ == "DataFrame" else None


def _beside(table: Any, kind: str, found: dict[str, Any]) -> Any:
    """The rows of a table listed in the first result column, after the result columns; pandas keeps its index."""
    if kind == "pandas":
        rows = table.iloc[next(iter(found.values()))]
        return import_module("pandas").concat([_frame(found, kind).set_index(rows.index), rows], axis=1)
    return _frame(found, kind).hstack(table[next(iter(found.values())).tolist()])


def _names(ids: Any, labels: Any) -> dict[str, Any]:
    return {name: list(values) for name, values in (("id", ids), ("label", labels)) if values is not None}


def _frame(columns: dict[str, Any], kind: str | None) -> Any:
    chosen = library(kind)
    if chosen.__name__ == "polars":
        # Objects that polars has no type for stay objects.
        return chosen.DataFrame([_series(chosen, name, values) for name, values in columns.items()])
    return chosen.DataFrame(columns)


def _series(polars: Any, name: str, values: Any) -> Any:
    try:
        return polars.Series(name, values)
    except (TypeError, ValueError, polars.exceptions.PolarsError):
        return polars.Series(name, values, dtype=polars.Object)


def library(kind: str | None) -> Any:
    """pandas or polars, as requested or installed."""
    if kind not in (None, "pandas", "polars"):
        raise ValueError(f"unknown kind of data frame {kind!r}; allowed are pandas and polars")
    for name in ("pandas", "polars") if kind is None else (kind,):
        if find_spec(name) is not None:
            return import_module(name)
    raise ImportError(f"{kind or 'pandas or polars'} is not installed, but is needed for a data frame")
