"""Compare methods on the same data."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Iterable, Sequence
from os import PathLike
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from . import _native
from ._calls import with_hints
from ._checks import optional_real, real, word
from ._files import check_writable, write_whole
from ._frames import figures_frame
from ._gather import gather
from ._options import result_origin, selection_options
from ._page import check_ending
from ._progress import reporter
from ._select import among, class_numbers, cross_validated, lacks_energy, prototypes
from ._show import html, plain
from ._texts import as_text
from .kernels import Kernel, as_kernel


_Found = TypeVar("_Found")
_NOT_MEASURED = "coverage was not measured; pass coverage=True to compare"


class Comparison:
    """Several methods on the same data, one row per method and number of prototypes.

    Attributes are arrays in the order of the rows; unknown values are NaN.
    """

    def __init__(self, native: _native.ComparisonResult) -> None:
        self._native = native
        self._figures = native.figures()

    @property
    def method(self) -> NDArray[np.str_]:
        """Methods."""
        return np.array(self._figures["method"])

    @property
    def n_prototypes(self) -> NDArray[np.int64]:
        """Requested numbers of prototypes."""
        return self._number("n_prototypes")

    @property
    def n_found(self) -> NDArray[np.int64]:
        """Numbers of prototypes found: fewer if no further row improves the fit."""
        return self._number("n_found")

    @property
    def objective(self) -> NDArray[np.float64]:
        """Objectives with the method's own weights; higher is better."""
        return self._number("objective")

    @property
    def explained(self) -> NDArray[np.float64]:
        """Shares of the target explained with the method's own weights."""
        return self._number("explained")

    @property
    def mmd2(self) -> NDArray[np.float64]:
        """Squared MMD with the method's own weights; lower is better."""
        return self._number("mmd2")

    @property
    def objective_refitted(self) -> NDArray[np.float64]:
        """Objectives with optimal non-negative weights for the same rows."""
        return self._number("objective_refitted")

    @property
    def explained_refitted(self) -> NDArray[np.float64]:
        """Shares explained with optimal non-negative weights for the same rows."""
        return self._number("explained_refitted")

    @property
    def mmd2_refitted(self) -> NDArray[np.float64]:
        """Squared MMD with optimal non-negative weights for the same rows."""
        return self._number("mmd2_refitted")

    @property
    def accuracy(self) -> NDArray[np.float64]:
        """Accuracy of the nearest prototype's class."""
        return self._number("accuracy")

    @property
    def accuracy_weighted(self) -> NDArray[np.float64]:
        """Accuracy of the weighted vote of all prototypes."""
        return self._number("accuracy_weighted")

    @property
    def classes_touched(self) -> NDArray[np.float64]:
        """Numbers of classes with a prototype; needs `coverage=True` and labels."""
        return self._covered("classes_touched")

    @property
    def mean_distance(self) -> NDArray[np.float64]:
        """Mean distances of the rows from their nearest prototypes; needs `coverage=True`."""
        return self._covered("mean_distance")

    @property
    def largest_distance(self) -> NDArray[np.float64]:
        """Largest distances of a row from its nearest prototype; needs `coverage=True`."""
        return self._covered("largest_distance")

    @property
    def typicality(self) -> NDArray[np.float64]:
        """Distance of the prototypes from their tenth neighbours over the median of all rows; needs `coverage=True`."""
        return self._covered("typicality")

    @property
    def random_coverage(self) -> dict[str, NDArray[Any]]:
        """The same four figures of random rows on average, and their `n_prototypes`; needs `coverage=True`."""
        found = self._native.random_coverage()
        if found is None:
            raise ValueError(_NOT_MEASURED)
        return found

    @property
    def seconds(self) -> NDArray[np.float64]:
        """Run times, without the kernel mean that all methods share."""
        return self._number("seconds")

    @property
    def peak_memory_bytes(self) -> NDArray[np.int64]:
        """Peak memory of the process."""
        return self._number("peak_memory_bytes")

    @property
    def classes(self) -> list[str]:
        """The classes, in the order of `confusion`; empty without labels."""
        return self._native.classes

    @property
    def n_test(self) -> int:
        """Number of rows that were classified."""
        return self._native.n_test

    @property
    def notes(self) -> list[str]:
        """What could not be computed, and why."""
        return self._native.notes

    def prototypes(self, method: str, n_prototypes: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """The rows that a method chose, in order of choice, and the method's own weights."""
        return self._known(self._native.prototypes(method, n_prototypes), f"{method!r} with {n_prototypes}")

    def confusion(self, method: str, n_prototypes: int) -> NDArray[np.uint64]:
        """Rows of each true class (rows) by the class of the nearest prototype (columns)."""
        return self._known(self._native.confusion(method, n_prototypes), f"labels, or {method!r} with {n_prototypes}")

    def overlap(self, n_prototypes: int) -> tuple[list[str], NDArray[np.int64]]:
        """The methods, and how many rows each pair of them shares at this number of prototypes."""
        return self._known(self._native.overlap(n_prototypes), f"results with {n_prototypes}")

    def to_frame(self, kind: str | None = None) -> Any:
        """A pandas data frame, or a polars one with kind="polars": one row per method and number of prototypes."""
        return figures_frame(self._figures, kind)

    def to_json(self) -> str:
        """The JSON that `protodash compare -o FILE.json` writes."""
        return self._native.to_json()

    def save(self, path: str | PathLike[str]) -> None:
        """Write `to_json` to a file, which `protodash report` reads."""
        write_whole(path, self.to_json())

    def report(self, path: str | PathLike[str], *, title: str | None = None) -> None:
        """Write an HTML report: one file, works offline."""
        check_ending(path)
        check_writable(path)
        write_whole(path, self._native.report(title))

    def __len__(self) -> int:
        return len(self._figures["method"])

    def __repr__(self) -> str:
        parts = [f"{size} prototypes\n{plain(table)}" for size, table in self._native.tables() if table[0][2]]
        return "\n\n".join([*parts, "\n".join(self._native.sentences())])

    def _repr_html_(self) -> str:
        shown = [html(table, [f"{size} prototypes"]) for size, table in self._native.tables() if table[0][2]]
        return "".join(shown) + "".join(f"<p>{sentence}</p>" for sentence in self._native.sentences())

    def _covered(self, name: str) -> NDArray[np.float64]:
        if name not in self._figures:
            raise ValueError(_NOT_MEASURED)
        return self._number(name)

    def _number(self, name: str) -> NDArray[Any]:
        numbers: NDArray[Any] = self._figures[name]
        return numbers

    def _known(self, found: _Found | None, what: str) -> _Found:
        if found is None:
            raise ValueError(f"there is no result for {what} prototypes")
        return found


@with_hints
def compare(
    source: Any,
    target: Any = None,
    n_prototypes: int | str | Sequence[int | str] = 10,
    *,
    method: str | Sequence[str] | None = None,
    kernel: str | Kernel | Callable[[Any, Any], Any] = _native.DEFAULT_KERNEL,
    bandwidth: float | str = _native.DEFAULT_BANDWIDTH,
    oversample: float = 1.0,
    holdout: float | None = None,
    coverage: bool = False,
    target_weights: Any = None,
    target_energy: str = "exact",
    target_gram: Any = None,
    id: str | Iterable[Any] | None = None,
    label: str | Iterable[Any] | None = None,
    target_labels: Iterable[Any] | None = None,
    columns: Sequence[str] | None = None,
    drop: Sequence[str] | None = None,
    categorical: Sequence[str] | None = None,
    scale: str | None = None,
    missing: str = "error",
    normalize: bool = False,
    source_where: str | None = None,
    target_where: str | None = None,
    source_sample: int | None = None,
    target_sample: int | None = None,
    seed: int = 0,
    n_threads: int | None = None,
    memory: int | str | None = None,
    progress: Any = False,
) -> Comparison:
    """Compare selection methods on the same data, as `protodash compare` does.

    Parameters
    ----------
    source, target
        As for `protodash.select`.
    n_prototypes : int, str or sequence of them
        Numbers of prototypes, or percentages of the source rows such as "5%".
    method : str or sequence of str, optional
        Methods to compare; all by default.
    holdout : float, optional
        Hold out this fraction of the target rows and measure accuracy on them; needs `label`.
    coverage : bool
        Also measure what the prototypes cover, compared with random rows: classes with a prototype (needs `label`), mean and
        largest distance of the rows from the nearest, and how typical the prototypes are. The last line names the method that
        covers most.

    All other parameters are those of `protodash.select`.

    Returns
    -------
    Comparison
        Fit, accuracy, time and memory of each method at each number of prototypes.

    Examples
    --------
    >>> import numpy as np, protodash
    >>> rows = np.array([[0.0], [0.2], [4.0], [4.1], [9.0]])
    >>> comparison = protodash.compare(rows, n_prototypes=2, method=["protodash", "random"], bandwidth=1.0)
    >>> comparison.method.tolist()
    ['protodash', 'random']
    >>> bool(comparison.explained[0] >= comparison.explained[1])
    True
    """
    methods = [word("method", name, _native.METHODS) for name in _listed(method)] if method is not None else _native.METHODS
    requested = [prototypes(size) for size in _listed(n_prototypes)]
    if None in requested:
        raise ValueError('n_prototypes is "all"; a comparison needs numbers or percentages such as "5%"')
    if not methods or not requested:
        raise ValueError("method and n_prototypes need at least one value each")
    word("target_energy", target_energy, _native.TARGET_ENERGY)
    if holdout is not None and label is None:
        raise ValueError("holdout measures accuracy on held-out rows, which needs class labels; pass label")
    with reporter(progress) as report:
        data, flags = gather(
            source,
            target,
            as_kernel(kernel, bandwidth),
            target_weights=target_weights,
            target_gram=target_gram,
            with_target_gram=target_energy != "skip",
            id=id,
            label=label,
            target_labels=target_labels,
            columns=columns,
            drop=drop,
            categorical=categorical,
            scale=scale,
            missing=missing,
            normalize=normalize,
            source_where=source_where,
            target_where=target_where,
            source_sample=source_sample,
            target_sample=target_sample,
            seed=seed,
            n_threads=n_threads,
            memory=memory,
            report=report,
            keywords=tuple(inspect.signature(compare).parameters),
        )
        sizes = [size for size in (among(size, data) for size in requested) if size is not None]
        classes = class_numbers(data)
        options = selection_options(
            n_prototypes=max(sizes),
            oversample=real("oversample", oversample),
            target_weights=data.target_weights,
            target_energy="skip" if lacks_energy(data) else target_energy,
            seed=seed,
            column_memory=data.column_memory(),
        )
        curve = cross_validated(data, options, classes, report)
        origin = result_origin(data, flags, [] if classes is None else classes.names, curve)
        rows = data.source
        comparison = {
            "methods": methods,
            "sizes": sizes,
            "holdout": optional_real("holdout", holdout),
            "coverage": bool(coverage),
            "labels": None if classes is None else classes.numbers,
            "source_rows": (
                [rows.number(position) for position in range(len(rows.matrix))],
                None if rows.ids is None else list(rows.ids),
                None if rows.labels is None else [as_text(label) for label in rows.labels],
            ),
        }
        return Comparison(_native.compare(data.sides(), options, comparison, origin, data.run(report)))


def _listed(given: Any) -> list[Any]:
    """The values of an option that takes one or several."""
    return [given] if isinstance(given, (str, int, np.integer)) else list(given)
