"""scikit-learn estimators, one for each method.

>>> import numpy as np
>>> from protodash import ProtoDash
>>> rows = np.array([[1.0, 2.0], [1.1, 2.1], [0.9, 1.8], [8.0, 9.0], [8.2, 9.1]])
>>> estimator = ProtoDash(n_prototypes=2, kernel="gaussian", bandwidth=1.0).fit(rows)
>>> estimator.prototype_indices_
array([0, 3])
>>> estimator.predict([[8.1, 9.0]])
array([1])

They inherit from scikit-learn's base classes if that is installed, and work without it.

For all of them, k equal rows are equivalent to one row with `sample_weight` k, and rows of weight 0 are ignored: equal
rows are one candidate with the sum of their weights. Random draws (`KMedoids`, `KMeans`, `Coverage`, `Random`) use the rows sorted
by value, so their order does not matter.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _native
from ._calls import with_hints
from ._data import Data
from ._distinct import Distinct, distinct
from ._gather import gather
from ._pandas import is_pandas, is_plain_index
from ._predict import nearest_prototypes
from ._select import prototypes, select
from ._selection import Selection
from ._sklearn import Base, as_n_threads, as_seed, available_if, check_labels, check_rows, check_sample_weight
from ._sparse import SparseRows, native
from .kernels import Custom, Precomputed, as_kernel

__all__ = ["Coverage", "FarthestFirst", "KMeans", "KMedoids", "MMDCritic", "PLasso", "ProtoDash", "ProtoGreedy", "Random", "Swap"]


BLOCK = 256
"""Rows that a custom kernel compares with themselves in one call."""


def _has_classes(estimator: Any) -> bool:
    """Whether `y` was passed to `fit`, which makes the estimator a classifier."""
    if getattr(estimator, "prototype_labels_", None) is None:
        raise AttributeError("there are no classes to predict; pass y to fit")
    return True


class _Prototypes(Base):
    """Base class of the estimators."""

    _method = "protodash"
    _draws = False
    """Whether the method draws rows at random, which makes their order matter."""

    @with_hints
    def __init__(
        self,
        n_prototypes: int | str | None = 10,
        *,
        kernel: Any = _native.DEFAULT_KERNEL,
        bandwidth: float | str = _native.DEFAULT_BANDWIDTH,
        weights: str | None = None,
        oversample: float = 1.0,
        min_gain: float | None = None,
        random_state: Any = 0,
        n_jobs: int | None = None,
        memory: int | str | None = None,
    ) -> None:
        self.n_prototypes = n_prototypes
        self.kernel = kernel
        self.bandwidth = bandwidth
        self.weights = weights
        self.oversample = oversample
        self.min_gain = min_gain
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.memory = memory

    def fit(self, X: Any, y: Any = None, *, target: Any = None, sample_weight: Any = None) -> Any:
        """Choose prototypes from the rows of `X`.

        Parameters
        ----------
        X : array of shape (n_rows, n_features)
            The rows to choose from.
        y : array of shape (n_rows,), optional
            Class labels; the estimator is then a classifier: `predict` returns the class of the nearest prototype, and
            scikit-learn uses stratified folds. `PrototypeClassifier` is a classifier even before it is fitted.
        target : array of shape (n_target, n_features), optional
            The rows to represent; `X` by default.
        sample_weight : array, optional
            Weights of the rows to represent. A row of `X` with weight 0 is not chosen either.

        Returns
        -------
        self
        """
        rows = check_rows(self, X, reset=True)
        labels = None if y is None else check_labels(y, len(rows))
        target_rows = None if target is None else check_rows(self, target, reset=False, like=rows)
        weights = check_sample_weight(sample_weight, rows if target_rows is None else target_rows)
        seed, n_threads = as_seed(self.random_state), as_n_threads(self.n_jobs)
        own = weights if target_rows is None else None
        source = distinct(rows, own, ascending=self._draws, n_threads=n_threads or 0)
        selection = self._select(
            source,
            target_rows,
            len(rows),
            kernel=self._resolved(source, target_rows, weights, seed, n_threads),
            weights=self.weights,
            oversample=self.oversample,
            min_gain=self.min_gain,
            target_weights=source.weights if target_rows is None else weights,
            label=None if labels is None or target_rows is not None else labels[source.numbers],
            id=X.index[source.numbers] if is_pandas(X) and not is_plain_index(X.index) else None,
            seed=seed,
            n_threads=n_threads,
            memory=self.memory,
        )
        self._keep(selection, source, labels, len(rows))
        if is_pandas(X):
            self.prototypes_ = X.iloc[self.prototype_indices_]
        self.labels_ = selection.nearest if target_rows is not None else self._places(source, rows)
        return self

    def _resolved(self, source: Distinct, target: Any, weights: Any, seed: int, n_threads: int | None) -> Any:
        """The kernel; a median bandwidth is that of the distinct rows, regardless of their weights."""
        kernel = as_kernel(self.kernel, self.bandwidth)
        if isinstance(kernel, Precomputed):
            raise ValueError("an estimator needs rows; pass kernel values to protodash.select")
        if not kernel.depends_on_data():
            return kernel
        threads = n_threads or 0
        others = None if target is None else distinct(target, weights, ascending=False, n_threads=threads).rows
        return kernel.resolved(native(source.rows), native(others), seed=seed, n_threads=threads)

    def _select(self, source: Distinct, target: Any, n_rows: int, **options: Any) -> Selection:
        """The prototypes, at most as many as there are distinct rows."""
        requested = prototypes(self.n_prototypes)
        number = _native.number_of_prototypes(requested, n_rows) if isinstance(requested, str) else requested
        number = None if number is None else min(number, len(source.rows))
        try:
            return select(source.rows, target, number, method=self._method, **options)
        except ValueError as error:
            # The path of the lasso may skip a number.
            below: int | None = getattr(error, "below", None)
            if below is None:
                raise
            skipped = getattr(error, "message", error)
            warnings.warn(f"{skipped}; using {below} instead", stacklevel=3)
            return select(source.rows, target, below, method=self._method, **options)

    def _keep(self, selection: Selection, source: Distinct, labels: NDArray[Any] | None, n_rows: int) -> None:
        self.kernel_ = selection.kernel
        self.prototype_indices_ = source.numbers[selection.indices]
        self._rows = source.rows[selection.indices]
        """The prototypes as an array or `SparseRows`; `prototypes_` may be a data frame or a SciPy matrix."""
        self.prototypes_ = self._rows.matrix if isinstance(self._rows, SparseRows) else self._rows
        self.weights_ = selection.weights
        self.objective_ = selection.objective
        self.explained_ = selection.explained
        self._n_features_out = len(selection)
        self.prototype_labels_ = None if labels is None else labels[self.prototype_indices_]
        if labels is not None:
            self.classes_ = np.unique(labels)
        else:
            self.__dict__.pop("classes_", None)
        if selection._data is not None:
            # From here on the selection refers to rows of X, also in files and criticisms.
            selection._data.source.numbers = source.numbers
            selection._data.source.copies = source.copies(n_rows)
            n_target = n_rows if selection._data.target is None else selection.n_target
            selection._renumber(self.prototype_indices_, n_rows, n_target)
        self.selection_ = selection

    def _places(self, source: Distinct, rows: Any) -> NDArray[np.int64]:
        """The nearest prototype of each row, including rows of weight 0."""
        nearest = self.selection_.nearest
        others = np.setdiff1d(np.arange(len(rows)), source.kept, assume_unique=True)
        if len(others):
            nearest[others] = self._nearest(rows[others])
        return nearest

    def transform(self, X: Any) -> NDArray[np.float64]:
        """The similarity of each row to each prototype, of shape (n_rows, n_prototypes)."""
        return self._similarities(check_rows(self, X, reset=False, fitted=True))

    def predict(self, X: Any) -> NDArray[Any]:
        """The position of the nearest prototype of each row, or its class if classes were passed to `fit`.

        If no prototype has weight, the position is -1; with classes, that is a ValueError.
        """
        return self._predicted(check_rows(self, X, reset=False, fitted=True))

    def _predicted(self, rows: Any) -> NDArray[Any]:
        nearest = self._nearest(rows)
        if self.prototype_labels_ is None:
            return nearest
        if not (self.weights_ > 0).any():
            raise ValueError("no prototype has weight, so there is no class to predict; fit with a smaller min_gain")
        return self.prototype_labels_[nearest]

    @available_if(_has_classes)
    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """The probability of each class in `classes_`, if classes were passed to `fit`.

        It is proportional to 1/d², where d is the distance in feature space to the nearest prototype of the class that has
        weight; a class without one has probability 0. The most probable class is the one that `predict` returns.
        """
        _has_classes(self)
        rows = check_rows(self, X, reset=False, fitted=True)
        if not (self.weights_ > 0).any():
            raise ValueError("no prototype has weight, so there is no class to predict; fit with a smaller min_gain")
        names: Any = self.prototype_labels_
        labels: list[int] = np.searchsorted(self.classes_, names).tolist()
        block = BLOCK if isinstance(self.kernel_, Custom) else max(1, len(rows))
        blocks = [self._beside(rows[start : start + block], with_target_gram=True) for start in range(0, len(rows), block)]
        shares = [
            _native.class_probabilities(data.sides(), self.weights_, labels, len(self.classes_), data.run()) for data in blocks
        ]
        return np.concatenate(shares)

    def fit_predict(self, X: Any, y: Any = None, **options: Any) -> NDArray[Any]:
        """Fits, and returns the position of the nearest prototype of each represented row."""
        nearest: NDArray[np.int64] = self.fit(X, y, **options).labels_
        return nearest

    def score(self, X: Any, y: Any = None) -> float:
        """The share of the rows' kernel mean that the prototypes reproduce, NaN if that is 0; with classes, the accuracy."""
        rows = check_rows(self, X, reset=False, fitted=True)
        if y is not None and self.prototype_labels_ is not None:
            labels = check_labels(y, len(rows))
            return float(np.mean(self._predicted(rows) == labels))
        if not len(self._rows):
            return 0.0
        data = self._beside(rows, with_target_gram=True)
        explained = _native.explained_of(data.sides(), self.weights_, data.run())
        return float("nan") if explained is None else explained

    def _similarities(self, rows: Any) -> NDArray[np.float64]:
        if not len(self._rows):
            return np.zeros((len(rows), 0))
        data = self._beside(rows)
        return _native.similarities(data.sides(), data.run())

    def _nearest(self, rows: Any) -> NDArray[np.int64]:
        """The nearest prototype in feature space, among those with weight; -1 if none has weight."""
        return nearest_prototypes(self.weights_, len(rows), lambda: (self._beside(rows), np.arange(len(self._rows))))

    def _beside(self, rows: Any, *, with_target_gram: bool = False) -> Data:
        """The rows as the target, and the prototypes as their source; `with_target_gram` if rows are compared with themselves."""
        chosen = self._rows
        if isinstance(rows, np.ndarray):
            dtype = np.result_type(rows, chosen)
            chosen, rows = np.ascontiguousarray(chosen, dtype), np.ascontiguousarray(rows, dtype)
        data, _ = gather(
            chosen,
            rows,
            self.kernel_,
            target_weights=None,
            target_gram=None,
            with_target_gram=with_target_gram,
            id=None,
            label=None,
            target_labels=None,
            missing="error",
            normalize=False,
            source_sample=None,
            target_sample=None,
            seed=0,
            n_threads=as_n_threads(self.n_jobs),
            memory=self.memory,
            report=None,
            keywords=(),
        )
        return data


class ProtoDash(_Prototypes):
    """ProtoDash, Algorithm 2 of the paper: the row with the largest gradient at each step.

    Parameters
    ----------
    n_prototypes : int, str or None
        Number of prototypes, or a percentage of the rows such as "5%"; "all", like None, adds rows until `min_gain` or until none improves the fit.
    kernel : str, Kernel or callable
        A name, an object of `protodash.kernels`, or a function of two blocks of rows.
    bandwidth : float, "auto", "median" or "cv"
        Bandwidth of the kernel; "auto" is a multiple of the median distance between distinct rows that depends on the
        kernel.
    weights : str, optional
        "nonnegative", "convex", "equal", "shares" or "own"; by default as in `protodash.select`.
    oversample : float
        Select this many times `n_prototypes` rows, keep the heaviest and refit their weights.
    min_gain : float, optional
        Stop when the next prototype would raise the objective by less than this.
    random_state : int, RandomState, Generator or None
        Random seed, or a generator to draw it from.
    n_jobs : int, optional
        Number of threads; None and -1 mean one per core.
    memory : int or str, optional
        Memory limit in bytes, or text such as "8GiB".

    Attributes
    ----------
    prototype_indices_ : array of int
        The chosen rows, in order of choice. A row chosen early may have lost its weight to later ones; it stays here and in
        `prototypes_` with weight 0, since `objective_` has one entry for each chosen row, but is nearest to no row.
    prototypes_ : array or data frame
        Their values; with the columns and the index of `X` if that is a pandas data frame.
    weights_ : array of float
        Their weights.
    prototype_labels_ : array or None
        Their classes, if `y` was given.
    classes_ : array
        The distinct classes; only if `y` was given.
    labels_ : array of int
        Position of the nearest prototype for each represented row.
    explained_ : float
        Share of the data's kernel mean explained.
    selection_ : Selection
        The result, in rows of `X`. Equal rows are one candidate, and only the first of them can be a criticism.

    Examples
    --------
    >>> import numpy as np
    >>> from protodash import ProtoDash
    >>> rows = np.array([[1.0, 2.0], [1.1, 2.1], [0.9, 1.8], [8.0, 9.0], [8.2, 9.1], [8.1, 9.2]])
    >>> ProtoDash(n_prototypes=2, bandwidth=1.0).fit(rows).prototype_indices_
    array([0, 4])
    """


class ProtoGreedy(_Prototypes):
    """ProtoGreedy, Algorithm 1 of the paper: the row with the largest gain at each step, at about the same cost.

    Parameters and attributes are those of `ProtoDash`.

    Examples
    --------
    >>> import numpy as np
    >>> from protodash import ProtoGreedy
    >>> rows = np.array([[1.0, 2.0], [1.1, 2.1], [0.9, 1.8], [8.0, 9.0], [8.2, 9.1], [8.1, 9.2]])
    >>> ProtoGreedy(n_prototypes=2, bandwidth=1.0).fit(rows).prototype_indices_
    array([0, 4])
    """

    _method = "protogreedy"


class Swap(_Prototypes):
    """Prototypes that no swap improves; never worse than ProtoGreedy or ProtoDash with as many.

    Parameters and attributes are those of `ProtoDash`.

    Examples
    --------
    >>> import numpy as np
    >>> from protodash import Swap
    >>> rows = np.array([[1.0, 2.0], [1.1, 2.1], [0.9, 1.8], [8.0, 9.0], [8.2, 9.1], [8.1, 9.2]])
    >>> Swap(n_prototypes=2, bandwidth=1.0).fit(rows).prototype_indices_
    array([0, 4])
    """

    _method = "swap"


class MMDCritic(_Prototypes):
    """MMD-critic, the paper's L2C: the row with the largest gain under equal weights at each step.

    Parameters and attributes are those of `ProtoDash`. Equal rows are one candidate and can be chosen only once, while
    `protodash.select` may choose each of them.

    Examples
    --------
    >>> import numpy as np
    >>> from protodash import MMDCritic
    >>> rows = np.array([[1.0, 2.0], [1.1, 2.1], [0.9, 1.8], [8.0, 9.0], [8.2, 9.1], [8.1, 9.2]])
    >>> MMDCritic(n_prototypes=2, bandwidth=1.0).fit(rows).prototype_indices_
    array([0, 4])
    """

    _method = "l2c"


class PLasso(_Prototypes):
    """The `n_prototypes` rows with non-zero weight on the lasso path.

    Parameters and attributes are those of `ProtoDash`. If several rows enter the path at once, possibly no penalty
    gives exactly `n_prototypes` rows; `protodash.select` then raises an error, while this estimator uses the next
    smaller number, with a warning.

    Examples
    --------
    >>> import numpy as np
    >>> from protodash import PLasso
    >>> rows = np.array([[1.0, 2.0], [1.1, 2.1], [0.9, 1.8], [8.0, 9.0], [8.2, 9.1], [8.1, 9.2]])
    >>> PLasso(n_prototypes=3, bandwidth=1.0).fit(rows).prototype_indices_
    array([0, 4, 5])
    """

    _method = "p-lasso"


class KMedoids(_Prototypes):
    """The rows with the smallest sum of distances from all rows to the nearest of them.

    Parameters and attributes are those of `ProtoDash`. Without a `target`, distances are weighted by `sample_weight`.

    Examples
    --------
    >>> import numpy as np
    >>> from protodash import KMedoids
    >>> rows = np.array([[1.0, 2.0], [1.1, 2.1], [0.9, 1.8], [8.0, 9.0], [8.2, 9.1], [8.1, 9.2]])
    >>> KMedoids(n_prototypes=2, bandwidth=1.0).fit(rows).prototype_indices_
    array([0, 5])
    """

    _method = "k-medoids"
    _draws = True


class Coverage(_Prototypes):
    """Rows almost as near to all rows as those of `KMedoids`, but with a better fit to the distribution.

    Begins with the medoids and swaps rows while the fit improves and the mean distance to the nearest prototype stays
    within 1 % of the medoids'. A good choice for classification by the nearest prototype.

    Parameters and attributes are those of `ProtoDash`. Distances are weighted by `sample_weight`; with a `target`, they are
    those of the target's rows.

    Examples
    --------
    >>> import numpy as np
    >>> from protodash import Coverage
    >>> rows = np.array([[1.0, 2.0], [1.1, 2.1], [0.9, 1.8], [8.0, 9.0], [8.2, 9.1], [8.1, 9.2]])
    >>> sorted(Coverage(n_prototypes=2, bandwidth=1.0).fit(rows).prototype_indices_.tolist())
    [0, 4]
    """

    _method = "coverage"
    _draws = True


class KMeans(_Prototypes):
    """The rows nearest to the centres of k-means clusters, those of the largest clusters first.

    Parameters and attributes are those of `ProtoDash`. Without a `target`, rows count by `sample_weight`. Kernels whose rows
    have no mean ("hamming", "precomputed", functions) are not allowed. For the clusters themselves use scikit-learn's
    `KMeans`.

    Examples
    --------
    >>> import numpy as np
    >>> from protodash import KMeans
    >>> rows = np.array([[1.0, 2.0], [1.1, 2.1], [0.9, 1.8], [8.0, 9.0], [8.2, 9.1], [8.1, 9.2]])
    >>> sorted(KMeans(n_prototypes=2, bandwidth=1.0).fit(rows).prototype_indices_.tolist())
    [0, 5]
    """

    _method = "k-means"
    _draws = True


class FarthestFirst(_Prototypes):
    """The row farthest from all prototypes at every step: reaches every group, even small ones.

    A good choice for labelling rows so that no class is missed, and a poor summary: outliers come early.

    Parameters and attributes are those of `ProtoDash`.

    Examples
    --------
    >>> import numpy as np
    >>> from protodash import FarthestFirst
    >>> rows = np.array([[1.0, 2.0], [1.1, 2.1], [0.9, 1.8], [8.0, 9.0], [8.2, 9.1], [50.0, 0.0]])
    >>> FarthestFirst(n_prototypes=3, bandwidth=1.0).fit(rows).prototype_indices_
    array([0, 5, 4])
    """

    _method = "farthest-first"


class Random(_Prototypes):
    """A random sample of distinct rows, as a baseline.

    Parameters and attributes are those of `ProtoDash`.

    Examples
    --------
    >>> import numpy as np
    >>> from protodash import Random
    >>> rows = np.array([[1.0, 2.0], [1.1, 2.1], [0.9, 1.8], [8.0, 9.0], [8.2, 9.1], [8.1, 9.2]])
    >>> Random(n_prototypes=2, bandwidth=1.0).fit(rows).prototype_indices_
    array([5, 3])
    """

    _method = "random"
    _draws = True


def __dir__() -> list[str]:
    return sorted(__all__)
