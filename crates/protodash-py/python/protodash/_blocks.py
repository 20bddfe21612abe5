"""Values of a custom kernel in blocks: all kept if they fit into memory, else computed when needed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._arrays import Matrix
from ._memory import check_memory
from .kernels import Custom

BLOCK = 256
"""Rows of a block that is kept: small, since a C function cannot be interrupted."""
SMALL_BLOCK = 96
"""Rows of a block that is computed when needed: the core's block size."""


@dataclass
class Blocks:
    """Any block of values, by its first row and column; the target starts at a new block."""

    kernel: Custom
    source: Matrix
    target: Matrix | None

    def __call__(self, top: int, left: int) -> NDArray[np.float64]:
        return np.ascontiguousarray(self.kernel(self._rows(top), self._rows(left)))

    def _rows(self, first: int) -> Matrix:
        of_target = first - -(-len(self.source) // SMALL_BLOCK) * SMALL_BLOCK
        if self.target is None or of_target < 0:
            return self.source[first : first + SMALL_BLOCK]
        return self.target[of_target : of_target + SMALL_BLOCK]

    def described(self, memory: int) -> dict[str, Any]:
        """The description for the native half."""
        n_target = None if self.target is None else len(self.target)
        sizes = {"size": SMALL_BLOCK, "n_source": len(self.source), "n_target": n_target}
        return {"ask": self, **sizes, "memory": memory}


def kernel_matrix(
    kernel: Custom,
    rows: Matrix,
    others: Matrix | None,
    role: str,
    memory: int,
    report: Callable[[str, int, int], object] | None,
) -> NDArray[np.float64]:
    """k(x, y) for each pair of `rows` and `others`, or of `rows` with themselves.

    If both sides are the same, only half of the blocks are computed. The function is called with the GIL held; Ctrl-C is
    handled between calls.
    """
    symmetric = others is None
    columns = rows if others is None else others
    check_memory(len(rows), len(columns), 8, f"kernel matrix of the {role}", memory)
    values = np.empty((len(rows), len(columns)))
    pairs = [
        (top, left)
        for top in range(0, len(rows), BLOCK)
        for left in range(0, len(columns), BLOCK)
        if not symmetric or left >= top
    ]
    for done, (top, left) in enumerate(pairs):
        if report is not None:
            report("kernel values", done, len(pairs))
        block = kernel(rows[top : top + BLOCK], columns[left : left + BLOCK])
        values[top : top + BLOCK, left : left + BLOCK] = block
        if symmetric and left > top:
            values[left : left + BLOCK, top : top + BLOCK] = block.T
    if report is not None:
        report("kernel values", len(pairs), len(pairs))
    return values
