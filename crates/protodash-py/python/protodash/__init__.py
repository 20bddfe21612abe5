"""Picks the few rows of a data set that stand for all the others, and says with a weight how much each one stands for.

>>> import numpy as np, protodash
>>> rows = np.array([[1.0, 2.0], [1.1, 2.1], [0.9, 1.8], [8.0, 9.0], [8.2, 9.1]])
>>> selection = protodash.select(rows, n_prototypes=2, bandwidth=1.0)
>>> selection.indices
array([0, 3])
>>> bool(selection.explained > 0.95)
True

`select` is the one verb. `kernels` has the kernels, `aix360` a drop-in for AIX360's explainer. `ProtoDash`,
`ProtoGreedy`, `Swap`, `MMDCritic`, `PLasso`, `KMedoids` and `Random` are estimators for scikit-learn. Parts that need
other packages import them when they are first used, so that importing this one takes no longer than NumPy.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import kernels
from ._native import __version__
from ._select import select
from ._selection import Criticisms, Selection
from ._shift import CovariateShift

if TYPE_CHECKING:
    from . import aix360
    from .estimators import KMedoids, MMDCritic, PLasso, ProtoDash, ProtoGreedy, Random, Swap

__all__ = [
    "CovariateShift",
    "Criticisms",
    "KMedoids",
    "MMDCritic",
    "PLasso",
    "ProtoDash",
    "ProtoGreedy",
    "Random",
    "Selection",
    "Swap",
    "__version__",
    "aix360",
    "kernels",
    "select",
]

_ESTIMATORS = ("KMedoids", "MMDCritic", "PLasso", "ProtoDash", "ProtoGreedy", "Random", "Swap")


def __getattr__(name: str) -> Any:
    from importlib import import_module

    if name in _ESTIMATORS:
        return getattr(import_module(".estimators", __name__), name)
    if name in ("aix360", "estimators"):
        return import_module(f".{name}", __name__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
