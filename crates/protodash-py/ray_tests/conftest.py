"""Tests with real processes of Ray on this machine. All are stopped at the end."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
os.environ["RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO"] = "0"

import ray  # noqa: E402

import protodash  # noqa: E402
from protodash import _native  # noqa: E402
from protodash.ray import _cluster  # noqa: E402

LOGICAL_CPUS = 8
"""More than there are: what is tested is not speed."""


@pytest.fixture(scope="session")
def cluster() -> Iterator[str]:
    """The address of a cluster of one node, to which this process is connected."""
    ray.init(
        address="local",
        num_cpus=LOGICAL_CPUS,
        object_store_memory=100 << 20,
        include_dashboard=False,
        log_to_driver=False,
        _node_ip_address="127.0.0.1",
    )
    yield ray.get_runtime_context().gcs_address
    ray.shutdown()


@pytest.fixture(scope="session")
def command() -> Callable[..., bytes]:
    """Run the command and return the JSON that it writes."""

    def run(*arguments: str, cwd: Path) -> bytes:
        output = cwd / "command.json"
        subprocess.run(
            [os.environ["PROTODASH_COMMAND"], "select", *arguments, "--means", "full", "--quiet", "-o", str(output)],
            cwd=cwd,
            check=True,
        )
        return output.read_bytes()

    return run


def numbers(n_rows: int, seed: int, dtype: Any) -> pa.Table:
    """Rows around four centres; every ninth is a copy of an earlier one."""
    random = np.random.default_rng(seed)
    rows = random.random((n_rows, 5)) + np.arange(n_rows)[:, None] % 4 * 0.8
    rows[9::9] = rows[: len(rows[9::9])]
    return pa.table({f"x{column}": pa.array(rows[:, column].astype(dtype)) for column in range(5)})


def mixed(n_rows: int, seed: int) -> pa.Table:
    """Numbers with gaps, texts, an id and a class."""
    random = np.random.default_rng(seed)
    ages = [None if row % 17 == 3 else float(age) for row, age in enumerate(random.integers(18, 90, n_rows))]
    towns = random.choice(["Oslo", "Bergen", "Vadsø"], n_rows)
    return pa.table(
        {
            "person": [f"p{row}" for row in range(n_rows)],
            "age": ages,
            "town": towns,
            "member": random.random(n_rows) < 0.3,
            "income": random.lognormal(10.0, 0.5, n_rows),
            "class": random.choice(["a", "b"], n_rows),
        }
    )


def write_parts(table: pa.Table, folder: Path, n_parts: int) -> str:
    """Write a table as Parquet parts of different sizes; returns their pattern, relative to the folder above."""
    folder.mkdir()
    bounds = [table.num_rows * part * (part + 1) // (n_parts * (n_parts + 1)) for part in range(n_parts + 1)]
    for part, (start, end) in enumerate(zip(bounds, bounds[1:])):
        pq.write_table(table.slice(start, end - start), folder / f"part-{part}.parquet")
    return f"{folder.name}/*.parquet"


def text(selection: protodash.Selection) -> str:
    """The JSON of a selection."""
    return selection._document.to_json(None)


def kind(message: bytes) -> str:
    """The name of a message of the leader."""
    found = re.search(r"(?:question|order): (\w+)", _native.message_in_words(message))
    return found[1] if found else "Hello"


@dataclass(frozen=True)
class Sent:
    """A message on its way."""

    number: int
    """How many there were before."""
    worker: str
    kind: str
    is_repeated: bool
    """Whether the worker got it before, and lost what it did then."""


class Killer:
    """Kills the process of a worker at some messages of the leader: before they are sent, while they are answered, or after."""

    def __init__(self, when: Callable[[Sent], str | None], monkeypatch: pytest.MonkeyPatch) -> None:
        self.when = when
        self.n_killed = 0
        self.kinds: Counter[str] = Counter()
        self.n_repeated = 0
        self._sent: dict[str, set[bytes]] = {}
        self._lock = threading.Lock()
        send, receive = _cluster.WatchedWorker.send, _cluster.WatchedWorker.receive
        killer = self

        def sent(worker: Any, message: bytes) -> Any:
            moment = killer._moment(worker, message)
            if moment == "before":
                killer.kill(worker)
            ticket = send(worker, message)
            if moment == "during":
                killer.kill(worker)
            return ticket, moment == "after"

        def received(worker: Any, ticket: Any, seconds: float) -> bytes | None:
            reply = receive(worker, ticket[0], seconds)
            if reply is not None and ticket[1]:
                killer.kill(worker)
            return reply

        monkeypatch.setattr(_cluster.WatchedWorker, "send", sent)
        monkeypatch.setattr(_cluster.WatchedWorker, "receive", received)

    def _moment(self, worker: Any, message: bytes) -> str | None:
        with self._lock:
            earlier = self._sent.setdefault(worker.name, set())
            sent = Sent(self.kinds.total(), worker.name, kind(message), message in earlier)
            earlier.add(message)
            self.kinds[sent.kind] += 1
            self.n_repeated += sent.is_repeated
            return self.when(sent)

    def kill(self, worker: Any) -> None:
        """Kills the process of a worker."""
        os.kill(process_of(worker.actor), signal.SIGKILL)
        with self._lock:
            self.n_killed += 1


def process_of(actor: Any) -> int:
    """The process of a worker, which may be starting."""
    process: int = ray.get(actor.alive.options(concurrency_group="alive").remote())
    return process


def workers() -> list[int]:
    """The processes of workers of the cluster that this process started; other clusters of the machine do not count."""
    raylet: int = ray._private.worker._global_node.all_processes["raylet"][0].process.pid
    return [process for process in children(raylet) if is_worker(process)]


def children(parent: int) -> list[int]:
    """The processes that a process has started."""
    return [int(number) for number in Path(f"/proc/{parent}/task/{parent}/children").read_text().split()]


NO_WORKERS = (b"ray::IDLE", b"ray::DashboardAgent", b"ray::RuntimeEnvAgent", b"ray::_")
"""What else Ray runs on a node; names that begin with an underscore are those of Ray Data."""


def is_worker(process: int) -> bool:
    """Whether this is the process of one of our actors."""
    try:
        title = Path("/proc", str(process), "cmdline").read_bytes()
    except OSError:
        return False
    return title.startswith(b"ray::") and not title.startswith(NO_WORKERS)


def is_alive(process: int) -> bool:
    """Whether a process is there and no zombie."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def wait_for_no_workers() -> None:
    """Waits until all workers are gone."""
    deadline = time.monotonic() + 30
    while workers():
        assert time.monotonic() < deadline
        time.sleep(0.1)


def use_worker(worker: type, monkeypatch: pytest.MonkeyPatch) -> None:
    """Starts workers of another class, which a test defines in itself: other processes cannot import its module."""
    monkeypatch.setattr(_cluster, "Worker", worker)
