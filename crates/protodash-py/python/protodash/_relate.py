"""How well tables that share a key represent each other."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from . import _native
from ._calls import with_hints
from ._checks import seed_of, threads, whole, word
from ._files import check_writable, write_whole
from ._frames import figures_frame
from ._memory import as_bytes
from ._page import check_ending
from ._progress import reporter
from ._show import html, plain
from ._tables import handed_over, is_table
from ._texts import as_text
from .kernels import Custom, Kernel, Precomputed, as_kernel


@dataclass(frozen=True)
class RelatedTable:
    """One of several related tables."""

    name: str
    n_keys: int
    """Number of the compared keys that it has."""
    n_features: int
    average_rank: float | None
    """Mean rank as a representative of the other tables; lower is better."""
    objective: float
    """Objective of its own prototypes."""
    explained: float
    """Share of the table that its own prototypes explain."""
    keys: list[str]
    """Keys of its own prototypes."""
    weights: NDArray[np.float64]
    """Their weights."""


class Relation:
    """How well the prototypes of each table represent the other tables."""

    def __init__(self, native: _native.RelationResult) -> None:
        self._native = native
        self._pairs = native.pairs()
        self.tables: dict[str, RelatedTable] = {row[0]: RelatedTable(*row) for row in native.tables()}

    @property
    def names(self) -> list[str]:
        """Names of the tables, in the order given."""
        return list(self.tables)

    @property
    def explained(self) -> NDArray[np.float64]:
        """Share of each table (rows) that the prototypes of each other table (columns) explain.

        The diagonal is the share that a table's own prototypes explain. NaN if two tables share no key.
        """
        return self._matrix("explained", [table.explained for table in self.tables.values()])

    @property
    def rank(self) -> NDArray[np.float64]:
        """Rank of each table (columns) as a representative of each other (rows); 1 is best, NaN if they share no key."""
        return self._matrix("rank", [np.nan] * len(self.tables))

    @property
    def edges(self) -> list[tuple[str, str]]:
        """The graph: each best representative with the table it represents."""
        return [(source, target) for source, target, _, _ in self._native.edges()]

    @property
    def notes(self) -> list[str]:
        """Remarks on how the tables were encoded: columns that are probably not meant as they are used."""
        return self._native.notes

    def to_frame(self, kind: str | None = None) -> Any:
        """A pandas data frame, or a polars one with kind="polars": one row per pair of tables."""
        return figures_frame(self._pairs, kind)

    def to_json(self) -> str:
        """The JSON that `protodash relate -o FILE.json` writes."""
        return self._native.to_json()

    def save(self, path: str | PathLike[str]) -> None:
        """Write `to_json` to a file, which `protodash report` reads."""
        write_whole(path, self.to_json())

    def report(self, path: str | PathLike[str], *, title: str | None = None) -> None:
        """Write an HTML report: one file, works offline."""
        check_ending(path)
        check_writable(path)
        write_whole(path, self._native.report(title))

    def __len__(self) -> int:
        return len(self.tables)

    def __repr__(self) -> str:
        return "\n".join([plain(self._native.table()), "", *self._native.sentences()])

    def _repr_html_(self) -> str:
        return html(self._native.table(), self._native.sentences())

    def _matrix(self, figure: str, diagonal: Sequence[float]) -> NDArray[np.float64]:
        places = {name: place for place, name in enumerate(self.tables)}
        matrix = np.full((len(places), len(places)), np.nan)
        np.fill_diagonal(matrix, diagonal)
        targets, sources = self._pairs["target"], self._pairs["source"]
        for target, source, value in zip(targets, sources, self._pairs[figure], strict=True):
            matrix[places[target], places[source]] = value
        return matrix


@with_hints
def relate(
    tables: Mapping[str, Any],
    key: str,
    *,
    keys: Literal["shared", "all"] = "shared",
    keys_of: Iterable[Any] | None = None,
    n_prototypes: int = 10,
    method: str = "protodash",
    weights: str = "nonnegative",
    best: int = 1,
    kernel: str | Kernel = _native.DEFAULT_KERNEL,
    bandwidth: float | str = _native.DEFAULT_BANDWIDTH,
    drop: Sequence[str] | None = None,
    categorical: Sequence[str] | Literal["all"] | None = None,
    scale: str | None = None,
    seed: int = 0,
    n_threads: int | None = None,
    memory: int | str | None = None,
    progress: Any = False,
) -> Relation:
    """Rank tables by how well their prototypes represent each other, as `protodash relate` does.

    Parameters
    ----------
    tables : mapping of names to tables
        Two or more pandas, polars or Arrow tables.
    key : str
        Key column, present in every table; keys must be unique within a table.
    keys : str
        "shared" compares two tables on the keys that both have; "all" on all keys, where a key that a table lacks gets
        the category "not asked".
    keys_of : iterable, optional
        Use only these keys.
    n_prototypes, method, weights, kernel, bandwidth, seed, n_threads, memory, progress
        As for `protodash.select`; each table has its own bandwidth.
    best : int
        Number of best representatives of each table in the graph.
    drop, scale
        As for `protodash.select`; not every table needs to have the columns.
    categorical : sequence of str or "all", optional
        Numeric columns to treat as categories.

    Returns
    -------
    Relation
        Ranks, shares explained and the graph.

    Examples
    --------
    >>> import pandas as pd, protodash
    >>> income = pd.DataFrame({"id": [1, 2, 3, 4], "income": [10, 11, 50, 52]})
    >>> work = pd.DataFrame({"id": [4, 3, 2, 1], "hours": [40, 41, 8, 9]})
    >>> relation = protodash.relate({"income": income, "work": work}, key="id", n_prototypes=2)
    >>> relation.edges
    [('work', 'income'), ('income', 'work')]
    """
    if not isinstance(tables, Mapping) or len(tables) < 2:
        raise ValueError('relate needs at least two tables with names, such as {"a": frame, "b": other}')
    for name, table in tables.items():
        if not is_table(table):
            raise TypeError(f"table {name!r} is of type {type(table).__name__}; it must be a table with named columns")
    wanted = as_kernel(kernel, bandwidth)
    if isinstance(wanted, (Custom, Precomputed)):
        raise ValueError("relate needs a built-in kernel, which can be computed for every table")
    word("keys", keys, ("shared", "all"))
    if scale is not None:
        word("scale", scale, _native.SCALES)
    every = isinstance(categorical, str) and word("categorical", categorical, ("all",)) == "all"
    options = {
        "key": key,
        "all_keys": keys == "all",
        "keys_of": None if keys_of is None else {as_text(entry) for entry in keys_of},
        "drop": list(drop or []),
        "categorical": [] if every else list(categorical or []),
        "all_categorical": every,
        "scale": scale,
        "kernel": wanted.described(),
        "n_prototypes": whole("n_prototypes", n_prototypes, 1),
        "method": word("method", method, _native.METHODS),
        "weights": word("weights", weights, _native.WEIGHTS),
        "n_best": whole("best", best, 1),
        "seed": seed_of(seed),
        "memory": as_bytes(memory),
        "keywords": list(inspect.signature(relate).parameters),
    }
    run_threads = threads(n_threads)
    with reporter(progress) as report:
        given = [(str(name), handed_over(table, str(name))) for name, table in tables.items()]
        return Relation(_native.relate(given, options, {"n_threads": run_threads, "progress": report}))
