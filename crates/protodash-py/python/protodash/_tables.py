"""Turn tables into matrices as the command does: pandas column by column, all others from their Arrow stream."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from typing import Any

from . import _native
from ._arrays import as_weights
from ._data import Data, Rows
from ._names import name_rows, weights_of
from ._pandas import columns, is_pandas, is_plain_index
from ._texts import as_text
from .kernels import Kernel, Precomputed


def is_table(data: Any) -> bool:
    """Return whether `data` has named columns."""
    if is_pandas(data):
        return True
    kind, library = type(data).__name__, type(data).__module__.partition(".")[0]
    if library == "datasets" and hasattr(data, "with_format"):
        if kind != "Dataset":
            step = "pass one split, such as data['train']" if kind == "DatasetDict" else "convert it to a Dataset first"
            raise TypeError(f"the data are a {kind} of Hugging Face datasets; {step}")
        return True
    if hasattr(data, "__arrow_c_stream__"):
        # A pandas or polars series also has an Arrow stream, but of values, not of rows.
        return kind != "Series"
    if (library, kind) in (("polars", "DataFrame"), ("pyarrow", "Table"), ("pyarrow", "RecordBatch")):
        raise TypeError(f"this version of {library} has no Arrow stream interface; use polars 1.3 or pyarrow 14 or later")
    return False


def gather_tables(
    source: Any,
    target: Any,
    kernel: Kernel,
    *,
    target_weights: Any,
    id: str | Iterable[Any] | None,
    label: str | Iterable[Any] | None,
    target_labels: Iterable[Any] | None,
    roles: dict[str, Any],
    keywords: Sequence[str],
    run: _native.Run,
    memory: int,
    single_target_rows: bool = False,
) -> tuple[Data, dict[str, Any]]:
    """Return the data of a call whose source is a table, and the flags that describe them in the result's JSON.

    Source and target may also be paths of files.
    """
    if target is not None and not is_table(target) and not isinstance(source, str):
        raise TypeError(f"the source is a table but the target is of type {type(target).__name__}; both must be tables")
    source, target = kept(source), None if target is None else kept(target)
    if isinstance(kernel, Precomputed):
        raise TypeError("the source is a table; kernel values must be an array of numbers")
    flags = _flags(target, target_weights, id, label, roles)
    options = {name: flags[name] for name in ("drop", "show", "categorical", "scale", "missing", "source_where", "target_where")}
    options |= {name: flags[name] for name in ("id", "label", "target_weight")}
    options |= {"columns": flags["columns"] or None, "codes": kernel.compares_codes, "memory": memory}
    options |= {name: roles[name] for name in ("normalize", "source_sample", "target_sample", "seed")}
    options |= {"single_target_rows": single_target_rows, "keywords": list(keywords)}
    other = None if target is None else handed_over(target, "target")
    encoded = _native.encode(handed_over(source, "source"), other, options, run)
    rows = _rows(encoded["source"], source, flags)
    represented = encoded["target"]
    target_rows = None if represented is None else _rows(represented, source if target is None else target, flags)
    name_rows(rows, target_rows, id, label, target_labels, target is not None)
    represented_rows = rows if target_rows is None else target_rows
    weights = as_weights(encoded["target_weights"], "target_weights")
    if not flags["target_weight"]:
        weights = weights_of(represented_rows, target_weights)
    data = Data(
        rows,
        target_rows,
        kernel,
        target_weights=weights,
        features=encoded["features"],
        columns=encoded["columns"],
        table=source,
        target_table=target,
        notes=encoded["notes"],
    )
    return data, flags


def kept(table: Any) -> Any:
    """Return a shallow copy that later changes to the caller's table do not affect."""
    if is_pandas(table):
        return table.copy(deep=False)
    if _is_polars(table):
        return table.clone()
    if type(table).__module__.partition(".")[0] == "datasets":
        # Its own table ignores a selection or shuffling of rows, which this applies.
        return table.with_format("arrow")[:]
    # A record batch reader can be read only once.
    return table.read_all() if type(table).__name__ == "RecordBatchReader" else table


def _rows(encoded: dict[str, Any], table: Any, flags: dict[str, Any]) -> Rows:
    rows = Rows(encoded["matrix"], encoded["numbers"], encoded["ids"], encoded["labels"], n_rows=encoded["n_rows"])
    if isinstance(table, str):
        # The path of files: ids and labels are their texts.
        return rows
    if rows.ids is not None:
        rows.id_values = cells(table, flags["id"], rows.table_rows())
    elif is_pandas(table) and not is_plain_index(table.index):
        rows.id_values = table.index[rows.table_rows()].tolist()
        rows.ids = [as_text(value) for value in rows.id_values]
    if rows.labels is not None:
        rows.label_values = cells(table, flags["label"], rows.table_rows())
    return rows


def cells(table: Any, column: str, rows: Any) -> list[Any] | None:
    """Return some cells of a column as the table has them, or None if it does not give access to single cells."""
    names = list(map(str, table.columns if is_pandas(table) else getattr(table, "column_names", table.columns)))
    # As everywhere, the name may differ in case if that is unambiguous.
    alike = [name for name in names if name.lower() == column.lower()]
    if column not in names and len(alike) != 1:
        raise ValueError(f"there is no column {column!r}; the columns are {', '.join(names)}")
    place = names.index(column if column in names else alike[0])
    if is_pandas(table):
        return table.iloc[rows, place].tolist()  # type: ignore[no-any-return]
    if _is_polars(table):
        return table[names[place]].gather(rows).to_list()  # type: ignore[no-any-return]
    if hasattr(table, "take") and hasattr(table, "to_pydict"):
        # A table of pyarrow.
        return table.column(place).take(rows.tolist()).to_pylist()  # type: ignore[no-any-return]
    return None


def _flags(target: Any, target_weights: Any, id: Any, label: Any, roles: dict[str, Any]) -> dict[str, Any]:
    from ._checks import word

    for name in ("source_where", "target_where"):
        if not isinstance(roles[name], (str, type(None))):
            raise TypeError(f"{name} is of type {type(roles[name]).__name__}; it must be an SQL condition, as text")
    if roles["scale"] is not None:
        word("scale", roles["scale"], _native.SCALES)
    return {
        "source": "table",
        "target": None if target is None else "table",
        "source_where": roles["source_where"],
        "target_where": roles["target_where"],
        "show": _names("show", roles.get("show")),
        "columns": _names("columns", roles["columns"]),
        "drop": _names("drop", roles["drop"]),
        "id": id if isinstance(id, str) else None,
        "label": label if isinstance(label, str) else None,
        "target_weight": target_weights if isinstance(target_weights, str) else None,
        "scale": roles["scale"],
        "categorical": _names("categorical", roles["categorical"]),
        "missing": word("missing", roles["missing"], _native.MISSING),
        "normalize": roles["normalize"],
        "source_sample": roles["source_sample"],
        "target_sample": roles["target_sample"],
        "header": True,
        "delimiter": None,
    }


def _names(what: str, given: Any) -> list[str]:
    """Return column names from any iterable as a list."""
    if given is None:
        return []
    if isinstance(given, str) or not hasattr(given, "__iter__"):
        raise TypeError(f"{what} is {given!r}; it must be a list of column names, as in {what}=[{str(given)!r}]")
    names = list(given)
    for name in names:
        if not isinstance(name, str):
            found = f"{what} has {name!r}, of type {type(name).__name__}"
            raise TypeError(f"{found}; column names are text, as in {what}=[{str(name)!r}]")
    if what == "columns" and not names:
        raise ValueError("columns is empty; name at least one feature, or omit it to use all columns")
    return names


def _is_polars(data: Any) -> bool:
    polars = sys.modules.get("polars")
    return polars is not None and isinstance(data, polars.DataFrame)


def handed_over(table: Any, role: str) -> Any:
    """Return what the native module takes: pandas columns, or the table itself, which has an Arrow stream."""
    if not is_pandas(table):
        return _without_nulls(table)
    if not len(table.columns):
        raise ValueError(f"{role}: has no columns, at least 1 is needed")
    return columns(table)


def _without_nulls(table: Any) -> Any:
    """Return the table, with polars columns of type Null as text, as they would be in a file."""
    if not _is_polars(table):
        return table
    polars = sys.modules["polars"]
    empty = [name for name, dtype in table.schema.items() if dtype == polars.Null]
    return table.with_columns([polars.col(name).cast(polars.String) for name in empty]) if empty else table
