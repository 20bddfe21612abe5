"""What a run returns: prototypes in order of choice, and the whole path that led to them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _native, _show
from ._data import Data
from ._progress import reporter
from ._shift import CovariateShift
from .kernels import Kernel

Floats = NDArray[np.float64]


@dataclass(eq=False, repr=False)
class Criticisms:
    """Rows badly represented, worst first.

    >>> import protodash
    >>> selection = protodash.select([[0.0], [0.1], [0.2], [9.0]], n_prototypes=1, bandwidth=1.0)
    >>> selection.criticisms(1, definition="distance").indices
    array([3])
    """

    indices: NDArray[np.int64]
    """Rows of the source, or of the target if that was searched, counted from 0."""
    scores: Floats
    """How badly: |witness| or distance."""
    definition: str
    diversity: float | None
    among: str
    ids: Sequence[str] | None = None
    labels: Sequence[Any] | None = None

    def __len__(self) -> int:
        return len(self.indices)

    def __iter__(self) -> Iterator[tuple[int, float]]:
        return iter(zip(self.indices.tolist(), self.scores.tolist(), strict=True))

    def __repr__(self) -> str:
        return _show.plain(_show.criticism_table(self))

    def _repr_html_(self) -> str:
        return _show.html(_show.criticism_table(self))

    def to_frame(self, kind: str | None = None) -> Any:
        """The criticisms as a data frame of pandas or polars.

        >>> import protodash
        >>> selection = protodash.select([[0.0], [0.1], [9.0]], n_prototypes=1, bandwidth=1.0)
        >>> list(selection.criticisms(1).to_frame("pandas").columns)
        ['source_index', 'score']
        """
        from ._frames import criticism_frame

        return criticism_frame(self, kind)


@dataclass(eq=False, repr=False)
class Selection:
    """The prototypes of a run with their weights, in order of choice.

    >>> import protodash
    >>> selection = protodash.select([[0.0], [0.1], [4.0], [4.1], [9.0]], n_prototypes=3, bandwidth=1.0)
    >>> selection
    rank  row  weight   share  stands for
       1    2  0.3990  40.0 %           2
       2    0  0.3990  40.0 %           2
       3    4  0.2000  20.0 %           1
    3 of 5 rows explain 99.8 % of the data
    gaussian kernel, bandwidth 1, 1 feature, protodash, nonnegative weights
    """

    indices: NDArray[np.int64]
    """The chosen rows of the source, counted from 0."""
    weights: Floats
    """How much each counts; they need not sum to 1."""
    objective: Floats
    """The objective after each prototype: `objective[i]` belongs to the first i + 1."""
    weights_path: list[Floats]
    """The weights that the first i + 1 prototypes had when they were all there were."""
    stopped: str
    """Why the run ended: "n_prototypes", "min_gain" or "optimal"."""
    method: str
    weights_rule: str
    """How the weights were found: "nonnegative", "convex", "equal", "shares" or "own"."""
    kernel: Kernel
    n_target: int
    n_source: int
    n_features: int
    target_energy: float | None
    """‖μ‖², the target's own energy, unless it was skipped."""
    target_energy_standard_error: float | None = None
    ids: Sequence[str] | None = None
    """What names each prototype, if something does."""
    labels: Sequence[Any] | None = None
    """The class of each prototype, if it is known."""
    bandwidth_curve: dict[str, Any] | None = None
    """The widths that cross-validation tried, and what each came to."""
    oversample: float = 1.0
    """How many times as many rows were chosen as were kept."""
    seed: int = 0
    """Of every random draw."""
    per_label: dict[str, Any] | None = None
    """How the prototypes were shared out among classes and what each class got, if each was to have its own."""
    covariate_shift: CovariateShift | None = None
    """What the weights did to the source, if that was asked for with `shift`."""
    _flags: dict[str, Any] = field(default_factory=dict)
    _n_represented: NDArray[np.int64] | None = None
    _stored: Criticisms | None = None
    _saved: dict[str, Any] | None = None
    """The file that it was loaded from, which may say more than is known here."""
    _positions: NDArray[np.int64] | None = None
    _kernel_mean: Floats | None = None
    _data: Data | None = None

    @classmethod
    def _of_run(cls, found: _native.Found, data: Data, method: str, weights: str, flags: dict[str, Any]) -> Selection:
        positions = found["indices"]
        energy, standard_error = found["target_energy"] or (None, None)
        rows = data.source
        return cls(
            indices=np.array([rows.number(position) for position in positions], dtype=np.int64),
            weights=found["weights"],
            objective=found["objective"],
            weights_path=found["weights_path"],
            stopped=found["stopped"],
            method=method,
            weights_rule=weights,
            kernel=data.kernel,
            n_target=found["n_target"],
            n_source=found["n_source"],
            n_features=rows.matrix.shape[1] if data.n_features is None else data.n_features,
            target_energy=energy,
            target_energy_standard_error=standard_error,
            ids=_entries(rows.ids, positions),
            labels=_entries(rows.labels, positions),
            _flags=flags,
            _positions=positions,
            _kernel_mean=found["kernel_mean"],
            _data=data,
        )

    def __len__(self) -> int:
        return len(self.indices)

    @property
    def shares(self) -> Floats:
        """The weights divided by their sum."""
        # Added one after the other, as the command adds them, so that the last bit is the same.
        total = float(np.cumsum(self.weights)[-1]) if len(self.weights) else 0.0
        return self.weights / total if total > 0 else np.zeros_like(self.weights)

    @property
    def gains(self) -> Floats:
        """How much the objective rose when each prototype joined."""
        return np.diff(self.objective, prepend=0.0)

    @property
    def objective_final(self) -> float:
        """The objective of the whole set, 0 for an empty one."""
        return float(self.objective[-1]) if len(self.objective) else 0.0

    @property
    def mmd2(self) -> float | None:
        """The squared maximum mean discrepancy between target and weighted prototypes."""
        return None if self.target_energy is None else max(0.0, self.target_energy - 2.0 * self.objective_final)

    @property
    def explained(self) -> float | None:
        """The part of the target's energy that the prototypes explain, at most 1; None if that energy was skipped.

        It is 0 for no prototypes, and never below with weights that are free ("nonnegative"). Weights that have to be
        equal or to sum to 1 can put the prototypes farther from the target than none would be: it is negative then.
        No set of that size, whoever chose it, has an objective above `objective_final / explained`.
        """
        if self.target_energy is None:
            return None
        return min(1.0, 2.0 * self.objective_final / self.target_energy) if self.target_energy > 0 else 1.0

    @property
    def explained_standard_error(self) -> float | None:
        """The standard error of `explained` when the target's energy was estimated."""
        if self.explained is None or self.target_energy is None or self.target_energy_standard_error is None:
            return None
        return abs(self.explained) * self.target_energy_standard_error / self.target_energy

    @property
    def nearest(self) -> NDArray[np.int64]:
        """For each target row the position of its nearest prototype, -1 where no prototype has weight."""
        return self._represent()[0]

    @property
    def n_represented(self) -> NDArray[np.int64]:
        """How many target rows are nearest to each prototype."""
        if self._n_represented is None:
            self._n_represented = self._represent()[1]
        return self._n_represented

    @property
    def notes(self) -> list[str]:
        """What is worth knowing about how the table was understood, one sentence each."""
        return [] if self._data is None else self._data.notes

    def prefix(self, n_prototypes: int) -> Selection:
        """The same run cut at `n_prototypes`, with the weights it had then.

        >>> import protodash
        >>> selection = protodash.select([[0.0], [100.0]], n_prototypes=2, bandwidth=1.0)
        >>> selection.prefix(1).weights
        array([0.5])
        """
        from ._select import whole

        if not 1 <= whole("n_prototypes", n_prototypes, 1) <= len(self):
            raise ValueError(f"n_prototypes is {n_prototypes}; the run has {len(self)}, so it must be 1 to {len(self)}")
        if n_prototypes == len(self):
            return replace(self)
        return replace(
            self,
            indices=self.indices[:n_prototypes],
            weights=self.weights_path[n_prototypes - 1],
            objective=self.objective[:n_prototypes],
            weights_path=self.weights_path[:n_prototypes],
            stopped="n_prototypes",
            ids=None if self.ids is None else self.ids[:n_prototypes],
            labels=None if self.labels is None else self.labels[:n_prototypes],
            per_label=None,
            covariate_shift=None,
            _n_represented=None,
            _stored=None,
            _saved=None,
            _positions=None if self._positions is None else self._positions[:n_prototypes],
        )

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
            How many to find at most.
        definition : str
            "witness": where the target's density and the prototypes' differ most; "distance": the farthest from the
            nearest prototype.
        diversity : float
            How much witness criticisms are kept apart from one another.
        among : str
            "source" or "target": whose rows are searched.
        source, target, target_weights : optional
            The data again, for a selection that was loaded or unpickled and so has none.
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

        data = self._asked(source, target, target_weights)
        with reporter(progress) as report:
            return criticize(self, data, n_criticisms, definition, diversity, among, report)

    def to_frame(self, kind: str | None = None) -> Any:
        """The prototypes as a data frame of pandas or polars, with the columns of the table they were chosen from.

        `kind` is "pandas" or "polars"; without it, that of the table, or else the one that is installed.

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
        """Writes the result as the command writes it with `-o result.json`.

        `source`, `target` and `target_weights` are the data again, for a `prefix` of a selection that was loaded or
        unpickled: without them nobody knows what the fewer prototypes stand for.

        >>> import pathlib, tempfile, protodash
        >>> selection = protodash.select([[0.0], [9.0]], n_prototypes=2, bandwidth=1.0)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     selection.save(pathlib.Path(folder, "result.json"), selection.criticisms(1))
        ...     protodash.Selection.load(pathlib.Path(folder, "result.json")).indices
        array([0, 1])
        """
        from ._document import write

        data = self._asked(source, target, target_weights)
        write(self if data is None else self._counted(data), path, self._shown(criticisms))

    @classmethod
    def load(cls, path: str | PathLike[str]) -> Selection:
        """The result that `save`, or the command with `-o result.json`, has written; see `save`."""
        from ._document import read

        return read(path)

    def report(
        self,
        path: str | PathLike[str],
        *,
        criticisms: Criticisms | None = None,
        image_shape: Sequence[int] | None = None,
        title: str | None = None,
        source: Any = None,
        target: Any = None,
        target_weights: Any = None,
        progress: Any = False,
    ) -> None:
        """Writes the selection as one page for the browser, the one that the command's `--report` writes.

        The file is complete: it opens offline, can be mailed and asks nothing of the network. It shows the prototypes
        with their values as the table has them, what is typical of each column, rows that each prototype stands for,
        how many prototypes are enough, and a map of the data; and it holds the result that `save` writes.

        Parameters
        ----------
        path : str or path
            The file; it ends in .html.
        criticisms : Criticisms, optional
            The rows represented worst, to be shown too; without them, those that a loaded result has.
        image_shape : (height, width) or (height, width, channels), optional
            Show rows as pictures of this shape; an array of three dimensions says it itself.
        title : str, optional
            What the page is about.
        source, target, target_weights : optional
            The data again, for a selection that was loaded or unpickled and so has none. Without them the page has
            weights, the curve, criticisms and the table, and says what it lacks.
        progress : bool, callable or class
            As for `select`.

        Raises
        ------
        ValueError, TypeError
            If the path, the shape or the data do not fit; the message says what was given and what is allowed.
        OSError
            If the file cannot be written; there is then none.

        Examples
        --------
        >>> import pathlib, tempfile, protodash
        >>> selection = protodash.select([[0.0], [0.1], [9.0]], n_prototypes=2, bandwidth=1.0, id=["Ann", "Bob", "Eve"])
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     page = pathlib.Path(folder, "people.html")
        ...     selection.report(page, criticisms=selection.criticisms(1), title="Three people")
        ...     "<title>Three people</title>" in page.read_text(encoding="utf-8")
        True
        """
        from ._page import write_page

        shown = self._shown(criticisms)
        data = self._asked(source, target, target_weights)
        with reporter(progress) as report:
            write_page(
                self,
                data,
                path,
                criticisms=shown,
                image_shape=image_shape,
                title=title,
                report=report,
            )

    def plot_objective(self, ax: Any = None) -> Any:
        """Draws the objective, or the part explained where it is known, by the number of prototypes.

        >>> import matplotlib, protodash
        >>> matplotlib.use("Agg")
        >>> axes = protodash.select([[0.0], [9.0]], n_prototypes=2, bandwidth=1.0).plot_objective()
        >>> axes.get_ylabel()
        'explained'
        """
        from ._plots import plot_objective

        return plot_objective(self, ax)

    def plot_weights(self, ax: Any = None) -> Any:
        """Draws the weights as bars, one for each prototype.

        >>> import matplotlib, protodash
        >>> matplotlib.use("Agg")
        >>> axes = protodash.select([[0.0], [9.0]], n_prototypes=2, bandwidth=1.0).plot_weights()
        >>> len(axes.patches)
        2
        """
        from ._plots import plot_weights

        return plot_weights(self, ax)

    def plot_images(self, shape: tuple[int, int] | None = None, n_columns: int = 10) -> Any:
        """Draws the prototypes as pictures with their shares; `shape` is height and width.

        >>> import matplotlib, numpy, protodash
        >>> matplotlib.use("Agg")
        >>> pictures = numpy.eye(4).reshape(4, 2, 2)
        >>> figure = protodash.select(pictures, n_prototypes=3, bandwidth=1.0).plot_images()
        >>> len([axes for axes in figure.axes if axes.images])
        3
        """
        from ._plots import plot_images

        return plot_images(self, shape, n_columns)

    def __repr__(self) -> str:
        return "\n".join([_show.plain(_show.prototype_table(self)), *_show.sentences(self)])

    def _repr_html_(self) -> str:
        return _show.html(_show.prototype_table(self), _show.sentences(self))

    def __getstate__(self) -> dict[str, Any]:
        """All but the data, which may be large and belong to somebody else."""
        if self._data is not None and self._n_represented is None:
            self._n_represented = self._represent()[1]
        return {**self.__dict__, "_data": None, "_kernel_mean": None}

    def __copy__(self) -> Selection:
        """The same fields, the data among them."""
        return replace(self)

    def __deepcopy__(self, memo: dict[int, Any]) -> Selection:
        """Fields of its own, but the same data, which may be large and belong to somebody else."""
        fields = {name: value if name == "_data" else deepcopy(value, memo) for name, value in self.__dict__.items()}
        copied = type(self).__new__(type(self))
        copied.__dict__.update(fields)
        return copied

    def _represent(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        if self._data is None or self._positions is None:
            raise ValueError(
                "this selection was loaded without its data, and what its rows stand for was not loaded either; give the "
                "data again with source= and target= to save or report, or choose again"
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

    def _counted(self, data: Data) -> Selection:
        """The selection with what each prototype stands for, counted on these data if that is not known otherwise."""
        if self._n_represented is not None or self._data is not None:
            return self
        from ._criticize import positions_in

        return replace(self, _n_represented=self._represented(data, positions_in(self, data))[1])

    def _shown(self, criticisms: Any) -> Criticisms | None:
        """The criticisms given, or else those that were loaded."""
        if criticisms is None or isinstance(criticisms, Criticisms):
            return self._stored if criticisms is None else criticisms
        found = type(criticisms).__name__
        raise TypeError(f"criticisms is of type {found}; it must be what selection.criticisms(...) returns")

    def _asked(self, source: Any, target: Any, target_weights: Any) -> Data | None:
        """The data that are meant: those handed over again, or else those that the selection has."""
        if source is not None:
            from ._gather import regather

            return regather(source, target, target_weights, self.kernel, self._flags)
        for name, given in (("target", target), ("target_weights", target_weights)):
            if given is not None:
                step = "give all data again, or none to use those of the selection"
                raise ValueError(f"{name} is given without source; {step}")
        return self._data


def _entries(values: Sequence[Any] | None, positions: NDArray[np.int64]) -> list[Any] | None:
    return None if values is None else [values[position] for position in positions]
