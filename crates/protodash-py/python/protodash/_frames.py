"""Selections as data frames, of pandas or of polars."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._selection import Criticisms, Selection


def prototype_frame(selection: Selection, kind: str | None) -> Any:
    """A row for each prototype, with the columns of the table it was chosen from if that is at hand."""
    table = None if selection._data is None else selection._data.table
    own_kind = _kind(table)
    numbers = {"weight": selection.weights, "share": selection.shares, "gain": selection.gains}
    if own_kind is not None and kind in (None, own_kind):
        # Named as the command names them in its tables, so that no column of the data is hidden.
        found = {f"prototype_{name}": values for name, values in numbers.items()}
        return _beside(table, own_kind, {"source_index": selection.indices, **found})
    columns: dict[str, Any] = {"source_index": selection.indices}
    columns |= _names(selection.ids, selection.labels) | numbers
    if selection._n_represented is not None or selection._data is not None:
        columns["n_represented"] = selection.n_represented
    return _frame(columns, kind)


def criticism_frame(criticisms: Criticisms, kind: str | None) -> Any:
    """A row for each criticism."""
    columns: dict[str, Any] = {f"{criticisms.among}_index": criticisms.indices}
    columns |= _names(criticisms.ids, criticisms.labels)
    return _frame({**columns, "score": criticisms.scores}, kind)


def _kind(table: Any) -> str | None:
    """Whose data frame a table is, if it is one."""
    name = type(table).__module__.partition(".")[0]
    return name if name in ("pandas", "polars") and type(table).__name__ == "DataFrame" else None


def _beside(table: Any, kind: str, found: dict[str, Any]) -> Any:
    """The rows of a table that `found` names, with what was found in front; pandas keeps its index."""
    if kind == "pandas":
        rows = table.iloc[found["source_index"]]
        return import_module("pandas").concat([_frame(found, kind).set_index(rows.index), rows], axis=1)
    return _frame(found, kind).hstack(table[found["source_index"].tolist()])


def _names(ids: Any, labels: Any) -> dict[str, Any]:
    return {name: list(values) for name, values in (("id", ids), ("label", labels)) if values is not None}


def _frame(columns: dict[str, Any], kind: str | None) -> Any:
    return library(kind).DataFrame(columns)


def library(kind: str | None) -> Any:
    """pandas or polars, whichever is asked for or installed."""
    if kind not in (None, "pandas", "polars"):
        raise ValueError(f"there is no kind of data frame {kind!r}; there are pandas and polars")
    for name in ("pandas", "polars") if kind is None else (kind,):
        if find_spec(name) is not None:
            return import_module(name)
    raise ImportError(f"{kind or 'pandas or polars'} is not installed; a data frame needs it")
