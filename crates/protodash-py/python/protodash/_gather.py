"""From what a caller hands over to matrices: arrays as they are, functions and kernel matrices as kernel values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._arrays import Matrix, as_matrix, as_weights, picture_shape, same_precision
from ._blocks import kernel_matrix
from ._data import Data, Rows
from ._memory import as_bytes
from .kernels import Custom, Kernel, Precomputed

_TABLE_OPTIONS = ("columns", "drop", "categorical", "scale", "source_where", "target_where")


def gather(
    source: Any,
    target: Any,
    kernel: Kernel,
    *,
    target_weights: Any,
    target_gram: Any,
    with_target_gram: bool,
    id: str | Sequence[Any] | None,
    label: str | Sequence[Any] | None,
    missing: str,
    seed: int,
    n_threads: int,
    memory: int,
    report: Callable[[str, int, int], object] | None,
    **roles: Any,
) -> tuple[Data, dict[str, Any]]:
    """The data of a call, and the flags that describe them in the result's JSON."""
    if target_gram is not None and not isinstance(kernel, Precomputed):
        raise ValueError('target_gram belongs to kernel="precomputed"')
    _refuse_table_options(missing, {"id": id, "label": label, "target_weights": target_weights}, roles)
    if isinstance(kernel, Precomputed):
        data = _precomputed(source, target, target_gram, memory)
    else:
        rows, target_rows = same_precision(
            as_matrix(source, "source", memory), None if target is None else as_matrix(target, "target", memory)
        )
        data = _on_rows(rows, target_rows, kernel, with_target_gram, seed, n_threads, memory, report)
        data.pictures = picture_shape(source)
    data.n_threads = n_threads
    data.target_weights = as_weights(target_weights, "target_weights")
    data.source.ids = _one_each("id", id, data.source.matrix, str)
    data.source.labels = _one_each("label", label, data.source.matrix, None)
    return data, _flags(target is not None)


def regather(source: Any, target: Any, target_weights: Any, kernel: Kernel, flags: dict[str, Any]) -> Data:
    """The data of a selection that was loaded, handed over again."""
    if isinstance(kernel, Custom):
        raise ValueError("the kernel was a function, which a saved result does not hold; choose again")
    data, _ = gather(
        source,
        target,
        kernel,
        target_weights=target_weights,
        target_gram=None,
        with_target_gram=False,
        id=None,
        label=None,
        missing="error",
        seed=0,
        n_threads=0,
        memory=as_bytes(None),
        report=None,
    )
    return data


def _on_rows(
    source: Matrix,
    target: Matrix | None,
    kernel: Kernel,
    with_target_gram: bool,
    seed: int,
    n_threads: int,
    memory: int,
    report: Callable[[str, int, int], object] | None,
) -> Data:
    """Rows with the kernel that compares them; with a function, the kernel values in their place."""
    if not isinstance(kernel, Custom):
        resolved = kernel.resolved(source, target, seed=seed, n_threads=n_threads)
        return Data(Rows(source), None if target is None else Rows(target), resolved)
    gram = kernel_matrix(kernel, source, None, "source", memory, report)
    if target is None:
        return Data(Rows(gram), None, kernel, n_features=source.shape[1])
    across = kernel_matrix(kernel, target, source, "target", memory - gram.nbytes, report)
    own = None
    if with_target_gram:
        own = kernel_matrix(kernel, target, None, "target", memory - gram.nbytes - across.nbytes, report)
    return Data(Rows(gram), Rows(across), kernel, target_gram=own, n_features=source.shape[1])


def _precomputed(source: Any, target: Any, target_gram: Any, memory: int) -> Data:
    def values(matrix: Any, what: str) -> NDArray[np.float64]:
        return as_matrix(matrix, what, memory).astype(np.float64, copy=False)

    gram = values(source, "kernel matrix of the source")
    across = None if target is None else Rows(values(target, "kernel matrix of the target with the source"))
    if target_gram is not None and target is None:
        raise ValueError("target_gram belongs to a target, and there is none")
    own = None if target_gram is None else values(target_gram, "kernel matrix of the target")
    return Data(Rows(gram), across, Precomputed(), target_gram=own)


def _refuse_table_options(missing: str, named: dict[str, Any], roles: dict[str, Any]) -> None:
    """Refuses what only a table has."""
    given = [name for name, value in roles.items() if value is not None]
    given += [name for name, value in named.items() if isinstance(value, str)]
    given += [] if missing == "error" else ["missing"]
    if given:
        raise ValueError(f"{given[0]} speaks of the columns of a table, and the source is an array")


def _one_each(what: str, values: Any, matrix: Matrix, convert: Callable[[Any], Any] | None) -> list[Any] | None:
    if values is None:
        return None
    listed = list(values.tolist() if isinstance(values, np.ndarray) else values)
    if len(listed) != len(matrix):
        raise ValueError(f"{what} has {len(listed)} values for {len(matrix)} source rows; there must be one for each")
    return listed if convert is None else [convert(value) for value in listed]


def _flags(has_target: bool) -> dict[str, Any]:
    """What the result's JSON says of arrays: their numbers were taken as they are."""
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
