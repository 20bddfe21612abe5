"""Ids and labels: one per row, as text for display."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np


def as_text(value: Any) -> str:
    """Return the value as text; a missing one is the empty string, as in the command.

    >>> as_text(7), as_text(None), as_text(float("nan"))
    ('7', '', '')
    >>> as_text(("a", 1))
    'a, 1'
    """
    if isinstance(value, tuple):
        # An entry of a multi-level index.
        return ", ".join(map(as_text, value))
    return "" if _is_missing(value) else str(value)


def one_each(what: str, values: Any, n_rows: int, role: str = "source") -> list[Any]:
    """Return the values as a list, after checking that there is one per row.

    >>> one_each("id", iter("ab"), 2)
    ['a', 'b']
    """
    if not hasattr(values, "__iter__"):
        found = type(values).__name__
        raise TypeError(f"{what} is of type {found}; it must be the name of a column, or one value for each {role} row")
    shape = getattr(values, "shape", None)
    if isinstance(shape, tuple) and len(shape) != 1:
        raise ValueError(f"{what} has the shape {shape}; it must be ({n_rows},), one value for each {role} row")
    listed = list(values.tolist() if isinstance(values, np.ndarray) else values)
    if len(listed) != n_rows:
        raise ValueError(f"{what} has {len(listed)} values for {n_rows} {role} rows; there must be one for each")
    for place, value in enumerate(listed):
        if isinstance(value, (list, np.ndarray)):
            found = f"{what} has {value!r} for row {place}"
            raise ValueError(f"{found}; it must be one value for each {role} row, not a list")
    return listed


def numbered_classes(target: Sequence[Any], source: Sequence[Any]) -> tuple[list[str], list[int], list[int]]:
    """Return the names of all classes in alphabetical order, and the class of each row of both sides as a place in it.

    >>> numbered_classes(["b"], ["a", "b"])
    (['a', 'b'], [1], [0, 1])
    """
    texts = [as_text(label) for label in target], [as_text(label) for label in source]
    names = sorted({*texts[0], *texts[1]})
    places = {name: place for place, name in enumerate(names)}
    return names, [places[text] for text in texts[0]], [places[text] for text in texts[1]]


def _is_missing(value: Any) -> bool:
    nothing = value is None or type(value).__name__ in ("NAType", "NaTType")
    return nothing or (isinstance(value, (float, np.floating)) and bool(np.isnan(value)))
