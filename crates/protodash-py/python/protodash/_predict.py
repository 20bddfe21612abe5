"""The nearest prototype of new rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from . import _calls, _native
from ._arrays import as_matrix, is_sparse
from ._data import Data, Rows
from ._memory import as_bytes
from ._sparse import SparseRows, as_sparse
from ._tables import is_table
from .kernels import Custom, Kernel, Linear, Precomputed

if TYPE_CHECKING:
    from ._selection import Selection


class NearestPrototypes:
    """The part of a selection that finds the nearest prototype of new rows."""

    @_calls.with_hints
    def predict(self, rows: Any, *, source: Any = None) -> NDArray[Any]:
        """The label of the nearest prototype of each row, or its position among the prototypes if they have no labels.

        Nearest means nearest in feature space among the prototypes with weight, as for the estimators and in `compare`.

        Parameters
        ----------
        rows : array, sparse matrix or table
            Rows with the features of the source; a table is encoded and scaled like the source, and needs neither its id nor its
            label column. With kernel values, the kernel of each row with each source row.
        source : optional
            The source again, for a loaded or unpickled selection, which has no data to encode and compare rows with.

        Returns
        -------
        array of shape (n_rows,)
            Labels, or positions: `selection[position]` is the prototype. The position is -1 if no prototype has weight.

        Raises
        ------
        ValueError, TypeError
            If the rows do not fit the source, if the source is needed, or if no prototype has weight although there are labels.

        Examples
        --------
        >>> import protodash
        >>> rows = [[0.0], [0.1], [4.0], [4.2]]
        >>> selection = protodash.select(rows, n_prototypes=2, bandwidth=1.0, label=["low", "low", "high", "high"])
        >>> selection.predict([[0.3], [3.0]]).tolist()
        ['low', 'high']
        >>> protodash.select(rows, n_prototypes=2, bandwidth=1.0).predict([[0.3], [3.0]]).tolist()
        [0, 1]
        """
        selection = cast("Selection", self)
        labels = selection.labels
        if labels is not None and not (selection.weights > 0).any():
            raise ValueError("no prototype has weight, so there is no label to predict; select with a smaller min_gain")
        n_rows = rows.shape[0] if is_sparse(rows) else len(rows)
        nearest = nearest_prototypes(selection.weights, n_rows, lambda: _compared(selection, rows, source))
        return nearest if labels is None else _as_array(labels)[nearest]


def nearest_prototypes(
    weights: NDArray[np.float64], n_rows: int, compared: Callable[[], tuple[Data, NDArray[np.int64]]]
) -> NDArray[np.int64]:
    """The prototype nearest to each row in feature space, among those with weight; -1 if none has weight.

    `compared` returns data whose target are the rows, and the prototypes as rows of their source.
    """
    if not (weights > 0).any():
        return np.full(n_rows, -1, dtype=np.int64)
    data, positions = compared()
    nearest, _ = _native.represent(data.sides(), positions, weights, data.run())
    return nearest


def _as_array(labels: Sequence[Any]) -> NDArray[Any]:
    """The labels as an array that does not change them."""
    if len({type(label) for label in labels}) == 1:
        return np.asarray(labels)
    mixed = np.empty(len(labels), dtype=object)
    mixed[:] = list(labels)
    return mixed


def _compared(selection: Selection, rows: Any, source: Any) -> tuple[Data, NDArray[np.int64]]:
    """Data whose target are the rows, and the prototypes as rows of their source."""
    from ._criticize import positions_in
    from ._gather import regather

    own, kernel, flags = selection._data, selection.kernel, selection._flags
    if own is None and source is None:
        raise ValueError(
            "this selection was loaded without its data, which rows are encoded and compared with; pass them again with source="
        )
    table = (source if is_table(source) else None) if own is None or source is not None else own.table
    if is_table(rows) != (table is not None):
        wrong, made = type(rows).__name__, "an array" if table is None else "a table"
        raise TypeError(f"the selection was made from {made}, but rows is of type {wrong}; both must be tables or arrays")
    seed = selection._document.seed
    if table is not None:
        # Conditions and samples say which rows were represented, not which ones to predict.
        flags = {**flags, "target_where": None, "target_sample": None, "target_weight": None, "show": []}
        known = regather(table, rows, None, _for_encoding(kernel), flags, seed)
        others = known.rows("target").matrix
    else:
        known = own if source is None and own is not None else regather(source, None, None, kernel, flags, seed)
        others = _like(known, rows, flags)
    if known is not own:
        _check_size(selection, known)
    positions = positions_in(selection, known) if selection._positions is None or known is not own else selection._positions
    n_threads = 0 if own is None else own.n_threads
    if isinstance(kernel, Precomputed):
        _check_columns(others, len(known.source.matrix), "kernel values, one for each source row")
        return Data(known.source, Rows(others.astype(np.float64)), kernel, n_threads=n_threads), positions
    chosen: Any = known.source.values()[positions]
    _check_columns(others, chosen.shape[1], "columns, as the source has")
    places = np.arange(len(chosen), dtype=np.int64)
    if isinstance(known.source.matrix, SparseRows):
        return Data(Rows(chosen), Rows(others), kernel, n_threads=n_threads), places
    if isinstance(kernel, Custom):
        values = Rows(kernel(chosen, chosen)), Rows(kernel(others, chosen))
        return Data(*values, Precomputed(), n_threads=n_threads), places
    wide = np.result_type(chosen, others)
    sides = Rows(np.ascontiguousarray(chosen, wide)), Rows(np.ascontiguousarray(others, wide))
    return Data(*sides, kernel, n_threads=n_threads), places


def _like(known: Data, rows: Any, flags: dict[str, Any]) -> Any:
    """The rows as a matrix, or sparse if those of the source are."""
    if isinstance(known.source.matrix, SparseRows):
        sparse = as_sparse(rows, "rows", as_bytes(None))
        return sparse.normalized()[0] if flags.get("normalize") else sparse
    dense = as_matrix(rows, "rows", as_bytes(None))
    return _native.normalized(dense)[0] if flags.get("normalize") else dense


def _for_encoding(kernel: Kernel) -> Kernel:
    """A kernel that encodes a table like this one, and needs no values of it."""
    return Linear() if isinstance(kernel, Custom) else kernel


def _check_size(selection: Selection, data: Data) -> None:
    found = len(data.source.matrix) if data.source.copies is None else len(data.source.copies)
    if found != selection.n_source:
        raise ValueError(f"the selection was made from {selection.n_source} source rows, but these data have {found}")


def _check_columns(rows: Any, wanted: int, what: str) -> None:
    if rows.shape[1] != wanted:
        raise ValueError(f"rows has {rows.shape[1]} columns; it must have {wanted} {what}")
