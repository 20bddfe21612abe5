"""What a worker needs to know about a run, and the data that it reads."""

from __future__ import annotations

import json
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

from .. import _native
from .._data import Data
from .._memory import as_bytes
from .._options import result_origin
from .._select import among
from .._tables import gather_tables
from ..kernels import Kernel
from ._inputs import Input, Remote


@dataclass(frozen=True)
class Call:
    """The arguments of a call, checked."""

    source: Input
    target: Input | None
    n_prototypes: int | str | None
    n_criticisms: int
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

    def inputs(self) -> list[Input]:
        """What is read."""
        return [self.source] if self.target is None else [self.source, self.target]


@dataclass(frozen=True)
class Known:
    """The data at the beginning of a run, which workers that are started later compare."""

    hash: str
    names: list[list[str]]
    """The files of source and target."""

    def check(self, call: Call, found: str | None) -> None:
        """Raises unless the data are still the same; `found` is the hash of what there is now, if it could be read."""
        for given, names in zip(call.inputs(), self.names):
            gone = given.gone(names)
            if gone:
                others = "" if len(gone) == 1 else f" and {len(gone) - 1} more"
                raise ValueError(
                    f"{gone[0]}{others} was read at the beginning of the run and is gone; put it back and repeat the call, "
                    "which continues from its checkpoint if it has one"
                )
        if found is not None and found != self.hash:
            raise ValueError(
                f"{call.source.given} has changed during the run; restore it and repeat the call, which continues from its "
                "checkpoint if it has one"
            )


@dataclass
class Loaded:
    """The data of a call as matrices, and what follows from them."""

    data: Data
    options: dict[str, Any]
    origin: dict[str, Any]
    hash: str

    def facts(self, call: Call) -> dict[str, Any]:
        """What the driver has to know about the data: no rows."""
        data = self.data
        return {
            "n_source": len(data.source.matrix),
            "n_threads": call.n_threads,
            "is_single": data.source.matrix.dtype == "float32",
            "kernel": data.kernel.described(),
            "n_tasks": _native.count_mean_tasks(data.sides(), self.options, call.run()),
            # The leader has no weights; workers checked them.
            "options": {**self.options, "target_weights": None},
            "request": (self.origin["n_prototypes"], self.options["min_gain"], self.origin["median_multiple"]),
            "flags": json.loads(self.origin["data"]),
            "known": Known(self.hash, [given.names() for given in call.inputs()]),
        }


def load(call: Call) -> Loaded:
    """Read the files as the command does."""
    memory = as_bytes(call.memory) // call.workers_per_node
    with ExitStack() as stack:
        source = stack.enter_context(call.source.opened())
        target = None if call.target is None else stack.enter_context(call.target.opened())
        # Errors and notes name what the caller gave, not copies of it.
        given = {path: one.given for path, one in zip((source, target), call.inputs()) if isinstance(one, Remote)}
        try:
            data, flags = gather_tables(
                source,
                target,
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
        except (ValueError, OSError) as error:
            error.args = tuple(_renamed(text, given) if isinstance(text, str) else text for text in error.args)
            raise
    data.notes = [_renamed(note, given) for note in data.notes]
    flags |= {"source": call.source.given, "target": None if call.target is None else call.target.given}
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
    hashed = _native.hash_of_data(data.sides(), data.target_weights, call.run())
    assert hashed is not None
    return Loaded(data, options, origin, hashed)


def _renamed(text: str, given: dict[str, str]) -> str:
    for path, name in given.items():
        text = text.replace(path, name)
    return text
