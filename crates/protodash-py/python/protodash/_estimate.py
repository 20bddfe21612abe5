"""Estimates of a mean over all rows from weighted prototypes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from . import _native
from ._data import Data, Rows

if TYPE_CHECKING:
    from ._selection import Selection

Numbers = float | NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Estimate:
    """The mean of a value over all rows, estimated from the prototypes: a number each, or one for each column of scores.

    >>> import protodash
    >>> selection = protodash.select([[0.0], [0.1], [0.2], [5.0]], n_prototypes=2, kernel="gaussian", bandwidth=1.0)
    >>> found = selection.estimate([1, 1, 1, 0])
    >>> round(found.estimate, 2), found.mean, found.random_standard_error
    (0.75, 0.75, 0.25)
    """

    estimate: Numbers
    """The mean over the prototypes by their weights."""
    mean: Numbers | None
    """The mean over all rows; None if the scores of some are unknown."""
    error: Numbers | None
    """`estimate - mean`."""
    random_standard_error: Numbers | None
    """The standard error of the mean of the same number of random rows; None if unknown, or if rows differ in weight."""


def estimate(selection: Selection, data: Data | None, scores: Any, target_scores: Any, target_weights: Any) -> Estimate:
    """Estimate the mean of each column of `scores`."""
    values = _numbers("scores", scores)
    target = None if target_scores is None else _numbers("target_scores", target_scores)
    if target is not None and target.ndim != values.ndim:
        raise ValueError("scores and target_scores must both have one column per model, or both be one vector")
    indices, source = _of_source(selection, data, values)
    is_separate = data.target is not None if data is not None else selection.n_source != selection.n_target
    if target is not None and not is_separate:
        raise ValueError("target_scores are for a separate target, but source and target are the same rows")
    if is_separate and target is None and indices is not None:
        # The scores of the target are unknown, so only those of the prototypes count.
        indices, source = None, source[indices]
    if target is not None:
        n_rows = selection.n_target if data is None or data.target is None else data.target.n_table_rows()
        if len(target) != n_rows:
            raise ValueError(f"target_scores has {len(target)} rows; there must be one for each of the {n_rows} target rows")
        if data is not None and data.target is not None and data.target.numbers is not None:
            target = target[data.target.numbers]
    if target_weights is None and data is not None:
        target_weights = data.target_weights
    weights = None if target_weights is None else np.ascontiguousarray(target_weights, dtype=np.float64)
    columns = [source] if source.ndim == 1 else list(source.T)
    others: list[Any] = [None] * len(columns) if target is None else [target] if target.ndim == 1 else list(target.T)
    if len(others) != len(columns):
        raise ValueError(f"target_scores has {len(others)} columns and scores has {len(columns)}; there must be as many")
    own = np.ascontiguousarray(selection.weights)
    found = [
        _native.estimate(
            indices,
            own,
            np.ascontiguousarray(column),
            None if other is None else np.ascontiguousarray(other),
            weights if indices is not None else None,
        )
        for column, other in zip(columns, others, strict=True)
    ]
    return Estimate(*found[0]) if source.ndim == 1 else Estimate(*(_column(values) for values in zip(*found, strict=True)))


def _column(values: tuple[Any, ...]) -> Any:
    return None if values[0] is None else np.array(values)


def _numbers(what: str, given: Any) -> NDArray[np.float64]:
    try:
        values = np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise TypeError(f"{what} must be numbers: one for each row, or one row and one column for each model") from error
    if values.ndim not in (1, 2) or (values.ndim == 2 and values.shape[1] == 0):
        raise ValueError(f"{what} has shape {values.shape}; it must have one dimension, or rows and models")
    return values


def _of_source(
    selection: Selection, data: Data | None, values: NDArray[np.float64]
) -> tuple[NDArray[np.int64] | None, NDArray[np.float64]]:
    """Positions of the prototypes among scores of source rows; None with scores of the prototypes alone."""
    rows = None if data is None else data.source
    n_rows = selection.n_source if rows is None else rows.n_table_rows()
    if len(values) == len(selection) and len(values) != n_rows:
        return None, values
    if len(values) != n_rows:
        raise ValueError(
            f"scores has {len(values)} rows; there must be one for each of the {n_rows} source rows, or for each of the "
            f"{len(selection)} prototypes"
        )
    if rows is None or rows.numbers is None:
        return selection.indices, values
    places = rows.places()
    positions = np.array([places[int(row)] for row in selection.indices], dtype=np.int64)
    return positions, values[rows.numbers]
