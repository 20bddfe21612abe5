"""What is refused before anything starts, and what bad files and clusters lead to."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import ray
from conftest import LOGICAL_CPUS, numbers, write_parts

import protodash.ray
from protodash.ray import _cluster


@pytest.fixture
def nothing_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    def started(*_: Any) -> None:
        raise AssertionError("workers were started")

    monkeypatch.setattr(_cluster.Cluster, "__init__", started)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"method": "swap"}, "swap cannot run on workers; protodash and protogreedy can"),
        ({"method": "k-medoids"}, "k-medoids cannot run on workers"),
        ({"method": "nonsense"}, "unknown method 'nonsense'"),
        ({"means": "racing"}, "does not support means='racing'; protodash.select does, on one machine; use means=\"full\""),
        ({"oversample": 2.0}, "protodash.ray.select does not support oversample"),
        ({"fixed": [1]}, "protodash.ray.select does not support fixed"),
        ({"budget": 5.0, "cost": "x0"}, "does not support budget"),
        ({"per_label": "equal"}, "does not support per_label"),
        ({"bandwidth": "cv"}, 'does not support bandwidth="cv"'),
        ({"kernel": "precomputed"}, "does not support a custom or precomputed kernel"),
        ({"kernel": lambda x, y: x @ y.T}, "does not support a custom or precomputed kernel"),
        ({"source": "s3://bucket/parts/*.parquet"}, "it must be a path in a file system that every node has mounted"),
        ({"n_prototypes": 0}, "0 prototypes requested"),
        ({"n_workers": 0}, "n_workers is 0; it must be at least 1"),
    ],
)
def test_what_is_not_supported_is_named(nothing_starts: None, options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=".*") as raised:
        protodash.ray.select(**{"source": "parts/*.parquet", **options})
    assert message in str(raised.value)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"source": np.zeros((3, 2))}, "source is of type numpy.ndarray; it must be the path of files"),
        ({"k": 5}, "select() has no keyword k; it is called n_prototypes"),
        ({"id": ["a", "b"]}, "id is of type list; it must be the name of a column"),
        ({"deadline": "soon"}, "deadline is of type str"),
    ],
)
def test_wrong_types_are_named(nothing_starts: None, options: dict[str, Any], message: str) -> None:
    with pytest.raises(TypeError, match=".*") as raised:
        protodash.ray.select(**{"source": "parts/*.parquet", **options})
    assert message in str(raised.value)


def test_without_ray_the_error_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(ImportError, match=r'install it with: pip install "protodash\[ray\]"'):
        protodash.ray.select("parts/*.parquet")


def test_the_ray_client_is_refused() -> None:
    with pytest.raises(ValueError, match="the Ray Client is not supported"):
        protodash.ray.select("parts/*.parquet", address="ray://head:10001")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_parts(numbers(60, 1, np.float64), tmp_path / "parts", 2)
    return tmp_path


def error_of(folder: Path, **options: Any) -> str:
    with pytest.raises(ValueError, match=".*") as raised:
        protodash.ray.select(folder / "parts" / "*.parquet", n_prototypes=3, n_workers=2, **options)
    return str(raised.value)


def test_bad_files_give_the_errors_of_the_command(cluster: str, folder: Path) -> None:
    parts = folder / "parts"
    pq.write_table(pa.table({"x0": [1.0], "other": [2.0]}), parts / "part-2.parquet")
    assert "part-2.parquet" in error_of(folder)
    # A part without rows is no problem.
    pq.write_table(numbers(60, 1, np.float64).slice(0, 0), parts / "part-2.parquet")
    assert protodash.ray.select(parts, n_prototypes=3, n_workers=2).n_source == 60
    (parts / "part-2.parquet").write_bytes(b"PAR1 and nothing more")
    assert "part-2.parquet" in error_of(folder)
    (parts / "part-2.parquet").unlink()
    assert "x9" in error_of(folder, columns=["x9"])
    with pytest.raises(ValueError, match="none"):
        protodash.ray.select(folder / "none" / "*.parquet", n_prototypes=3, n_workers=2)


def test_workers_end_with_the_call(cluster: str, folder: Path) -> None:
    def processes() -> int:
        lines = []
        for entry in os.listdir("/proc"):
            try:
                lines.append(Path("/proc", entry, "cmdline").read_bytes())
            except OSError:
                continue
        return sum(line.startswith(b"ray::Worker") for line in lines)

    def wait_for_none() -> None:
        deadline = time.monotonic() + 30
        while processes() > 0:
            assert time.monotonic() < deadline
            time.sleep(0.1)

    wait_for_none()
    seen = 0

    def watch(stage: str, done: int, total: int) -> None:
        nonlocal seen
        if done >= 2:
            seen = processes()
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        protodash.ray.select(folder / "parts" / "*.parquet", n_prototypes=20, n_workers=2, progress=watch)
    assert seen == 2
    wait_for_none()


def test_no_room_for_a_worker_is_an_error_that_names_it(cluster: str, folder: Path) -> None:
    class Idle:
        def ready(self) -> bool:
            return True

    # Workers of earlier tests are ending.
    deadline = time.monotonic() + 30
    while ray.available_resources().get("CPU", 0) < LOGICAL_CPUS and time.monotonic() < deadline:
        time.sleep(0.1)
    taken = ray.remote(num_cpus=LOGICAL_CPUS)(Idle).remote()
    ray.get(taken.ready.remote())
    with pytest.raises(TimeoutError, match=r"worker 1 of 2 has been gone for 3 s, and no node has room for it; add a node"):
        protodash.ray.select(folder / "parts" / "*.parquet", n_prototypes=3, n_workers=2, deadline=3)
    ray.kill(taken)
