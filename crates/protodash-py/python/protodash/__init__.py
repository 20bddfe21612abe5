"""Find a few weighted rows that represent a data set.

>>> import numpy as np, protodash
>>> rows = np.array([[1.0, 2.0], [1.1, 2.1], [0.9, 1.8], [8.0, 9.0], [8.2, 9.1]])
>>> selection = protodash.select(rows, n_prototypes=2, kernel="gaussian", bandwidth=1.0)
>>> selection.indices
array([0, 3])
>>> bool(selection.explained > 0.95)
True

`select` picks prototypes, `explain` explains individual rows, `compare` compares methods, `relate` relates tables that share a key. `kernels` has the kernels,
`aix360` a drop-in for AIX360's explainer. `ProtoDash`, `ProtoGreedy`, `Swap`, `MMDCritic`, `PLasso`, `KMedoids`,
`Coverage`, `KMeans`, `FarthestFirst` and `Random` are scikit-learn estimators, and `PrototypeClassifier` is a classifier. Optional packages are
imported on first use, so importing this package takes no longer than NumPy.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import kernels
from ._compare import Comparison, compare
from ._criticisms import Criticisms
from ._estimate import Estimate
from ._explain import explain
from ._explanations import Explanation, Explanations
from ._native import __version__
from ._prototypes import Prototype
from ._relate import RelatedTable, Relation, relate
from ._select import select
from ._selection import Selection
from ._shift import CovariateShift

if TYPE_CHECKING:
    from . import aix360
    from .classifier import PrototypeClassifier
    from .estimators import Coverage, FarthestFirst, KMeans, KMedoids, MMDCritic, PLasso, ProtoDash, ProtoGreedy, Random, Swap

__all__ = [
    "Comparison",
    "CovariateShift",
    "Coverage",
    "Criticisms",
    "Estimate",
    "Explanation",
    "Explanations",
    "FarthestFirst",
    "KMeans",
    "KMedoids",
    "MMDCritic",
    "PLasso",
    "ProtoDash",
    "ProtoGreedy",
    "Prototype",
    "PrototypeClassifier",
    "Random",
    "RelatedTable",
    "Relation",
    "Selection",
    "Swap",
    "__version__",
    "aix360",
    "compare",
    "explain",
    "kernels",
    "relate",
    "select",
]

_ESTIMATORS = (
    "Coverage",
    "FarthestFirst",
    "KMeans",
    "KMedoids",
    "MMDCritic",
    "PLasso",
    "ProtoDash",
    "ProtoGreedy",
    "Random",
    "Swap",
)


def __getattr__(name: str) -> Any:
    from importlib import import_module

    if name in _ESTIMATORS:
        return getattr(import_module(".estimators", __name__), name)
    if name == "PrototypeClassifier":
        return import_module(".classifier", __name__).PrototypeClassifier
    if name in ("aix360", "classifier", "estimators"):
        return import_module(f".{name}", __name__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
