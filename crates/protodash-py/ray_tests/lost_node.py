"""Not a test: the process of `test_a_node_that_leaves`. Nodes are simulated, so the process is connected to no other cluster."""

from __future__ import annotations

import sys
from typing import Any

import ray
from ray.cluster_utils import Cluster

import protodash.ray


def main(source: str, checkpoint: str, output: str) -> None:
    head = {"num_cpus": 0, "object_store_memory": 80 << 20, "node_ip_address": "127.0.0.1", "include_dashboard": False}
    cluster = Cluster(initialize_head=True, head_node_args=head)
    node: dict[str, Any] = {"num_cpus": 1, "object_store_memory": 80 << 20, "node_ip_address": "127.0.0.1"}
    try:
        cluster.add_node(**node)
        leaving = cluster.add_node(**node)
        ray.init(address=cluster.address, log_to_driver=False)
        steps = 0

        def leave(stage: str, done: int, total: int) -> None:
            nonlocal leaving, steps
            steps = max(steps, done)
            if stage == "search" and done >= 4 and leaving is not None:
                cluster.remove_node(leaving, allow_graceful=False)
                leaving = None

        call: dict[str, Any] = {"n_prototypes": 40, "checkpoint": checkpoint, "progress": leave}
        try:
            protodash.ray.select(source, deadline=4, **call)
            raise AssertionError("there were enough nodes")
        except ValueError as error:
            print(error, flush=True)
        assert 4 <= steps < 40, steps
        cluster.add_node(**node)
        # Now a spare node takes the place of one that leaves.
        leaving = cluster.add_node(**node)
        cluster.add_node(**node)
        protodash.ray.select(source, n_workers=2, **call).save(output)
        ray.shutdown()
    finally:
        cluster.shutdown()


if __name__ == "__main__":
    main(*sys.argv[1:])
