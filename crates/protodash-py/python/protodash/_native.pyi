from collections.abc import Callable
from typing import Any, TypedDict, type_check_only

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "DEFAULT_BANDWIDTH",
    "DEFAULT_KERNEL",
    "__version__",
    "check_kernel",
    "covariate_shift",
    "criticize",
    "cross_validate",
    "distinct",
    "encode",
    "kernel_definitions",
    "panics",
    "report",
    "represent",
    "resolve_kernel",
    "select",
    "similarities",
]
__version__: str
DEFAULT_BANDWIDTH: str
DEFAULT_KERNEL: str

@type_check_only
class KernelRequest(TypedDict):
    name: str
    parameters: dict[str, Any]

@type_check_only
class Sides(TypedDict):
    source: NDArray[Any]
    target: NDArray[Any] | None
    target_gram: NDArray[np.float64] | None
    kernel: KernelRequest
    custom: dict[str, Any] | None

@type_check_only
class Run(TypedDict):
    n_threads: int
    progress: Callable[[str, int, int], object] | None

@type_check_only
class Found(TypedDict):
    indices: NDArray[np.int64]
    weights: NDArray[np.float64]
    objective: NDArray[np.float64]
    weights_path: list[NDArray[np.float64]]
    stopped: str
    target_energy: tuple[float, float | None] | None
    n_target: int
    n_source: int
    kernel_mean: NDArray[np.float64]
    classes: list[tuple[int, float, int, int, int]]
    seconds: float

def select(sides: Sides, options: dict[str, Any], run: Run) -> Found: ...
def cross_validate(
    sides: Sides, options: dict[str, Any], labels: tuple[list[int], list[int]] | None, run: Run
) -> tuple[float, dict[str, Any]]: ...
def distinct(rows: NDArray[Any], n_threads: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]: ...
def covariate_shift(
    sides: Sides,
    prototypes: tuple[NDArray[np.int64], NDArray[np.float64]],
    target_weights: NDArray[np.float64] | None,
    features: list[tuple[str, tuple[float, float] | None]],
    run: Run,
) -> tuple[float, NDArray[np.float64], list[dict[str, Any]]]: ...
def encode(source: Any, target: Any, options: dict[str, Any], run: Run) -> dict[str, Any]: ...
def represent(
    sides: Sides, indices: NDArray[np.int64], weights: NDArray[np.float64], run: Run
) -> tuple[NDArray[np.int64], NDArray[np.int64]]: ...
def similarities(sides: Sides, run: Run) -> NDArray[np.float64]: ...
def criticize(
    sides: Sides, indices: NDArray[np.int64], weights: NDArray[np.float64], options: dict[str, Any], run: Run
) -> tuple[NDArray[np.int64], NDArray[np.float64]]: ...
def kernel_definitions() -> list[dict[str, Any]]: ...
def check_kernel(kernel: KernelRequest) -> None: ...
def resolve_kernel(
    kernel: KernelRequest, source: NDArray[Any], target: NDArray[Any] | None, seed: int, n_threads: int
) -> dict[str, Any]: ...
def report(page: dict[str, Any], known: dict[str, Any] | None, run: Run) -> str: ...
def panics() -> None: ...
