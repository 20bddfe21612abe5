"""`cargo xtask chaos`: kills workers and drivers and removes nodes at random until the time is over.

Every result must have the bytes that the command writes. Only processes that this one started are killed.
"""

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
from conftest import children, is_alive, is_worker, numbers, write_parts
from ray.cluster_utils import Cluster

LOOPBACK = "127.0.0.2"
"""An address of this machine only, which Ray does not replace by a public one as it does 127.0.0.1."""
MOST_WORKERS_KILLED = 8

DRIVER = """
import sys, protodash.ray, ray
ray.init(address=sys.argv[1], log_to_driver=False, _node_ip_address=sys.argv[4])
protodash.ray.select(**eval(sys.argv[2])).save(sys.argv[3])
"""


class Nodes:
    """A cluster of simulated nodes, of which some leave."""

    def __init__(self) -> None:
        head = {"num_cpus": 0, "object_store_memory": 80 << 20, "node_ip_address": LOOPBACK, "include_dashboard": False}
        self.cluster = Cluster(initialize_head=True, head_node_args=head)
        self.nodes = [self._added() for _ in range(2)]

    def _added(self) -> Any:
        return self.cluster.add_node(num_cpus=4, object_store_memory=80 << 20, node_ip_address=LOOPBACK)

    def workers(self) -> list[int]:
        """The processes of workers."""
        raylets = [node.all_processes["raylet"][0].process.pid for node in self.nodes]
        return [process for raylet in raylets for process in children(raylet) if is_worker(process)]

    def replace(self, place: int) -> None:
        """Removes a node and adds another."""
        node = self.nodes[place]
        processes = children(node.all_processes["raylet"][0].process.pid)
        self.cluster.remove_node(node, allow_graceful=False)
        end = time.monotonic() + 60
        while any(map(is_alive, processes)) and time.monotonic() < end:
            time.sleep(0.05)
        self.nodes[place] = self._added()


def kill(process: int) -> None:
    try:
        os.kill(process, signal.SIGKILL)
    except ProcessLookupError:
        pass


def by_command(call: dict[str, Any], output: Path) -> str:
    """The JSON of the command."""
    flags = {name: value for name, value in call.items() if name != "source"}
    written = [part for name, value in flags.items() for part in (f"--{name.replace('_', '-')}", str(value))]
    command = [os.environ["PROTODASH_COMMAND"], "select", call["source"], *written, "--means", "full", "--quiet"]
    subprocess.run([*command, "-o", str(output)], check=True)
    return output.read_text()


def trial(nodes: Nodes, seed: int, folder: Path) -> str:
    """One selection with random kills; returns what happened."""
    chance = random.Random(seed)
    dtype = chance.choice([np.float32, np.float64])
    data = folder / f"data-{seed}"
    data.mkdir()
    call: dict[str, Any] = {
        "source": str(data / write_parts(numbers(chance.choice([500, 9000]), seed, dtype), data / "source", 3)),
        "n_prototypes": chance.randint(2, 40),
        "method": chance.choice(["protodash", "protogreedy", "protodash", "protogreedy", "l2c", "random"]),
        "seed": seed,
    }
    if call["method"].startswith("proto"):
        call["weights"] = chance.choice(["nonnegative", "convex"])
    if chance.random() < 0.3:
        call["n_criticisms"] = 3
    if chance.random() < 0.5:
        call["target"] = str(data / write_parts(numbers(700, seed + 1, dtype), data / "target", 2))
    expected = by_command(call, folder / f"expected-{seed}.json")
    call |= {"n_workers": chance.randint(1, 4), "checkpoint": str(folder / f"run-{seed}")}
    output = folder / f"result-{seed}.json"
    n_workers, n_drivers, n_nodes = 0, 0, 0
    while not output.exists():
        arguments = [nodes.cluster.address, repr(call), str(output), LOOPBACK]
        driver = subprocess.Popen([sys.executable, "-c", DRIVER, *arguments])
        kills_driver = n_drivers < 3 and chance.random() < 0.5
        end = time.monotonic() + (chance.uniform(2.0, 12.0) if kills_driver else 600.0)
        while driver.poll() is None and time.monotonic() < end:
            time.sleep(chance.uniform(0.05, 1.5))
            alive = nodes.workers()
            if alive and n_nodes < 1 and chance.random() < 0.1:
                nodes.replace(chance.randrange(len(nodes.nodes)))
                n_nodes += 1
            elif alive and n_workers < MOST_WORKERS_KILLED:
                kill(chance.choice(alive))
                n_workers += 1
        if driver.poll() is None:
            assert kills_driver, f"seed {seed}: the run does not end"
            driver.kill()
            n_drivers += 1
        elif driver.returncode != 0:
            raise AssertionError(f"seed {seed}: the driver failed: {call}")
        driver.wait()
    assert output.read_text() == expected, f"seed {seed}: another result than the command's: {call}"
    return f"seed {seed}: {n_workers} workers, {n_drivers} drivers and {n_nodes} nodes lost, same bytes"


def main() -> None:
    minutes, seed = float(sys.argv[1]), int(sys.argv[2])
    end = time.monotonic() + 60 * minutes
    nodes = Nodes()
    try:
        with tempfile.TemporaryDirectory() as folder:
            while time.monotonic() < end:
                print(trial(nodes, seed, Path(folder)), flush=True)
                seed += 1
    finally:
        ray.shutdown()
        nodes.cluster.shutdown()


if __name__ == "__main__":
    main()
