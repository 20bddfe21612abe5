"""Workers that are killed (SIGKILL) outside of the search, and nodes that leave: the same bytes, or an error that says what to do."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
from conftest import Killer, numbers, process_of, text, use_worker, write_parts

import protodash.ray
from protodash.ray import _cluster
from protodash.ray._worker import Worker

OPTIONS: dict[str, Any] = {"n_prototypes": 15, "n_workers": 4}


@pytest.fixture(scope="module")
def parts(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("data")
    return str(folder / write_parts(numbers(9000, 1, np.float32), folder / "parts", 3))


@pytest.fixture(scope="module")
def expected(cluster: str, parts: str) -> str:
    return text(protodash.ray.select(parts, **OPTIONS))


def test_a_worker_killed_while_it_reads_changes_nothing(
    expected: str, parts: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    of_all = _cluster.Cluster.of_all
    n_killed = 0

    def killing(cluster: Any, ask: Any) -> list[Any]:
        nonlocal n_killed

        def asked(actor: Any) -> Any:
            nonlocal n_killed
            ticket = ask(actor)
            if actor is cluster.workers[-1].actor:
                os.kill(process_of(actor), signal.SIGKILL)
                n_killed += 1
            return ticket

        return of_all(cluster, asked)

    monkeypatch.setattr(_cluster.Cluster, "of_all", killing)
    assert text(protodash.ray.select(parts, **OPTIONS)) == expected
    # While it introduces itself, and while it describes the data.
    assert n_killed == 2


def test_means_are_computed_once_but_for_the_task_of_a_worker_that_is_killed(
    expected: str, parts: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Counting(Worker):
        """A worker that notes the tasks that it finishes."""

        def run_task(self, level: str, task: int, known: Any) -> bytes:
            result = super().run_task(level, task, known)
            with open(tmp_path / "tasks", "a") as file:
                file.write(f"{task}\n")
            return result

    use_worker(Counting, monkeypatch)
    run_tasks = _cluster.Cluster.run_tasks
    done_by_driver: list[int] = []

    def killing(cluster: Any, tasks: list[int], ask: Any, done: Any) -> None:
        def asked(actor: Any, task: int) -> Any:
            ticket = ask(actor, task)
            if task == tasks[0]:
                os.kill(process_of(actor), signal.SIGKILL)
            return ticket

        def counted(task: int, result: bytes) -> None:
            done_by_driver.append(task)
            done(task, result)

        run_tasks(cluster, tasks, asked, counted)

    monkeypatch.setattr(_cluster.Cluster, "run_tasks", killing)
    # Two more in the search: saved means are not computed again.
    killer = Killer(lambda sent: "during" if sent.number in (9, 30) else None, monkeypatch)
    assert text(protodash.ray.select(parts, **OPTIONS)) == expected
    assert killer.n_killed == 2
    assert sorted(done_by_driver) == [0, 1]
    counts = Counter((tmp_path / "tasks").read_text().split())
    assert counts["1"] == 1
    assert counts["0"] in (1, 2)


def test_a_worker_killed_while_it_finishes_changes_nothing(
    expected: str, parts: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    finish = _cluster.WatchedWorker.finish
    n_killed = 0

    def killing(worker: Any, path: bytes | None) -> str:
        wait = worker.wait

        def waited(ticket: Any) -> Any:
            nonlocal n_killed
            os.kill(process_of(worker.actor), signal.SIGKILL)
            n_killed += 1
            return wait(ticket)

        worker.wait = waited
        return finish(worker, path)

    monkeypatch.setattr(_cluster.WatchedWorker, "finish", killing)
    assert text(protodash.ray.select(parts, **OPTIONS)) == expected
    assert n_killed == 1


def test_a_part_that_changes_during_the_search_is_an_error(
    cluster: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = tmp_path / write_parts(numbers(300, 1, np.float64), tmp_path / "parts", 2)
    killer = Killer(lambda sent: "before" if sent.number == 7 else None, monkeypatch)
    kill = killer.kill

    def change(worker: Any) -> None:
        pq.write_table(numbers(100, 2, np.float64), tmp_path / "parts" / "part-0.parquet")
        kill(worker)

    killer.kill = change  # type: ignore[method-assign]
    with pytest.raises(ValueError, match=r"the worker of source rows \d+ to \d+ failed: .* has changed during the run; restore"):
        protodash.ray.select(source, n_prototypes=5, n_workers=2)


def test_a_part_that_vanishes_is_named_and_the_run_continues_when_it_is_back(
    cluster: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = tmp_path / write_parts(numbers(300, 1, np.float64), tmp_path / "parts", 2)
    call: dict[str, Any] = {"n_prototypes": 8, "n_workers": 2}
    expected = text(protodash.ray.select(source, **call))
    call["checkpoint"] = tmp_path / "run.journal"
    part, content = tmp_path / "parts" / "part-0.parquet", (tmp_path / "parts" / "part-0.parquet").read_bytes()
    with monkeypatch.context() as patch:
        killer = Killer(lambda sent: "before" if sent.number == 20 else None, patch)
        kill = killer.kill

        def remove(worker: Any) -> None:
            part.unlink()
            kill(worker)

        killer.kill = remove  # type: ignore[method-assign]
        gone = r"failed: .*part-0\.parquet was read at the beginning of the run and is gone; put it back and repeat the call"
        with pytest.raises(ValueError, match=gone):
            protodash.ray.select(source, **call)
    n_rows = call["checkpoint"].read_bytes().count(b'{"row"')
    assert n_rows > 1
    part.write_bytes(content)
    assert text(protodash.ray.select(source, **call)) == expected


def test_means_of_changed_data_are_not_kept(cluster: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = tmp_path / write_parts(numbers(9000, 1, np.float32), tmp_path / "parts", 2)
    call: dict[str, Any] = {"n_prototypes": 5, "n_workers": 2}
    expected = text(protodash.ray.select(source, **call))
    call["checkpoint"] = tmp_path / "run.journal"
    part, content = tmp_path / "parts" / "part-0.parquet", (tmp_path / "parts" / "part-0.parquet").read_bytes()
    with monkeypatch.context() as patch:
        run_tasks = _cluster.Cluster.run_tasks

        def changing(cluster: Any, tasks: Any, ask: Any, done: Any) -> None:
            pq.write_table(numbers(3000, 2, np.float32), part)
            for worker in cluster.workers:
                os.kill(process_of(worker.actor), signal.SIGKILL)
            run_tasks(cluster, tasks, ask, done)

        patch.setattr(_cluster.Cluster, "run_tasks", changing)
        with pytest.raises(ValueError, match="has changed during the run"):
            protodash.ray.select(source, **call)
    part.write_bytes(content)
    assert text(protodash.ray.select(source, **call)) == expected


def test_a_node_that_leaves(cluster: str, parts: str, tmp_path: Path) -> None:
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
