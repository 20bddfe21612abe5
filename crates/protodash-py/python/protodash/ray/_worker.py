"""A worker: an actor with all rows and a part of the search."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from .. import _native
from .._select import named
from ._load import Call, Loaded, load


@dataclass(frozen=True)
class Part:
    """A worker's part of a search."""

    rows: tuple[int, int]
    results: list[Any]
    """Where the results of all tasks of the kernel mean are: references to objects of Ray."""
    hash: str
    """The hash of the data at the beginning of the run."""
    options: dict[str, Any]


class Worker:
    """An actor. It may be restarted at any time: each method restores what it needs."""

    def __init__(self, call: Call) -> None:
        self._call = call
        self._level: str | None = None
        self._loaded: Loaded | None = None
        self._port: _native.WorkerPort | None = None
        self._thread: threading.Thread | None = None
        self._failure: BaseException | None = None

    def alive(self) -> int:
        """Answer at once, whatever the worker is doing, with the number of its process."""
        return os.getpid()

    def instructions(self) -> str:
        """The best vector instructions of this machine."""
        return _native.instructions()

    def describe(self, level: str) -> dict[str, Any]:
        """What the driver has to know about the data."""
        with self._errors():
            return self._data(level).facts(self._call)

    def run_task(self, level: str, task: int) -> bytes:
        """The result of a task of the kernel mean."""
        with self._errors():
            loaded = self._data(level)
            return _native.run_mean_task(loaded.data.sides(), loaded.options, task, self._call.run())

    def handle(self, message: bytes, level: str, part: list[Any]) -> bytes:
        """The reply to a message of the leader. `part` holds a reference, since it is needed only after a restart."""
        with self._errors():
            reply: bytes = self._asked(lambda port: port.handle(message), level, part)
            return reply

    def finish(self, path: bytes, level: str, part: list[Any]) -> str:
        """The result of a path that the leader found, as JSON."""
        with self._errors():
            document = self._asked(lambda port: port.finish(path), level, part)
            data = self._data(level).data
            return named(document, data, None)._json(data)

    @contextmanager
    def _errors(self) -> Iterator[None]:
        """Raise errors with their hints as text: an error with other attributes cannot be sent."""
        try:
            yield
        except ValueError as error:
            advice: _native.Advice | None = getattr(error, "advice", None)
            hint = None if advice is None else advice.render(list(self._call.keywords))
            raise ValueError(f"{error}" if hint is None else f"{error}\nhint: {hint}") from None

    def _data(self, level: str) -> Loaded:
        if self._loaded is None:
            # Before anything is computed, since the last bits depend on it.
            _native.limit_to_instructions(level)
            self._loaded = load(self._call)
        return self._loaded

    def _asked(self, ask: Callable[[_native.WorkerPort], Any], level: str, part: list[Any]) -> Any:
        if self._port is None:
            self._port = self._served(self._data(level), part)
        try:
            return ask(self._port)
        except RuntimeError:
            # The thread that serves the port has ended, or is about to.
            if self._thread is not None:
                self._thread.join(10.0)
            if self._failure is not None:
                raise self._failure from None
            raise

    def _served(self, loaded: Loaded, parts: list[Any]) -> _native.WorkerPort:
        import ray

        part: Part = ray.get(parts[0])
        found = _native.hash_of_data(loaded.data.sides(), loaded.data.target_weights, self._call.run())
        if found != part.hash:
            raise ValueError(f"{self._call.source} has changed during the run")
        results = [bytes(result) for result in ray.get(part.results)]
        options = {**part.options, "target_weights": loaded.options["target_weights"]}
        port = _native.WorkerPort()

        def serve() -> None:
            try:
                port.serve(loaded.data.sides(), options, loaded.origin, (part.rows, results), self._call.run())
            except BaseException as failure:
                self._failure = failure

        self._thread = threading.Thread(target=serve, daemon=True)
        self._thread.start()
        return port
