"""Names and classes of rows as text."""

from __future__ import annotations

from typing import Any

import numpy as np


def as_text(value: Any) -> str:
    """The value as text, a missing one as the empty text: so the command has an empty cell of such a column.

    >>> as_text(7), as_text(None), as_text(float("nan"))
    ('7', '', '')
    """
    return "" if _is_missing(value) else str(value)


def _is_missing(value: Any) -> bool:
    nothing = value is None or type(value).__name__ in ("NAType", "NaTType")
    return nothing or (isinstance(value, (float, np.floating)) and bool(np.isnan(value)))
