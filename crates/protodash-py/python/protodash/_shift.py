"""Covariate shift: the source before and after weighting, compared with the target."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from . import _native, _show
from ._data import Data, Rows

if TYPE_CHECKING:
    from ._selection import Selection


class CovariateShift:
    """The source before and after weighting, and the target.

    >>> import numpy as np, protodash
    >>> source, target = np.array([[0.0], [1.0], [2.0], [3.0]]), np.array([[2.0], [3.0], [3.0], [3.0]])
    >>> selection = protodash.select(source, target, "all", bandwidth=0.5, shift=True)
    >>> print(repr(selection.covariate_shift).splitlines()[1])
    x0        1.500     2.750   2.750       -2.89       0.00
    """

    effective_sample_size: float
    """(Σw)²/Σw²: how many equally weighted rows would estimate a mean equally well."""
    features: list[dict[str, Any]]
    """The means, standard deviations and gaps of each feature, named as in the result's JSON.

    They are in the units of the table. Features that are constant in source and target are omitted.
    """
    weights: NDArray[np.float64] | None
    """A weight for each row of the source, 0 for rows that were not chosen; None if the selection was loaded.

    Rows of a table that `source_where` excludes are included, with weight 0.
    """

    def __init__(
        self, document: _native.Document, saved: dict[str, Any], weights: NDArray[np.float64] | None
    ) -> None:
        """Wrap the record of a document; `Selection.covariate_shift` calls this."""
        self._document = document
        self.effective_sample_size, self.features = saved["effective_sample_size"], saved["features"]
        self.weights = weights

    def to_frame(self, kind: str | None = None) -> Any:
        """The features as a pandas or polars data frame.

        >>> import numpy as np, protodash
        >>> rows = np.array([[0.0], [1.0], [2.0]])
        >>> selection = protodash.select(rows, rows + 1, 2, bandwidth=1.0, shift=True)
        >>> list(selection.covariate_shift.to_frame("pandas").columns)[:4]
        ['feature', 'source_mean', 'weighted_mean', 'target_mean']
        """
        from ._frames import library

        names = list(self.features[0]) if self.features else ["feature"]
        return library(kind).DataFrame({name: [feature[name] for feature in self.features] for name in names})

    def __repr__(self) -> str:
        table, sentences = self._document.shift()
        return "\n".join([_show.plain(table), *sentences])

    def _repr_html_(self) -> str:
        table, sentences = self._document.shift()
        return _show.html(table, sentences)


def check_shift(data: Data) -> None:
    """Reject data whose shift cannot be measured."""
    if data.target is None:
        raise ValueError("shift compares the source with a separate target, but none was given")
    if data.kernel.name == "precomputed":
        raise ValueError("shift compares features, but kernel values have none")


def measure_shift(selection: Selection, data: Data) -> None:
    """Add the covariate shift to a selection."""
    numbered = range(data.source.matrix.shape[1])
    features = data.columns or [(f"x{column}", None, False, (0.0, 1.0), False) for column in numbered]
    weights = _native.covariate_shift(
        selection._document,
        data.sides(),
        selection._positions,  # type: ignore[arg-type]
        data.target_weights,
        features,
        data.run(),
    )
    selection._shift_weights = _of_table(weights, data.source)


def _of_table(weights: NDArray[np.float64], rows: Rows) -> NDArray[np.float64]:
    """The weights by row of the caller's table."""
    if rows.numbers is None or rows.n_rows is None:
        return weights
    all_rows = np.zeros(rows.n_rows)
    all_rows[rows.numbers] = weights
    return all_rows
