"""Turn the caller's data into matrices: arrays as they are, custom kernels and kernel matrices as kernel values."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _native
from ._arrays import Matrix, as_matrix, shape_of_images, same_precision
from ._blocks import Blocks, kernel_matrix
from ._checks import optional_whole, seed_of, threads
from ._data import Data, Rows
from ._memory import as_bytes
from ._names import name_rows, weights_of
from ._sparse import SparseRows, as_sparse, native, stays_sparse
from ._tables import gather_tables, is_table
from .kernels import Custom, Kernel, Precomputed

_TABLE_OPTIONS = ("show", "columns", "drop", "categorical", "scale", "source_where", "target_where")


def gather(
    source: Any,
    target: Any,
    kernel: Kernel,
    *,
    target_weights: Any,
    target_gram: Any,
    with_target_gram: bool,
    id: str | Iterable[Any] | None,
    label: str | Iterable[Any] | None,
    target_labels: Iterable[Any] | None,
    missing: str,
    normalize: bool,
    source_sample: Any,
    target_sample: Any,
    seed: Any,
    n_threads: Any,
    memory: int | str | None,
    report: Callable[[str, int, int], object] | None,
    keywords: Sequence[str],
    kernel_from_source: bool = False,
    single_target_rows: bool = False,
    **roles: Any,
) -> tuple[Data, dict[str, Any]]:
    """Return the data of a call, and the flags that describe them in the result's JSON.

    Hints name only `keywords`, those of the function that the user called. With `kernel_from_source` a bandwidth from the data
    does not depend on the target; with `single_target_rows` the target is no data set, and what it lacks has no note.
    """
    if target_gram is not None and not isinstance(kernel, Precomputed):
        raise ValueError('target_gram requires kernel="precomputed"')
    if isinstance(target, (int, np.integer)):
        raise TypeError(f"target is {target}; it must be rows. To set the number of prototypes, pass n_prototypes={target}")
    source_sample = optional_whole("source_sample", source_sample)
    target_sample = optional_whole("target_sample", target_sample)
    draws = {"source_sample": source_sample, "target_sample": target_sample}
    seed, n_threads, bytes_allowed = seed_of(seed), threads(n_threads), as_bytes(memory)
    if is_table(source):
        run: _native.Run = {"n_threads": n_threads, "progress": report}
        data, flags = gather_tables(
            source,
            target,
            kernel,
            target_weights=target_weights,
            id=id,
            label=label,
            target_labels=target_labels,
            roles={**roles, **draws, "missing": missing, "normalize": normalize, "seed": seed},
            keywords=keywords,
            run=run,
            memory=bytes_allowed,
            single_target_rows=single_target_rows,
        )
    else:
        _reject_table_options(missing, {"id": id, "label": label, "target_weights": target_weights}, roles)
        data = _arrays(source, target, kernel, target_gram, bytes_allowed)
        _sample(data, source_sample, target_sample, seed)
        if normalize:
            _normalize(data)
        flags = {**_flags(target is not None), **draws, "normalize": normalize}
        data.target_weights = weights_of(data.rows("target"), target_weights)
        name_rows(data.source, data.target, id, label, target_labels, target is not None)
    data.n_threads, data.memory = n_threads, bytes_allowed
    if isinstance(kernel, Custom):
        _evaluate(data, kernel, with_target_gram, bytes_allowed, report)
    else:
        other = None if data.target is None or kernel_from_source else native(data.target.matrix)
        data.kernel = kernel.resolved(native(data.source.matrix), other, seed=seed, n_threads=n_threads)
    return data, flags


def regather(source: Any, target: Any, target_weights: Any, kernel: Kernel, flags: dict[str, Any], seed: int) -> Data:
    """Return the data for a loaded selection, passed again by the caller; `seed` is that of the selection."""
    if isinstance(kernel, Precomputed) and not is_table(source):
        _check_square(source)
    roles: dict[str, Any] = dict.fromkeys((*_TABLE_OPTIONS, "id", "label"))
    if is_table(source):
        roles.update({name: flags.get(name) or None for name in roles})
    data, _ = gather(
        source,
        target,
        kernel,
        target_weights=target_weights if target_weights is not None else flags["target_weight"],
        target_gram=None,
        with_target_gram=isinstance(kernel, Custom),
        target_labels=None,
        missing=flags["missing"] if is_table(source) else "error",
        normalize=flags.get("normalize", False),
        source_sample=flags.get("source_sample"),
        target_sample=flags.get("target_sample"),
        seed=seed,
        n_threads=None,
        memory=None,
        report=None,
        keywords=(),
        **roles,
    )
    return data


def _check_square(source: Any) -> None:
    """Reject rows if kernel values are needed, which a saved result does not contain."""
    shape = np.shape(source)
    if len(shape) == 2 and shape[0] != shape[1]:
        raise ValueError(
            f"the selection used a custom kernel or a kernel matrix, which a saved result does not contain, and the source "
            f"has {shape[0]} rows and {shape[1]} columns; pass the square kernel matrix as source, or run select again"
        )


def _arrays(source: Any, target: Any, kernel: Kernel, target_gram: Any, memory: int) -> Data:
    if is_table(target):
        raise TypeError(f"the target is a table but the source is of type {type(source).__name__}; both must be tables")
    if isinstance(kernel, Precomputed):
        return _precomputed(source, target, target_gram, memory)
    if stays_sparse(source, target, kernel.name):
        others = None if target is None else Rows(as_sparse(target, "target", memory))
        return Data(Rows(as_sparse(source, "source", memory)), others, kernel)
    rows, dense = same_precision(
        as_matrix(source, "source", memory), None if target is None else as_matrix(target, "target", memory)
    )
    note = None if kernel.compares_codes else _native.array_note(rows)
    return Data(
        Rows(rows),
        None if dense is None else Rows(dense),
        kernel,
        image_shape=shape_of_images(source),
        notes=[] if note is None else [f"{note}; an array is not scaled, so divide its columns by their spread first"],
    )


def _sample(data: Data, n_source: int | None, n_target: int | None, seed: int) -> None:
    """Replace source and target by samples of their rows, as requested."""
    if n_source is None and n_target is None:
        return
    if isinstance(data.kernel, Precomputed):
        name = "target_sample" if n_source is None else "source_sample"
        raise ValueError(f"{name} draws rows, but the source holds kernel values; pass the kernel matrix of the sample")
    source, target = data.source.matrix, data.rows("target").matrix
    has_target = data.target is not None
    data.source = _drawn(source, n_source, seed)
    # The same number of rows of the same array, drawn with the same seed, is the same sample.
    data.target = _drawn(target, n_target, seed) if has_target or n_source != n_target else None


def _drawn(rows: Matrix, n_drawn: int | None, seed: int) -> Rows:
    if n_drawn is None:
        return Rows(rows)
    numbers = _native.draw_rows(len(rows), n_drawn, seed)
    return Rows(rows[numbers], numbers, n_rows=len(rows))


def _normalize(data: Data) -> None:
    """Scale the rows of both sides to length 1."""
    if isinstance(data.kernel, Precomputed):
        raise ValueError("normalize scales rows, but the source holds kernel values")
    # A note on the scales of the columns no longer applies.
    data.notes = []
    for rows in (data.source, data.target):
        if rows is not None:
            matrix: Any = rows.matrix
            sparse = isinstance(matrix, SparseRows)
            rows.matrix, note = matrix.normalized() if sparse else _native.normalized(matrix)
            data.notes += [] if note is None else [note]


def _evaluate(
    data: Data,
    kernel: Custom,
    with_target_gram: bool,
    memory: int,
    report: Callable[[str, int, int], object] | None,
) -> None:
    """Replace the rows by the values of a custom kernel; if these do not fit in memory, keep the kernel."""
    rows, data.n_features = data.source.matrix, data.source.matrix.shape[1]
    others = None if data.target is None else data.target.matrix
    n_source, n_target = len(rows), 0 if others is None else len(others)
    if 8 * (n_source**2 + n_target * n_source + n_target**2 * with_target_gram) > memory:
        # Half of the remaining memory is for blocks of values, the other half for the columns of the search.
        data.custom = Blocks(kernel, rows, others).described(max(0, memory - data.nbytes()) // 2)
        return
    data.source.matrix, data.source.rows = kernel_matrix(kernel, rows, None, "source", memory, report), rows
    if data.target is not None and others is not None:
        data.target.matrix, data.target.rows = kernel_matrix(kernel, others, rows, "target", memory, report), others
        if with_target_gram:
            data.target_gram = kernel_matrix(kernel, others, None, "target", memory, report)


def _precomputed(source: Any, target: Any, target_gram: Any, memory: int) -> Data:
    def values(matrix: Any, what: str) -> NDArray[np.float64]:
        return as_matrix(matrix, what, memory).astype(np.float64, copy=False)

    gram = values(source, "kernel matrix of the source")
    across = None if target is None else Rows(values(target, "kernel matrix of the target with the source"))
    if target_gram is not None and target is None:
        raise ValueError("target_gram requires a target")
    own = None if target_gram is None else values(target_gram, "target_gram")
    if own is not None and across is not None:
        _check_target_gram(own, len(across.matrix))
    return Data(Rows(gram), across, Precomputed(), target_gram=own)


def _check_target_gram(values: NDArray[np.float64], n_target: int) -> None:
    """Reject an invalid kernel matrix of the target with itself."""
    rows, columns = values.shape
    if (rows, columns) != (n_target, n_target):
        wanted = f"with {n_target} target rows it must have {n_target} of each"
        raise ValueError(f"target_gram has {rows} rows and {columns} columns; {wanted}")
    wrong = np.argwhere(~np.isfinite(values))
    if len(wrong):
        row, column = wrong[0]
        found = "NaN" if np.isnan(values[row, column]) else values[row, column]
        raise ValueError(f"target_gram has {found} in row {row}, column {column}; every value must be finite")


def _reject_table_options(missing: str, named: dict[str, Any], roles: dict[str, Any]) -> None:
    """Reject options that only apply to tables."""
    given = [name for name, value in roles.items() if value is not None]
    given += [name for name, value in named.items() if isinstance(value, str)]
    given += [] if missing == "error" else ["missing"]
    if given:
        raise ValueError(f"{given[0]} refers to columns of a table, but the source is an array")


def _flags(has_target: bool) -> dict[str, Any]:
    """Return the flags of arrays in the result's JSON: their numbers are used as they are."""
    return {
        "source": "array",
        "target": "array" if has_target else None,
        "source_where": None,
        "target_where": None,
        "columns": [],
        "drop": [],
        "id": None,
        "label": None,
        "target_weight": None,
        "scale": "none",
        "categorical": [],
        "missing": "error",
        "header": True,
        "delimiter": None,
    }
