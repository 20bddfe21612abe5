"""Kernels: how similar two rows are.

A kernel is given to `select` by its name, as one of these objects, or as a function of two blocks of rows. An object
can also be called with two blocks of rows itself:

>>> import numpy as np
>>> from protodash.kernels import Gaussian
>>> Gaussian(bandwidth=1.0)(np.array([[0.0], [1.0]]), np.array([[0.0]]))
array([[1.        ],
       [0.60653066]])
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from . import _native
from ._arrays import Matrix, as_matrix, same_precision
from ._memory import as_bytes

__all__ = [
    "Cosine",
    "Custom",
    "Gaussian",
    "Hamming",
    "InverseMultiquadric",
    "Kernel",
    "Laplacian",
    "Linear",
    "Matern32",
    "Matern52",
    "Polynomial",
    "Precomputed",
]


@dataclass(frozen=True)
class Kernel:
    """A symmetric positive definite similarity of two rows."""

    name: ClassVar[str] = ""

    def __call__(self, x: Any, y: Any) -> NDArray[np.float64]:
        """k(x, y) for each row of `x` (rows of the result) and each row of `y` (its columns)."""
        memory = as_bytes(None)
        source, target = same_precision(as_matrix(y, "second block", memory), as_matrix(x, "first block", memory))
        kernel = self.resolved(source, target, seed=0, n_threads=0)
        sides: _native.Sides = {"source": source, "target": target, "target_gram": None, "kernel": kernel.described(), "custom": None}
        return _native.similarities(sides, {"n_threads": 0, "progress": None})

    def resolved(self, source: Matrix, target: Matrix | None, *, seed: int, n_threads: int) -> Kernel:
        """The same kernel with every parameter a number, found from the data where it was not one yet."""
        return self

    def parameters(self) -> dict[str, float | int]:
        """The parameters by name, in the order of the result's JSON."""
        return {}

    def described(self) -> dict[str, Any]:
        """What the native half needs to know."""
        empty = {"bandwidth": None, "degree": None, "scale": None, "offset": None}
        return {"name": self.name, **empty, **self.parameters()}


@dataclass(frozen=True)
class _Wide(Kernel):
    """A kernel with a width: a number, "median" for the median distance of two rows, or "cv" for cross-validation."""

    bandwidth: float | str = "median"
    _manhattan: ClassVar[bool] = False

    def __post_init__(self) -> None:
        if isinstance(self.bandwidth, str):
            if self.bandwidth not in ("median", "cv"):
                raise ValueError(f'bandwidth is {self.bandwidth!r}; it must be "median", "cv" or a number above 0')
        else:
            object.__setattr__(self, "bandwidth", _width(self.bandwidth))

    def resolved(self, source: Matrix, target: Matrix | None, *, seed: int, n_threads: int) -> Kernel:
        if self.bandwidth != "median":
            return self
        return replace(self, bandwidth=_native.median_distance(source, target, self._manhattan, seed, n_threads))

    def parameters(self) -> dict[str, float | int]:
        return {} if isinstance(self.bandwidth, str) else {"bandwidth": self.bandwidth}


@dataclass(frozen=True)
class Gaussian(_Wide):
    """exp(−‖x−y‖² / (2 bandwidth²)).

    >>> Gaussian(2.0)
    Gaussian(bandwidth=2.0)
    """

    name: ClassVar[str] = "gaussian"


@dataclass(frozen=True)
class Laplacian(_Wide):
    """exp(−‖x−y‖₁ / bandwidth), with the sum of absolute differences.

    >>> Laplacian(1.0)([[0.0, 0.0]], [[0.0, 0.0]])
    array([[1.]])
    """

    name: ClassVar[str] = "laplacian"
    _manhattan: ClassVar[bool] = True


@dataclass(frozen=True)
class Matern32(_Wide):
    """The Matérn kernel of smoothness 3/2: once differentiable.

    >>> Matern32(1.0)([[3.0]], [[3.0]])
    array([[1.]])
    """

    name: ClassVar[str] = "matern32"


@dataclass(frozen=True)
class Matern52(_Wide):
    """The Matérn kernel of smoothness 5/2: twice differentiable.

    >>> Matern52(1.0)([[3.0]], [[3.0]])
    array([[1.]])
    """

    name: ClassVar[str] = "matern52"


@dataclass(frozen=True)
class InverseMultiquadric(_Wide):
    """1 / √(1 + ‖x−y‖² / bandwidth²), with long tails.

    >>> InverseMultiquadric(1.0)([[0.0]], [[0.0]])
    array([[1.]])
    """

    name: ClassVar[str] = "inverse-multiquadric"


@dataclass(frozen=True)
class Linear(Kernel):
    """xᵀy.

    >>> Linear()([[1.0, 2.0]], [[3.0, 4.0]])
    array([[11.]])
    """

    name: ClassVar[str] = "linear"


@dataclass(frozen=True)
class Polynomial(Kernel):
    """(scale · xᵀy + offset)^degree; the scale is one over the number of features unless it is given.

    >>> Polynomial(degree=2, scale=1.0, offset=1.0)([[1.0]], [[2.0]])
    array([[9.]])
    """

    degree: int = 3
    scale: float | None = None
    offset: float = 1.0
    name: ClassVar[str] = "polynomial"

    def __post_init__(self) -> None:
        if isinstance(self.degree, bool) or not hasattr(self.degree, "__index__"):
            raise TypeError(f"degree is of type {type(self.degree).__name__}; it must be a whole number, at least 1")
        if not 1 <= self.degree <= 1000:
            raise ValueError(f"degree is {self.degree}; it must be a whole number, at least 1 and at most 1000")
        object.__setattr__(self, "offset", _number("offset", self.offset))
        if self.scale is not None:
            object.__setattr__(self, "scale", _number("scale", self.scale))

    def resolved(self, source: Matrix, target: Matrix | None, *, seed: int, n_threads: int) -> Kernel:
        return self if self.scale is not None else replace(self, scale=1.0 / max(1, source.shape[1]))

    def parameters(self) -> dict[str, float | int]:
        scale = {} if self.scale is None else {"scale": self.scale}
        return {"degree": self.degree, **scale, "offset": self.offset}


@dataclass(frozen=True)
class Cosine(Kernel):
    """xᵀy / (‖x‖ ‖y‖), and 0 where one of them is 0.

    >>> Cosine()([[1.0, 0.0]], [[5.0, 0.0], [0.0, 2.0]])
    array([[1., 0.]])
    """

    name: ClassVar[str] = "cosine"


@dataclass(frozen=True)
class Hamming(Kernel):
    """The part of the columns in which two rows agree, for categories and codes.

    >>> Hamming()([[1.0, 2.0]], [[1.0, 7.0]])
    array([[0.5]])
    """

    name: ClassVar[str] = "hamming"


@dataclass(frozen=True)
class Precomputed(Kernel):
    """Kernel values that were computed elsewhere: the data handed to `select` are the matrices."""

    name: ClassVar[str] = "precomputed"

    def __call__(self, x: Any, y: Any) -> NDArray[np.float64]:
        raise TypeError("a precomputed kernel has no formula that could be applied to rows")


@dataclass(frozen=True)
class Custom(Kernel):
    """A function of one's own: called with two blocks of rows, it returns a matrix of their similarities."""

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


_BY_NAME: dict[str, type[Kernel]] = {
    kernel.name: kernel
    for kernel in (
        Gaussian,
        Laplacian,
        Matern32,
        Matern52,
        InverseMultiquadric,
        Linear,
        Polynomial,
        Cosine,
        Hamming,
        Precomputed,
    )
}


def as_kernel(kernel: Any, bandwidth: Any) -> Kernel:
    """The kernel that a caller means by a name, an object or a function."""
    if isinstance(kernel, str):
        if kernel not in _BY_NAME:
            raise ValueError(f"there is no kernel {kernel!r}; there are {', '.join(_BY_NAME)}")
        kind = _BY_NAME[kernel]
        if issubclass(kind, _Wide):
            return kind(bandwidth)
        if bandwidth is not None and not (isinstance(bandwidth, str) and bandwidth == "median"):
            raise ValueError(f"the kernel {kernel} has no bandwidth")
        return kind()
    if not isinstance(bandwidth, str) or bandwidth != "median":
        raise ValueError("bandwidth belongs to a kernel that is given by its name; this one has its own parameters")
    if isinstance(kernel, type) and issubclass(kernel, Kernel):
        raise TypeError(f"kernel is the class {kernel.__name__}; give an object of it, {kernel.__name__}(...)")
    if isinstance(kernel, Kernel):
        return kernel
    if callable(kernel):
        return Custom(kernel)
    raise TypeError(f"kernel is of type {type(kernel).__name__}; it must be a name, a kernel or a function of two blocks")


def from_parameters(name: str, parameters: dict[str, Any]) -> Kernel:
    """The kernel that a saved result names."""
    if name not in _BY_NAME:
        raise ValueError(f"there is no kernel {name!r}")
    kind = _BY_NAME[name]
    wanted = [parameter.name for parameter in fields(kind)]
    lacking = [parameter for parameter in wanted if parameter not in parameters]
    if lacking:
        raise ValueError(f'the kernel "{name}" lacks its "{lacking[0]}"')
    return kind(**{parameter: parameters[parameter] for parameter in wanted})


def _shown(row: Any) -> str:
    """A row on one line, a long one by its ends."""
    return np.array2string(np.asarray(row), precision=4, threshold=8, edgeitems=3, max_line_width=10_000)


def _width(given: Any) -> float:
    """The width given; one that is far too small or too large is written with its power of ten."""
    width = _number("bandwidth", given)
    if np.isfinite(width) and width != 0 and not 1e-150 <= abs(width) <= 1e150:
        raise ValueError(f"bandwidth is {width:g}; it must be above 0 and finite (1e-150 to 1e150)")
    return width


def _number(what: str, value: Any) -> float:
    if isinstance(value, (bool, str, bytes, complex)) or not hasattr(value, "__float__") or np.ndim(value) > 0:
        raise TypeError(f"{what} is of type {type(value).__name__}; it must be a number")
    return float(value)
