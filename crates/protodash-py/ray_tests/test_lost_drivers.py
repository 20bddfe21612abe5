"""Calling processes that are killed (SIGKILL) at any moment: the same call continues, and returns the same bytes."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import numbers, text, write_parts

import protodash.ray
from protodash.ray import _cluster

N_PROTOTYPES = 60


@pytest.fixture(scope="module")
def parts(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("data")
    return str(folder / write_parts(numbers(300, 1, np.float32), folder / "parts", 2))


@pytest.fixture(scope="module")
def expected(cluster: str, parts: str) -> str:
    return text(protodash.ray.select(parts, n_prototypes=N_PROTOTYPES, n_workers=1))


def killed(cluster: str, arguments: dict[str, Any], output: Path, moments: list[tuple[str, int]]) -> list[int]:
    """The exit codes of calls that are killed at these moments."""
    script = Path(__file__).with_name("killed_driver.py")
    given = [cluster, json.dumps(arguments), str(output), json.dumps(moments)]
    environment = {**os.environ, "PYTHONWARNINGS": "ignore"}
    done = subprocess.run([sys.executable, script, *given], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return list(map(int, done.stdout.split()))


def test_a_driver_killed_at_twenty_random_rounds_continues_with_the_same_call(
    cluster: str, expected: str, parts: str, tmp_path: Path
) -> None:
    chance = random.Random(21)
    rounds = sorted(chance.sample(range(1, N_PROTOTYPES + 1), 20))
    moments = [(chance.choice(["before", "after"]), size) for size in rounds]
    arguments = {"source": parts, "n_prototypes": N_PROTOTYPES, "n_workers": 1, "checkpoint": str(tmp_path / "run.journal")}
    codes = killed(cluster, arguments, tmp_path / "result.json", [*moments, ("never", 0)])
    assert codes == [-signal.SIGKILL] * 20 + [0]
    assert (tmp_path / "result.json").read_text() == expected


def test_a_torn_last_record_is_ignored(cluster: str, expected: str, parts: str, tmp_path: Path) -> None:
    checkpoint = tmp_path / "run.journal"
    call: dict[str, Any] = {"source": parts, "n_prototypes": N_PROTOTYPES, "n_workers": 1, "checkpoint": str(checkpoint)}
    assert killed(cluster, call, tmp_path / "result.json", [("after", 20)]) == [-signal.SIGKILL]
    content = checkpoint.read_bytes()
    last = content[:-1].rindex(b"\n") + 1
    # Nothing of it, its first byte, a part of its checksum, all but the line break, and some byte.
    for length in [last, last + 1, last + 6, len(content) - 1, random.Random(1).randrange(last, len(content))]:
        checkpoint.write_bytes(content[:length])
        assert text(protodash.ray.select(**call)) == expected, length


def test_a_finished_run_returns_its_result_until_the_checkpoint_is_deleted(
    cluster: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = str(tmp_path / write_parts(numbers(9000, 1, np.float32), tmp_path / "parts", 2))
    checkpoint = tmp_path / "run.journal"
    call: dict[str, Any] = {"source": source, "n_prototypes": 5, "n_workers": 2}
    expected = text(protodash.ray.select(**call))
    call["checkpoint"] = str(checkpoint)
    # Killed between the end of the search and the result, then between the result and the caller's file.
    moments = [("before the result", 0), ("after the result", 0)]
    assert killed(cluster, call, tmp_path / "result.json", moments[:1]) == [-signal.SIGKILL]
    assert len(list((tmp_path / "run.journal.means").iterdir())) == 2
    assert killed(cluster, call, tmp_path / "result.json", moments[1:]) == [-signal.SIGKILL]
    assert not (tmp_path / "result.json").exists()
    # Kernel means are needed no more.
    assert sorted(path.name for path in tmp_path.iterdir()) == ["parts", "run.journal"]

    def nothing(*_: Any) -> None:
        raise AssertionError("something is computed")

    with monkeypatch.context() as patch:
        patch.setattr(_cluster.WatchedWorker, "send", nothing)
        patch.setattr(_cluster.WatchedWorker, "finish", nothing)
        patch.setattr(_cluster.Cluster, "run_tasks", nothing)
        for _ in range(2):
            assert text(protodash.ray.select(**call)) == expected
        # Another run does not replace it.
        content = checkpoint.read_bytes()
        with pytest.raises(ValueError, match=r"journal of another run: its n_prototypes is 5, that of this call 6"):
            protodash.ray.select(**{**call, "n_prototypes": 6})
        with pytest.raises(ValueError, match=r"journal of another run: its n_criticisms is 0, that of this call 2"):
            protodash.ray.select(**call, n_criticisms=2)
        assert checkpoint.read_bytes() == content
    checkpoint.unlink()
    assert text(protodash.ray.select(**call)) == expected


def test_the_checkpoint_of_another_run_is_refused_and_kept(cluster: str, parts: str, tmp_path: Path) -> None:
    checkpoint = tmp_path / "run.journal"
    call: dict[str, Any] = {"n_prototypes": 15, "n_workers": 2, "checkpoint": checkpoint}

    def stop(stage: str, done: int, total: int) -> None:
        if stage == "search" and done >= 4:
            raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        protodash.ray.select(parts, progress=stop, **call)
    content = checkpoint.read_bytes()
    with pytest.raises(ValueError, match=r"journal of another run: its tolerance is 0\.0, that of this call 0\.01"):
        protodash.ray.select(parts, tolerance=0.01, **call)
    with pytest.raises(ValueError, match=r"journal of another run: its data is sha256"):
        protodash.ray.select(parts, columns=["x0", "x1"], **call)
    assert checkpoint.read_bytes() == content
