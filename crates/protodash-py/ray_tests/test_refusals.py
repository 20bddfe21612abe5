"""What is refused before anything starts, and what bad files and clusters lead to."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import ray
from conftest import LOGICAL_CPUS, numbers, use_worker, wait_for_no_workers, workers, write_parts

import protodash.ray
from protodash.ray import _cluster
from protodash.ray._worker import Worker


@pytest.fixture
def nothing_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    def started(*_: Any) -> None:
        raise AssertionError("workers were started")

    monkeypatch.setattr(_cluster.Cluster, "__init__", started)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"method": "swap"}, "swap cannot run on workers; protodash, protogreedy, l2c and random can"),
        ({"kernel": "linear", "weights": "convex"}, "weights that sum to 1 may need a centred kernel, which cannot run on"),
        ({"kernel": "polynomial", "weights": "convex"}, "weights that sum to 1 may need a centred kernel, which cannot run on"),
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
        ({"source": "nonsense://bucket/parts/*.parquet"}, "Protocol not known: nonsense"),
        ({"n_prototypes": 0}, "0 prototypes requested"),
        ({"n_workers": 0}, "n_workers is 0; it must be at least 1"),
        ({"n_criticisms": -1}, "n_criticisms is -1; it must be at least 0"),
    ],
)
def test_what_is_not_supported_is_named(nothing_starts: None, options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=".*") as raised:
        protodash.ray.select(**{"source": "parts/*.parquet", **options})
    assert message in str(raised.value)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"source": np.zeros((3, 2))}, "source is of type numpy.ndarray; it must be the path of files that every node can"),
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


CALL = """
import sys, time, protodash.ray
begun = time.monotonic()
try:
    protodash.ray.select("parts/*.parquet", address=sys.argv[1])
except ConnectionError as error:
    print(f"{time.monotonic() - begun:.0f} {error}")
"""


def test_no_cluster_at_the_address_is_an_error_within_seconds(tmp_path: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("RAY_ADDRESS")}
    # Nobody listens to this port.
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
        done = subprocess.run(
            [sys.executable, "-c", CALL, f"127.0.0.1:{port}"], env=environment, capture_output=True, text=True, timeout=60
        )
    assert done.returncode == 0, done.stderr
    seconds, _, error = done.stdout.partition(" ")
    assert int(seconds) <= 15
    assert f"there is no Ray cluster at 127.0.0.1:{port}: " in error


def test_the_address_of_another_cluster_is_an_error(cluster: str, folder: Path) -> None:
    host, _, port = cluster.rpartition(":")
    for other in [f"{host}:{int(port) + 1}", "no-such-host.invalid:6379"]:
        with pytest.raises(ValueError, match=f"address is {other}, but this process is connected to the Ray cluster at {cluster}"):
            protodash.ray.select(folder / "parts", n_prototypes=2, address=other)
    for same in [cluster, "auto"]:
        assert len(protodash.ray.select(folder / "parts", n_prototypes=2, n_workers=1, address=same)) == 2


def test_a_worker_with_another_version_is_named(cluster: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Newer(Worker):
        """A worker of a later version."""

        def introduce(self) -> dict[str, str]:
            return {**super().introduce(), "version": "99.0"}

    use_worker(Newer, monkeypatch)
    with pytest.raises(RuntimeError, match=r"worker 1 of 2 has protodash 99\.0, the calling process \d.*; install the same"):
        protodash.ray.select(folder / "parts", n_prototypes=2, n_workers=2)


def test_the_ray_client_is_refused() -> None:
    with pytest.raises(ValueError, match="the Ray Client is not supported"):
        protodash.ray.select("parts/*.parquet", address="ray://head:10001")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_parts(numbers(60, 1, np.float64), tmp_path / "parts", 2)
    return tmp_path


def test_workers_end_with_the_call(cluster: str, folder: Path) -> None:
    wait_for_no_workers()
    seen = 0

    def watch(stage: str, done: int, total: int) -> None:
        nonlocal seen
        if done >= 2:
            seen = len(workers())
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        protodash.ray.select(folder / "parts" / "*.parquet", n_prototypes=20, n_workers=2, progress=watch)
    assert seen == 2
    wait_for_no_workers()


def said(process: subprocess.Popen[str]) -> str:
    """The next line that a process prints, without those of Ray about workers that end."""
    assert process.stdout is not None
    return next((line for line in process.stdout if "(raylet)" not in line), "").rstrip("\n")


def test_ctrl_c_stops_the_workers_at_every_stage(cluster: str, tmp_path: Path) -> None:
    # More than 8,192 rows, so that the kernel mean has several tasks.
    write_parts(numbers(9000, 1, np.float32), tmp_path / "parts", 2)
    script = Path(__file__).with_name("interrupted.py")
    with subprocess.Popen(
        [sys.executable, script, cluster, str(tmp_path / "parts"), str(tmp_path)], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        try:
            for stage in ["reading", "means", "search", "finish"]:
                assert said(process) == stage
                deadline = time.monotonic() + 60
                while not (tmp_path / "there").exists():
                    assert time.monotonic() < deadline, stage
                    time.sleep(0.05)
                (tmp_path / "there").unlink()
                assert len(workers()) == 2
                begun = time.monotonic()
                process.send_signal(signal.SIGINT)
                assert said(process) == "interrupted", stage
                assert time.monotonic() - begun < 10
                wait_for_no_workers()
                # Another worker may have come to the same place.
                (tmp_path / "there").unlink(missing_ok=True)
        finally:
            process.kill()


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
