"""A hundredth of the paper's retail size on Ray: 780,000 target rows, 20,000 source rows, 50 columns, 1,000 prototypes.

Four workers on this machine, one of which is killed (SIGKILL) midway. Prints a table of where the time goes, and an
extrapolation to 78 million × 2 million rows. Data are generated from a seed.

    python benches/scale.py [--scale 0.1] [--workers 4] [--folder FOLDER]

Needs the package with its extra `ray` (`cargo xtask python` builds a wheel; use a release build for timings), 2 GB of memory
and about as much of disk. `--scale` multiplies rows and prototypes: 0.1 tries the script, but its times are mostly those of Ray.
"""

from __future__ import annotations

import argparse
import os
import signal
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

os.environ["RAY_USAGE_STATS_ENABLED"] = "0"

import numpy as np
import ray

import protodash.ray
from protodash.ray import _cluster, _select

N_TARGET, N_SOURCE, N_COLUMNS, N_PROTOTYPES = 780_000, 20_000, 50, 1_000
PARTS = 8


def write(folder: Path, n_rows: int, seed: int) -> Path:
    """Parts with rows around twenty centres, in f32."""
    random = np.random.default_rng(seed)
    centres = np.random.default_rng(0).normal(size=(20, N_COLUMNS)) * 1.5
    folder.mkdir(parents=True, exist_ok=True)
    for part, (start, end) in enumerate(zip(bounds := [n_rows * part // PARTS for part in range(PARTS + 1)], bounds[1:])):
        rows = centres[random.integers(0, 20, end - start)] + random.normal(size=(end - start, N_COLUMNS))
        np.save(folder / f"{part}.npy", rows.astype(np.float32))
    return folder


class Watch:
    """Where the time of the driver goes."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self.n_messages = 0
        self.n_bytes = 0
        self.message_seconds = 0.0
        self._lock = threading.Lock()

    def timed(self, stage: str, function: Any) -> Any:
        """The function, with its time added to a stage."""

        def called(*arguments: Any, **options: Any) -> Any:
            begun = time.perf_counter()
            try:
                return function(*arguments, **options)
            finally:
                self.seconds[stage] = self.seconds.get(stage, 0.0) + time.perf_counter() - begun

        return called

    def watch(self) -> None:
        """Starts to watch the package."""
        cluster, worker = _cluster.Cluster, _cluster.WatchedWorker
        cluster.of_all = self.timed("start and reading", cluster.of_all)  # type: ignore[method-assign]
        cluster.run_tasks = self.timed("kernel means", cluster.run_tasks)  # type: ignore[method-assign]
        _select._path = self.timed("search", _select._path)
        worker.finish = self.timed("finish", worker.finish)  # type: ignore[method-assign]
        send, receive = worker.send, worker.receive

        def sent(this: Any, message: bytes) -> Any:
            with self._lock:
                self.n_messages += 1
                self.n_bytes += len(message)
            return send(this, message)

        def received(this: Any, ticket: Any, seconds: float) -> bytes | None:
            reply = receive(this, ticket, seconds)
            with self._lock:
                self.n_bytes += len(reply or b"")
            return reply

        worker.send, worker.receive = sent, received  # type: ignore[method-assign]


def empty_round(workers: list[Any]) -> float:
    """Median time of a call that does nothing, to all workers at once."""
    times = []
    for _ in range(50):
        begun = time.perf_counter()
        ray.get([worker.actor.alive.remote() for worker in workers])
        times.append(time.perf_counter() - begun)
    return float(np.median(times))


def main() -> None:
    parser = argparse.ArgumentParser(description="A hundredth of the paper's retail size on Ray.")
    parser.add_argument("--scale", type=float, default=1.0, help="multiplies rows and prototypes")
    parser.add_argument("--workers", type=int, default=4)
    parser.add_argument("--folder", type=Path, default=None, help="where data are kept; a temporary folder by default")
    given = parser.parse_args()
    n_target, n_source, n_prototypes = (round(given.scale * size) for size in (N_TARGET, N_SOURCE, N_PROTOTYPES))
    with tempfile.TemporaryDirectory() as temporary:
        folder = given.folder or Path(temporary)
        target, source = write(folder / f"target-{n_target}", n_target, 1), write(folder / f"source-{n_source}", n_source, 2)
        ray.init(
            address="local",
            num_cpus=given.workers,
            object_store_memory=200 << 20,
            include_dashboard=False,
            log_to_driver=False,
            _node_ip_address="127.0.0.1",
        )
        watch, rounds, killed, recovered = Watch(), [0.0], [0.0], [0.0]
        killed_at = 0
        watch.watch()
        path = _select._path

        def searched(ports: list[Any], *others: Any) -> bytes:
            rounds[0] = empty_round(ports)
            searched.ports = ports  # type: ignore[attr-defined]
            return path(ports, *others)  # type: ignore[no-any-return]

        _select._path = searched

        def progress(stage: str, done: int, total: int) -> None:
            nonlocal killed_at
            if stage != "search":
                return
            if killed[0] and not recovered[0] and done > killed_at + 1:
                recovered[0] = time.perf_counter()
            if 2 * done >= total and not killed[0]:
                killed[0], killed_at = time.perf_counter(), done
                worker = searched.ports[-1]  # type: ignore[attr-defined]
                os.kill(ray.get(worker.actor.alive.options(concurrency_group="alive").remote()), signal.SIGKILL)

        begun = time.perf_counter()
        selection = protodash.ray.select(
            str(source),
            str(target),
            n_prototypes,
            n_workers=given.workers,
            target_energy="sample",
            progress=progress,
            checkpoint=Path(temporary) / "run.journal",
        )
        total = time.perf_counter() - begun
        ray.shutdown()
    assert recovered[0] > killed[0] > 0.0, "no worker was killed"
    recovery = recovered[0] - killed[0]
    rounds_in_all = watch.n_messages / given.workers
    messages = rounds_in_all * rounds[0]
    print(f"{n_target:,} × {n_source:,} × {N_COLUMNS}, {n_prototypes:,} prototypes, {given.workers} workers, 1 killed midway")
    print(f"explained: {selection.explained}, threads of this machine: {os.cpu_count()}\n")
    print("| stage | seconds |\n| --- | ---: |")
    for stage, seconds in watch.seconds.items():
        print(f"| {stage} | {seconds:.1f} |")
    print(f"| of the search: {watch.n_messages:,} messages at {1000 * rounds[0]:.1f} ms a round | {messages:.1f} |")
    print(f"| of the search: until the worker that was killed has caught up | {recovery:.1f} |")
    print(f"| everything | {total:.1f} |")
    print(f"\n{watch.n_bytes / 1e6:.1f} MB of messages")
    pairs = n_target * n_source
    cpus = min(given.workers, os.cpu_count() or 1)
    per_pair = watch.seconds["kernel means"] * cpus / pairs
    means = 78e6 * 2e6 * per_pair / 3600
    steps = n_prototypes * (n_prototypes + 1) / 2
    per_entry = max(0.0, watch.seconds["search"] - messages - recovery) * cpus / (n_source * steps)
    search = 2e6 * (1000 * 1001 / 2) * per_entry / 3600
    print(f"\nOf one core: {1e9 * per_pair:.2f} ns a pair, {1e9 * per_entry:.2f} ns for each source row and pair of prototypes.")
    print("78 million × 2 million rows, 1,000 prototypes, if both divide evenly between cores:\n")
    print("| cores | kernel means | search | messages |\n| --- | ---: | ---: | ---: |")
    for cores in (64, 1024):
        minutes = (60 * means / cores, 60 * search / cores)
        print(f"| {cores:,} | {minutes[0]:.1f} min | {minutes[1]:.1f} min | {2000 * rounds[0]:.0f} s |")


if __name__ == "__main__":
    main()
