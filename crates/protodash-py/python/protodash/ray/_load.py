"""What a worker needs to know about a run, and the data that it reads."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .. import _native
from .._data import Data
from .._memory import as_bytes
from .._options import result_origin
from .._select import among
from .._tables import gather_tables
from ..kernels import Kernel


@dataclass(frozen=True)
class Call:
    """The arguments of a call, checked."""

    source: str
    """The path as it was given, which the result has."""
    source_path: str
    target: str | None
    target_path: str | None
    n_prototypes: int | str | None
    kernel: Kernel
    target_weights: str | None
    id: str | None
    label: str | None
    roles: dict[str, Any]
    options: dict[str, Any]
    """The options of a selection that do not depend on the data."""
    memory: int | str | None
    workers_per_node: int
    n_threads: int
    keywords: tuple[str, ...]

    def run(self) -> _native.Run:
        """The run options for the native module."""
        return {"n_threads": self.n_threads, "progress": None}


@dataclass
class Loaded:
    """The data of a call as matrices, and what follows from them."""

    data: Data
    options: dict[str, Any]
    origin: dict[str, Any]

    def facts(self, call: Call) -> dict[str, Any]:
        """What the driver has to know about the data: no rows."""
        data = self.data
        weights = data.target_weights
        hashed = _native.hash_of_data(data.sides(), weights, call.run())
        return {
            "n_source": len(data.source.matrix),
            "is_single": data.source.matrix.dtype == "float32",
            "kernel": data.kernel.described(),
            "n_tasks": _native.count_mean_tasks(data.sides(), self.options, call.run()),
            # The leader has no weights; workers checked them.
            "options": {**self.options, "target_weights": None},
            "request": (self.origin["n_prototypes"], self.options["min_gain"], self.origin["median_multiple"]),
            "hash": hashed,
        }


def load(call: Call) -> Loaded:
    """Read the files as the command does."""
    memory = as_bytes(call.memory) // call.workers_per_node
    data, flags = gather_tables(
        call.source_path,
        call.target_path,
        call.kernel,
        target_weights=call.target_weights,
        id=call.id,
        label=call.label,
        target_labels=None,
        roles=call.roles,
        keywords=call.keywords,
        run=call.run(),
        memory=memory,
    )
    flags |= {"source": call.source, "target": call.target}
    data.n_threads, data.memory = call.n_threads, memory
    other = None if data.target is None else data.target.matrix
    seed = call.options["seed"]
    data.kernel = call.kernel.resolved(data.source.matrix, other, seed=seed, n_threads=call.n_threads)
    number = among(call.n_prototypes, data)
    options = {
        **call.options,
        "n_prototypes": number,
        "target_weights": data.target_weights,
        "column_memory": data.column_memory(),
    }
    median_multiple = _native.median_multiple(call.kernel.described())
    origin = result_origin(data, flags, n_prototypes=number, median_multiple=median_multiple)
    return Loaded(data, options, origin)
