"""A drop-in replacement for AIX360's ProtoDash: change one import.

>>> import numpy as np
>>> from protodash.aix360 import ProtodashExplainer   # was: from aix360.algorithms.protodash import ProtodashExplainer
>>> rows = np.array([[1.0, 2.0], [1.1, 2.1], [0.9, 1.8], [8.0, 9.0], [8.2, 9.1]])
>>> W, S, setValues = ProtodashExplainer().explain(rows, rows, m=2, kernelType="Gaussian", sigma=1)
>>> S
array([0, 3])

It selects the same rows as AIX360 0.3.0 with ``optimizer='osqp'``, except for three bugs in AIX360:

- the first of the remaining rows is never selected, however well it represents the data;
- when no further row improves the fit, rows of weight 0 are added; here W, S and setValues are shorter than `m`;
- with a linear kernel the first row can point away from the data and get a negative weight.
"""

from __future__ import annotations

import warnings
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _calls, _native
from ._select import select
from ._pandas import is_pandas
from ._tables import is_table

__all__ = ["ProtodashExplainer", "get_Gaussian_Data", "get_Processed_NHANES_Data"]


class ProtodashExplainer:
    """Selects weighted prototypes, with AIX360's interface."""

    def set_params(self, *argv: Any, **kwargs: Any) -> None:
        """Do nothing, as in AIX360."""

    @_calls.with_hints
    def explain(
        self,
        X: Any,
        Y: Any,
        m: int,
        kernelType: str = "other",
        sigma: float = 2,
        optimizer: str = "cvxpy",
    ) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.float64]]:
        """Select rows of `Y` that represent `X`.

        Parameters
        ----------
        X : array or data frame
            The rows to represent (the target). Numbers in a data frame are not scaled.
        Y : array or data frame
            The rows to select from (the source).
        m : int
            Number of prototypes.
        kernelType : str
            'Gaussian', or 'other' for the linear kernel.
        sigma : float
            Bandwidth of the Gaussian kernel.
        optimizer : str
            'cvxpy' or 'osqp'. Has no effect: the weights are always exact.

        Returns
        -------
        W : array of float
            Weights, not normalised.
        S : array of int
            Indices into `Y`, in order of selection.
        setValues : array of float
            Objective after each selection.
        """
        if optimizer not in ("cvxpy", "osqp"):
            raise ValueError(f"optimizer is {optimizer!r}; it must be 'cvxpy' or 'osqp'")
        gaussian = kernelType == "Gaussian"
        if not gaussian and kernelType not in ("other", "linear"):
            warnings.warn(f"kernelType {kernelType!r} means the linear kernel, as in AIX360", stacklevel=2)
        selection = select(
            _numbers(Y, "Y"),
            None if X is Y else _numbers(X, "X"),
            m,
            kernel="gaussian" if gaussian else "linear",
            bandwidth=sigma if gaussian else _native.DEFAULT_BANDWIDTH,
            target_energy="skip",
        )
        return selection.weights, selection.indices, selection.objective


def get_Gaussian_Data(nfeat: int, numX: int, numY: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return `numX` and `numY` normal random rows of `nfeat` features, each of length 1: the same at every call.

    They are those of AIX360, but the global random state of NumPy is left alone.

    >>> X, Y = get_Gaussian_Data(3, 4, 5)
    >>> X.shape, Y.shape, round(float(X[0] @ X[0]), 12)
    ((4, 3), (5, 3), 1.0)
    """
    generator = np.random.RandomState(0)
    X, Y = (generator.normal(0.0, 1.0, (rows, nfeat)) for rows in (numX, numY))
    return X / np.linalg.norm(X, axis=1, keepdims=True), Y / np.linalg.norm(Y, axis=1, keepdims=True)


def get_Processed_NHANES_Data(filename: str | PathLike[str]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Read a questionnaire of NHANES, a SAS transport file (.XPT), and encode its answers.

    The first column, the number of the person, is left out, and missing answers are 0, as in AIX360. Needs pandas. The file
    must be on this machine; https://wwwn.cdc.gov/nchs/nhanes has them.

    Returns
    -------
    onehot_encoded : array of float
        A column for each answer to each question, 1 where it was given and 0 elsewhere.
    original : array of float
        The answers as numbers, one column for each question.
    """
    import pandas

    table = pandas.read_sas(filename, format="xport").iloc[:, 1:]
    if any(column.dtype.kind not in "iuf" for _, column in table.items()):
        raise TypeError(f"{filename} has columns of text; get_Processed_NHANES_Data reads tables of numbers")
    original = table.to_numpy(dtype=np.float64, copy=True)
    original[np.isnan(original)] = 0.0
    # pandas reads the 0 of this format as a number of about 1e-79.
    original[np.abs(original) < 1e-70] = 0.0
    blocks = [(answers[:, None] == np.unique(answers)).astype(np.float64) for answers in original.T]
    return np.hstack(blocks) if blocks else np.zeros((len(original), 0)), original


def _numbers(data: Any, name: str) -> Any:
    """The numbers of a table as an array, neither scaled nor encoded, as AIX360 accepts only arrays."""
    if not is_table(data):
        return data
    table = data.read_all() if hasattr(data, "read_all") else data
    columns = [np.asarray(column) for column in _columns(table)]
    for place, column in enumerate(columns):
        if column.dtype.kind not in "iufb":
            step = "encode it first, or pass the table to protodash.select"
            raise TypeError(f"{name} has no numbers in column {place}; {step}")
    return np.column_stack(columns)


def _columns(table: Any) -> list[Any]:
    """The columns of a data frame or Arrow table; missing numbers in pandas become NaN."""
    if not is_pandas(table):
        return list(table.iter_columns() if hasattr(table, "iter_columns") else table.columns)
    columns = [table.iloc[:, place] for place in range(table.shape[1])]
    extended = [column.dtype.kind in "iufb" and not isinstance(column.dtype, np.dtype) for column in columns]
    return [
        column.to_numpy(dtype=np.float64, na_value=np.nan) if is_extended else column.to_numpy()
        for column, is_extended in zip(columns, extended, strict=True)
    ]


def __dir__() -> list[str]:
    return sorted(__all__)
