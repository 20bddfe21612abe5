"""Workers killed (SIGKILL) before, during and after every kind of message, and messages that arrive twice or late."""

from __future__ import annotations

import random
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from conftest import Killer, Sent, kind, numbers, text, use_worker, write_parts

import protodash.ray
from protodash.ray import _cluster
from protodash.ray._worker import Worker

MOMENTS = ["before", "during", "after"]

ORDINARY = {"Hello", "Open", "Survey", "Column", "Means", "ExactScores", "Correct", "Admit"}
"""Of ProtoDash in f32, where some steps compare candidates in f64."""
TRIED = {"Propose", "Describe"}
"""Of ProtoGreedy where it tries many candidates."""
RARE = {"AtLeast", "StoreColumns", "Rebuild", "CorrectAll"}
"""Of ProtoGreedy among rows so close that f32 cannot tell them apart."""
ALL = ORDINARY | TRIED | RARE
"""All kinds of messages that there are have their kills in one of the tests."""


@pytest.fixture(scope="module")
def parts(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("data")
    return str(folder / write_parts(numbers(600, 1, np.float32), folder / "parts", 3))


@pytest.fixture(scope="module")
def close_rows(tmp_path_factory: pytest.TempPathFactory) -> str:
    random = np.random.default_rng(0)
    centres = np.repeat(random.random((3, 5)), 400, axis=0)[random.permutation(1200)]
    rows = (centres + random.random((1200, 5)) * 1e-6).astype(np.float32)
    folder = tmp_path_factory.mktemp("data")
    table = pa.table({f"x{column}": rows[:, column] for column in range(5)})
    return str(folder / write_parts(table, folder / "close", 2))


def check_kills(parts: str, options: dict[str, Any], kinds: set[str], monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """Kills workers before, during and after each of these kinds of messages; returns all kinds that there were."""
    expected = text(protodash.ray.select(parts, n_workers=1, **options))
    left = {name: list(MOMENTS) for name in kinds}
    killed: list[tuple[str, str]] = []

    def when(sent: Sent) -> str | None:
        if sent.is_repeated or not left.get(sent.kind):
            return None
        moment = left[sent.kind].pop(0)
        killed.append((sent.kind, moment))
        return moment

    killer = Killer(when, monkeypatch)
    assert text(protodash.ray.select(parts, n_workers=4, **options)) == expected
    assert sorted(killed) == sorted((name, moment) for name in kinds for moment in MOMENTS), killer.kinds
    assert killer.n_killed == len(killed)
    assert killer.n_repeated > 0
    return set(killer.kinds)


def test_workers_killed_before_during_and_after_ordinary_messages(
    cluster: str, parts: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = {"n_prototypes": 40, "weights": "convex"}
    assert check_kills(parts, options, ORDINARY, monkeypatch) <= ALL


def test_workers_killed_before_during_and_after_messages_about_candidates(
    cluster: str, parts: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = {"n_prototypes": 12, "weights": "convex", "method": "protogreedy"}
    assert check_kills(parts, options, TRIED, monkeypatch) <= ALL


def test_workers_killed_before_during_and_after_rare_messages(
    cluster: str, close_rows: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = {"n_prototypes": 12, "method": "protogreedy", "bandwidth": 0.5}
    assert check_kills(close_rows, options, RARE, monkeypatch) <= ALL


def test_a_worker_killed_while_orders_are_repeated_and_twice_in_a_row(
    cluster: str, parts: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = text(protodash.ray.select(parts, n_prototypes=20, n_workers=1))
    # At the first message that is repeated as it was, at the next such one, and at a later one.
    moments = {0: "during", 1: "before", 3: "after"}
    n_repeated = 0

    def when(sent: Sent) -> str | None:
        nonlocal n_repeated
        if sent.is_repeated:
            n_repeated += 1
            return moments.get(n_repeated - 1)
        return "before" if sent.number == 60 else None

    killer = Killer(when, monkeypatch)
    assert text(protodash.ray.select(parts, n_prototypes=20, n_workers=4)) == expected
    assert killer.n_killed == 4


def test_eight_random_kills_in_one_run(cluster: str, parts: str, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = text(protodash.ray.select(parts, n_prototypes=20, n_workers=1))
    chance = random.Random(7)
    numbers_killed = {number: chance.choice(MOMENTS) for number in chance.sample(range(4, 100), 8)}
    killer = Killer(lambda sent: numbers_killed.get(sent.number), monkeypatch)
    assert text(protodash.ray.select(parts, n_prototypes=20, n_workers=4)) == expected
    assert killer.n_killed == 8


def test_messages_that_arrive_twice_or_late_have_no_effect(
    cluster: str, parts: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = text(protodash.ray.select(parts, n_prototypes=12, n_workers=1))
    send = _cluster.WatchedWorker.send
    delivered: dict[str, list[bytes]] = {}
    n_late, chance, lock = 0, random.Random(3), threading.Lock()

    def echoing(worker: Any, message: bytes) -> Any:
        nonlocal n_late
        earlier = delivered.setdefault(worker.name, [])
        first = send(worker, message)
        again = send(worker, message)
        # The first message starts a search, and is not repeated late by any transport that keeps a connection.
        late = chance.sample(earlier[1:], min(2, len(earlier[1:]))) if kind(message) != "Hello" else []
        for old in late:
            worker.wait(send(worker, old))
        with lock:
            n_late += len(late)
        earlier.append(message)
        assert worker.wait(again) == worker.wait(first)
        return first

    monkeypatch.setattr(_cluster.WatchedWorker, "send", echoing)
    assert text(protodash.ray.select(parts, n_prototypes=12, n_workers=4)) == expected
    assert n_late > 40


def test_too_little_memory_for_columns_on_one_worker_changes_nothing(
    cluster: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Poor(Worker):
        """A worker whose node has little memory, if it is the first to look."""

        def describe(self, level: str) -> dict[str, Any]:
            facts = super().describe(level)
            try:
                (tmp_path / "first").touch(exist_ok=False)
            except FileExistsError:
                return facts
            return {**facts, "options": {**facts["options"], "column_memory": 5000}}

    for dtype in [np.float32, np.float64]:
        name = np.dtype(dtype).name
        parts = str(tmp_path / write_parts(numbers(600, 1, dtype), tmp_path / name, 2))
        expected = text(protodash.ray.select(parts, n_prototypes=15, n_workers=1))
        (tmp_path / "first").unlink(missing_ok=True)
        with monkeypatch.context() as patch:
            use_worker(Poor, patch)
            killer = Killer(lambda sent: "after" if sent.number in (60, 90) else None, patch)
            assert text(protodash.ray.select(parts, n_prototypes=15, n_workers=4)) == expected
        # Columns are dropped on all workers, also on one that was killed and repeats its orders.
        assert killer.kinds["StoreColumns"] >= 4, killer.kinds
        assert killer.n_killed == 2
