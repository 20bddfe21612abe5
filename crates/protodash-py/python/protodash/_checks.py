"""Checks of options that several functions have."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from . import _native


def word(what: str, given: Any, allowed: Sequence[str]) -> str:
    """Check an option with a fixed list of values."""
    if not isinstance(given, str):
        raise TypeError(f"{what} is of type {type(given).__name__}; it must be one of {', '.join(allowed)}")
    if given not in allowed:
        raise ValueError(f"unknown {what} {given!r}; allowed are {', '.join(allowed)}")
    return given


def whole(what: str, given: Any, least: int, most: int = 2**63 - 1) -> int:
    """Check an integer."""
    if isinstance(given, (bool, np.bool_)) or not hasattr(given, "__index__"):
        raise TypeError(f"{what} is of type {type(given).__name__}; it must be a whole number, at least {least}")
    if given < least:
        if what == "n_prototypes" and given == 0:
            raise ValueError("0 prototypes requested; at least 1 is needed")
        raise ValueError(f"{what} is {given}; it must be at least {least}")
    if given > most:
        raise ValueError(f"{what} is {given}; it must be at most {most}")
    return int(given)


def real(what: str, given: Any) -> float:
    """Check a number."""
    if isinstance(given, (bool, str, bytes)) or not hasattr(given, "__float__") or np.ndim(given) > 0:
        raise TypeError(f"{what} is of type {type(given).__name__}; it must be a number")
    return float(given)


def threads(n_threads: Any) -> int:
    """Check a number of threads; 0 is one per core."""
    return 0 if n_threads is None else whole("n_threads", n_threads, 1, _native.MAX_THREADS)


def seed_of(seed: Any) -> int:
    """Check a seed."""
    return whole("seed", seed, 0, 2**64 - 1)


def optional_real(what: str, given: Any) -> float | None:
    """Check a number that may be missing."""
    return None if given is None else real(what, given)


def optional_whole(what: str, given: Any) -> int | None:
    """Check an integer of at least 1 that may be missing."""
    return None if given is None else whole(what, given, 1)
