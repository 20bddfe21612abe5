"""Explanations of individual rows: what `explain` returns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import Any, overload

from . import _calls, _native
from ._data import Data
from ._files import write_whole
from ._page import as_image_shape, check_page, named, shown_tables
from ._progress import reporter
from .kernels import Hamming


@dataclass(frozen=True)
class Explainer:
    """A source row that represents another row."""

    index: int
    """The row of the source, counted from 0."""
    weight: float
    share: float
    """Its share of the weight of all rows that represent the row."""
    distance: float
    """Its distance from the row."""
    alike: list[str]
    """The closest values, equal ones first."""
    differs: list[str]
    """The values that differ most, that of the explained row last."""
    id: str | None = None
    label: str | None = None


@dataclass(frozen=True)
class Explanation:
    """One row and the source rows that represent it."""

    row: int
    """The row, counted from 0."""
    similar: bool
    """Whether the source has a similar row: one no farther than usual."""
    nearest_distance: float | None
    """The distance to the nearest source row; None if there is none to choose."""
    explained: float | None
    """The share of the row that its prototypes explain."""
    prototypes: list[Explainer]
    """The source rows, in order of choice."""
    sentence: str
    id: str | None = None
    label: str | None = None

    _text: str = field(default="", repr=False, compare=False)

    def __repr__(self) -> str:
        return self._text or self.sentence


class Explanations(Sequence[Explanation]):
    """The explanations of some rows, in their order."""

    def __init__(self, document: _native.ExplanationResult, data: Data | None = None) -> None:
        """Wrap a native document; `explain` and `load` call this."""
        self._document = document
        self._data = data
        self.limit: float | None = document.limit
        """The largest distance to the nearest source row that still counts as similar; None if all source rows are equal."""
        self._rows = [_row(**fields) for fields in document.rows()]

    @overload
    def __getitem__(self, place: int) -> Explanation: ...
    @overload
    def __getitem__(self, place: slice) -> list[Explanation]: ...
    def __getitem__(self, place: int | slice) -> Explanation | list[Explanation]:
        return self._rows[place]

    def __len__(self) -> int:
        return len(self._rows)

    def __iter__(self) -> Iterator[Explanation]:
        return iter(self._rows)

    def __repr__(self) -> str:
        shown = [repr(row) for row in self._rows[:5]]
        more = [f"{len(self) - 5} more"] * (len(self) > 5)
        return "\n".join([self._document.sentence, *shown, *more])

    def records(self) -> list[dict[str, Any]]:
        """Return one dictionary for each row and each of its prototypes, for a data frame.

        A row without prototypes has one, without the keys of a prototype.
        """
        columns = dict(self._document.columns())
        records = [dict(zip(columns, line, strict=True)) for line in zip(*columns.values(), strict=True)]
        own = list(columns)[: list(columns).index("rank")]
        return [{name: line[name] for name in own} if line["rank"] is None else line for line in records]

    def to_frame(self, kind: str | None = None) -> Any:
        """Return a pandas or polars data frame with a row for each explained row and each of its prototypes.

        `kind` is "pandas" or "polars"; the default is that of the table that explains, or else whichever is installed. A row
        without prototypes has one line, without the values of a prototype. Ids and labels are columns where there are some.

        >>> import protodash
        >>> frame = protodash.explain([[0.0], [1.0], [2.0]], [[1.4]], n_prototypes=2, bandwidth=1.0).to_frame("pandas")
        >>> frame["source_index"].tolist()
        [1, 2]
        """
        from ._frames import explanation_frame

        return explanation_frame(dict(self._document.table()), None if self._data is None else self._data.table, kind)

    def save(self, path: str | PathLike[str]) -> None:
        """Write the explanations as JSON, like `protodash explain -o`."""
        write_whole(path, self.to_json())

    def to_json(self) -> str:
        """Return the text that `save` writes."""
        return self._document.to_json()

    @classmethod
    def load(cls, path: str | PathLike[str]) -> Explanations:
        """Read explanations written by `save`, or by `protodash explain -o explanations.json`.

        >>> import tempfile, protodash
        >>> found = protodash.explain([[0.0], [1.0], [2.0]], [[1.4]], n_prototypes=2, bandwidth=1.0)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     found.save(f"{folder}/found.json")
        ...     protodash.Explanations.load(f"{folder}/found.json")[0] == found[0]
        True
        """
        # Bytes that are not UTF-8 are not JSON either, and are reported as such.
        text = Path(path).read_bytes().decode("utf-8", errors="replace")
        try:
            return cls(_native.ExplanationResult.from_json(text))
        except ValueError as error:
            raise ValueError(f"{path}: {error}") from error

    @_calls.with_hints
    def report(
        self,
        path: str | PathLike[str],
        *,
        image_shape: Sequence[int] | None = None,
        title: str | None = None,
        progress: Any = False,
    ) -> None:
        """Write an HTML report, like `protodash explain --report`: each row next to the rows that represent it.

        Parameters
        ----------
        path : str or path
            The file, ending in .html.
        image_shape : (height, width) or (height, width, channels), optional
            Show rows as images of this shape; the default for a three-dimensional array is its own shape.
        title : str, optional
            The title of the page.
        progress : bool, callable or class
            As for `select`.

        Raises
        ------
        ValueError, TypeError
            If the path, the title or the shape is invalid.
        OSError
            If the file cannot be written; no partial file is left.

        Examples
        --------
        >>> import pathlib, tempfile, protodash
        >>> found = protodash.explain([[0.0], [1.0], [2.0]], [[1.4]], n_prototypes=2, bandwidth=1.0)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     found.report(f"{folder}/page.html", title="Why?")
        ...     "<title>Why?</title>" in pathlib.Path(folder, "page.html").read_text(encoding="utf-8")
        True
        """
        check_page(path, title)
        shape, data = as_image_shape(image_shape), self._data
        if shape is not None and data is None:
            raise ValueError("image_shape needs the rows, but these explanations were loaded or pickled without them; explain again")
        if data is not None and shape is None and data.image_shape is not None and min(data.image_shape) > 1:
            shape = (*data.image_shape, 1)
        with reporter(progress) as report:
            run: _native.Run = {"n_threads": 0, "progress": report} if data is None else data.run(report)
            known = None if data is None else (data.sides(), given_rows(data, self._document.show))
            write_whole(path, self._document.page(title, shape, known, run))

    def __getstate__(self) -> dict[str, Any]:
        """The state without the data, which may be large and belong to the caller."""
        return {**self.__dict__, "_data": None}


def given_rows(data: Data, show: Sequence[str]) -> dict[str, Any]:
    """The rows of both sides for the native half."""
    return {
        "source_rows": named(data.source),
        "target_rows": None if data.target is None else named(data.target),
        "features": data.columns,
        "codes": isinstance(data.kernel, Hamming),
        "show": list(show),
        **shown_tables(data),
    }


def _row(prototypes: list[dict[str, Any]], text: str, **fields: Any) -> Explanation:
    return Explanation(prototypes=[Explainer(**one) for one in prototypes], _text=text, **fields)
