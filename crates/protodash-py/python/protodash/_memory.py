"""The memory limit of a call."""

from __future__ import annotations

import os
import re
from typing import Any

_MOST = 2**63 - 1
"""Maximum memory limit."""
_UNITS = {"": 1, "B": 1}
_UNITS |= {f"{prefix}B": 1000**power for power, prefix in enumerate("KMGT", 1)}
_UNITS |= {f"{prefix}IB": 1024**power for power, prefix in enumerate("KMGT", 1)}


def as_bytes(memory: int | str | None) -> int:
    """The number of bytes: a number, text such as "8GiB", or None for half of the machine's memory."""
    if memory is None:
        return _installed() // 2
    if isinstance(memory, str):
        parsed = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([KMGT]?I?B?)\s*", memory, re.IGNORECASE)
        unit = _UNITS.get(parsed[2].upper()) if parsed else None
        if parsed is None or unit is None:
            raise ValueError(f'memory is {memory!r}; it must be a number of bytes, or one with a unit such as "8GiB"')
        return min(_MOST, int(float(parsed[1]) * unit))
    if isinstance(memory, bool) or not hasattr(memory, "__index__"):
        raise TypeError(f"memory is of type {type(memory).__name__}; it must be a number of bytes or text")
    if memory < 0:
        raise ValueError(f"memory is {memory}; it must be at least 0")
    return min(_MOST, int(memory))


def check_memory(rows: int, columns: int, itemsize: int, what: Any, memory: int) -> None:
    """Rejects a matrix that does not fit."""
    check_bytes(f"the {what} has {rows} rows and {columns} columns", rows * columns * itemsize, memory)


def check_bytes(what: str, needed: int, memory: int) -> None:
    """Rejects data that do not fit; `what` describes their size."""
    if needed > memory:
        raise ValueError(f"{what} and needs {needed} bytes, more than the {memory} allowed; increase memory=")


def _installed() -> int:
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return 16 << 30
