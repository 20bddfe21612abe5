"""Ids, labels and weights that the caller gives for each row: those of the rows in the matrix."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._arrays import as_weights
from ._data import Rows
from ._texts import as_text, one_each


def name_rows(
    source: Rows,
    target: Rows | None,
    id: str | Iterable[Any] | None,
    label: str | Iterable[Any] | None,
    target_labels: Iterable[Any] | None,
    has_target: bool,
) -> None:
    """Set ids and labels that are given as values; those given as the name of a column are already set.

    `has_target` says whether the caller passed a target; otherwise its rows are rows of the source.
    """
    if not (isinstance(id, str) or id is None):
        source.id_values = _picked("id", id, source)
        source.ids = [as_text(value) for value in source.id_values]
    if not (isinstance(label, str) or label is None):
        # An iterator can be read only once.
        values = label if hasattr(label, "__len__") or not hasattr(label, "__iter__") else list(label)
        source.labels = _picked("label", values, source)
        if target is not None and not has_target:
            target.labels = _picked("label", values, target)
    if target_labels is not None:
        if target is None or not has_target:
            raise ValueError("target_labels requires a target")
        target.labels = _picked("target_labels", target_labels, target, "target")


def weights_of(rows: Rows, weights: Any) -> NDArray[np.float64] | None:
    """Return the weights of the rows in the matrix, given for those or for all rows of the caller's data."""
    checked = as_weights(weights, "target_weights")
    if checked is None or rows.numbers is None or len(checked) != rows.n_rows:
        return checked
    return checked[rows.numbers]


def _picked(
    what: str,
    values: Any,
    rows: Rows,
    role: str = "source",
) -> list[Any]:
    """Return the values, given for each row of the caller's data, of the rows in the matrix."""
    listed = one_each(what, values, rows.n_table_rows(), role)
    return [listed[row] for row in rows.table_rows()]
