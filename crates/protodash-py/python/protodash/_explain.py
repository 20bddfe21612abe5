"""`explain`: for each of some rows, the few source rows that represent it."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

from . import _native
from ._calls import with_hints
from ._checks import real, whole
from ._data import Data
from ._explained_rows import ExplainedRows, classes_of
from ._explanations import Explanations, given_rows
from ._gather import gather
from ._progress import reporter
from ._texts import numbered_classes
from .kernels import Custom, Kernel, Precomputed, as_kernel, from_parameters


@with_hints
def explain(
    source: Any,
    rows: Any,
    n_prototypes: int = 5,
    *,
    same: Any = None,
    similar_share: float = 0.99,
    kernel: str | Kernel | Callable[[Any, Any], Any] = _native.DEFAULT_KERNEL,
    bandwidth: float | str = _native.DEFAULT_BANDWIDTH,
    id: str | Iterable[Any] | None = None,
    label: str | Iterable[Any] | None = None,
    show: Sequence[str] | None = None,
    columns: Sequence[str] | None = None,
    drop: Sequence[str] | None = None,
    categorical: Sequence[str] | None = None,
    scale: str | None = None,
    missing: str = "error",
    normalize: bool = False,
    source_where: str | None = None,
    seed: int = 0,
    n_threads: int | None = None,
    memory: int | str | None = None,
    progress: Any = False,
) -> Explanations:
    """Explain each of `rows` by the few rows of `source` that represent it.

    Parameters
    ----------
    source : array, sparse matrix or table
        The rows used to explain others, such as the training data of a model.
    rows : array, sparse matrix, table, str, int or sequence of int
        The rows to explain, with the columns of `source`; or rows of `source` itself: their numbers, an SQL condition on a
        table such as "age >= 30", or `source` for all. They are explained in the order of the source, each once, and none by
        itself.
    n_prototypes : int
        Maximum number of source rows for each row.
    same : str, model, callable, sequence or pair of sequences, optional
        Explain each row only by source rows of its class: the name of a column of both tables; a fitted model, whose
        `predict` is called with `source` and with `rows` as they are passed here; a function to call instead; or the classes
        of the source rows and those of `rows` as a pair. If the rows are rows of the source, the classes of the source rows
        alone are enough.
    similar_share : float
        A row that is farther from every source row than this share of source rows is from its nearest neighbour has nothing
        similar; its `similar` is False. This does not depend on the bandwidth. If all source rows are equal, only an equal
        row is similar.
    bandwidth : float or str
        As for `select`, but from the source alone, so that an explanation does not depend on the other rows.
    label : str or sequence, optional
        A column of classes, or the class of each source row, to show; never a feature. `same` says whether it matters.
    id, show, columns, drop, categorical, scale, missing, normalize, source_where, seed, n_threads, memory, progress, kernel
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

    Row 1 of the source, by rows of its class:

    >>> found = protodash.explain(known, 1, n_prototypes=1, same=["a", "b", "a", "b", "b"], bandwidth=1.0)
    >>> [one.index for one in found[0].prototypes]
    [3]
    """
    wanted = as_kernel(kernel, bandwidth)
    if isinstance(wanted, (Custom, Precomputed)):
        raise ValueError("explain needs a built-in kernel")
    explained_rows = ExplainedRows(source, rows)
    by_column = isinstance(same, str)
    if by_column and label not in (None, same):
        raise ValueError(f"same names column {same!r}, so label cannot be given too; pass the classes themselves as same")
    with reporter(progress) as report:
        data, flags = gather(
            source,
            explained_rows.target,
            wanted,
            target_weights=None,
            target_gram=None,
            with_target_gram=False,
            id=id,
            label=same if by_column else label,
            target_labels=None,
            show=show,
            columns=columns,
            drop=drop,
            categorical=categorical,
            scale=scale,
            missing=missing,
            normalize=normalize,
            source_where=source_where,
            target_where=source_where if explained_rows.are_all else explained_rows.condition,
            source_sample=None,
            target_sample=None,
            seed=seed,
            n_threads=n_threads,
            memory=memory,
            report=report,
            keywords=tuple(inspect.signature(explain).parameters),
            # What explains a row must not depend on the other rows of the call.
            kernel_from_source=True,
            single_target_rows=True,
        )
        explained_rows.pick(data)
        if by_column and data.rows("target").labels is None:
            raise ValueError(f"rows have no column {same!r}, which same names; add it, or pass the classes of both")
        classes = _classes(same, source, rows, explained_rows, data)
        cross_validate = getattr(data.kernel, "bandwidth", None) == "cv"
        if cross_validate:
            unresolved: Any = data.kernel
            data.kernel = replace(unresolved, bandwidth=1.0)
        options = {
            "n_prototypes": whole("n_prototypes", n_prototypes, 1),
            "similar_share": real("similar_share", similar_share),
            "seed": seed,
            "own_rows": explained_rows.own_rows(data),
            "classes": classes,
            "cross_validate": cross_validate,
            "source_labels": None if data.source.labels is None else numbered_classes([], data.source.labels)[2],
            "rows": given_rows(data, flags.get("show") or []),
            "data": json.dumps(flags),
            "notes": data.notes,
        }
        document = _native.explain(data.sides(), options, data.run(report))
        if cross_validate:
            saved = json.loads(document.kernel)
            data.kernel = from_parameters(saved["name"], saved)
        return Explanations(document, data)


def _classes(
    same: Any, source: Any, rows: Any, explained_rows: ExplainedRows, data: Data
) -> tuple[list[int], list[int]] | None:
    """The classes of rows and source rows; those of a column are already labels."""
    if same is None:
        return None
    target = data.rows("target")
    if isinstance(same, str):
        return numbered_classes(target.labels or [], data.source.labels or [])[1:]
    of_source, of_rows = classes_of(same, source, rows, explained_rows, data)
    if data.source.labels is None:
        data.source.labels, target.labels = of_source, of_rows
    return numbered_classes(of_rows, of_source)[1:]
