"""The result of a run: prototypes in order of choice, and the path that led to them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from copy import deepcopy
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _calls, _native, _show
from ._criticisms import Criticisms, checked
from ._data import Data
from ._estimate import Estimate
from ._files import write_whole
from ._plots import SelectionPlots
from ._predict import NearestPrototypes
from ._progress import reporter
from ._prototypes import PrototypeSequence
from ._settings import SelectionSettings
from ._shift import CovariateShift
from .kernels import Kernel, from_parameters

Floats = NDArray[np.float64]


class Selection(PrototypeSequence, NearestPrototypes, SelectionSettings, SelectionPlots):
    """The prototypes of a run with their weights, in order of choice.

    >>> import protodash
    >>> rows = [[0.0], [0.1], [4.0], [4.1], [9.0]]
    >>> protodash.select(rows, n_prototypes=3, kernel="gaussian", bandwidth=1.0)  # doctest: +ELLIPSIS
    rows are 95 % nearer to a prototype than to the nearest of 3 random rows; 3 of 5 rows explain 99.8 % of the data (...)
    3 prototypes explain 99 %
    rank  row  weight  of weight  nearest rows
       1    2  0.3990     40.0 %             2
          x0 4
       2    0  0.3990     40.0 %             2
          x0 0
       3    4  0.2000     20.0 %             1
          x0 9
    gaussian kernel, bandwidth 1.000, 1 feature, protodash, nonnegative weights
    """

    def __init__(
        self,
        document: _native.Document,
        *,
        kernel: Kernel | None = None,
        data: Data | None = None,
        positions: NDArray[np.int64] | None = None,
        ids: Sequence[Any] | None = None,
        labels: Sequence[Any] | None = None,
        kernel_mean: Floats | None = None,
        shift_weights: Floats | None = None,
    ) -> None:
        """Wrap a native document; `select` and `load` call this."""
        self._document = document
        self._kernel = kernel
        self._data = data
        self._positions = positions
        """The prototypes as rows of the matrix in `data`."""
        self._ids = ids
        self._labels = labels
        """Ids and classes as the caller has them; the document has them as text."""
        self._kernel_mean = kernel_mean
        self._shift_weights = shift_weights
        self._looks: list[str] | None = None

    def __len__(self) -> int:
        return len(self._document)

    @property
    def indices(self) -> NDArray[np.int64]:
        """The chosen rows of the source, counted from 0, in order of choice.

        A row may have lost its weight to later ones; `indices[weights > 0]` are the prototypes that represent something.
        """
        return self._document.indices

    @property
    def weights(self) -> Floats:
        """The weight of each prototype; weights need not sum to 1."""
        return self._document.weights

    @property
    def objective(self) -> Floats:
        """The objective after each prototype: `objective[i]` is that of the first i + 1."""
        return self._document.objective

    @property
    def weights_path(self) -> list[Floats]:
        """`weights_path[i]` are the weights that the first i + 1 prototypes had on their own.

        A result that was read from a file has those of up to 500 prototypes; `prefix` also knows some larger numbers.
        """
        return self._document.weights_path

    @property
    def shares(self) -> Floats:
        """The weights divided by their sum."""
        return self._document.shares

    @property
    def gains(self) -> Floats:
        """How much the objective rose with each prototype."""
        return self._document.gains

    @property
    def stopped(self) -> str:
        """Why the run ended: "n_prototypes", "min_gain", "optimal", "exhausted" or "constraints"."""
        return self._document.stopped

    @property
    def kernel(self) -> Kernel:
        """The kernel, with its bandwidth as a number."""
        if self._kernel is None:
            saved = self._part("kernel") or {}
            self._kernel = from_parameters(saved["name"], saved)
        return self._kernel

    @property
    def n_target(self) -> int:
        """Number of rows to represent."""
        return self._document.n_target

    @property
    def n_source(self) -> int:
        """Number of rows to choose from."""
        return self._document.n_source

    @property
    def n_features(self) -> int:
        """Number of features."""
        return self._document.n_features

    @property
    def objective_final(self) -> float:
        """The objective of the whole set, 0 for an empty one."""
        return self._document.objective_final

    @property
    def target_energy(self) -> float | None:
        """‖μ‖², the energy of the target; None if it was skipped."""
        return self._document.target_energy

    @property
    def target_energy_standard_error(self) -> float | None:
        """The standard error of `target_energy` if it was estimated."""
        return self._document.target_energy_standard_error

    @property
    def means(self) -> dict[str, Any] | None:
        """How the kernel means were computed; None for files of versions that did not record it.

        "kind" is "full" or "racing", "confidence" the probability that the rows are those of the full mean up to
        "tolerance", "pairs" the number of kernel values, and "n_exact" the number of rows with an exact mean.
        """
        means = self._document.means
        names = ("kind", "confidence", "tolerance", "pairs", "n_exact")
        return None if means is None else dict(zip(names, means, strict=True))

    @property
    def mmd2(self) -> float | None:
        """The squared maximum mean discrepancy between target and weighted prototypes."""
        return self._document.mmd2

    @property
    def explained(self) -> float | None:
        """The share of the target's energy that the prototypes explain, at most 1; None if it is unknown.

        It is unknown if the energy was skipped or if its estimate is not above 0. An empty set explains 0; optimal
        non-negative weights never explain less. With weights that must be equal or sum to 1, the prototypes can be
        a worse fit to the target than no prototypes at all; the share is then negative. No set of this size has an
        objective above `objective_final / explained`.
        """
        return self._document.explained

    @property
    def n_fixed(self) -> int:
        """How many of the prototypes, the first, were fixed."""
        return self._document.n_fixed

    @property
    def explained_by_fixed(self) -> float | None:
        """The share that the fixed prototypes alone explain; None if there are none, or if it is unknown."""
        return self._document.explained_by_fixed

    @property
    def constraints(self) -> dict[str, Any] | None:
        """How quotas and budget are met, and what as many rows explain without them, or without numbers for each class; None if
        not set."""
        return None if self._document.constraints is None else json.loads(self._document.constraints)

    @property
    def explained_standard_error(self) -> float | None:
        """The standard error of `explained` if the target's energy was estimated."""
        return self._document.explained_standard_error

    @property
    def certified(self) -> float | None:
        """Lower bound on this objective as a share of the best possible one; None if the target's energy is unknown.

        It is `explained` if the energy is exact. If it was estimated, its upper confidence bound counts instead: five standard
        errors above the estimate.
        """
        return self._document.certified

    @property
    def baseline(self) -> dict[str, Any] | None:
        """Comparison with the same number of random rows: "nearer_than_random" and "random_explained".

        `nearer_than_random` is the fraction by which target rows are nearer to their nearest prototype than, in
        expectation, to the nearest of the same number of random rows; `random_explained` is what random rows explain
        with weights by the rule of the selection (`weights`), and `random_explained_path` the same for 1, 2, … random rows. `nearer_than_random_path` has
        `nearer_than_random` for smaller numbers of prototypes, as pairs. `distance` is the mean distance to the nearest
        prototype. With a separate target, `best_distance` is that to the nearest of all source rows, and `best_explained`
        what all of up to 1,000 source rows explain together: no selection can do better. If more than 65,536 source rows
        may be chosen, random rows are drawn from `n_drawn_from` of them. Unknown values are None or absent.
        """
        return self._part("baseline")

    @property
    def classes_without_prototype(self) -> list[str] | None:
        """The classes of the target that no prototype has, as text; None if classes are unknown."""
        return self._document.classes_without_prototype

    @property
    def ids(self) -> Sequence[Any] | None:
        """The id of each prototype, if there are ids, with the type of the caller's data.

        If the ids are the index of a pandas data frame, `frame.loc[selection.ids]` returns the prototypes. In a
        selection loaded from a file they are text.
        """
        return self._document.ids if self._ids is None else self._ids

    @property
    def labels(self) -> Sequence[Any] | None:
        """The class of each prototype, if known, with the type of the caller's data; text in a loaded selection."""
        return self._document.labels if self._labels is None else self._labels

    @property
    def bandwidth_curve(self) -> dict[str, Any] | None:
        """The bandwidths that cross-validation tried, with their scores."""
        return (self._part("kernel") or {}).get("cross_validation")

    @property
    def per_label(self) -> dict[str, Any] | None:
        """How the prototypes were allocated to the classes, if `per_label` was given."""
        return self._part("per_label")

    @property
    def covariate_shift(self) -> CovariateShift | None:
        """The features before and after weighting the source, if `shift` was given."""
        saved = self._part("covariate_shift")
        return None if saved is None else CovariateShift(self._document, saved, self._shift_weights)

    @property
    def nearest(self) -> NDArray[np.int64]:
        """The position of the nearest prototype of each target row; -1 if no prototype has weight."""
        return self._represent()[0]

    @property
    def n_represented(self) -> NDArray[np.int64]:
        """How many target rows are nearest to each prototype."""
        counts = self._document.n_represented
        if counts is None:
            counts = self._represent()[1]
            self._document.set_n_represented(counts.tolist())
        return counts

    @property
    def notes(self) -> list[str]:
        """Notes on how the data were read and encoded, one sentence each.

        They name columns that are probably not intended as features, such as ids and labels, and the keyword to use.
        """
        text = self._document.part("notes")
        return [] if text is None else list(json.loads(text))

    def prefix(self, n_prototypes: int) -> Selection:
        """The same run cut at `n_prototypes`, with the weights it had then.

        >>> import protodash
        >>> selection = protodash.select([[0.0], [100.0]], n_prototypes=2, kernel="gaussian", bandwidth=1.0)
        >>> selection.prefix(1).weights
        array([0.5])
        """
        from ._checks import whole

        size = whole("n_prototypes", n_prototypes, 1)
        document = self._document.prefix(size)
        if document is None and size <= len(self):
            known = [other for other in self._document.sizes if other < size]
            raise ValueError(
                f"this file has no weights for {size} prototypes: a result of more than 500 keeps those of some sizes "
                f"only; the next smaller one is {known[-1]}"
            )
        if document is None:
            raise ValueError(f"n_prototypes is {n_prototypes}; the run has {len(self)}, so it must be 1 to {len(self)}")
        return Selection(
            document,
            kernel=self._kernel,
            data=self._data,
            positions=None if self._positions is None else self._positions[:size],
            ids=None if self._ids is None else self._ids[:size],
            labels=None if self._labels is None else self._labels[:size],
            kernel_mean=self._kernel_mean,
            shift_weights=self._shift_weights if size == len(self) else None,
        )

    @_calls.with_hints
    def estimate(self, scores: Any, *, target_scores: Any = None, target_weights: Any = None) -> Estimate:
        """The mean of `scores` over all rows, estimated from the prototypes; `protodash.Estimate` explains the figures."""
        from ._estimate import estimate

        return estimate(self, self._data, scores, target_scores, target_weights)

    @_calls.with_hints
    def criticisms(
        self,
        n_criticisms: int = 10,
        *,
        definition: str = "witness",
        diversity: float = 1.0,
        among: str = "source",
        source: Any = None,
        target: Any = None,
        target_weights: Any = None,
        progress: Any = False,
    ) -> Criticisms:
        """The rows that the prototypes represent worst, worst first.

        Parameters
        ----------
        n_criticisms : int
            Maximum number of criticisms.
        definition : str
            "witness": rows where the densities of target and prototypes differ most; "distance": rows farthest from the
            nearest prototype.
        diversity : float
            How strongly witness criticisms repel each other.
        among : str
            "source" or "target": which rows to search.
        source, target, target_weights : optional
            The data, for a loaded or unpickled selection, which has none.
        progress : bool, callable or class
            As for `select`.

        Returns
        -------
        Criticisms
            Rows and scores.

        Examples
        --------
        >>> import protodash
        >>> selection = protodash.select([[0.0], [0.1], [0.2], [9.0]], n_prototypes=1, bandwidth=1.0)
        >>> selection.criticisms(2, definition="distance").indices
        array([3, 0])
        """
        from ._criticize import criticize

        data = self._data_for(source, target, target_weights)
        with reporter(progress) as report:
            return criticize(self, data, n_criticisms, definition, diversity, among, report)

    def to_frame(self, kind: str | None = None) -> Any:
        """The prototypes as a pandas or polars data frame, with the columns of the table they were chosen from.

        `kind` is "pandas" or "polars"; the default is that of the table, or else whichever is installed.

        >>> import protodash
        >>> frame = protodash.select([[0.0], [9.0]], n_prototypes=1, bandwidth=1.0).to_frame("pandas")
        >>> list(frame.columns)
        ['source_index', 'weight', 'share', 'gain', 'n_represented']
        """
        from ._frames import prototype_frame

        return prototype_frame(self, kind)

    def save(
        self,
        path: str | PathLike[str],
        criticisms: Criticisms | None = None,
        *,
        source: Any = None,
        target: Any = None,
        target_weights: Any = None,
    ) -> None:
        """Write the result as JSON, byte for byte what the command writes with `-o result.json`.

        Pass `source`, `target` and `target_weights` to save a `prefix` of a loaded or unpickled selection: without the
        data it is unknown which rows the fewer prototypes represent.

        >>> import pathlib, tempfile, protodash
        >>> selection = protodash.select([[0.0], [9.0]], n_prototypes=2, bandwidth=1.0)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     selection.save(pathlib.Path(folder, "result.json"), selection.criticisms(1))
        ...     protodash.Selection.load(pathlib.Path(folder, "result.json")).indices
        array([0, 1])
        """
        given = checked(criticisms)
        write_whole(path, self._json(self._data_for(source, target, target_weights), given))

    def _json(self, data: Data | None, criticisms: Any = None) -> str:
        """The result as JSON, with the number of rows that each prototype represents on these data."""
        self._count(data)
        return self._document.to_json(criticisms)

    @classmethod
    def load(cls, path: str | PathLike[str]) -> Selection:
        """Load a result written by `save`, or by the command with `-o result.json`."""
        # Bytes that are not UTF-8 are not JSON either, and are reported as such.
        text = Path(path).read_bytes().decode("utf-8", errors="replace")
        try:
            selection = cls(_native.Document.from_json(text))
            _ = selection.kernel
        except ValueError as error:
            raise ValueError(f"{path}: {error}") from error
        return selection

    @_calls.with_hints
    def report(
        self,
        path: str | PathLike[str],
        *,
        criticisms: Criticisms | None = None,
        against: Selection | None = None,
        image_shape: Sequence[int] | None = None,
        title: str | None = None,
        source: Any = None,
        target: Any = None,
        target_weights: Any = None,
        progress: Any = False,
    ) -> None:
        """Write an HTML report, the same as the command's `--report`.

        The file is self-contained: it opens offline and makes no network requests. It shows the prototypes with their
        values, what is typical of each column, examples of the rows each prototype represents, how many prototypes are
        enough, and a map of the data. It also contains the result that `save` writes.

        Parameters
        ----------
        path : str or path
            The file, ending in .html.
        criticisms : Criticisms, optional
            Criticisms to show; the default is those of a loaded result.
        against : Selection, optional
            Another selection from the same rows, to show both side by side: A is this selection, B the other one.
        image_shape : (height, width) or (height, width, channels), optional
            Show rows as images of this shape; the default for a three-dimensional array is its own shape.
        title : str, optional
            The title of the page.
        source, target, target_weights : optional
            The data, for a loaded or unpickled selection, which has none. Without them the report has weights, the
            curve, criticisms and the table, and says what is missing.
        progress : bool, callable or class
            As for `select`.

        Raises
        ------
        ValueError, TypeError
            If the path, the shape or the data are invalid.
        OSError
            If the file cannot be written; no partial file is left.

        Examples
        --------
        >>> import pathlib, tempfile, protodash
        >>> selection = protodash.select([[0.0], [0.1], [9.0]], n_prototypes=2, bandwidth=1.0, id=["Ann", "Bob", "Eve"])
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     page = pathlib.Path(folder, "people.html")
        ...     selection.report(page, criticisms=selection.criticisms(1), title="Three people")
        ...     "<title>Three people</title>" in page.read_text(encoding="utf-8")
        True

        >>> one = protodash.select([[0.0], [0.1], [9.0]], n_prototypes=1, bandwidth=1.0)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     page = pathlib.Path(folder, "both.html")
        ...     selection.report(page, against=one)
        ...     "A and B share 1 row (A has 2, B has 1)" in page.read_text(encoding="utf-8")
        True
        """
        from ._page import write_page

        given = checked(criticisms)
        data = self._data_for(source, target, target_weights)
        with reporter(progress) as report:
            write_page(
                self,
                data,
                path,
                criticisms=given,
                image_shape=image_shape,
                title=title,
                report=report,
                against=against,
            )

    def __repr__(self) -> str:
        table = _show.plain(self._table(), self._row_looks())
        return "\n".join([*self._document.findings(), table, self._document.settings()])

    def _repr_html_(self) -> str:
        table, lines = self._table(), self._row_looks()
        columns = [*table, ("looks like", False, lines)] if lines else table
        return _show.html(columns, [self._document.settings()], above=self._document.findings())

    def __getstate__(self) -> dict[str, Any]:
        """The state without the data, which may be large and belong to the caller."""
        self._table()
        self._row_looks()
        return {**self.__dict__, "_data": None, "_kernel_mean": None}

    def __copy__(self) -> Selection:
        """The same result with the same data."""
        copied = type(self).__new__(type(self))
        copied.__dict__.update({**self.__dict__, "_document": self._document.copy()})
        return copied

    def __deepcopy__(self, memo: dict[int, Any]) -> Selection:
        """A deep copy that shares the data, which may be large and belong to the caller."""
        copied = self.__copy__()
        copied._ids, copied._labels = deepcopy(self._ids, memo), deepcopy(self._labels, memo)
        return copied

    def _renumber(self, indices: NDArray[np.int64], n_source: int, n_target: int) -> None:
        """Make the selection refer to the rows of an array with duplicates."""
        document = self._document
        document.name_rows(indices.tolist(), document.ids, document.labels, n_source, n_target)

    @property
    def _flags(self) -> dict[str, Any]:
        """Where the rows came from and how their columns were used."""
        return self._part("data") or {}

    def _part(self, key: str) -> dict[str, Any] | None:
        """What the JSON has under a key."""
        text = self._document.part(key)
        return None if text is None else json.loads(text)

    def _table(self) -> _native._Table:
        """The table of prototypes, with how many rows each represents if that can be counted."""
        if self._data is not None:
            _ = self.n_represented
        return self._document.table()

    def _row_looks(self) -> list[str]:
        """What sets each prototype with weight apart; empty if the data are unknown."""
        if self._looks is None and self._data is not None:
            from ._looks import looks

            self._looks = looks(self, self._data)
        return self._looks or []

    def _represent(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        if self._data is None or self._positions is None:
            raise ValueError(
                "this selection was loaded without its data, and it is unknown which rows its prototypes represent; pass the "
                "data again with source= and target= to save or report, or select again"
            )
        return self._represented(self._data, self._positions)

    def _represented(
        self, data: Data, positions: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The nearest prototype of each target row of the data, and how many rows each is nearest to."""
        nearest, counts = _native.represent(data.sides(), positions, self.weights, data.run())
        copies = data.rows("target").copies
        if copies is None:
            return nearest, counts
        nearest = np.where(copies >= 0, nearest[copies], -1)
        return nearest, np.bincount(nearest[nearest >= 0], minlength=len(self))

    def _count(self, data: Data | None) -> None:
        """Count the rows that each prototype represents, on these data unless it has its own."""
        if data is None or self._data is not None or self._document.n_represented is not None:
            _ = self.n_represented
            return
        from ._criticize import positions_in

        self._document.set_n_represented(self._represented(data, positions_in(self, data))[1].tolist())

    def _data_for(self, source: Any, target: Any, target_weights: Any) -> Data | None:
        """The data given, or else those of the selection."""
        if source is not None:
            from ._gather import regather

            return regather(source, target, target_weights, self.kernel, self._flags, self._document.seed)
        for name, given in (("target", target), ("target_weights", target_weights)):
            if given is not None:
                step = "pass all data again, or none to use those of the selection"
                raise ValueError(f"{name} requires source; {step}")
        return self._data
