"""Tables to matrices, as the command does it: pandas by its columns, all others by their Arrow stream."""

from __future__ import annotations

import datetime
import sys
from collections.abc import Callable, Iterable
from decimal import Decimal
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _native
from ._arrays import as_weights
from ._data import Data, Rows
from ._texts import as_text
from .kernels import Hamming, Kernel, Precomputed

Column = tuple[str, str, Any, NDArray[np.bool_] | None]
"""A name, what the cells are, the cells, and which of them are there."""


def is_table(data: Any) -> bool:
    """Whether `data` has columns with names."""
    if _is_pandas(data):
        return True
    kind, library = type(data).__name__, type(data).__module__.partition(".")[0]
    if hasattr(data, "__arrow_c_stream__"):
        # A series of pandas or polars hands itself out as a stream too, but of values and not of rows.
        return kind != "Series"
    if (library, kind) in (("polars", "DataFrame"), ("pyarrow", "Table"), ("pyarrow", "RecordBatch")):
        raise TypeError(f"this {library} is too old to hand out a {kind}; polars 1.3 and pyarrow 14 are new enough")
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
    run: _native.Run,
    memory: int,
) -> tuple[Data, dict[str, Any]]:
    """The data of a call whose source is a table, and the flags that describe them in the result's JSON."""
    if target is not None and not is_table(target):
        raise TypeError(f"the source is a table and the target is of type {type(target).__name__}; both must be tables")
    source, target = _kept(source), None if target is None else _kept(target)
    if isinstance(kernel, Precomputed):
        raise TypeError("the source is a table; kernel values are an array of numbers")
    flags = _flags(target, target_weights, id, label, roles)
    options = {name: flags[name] for name in ("drop", "categorical", "scale", "missing", "source_where", "target_where")}
    options |= {name: flags[name] for name in ("id", "label", "target_weight")}
    options |= {"columns": flags["columns"] or None, "codes": isinstance(kernel, Hamming), "memory": memory}
    encoded = _native.encode(handed_over(source), None if target is None else handed_over(target), options, run)
    rows = _rows(encoded["source"], source)
    other = encoded["target"]
    target_rows = None if other is None else _rows(other, source if target is None else target)
    if not (isinstance(id, str) or id is None):
        rows.ids = _picked("id", id, rows, source, as_text)
    if not (isinstance(label, str) or label is None):
        rows.labels = _picked("label", label, rows, source, None)
        if target is None and target_rows is not None:
            target_rows.labels = _picked("label", label, target_rows, source, None)
    if target_labels is not None:
        if target is None or target_rows is None:
            raise ValueError("target_labels belongs to a target of its own, and there is none")
        target_rows.labels = _picked("target_labels", target_labels, target_rows, target, None, "target")
    weights = encoded["target_weights"] if flags["target_weight"] else target_weights
    data = Data(
        rows,
        target_rows,
        kernel,
        target_weights=as_weights(weights, "target_weights"),
        features=encoded["features"],
        columns=encoded["columns"],
        table=source,
        target_table=target,
        notes=encoded["notes"],
    )
    return data, flags


def _kept(table: Any) -> Any:
    """The table as it is now, so that it can be asked again: its cells are shared, its columns and rows are its own."""
    if _is_pandas(table):
        return table.copy(deep=False)
    if _is_polars(table):
        return table.clone()
    # A reader of Arrow's reads once.
    return table.read_all() if type(table).__name__ == "RecordBatchReader" else table


def _rows(encoded: dict[str, Any], table: Any) -> Rows:
    rows = Rows(encoded["matrix"], encoded["numbers"], encoded["ids"], encoded["labels"])
    if rows.ids is None and _is_pandas(table) and not _is_plain_index(table.index):
        rows.ids = [_name(table.index[int(number)]) for number in encoded["numbers"]]
    return rows


def _name(entry: Any) -> str:
    """An entry of an index as text; those of several levels are joined."""
    return ", ".join(map(as_text, entry)) if isinstance(entry, tuple) else as_text(entry)


def _picked(
    what: str,
    values: Any,
    rows: Rows,
    table: Any,
    convert: Callable[[Any], Any] | None,
    role: str = "source",
) -> list[Any]:
    """The values given for each row of the table, for those rows that are meant."""
    listed = list(values.tolist() if isinstance(values, np.ndarray) else values)
    n_rows = len(table) if hasattr(table, "__len__") else len(listed)
    if len(listed) != n_rows:
        raise ValueError(f"{what} has {len(listed)} values for {n_rows} {role} rows; there must be one for each")
    chosen = [listed[rows.number(position)] for position in range(len(rows.matrix))]
    return chosen if convert is None else [convert(value) for value in chosen]


def _flags(target: Any, target_weights: Any, id: Any, label: Any, roles: dict[str, Any]) -> dict[str, Any]:
    from ._select import word

    for name in ("source_where", "target_where"):
        if not isinstance(roles[name], (str, type(None))):
            raise TypeError(f"{name} is of type {type(roles[name]).__name__}; it must be a condition in SQL, as text")
    if roles["scale"] is not None:
        word("scale", roles["scale"], ("none", "standard", "minmax"))
    return {
        "source": "table",
        "target": None if target is None else "table",
        "source_where": roles["source_where"],
        "target_where": roles["target_where"],
        "columns": _names("columns", roles["columns"]),
        "drop": _names("drop", roles["drop"]),
        "id": id if isinstance(id, str) else None,
        "label": label if isinstance(label, str) else None,
        "target_weight": target_weights if isinstance(target_weights, str) else None,
        "scale": roles["scale"],
        "categorical": _names("categorical", roles["categorical"]),
        "missing": word("missing", roles["missing"], ("error", "category", "mean", "zero")),
        "header": True,
        "delimiter": None,
    }


def _names(what: str, given: Any) -> list[str]:
    if given is None:
        return []
    if isinstance(given, str) or not all(isinstance(name, str) for name in given):
        raise TypeError(f"{what} must be a list of names of columns")
    return list(given)


def _is_pandas(data: Any) -> bool:
    pandas = sys.modules.get("pandas")
    return pandas is not None and isinstance(data, pandas.DataFrame)


def _is_polars(data: Any) -> bool:
    polars = sys.modules.get("polars")
    return polars is not None and isinstance(data, polars.DataFrame)


def _is_plain_index(index: Any) -> bool:
    """Whether the index only counts the rows."""
    return type(index).__name__ == "RangeIndex" and index.start == 0 and index.step == 1


def handed_over(table: Any) -> Any:
    """What the native half takes: columns of pandas, or the table itself, which has an Arrow stream."""
    if not _is_pandas(table):
        return _without_nulls(table)
    if not len(table.columns):
        raise ValueError("source: has no columns, at least 1 is needed")
    return [_column(str(name), table.iloc[:, place]) for place, name in enumerate(table.columns)]


def _without_nulls(table: Any) -> Any:
    """The table, with columns of polars that hold nothing at all as text, as they would be in a file."""
    if not _is_polars(table):
        return table
    polars = sys.modules["polars"]
    empty = [name for name, dtype in table.schema.items() if dtype == polars.Null]
    return table.with_columns([polars.col(name).cast(polars.String) for name in empty]) if empty else table


def _column(name: str, series: Any) -> Column:
    """A column of pandas by its type."""
    dtype = series.dtype
    kind = getattr(dtype, "kind", "O")
    if type(dtype).__name__ == "CategoricalDtype":
        # Categories of numbers are codes to people, but numbers to a reader of the written table: so they are here.
        return _column(name, series.astype(dtype.categories.dtype if not series.hasnans else _plain(dtype.categories)))
    known = ~series.isna().to_numpy()
    all_known = None if known.all() else known
    if kind == "b":
        return name, "boolean", series.fillna(False).to_numpy(dtype=bool), all_known
    if kind in "iu":
        whole = "uint64" if kind == "u" else "int64"
        return name, whole, series.fillna(0).to_numpy(dtype=whole), all_known
    if kind == "f":
        real = "float32" if str(dtype).lower() in ("float32", "float16") else "float64"
        return name, real, series.to_numpy(dtype=real, na_value=np.nan), None
    if kind == "M":
        aware = getattr(dtype, "tz", None) is not None
        values = (series.dt.tz_convert("UTC").dt.tz_localize(None) if aware else series).to_numpy("datetime64[ns]")
        return name, "time-utc" if aware else "time", values.view(np.int64), all_known
    return _objects(name, series, known)


def _plain(categories: Any) -> Any:
    """The type that categories have as a column in which some values may be missing."""
    return np.float64 if categories.dtype.kind in "iuf" else object


def _objects(name: str, series: Any, known: NDArray[np.bool_]) -> Column:
    """A column of Python's objects, all of one kind."""
    values = series.tolist()
    kinds = {_kind(value) for value, there in zip(values, known, strict=True) if there}
    if kinds <= {"text"}:
        texts = [_text(value) if there else None for value, there in zip(values, known, strict=True)]
        return name, "text", texts, None
    if kinds == {"boolean"}:
        return name, "boolean", np.array([value is True or value == 1 for value in values]), known
    if kinds == {"number"}:
        numbers = [float(value) if there else np.nan for value, there in zip(values, known, strict=True)]
        return name, "float64", np.array(numbers), None
    found = ", ".join(sorted(kinds))
    raise TypeError(f"source: column {name!r} holds {found}; a column holds text, numbers or truth values, one of them")


def _text(value: Any) -> str:
    return value if isinstance(value, str) else str(value.isoformat())


def _kind(value: Any) -> str:
    if isinstance(value, str) or type(value) is datetime.date:
        return "text"
    if isinstance(value, (bool, np.bool_)):
        return "boolean"
    if isinstance(value, (int, float, Decimal)) or (isinstance(value, np.number) and not np.iscomplexobj(value)):
        return "number"
    return f"objects of type {type(value).__name__}"
