"""`select` on a cluster: files in, a selection out."""

from __future__ import annotations

import inspect
import os
from typing import Any

from .. import _native
from .._calls import no_keyword, with_hints
from .._checks import optional_real, optional_whole, real, seed_of, whole, word
from .._options import selection_options
from .._progress import Report, reporter
from .._select import prototypes
from .._select import select as select_alone
from .._selection import Selection
from ..kernels import Custom, Kernel, Precomputed, as_kernel
from ._cluster import Cluster, import_ray
from ._journal import Journal
from ._load import Call
from ._worker import Part

_REFUSED = "protodash.ray.select does not support {}; protodash.select does, on one machine"


@with_hints
def select(
    source: str | os.PathLike[str],
    target: str | os.PathLike[str] | None = None,
    n_prototypes: int | str | None = 100,
    checkpoint: str | os.PathLike[str] | None = None,
    address: str | None = None,
    *,
    n_workers: int | None = None,
    deadline: float = 300.0,
    method: str = "protodash",
    kernel: str | Kernel = _native.DEFAULT_KERNEL,
    bandwidth: float | str = _native.DEFAULT_BANDWIDTH,
    weights: str | None = None,
    max_weight: float | None = None,
    min_effective: float | None = None,
    min_gain: float | None = None,
    target_weights: str | None = None,
    target_energy: str = "exact",
    means: str = "full",
    tolerance: float = 0.0,
    id: str | None = None,
    label: str | None = None,
    columns: list[str] | None = None,
    drop: list[str] | None = None,
    categorical: list[str] | None = None,
    scale: str | None = None,
    missing: str = "error",
    normalize: bool = False,
    source_where: str | None = None,
    target_where: str | None = None,
    source_sample: int | None = None,
    target_sample: int | None = None,
    seed: int = 0,
    memory: int | str | None = None,
    progress: Any = False,
    **others: Any,
) -> Selection:
    """Select weighted rows of files on a Ray cluster: the selection of `protodash.select`, to the last bit.

    Every worker reads the files and has all rows in memory; the kernel means and everything that grows with the number of
    prototypes are divided. Only rows that are chosen pass through the calling process.

    Parameters
    ----------
    source : path
        The file to choose from, or a directory or pattern of parts such as "parts/*.parquet": any format that the command
        reads. All nodes must have it under this path.
    target : path, optional
        The file or parts to represent; the default is `source`.
    n_prototypes : int, str or None
        As in `protodash.select`.
    checkpoint : path, optional
        The file that makes the run survive the end of the calling process: the same call continues where it ended. Kernel
        means are stored in a folder next to it. Both are removed when the run ends.
    address : str, optional
        The address of a Ray cluster, or "auto" on one of its nodes. By default that of `ray.init` if it was called, then
        `RAY_ADDRESS`; else Ray is started on this machine for the time of the call.
    n_workers : int, optional
        Number of workers; the default is one per node, with a thread for each of its cores. The result does not depend on it.
    deadline : float
        Seconds to wait for a node that takes the place of one that is gone.
    memory : int or str, optional
        Memory limit of each node in bytes, or text such as "64GiB"; the default is half of its memory.
    progress : bool, callable or class
        As in `protodash.select`.
    others
        All other options are those of `protodash.select`, with names of columns where that also takes values. The methods are
        "protodash" and "protogreedy", and kernel means are not raced: the result is that of `means="full"`.

    Returns
    -------
    Selection
        The prototypes with their weights; `save` writes the JSON that the command writes.

    Raises
    ------
    ValueError, TypeError
        If the data or the options are invalid or not supported.
    ImportError
        If Ray is not installed.
    ConnectionError
        If there is no cluster at the address.
    """
    _refuse(others)
    if means != "full":
        raise ValueError(f'{_REFUSED.format(f"means={means!r}")}; use means="full"')
    word("method", method, _native.METHODS)
    rule = word("weights", _native.default_weights(method) if weights is None else weights, _native.WEIGHTS)
    word("target_energy", target_energy, _native.TARGET_ENERGY)
    for name, value in {"target_weights": target_weights, "id": id, "label": label}.items():
        if not isinstance(value, (str, type(None))):
            raise TypeError(f"{name} is of type {type(value).__name__}; it must be the name of a column")
    n_workers = None if n_workers is None else whole("n_workers", n_workers, 1, _native.MAX_THREADS)
    deadline = real("deadline", deadline)
    seed = seed_of(seed)
    options = selection_options(
        min_gain=optional_real("min_gain", min_gain),
        method=method,
        weights=rule,
        max_weight=optional_real("max_weight", max_weight),
        min_effective=optional_real("min_effective", min_effective),
        target_energy=target_energy,
        means=means,
        tolerance=real("tolerance", tolerance),
        seed=seed,
    )
    _native.check_cluster(options)
    given, path = _path("source", source)
    given_target, target_path = (None, None) if target is None else _path("target", target)
    wanted, asked = prototypes(n_prototypes), _kernel(kernel, bandwidth)
    roles = {
        "show": None,
        "columns": columns,
        "drop": drop,
        "categorical": categorical,
        "scale": scale,
        "missing": missing,
        "normalize": normalize,
        "source_where": source_where,
        "target_where": target_where,
        "source_sample": optional_whole("source_sample", source_sample),
        "target_sample": optional_whole("target_sample", target_sample),
        "seed": seed,
    }
    import_ray()
    with reporter(progress) as report, Cluster(address, n_workers, deadline) as cluster:
        call = Call(
            source=given,
            source_path=path,
            target=given_target,
            target_path=target_path,
            n_prototypes=wanted,
            kernel=asked,
            target_weights=target_weights,
            id=id,
            label=label,
            roles=roles,
            options=options,
            memory=memory,
            workers_per_node=cluster.workers_per_node,
            n_threads=cluster.n_threads,
            keywords=tuple(inspect.signature(select).parameters),
        )
        cluster.start(call)
        return _run(cluster, call, checkpoint, report)


def _run(cluster: Cluster, call: Call, checkpoint: str | os.PathLike[str] | None, report: Report | None) -> Selection:
    level = _native.common_instructions(cluster.of_all(lambda actor: actor.instructions.remote()))
    facts = cluster.of_all(lambda actor: actor.describe.remote(level))
    first = facts[0]
    for worker, other in zip(cluster.workers, facts):
        if other["hash"] != first["hash"] or other["kernel"] != first["kernel"]:
            raise ValueError(f"{worker.name} reads other data from {call.source} than {cluster.workers[0].name}")
    options = {**first["options"], "column_memory": len(facts) * min(fact["options"]["column_memory"] for fact in facts)}
    described = {name: value for name, value in options.items() if name != "column_memory"}
    journal = Journal(
        checkpoint,
        {
            "data": first["hash"],
            "kernel": first["kernel"],
            "options": described,
            "version": _native.__version__,
            "instructions": level,
        },
    )
    try:
        results = _means(cluster, first["n_tasks"], level, journal, report)
        ports = _assigned(cluster, first, level, results, options)
        options["resume"] = (journal.rows, [], 0.0) if journal.rows else None
        run: _native.Run = {"n_threads": 1, "progress": report}
        path = _native.lead(ports, first["kernel"], first["is_single"], options, journal.record, run)
        document = _native.Document.from_json(ports[0].finish(path), first["request"])
        journal.remove()
        return Selection(document)
    finally:
        journal.close()


def _means(cluster: Cluster, n_tasks: int, level: str, journal: Journal, report: Report | None) -> list[Any]:
    """References to the results of all tasks of the kernel mean, stored or computed."""
    results: dict[int, Any] = {}
    for task in range(n_tasks):
        stored = journal.load_means(task)
        if stored is not None:
            results[task] = cluster.store(stored)

    def done(task: int, result: bytes) -> None:
        journal.save_means(task, result)
        # Owned by this process, so that the end of the worker does not lose it.
        results[task] = cluster.store(result)
        if report is not None:
            report("kernel mean", len(results), n_tasks)

    missing = [task for task in range(n_tasks) if task not in results]
    cluster.run_tasks(missing, lambda actor, task: actor.run_task.remote(level, task), done)
    return [results[task] for task in range(n_tasks)]


def _assigned(
    cluster: Cluster,
    facts: dict[str, Any],
    level: str,
    results: list[Any],
    options: dict[str, Any],
) -> list[Any]:
    """The workers that search, each with consecutive rows of about the same number."""
    n_source: int = facts["n_source"]
    ports = cluster.workers[:n_source]
    for place, port in enumerate(ports):
        rows = (n_source * place // len(ports), n_source * (place + 1) // len(ports))
        port.part = (level, cluster.store(Part(rows, results, facts["hash"], options)))
    return ports


def _refuse(others: dict[str, Any]) -> None:
    """Raise for options of `protodash.select` that this one lacks, and for unknown ones."""
    known = inspect.signature(select_alone).parameters
    for name in others:
        if name in known:
            raise ValueError(_REFUSED.format(name))
        raise no_keyword("select", name, tuple(inspect.signature(select).parameters)[:-1])


def _path(what: str, given: Any) -> tuple[str, str]:
    """A path as it was given, and the absolute one for workers."""
    if not isinstance(given, (str, os.PathLike)):
        found = f"{type(given).__module__}.{type(given).__qualname__}"
        raise TypeError(
            f"{what} is of type {found}; it must be the path of files that every node can read (protodash.select takes "
            "arrays and tables)"
        )
    text = os.fspath(given)
    if not isinstance(text, str):
        raise TypeError(f"{what} is a path of bytes; it must be text")
    if "://" in text:
        raise ValueError(f"{what} is {text}; it must be a path in a file system that every node has mounted, not a URL")
    return text, os.path.abspath(text)


def _kernel(kernel: Any, bandwidth: Any) -> Kernel:
    """The kernel, which must be one of the core's."""
    made = as_kernel(kernel, bandwidth)
    if isinstance(made, (Custom, Precomputed)):
        raise ValueError(_REFUSED.format("a custom or precomputed kernel"))
    if getattr(made, "bandwidth", None) == "cv":
        raise ValueError(_REFUSED.format('bandwidth="cv"'))
    return made
