"""Kernels: how similar two rows are.

Pass a kernel to `select` by name, as one of these objects, or as a function of two blocks of rows. An object can also
be called with two blocks of rows:

>>> import numpy as np
>>> from protodash.kernels import Gaussian
>>> Gaussian(bandwidth=1.0)(np.array([[0.0], [1.0]]), np.array([[0.0]]))
array([[1.        ],
       [0.60653066]])
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any, ClassVar, cast

import numpy as np
from numpy.typing import NDArray

from . import _kernel_classes, _native
from ._kernel_base import Kernel
from ._kernel_classes import *  # noqa: F403
from ._kernel_classes import BUILT_IN

__all__ = ["Custom", "Kernel", "Precomputed"]
__all__ += _kernel_classes.__all__


@dataclass(frozen=True)
class Precomputed(Kernel):
    """Kernel values computed elsewhere: the data given to `select` are kernel matrices."""

    name: ClassVar[str] = "precomputed"

    def __call__(self, x: Any, y: Any) -> NDArray[np.float64]:
        raise TypeError("a precomputed kernel has no formula to apply to rows")


@dataclass(frozen=True)
class Custom(Kernel):
    """A custom kernel: a function that takes two blocks of rows and returns the matrix of their similarities."""

    function: Callable[[NDArray[Any], NDArray[Any]], Any]
    name: ClassVar[str] = "precomputed"

    def __call__(self, x: Any, y: Any) -> NDArray[np.float64]:
        x, y = np.asarray(x), np.asarray(y)
        values = np.asarray(self.function(x, y))
        if values.shape != (len(x), len(y)):
            raise ValueError(
                f"the kernel returned an array of shape {values.shape} for blocks of {len(x)} and {len(y)} rows; it must "
                f"be ({len(x)}, {len(y)})"
            )
        if values.dtype.kind not in "fiub":
            raise TypeError(f"the kernel returned values of type {values.dtype}; they must be numbers")
        if not np.isfinite(values).all():
            row, column = np.argwhere(~np.isfinite(values))[0]
            found = "NaN" if np.isnan(values[row, column]) else values[row, column]
            pair = f"{_shown(x[row])} and {_shown(y[column])}"
            raise ValueError(f"the kernel returned {found} for the rows {pair}; its values must be finite")
        return values.astype(np.float64, copy=False)


def as_kernel(kernel: Any, bandwidth: Any) -> Kernel:
    """The kernel for a name, an object or a function."""
    default = isinstance(bandwidth, str) and bandwidth == _native.DEFAULT_BANDWIDTH
    if isinstance(kernel, str):
        kind = kernel_class(kernel)
        if any(parameter.name == "bandwidth" for parameter in fields(kind)):
            made: Kernel = cast(Any, kind)(bandwidth=bandwidth)
            return made
        if bandwidth is not None and not default:
            raise ValueError(f"the {kernel} kernel has no bandwidth")
        return kind()
    if not default:
        raise ValueError("bandwidth applies only to a kernel passed by name; this one has its own parameters")
    if isinstance(kernel, type) and issubclass(kernel, Kernel):
        raise TypeError(f"kernel is the class {kernel.__name__}; pass an object, {kernel.__name__}(...)")
    if isinstance(kernel, Kernel):
        return kernel
    if callable(kernel):
        return Custom(kernel)
    raise TypeError(f"kernel is of type {type(kernel).__name__}; it must be a name, a kernel or a function of two blocks")


def kernel_class(name: str) -> type[Kernel]:
    """The class of the kernel with this name."""
    if name == Precomputed.name:
        return Precomputed
    if name not in BUILT_IN:
        # The core suggests the most similar name.
        _native.check_kernel({"name": name, "parameters": {}})
    return BUILT_IN[name]


def from_parameters(name: str, parameters: dict[str, Any]) -> Kernel:
    """The kernel of a saved result, which has a value for each of its parameters."""
    kind: Any = kernel_class(name)
    wanted = [parameter.name for parameter in fields(kind)]
    missing = [parameter for parameter in wanted if parameter not in parameters]
    if missing:
        raise ValueError(f"the {name} kernel needs a value for its {missing[0]}")
    made: Kernel = kind(**{parameter: parameters[parameter] for parameter in wanted})
    return made


def _shown(row: Any) -> str:
    """A row on one line; a long one is abbreviated."""
    return np.array2string(np.asarray(row), precision=4, threshold=8, edgeitems=3, max_line_width=10_000)


def __dir__() -> list[str]:
    return sorted(__all__)
