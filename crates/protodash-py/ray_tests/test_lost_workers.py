"""Workers and drivers that are killed (SIGKILL) and nodes that leave: the same bytes, or an error that says what to do."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import ray
from conftest import numbers, write_parts

import protodash.ray
from protodash.ray import _cluster

OPTIONS: dict[str, Any] = {"n_prototypes": 15, "n_workers": 3}


@pytest.fixture(scope="module")
def parts(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("data")
    return str(folder / write_parts(numbers(9000, 1, np.float32), folder / "parts", 3))


@pytest.fixture(scope="module")
def expected(cluster: str, parts: str) -> str:
    return text(protodash.ray.select(parts, **OPTIONS))


def text(selection: protodash.Selection) -> str:
    return selection._document.to_json(None)


class Killer:
    """Kills the process of a worker at some messages of the leader: before they are sent, while they are answered, or after."""

    def __init__(self, kills: dict[int, str], monkeypatch: pytest.MonkeyPatch) -> None:
        self.kills = kills
        self.n_messages = 0
        self.n_killed = 0
        send, receive = _cluster.WatchedWorker.send, _cluster.WatchedWorker.receive
        killer = self

        def sent(worker: Any, message: bytes) -> Any:
            number = killer.n_messages
            killer.n_messages += 1
            when = killer.kills.get(number)
            if when == "before":
                killer.kill(worker)
            ticket = send(worker, message)
            if when == "during":
                killer.kill(worker)
            return ticket, worker if when == "after" else None

        def received(worker: Any, ticket: Any, seconds: float) -> bytes | None:
            reply = receive(worker, ticket[0], seconds)
            if reply is not None and ticket[1] is not None:
                killer.kill(ticket[1])
            return reply

        monkeypatch.setattr(_cluster.WatchedWorker, "send", sent)
        monkeypatch.setattr(_cluster.WatchedWorker, "receive", received)

    def kill(self, worker: Any) -> None:
        process = ray.get(worker.actor.alive.options(concurrency_group="alive").remote())
        os.kill(process, signal.SIGKILL)
        self.n_killed += 1


def test_workers_killed_before_during_and_after_messages_change_nothing(
    expected: str, parts: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The greeting, the opening, a description, an admission, while orders are repeated, and twice in a row.
    killer = Killer({1: "before", 4: "during", 9: "after", 10: "during", 30: "before", 31: "before"}, monkeypatch)
    assert text(protodash.ray.select(parts, **OPTIONS)) == expected
    assert killer.n_killed == 6


def test_a_worker_killed_while_it_computes_means_changes_nothing(
    expected: str, parts: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_tasks = _cluster.Cluster.run_tasks

    def killing(cluster: Any, tasks: Any, ask: Any, done: Any) -> None:
        def asked(actor: Any, task: int) -> Any:
            ticket = ask(actor, task)
            os.kill(ray.get(actor.alive.options(concurrency_group="alive").remote()), signal.SIGKILL)
            return ticket

        run_tasks(cluster, tasks, asked, done)

    monkeypatch.setattr(_cluster.Cluster, "run_tasks", killing)
    assert text(protodash.ray.select(parts, **OPTIONS)) == expected


DRIVER = """
import sys, protodash.ray, ray
ray.init(address=sys.argv[1], log_to_driver=False)
protodash.ray.select(sys.argv[2], n_prototypes=15, n_workers=3, checkpoint=sys.argv[3])
"""


def test_a_killed_driver_continues_with_the_same_call(
    cluster: str, expected: str, parts: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    checkpoint = tmp_path / "run.journal"
    n_lines = 0
    for wanted in [1, 5]:
        driver = subprocess.Popen([sys.executable, "-c", DRIVER, cluster, parts, str(checkpoint)])
        deadline = time.monotonic() + 120
        while n_lines < wanted + 1:
            assert driver.poll() is None and time.monotonic() < deadline
            time.sleep(0.002)
            n_lines = checkpoint.read_bytes().count(b"\n") if checkpoint.exists() else 0
        driver.send_signal(signal.SIGKILL)
        driver.wait()
    n_lines = checkpoint.read_bytes().count(b"\n")
    assert n_lines > 5
    # As if the machine had failed while the last record was written.
    content = checkpoint.read_bytes()
    checkpoint.write_bytes(content[: random.Random(1).randrange(content[:-1].rindex(b"\n") + 1, len(content))])

    tasks_run: list[int] = []
    run_tasks = _cluster.Cluster.run_tasks

    def counted(cluster: Any, tasks: list[int], ask: Any, done: Any) -> None:
        tasks_run.extend(tasks)
        run_tasks(cluster, tasks, ask, done)

    monkeypatch.setattr(_cluster.Cluster, "run_tasks", counted)
    selection = protodash.ray.select(parts, checkpoint=checkpoint, **OPTIONS)
    assert text(selection) == expected
    assert tasks_run == []
    assert list(tmp_path.iterdir()) == []


def test_the_checkpoint_of_another_run_is_refused_and_kept(cluster: str, parts: str, tmp_path: Path) -> None:
    checkpoint = tmp_path / "run.journal"

    def stop(stage: str, done: int, total: int) -> None:
        if stage == "search" and done >= 4:
            raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        protodash.ray.select(parts, checkpoint=checkpoint, progress=stop, **OPTIONS)
    content = checkpoint.read_bytes()
    with pytest.raises(ValueError, match=r"journal of another run: its options is"):
        protodash.ray.select(parts, checkpoint=checkpoint, tolerance=0.01, **OPTIONS)
    with pytest.raises(ValueError, match=r"journal of another run: its data is sha256"):
        protodash.ray.select(parts, checkpoint=checkpoint, columns=["x0", "x1"], **OPTIONS)
    assert checkpoint.read_bytes() == content


def test_a_part_that_changes_during_the_run_is_an_error(
    cluster: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import pyarrow.parquet as pq

    source = tmp_path / write_parts(numbers(300, 1, np.float64), tmp_path / "parts", 2)
    killer = Killer({7: "before"}, monkeypatch)
    kill = killer.kill

    def change(worker: Any) -> None:
        pq.write_table(numbers(100, 2, np.float64), tmp_path / "parts" / "part-0.parquet")
        kill(worker)

    killer.kill = change  # type: ignore[method-assign]
    with pytest.raises(ValueError, match=r"the worker of source rows \d+ to \d+ failed: .* has changed during the run"):
        protodash.ray.select(source, n_prototypes=5, n_workers=2)


def test_a_part_that_vanishes_during_the_run_is_an_error(
    cluster: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = tmp_path / write_parts(numbers(300, 1, np.float64), tmp_path / "parts", 2)
    killer = Killer({7: "before"}, monkeypatch)
    kill = killer.kill

    def remove(worker: Any) -> None:
        (tmp_path / "parts" / "part-0.parquet").unlink(missing_ok=True)
        kill(worker)

    killer.kill = remove  # type: ignore[method-assign]
    with pytest.raises(ValueError, match=r"the worker of source rows \d+ to \d+ failed: .* has changed during the run"):
        protodash.ray.select(source, n_prototypes=5, n_workers=2)


def test_a_node_that_leaves(cluster: str, expected: str, parts: str, tmp_path: Path) -> None:
    alone = protodash.ray.select(parts, n_prototypes=40, n_workers=1)
    alone.save(tmp_path / "alone.json")
    script = Path(__file__).with_name("lost_node.py")
    arguments = [parts, str(tmp_path / "run"), str(tmp_path / "result.json")]
    environment = {name: value for name, value in os.environ.items() if name != "RAY_ADDRESS"}
    found = subprocess.run([sys.executable, script, *arguments], env=environment, capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stderr
    # Without a spare node: an error that names the worker.
    assert "worker of source rows" in found.stdout, found.stdout
    assert "of 2 has been gone for 4 s, and no node has room for it; add a node and repeat the call" in found.stdout
    assert (tmp_path / "result.json").read_bytes() == (tmp_path / "alone.json").read_bytes()
