"""Progress of a run: a line on stderr, a tqdm bar, or the caller's function."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

Report = Callable[[str, int, int], object]
"""Called with stage, done and total."""


@contextmanager
def reporter(progress: Any) -> Iterator[Report | None]:
    """The function to call with progress, or None."""
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
    """One line that is overwritten, in terminals and notebooks, with the time that a stage will still take."""

    def __init__(self, stream: Any = None, clock: Callable[[], float] = time.monotonic) -> None:
        self._stream = sys.stderr if stream is None else stream
        self._clock = clock
        self._begun = clock()
        self._stage = ("", self._begun)
        self._width = 0

    def __call__(self, stage: str, done: int, total: int) -> None:
        part = min(1.0, done / total) if total else 1.0
        bar = "█" * round(20 * part) + "░" * (20 - round(20 * part))
        now = self._clock()
        if stage != self._stage[0]:
            self._stage = (stage, now)
        self._write(f"{stage:<14} {bar} {100 * part:3.0f} %  {now - self._begun:.1f} s{self._left(part, now)}")

    def _left(self, part: float, now: float) -> str:
        """The time until the stage ends at the pace so far, once that is known and worth saying."""
        spent = now - self._stage[1]
        if part <= 0.0 or spent < 1.0:
            return ""
        left = spent * (1.0 - part) / part
        return "" if left < 1.0 else f", {_duration(left)} left"

    def notice(self, text: str) -> None:
        """Print a line of text, which stays above the progress line."""
        self._write("")
        self._stream.write(f"\r{text}\n")
        self._stream.flush()

    def finish(self) -> None:
        """Do nothing: the line is removed by `close`."""

    def close(self) -> None:
        """Remove the line."""
        self._write("")
        self._stream.write("\r")
        self._stream.flush()

    def _write(self, text: str) -> None:
        self._stream.write("\r" + text.ljust(self._width))
        self._width = len(text)
        self._stream.flush()


def _duration(seconds: float) -> str:
    """A time in the largest unit that fits.

    >>> _duration(42.4), _duration(90.0), _duration(5400.0)
    ('42 s', '1 min 30 s', '1 h 30 min')
    """
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    return f"{whole // 60} min {whole % 60} s" if whole < 3600 else f"{whole // 3600} h {whole % 3600 // 60} min"


class Bars:
    """A bar for each stage, from a class with tqdm's interface."""

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

    def notice(self, text: str) -> None:
        """Print a line of text."""
        print(text, file=sys.stderr)

    def finish(self) -> None:
        """Fill the current bar, since a stage may end early."""
        if self._bar is not None:
            self._bar.update(self._bar.total - self._bar.n)

    def close(self) -> None:
        """Close the current bar."""
        if self._bar is not None:
            self._bar.close()
        self._bar = None
