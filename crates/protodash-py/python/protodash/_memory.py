"""The memory limit of a call."""

from __future__ import annotations

from typing import Any

from . import _native

_MOST = 2**63 - 1
"""Maximum memory limit."""


def as_bytes(memory: int | str | None) -> int:
    """The number of bytes: a number, text such as "8GiB", or None for half of the machine's memory."""
    if memory is None:
        return _native.half_of_memory()
    if isinstance(memory, str):
        try:
            return _native.parse_size(memory)
        except ValueError as error:
            raise ValueError(f"memory is {memory!r}; it {error}") from None
    if isinstance(memory, bool) or not hasattr(memory, "__index__"):
        raise TypeError(f"memory is of type {type(memory).__name__}; it must be a number of bytes or text")
    if memory < 1:
        raise ValueError(f"memory is {memory}; it must be at least 1")
    return min(_MOST, int(memory))


def check_memory(rows: int, columns: int, itemsize: int, what: Any, memory: int) -> None:
    """Reject a matrix that does not fit."""
    check_bytes(f"the {what} has {rows} rows and {columns} columns", rows * columns * itemsize, memory)


def check_bytes(what: str, needed: int, memory: int) -> None:
    """Reject data that do not fit; `what` describes their size."""
    if needed > memory:
        raise ValueError(f"{what} and needs {needed} bytes, more than the {memory} allowed; increase memory=")
