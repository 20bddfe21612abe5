"""`cargo xtask chaos`: random kills of workers and drivers until the time is over; every result must be that of a quiet run."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

os.environ["RAY_USAGE_STATS_ENABLED"] = "0"

import numpy as np
import ray
from conftest import LOGICAL_CPUS, numbers, write_parts

import protodash.ray

DRIVER = """
import sys, protodash.ray, ray
ray.init(address=sys.argv[1], log_to_driver=False)
call = eval(sys.argv[2])
protodash.ray.select(**call).save(sys.argv[3])
"""


def workers() -> list[int]:
    """The processes of workers."""
    found = []
    for entry in filter(str.isdigit, os.listdir("/proc")):
        try:
            is_worker = Path("/proc", entry, "cmdline").read_bytes().startswith(b"ray::Worker")
        except OSError:
            continue
        found += [int(entry)] if is_worker else []
    return found


def kill(process: int) -> None:
    try:
        os.kill(process, signal.SIGKILL)
    except ProcessLookupError:
        pass


def trial(address: str, seed: int, folder: Path) -> str:
    """One selection with random kills; returns what happened."""
    chance = random.Random(seed)
    dtype = chance.choice([np.float32, np.float64])
    data = folder / f"data-{seed}"
    data.mkdir()
    call: dict[str, Any] = {
        "source": str(data / write_parts(numbers(chance.choice([500, 9000]), seed, dtype), data / "source", 3)),
        "n_prototypes": chance.randint(2, 40),
        "method": chance.choice(["protodash", "protogreedy"]),
        "weights": chance.choice(["nonnegative", "convex"]),
        "seed": seed,
    }
    if chance.random() < 0.5:
        call["target"] = str(data / write_parts(numbers(700, seed + 1, dtype), data / "target", 2))
    expected = protodash.ray.select(**call, n_workers=1)._document.to_json(None)
    call |= {"n_workers": chance.randint(1, 4), "checkpoint": str(folder / f"run-{seed}")}
    output = folder / f"result-{seed}.json"
    n_workers_killed, n_drivers_killed = 0, 0
    while not output.exists():
        driver = subprocess.Popen([sys.executable, "-c", DRIVER, address, repr(call), str(output)])
        kills_driver = n_drivers_killed < 3 and chance.random() < 0.5
        end = time.monotonic() + (chance.uniform(2.0, 12.0) if kills_driver else 600.0)
        while driver.poll() is None and time.monotonic() < end:
            time.sleep(chance.uniform(0.05, 1.5))
            alive = workers()
            if alive and n_workers_killed < 8:
                kill(chance.choice(alive))
                n_workers_killed += 1
        if driver.poll() is None:
            assert kills_driver, f"seed {seed}: the run does not end"
            driver.kill()
            n_drivers_killed += 1
        elif driver.returncode != 0:
            raise AssertionError(f"seed {seed}: the driver failed: {call}")
        driver.wait()
    assert output.read_text() == expected, f"seed {seed}: another result: {call}"
    return f"seed {seed}: {n_workers_killed} workers and {n_drivers_killed} drivers killed, same bytes"


def main() -> None:
    minutes, seed = float(sys.argv[1]), int(sys.argv[2])
    end = time.monotonic() + 60 * minutes
    ray.init(
        address="local",
        num_cpus=LOGICAL_CPUS,
        object_store_memory=100 << 20,
        include_dashboard=False,
        log_to_driver=False,
        _node_ip_address="127.0.0.1",
    )
    try:
        with tempfile.TemporaryDirectory() as folder:
            while time.monotonic() < end:
                print(trial(ray.get_runtime_context().gcs_address, seed, Path(folder)), flush=True)
                seed += 1
    finally:
        ray.shutdown()


if __name__ == "__main__":
    main()
