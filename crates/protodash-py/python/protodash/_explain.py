"""`explain`: for each of some rows, the few source rows that represent it."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import Any, overload

from . import _native
from ._calls import explained
from ._data import Data
from ._files import write_whole
from ._gather import gather
from ._memory import as_bytes
from ._page import as_image_shape, check_page, named, shown_tables
from ._progress import reporter
from ._select import MOST_THREADS, real, whole
from ._texts import as_text
from .kernels import Custom, Hamming, Kernel, Precomputed, as_kernel


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

    def __repr__(self) -> str:
        lines = [self.sentence]
        for one in self.prototypes:
            name = "" if one.id is None else f" ({one.id})"
            alike, differs = ", ".join(one.alike), ", ".join(one.differs)
            lines.append(f"  row {one.index}{name}: {100 * one.share:.1f} % of weight, distance {one.distance:.4g}")
            lines += [f"    alike: {alike}"] * bool(alike) + [f"    differs: {differs}"] * bool(differs)
        return "\n".join(lines)


class Explanations(Sequence[Explanation]):
    """The explanations of some rows, in their order."""

    def __init__(self, text: str, sentences: list[str], data: Data | None = None) -> None:
        """Reads the JSON that the native half writes; `explain` calls this."""
        self._text = text
        self._data = data
        result = json.loads(text)
        self.limit: float | None = result["limit"]
        """The largest distance to the nearest source row that still counts as similar; None if all source rows are equal."""
        self._sentence = sentences[0]
        self._rows = [_row(row, said) for row, said in zip(result["explanations"], sentences[1:])]

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
        return "\n".join([self._sentence, *shown, *more])

    def records(self) -> list[dict[str, Any]]:
        """Return one dictionary for each row and each of its prototypes, for a data frame.

        A row without prototypes has one, without the keys of a prototype.
        """
        records: list[dict[str, Any]] = []
        for row in self._rows:
            own: dict[str, Any] = {"row": row.row, "id": row.id, "label": row.label, "similar": row.similar}
            own |= {"nearest_distance": row.nearest_distance, "explained": row.explained}
            for rank, one in enumerate(row.prototypes, 1):
                found: dict[str, Any] = {"rank": rank, "source_index": one.index, "source_id": one.id, "source_label": one.label}
                found |= {"weight": one.weight, "share": one.share, "distance": one.distance}
                records.append({**own, **found, "alike": "; ".join(one.alike), "differs": "; ".join(one.differs)})
            if not row.prototypes:
                records.append(own)
        return records

    def save(self, path: str | PathLike[str]) -> None:
        """Write the explanations as JSON, like `protodash explain -o`."""
        write_whole(path, self._text)

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
            raise ValueError("image_shape needs the rows, but these explanations were pickled without them; explain again")
        if data is not None and shape is None and data.pictures is not None and min(data.pictures) > 1:
            shape = (*data.pictures, 1)
        with reporter(progress) as report:
            run: _native.Run = {"n_threads": 0, "progress": report} if data is None else data.run(report)
            known = None if data is None else (data.sides(), _given_rows(data))
            write_whole(path, _native.explanation_page(self._text, title, shape, known, run))

    def __getstate__(self) -> dict[str, Any]:
        """The state without the data, which may be large and belong to the caller."""
        return {**self.__dict__, "_data": None}


@explained
def explain(
    source: Any,
    rows: Any,
    n_prototypes: int = 5,
    *,
    same: str | tuple[Iterable[Any], Iterable[Any]] | None = None,
    similar_share: float = 0.99,
    kernel: str | Kernel | Callable[[Any, Any], Any] = _native.DEFAULT_KERNEL,
    bandwidth: float | str = _native.DEFAULT_BANDWIDTH,
    id: str | Iterable[Any] | None = None,
    columns: Sequence[str] | None = None,
    drop: Sequence[str] | None = None,
    categorical: Sequence[str] | None = None,
    scale: str | None = None,
    missing: str = "error",
    normalize: bool = False,
    seed: int = 0,
    n_threads: int | None = None,
    memory: int | str | None = None,
    progress: Any = False,
) -> Explanations:
    """Explain each of `rows` by the few rows of `source` that represent it.

    Parameters
    ----------
    source : array, sparse matrix or table
        The rows to explain by, such as the training data of a model.
    rows : array, sparse matrix or table
        The rows to explain, with the columns of `source`. If it is `source` itself, no row explains itself.
    n_prototypes : int
        Maximum number of source rows for each row.
    same : str or pair of sequences, optional
        Explain each row only by source rows of its class: the name of a column of both tables, or the classes of the source
        rows and those of `rows`, such as a model's predictions for both.
    similar_share : float
        A row that is farther from every source row than this share of source rows is from its nearest neighbour has nothing
        similar; its `similar` is False. This does not depend on the bandwidth. If all source rows are equal, only an equal
        row is similar.
    bandwidth : float or str
        As for `select`, but from the source alone, so that an explanation does not depend on the other rows.
    kernel, id, columns, drop, categorical, scale, missing, normalize, seed, n_threads, memory, progress
        As for `select`.

    Returns
    -------
    Explanations
        One `Explanation` for each row.

    Raises
    ------
    ValueError, TypeError
        If the data or the options are invalid.

    Examples
    --------
    >>> import protodash
    >>> known = [[0.0], [1.0], [2.0], [3.0], [4.0]]
    >>> found = protodash.explain(known, [[1.4], [50.0]], n_prototypes=2, kernel="gaussian", bandwidth=1.0)
    >>> [one.index for one in found[0].prototypes]
    [1, 2]
    >>> found[1].sentence
    'row 1: nothing similar; the nearest row is 46.00 away'
    """
    wanted = as_kernel(kernel, bandwidth)
    if isinstance(wanted, (Custom, Precomputed)) or getattr(wanted, "bandwidth", None) == "cv":
        raise ValueError("explain needs a built-in kernel, and a bandwidth other than \"cv\"")
    is_source = rows is source
    by_column = isinstance(same, str)
    with reporter(progress) as report:
        data, flags = gather(
            source,
            None if is_source else rows,
            wanted,
            target_weights=None,
            target_gram=None,
            with_target_gram=False,
            id=id,
            label=same if by_column else None,
            target_labels=None,
            columns=columns,
            drop=drop,
            categorical=categorical,
            scale=scale,
            missing=missing,
            normalize=normalize,
            source_where=None,
            target_where=None,
            source_sample=None,
            target_sample=None,
            seed=whole("seed", seed, 0, 2**64 - 1),
            n_threads=0 if n_threads is None else whole("n_threads", n_threads, 1, MOST_THREADS),
            memory=as_bytes(memory),
            report=report,
            keywords=tuple(inspect.signature(explain).parameters),
            # What explains a row must not depend on the other rows of the call.
            kernel_from_source=True,
        )
        if by_column and data.rows("target").labels is None:
            raise ValueError(f"rows have no column {same!r}, which same names; add it, or pass the classes of both")
        if same is not None and not by_column:
            data.source.labels, data.rows("target").labels = _pair(same)
        options = {
            "n_prototypes": whole("n_prototypes", n_prototypes, 1),
            "similar_share": real("similar_share", similar_share),
            "seed": seed,
            "is_source": is_source,
            "classes": None if same is None else _classes(data.rows("target").labels, data.source.labels),
            "rows": _given_rows(data),
            "data": json.dumps(flags),
            "notes": data.notes,
        }
        return Explanations(*_native.explain(data.sides(), options, data.run(report)), data)


def _given_rows(data: Data) -> dict[str, Any]:
    """The rows of both sides for the native half."""
    return {
        "source_rows": named(data.source),
        "target_rows": None if data.target is None else named(data.target),
        "features": data.shown_columns(),
        "codes": isinstance(data.kernel, Hamming),
        **shown_tables(data),
    }


def _pair(same: Any) -> tuple[list[Any], list[Any]]:
    if not isinstance(same, (tuple, list)) or len(same) != 2:
        raise TypeError("same must be the name of a column, or the classes of the source rows and those of rows")
    return list(same[0]), list(same[1])


def _classes(rows: Sequence[Any] | None, source: Sequence[Any] | None) -> tuple[list[int], list[int]]:
    texts = [as_text(label) for label in rows or []], [as_text(label) for label in source or []]
    places = {name: place for place, name in enumerate(sorted({*texts[0], *texts[1]}))}
    return [places[text] for text in texts[0]], [places[text] for text in texts[1]]


def _row(row: dict[str, Any], sentence: str) -> Explanation:
    names = ("row", "similar", "nearest_distance", "explained", "id", "label")
    prototypes = [Explainer(index=one.pop("source_index"), **one) for one in row["prototypes"]]
    return Explanation(prototypes=prototypes, sentence=sentence, **{name: row[name] for name in names})
