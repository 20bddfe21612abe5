"""A classifier by the nearest prototype.

>>> import numpy as np
>>> from protodash import PrototypeClassifier
>>> rows = np.array([[1.0, 2.0], [1.1, 2.1], [0.9, 1.8], [8.0, 9.0], [8.2, 9.1]])
>>> PrototypeClassifier(n_prototypes=2).fit(rows, list("aaabb")).predict([[8.1, 9.0]]).tolist()
['b']
"""

from __future__ import annotations

from typing import Any

from . import _native
from ._calls import with_hints
from ._sklearn import ClassifierBase, check_classes
from .estimators import Coverage, KMeans, KMedoids, Random, _Prototypes

__all__ = ["PrototypeClassifier"]


class PrototypeClassifier(ClassifierBase, _Prototypes):
    """A classifier by the nearest prototype, with prototypes chosen without the classes.

    The other estimators become classifiers when they are fitted with `y`. This one needs `y` and is a classifier from the
    start, so scikit-learn uses stratified folds in `cross_val_score` and `GridSearchCV` without being told to.

    Parameters
    ----------
    n_prototypes : int, str or None
        Number of prototypes, as in `ProtoDash`; twice as many by default, since each class needs some.
    method : str
        How prototypes are chosen: "coverage", the best of our methods for this purpose, or any other method of `select`.
    kernel, bandwidth, weights, oversample, min_gain, random_state, n_jobs, memory
        As in `ProtoDash`.

    Attributes are those of `ProtoDash`.

    Examples
    --------
    >>> import numpy as np
    >>> from protodash import PrototypeClassifier
    >>> rows = np.array([[1.0, 2.0], [1.1, 2.1], [0.9, 1.8], [8.0, 9.0], [8.2, 9.1]])
    >>> model = PrototypeClassifier(n_prototypes=2, method="protodash").fit(rows, ["a", "a", "a", "b", "b"])
    >>> model.classes_.tolist(), model.score(rows, ["a", "a", "a", "b", "b"])
    (['a', 'b'], 1.0)
    """

    @with_hints
    def __init__(
        self,
        n_prototypes: int | str | None = 20,
        *,
        method: str = "coverage",
        kernel: Any = _native.DEFAULT_KERNEL,
        bandwidth: float | str = _native.DEFAULT_BANDWIDTH,
        weights: str | None = None,
        oversample: float = 1.0,
        min_gain: float | None = None,
        random_state: Any = 0,
        n_jobs: int | None = None,
        memory: int | str | None = None,
    ) -> None:
        super().__init__(
            n_prototypes,
            kernel=kernel,
            bandwidth=bandwidth,
            weights=weights,
            oversample=oversample,
            min_gain=min_gain,
            random_state=random_state,
            n_jobs=n_jobs,
            memory=memory,
        )
        self.method = method

    def fit(self, X: Any, y: Any = None, *, target: Any = None, sample_weight: Any = None) -> Any:
        """Choose prototypes from the rows of `X`, whose classes are `y`.

        Parameters
        ----------
        X : array of shape (n_rows, n_features)
            The rows to choose from.
        y : array of shape (n_rows,)
            Their classes; None is a ValueError.
        target : array of shape (n_target, n_features), optional
            The rows to represent; `X` by default.
        sample_weight : array, optional
            Weights of the rows to represent. A row of `X` with weight 0 is not chosen either.

        Returns
        -------
        self
        """
        check_classes(y, type(self).__name__)
        return super().fit(X, y, target=target, sample_weight=sample_weight)

    @property
    def _method(self) -> str:  # type: ignore[override]
        return self.method

    @property
    def _draws(self) -> bool:  # type: ignore[override]
        return self.method in {kind._method for kind in (Coverage, KMeans, KMedoids, Random)}


def __dir__() -> list[str]:
    return sorted(__all__)
