"""`select`: source and target in, a selection out."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from typing import Any

import numpy as np

from . import _native
from ._arrays import is_sparse
from ._calls import with_hints
from ._checks import optional_real, real, whole, word
from ._constraints import Limits, costs, quotas
from ._data import Data
from ._equal_rows import ExcludedRows, numbers_in_source
from ._gather import gather
from ._given import are_rows, described, numbered, positions, resumed, with_rows
from ._options import result_origin, selection_options
from ._progress import Report, reporter
from ._selection import Selection
from ._shift import check_shift, measure_shift
from ._tables import is_table, kept
from ._texts import as_text, numbered_classes
from .kernels import Kernel, as_kernel


class _Default(int):
    """Marks the default number of prototypes: fewer rows are not an error, and min_gain alone may decide the number."""


_TEN = _Default(10)


@with_hints
def select(
    source: Any,
    target: Any = None,
    n_prototypes: int | str | None = _TEN,
    *,
    method: str = "protodash",
    kernel: str | Kernel | Callable[[Any, Any], Any] = _native.DEFAULT_KERNEL,
    bandwidth: float | str = _native.DEFAULT_BANDWIDTH,
    weights: str | None = None,
    fixed: Any = None,
    exclude: Any = None,
    resume: Selection | str | PathLike[str] | None = None,
    max_weight: float | None = None,
    min_effective: float | None = None,
    at_least: Limits | None = None,
    at_most: Limits | None = None,
    cost: Any = None,
    budget: float | None = None,
    oversample: float = 1.0,
    min_gain: float | None = None,
    target_weights: Any = None,
    target_energy: str = "exact",
    target_gram: Any = None,
    means: str = "auto",
    tolerance: float = 0.0,
    id: str | Iterable[Any] | None = None,
    label: str | Iterable[Any] | None = None,
    target_labels: Iterable[Any] | None = None,
    per_label: str | Mapping[Any, int] | None = None,
    shift: bool = False,
    show: Sequence[str] | None = None,
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
) -> Selection:
    """Select weighted rows of `source` whose kernel mean is closest to that of `target`.

    Parameters
    ----------
    source : array, sparse matrix or table
        The rows to choose from. NumPy arrays of float32 and float64 in C order are not copied; other arrays are
        converted once. Tables are pandas or polars data frames, or any object with the Arrow C stream interface; text
        columns become one-hot and numbers are standardised, as in the command.
    target : array, sparse matrix or table, optional
        The rows to represent; the default is `source`.
    n_prototypes : int, str or None
        Maximum number of rows to choose, not counting `fixed`: a number, or a percentage of the source rows such as "5%"
        (rounded, at least 1). "all", like None, adds rows until `min_gain` stops it or none improves the fit; the
        weights are then optimal over all rows of the source.
    method : str
        "protodash", "protogreedy", "swap", "l2c" (MMD-critic), "p-lasso", "k-medoids", "coverage",
        "k-means", "farthest-first" or "random".
    kernel : str, Kernel or callable
        A name ("gaussian", "laplacian", "matern32", "matern52", "inverse-multiquadric", "linear", "polynomial",
        "cosine", "hamming"), an object of `protodash.kernels`, or a function that takes two blocks of rows and returns
        their kernel matrix. With "precomputed", `source` is the kernel matrix of the source with itself
        and `target` that of each target row (rows) with each source row (columns).
    bandwidth : float, "auto", "median" or "cv"
        Bandwidth σ of the kernel, as in exp(−d²/(2σ²)): a number; "auto", a multiple of the median distance between two
        rows that depends on the kernel (a quarter for the inverse multiquadric, half for the Gaussian); "median", that
        distance itself; or "cv", cross-validated, with all scores in `Selection.bandwidth_curve`.
    weights : str
        "nonnegative", "convex" (they sum to 1), "equal", "shares" (the share of target rows nearest to each) or "own"
        (those of the method). The default is "equal" for l2c, which is defined that way, otherwise "nonnegative".
    fixed : sequence, array or table, optional
        Rows that are prototypes from the start, with weights solved together with those of the chosen rows: numbers of
        source rows, counted from 0; their ids if `id` is given or a pandas index names the rows; or rows with the columns of
        the source. If these are all rows of the source (with the same values, or the same id if `id` names a column), they
        are fixed there; otherwise they follow the rows of the source and are not themselves represented. `n_prototypes` is
        the number of further rows. For "protodash", "protogreedy", "l2c", "farthest-first" and "random".
    exclude : sequence, array or table, optional
        Source rows that must not be chosen, by number or id; or rows of another table or array: all source rows with the
        same values as one of them, or with its id if `id` names a column. `notes` says how many.
    resume : Selection or path, optional
        A shorter run with the same data and options, to continue to `n_prototypes`. The result is that of a fresh run. A
        run with other data or options is an error that names the difference.
    max_weight : float, optional
        The largest weight allowed, as a share of the total: above 0 and at most 1, for instance 0.05. Rows are chosen as
        without limits; then the weights are the best within them. With `n_prototypes="all"`, rows are added as long as they
        help within the limits, and the weights are optimal over all rows of the source. For nonnegative and convex weights.
    min_effective : float, optional
        The smallest effective sample size (Σw)²/Σw² allowed, from 1 to the number of prototypes. Works like `max_weight`.
    at_least, at_most : dict, optional
        Minimum and maximum numbers of rows for values of a column, such as {"country": {"FR": 10}}; fixed rows count. The
        column of labels that are given as a sequence is "label". No row may count towards two quotas. A column of a quota
        stays a feature unless `drop` names it. For "protodash", "protogreedy" and "random". `Selection.constraints` has
        the fit with and without them.
    cost, budget : str or sequence, and float, optional
        The cost of each source row, above 0 (a column or one number for each row), and what all prototypes may cost. Every
        step then takes the largest gain per cost. Without `n_prototypes` the budget alone limits their number.
    oversample : float
        Select this many times `n_prototypes` rows, keep the heaviest and refit their weights; at least 1.
    min_gain : float, optional
        Stop when a step would raise the objective by less than this.
    target_weights : array or str, optional
        The weight of each target row: an array, or the name of a column.
    target_energy : str
        "exact", "sample" or "skip": how the energy behind `explained` is computed if target and source differ.
    target_gram : array, optional
        With kernel="precomputed" and a target: the kernel matrix of the target.
    means : str
        How to compute the kernel means: "full" (every pair of rows), "racing" (only as much as choosing the same
        rows needs, with a probability of at least 0.999999) or "auto" (racing where it is expected to be faster). Only
        "protodash" and "protogreedy" race.
    tolerance : float
        A step may take a row whose gradient (for "protogreedy": gain) is below the best by at most this fraction; from 0
        to less than 1. Racing then computes less.
    id, label : str or sequence, optional
        The id and the class of each source row: the name of a column, or one value per row.
    target_labels : sequence, optional
        The class of each row of `target`, if no column has it.
    per_label : str or dict, optional
        "proportional" or "equal": select prototypes for each class among its source rows, and allocate `n_prototypes` in
        proportion to the classes' target rows or equally. Or a number for each class, as in `{"FR": 10, "DE": 5}`; other
        classes get none, and `n_prototypes` is their sum. Needs `label`.
    shift : bool
        Also measure covariate shift: `Selection.covariate_shift` then compares the features of source and target before
        and after weighting. Needs a separate target.
    show : sequence of str, optional
        For tables: columns that `Selection.report` shows next to the rows, such as titles, texts, or images as bytes or
        paths. They are never features.
    columns, drop, categorical : sequence of str, optional
        For tables: the feature columns, columns to drop, and columns whose numbers are categories.
    scale : str, optional
        For tables: "standard" (the default), "minmax", "none", "robust" (by median and quartiles) or "rank" (ranks from
        0 to 1, for columns with heavy tails).
    missing : str
        For tables: "error", "category", "mean" or "zero".
    normalize : bool
        Scale each row to length 1, after the columns are scaled; usual for embeddings.
    source_where, target_where : str, optional
        For tables: SQL conditions on the rows to choose from and on the rows to represent.
    source_sample, target_sample : int, optional
        Choose from, or represent, a random sample of this many rows; all rows if there are no more. Both are drawn with
        `seed`.
    seed : int
        Seed of every random draw.
    n_threads : int, optional
        Number of threads; the default is one per core. The result does not depend on it.
    memory : int or str, optional
        Memory limit in bytes, or text such as "8GiB"; the default is half of the machine's memory.
    progress : bool, callable or class
        True shows a progress line; a function is called with stage, done and total; a class such as `tqdm.tqdm` makes a
        progress bar for each stage.

    Returns
    -------
    Selection
        The prototypes with their weights.

    Raises
    ------
    ValueError, TypeError
        If the data or the options are invalid.

    Examples
    --------
    >>> import numpy as np, protodash
    >>> regular = np.array([[1.0, 0.1], [2.0, 0.3], [7.5, 0.9], [8.0, 0.8]])
    >>> loyal = np.array([[7.0, 0.8], [8.0, 0.9], [7.9, 1.0]])
    >>> protodash.select(regular, loyal, n_prototypes=2, bandwidth=1.0).indices
    array([2, 3])
    """
    word("method", method, _native.METHODS)
    rule = word("weights", _native.default_weights(method) if weights is None else weights, _native.WEIGHTS)
    word("target_energy", target_energy, _native.TARGET_ENERGY)
    word("means", means, _native.MEANS)
    by_class = _class_numbers(per_label)
    if by_class is not None and label is None:
        raise ValueError("per_label needs the class of each row; pass label")
    if isinstance(by_class, list):
        total = sum(number for _, number in by_class)
        if not isinstance(n_prototypes, _Default) and n_prototypes is not None and n_prototypes != total:
            contradiction = f"n_prototypes is {n_prototypes!r}, but the numbers of per_label add up to {total}"
            raise ValueError(f"{contradiction}; omit n_prototypes")
        if total == 0:
            raise ValueError("0 prototypes requested; at least 1 is needed")
        n_prototypes = total
    requested = prototypes(n_prototypes)
    n_own, in_source, excluded_rows = None, None, None
    if is_table(source) and (are_rows(fixed) or are_rows(exclude)):
        # A stream of batches can be read only once.
        source = kept(source)
    if are_rows(exclude):
        excluded_rows = ExcludedRows(source, exclude, id, tuple(inspect.signature(select).parameters))
        exclude = None
    if are_rows(fixed):
        in_source = numbers_in_source(source, fixed, id)
    if in_source is not None:
        fixed = None
    elif are_rows(fixed):
        given: dict[str, Any] = {"source_where": source_where, "source_sample": source_sample, "target_sample": target_sample}
        given |= {"id": id, "label": label, "target_labels": target_labels}
        more, fixed = fixed, None
        source, target = with_rows(source, target, more, given)
        # Sparse matrices have no length.
        n_own = more.shape[0] if is_sparse(more) else more.num_rows if hasattr(more, "num_rows") else len(more)
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
            show=show,
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
            keywords=tuple(inspect.signature(select).parameters),
        )
        if shift:
            check_shift(data)
        number = among(requested, data)
        classes = class_numbers(data)
        if per_label is not None and classes is None:
            raise ValueError("per_label also needs the class of each target row; pass target_labels")
        if isinstance(n_prototypes, _Default):
            number = None if min_gain is not None or budget is not None else min(number or 0, len(data.source.matrix))
        costs_of_rows, limit, cost_name = costs(cost, budget, data)
        options = selection_options(
            n_prototypes=number,
            min_gain=optional_real("min_gain", min_gain),
            method=method,
            weights=rule,
            oversample=real("oversample", oversample),
            max_weight=optional_real("max_weight", max_weight),
            min_effective=optional_real("min_effective", min_effective),
            target_weights=data.target_weights,
            target_energy="skip" if lacks_energy(data) else target_energy,
            means=means,
            tolerance=real("tolerance", tolerance),
            fixed=positions("fixed", fixed, data) + numbered("fixed", in_source or [], data) + _last(n_own, data),
            exclude=positions("exclude", exclude, data) if excluded_rows is None else excluded_rows.positions(data),
            quotas=quotas(at_least, at_most, data),
            costs=costs_of_rows,
            budget=limit,
            seed=seed,
            column_memory=data.column_memory(),
            per_label=None if by_class is None or classes is None else (by_class, *classes.numbers),
        )
        curve = cross_validated(data, options, classes, report)
        origin = result_origin(
            data,
            flags,
            [] if classes is None else classes.names,
            curve,
            n_prototypes=None if isinstance(n_prototypes, _Default) else number,
            median_multiple=_native.median_multiple(as_kernel(kernel, bandwidth).described()),
            exclude=described(data, options["exclude"]),
            cost=cost_name,
            shift=shift,
        )
        options["resume"] = resumed(resume, data, options, origin)
        document, kernel_mean, _ = _native.select(data.sides(), options, origin, data.run(report))
    selection = named(document, data, kernel_mean)
    if shift:
        measure_shift(selection, data)
    return selection


def _last(n_rows: int | None, data: Data) -> list[int]:
    """The last rows of the source, where the fixed rows of another table are."""
    n_source = len(data.source.matrix)
    return [] if n_rows is None else list(range(n_source - n_rows, n_source))


def named(document: _native.Document, data: Data, kernel_mean: Any) -> Selection:
    """The selection of a document whose row numbers are rows of the matrix."""
    rows, positions = data.source, document.indices
    document.name_rows(
        [rows.number(position) for position in positions],
        rows.id_texts(positions),
        rows.label_texts(positions),
        document.n_source,
        document.n_target,
    )
    target_labels = data.rows("target").labels
    if rows.labels is not None and target_labels is not None:
        weights = None if data.target_weights is None else data.target_weights.tolist()
        document.set_classes([as_text(label) for label in target_labels], weights)
    return Selection(
        document,
        kernel=data.kernel,
        data=data,
        positions=positions,
        ids=rows.own_ids(positions),
        labels=rows.own_labels(positions),
        kernel_mean=kernel_mean,
    )


@dataclass
class Classes:
    """The class of each row as an index into the sorted names."""

    names: list[str]
    numbers: tuple[list[int], list[int]]
    """Those of the target rows and of the source rows."""


def cross_validated(
    data: Data, options: dict[str, Any], classes: Classes | None, report: Report | None
) -> dict[str, Any]:
    """Set the bandwidth by cross-validation if requested; return what to add to the kernel in the JSON."""
    if getattr(data.kernel, "bandwidth", None) != "cv":
        return {}
    kernel: Any = data.kernel
    data.kernel = replace(kernel, bandwidth=1.0)
    labels = None if classes is None else classes.numbers
    best, curve = _native.cross_validate(data.sides(), options, labels, data.run(report))
    data.kernel = replace(kernel, bandwidth=best)
    return {"cross_validation": json.loads(curve)}


def _class_numbers(per_label: Any) -> str | list[tuple[str, int]] | None:
    """The name of a rule, or the number of prototypes of each class by its text."""
    if per_label is None:
        return None
    if not isinstance(per_label, Mapping):
        return word("per_label", per_label, _native.PER_LABEL)
    return [(as_text(name), whole(f"per_label[{name!r}]", number, 0)) for name, number in per_label.items()]


def class_numbers(data: Data) -> Classes | None:
    """The classes of target and source rows, if both are known."""
    target, source = data.rows("target").labels, data.source.labels
    if target is None or source is None:
        return None
    names, *numbers = numbered_classes(target, source)
    return Classes(names, (numbers[0], numbers[1]))


def lacks_energy(data: Data) -> bool:
    """Whether the kernel values of target rows with each other are missing."""
    known = data.target_gram is not None or data.custom is not None
    return data.kernel.name == "precomputed" and data.target is not None and not known


def prototypes(given: Any) -> int | str | None:
    """Check a number of prototypes; a text still depends on the number of source rows."""
    if isinstance(given, str):
        return given if _native.number_of_prototypes(given, 1) is not None else None
    return None if given is None else whole("n_prototypes", given, 1)


def among(number: int | str | None, data: Data) -> int | None:
    """The checked number of prototypes among the source rows."""
    return _native.number_of_prototypes(number, len(data.source.matrix)) if isinstance(number, str) else number
