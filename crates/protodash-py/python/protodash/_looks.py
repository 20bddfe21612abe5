"""What sets each prototype apart, in one line, as the command shows it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import _native
from ._data import Data
from ._page import known_data

if TYPE_CHECKING:
    from ._selection import Selection

_WIDTH = 74
"""Maximum length of a line, which is indented by 6: 80 together."""


def looks(selection: Selection, data: Data) -> list[str]:
    """One line for each prototype with weight: its values, the most unusual ones if not all fit; none for images."""
    if data.image_shape is not None and min(data.image_shape) > 1:
        return []
    known = known_data(selection, data.with_copies())
    lines = _native.looks(selection._document, known, _WIDTH, data.run())
    return lines if any(lines) else []
