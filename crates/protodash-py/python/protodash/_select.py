"""The verb: target and source in, a selection out."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from . import _native
from ._data import Data
from ._gather import gather
from ._memory import as_bytes
from ._progress import Report, reporter
from ._selection import Selection
from ._shift import check_shift, measured
from ._texts import as_text
from .kernels import Kernel, as_kernel

METHODS = ("protodash", "protogreedy", "swap", "l2c", "p-lasso", "k-medoids", "random")
WEIGHTS = ("nonnegative", "convex", "equal", "shares", "own")
PER_LABEL = ("proportional", "equal")
TARGET_ENERGY = ("exact", "sample", "skip")
ENERGY_SAMPLE = 2000
MOST_THREADS = 1024


class _Default(int):
    """A number that nobody asked for: fewer rows are then no mistake, and min_gain alone decides."""


_TEN = _Default(10)


def select(
    source: Any,
    target: Any = None,
    n_prototypes: int | Literal["all"] | None = _TEN,
    *,
    method: str = "protodash",
    kernel: str | Kernel | Callable[[Any, Any], Any] = _native.DEFAULT_KERNEL,
    bandwidth: float | str = _native.DEFAULT_BANDWIDTH,
    weights: str | None = None,
    oversample: float = 1.0,
    min_gain: float | None = None,
    target_weights: Any = None,
    target_energy: str = "exact",
    target_gram: Any = None,
    id: str | Iterable[Any] | None = None,
    label: str | Iterable[Any] | None = None,
    target_labels: Iterable[Any] | None = None,
    per_label: str | None = None,
    shift: bool = False,
    columns: Sequence[str] | None = None,
    drop: Sequence[str] | None = None,
    categorical: Sequence[str] | None = None,
    scale: str | None = None,
    missing: str = "error",
    source_where: str | None = None,
    target_where: str | None = None,
    seed: int = 0,
    n_threads: int | None = None,
    memory: int | str | None = None,
    progress: Any = False,
) -> Selection:
    """The rows of `source`, with weights, whose kernel mean is nearest that of `target`.

    Parameters
    ----------
    source : array, sparse matrix or table
        The rows to choose from. NumPy arrays of float32 and float64 in C order are not copied; other arrays are
        converted once. Tables are pandas or polars data frames, or anything that hands itself out as an Arrow stream;
        their text columns become one-hot and their numbers are standardised, as the command does it.
    target : array, sparse matrix or table, optional
        The rows to be represented; without it, those of `source`.
    n_prototypes : int, "all" or None
        How many rows to choose at most. "all", like None, leaves the number to `min_gain`, or else to the optimum: the
        weights are then the best over all rows of the source.
    method : str
        "protodash", "protogreedy", "swap", "l2c" (MMD-critic), "p-lasso", "k-medoids" or "random".
    kernel : str, Kernel or callable
        A name ("gaussian", "laplacian", "matern32", "matern52", "inverse-multiquadric", "linear", "polynomial",
        "cosine", "hamming"), an object of `protodash.kernels`, or a function that takes two blocks of rows and returns
        the matrix of their similarities. With "precomputed", `source` is the kernel matrix of the source with itself
        and `target` that of each target row (rows) with each source row (columns).
    bandwidth : float, "median" or "cv"
        Width σ of the kernel, as in exp(−d²/(2σ²)): a number, the median distance of two rows, or by cross-validation;
        `Selection.bandwidth_curve` then says what each width came to.
    weights : str
        "nonnegative", "convex" (they sum to 1), "equal", "shares" (the part of the target rows nearest to each) or
        "own" (those that belong to the method). Without it, "equal" for l2c, which is defined by them, and otherwise
        "nonnegative".
    oversample : float
        Choose that many times as many rows, keep the heaviest and weigh these again; at least 1.
    min_gain : float, optional
        Stop before a step that raises the objective by less than this.
    target_weights : array or str, optional
        How much each target row counts: a number each, or the name of a column of the table.
    target_energy : str
        "exact", "sample" or "skip": how the constant behind `explained` is found when target and source differ.
    target_gram : array, optional
        With kernel="precomputed" and a target: the kernel matrix of the target with itself.
    id, label : str or sequence, optional
        What names each source row, and its class: a column of the table, or one value for each row.
    target_labels : sequence, optional
        The class of each row of `target`, where no column of the tables holds it.
    per_label : str, optional
        "proportional" or "equal": choose prototypes for each class, among the source rows of that class, and share out
        `n_prototypes` in proportion to the classes' target rows or equally. It needs `label`.
    shift : bool
        Also measure what the weights do to the source: `Selection.covariate_shift` then has the means of its features
        before and after, and the target's. It needs another target than the source.
    columns, drop, categorical : sequence of str, optional
        For tables: the columns that are features, those that are not, and those whose numbers are codes.
    scale : str, optional
        For tables: "standard" (the default), "minmax" or "none".
    missing : str
        For tables: "error", "category", "mean" or "zero".
    source_where, target_where : str, optional
        For tables: SQL conditions that say which rows may be chosen and which are to be represented.
    seed : int
        Seed of all that is drawn.
    n_threads : int, optional
        Threads to work with; without it, one for each core. The result does not depend on it.
    memory : int or str, optional
        Bytes that may be used, such as "8GiB"; without it, half of the machine's memory.
    progress : bool, callable or class
        True shows a line of progress; a function is called with stage, done and total; a class such as `tqdm.tqdm`
        makes a bar for each stage.

    Returns
    -------
    Selection
        The prototypes, their weights, and the path that led to them.

    Raises
    ------
    ValueError, TypeError
        If the data or the options cannot be used; the message says what was given and what is allowed.

    Examples
    --------
    >>> import numpy as np, protodash
    >>> regular = np.array([[1.0, 0.1], [2.0, 0.3], [7.5, 0.9], [8.0, 0.8]])
    >>> loyal = np.array([[7.0, 0.8], [8.0, 0.9], [7.9, 1.0]])
    >>> protodash.select(regular, loyal, n_prototypes=2, bandwidth=1.0).indices
    array([2, 3])
    """
    word("method", method, METHODS)
    rule = word("weights", ("equal" if method == "l2c" else "nonnegative") if weights is None else weights, WEIGHTS)
    word("target_energy", target_energy, TARGET_ENERGY)
    if per_label is not None and word("per_label", per_label, PER_LABEL) and label is None:
        raise ValueError("per_label needs to know the class of each row; give label")
    number = None if n_prototypes is None or n_prototypes == "all" else whole("n_prototypes", n_prototypes, 1)
    bytes_allowed = as_bytes(memory)
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
            source_where=source_where,
            target_where=target_where,
            seed=whole("seed", seed, 0, 2**64 - 1),
            n_threads=0 if n_threads is None else whole("n_threads", n_threads, 1, MOST_THREADS),
            memory=bytes_allowed,
            report=report,
            keywords=tuple(inspect.signature(select).parameters),
        )
        if shift:
            check_shift(data)
        classes = _classes(data)
        if per_label is not None and classes is None:
            raise ValueError("per_label needs to know the class of each target row too; give target_labels")
        if isinstance(n_prototypes, _Default):
            number = None if min_gain is not None else min(number or 0, len(data.source.matrix))
        options = {
            "n_prototypes": number,
            "min_gain": None if min_gain is None else real("min_gain", min_gain),
            "method": method,
            "weights": rule,
            "oversample": real("oversample", oversample),
            "target_weights": data.target_weights,
            "target_energy": "skip" if lacks_energy(data) else target_energy,
            "energy_sample": ENERGY_SAMPLE,
            "seed": seed,
            "column_memory": max(0, bytes_allowed - data.nbytes()),
            "per_label": None if per_label is None or classes is None else (per_label, *classes.numbers),
        }
        curve = cross_validated(data, options, classes, report)
        found = _found(data, options, classes, report)
    selection = Selection._of_run(found, data, method, rule, flags)
    if per_label is not None and classes is not None:
        selection.per_label = {"allocation": per_label, "classes": classes.described(found["classes"])}
    if shift:
        selection.covariate_shift = measured(selection, data)
    selection.bandwidth_curve, selection.oversample, selection.seed = curve, float(oversample), int(seed)
    return selection


@dataclass
class Classes:
    """The class of each row as a number: the place of its name among those of all classes."""

    names: list[str]
    """In alphabetical order, as the command has them."""
    numbers: tuple[list[int], list[int]]
    """Of the target rows and of the source rows."""

    def described(self, found: list[tuple[int, float, int, int, int]]) -> list[dict[str, Any]]:
        """What each class got, under the names of the result's JSON."""
        keys = ("label", "share", "n_target", "n_source", "n_prototypes")
        return [dict(zip(keys, (self.names[label], *rest), strict=True)) for label, *rest in found]


def _found(
    data: Data, options: dict[str, Any], classes: Classes | None, report: Report | None
) -> _native.Found:
    try:
        return _native.select(data.sides(), options, data.run(report))
    except ValueError as error:
        label = getattr(error, "label", None)
        if label is None or classes is None:
            raise
        number: int = getattr(error, "n_target", 0)
        rows, them = ("1 target row", "it") if number == 1 else (f"{number} target rows", "them")
        name = json.dumps(classes.names[label], ensure_ascii=False)
        raise ValueError(f"class {name} has {rows} and no source row to represent {them}") from error


def cross_validated(
    data: Data, options: dict[str, Any], classes: Classes | None, report: Report | None
) -> dict[str, Any] | None:
    """Gives the kernel the width that serves held-out rows best, if that is asked for; returns what was tried."""
    if getattr(data.kernel, "bandwidth", None) != "cv":
        return None
    kernel: Any = data.kernel
    data.kernel = replace(kernel, bandwidth=1.0)
    labels = None if classes is None else classes.numbers
    best, curve = _native.cross_validate(data.sides(), options, labels, data.run(report))
    data.kernel = replace(kernel, bandwidth=best)
    return curve


def _classes(data: Data) -> Classes | None:
    """The classes of target and source, if both are known."""
    target, source = data.rows("target").labels, data.source.labels
    if target is None or source is None:
        return None
    texts = [as_text(label) for label in target], [as_text(label) for label in source]
    names = sorted({*texts[0], *texts[1]})
    places = {name: place for place, name in enumerate(names)}
    return Classes(names, ([places[text] for text in texts[0]], [places[text] for text in texts[1]]))


def lacks_energy(data: Data) -> bool:
    """Whether how similar target rows are to each other is not in the matrices."""
    known = data.target_gram is not None or data.custom is not None
    return data.kernel.name == "precomputed" and data.target is not None and not known


def word(what: str, given: Any, allowed: Sequence[str]) -> str:
    """The word given, if it is one of those allowed."""
    if not isinstance(given, str):
        raise TypeError(f"{what} is of type {type(given).__name__}; it must be one of {', '.join(allowed)}")
    if given not in allowed:
        raise ValueError(f"there is no {what} {given!r}; there are {', '.join(allowed)}")
    return given


def whole(what: str, given: Any, least: int, most: int = 2**63 - 1) -> int:
    """The whole number given, if it is one and large enough."""
    if isinstance(given, (bool, np.bool_)) or not hasattr(given, "__index__"):
        raise TypeError(f"{what} is of type {type(given).__name__}; it must be a whole number, at least {least}")
    if given < least:
        if what == "n_prototypes" and given == 0:
            raise ValueError("asked for 0 prototypes; at least 1 is needed")
        raise ValueError(f"{what} is {given}; it must be at least {least}")
    if given > most:
        raise ValueError(f"{what} is {given}; it must be at most {most}")
    return int(given)


def real(what: str, given: Any) -> float:
    """The number given, if it is one."""
    if isinstance(given, (bool, str, bytes)) or not hasattr(given, "__float__") or np.ndim(given) > 0:
        raise TypeError(f"{what} is of type {type(given).__name__}; it must be a number")
    return float(given)
