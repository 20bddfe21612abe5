# Written by tests/kernel_stub.py from the definitions in the core.
from dataclasses import dataclass

from ._kernel_base import BuiltInKernel

BUILT_IN: dict[str, type[BuiltInKernel]]
__all__ = [
    "Cosine",
    "Gaussian",
    "Hamming",
    "InverseMultiquadric",
    "Laplacian",
    "Linear",
    "Matern32",
    "Matern52",
    "Polynomial",
]

@dataclass(frozen=True)
class Gaussian(BuiltInKernel):
    bandwidth: float | str = ...

@dataclass(frozen=True)
class Laplacian(BuiltInKernel):
    bandwidth: float | str = ...

@dataclass(frozen=True)
class Matern32(BuiltInKernel):
    bandwidth: float | str = ...

@dataclass(frozen=True)
class Matern52(BuiltInKernel):
    bandwidth: float | str = ...

@dataclass(frozen=True)
class InverseMultiquadric(BuiltInKernel):
    bandwidth: float | str = ...

@dataclass(frozen=True)
class Linear(BuiltInKernel):
    ...

@dataclass(frozen=True)
class Polynomial(BuiltInKernel):
    degree: int = ...
    scale: float | None = ...
    offset: float = ...

@dataclass(frozen=True)
class Cosine(BuiltInKernel):
    ...

@dataclass(frozen=True)
class Hamming(BuiltInKernel):
    ...
