"""How far a run is: a line on the standard error stream, a bar of tqdm's, or whatever the caller calls."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

Report = Callable[[str, int, int], object]
"""Called with the stage, what is done of it and what there is to do."""


@contextmanager
def reporter(progress: Any) -> Iterator[Report | None]:
    """What to call with progress: nothing, our own line, a bar for each stage, or the caller's function."""
    if progress is None or progress is False:
        yield None
        return
    if progress is True:
        watcher: Line | Bars = Line()
    elif isinstance(progress, type) and hasattr(progress, "update"):
        watcher = Bars(progress)
    elif callable(progress):
        yield progress
        return
    else:
        allowed = "True, False, a function of stage, done and total, or a class such as tqdm"
        raise TypeError(f"progress is of type {type(progress).__name__}; it must be {allowed}")
    try:
        yield watcher
        watcher.finish()
    finally:
        watcher.close()


class Line:
    """One line that is written over again; terminals and notebooks both show it so."""

    def __init__(self, stream: Any = None) -> None:
        self._stream = sys.stderr if stream is None else stream
        self._begun = time.monotonic()
        self._width = 0

    def __call__(self, stage: str, done: int, total: int) -> None:
        part = min(1.0, done / total) if total else 1.0
        bar = "█" * round(20 * part) + "░" * (20 - round(20 * part))
        self._write(f"{stage:<14} {bar} {100 * part:3.0f} %  {time.monotonic() - self._begun:.1f} s")

    def finish(self) -> None:
        """Hears that all is done."""

    def close(self) -> None:
        """Takes the line away."""
        self._write("")
        self._stream.write("\r")
        self._stream.flush()

    def _write(self, text: str) -> None:
        self._stream.write("\r" + text.ljust(self._width))
        self._width = len(text)
        self._stream.flush()


class Bars:
    """A bar for each stage, made by a class with tqdm's interface."""

    def __init__(self, make: Callable[..., Any]) -> None:
        self._make = make
        self._stage: str | None = None
        self._bar: Any = None

    def __call__(self, stage: str, done: int, total: int) -> None:
        if stage != self._stage:
            self.finish()
            self.close()
            self._bar, self._stage = self._make(total=total, desc=stage), stage
        self._bar.total = total
        self._bar.update(done - self._bar.n)

    def finish(self) -> None:
        """Fills the current bar: a stage may end before it has used up its steps."""
        if self._bar is not None:
            self._bar.update(self._bar.total - self._bar.n)

    def close(self) -> None:
        """Ends the current bar."""
        if self._bar is not None:
            self._bar.close()
        self._bar = None
