from collections.abc import Callable
from typing import Any, TypedDict, final, type_check_only

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "AMONG",
    "DEFAULT_BANDWIDTH",
    "DEFAULT_KERNEL",
    "MAX_THREADS",
    "MEANS",
    "METHODS",
    "MISSING",
    "PER_LABEL",
    "SCALES",
    "SPARSE_KERNELS",
    "TARGET_ENERGY",
    "WEIGHTS",
    "Advice",
    "ComparisonResult",
    "Document",
    "ExplanationResult",
    "RelationResult",
    "WorkerPort",
    "__version__",
    "array_note",
    "check_cluster",
    "check_kernel",
    "class_probabilities",
    "common_instructions",
    "compare",
    "constraints_in_words",
    "count_mean_tasks",
    "covariate_shift",
    "criticism_table",
    "criticize",
    "cross_validate",
    "default_weights",
    "distinct",
    "draw_rows",
    "encode",
    "equal_rows",
    "estimate",
    "explain",
    "explained_of",
    "half_of_memory",
    "hash_of_data",
    "instructions",
    "kernel_definitions",
    "lead",
    "limit_to_instructions",
    "looks",
    "median_multiple",
    "message_in_words",
    "normalized",
    "normalized_sparse",
    "number_of_prototypes",
    "panics",
    "parse_size",
    "relate",
    "report",
    "report_side_by_side",
    "represent",
    "resolve_kernel",
    "run_mean_task",
    "select",
    "select_from_tasks",
    "similarities",
]
__version__: str
DEFAULT_BANDWIDTH: str
DEFAULT_KERNEL: str
METHODS: list[str]
WEIGHTS: list[str]
TARGET_ENERGY: list[str]
MEANS: list[str]
MAX_THREADS: int
SPARSE_KERNELS: list[str]
PER_LABEL: list[str]
AMONG: list[str]
SCALES: list[str]
MISSING: list[str]

_SparseArrays = tuple[int, NDArray[np.int64], NDArray[np.uint32], NDArray[np.float64]]

@type_check_only
class KernelRequest(TypedDict):
    name: str
    parameters: dict[str, Any]

@type_check_only
class Sides(TypedDict):
    source: NDArray[Any] | _SparseArrays
    target: NDArray[Any] | _SparseArrays | None
    target_gram: NDArray[np.float64] | None
    kernel: KernelRequest
    custom: dict[str, Any] | None

@type_check_only
class Run(TypedDict):
    n_threads: int
    progress: Callable[[str, int, int], object] | None

_Table = list[tuple[str, bool, list[str]]]
"""Columns: a header, whether they are aligned to the right, and their cells."""

@final
class Advice:
    """What to try after an error."""

    def render(self, keywords: list[str]) -> str | None: ...

@final
class Document:
    """A result; the methods are documented where `protodash.Selection` calls them."""

    indices: NDArray[np.int64]
    weights: NDArray[np.float64]
    shares: NDArray[np.float64]
    gains: NDArray[np.float64]
    objective: NDArray[np.float64]
    weights_path: list[NDArray[np.float64]]
    sizes: list[int]
    explained_path: NDArray[np.float64]
    n_represented: NDArray[np.int64] | None
    n_fixed: int
    explained_by_fixed: float | None
    constraints: str | None
    ids: list[str] | None
    labels: list[str] | None
    classes_without_prototype: list[str] | None
    stopped: str
    method: str
    weights_rule: str
    n_target: int
    n_source: int
    n_features: int
    objective_final: float
    target_energy: float | None
    target_energy_standard_error: float | None
    means: tuple[str, float, float, int, int] | None
    mmd2: float | None
    explained: float | None
    explained_standard_error: float | None
    certified: float | None
    oversample: float
    max_weight: float | None
    min_effective: float | None
    seed: int

    @staticmethod
    def from_json(text: str, request: tuple[int | None, float | None, float | None] = ...) -> Document: ...
    def to_json(self, criticisms: dict[str, Any] | None) -> str: ...
    def share_texts(self) -> list[str]: ...
    def copy(self) -> Document: ...
    def part(self, key: str) -> str | None: ...
    def prefix(self, n_prototypes: int) -> Document | None: ...
    def name_rows(
        self, indices: list[int], ids: list[str] | None, labels: list[str] | None, n_source: int, n_target: int
    ) -> None: ...
    def difference(self, settings: dict[str, Any]) -> str | None: ...
    def set_n_represented(self, counts: list[int]) -> None: ...
    def table(self) -> _Table: ...
    def findings(self) -> list[str]: ...
    def settings(self) -> str: ...
    def set_classes(self, target_labels: list[str], target_weights: list[float] | None) -> None: ...
    def shift(self) -> tuple[_Table, list[str]]: ...
    def criticisms(self) -> dict[str, Any] | None: ...
    def __len__(self) -> int: ...

def criticism_table(criticisms: dict[str, Any]) -> _Table: ...
def select(
    sides: Sides, options: dict[str, Any], origin: dict[str, Any], run: Run
) -> tuple[Document, NDArray[np.float64], float]: ...
def explain(sides: Sides, options: dict[str, Any], run: Run) -> ExplanationResult: ...
def cross_validate(
    sides: Sides, options: dict[str, Any], labels: tuple[list[int], list[int]] | None, run: Run
) -> tuple[float, str]: ...
def default_weights(method: str) -> str: ...
def parse_size(text: str) -> int: ...
def half_of_memory() -> int: ...
def number_of_prototypes(text: str, n_source: int) -> int | None: ...
def constraints_in_words(options: dict[str, Any], cost: str) -> list[str]: ...
def hash_of_data(sides: Sides, target_weights: NDArray[np.float64] | None, run: Run) -> str | None: ...
def equal_rows(source: Any, rows: Any, id: str | None, keywords: list[str]) -> list[list[int]]: ...
def distinct(rows: NDArray[Any] | _SparseArrays, n_threads: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]: ...
def covariate_shift(
    document: Document,
    sides: Sides,
    positions: NDArray[np.int64],
    target_weights: NDArray[np.float64] | None,
    features: list[tuple[str, str | None, bool, Any, bool]],
    run: Run,
) -> NDArray[np.float64]: ...
def array_note(matrix: NDArray[Any]) -> str | None: ...
def draw_rows(n_rows: int, n_drawn: int, seed: int) -> NDArray[np.int64]: ...
def encode(source: Any, target: Any, options: dict[str, Any], run: Run) -> dict[str, Any]: ...
def represent(
    sides: Sides, indices: NDArray[np.int64], weights: NDArray[np.float64], run: Run
) -> tuple[NDArray[np.int64], NDArray[np.int64]]: ...
def estimate(
    indices: NDArray[np.int64] | None,
    weights: NDArray[np.float64],
    source: NDArray[np.float64],
    target: NDArray[np.float64] | None,
    target_weights: NDArray[np.float64] | None,
) -> tuple[float, float | None, float | None, float | None]: ...
def class_probabilities(
    sides: Sides, weights: NDArray[np.float64], labels: list[int], n_classes: int, run: Run
) -> NDArray[np.float64]: ...
def explained_of(sides: Sides, weights: NDArray[np.float64], run: Run) -> float | None: ...
def similarities(sides: Sides, run: Run) -> NDArray[np.float64]: ...
def criticize(
    sides: Sides, indices: NDArray[np.int64], weights: NDArray[np.float64], options: dict[str, Any], run: Run
) -> tuple[NDArray[np.int64], NDArray[np.float64]]: ...
def kernel_definitions() -> list[dict[str, Any]]: ...
def check_kernel(kernel: KernelRequest) -> None: ...
def median_multiple(kernel: KernelRequest) -> float | None: ...
def normalized(rows: NDArray[Any]) -> tuple[NDArray[Any], str | None]: ...
def normalized_sparse(starts: NDArray[np.int64], values: NDArray[np.float64]) -> tuple[NDArray[np.float64], str | None]: ...
def resolve_kernel(
    kernel: KernelRequest,
    source: NDArray[Any] | _SparseArrays,
    target: NDArray[Any] | _SparseArrays | None,
    seed: int,
    n_threads: int,
) -> dict[str, Any]: ...
def looks(document: Document, data: dict[str, Any], width: int, run: Run) -> list[str]: ...
def report(document: Document, page: dict[str, Any], data: dict[str, Any] | None, run: Run) -> str: ...
def report_side_by_side(
    documents: tuple[Document, Document], page: dict[str, Any], data: dict[str, Any] | None, run: Run
) -> str: ...
def panics() -> None: ...

@final
class ComparisonResult:
    def to_json(self) -> str: ...
    def report(self, title: str | None) -> str: ...
    def tables(self) -> list[tuple[int, _Table]]: ...
    def sentences(self) -> list[str]: ...
    def random_coverage(self) -> dict[str, Any] | None: ...
    def figures(self) -> dict[str, Any]: ...
    def prototypes(
        self, method: str, n_prototypes: int
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]] | None: ...
    def confusion(self, method: str, n_prototypes: int) -> NDArray[np.uint64] | None: ...
    def overlap(self, n_prototypes: int) -> tuple[list[str], NDArray[np.int64]] | None: ...
    @property
    def classes(self) -> list[str]: ...
    @property
    def notes(self) -> list[str]: ...
    @property
    def n_test(self) -> int: ...

@final
class ExplanationResult:
    @staticmethod
    def from_json(text: str) -> ExplanationResult: ...
    def to_json(self) -> str: ...
    @property
    def sentence(self) -> str: ...
    @property
    def limit(self) -> float | None: ...
    @property
    def show(self) -> list[str]: ...
    @property
    def kernel(self) -> str: ...
    def rows(self) -> list[dict[str, Any]]: ...
    def columns(self) -> list[tuple[str, list[Any]]]: ...
    def table(self) -> list[tuple[str, list[Any]]]: ...
    def page(
        self,
        title: str | None,
        image_shape: tuple[int, int, int] | None,
        data: tuple[Sides, dict[str, Any]] | None,
        run: Run,
    ) -> str: ...

@final
class RelationResult:
    def to_json(self) -> str: ...
    def report(self, title: str | None) -> str: ...
    def table(self) -> _Table: ...
    def sentences(self) -> list[str]: ...
    def tables(self) -> list[tuple[Any, ...]]: ...
    def pairs(self) -> dict[str, Any]: ...
    def edges(self) -> list[tuple[str, str, float, float]]: ...
    @property
    def notes(self) -> list[str]: ...

def compare(
    sides: Sides, options: dict[str, Any], comparison: dict[str, Any], origin: dict[str, Any], run: Run
) -> ComparisonResult: ...
def relate(tables: list[tuple[str, Any]], options: dict[str, Any], run: Run) -> RelationResult: ...

@final
class WorkerPort:
    """A worker of a cluster: one thread serves it, another sends it messages."""

    def __new__(cls) -> WorkerPort: ...
    def serve(
        self,
        sides: Sides,
        options: dict[str, Any],
        origin: dict[str, Any],
        part: tuple[tuple[int, int], list[bytes]],
        run: Run,
    ) -> None: ...
    def handle(self, message: bytes) -> bytes: ...
    def finish(self, path: bytes) -> tuple[Document, NDArray[np.float64] | None]: ...
    def close(self) -> None: ...

def instructions() -> str: ...
def common_instructions(levels: list[str]) -> str: ...
def limit_to_instructions(level: str) -> None: ...
def check_cluster(options: dict[str, Any], kernel: KernelRequest) -> bool: ...
def message_in_words(message: bytes) -> str: ...
def select_from_tasks(
    sides: Sides, options: dict[str, Any], origin: dict[str, Any], results: list[bytes], run: Run
) -> tuple[Document, NDArray[np.float64] | None]: ...
def count_mean_tasks(sides: Sides, options: dict[str, Any], run: Run) -> int: ...
def run_mean_task(sides: Sides, options: dict[str, Any], task: int, run: Run) -> bytes: ...
def lead(
    workers: list[Any],
    kernel: KernelRequest,
    is_single: bool,
    options: dict[str, Any],
    record: Callable[[int, int], object],
    run: Run,
) -> bytes: ...
