"""Badly represented rows, for display in Python."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _native, _show
from ._texts import as_text

Floats = NDArray[np.float64]


@dataclass(eq=False, repr=False)
class Criticisms:
    """Badly represented rows, worst first.

    >>> import protodash
    >>> selection = protodash.select([[0.0], [0.1], [0.2], [9.0]], n_prototypes=1, bandwidth=1.0)
    >>> selection.criticisms(1, definition="distance").indices
    array([3])
    """

    indices: NDArray[np.int64]
    """Rows of the source, or of the target if that was searched, counted from 0."""
    scores: Floats
    """How badly each is represented: |witness| or distance."""
    definition: str
    diversity: float | None
    among: str
    ids: Sequence[Any] | None = None
    labels: Sequence[Any] | None = None
    id_texts: Sequence[str] | None = None
    """The ids as written to files, if that is not their text."""
    label_texts: Sequence[str] | None = None

    def __len__(self) -> int:
        return len(self.indices)

    def __iter__(self) -> Iterator[tuple[int, float]]:
        return iter(zip(self.indices.tolist(), self.scores.tolist(), strict=True))

    def __repr__(self) -> str:
        return _show.plain(_native.criticism_table(self._described()))

    def _repr_html_(self) -> str:
        return _show.html(_native.criticism_table(self._described()))

    def to_frame(self, kind: str | None = None) -> Any:
        """The criticisms as a pandas or polars data frame.

        >>> import protodash
        >>> selection = protodash.select([[0.0], [0.1], [9.0]], n_prototypes=1, bandwidth=1.0)
        >>> list(selection.criticisms(1).to_frame("pandas").columns)
        ['source_index', 'score']
        """
        from ._frames import criticism_frame

        return criticism_frame(self, kind)

    def _described(self) -> dict[str, Any]:
        """The criticisms for the native half, with names as text."""
        return {
            "definition": self.definition,
            "diversity": self.diversity,
            "among": self.among,
            "indices": self.indices.tolist(),
            "scores": self.scores.tolist(),
            "ids": _texts(self.ids if self.id_texts is None else self.id_texts),
            "labels": _texts(self.labels if self.label_texts is None else self.label_texts),
        }


def checked(criticisms: Any) -> dict[str, Any] | None:
    """The criticisms for the native half; None leaves those of the document."""
    if criticisms is None:
        return None
    if not isinstance(criticisms, Criticisms):
        found = type(criticisms).__name__
        raise TypeError(f"criticisms is of type {found}; it must be what selection.criticisms(...) returns")
    return criticisms._described()


def _texts(values: Sequence[Any] | None) -> list[str] | None:
    return None if values is None else [as_text(value) for value in values]
