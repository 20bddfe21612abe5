"""The settings that a selection was made with."""

from __future__ import annotations

from . import _native


class SelectionSettings:
    """The part of a selection that says how its rows and weights were chosen."""

    _document: _native.Document

    @property
    def method(self) -> str:
        """The method."""
        return self._document.method

    @property
    def weights_rule(self) -> str:
        """How the weights were computed: "nonnegative", "convex", "equal", "shares" or "own"."""
        return self._document.weights_rule

    @property
    def oversample(self) -> float:
        """The oversampling factor."""
        return self._document.oversample

    @property
    def max_weight(self) -> float | None:
        """The largest weight allowed, as a share of the total; None without a limit."""
        return self._document.max_weight

    @property
    def min_effective(self) -> float | None:
        """The smallest effective sample size (Σw)²/Σw² allowed; None without a limit."""
        return self._document.min_effective

    @property
    def seed(self) -> int:
        """The seed of every random draw."""
        return self._document.seed
