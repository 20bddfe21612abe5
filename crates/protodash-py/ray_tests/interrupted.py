"""Not a test: the process of `test_ctrl_c_stops_the_workers_at_every_stage`. It says at which stage it is, and waits for SIGINT."""

from __future__ import annotations

import signal
import sys
import time
from pathlib import Path
from typing import Any

import ray

import protodash.ray
from protodash.ray import _cluster
from protodash.ray._worker import Worker


def say(what: str) -> None:
    print(what, flush=True)


def main(address: str, source: str, folder: str) -> None:
    class Slow(Worker):
        """A worker that is busy for a minute at one stage."""

        def describe(self, level: str) -> Any:
            self._wait("reading")
            return super().describe(level)

        def run_task(self, level: str, task: int, known: Any) -> bytes:
            self._wait("means")
            return super().run_task(level, task, known)

        def handle(self, message: bytes, level: str, part: list[Any]) -> bytes:
            self._wait("search")
            return super().handle(message, level, part)

        def finish(self, path: bytes | None, level: str, part: list[Any]) -> str:
            self._wait("finish")
            return super().finish(path, level, part)

        def _wait(self, stage: str) -> None:
            if Path(folder, stage).exists():
                Path(folder, "there").touch()
                time.sleep(60)

    # A shell starts background processes with SIGINT ignored, and then Python installs no handler of its own.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    _cluster.Worker = Slow  # type: ignore[misc]
    ray.init(address=address, log_to_driver=False)
    for stage in ["reading", "means", "search", "finish"]:
        Path(folder, stage).touch()
        say(stage)
        try:
            protodash.ray.select(source, n_prototypes=5, n_workers=2)
            say("not interrupted")
        except KeyboardInterrupt:
            say("interrupted")
        Path(folder, stage).unlink()


if __name__ == "__main__":
    main(*sys.argv[1:])
