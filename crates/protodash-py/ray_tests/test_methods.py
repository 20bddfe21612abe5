"""Methods whose search is not divided, criticisms, and workers with other vector instructions: the bytes of one machine."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
from conftest import Killer, mixed, numbers, text, use_worker, write_parts

import protodash.ray
from protodash import _native
from protodash.ray import _cluster
from protodash.ray._worker import Worker

Command = Callable[..., bytes]


@pytest.mark.parametrize("method", ["l2c", "random"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_methods_whose_search_is_not_divided_give_the_bytes_of_the_command(
    cluster: str, command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, method: str, dtype: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    source = write_parts(numbers(9000, 1, dtype), tmp_path / "parts", 3)
    expected = command(source, "--n-prototypes", "6", "--method", method, "--seed", "3", cwd=tmp_path)
    # No message of a search is sent.
    monkeypatch.setattr(_cluster.WatchedWorker, "send", None)
    found = protodash.ray.select(source, n_prototypes=6, method=method, seed=3, n_workers=2, checkpoint="run.journal")
    assert text(found).encode() == expected
    again = protodash.ray.select(source, n_prototypes=6, method=method, seed=3, n_workers=2, checkpoint="run.journal")
    assert text(again).encode() == expected


@pytest.mark.parametrize("method", ["protodash", "random"])
def test_criticisms_are_those_of_the_command(
    cluster: str, command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, method: str
) -> None:
    monkeypatch.chdir(tmp_path)
    source = write_parts(mixed(600, 1), tmp_path / "parts", 2)
    flags = ["--n-criticisms", "4", "--method", method, "--id", "person", "--label", "class", "--missing", "mean"]
    expected = command(source, "--n-prototypes", "5", *flags, "--source-where", "age > 30", cwd=tmp_path)
    options: dict[str, Any] = {"id": "person", "label": "class", "missing": "mean", "source_where": "age > 30"}
    found = protodash.ray.select(source, n_prototypes=5, n_criticisms=4, method=method, n_workers=2, **options)
    assert text(found).encode() == expected
    assert len(found.criticisms(4)) == 4


def test_a_worker_killed_after_criticisms_changes_nothing(cluster: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = tmp_path / write_parts(numbers(300, 1, np.float32), tmp_path / "parts", 2)
    expected = text(protodash.ray.select(source, n_prototypes=5, n_criticisms=3, n_workers=1))
    finish = _cluster.WatchedWorker.finish
    killer = Killer(lambda _: None, monkeypatch)

    def twice(worker: Any, path: bytes | None) -> str:
        first = finish(worker, path)
        killer.kill(worker)
        # The search was closed to compute criticisms; it is served again.
        assert finish(worker, path) == finish(worker, path) == first
        return first

    monkeypatch.setattr(_cluster.WatchedWorker, "finish", twice)
    assert text(protodash.ray.select(source, n_prototypes=5, n_criticisms=3, n_workers=2)) == expected


ALONE = """
import sys, protodash, pyarrow.parquet as pq
from protodash import _native
_native.limit_to_instructions("portable")
protodash.select(pq.read_table(sys.argv[1]), n_prototypes=10, means="full").save(sys.argv[2])
"""


def test_a_worker_with_other_instructions_lowers_all_to_those_of_a_machine_like_it(
    cluster: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Old(Worker):
        """A worker on an old machine, if it is the first to look."""

        def introduce(self) -> dict[str, str]:
            try:
                (tmp_path / "old").touch(exist_ok=False)
            except FileExistsError:
                return super().introduce()
            _native.limit_to_instructions("portable")
            return super().introduce()

    levels: list[list[str]] = []
    common = _native.common_instructions

    def noted(found: list[str]) -> str:
        levels.append(found)
        return common(found)

    monkeypatch.setattr(_native, "common_instructions", noted)
    pq.write_table(numbers(600, 1, np.float64), tmp_path / "rows.parquet")
    best = protodash.ray.select(tmp_path / "rows.parquet", n_prototypes=10, n_workers=2)
    with monkeypatch.context() as patch:
        use_worker(Old, patch)
        # Also one that is killed: nobody asks it again for its instructions.
        killer = Killer(lambda sent: "after" if sent.number in (11, 12) else None, patch)
        found = protodash.ray.select(tmp_path / "rows.parquet", n_prototypes=10, n_workers=4)
    assert killer.n_killed == 2
    assert levels[0] == [_native.instructions()] * 2
    assert sorted(levels[1]) == sorted(["portable", *[_native.instructions()] * 3])
    subprocess.run([sys.executable, "-c", ALONE, str(tmp_path / "rows.parquet"), str(tmp_path / "alone.json")], check=True)
    alone = json.loads((tmp_path / "alone.json").read_text())
    mixed_machines = json.loads(text(found))
    # A table has no path.
    assert alone.pop("data") != mixed_machines.pop("data")
    assert mixed_machines == alone
    # Where AVX2 fuses products with sums, the last bits differ from those of the best instructions.
    if _native.instructions() != "portable":
        assert found.objective.tolist() != best.objective.tolist()
        assert found.indices.tolist() == best.indices.tolist()
