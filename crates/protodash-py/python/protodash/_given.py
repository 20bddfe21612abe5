"""Rows that are given before a selection starts: fixed rows, excluded rows, and a run to continue."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from os import PathLike, fspath
from typing import Any

import numpy as np

from . import _native
from ._data import Data
from ._pandas import is_pandas
from ._selection import Selection
from ._tables import is_table
from ._texts import as_text


def are_rows(given: Any) -> bool:
    """Return whether fixed rows are given as rows, not by their numbers or ids."""
    if given is None or isinstance(given, (str, bytes)):
        return False
    if is_table(given):
        return True
    shape = getattr(given, "shape", None)
    if shape is None and isinstance(given, (list, tuple)):
        return any(isinstance(entry, (list, tuple, np.ndarray)) for entry in given)
    return shape is not None and len(shape) == 2


def with_rows(source: Any, target: Any, fixed: Any, options: dict[str, Any]) -> tuple[Any, Any]:
    """Return the source followed by the fixed rows, and the target, which does not include them."""
    for name in ("source_where", "source_sample", "target_sample"):
        if options[name] is not None:
            raise ValueError(f"{name} cannot be combined with fixed rows of another table; filter the source first")
    for name in ("id", "label", "target_labels"):
        if options[name] is not None and not isinstance(options[name], str):
            raise ValueError(f"with fixed rows of another table, {name} must be the name of a column of both")
    if is_table(source) != is_table(fixed):
        wrong = type(fixed).__name__
        raise TypeError(f"source and fixed must both be tables or both be arrays; fixed is of type {wrong}")
    return _stacked(source, fixed), source if target is None else target


def _stacked(source: Any, fixed: Any) -> Any:
    library = type(source).__module__.partition(".")[0]
    if not is_table(source):
        if any(hasattr(rows, "tocsr") for rows in (source, fixed)):
            sparse = import_module("scipy.sparse")
            return sparse.vstack([sparse.csr_matrix(source), sparse.csr_matrix(fixed)])
        rows, more = np.asarray(source), np.asarray(fixed)
        if rows.ndim != 2 or rows.shape[1] != more.shape[1]:
            wanted = rows.shape[1] if rows.ndim == 2 else 0
            raise ValueError(f"fixed has {more.shape[1]} columns and source has {wanted}; they must have the same number")
        return np.concatenate([rows, more])
    if type(fixed) is not type(source):
        raise TypeError(f"fixed is a {type(fixed).__name__} and source a {type(source).__name__}; they must be of one type")
    names = [[str(name) for name in getattr(table, "column_names", None) or table.columns] for table in (source, fixed)]
    if sorted(names[0]) != sorted(names[1]):
        wrong = sorted(set(names[0]) ^ set(names[1]))[0]
        raise ValueError(f"column {wrong!r} is in only one of source and fixed; they must have the same columns")
    if is_pandas(source):
        import pandas

        return pandas.concat([source, fixed[list(source.columns)]], ignore_index=True)
    if library == "polars":
        import polars

        return polars.concat([source, fixed.select(source.columns)])
    if library == "pyarrow":
        import pyarrow

        return pyarrow.concat_tables([source, fixed.select(source.column_names)])
    raise TypeError(f"fixed rows cannot be added to a {type(source).__name__}; pass a pandas, polars or pyarrow table")


def positions(what: str, given: Any, data: Data) -> list[int]:
    """Return rows of the matrix by the numbers or ids of source rows, each once."""
    if given is None:
        return []
    if isinstance(given, (str, bytes)) or not isinstance(given, Iterable):
        raise TypeError(f"{what} is of type {type(given).__name__}; it must be a list of row numbers or ids")
    find = _by_number if data.source.ids is None else _by_id
    return list(dict.fromkeys(position for entry in given for position in find(what, entry, data)))


def _by_id(what: str, entry: Any, data: Data) -> list[int]:
    text = as_text(entry)
    found = [position for position, id in enumerate(data.source.ids or []) if id == text]
    if not found:
        raise ValueError(f"{what} names {entry!r}, but no source row has this id")
    return found


def _by_number(what: str, entry: Any, data: Data) -> list[int]:
    if isinstance(entry, bool) or not isinstance(entry, (int, np.integer)):
        kind = type(entry).__name__
        raise TypeError(f"{what} names {entry!r} of type {kind}; without ids, rows are named by numbers, counted from 0")
    rows = data.source
    n_rows = rows.n_table_rows()
    if not 0 <= entry < n_rows:
        raise ValueError(f"{what} names row {entry}, but the source has {n_rows} rows; rows are counted from 0")
    if rows.numbers is None:
        return [int(entry)]
    found = np.flatnonzero(rows.numbers == entry)
    if len(found) == 0:
        raise ValueError(f"{what} names row {entry}, which a condition or a sample leaves out of the source")
    return [int(found[0])]


def resumed(
    given: Selection | str | PathLike[str] | None, data: Data, options: dict[str, Any], origin: dict[str, Any]
) -> tuple[list[int], list[float], float] | None:
    """Return the prototypes of the run to continue as rows of the matrix, their weights and their objective."""
    if given is None:
        return None
    if options["oversample"] > 1.0 or options["per_label"] is not None:
        raise ValueError("resume cannot be combined with oversample or per_label")
    saved = given if isinstance(given, Selection) else Selection.load(fspath(given))
    rows = data.source
    settings = {
        "method": options["method"],
        "weights": options["weights"],
        "kernel": origin["kernel"],
        "data": origin["data"],
        "shape": (len(rows.matrix), len(data.rows("target").matrix), origin["n_features"]),
        "oversample": options["oversample"],
        "max_weight": options["max_weight"],
        "min_effective": options["min_effective"],
        "tolerance": options["tolerance"],
        "seed": options["seed"],
        "fixed": [rows.number(position) for position in options["fixed"]],
        "exclude": origin["exclude"],
        "constraints": _native.constraints_in_words(options, origin["cost"]),
        "data_hash": _native.hash_of_data(data.sides(), data.target_weights, data.run()),
    }
    difference = saved._document.difference(settings)
    if difference is not None:
        raise ValueError(f"resume cannot continue this run: {difference}")
    places = rows.places()
    missing = [index for index in saved.indices.tolist() if index not in places]
    if missing:
        raise ValueError(f"resume cannot continue this run: its row {missing[0]} is not a row of the source")
    chosen = [places[index] for index in saved.indices.tolist()]
    return chosen, saved.weights.tolist(), saved.objective_final


def numbered(what: str, numbers: Iterable[int], data: Data) -> list[int]:
    """Return rows of the matrix by the numbers of source rows, also if rows have ids."""
    return [position for number in numbers for position in _by_number(what, number, data)]


def described(data: Data, exclude: list[int]) -> list[int]:
    """Return excluded rows as rows of the caller's table, ascending."""
    return sorted(data.source.number(position) for position in exclude)

