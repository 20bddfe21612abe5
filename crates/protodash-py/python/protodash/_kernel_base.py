"""Base classes of the kernel objects."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from . import _native
from ._arrays import Matrix, as_matrix, same_precision
from ._memory import as_bytes
from ._sparse import SparseArrays, as_sparse, native, stays_sparse


@dataclass(frozen=True)
class Kernel:
    """A symmetric positive definite similarity of two rows."""

    name: ClassVar[str] = ""
    compares_codes: ClassVar[bool] = False
    """True if the kernel only tests values for equality."""

    def __call__(self, x: Any, y: Any) -> NDArray[np.float64]:
        """k(x, y) for each row of `x` (rows of the result) and each row of `y` (its columns)."""
        memory = as_bytes(None)
        source: Any
        target: Any
        if stays_sparse(y, x, self.name):
            source, target = (native(as_sparse(rows, role, memory)) for rows, role in ((y, "second block"), (x, "first block")))
        else:
            source, target = same_precision(as_matrix(y, "second block", memory), as_matrix(x, "first block", memory))
        kernel = self.resolved(source, target, seed=0, n_threads=0)
        sides: _native.Sides = {"source": source, "target": target, "target_gram": None, "kernel": kernel.described(), "custom": None}
        return _native.similarities(sides, {"n_threads": 0, "progress": None})

    def depends_on_data(self) -> bool:
        """Whether a parameter still has to be computed from the data."""
        return False

    def resolved(
        self, source: Matrix | SparseArrays, target: Matrix | SparseArrays | None, *, seed: int, n_threads: int
    ) -> Kernel:
        """The same kernel with every parameter a number; open ones are computed from the data."""
        return self

    def parameters(self) -> dict[str, float | int]:
        """The parameters by name, in the order of the result's JSON."""
        return {}

    def described(self) -> _native.KernelRequest:
        """The kernel for the native half."""
        return {"name": self.name, "parameters": {}}


@dataclass(frozen=True)
class BuiltInKernel(Kernel):
    """A kernel of the core. Its parameters are numbers, or open: computed from the data."""

    def __post_init__(self) -> None:
        for parameter in fields(self):
            value = getattr(self, parameter.name)
            if value is None and parameter.default is None:
                continue  # open
            # Only a parameter with rules has the name of a rule as its default.
            if not (isinstance(value, str) and isinstance(parameter.default, str)):
                value = _number(parameter.name, value, whole=isinstance(parameter.default, int))
                object.__setattr__(self, parameter.name, value)
        _native.check_kernel(self.described())

    def depends_on_data(self) -> bool:
        # Cross-validation needs more than the rows: `select` does it.
        return any(value is None or (isinstance(value, str) and value != "cv") for value in self._values().values())

    def resolved(
        self, source: Matrix | SparseArrays, target: Matrix | SparseArrays | None, *, seed: int, n_threads: int
    ) -> Kernel:
        if not self.depends_on_data():
            return self
        return replace(self, **_native.resolve_kernel(self.described(), source, target, seed, n_threads))

    def parameters(self) -> dict[str, float | int]:
        return {name: value for name, value in self._values().items() if not isinstance(value, str) and value is not None}

    def described(self) -> _native.KernelRequest:
        given = {name: value for name, value in self._values().items() if value is not None}
        return {"name": self.name, "parameters": given}

    def _values(self) -> dict[str, float | int | str | None]:
        return {parameter.name: getattr(self, parameter.name) for parameter in fields(self)}


def _number(what: str, value: Any, *, whole: bool) -> float | int:
    kind = "whole number" if whole else "number"
    unfit = isinstance(value, (bool, str, bytes, complex)) or not hasattr(value, "__index__" if whole else "__float__")
    if unfit or np.ndim(value) > 0:
        raise TypeError(f"{what} is of type {type(value).__name__}; it must be a {kind}")
    return int(value) if whole else float(value)
