"""The prototypes of a selection one by one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast, overload

if TYPE_CHECKING:
    from ._selection import Selection


@dataclass(frozen=True)
class Prototype:
    """One prototype of a selection."""

    index: int
    """The row of the source, counted from 0."""
    weight: float
    share: float
    """The weight divided by the sum of all weights."""
    gain: float
    """How much the objective rose with it."""
    id: Any = None
    label: Any = None
    fixed: bool = False
    """Whether it was fixed, not chosen."""


class PrototypeSequence(Sequence[Prototype]):
    """The part of a selection that is a sequence of its prototypes."""

    @property
    def prototypes(self) -> list[Prototype]:
        """The prototypes in order of choice, each with its weight, share, gain, id and label."""
        selection = cast("Selection", self)
        found = zip(selection.indices.tolist(), selection.weights.tolist(), selection.shares, selection.gains, strict=True)
        ids, labels, n_fixed = selection.ids, selection.labels, selection.n_fixed
        return [
            Prototype(
                index,
                weight,
                float(share),
                float(gain),
                None if ids is None else ids[place],
                None if labels is None else labels[place],
                place < n_fixed,
            )
            for place, (index, weight, share, gain) in enumerate(found)
        ]

    @overload
    def __getitem__(self, place: int) -> Prototype: ...
    @overload
    def __getitem__(self, place: slice) -> list[Prototype]: ...
    def __getitem__(self, place: int | slice) -> Prototype | list[Prototype]:
        return self.prototypes[place]

    def __iter__(self) -> Iterator[Prototype]:
        return iter(self.prototypes)
