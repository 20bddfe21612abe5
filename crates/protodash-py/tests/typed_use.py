"""Uses of the package for mypy to check; deliberate errors say which error is expected."""

import numpy as np
import protodash
from numpy.typing import NDArray
from protodash.aix360 import ProtodashExplainer
from protodash.kernels import Gaussian, Polynomial


def uses() -> None:
    """Never run: only its types are checked."""
    rows: NDArray[np.float64] = np.zeros((10, 2))

    selection: protodash.Selection = protodash.select(rows, n_prototypes=3, kernel=Gaussian(2.0), progress=True)
    indices: NDArray[np.int64] = selection.indices
    weights: NDArray[np.float64] = selection.prefix(2).weights
    explained: float | None = selection.explained
    found: protodash.Criticisms = selection.criticisms(2, definition="distance")
    selection.report("page.html", criticisms=found, image_shape=(1, 2), title="Ten rows")
    loaded: protodash.Selection = protodash.Selection.load("result.json")
    protodash.select(rows, rows, None, min_gain=1e-3, kernel=lambda x, y: x @ y.T)
    protodash.select(rows, kernel=Polynomial(degree=2))
    shifted = protodash.select(rows, rows, "all", shift=True).covariate_shift
    shift: protodash.CovariateShift | None = shifted
    W, S, set_values = ProtodashExplainer().explain(rows, rows, 3, kernelType="Gaussian", sigma=2)
    chosen: NDArray[np.int64] = S

    protodash.select(rows, n_prototypes=2.5)  # type: ignore[arg-type]
    protodash.select(rows, rows, 3, "protodash")  # type: ignore[call-arg]
    selection.prototypes
