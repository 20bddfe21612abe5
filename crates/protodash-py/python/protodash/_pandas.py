"""Convert pandas columns to the types that the native module takes."""

from __future__ import annotations

import datetime
import sys
from decimal import Decimal
from typing import Any

import numpy as np
from numpy.typing import NDArray

Column = tuple[str, str, Any, NDArray[np.bool_] | None]
"""Name, kind of cells, cells, and a mask of those that are not missing."""


def is_pandas(data: Any) -> bool:
    """Return whether `data` is a pandas data frame."""
    pandas = sys.modules.get("pandas")
    return pandas is not None and isinstance(data, pandas.DataFrame)


def is_plain_index(index: Any) -> bool:
    """Return whether the index only counts the rows."""
    return type(index).__name__ == "RangeIndex" and index.start == 0 and index.step == 1


def columns(table: Any) -> list[Column]:
    """Return all columns of a data frame; the kind of an unsupported one is "unread", with a description as its cells."""
    return [_column(str(name), table.iloc[:, place]) for place, name in enumerate(table.columns)]


def _column(name: str, series: Any) -> Column:
    """Return a column, converted according to its type."""
    dtype = series.dtype
    kind = getattr(dtype, "kind", "O")
    if type(dtype).__name__ == "CategoricalDtype":
        return _column(name, _plain(series))
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
    # Arrow dates have no time of day and stay text.
    if kind == "M" and not str(dtype).startswith(("date32", "date64")):
        return _times(name, series, all_known)
    return _objects(name, series, known)


def _plain(series: Any) -> Any:
    """Return a categorical column as its values.

    Numeric categories become numbers, as they would if the table were written to a file and read back.
    """
    categories = series.dtype.categories
    if not series.hasnans:
        return series.astype(categories.dtype)
    if categories.dtype.kind == "f":
        return series.astype(np.float64)
    if categories.dtype.kind not in "iu":
        return series.astype(object)
    # pandas would convert to float, which is exact only up to 2**53.
    nullable = categories.array.astype("UInt64" if categories.dtype.kind == "u" else "Int64")
    return type(series)(nullable.take(series.cat.codes.to_numpy(), allow_fill=True))


def _times(name: str, series: Any, known: NDArray[np.bool_] | None) -> Column:
    """Return timestamps in their own unit, which determines their range."""
    arrow = getattr(series.dtype, "pyarrow_dtype", None)
    if arrow is not None:
        values = series.astype("int64[pyarrow]").fillna(0).to_numpy(dtype=np.int64)
        return name, f"{'time' if arrow.tz is None else 'utc'} {arrow.unit}", values, known
    aware = getattr(series.dtype, "tz", None) is not None
    times = (series.dt.tz_convert("UTC").dt.tz_localize(None) if aware else series).to_numpy()
    return name, f"{'utc' if aware else 'time'} {np.datetime_data(times.dtype)[0]}", times.view(np.int64), known


def _objects(name: str, series: Any, known: NDArray[np.bool_]) -> Column:
    """Return a column of Python objects, which must be of one kind."""
    values = series.tolist()
    kinds = {_kind(value) for value, there in zip(values, known, strict=True) if there}
    if kinds <= {"text"}:
        texts = [_text(value) if there else None for value, there in zip(values, known, strict=True)]
        return name, "text", texts, None
    if kinds == {"booleans"}:
        return name, "boolean", np.array([value is True or value == 1 for value in values]), known
    if kinds == {"numbers"}:
        return _numbers(name, values, known)
    if kinds == {"lists of numbers"}:
        return _lists(name, values, known)
    if all(isinstance(value, bytes) for value, there in zip(values, known, strict=True) if there):
        return name, "bytes", [value if there else None for value, there in zip(values, known, strict=True)], None
    return name, "unread", (f"holds {' and '.join(sorted(kinds))}", len(values)), None


def _numbers(name: str, values: list[Any], known: NDArray[np.bool_]) -> Column:
    """Return integers as they are and all other numbers as float64."""
    there = [value for value, is_there in zip(values, known, strict=True) if is_there]
    whole = [value for value in there if isinstance(value, (int, np.integer))]
    if len(whole) == len(there):
        for kind in ("int64", "uint64"):
            if np.iinfo(kind).min <= min(whole) and max(whole) <= np.iinfo(kind).max:
                cells = [int(value) if is_there else 0 for value, is_there in zip(values, known, strict=True)]
                return name, kind, np.array(cells, dtype=kind), known
    if any(int(float(value)) != int(value) for value in whole):
        return name, "unread", ("holds integers that float64 cannot represent exactly", len(values)), None
    numbers = [float(value) if is_there else np.nan for value, is_there in zip(values, known, strict=True)]
    return name, "float64", np.array(numbers), None


def _lists(name: str, values: list[Any], known: NDArray[np.bool_]) -> Column:
    """Return lists of numbers: the length of each, and the elements of all."""
    arrays = [np.asarray(value) if there else np.empty(0, np.float32) for value, there in zip(values, known, strict=True)]
    kinds = {array.dtype for array in arrays if array.size}
    if all(dtype.kind in "iu" and dtype != np.uint64 for dtype in kinds):
        element = "int64"
    else:
        element = "float32" if all(dtype in (np.float32, np.float16) for dtype in kinds) else "float64"
    elements = np.concatenate(arrays).astype(element) if arrays else np.empty(0, element)
    return name, f"lists {element}", ([len(array) for array in arrays], elements), None if known.all() else known


def _kind(value: Any) -> str:
    if isinstance(value, (list, tuple, np.ndarray)) and _is_list_of_numbers(value):
        return "lists of numbers"
    if isinstance(value, (str, datetime.date)):
        return "text"
    if isinstance(value, (bool, np.bool_)):
        return "booleans"
    if isinstance(value, (int, float, Decimal)) or (isinstance(value, np.number) and not np.iscomplexobj(value)):
        return "numbers"
    return f"objects of type {type(value).__name__}"


def _is_list_of_numbers(value: Any) -> bool:
    try:
        array = np.asarray(value)
    except ValueError:
        return False
    return array.ndim == 1 and array.dtype.kind in "fiu"


def _text(value: Any) -> str:
    """Return text as it is, and dates and times in ISO 8601: 2020-01-01T07:00:00, with a Z in UTC."""
    if isinstance(value, str):
        return value
    if not isinstance(value, datetime.datetime):
        return str(value.isoformat())
    if value.tzinfo is not None:
        return _text(value.astimezone(datetime.timezone.utc).replace(tzinfo=None)) + "Z"
    nanoseconds = 1000 * value.microsecond + getattr(value, "nanosecond", 0)
    fraction = f".{nanoseconds:09}"
    digits = next(digits for digits in (0, 4, 7, 10) if not fraction[max(1, digits) :].strip("0"))
    return value.isoformat(timespec="seconds") + fraction[:digits]
