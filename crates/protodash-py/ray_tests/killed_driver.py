"""Not a test: calling processes of `test_lost_drivers`, which are killed (SIGKILL) one after the other.

Each is a copy of this process, so that the packages are imported once.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from typing import Any

import ray

import protodash.ray
from protodash.ray._journal import Journal


def kill() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def call(address: str, arguments: dict[str, Any], output: str, moment: str, size: int) -> None:
    """The same call each time; it is killed at a moment."""
    record, finish = Journal.record, Journal.finish

    def recorded(journal: Journal, now: int, row: int) -> None:
        if moment == "before" and now == size:
            kill()
        record(journal, now, row)
        if moment == "after" and now == size:
            kill()

    def finished(journal: Journal, result: str) -> None:
        if moment == "before the result":
            kill()
        finish(journal, result)

    Journal.record, Journal.finish = recorded, finished  # type: ignore[method-assign]
    ray.init(address=address, log_to_driver=False)
    selection = protodash.ray.select(**arguments)
    if moment == "after the result":
        kill()
    selection.save(output)


def main() -> None:
    address, arguments, output, moments = sys.argv[1:]
    for moment, size in json.loads(moments):
        child = os.fork()
        if child == 0:
            call(address, json.loads(arguments), output, moment, size)
            os._exit(0)
        _, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)


if __name__ == "__main__":
    main()
