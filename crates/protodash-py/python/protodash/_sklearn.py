"""The scikit-learn parts that the estimators need, with replacements if it is not installed."""

from __future__ import annotations

import os
from collections.abc import Callable
from inspect import signature
from typing import TYPE_CHECKING, Any, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from ._arrays import as_matrix, reject_masked
from ._memory import as_bytes
from ._checks import whole
from ._sparse import SparseRows, as_sparse, stays_sparse

try:
    from sklearn.base import BaseEstimator, ClassifierMixin, ClassNamePrefixFeaturesOutMixin, TransformerMixin
    from sklearn.utils import assert_all_finite
    from sklearn.utils.multiclass import check_classification_targets
    from sklearn.utils.validation import check_is_fitted, column_or_1d

    HAS_SKLEARN = True
except ImportError:
    HAS_SKLEARN = False

_Method = TypeVar("_Method", bound=Callable[..., Any])


def available_if(check: Callable[[Any], bool]) -> Callable[[_Method], _Method]:
    """Hide a method until `check` holds; without scikit-learn, the method itself raises."""
    if not HAS_SKLEARN:
        return lambda method: method
    from sklearn.utils import metaestimators

    return cast("Callable[[_Method], _Method]", metaestimators.available_if(check))


try:
    from sklearn.utils.validation import validate_data
except ImportError:

    def validate_data(estimator: Any, X: Any, **options: Any) -> Any:
        """The method that scikit-learn had before 1.6."""
        return estimator._validate_data(X, **options)


class OwnBase:
    """The parameter interface of scikit-learn's estimators."""

    @classmethod
    def _names(cls) -> list[str]:
        return [name for name in signature(cls).parameters if name != "self"]

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The parameters by name."""
        return {name: getattr(self, name) for name in self._names()}

    def set_params(self, **params: Any) -> Any:
        """Set parameters; an unknown name is a ValueError."""
        for name, value in params.items():
            if name not in self._names():
                raise ValueError(f"{type(self).__name__} has no parameter {name!r}; it has {', '.join(self._names())}")
            setattr(self, name, value)
        return self

    def fit_transform(self, X: Any, y: Any = None, **options: Any) -> Any:
        """Fits, then transforms the same rows."""
        fitted: Any = self
        return fitted.fit(X, y, **options).transform(X)

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[Any]:
        """Names of the columns that `transform` returns."""
        fitted: Any = self
        return np.array([f"{type(self).__name__.lower()}{i}" for i in range(fitted._n_features_out)], dtype=object)

    def __repr__(self) -> str:
        defaults = signature(type(self)).parameters
        given = {name: value for name, value in self.get_params().items() if value != defaults[name].default}
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in given.items())})"


if TYPE_CHECKING or not HAS_SKLEARN:
    Base = OwnBase

    class ClassifierBase:
        """Marks a classifier, where there is nobody to read the mark."""
else:

    class Base(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
        """A scikit-learn transformer."""

        def __sklearn_tags__(self) -> Any:
            tags = super().__sklearn_tags__()
            tags.input_tags.sparse = True
            tags.transformer_tags.preserves_dtype = []
            from sklearn.utils import ClassifierTags

            tags.classifier_tags = ClassifierTags()
            if getattr(self, "prototype_labels_", None) is not None:
                # Fitted with classes: scikit-learn then uses stratified folds.
                tags.estimator_type = "classifier"
            return tags

        @property
        def _estimator_type(self) -> str | None:
            """The same for scikit-learn before 1.6."""
            return "classifier" if getattr(self, "prototype_labels_", None) is not None else None

        def _more_tags(self) -> dict[str, Any]:
            """The same for scikit-learn before 1.6."""
            return {"preserves_dtype": []}

    class ClassifierBase(ClassifierMixin):
        """Marks a classifier, fitted or not; to be inherited from before `Base`."""


def check_rows(estimator: Any, X: Any, *, reset: bool, fitted: bool = False, like: Any = None) -> Any:
    """The rows as a matrix, or as `SparseRows` if they stay sparse, with the number of features checked.

    Whether they stay sparse is as for the rows `like`, which the estimator chose from or was fitted with.
    """
    if not HAS_SKLEARN:
        if fitted and not hasattr(estimator, "prototypes_"):
            raise ValueError(f"this {type(estimator).__name__} is not fitted yet")
        rows = _kept(estimator, X, estimator._rows if fitted else like)
        if not reset and rows.shape[1] != estimator.n_features_in_:
            raise ValueError(f"X has {rows.shape[1]} features, but {estimator.n_features_in_} were fitted")
        _check_finite(rows)
        estimator.n_features_in_ = rows.shape[1]
        return rows
    if fitted:
        check_is_fitted(estimator)
    reject_masked(X, "X")
    rows = validate_data(estimator, X, reset=reset, accept_sparse="csr", dtype=[np.float64, np.float32])
    return _kept(estimator, rows, estimator._rows if fitted else like)


def _kept(estimator: Any, rows: Any, like: Any) -> Any:
    """The rows, sparse if `like` is or if they are and the kernel allows it."""
    memory = as_bytes(estimator.memory)
    kernel = estimator.kernel if isinstance(estimator.kernel, str) else getattr(estimator.kernel, "name", "")
    # Centres of clusters have no zeros.
    sparse = stays_sparse(rows, None, kernel) and estimator._method != "k-means"
    sparse = sparse if like is None else isinstance(like, SparseRows)
    return as_sparse(rows, "X", memory) if sparse else as_matrix(rows, "X", memory)


def _check_finite(rows: Any) -> None:
    """Reject NaN and infinity, as scikit-learn does if it is installed."""
    if isinstance(rows, SparseRows):
        return  # the core does, by row and column
    finite = np.isfinite(rows)
    if not finite.all():
        row, column = np.argwhere(~finite)[0]
        found = "NaN" if np.isnan(rows[row, column]) else rows[row, column]
        raise ValueError(f"X has {found} in row {row}, column {column}; every value must be finite")


def check_labels(y: Any, n_rows: int) -> NDArray[Any]:
    """One class for each row."""
    labels = column_or_1d(y, warn=True) if HAS_SKLEARN else np.asarray(y)
    if labels.ndim != 1 or len(labels) != n_rows:
        raise ValueError(f"y has the shape {labels.shape} for {n_rows} rows; it must be ({n_rows},)")
    return np.asarray(labels)


def check_classes(y: Any, estimator: str) -> None:
    """Reject what cannot be classes, for an estimator that cannot do without."""
    if y is None:
        raise ValueError(f"{estimator} requires y to be passed, but the target y is None; pass the class of each row")
    if HAS_SKLEARN:
        labels = column_or_1d(y)
        assert_all_finite(labels, input_name="y")
        check_classification_targets(labels)


def check_sample_weight(sample_weight: Any, rows: Any) -> NDArray[np.float64] | None:
    """One weight for each row, or None for equal weights."""
    if sample_weight is None:
        return None
    reject_masked(sample_weight, "sample_weight")
    try:
        weights = np.array(sample_weight, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"sample_weight must be a number for each row: {error}") from error
    n_rows = rows.shape[0]
    if weights.ndim == 0:
        # scikit-learn allows one number for all rows.
        weights = np.full(n_rows, weights)
    if weights.shape != (n_rows,):
        raise ValueError(f"sample_weight has the shape {weights.shape} for {n_rows} rows; it must be ({n_rows},)")
    wrong = np.flatnonzero(~(np.isfinite(weights) & (weights >= 0)))
    if len(wrong):
        raise ValueError(f"sample_weight is {weights[wrong[0]]} for row {wrong[0]}; it must be finite and at least 0")
    if not weights.any():
        raise ValueError("sample_weight is zero for every row; at least one weight must be above zero")
    return weights


def as_seed(random_state: Any) -> int:
    """The seed for a `random_state`: an integer is the seed, a generator draws one."""
    if random_state is None:
        return int(np.random.default_rng().integers(2**31))
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(2**31 - 1))
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(2**31))
    return whole("random_state", random_state, 0)


def as_n_threads(n_jobs: Any) -> int | None:
    """The number of threads for an `n_jobs`: -1 means every core, -2 all but one, None the default."""
    if n_jobs is None:
        return None
    if isinstance(n_jobs, (bool, np.bool_)) or not hasattr(n_jobs, "__index__") or n_jobs == 0:
        raise ValueError(f"n_jobs is {n_jobs!r}; it must be None, a number of threads, or -1 for every core")
    return int(n_jobs) if n_jobs > 0 else max(1, (os.cpu_count() or 1) + 1 + int(n_jobs))
