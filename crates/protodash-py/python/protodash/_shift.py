"""What weighting the source did to it, beside the target that it was to look like."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from . import _native, _show
from ._data import Data, Rows

if TYPE_CHECKING:
    from ._selection import Selection


@dataclass(eq=False, repr=False)
class CovariateShift:
    """The source before and after it was weighted, and the target.

    >>> import numpy as np, protodash
    >>> source, target = np.array([[0.0], [1.0], [2.0], [3.0]]), np.array([[2.0], [3.0], [3.0], [3.0]])
    >>> selection = protodash.select(source, target, "all", bandwidth=0.5, shift=True)
    >>> selection.covariate_shift
    feature  source  weighted  target  before  after
         x0     1.5      2.75    2.75   -2.89   0.00
    4 source rows count as 1.6; differences are in standard deviations of the target
    """

    effective_sample_size: float
    """(Σw)²/Σw²: how many equally weighted rows would estimate a mean as well."""
    features: list[dict[str, Any]]
    """For each feature its means, standard deviations and differences, under the names of the result's JSON.

    They are in the units of the table. A feature that is constant in source and target is left out.
    """
    weights: NDArray[np.float64] | None = None
    """A weight for each row of the source, 0 for those that were not chosen; None if it was loaded.

    Rows of a table that `source_where` leaves out are counted: they have the weight 0.
    """
    n_source: int = 0

    def to_frame(self, kind: str | None = None) -> Any:
        """The features as a data frame of pandas or polars.

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
        return "\n".join([_show.plain(_show.shift_table(self)), *self._sentences()])

    def _repr_html_(self) -> str:
        return _show.html(_show.shift_table(self), self._sentences())

    def _sentences(self) -> list[str]:
        counts = f"{self.n_source:,} source rows count as {self.effective_sample_size:,.1f}"
        return [f"{counts}; differences are in standard deviations of the target"]


def check_shift(data: Data) -> None:
    """Refuses data of which no shift can be measured."""
    if data.target is None:
        raise ValueError("shift compares the source with another target, and there is none")
    if data.kernel.name == "precomputed":
        raise ValueError("shift speaks of features, and kernel values have none")


def measured(selection: Selection, data: Data) -> CovariateShift:
    """What the weights of a selection did to the source that it was made from."""
    names = data.features or [f"x{column}" for column in range(data.source.matrix.shape[1])]
    units = [(0.0, 1.0)] * len(names) if data.columns is None else [unit for *_, unit in data.columns]
    size, weights, features = _native.covariate_shift(
        data.sides(),
        (selection._positions, selection.weights),  # type: ignore[arg-type]
        data.target_weights,
        list(zip(names, units, strict=True)),
        data.run(),
    )
    return CovariateShift(size, features, _of_table(weights, data.source), selection.n_source)


def _of_table(weights: NDArray[np.float64], rows: Rows) -> NDArray[np.float64]:
    """The weights in the rows of the caller's table."""
    if rows.numbers is None or rows.n_rows is None:
        return weights
    all_rows = np.zeros(rows.n_rows)
    all_rows[rows.numbers] = weights
    return all_rows
