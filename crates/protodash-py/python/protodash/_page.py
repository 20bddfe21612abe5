"""The HTML report of a selection."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from os import PathLike, fspath
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from . import _native
from ._criticize import positions_in
from ._data import Data, Rows
from ._files import check_writable, write_whole
from ._tables import handed_over
from ._texts import as_text as text
from .kernels import Hamming, Precomputed

if TYPE_CHECKING:
    from ._selection import Selection


def write_page(
    selection: Selection,
    data: Data | None,
    path: str | PathLike[str],
    *,
    criticisms: dict[str, Any] | None,
    image_shape: Sequence[int] | None,
    title: str | None,
    report: Callable[[str, int, int], object] | None,
    against: Selection | None = None,
) -> None:
    """Write the report atomically: of one selection, or of two side by side."""
    check_page(path, title)
    if against is not None:
        _check_against(against, criticisms)
    shape = as_image_shape(image_shape)
    if shape is not None and data is None:
        raise ValueError("image_shape needs the rows, but this selection was loaded without them; pass source=")
    if data is not None:
        if data is not selection._data:
            _check_sizes(selection, data)
        data = data.with_copies()
        if shape is None and data.image_shape is not None and min(data.image_shape) > 1:
            shape = (*data.image_shape, 1)
    selection._count(data)
    page = {"title": title, "criticisms": criticisms, "image_shape": shape}
    known = None if data is None else known_data(selection, data)
    run: _native.Run = {"n_threads": 0, "progress": report} if data is None else data.run(report)
    if against is None:
        write_whole(path, _native.report(selection._document, page, known, run))
        return
    against._count(None)
    both = selection._document, against._document
    write_whole(path, _native.report_side_by_side(both, page, known, run))


def _check_against(against: object, criticisms: dict[str, Any] | None) -> None:
    """Reject what cannot be compared with a selection."""
    from ._selection import Selection

    if not isinstance(against, Selection):
        raise TypeError(f"against is of type {type(against).__name__}; it must be a Selection")
    if criticisms is not None:
        raise ValueError("criticisms are not shown for two selections side by side; omit criticisms or against")


def check_page(path: str | PathLike[str], title: str | None) -> None:
    """Reject a report that cannot be written, and a title that is not text."""
    check_ending(path)
    if title is not None and not isinstance(title, str):
        raise TypeError(f"title is of type {type(title).__name__}; it must be text")
    check_writable(path)


def check_ending(path: str | PathLike[str]) -> None:
    """Reject a report whose name does not end in .html."""
    ending = PurePath(fspath(path)).suffix
    if ending.lower() not in (".html", ".htm"):
        found = f"ends in {ending}" if ending else "has no extension"
        raise ValueError(f"{fspath(path)} {found}; it must end in .html")


def as_image_shape(given: Sequence[int] | None) -> tuple[int, int, int] | None:
    """Height, width and channels of rows that are images."""
    if given is None:
        return None
    sides = () if isinstance(given, (str, bytes)) or not hasattr(given, "__iter__") else tuple(given)
    whole = [int(side) for side in sides if hasattr(side, "__index__") and not isinstance(side, bool)]
    if len(whole) != len(sides) or len(sides) not in (2, 3) or min(whole) < 1:
        raise ValueError(f"image_shape is {given!r}; it must be height and width, or height, width and channels")
    return whole[0], whole[1], whole[2] if len(whole) == 3 else 1


def _check_sizes(selection: Selection, data: Data) -> None:
    """Reject data that the selection cannot have been made from."""
    n_features = data.source.matrix.shape[1] if data.n_features is None else data.n_features
    sizes = [
        ("source rows", selection.n_source, len(data.source.matrix)),
        ("target rows", selection.n_target, len(data.rows("target").matrix)),
        ("features", selection.n_features, n_features),
    ]
    for what, before, now in sizes:
        if before != now:
            raise ValueError(f"the selection was made from {before} {what}, but these data have {now}")


def known_data(selection: Selection, data: Data) -> dict[str, Any]:
    """The data for the native half."""
    return {
        "sides": data.sides(),
        "values": data.values(),
        "positions": positions_in(selection, data),
        "source_rows": named(data.source),
        "target_rows": None if data.target is None else named(data.target),
        # A kernel matrix has no columns to show.
        "features": [] if isinstance(data.kernel, Precomputed) else data.columns,
        "codes": isinstance(data.kernel, Hamming),
        "target_weights": None if data.target_weights is None else data.target_weights.tolist(),
        **shown_tables(data),
    }


def shown_tables(data: Data) -> dict[str, Any]:
    """The caller's tables for the native half, if the data are tables."""
    return {
        "source_table": None if data.table is None else handed_over(data.table, "source"),
        "target_table": None if data.target_table is None else handed_over(data.target_table, "target"),
    }


def named(rows: Rows) -> tuple[NDArray[np.int64], list[str] | None, list[str] | None]:
    """Numbers, ids and classes of the rows of one side, for the native half."""
    return rows.table_rows(), _texts(rows.ids), _texts(rows.labels)


def _texts(values: Sequence[Any] | None) -> list[str] | None:
    return None if values is None else [text(value) for value in values]
