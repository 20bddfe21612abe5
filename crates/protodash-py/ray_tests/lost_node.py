"""Not a test: the process of `test_a_node_that_leaves`. Nodes are simulated, so the process is connected to no other cluster."""

from __future__ import annotations

import faulthandler
import sys
import time
from typing import Any

import ray
from conftest import children, is_alive
from ray.cluster_utils import Cluster

import protodash.ray
from protodash.ray._journal import Journal

LOOPBACK = "127.0.0.2"
"""An address of this machine only, which Ray does not replace by a public one as it does 127.0.0.1."""


def main(source: str, checkpoint: str, output: str) -> None:
    head = {"num_cpus": 0, "object_store_memory": 80 << 20, "node_ip_address": LOOPBACK, "include_dashboard": False}
    cluster = Cluster(initialize_head=True, head_node_args=head)
    node: dict[str, Any] = {"num_cpus": 1, "object_store_memory": 80 << 20, "node_ip_address": LOOPBACK}
    try:
        cluster.add_node(**node)
        leaving = cluster.add_node(**node)
        ray.init(address=cluster.address, log_to_driver=False, _node_ip_address=LOOPBACK)
        record = Journal.record

        def leave(journal: Journal, size: int, row: int) -> None:
            nonlocal leaving
            record(journal, size, row)
            if size >= 5 and leaving is not None:
                workers = children(leaving.all_processes["raylet"][0].process.pid)
                cluster.remove_node(leaving, allow_graceful=False)
                leaving = None
                # They notice a little later that their node has gone, and would answer until then.
                while any(is_alive(worker) for worker in workers):
                    time.sleep(0.05)

        Journal.record = leave  # type: ignore[method-assign]
        call: dict[str, Any] = {"n_prototypes": 40, "checkpoint": checkpoint}
        try:
            protodash.ray.select(source, deadline=4, **call)
            raise AssertionError("there were enough nodes")
        except TimeoutError as error:
            print(error, flush=True)
        assert leaving is None
        cluster.add_node(**node)
        # Now a spare node takes the place of one that leaves.
        leaving = cluster.add_node(**node)
        cluster.add_node(**node)
        protodash.ray.select(source, n_workers=2, **call).save(output)
        assert leaving is None
    finally:
        ray.shutdown()
        cluster.shutdown()


if __name__ == "__main__":
    # A run that hangs shows where.
    faulthandler.dump_traceback_later(120, exit=True)
    main(*sys.argv[1:])
