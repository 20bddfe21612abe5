"""Workers on a Ray cluster: started, watched, and stopped."""

from __future__ import annotations

import math
import os
import socket
import time
from collections.abc import Callable, Iterable
from typing import Any

from ._load import Call
from ._worker import Worker

_PATIENCE = 0.5
"""Seconds between two looks at signals and progress."""
_CONNECT_PATIENCE = 10.0
"""Seconds to wait for a connection to a cluster."""


def import_ray() -> Any:
    """The package ray, which is optional."""
    try:
        import ray
    except ImportError:
        raise ImportError('protodash.ray needs Ray; install it with: pip install "protodash[ray]"') from None
    return ray


class Cluster:
    """The workers of a run. Leaving the context stops them, and a Ray that was started here."""

    def __init__(self, address: str | None, n_workers: int | None, deadline: float) -> None:
        self._ray = import_ray()
        self._deadline = deadline
        self._is_own = _connect(self._ray, address)
        self.workers: list[WatchedWorker] = []
        nodes = {node["NodeID"]: node["Resources"].get("CPU", 0) for node in self._ray.nodes() if node["Alive"]}
        self._nodes = {node: n_cpus for node, n_cpus in sorted(nodes.items()) if n_cpus > 0}
        if not self._nodes:
            self.stop()
            raise RuntimeError("the Ray cluster has no node with a CPU")
        self.n_workers = n_workers or len(self._nodes)
        self.workers_per_node = math.ceil(self.n_workers / len(self._nodes))
        # One worker per node takes all of the smallest, so that it can move there; more share it.
        self._cpus = min(self._nodes.values()) / self.workers_per_node
        if self._cpus > 1:
            self._cpus = math.floor(self._cpus)
        self.n_threads = max(1, int(self._cpus))

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self, call: Call) -> None:
        """Start the workers."""
        # Each worker uses its share of the node that it is on.
        n_threads = {node: max(1, int(n_cpus / self.workers_per_node)) for node, n_cpus in self._nodes.items()}
        actor = self._ray.remote(concurrency_groups={"alive": 1})(Worker)
        nodes = list(self._nodes)
        for number in range(self.n_workers):
            name = f"worker {number + 1} of {self.n_workers}"
            placed = actor.options(
                num_cpus=self._cpus,
                max_restarts=-1,
                max_task_retries=-1,
                scheduling_strategy=_on_node(nodes[number % len(nodes)]),
            )
            self.workers.append(WatchedWorker(self._ray, placed.remote(call, n_threads), name, self._deadline))

    def of_all(self, ask: Callable[[Any], Any]) -> list[Any]:
        """The answers of all workers to the same call."""
        tickets = [(worker, ask(worker.actor)) for worker in self.workers]
        answers, failures = [], []
        for worker, ticket in tickets:
            try:
                answers.append(worker.wait(ticket))
            except Exception as failure:
                # The others fail in the same way, and Ray reports what nobody asks for.
                failures.append(failure)
        if failures:
            raise failures[0]
        return answers

    def run_tasks(
        self,
        tasks: Iterable[int],
        ask: Callable[[Any, int], Any],
        done: Callable[[int, Any], None],
    ) -> None:
        """Have the tasks done, each by the next idle worker; `done` is called with each result."""
        left = list(reversed(list(tasks)))
        idle = list(self.workers)
        running: dict[Any, tuple[WatchedWorker, int]] = {}
        while left or running:
            while left and idle:
                worker, task = idle.pop(0), left.pop()
                running[ask(worker.actor, task)] = (worker, task)
            ready, _ = self._ray.wait(list(running), num_returns=1, timeout=_PATIENCE)
            for ticket in ready:
                worker, task = running.pop(ticket)
                done(task, worker.wait(ticket))
                idle.append(worker)
            for worker, _ in running.values():
                worker.check()

    def store(self, value: Any) -> Any:
        """A reference to a value that all workers can read."""
        return self._ray.put(value)

    def stop(self) -> None:
        """End all workers."""
        for worker in self.workers:
            worker.stop()
        self.workers = []
        if self._is_own:
            self._ray.shutdown()
            self._is_own = False


def _on_node(node: str) -> Any:
    """Places a worker on this node, or on another if the node is gone."""
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

    return NodeAffinitySchedulingStrategy(node, soft=True)


class WatchedWorker:
    """A worker, and whether it is alive."""

    def __init__(self, ray: Any, actor: Any, name: str, deadline: float) -> None:
        self._ray = ray
        self.actor = actor
        self.name = name
        self._deadline = deadline
        self._asked = time.monotonic()
        """When the worker was asked whether it is alive; nobody asks as long as it replies in time."""
        self._ping: Any = None
        self.part: tuple[str, Any] | None = None
        self.lost: Exception | None = None
        """The error that says that the worker is lost."""

    def send(self, message: bytes) -> Any:
        """Send a message of the leader; the native module calls this from its threads."""
        assert self.part is not None
        level, part = self.part
        return self.actor.handle.remote(message, level, [part])

    def receive(self, ticket: Any, seconds: float) -> bytes | None:
        """The reply to a message, or None if there is none yet."""
        try:
            return self._get(ticket, seconds)  # type: ignore[no-any-return]
        except self._ray.exceptions.GetTimeoutError:
            self.check()
            return None

    def finish(self, path: bytes | None) -> str:
        """The result of a path, or of a method whose search is not divided, as JSON."""
        assert self.part is not None
        level, part = self.part
        return self.wait(self.actor.finish.remote(path, level, [part]))  # type: ignore[no-any-return]

    def wait(self, ticket: Any) -> Any:
        """The value of a reference to an answer of this worker."""
        while True:
            try:
                return self._get(ticket, _PATIENCE)
            except self._ray.exceptions.GetTimeoutError:
                self.check()

    def check(self) -> None:
        """Raise if the worker has been gone for too long."""
        now = time.monotonic()
        if self._ping is None:
            self._ping, self._asked = self.actor.alive.options(concurrency_group="alive").remote(), now
        ready, _ = self._ray.wait([self._ping], timeout=0)
        if ready:
            self._get(self._ping, None)
            self._ping = None
        elif now - self._asked > self._deadline:
            self.lost = TimeoutError(
                f"{self.name} has been gone for {self._deadline:g} s, and no node has room for it; add a node and "
                "repeat the call, which continues from its checkpoint if it has one"
            )
            raise self.lost

    def stop(self) -> None:
        """End the worker for good."""
        self._ray.kill(self.actor, no_restart=True)

    def _get(self, ticket: Any, seconds: float | None) -> Any:
        try:
            return self._ray.get(ticket, timeout=seconds)
        except self._ray.exceptions.RayTaskError as error:
            # The exception as the worker raised it.
            raise (error.cause if isinstance(error.cause, Exception) else error) from None
        except self._ray.exceptions.RayActorError as error:
            self.lost = TimeoutError(f"{self.name} cannot be started: {error}")
            raise self.lost from None


def _connect(ray: Any, address: str | None) -> bool:
    """Connect to a cluster; return whether one was started here, on this machine only."""
    if address is not None and address.startswith("ray://"):
        raise ValueError(
            f"address is {address}: the Ray Client is not supported; run this on a node of the cluster with address='auto'"
        )
    if ray.is_initialized():
        connected = ray.get_runtime_context().gcs_address
        if address not in (None, "auto") and not _is_same(address, connected):
            raise ValueError(
                f"address is {address}, but this process is connected to the Ray cluster at {connected}; call ray.shutdown() "
                "first, or leave out address="
            )
        return False
    address = address or os.environ.get("RAY_ADDRESS")
    if address is not None:
        try:
            _check_listens(address)
            ray.init(address=address, log_to_driver=False)
        except (OSError, ValueError, RuntimeError) as error:
            raise ConnectionError(f"there is no Ray cluster at {address}: {error}") from None
        return True
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    ray.init(address="local", include_dashboard=False, log_to_driver=False, _node_ip_address="127.0.0.1")
    return True


def _is_same(address: str, connected: str) -> bool:
    """Whether two addresses lead to the same port of the same machine."""
    (host, _, port), (other, _, other_port) = address.rpartition(":"), connected.rpartition(":")
    if port != other_port:
        return False
    try:
        return host == other or socket.gethostbyname(host) == socket.gethostbyname(other)
    except OSError:
        return False


def _check_listens(address: str) -> None:
    """Raises soon if nobody listens at an address: Ray would try for much longer."""
    host, _, port = address.rpartition(":")
    if host and port.isdigit():
        socket.create_connection((host.strip("[]"), int(port)), _CONNECT_PATIENCE).close()
