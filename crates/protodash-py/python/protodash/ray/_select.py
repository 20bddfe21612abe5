"""`select` on a cluster: files in, a selection out."""

from __future__ import annotations

import inspect
import os
from itertools import accumulate
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
from ._cluster import Cluster, WatchedWorker, import_ray
from ._inputs import as_input, is_dataset
from ._journal import Journal
from ._load import Call, Known
from ._worker import Part

_REFUSED = "protodash.ray.select does not support {}; protodash.select does, on one machine"


@with_hints
def select(
    source: Any,
    target: Any = None,
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
    n_criticisms: int = 0,
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
    source : path, URL or ray.data.Dataset
        What to choose from: a file, or a directory or pattern of parts such as "parts/*.parquet", in any format that the
        command reads. All nodes must have it under this path, or a URL such as "s3://bucket/parts/*.parquet" must lead there
        (through fsspec). Blocks of a dataset are read in its order.
    target : path, URL or ray.data.Dataset, optional
        What to represent; the default is `source`.
    n_prototypes : int, str or None
        As in `protodash.select`.
    checkpoint : path, optional
        The file that makes the run survive the end of the calling process: the same call continues where it ended. Kernel
        means are stored in a folder next to it until the run ends. The file then holds the result, which the same call
        returns again; delete it when you have saved the result.
    address : str, optional
        The address of a Ray cluster, or "auto" on one of its nodes. By default that of `ray.init` if it was called, then
        `RAY_ADDRESS`; else Ray is started on this machine for the time of the call.
    n_workers : int, optional
        Number of workers; the default is one per node, with a thread for each of its cores. The result does not depend on it.
    deadline : float
        Seconds to wait for a node that takes the place of one that is gone.
    memory : int or str, optional
        Memory limit of each node in bytes, or text such as "64GiB"; the default is half of its memory.
    n_criticisms : int
        Also find this many of the worst represented rows, as `Selection.criticisms` does.
    progress : bool, callable or class
        As in `protodash.select`.
    others
        All other options are those of `protodash.select`, with names of columns where that also takes values. The methods are
        "protodash" and "protogreedy", whose search is divided, and "l2c" and "random", which choose on one worker. Kernel
        means are not raced: the result is that of `means="full"`.

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
    TimeoutError
        If a worker is gone and no node takes its place within the deadline.
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
    wanted, asked = prototypes(n_prototypes), _kernel(kernel, bandwidth)
    is_divided = _native.check_cluster(options, asked.described())
    n_criticisms = whole("n_criticisms", n_criticisms, 0)
    if target is not None and is_dataset(source) != is_dataset(target):
        raise TypeError("one of source and target is a ray.data.Dataset and the other is not; both must be")
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
    read = as_input("source", source), None if target is None else as_input("target", target)
    with reporter(progress) as report, Cluster(address, n_workers, deadline) as cluster:
        call = Call(
            source=read[0],
            target=read[1],
            n_prototypes=wanted,
            n_criticisms=n_criticisms,
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
        return _run(cluster, call, is_divided, checkpoint, report)


def _run(
    cluster: Cluster, call: Call, is_divided: bool, checkpoint: str | os.PathLike[str] | None, report: Report | None
) -> Selection:
    level = _native.common_instructions(_introduced(cluster))
    facts = cluster.of_all(lambda actor: actor.describe.remote(level))
    first = facts[0]
    known: Known = first["known"]
    for worker, other in zip(cluster.workers, facts):
        if other["known"].hash != known.hash or other["kernel"] != first["kernel"]:
            raise ValueError(f"{worker.name} and {cluster.workers[0].name} read different data from {call.source.given}")
    column_memory = min(fact["options"]["column_memory"] for fact in facts) * (len(facts) if is_divided else 1)
    options = {**first["options"], "column_memory": column_memory}
    described = {name: value for name, value in options.items() if name != "column_memory"}
    journal = Journal(
        checkpoint,
        {
            "data": known.hash,
            "call": {**first["flags"], "n_criticisms": call.n_criticisms},
            "kernel": first["kernel"],
            "options": described,
            "version": _native.__version__,
            "instructions": level,
        },
    )
    try:
        if journal.result is None:
            results = _means(cluster, first["n_tasks"], (level, known), journal, report)
            ports = _assigned(cluster, facts, level, results, options)
            path = _path(ports, first, options, journal, report) if is_divided else None
            journal.finish(ports[0].finish(path))
        assert journal.result is not None
        return Selection(_native.Document.from_json(journal.result, first["request"]))
    finally:
        journal.close()


def _introduced(cluster: Cluster) -> list[str]:
    """The instruction sets of all workers, which must have the version of this process."""
    introductions = cluster.of_all(lambda actor: actor.introduce.remote())
    for worker, introduction in zip(cluster.workers, introductions):
        if introduction["version"] != _native.__version__:
            raise RuntimeError(
                f"{worker.name} has protodash {introduction['version']}, the calling process {_native.__version__}; install "
                "the same version on all nodes"
            )
    return [introduction["instructions"] for introduction in introductions]


def _path(
    ports: list[WatchedWorker], facts: dict[str, Any], options: dict[str, Any], journal: Journal, report: Report | None
) -> bytes:
    """The rows that the workers find, after those in the journal."""
    options = {**options, "resume": (journal.rows, [], 0.0) if journal.rows else None}
    run: _native.Run = {"n_threads": 1, "progress": report}
    try:
        return _native.lead(ports, facts["kernel"], facts["is_single"], options, journal.record, run)
    except ValueError as error:
        if any(port.lost is not None for port in ports):
            # As everywhere else; the text also names the rows of the worker.
            raise TimeoutError(str(error)) from None
        raise


def _means(
    cluster: Cluster, n_tasks: int, how: tuple[str, Known], journal: Journal, report: Report | None
) -> list[Any]:
    """References to the results of all tasks of the kernel mean, stored or computed."""
    level, known = how
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
    cluster.run_tasks(missing, lambda actor, task: actor.run_task.remote(level, task, known), done)
    return [results[task] for task in range(n_tasks)]


def _assigned(
    cluster: Cluster,
    facts: list[dict[str, Any]],
    level: str,
    results: list[Any],
    options: dict[str, Any],
) -> list[WatchedWorker]:
    """The workers that search, each with consecutive rows: as many as its share of all threads."""
    n_source: int = facts[0]["n_source"]
    ports = cluster.workers[:n_source]
    n_threads = list(accumulate(fact["n_threads"] for fact in facts[: len(ports)]))
    start = 0
    for place, port in enumerate(ports):
        # At least one row for this one and each of those after it.
        end = max(n_source * n_threads[place] // n_threads[-1], start + 1)
        end = min(end, n_source - (len(ports) - 1 - place))
        port.part = (level, cluster.store(Part((start, end), results, facts[0]["known"], options)))
        start = end
    return ports


def _refuse(others: dict[str, Any]) -> None:
    """Raise for options of `protodash.select` that this one lacks, and for unknown ones."""
    known = inspect.signature(select_alone).parameters
    for name in others:
        if name in known:
            raise ValueError(_REFUSED.format(name))
        raise no_keyword("select", name, tuple(inspect.signature(select).parameters)[:-1])


def _kernel(kernel: Any, bandwidth: Any) -> Kernel:
    """The kernel, which must be one of the core's."""
    made = as_kernel(kernel, bandwidth)
    if isinstance(made, (Custom, Precomputed)):
        raise ValueError(_REFUSED.format("a custom or precomputed kernel"))
    if getattr(made, "bandwidth", None) == "cv":
        raise ValueError(_REFUSED.format('bandwidth="cv"'))
    return made
