"""Criticisms of a selection, from its data or from its file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from . import _native
from ._criticisms import Criticisms
from ._data import Data
from .kernels import Custom

if TYPE_CHECKING:
    from ._selection import Selection


def criticize(
    selection: Selection,
    data: Data | None,
    n_criticisms: int,
    definition: str,
    diversity: float,
    among: str,
    report: Callable[[str, int, int], object] | None,
) -> Criticisms:
    """The worst-represented rows."""
    from ._checks import real, whole, word

    whole("n_criticisms", n_criticisms, 1)
    word("definition", definition, ("witness", "distance"))
    word("among", among, _native.AMONG)
    wanted = real("diversity", diversity) if definition == "witness" else None
    if data is None:
        return _stored(selection, n_criticisms, (definition, wanted, among))
    if among == "target":
        _check_target_values(data)
    options = {
        "n_criticisms": n_criticisms,
        "definition": definition,
        "diversity": 0.0 if wanted is None else wanted,
        "among": among,
        "target_weights": data.target_weights,
        "kernel_mean": selection._kernel_mean if data is selection._data else None,
        "objective": selection.objective_final,
    }
    rows = data.rows(among)
    positions, scores = _native.criticize(
        data.sides(), positions_in(selection, data), selection.weights, options, data.run(report)
    )
    return Criticisms(
        indices=np.array([rows.number(position) for position in positions], dtype=np.int64),
        scores=scores,
        definition=definition,
        diversity=wanted,
        among=among,
        ids=rows.own_ids(positions),
        labels=rows.own_labels(positions),
        id_texts=rows.id_texts(positions),
        label_texts=rows.label_texts(positions),
    )


def _stored(selection: Selection, n_criticisms: int, rule: tuple[str, float | None, str]) -> Criticisms:
    """The first criticisms of the file that a selection was loaded from."""
    saved = selection._document.criticisms()
    stored = None if saved is None else Criticisms(**saved)
    if stored is None or (stored.definition, stored.diversity, stored.among) != rule or len(stored) < n_criticisms:
        raise ValueError("this selection was loaded without its data; pass them again with source= and target=")
    return replace(
        stored,
        indices=stored.indices[:n_criticisms],
        scores=stored.scores[:n_criticisms],
        ids=None if stored.ids is None else stored.ids[:n_criticisms],
        labels=None if stored.labels is None else stored.labels[:n_criticisms],
    )


def _check_target_values(data: Data) -> None:
    """Reject kernel values that do not include those of target rows with each other."""
    from ._select import lacks_energy

    if not lacks_energy(data):
        return
    step = 'select again with target_energy="exact"' if isinstance(data.kernel, Custom) else "pass target_gram to select"
    raise ValueError(f"criticisms among the target need the kernel values of its rows with each other; {step}")


def positions_in(selection: Selection, data: Data) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """The prototypes as rows of the matrix."""
    if data.source.numbers is None:
        return selection.indices
    where = data.source.places()
    missing = [int(index) for index in selection.indices if int(index) not in where]
    if missing:
        raise ValueError(f"the selection refers to source row {missing[0]}, which is not in these data")
    return np.array([where[int(index)] for index in selection.indices], dtype=np.int64)
