"""A worker: an actor with all rows and a part of the search."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from .. import _native
from .._criticisms import checked
from .._select import named
from ._load import Call, Known, Loaded, load


@dataclass(frozen=True)
class Part:
    """A worker's part of a search."""

    rows: tuple[int, int]
    results: list[Any]
    """Where the results of all tasks of the kernel mean are: references to objects of Ray."""
    known: Known
    options: dict[str, Any]


class Worker:
    """An actor. It may be restarted at any time: each method restores what it needs."""

    def __init__(self, call: Call, n_threads: dict[str, int]) -> None:
        """Prepares a worker; nodes that joined later have as many threads as `call` says."""
        import ray

        node = ray.get_runtime_context().get_node_id()
        self._call = replace(call, n_threads=n_threads.get(node, call.n_threads))
        self._loaded: Loaded | None = None
        self._port: _native.WorkerPort | None = None
        self._thread: threading.Thread | None = None
        self._failure: BaseException | None = None

    def alive(self) -> int:
        """Answer at once, whatever the worker is doing, with the number of its process."""
        return os.getpid()

    def introduce(self) -> dict[str, str]:
        """The version of the package, and the best vector instructions of this machine."""
        return {"version": _native.__version__, "instructions": _native.instructions()}

    def describe(self, level: str) -> dict[str, Any]:
        """What the driver has to know about the data."""
        with self._errors():
            return self._data(level, None).facts(self._call)

    def run_task(self, level: str, task: int, known: Known) -> bytes:
        """The result of a task of the kernel mean."""
        with self._errors():
            loaded = self._data(level, known)
            return _native.run_mean_task(loaded.data.sides(), loaded.options, task, self._call.run())

    def handle(self, message: bytes, level: str, part: list[Any]) -> bytes:
        """The reply to a message of the leader. `part` holds a reference, since it is needed only after a restart."""
        with self._errors():
            reply: bytes = self._asked(lambda port: port.handle(message), level, part)
            return reply

    def finish(self, path: bytes | None, level: str, part: list[Any]) -> str:
        """The result as JSON: of a path that the leader found, or of a method whose search is not divided."""
        with self._errors():
            if path is None:
                document, kernel_mean = self._selected(level, part)
            else:
                document, kernel_mean = self._asked(lambda port: port.finish(path), level, part)
                # Its threads are needed.
                self._close()
            data = self._data(level, None).data
            selection = named(document, data, kernel_mean)
            n_criticisms = self._call.n_criticisms
            worst = selection.criticisms(n_criticisms) if n_criticisms > 0 else None
            return selection._json(data, checked(worst))

    @contextmanager
    def _errors(self) -> Iterator[None]:
        """Raise errors with their hints as text: an error with other attributes cannot be sent."""
        try:
            yield
        except ValueError as error:
            advice: _native.Advice | None = getattr(error, "advice", None)
            hint = None if advice is None else advice.render(list(self._call.keywords))
            raise ValueError(f"{error}" if hint is None else f"{error}\nhint: {hint}") from None

    def _data(self, level: str, known: Known | None) -> Loaded:
        """The data, which are read again after a restart and compared with what is known of them."""
        if self._loaded is None:
            # Before anything is computed, since the last bits depend on it.
            _native.limit_to_instructions(level)
            try:
                loaded = load(self._call)
            except (ValueError, OSError):
                if known is not None:
                    known.check(self._call, None)
                raise
            if known is not None:
                known.check(self._call, loaded.hash)
            self._loaded = loaded
        return self._loaded

    def _asked(self, ask: Callable[[_native.WorkerPort], Any], level: str, part: list[Any]) -> Any:
        if self._port is None:
            self._port = self._served(level, part)
        try:
            return ask(self._port)
        except RuntimeError:
            # The thread that serves the port has ended, or is about to.
            if self._thread is not None:
                self._thread.join(10.0)
            if self._failure is not None:
                raise self._failure from None
            raise

    def _prepared(self, level: str, parts: list[Any]) -> tuple[Part, Loaded, list[bytes], dict[str, Any]]:
        """The part, the data, the results of the tasks of the kernel mean, and the options."""
        import ray

        part: Part = ray.get(parts[0])
        loaded = self._data(level, part.known)
        if loaded.hash != part.known.hash:
            part.known.check(self._call, loaded.hash)
        results = [bytes(result) for result in ray.get(part.results)]
        return part, loaded, results, {**part.options, "target_weights": loaded.options["target_weights"]}

    def _selected(self, level: str, parts: list[Any]) -> tuple[_native.Document, Any]:
        _, loaded, results, options = self._prepared(level, parts)
        return _native.select_from_tasks(loaded.data.sides(), options, loaded.origin, results, self._call.run())

    def _served(self, level: str, parts: list[Any]) -> _native.WorkerPort:
        part, loaded, results, options = self._prepared(level, parts)
        port = _native.WorkerPort()

        def serve() -> None:
            try:
                port.serve(loaded.data.sides(), options, loaded.origin, (part.rows, results), self._call.run())
            except BaseException as failure:
                self._failure = failure

        self._thread = threading.Thread(target=serve, daemon=True)
        self._thread.start()
        return port

    def _close(self) -> None:
        """Ends the search; it can be served again."""
        if self._port is not None and self._thread is not None:
            self._port.close()
            self._thread.join()
        self._port, self._thread = None, None
