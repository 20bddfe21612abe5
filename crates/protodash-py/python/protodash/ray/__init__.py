"""The same selection on a Ray cluster, for data and prototypes that outgrow one machine.

`select` divides the kernel means and the search between the nodes of a cluster. The result is that of `protodash.select` and of
the command on the same files, to the last bit, for any number of nodes, even if workers or nodes fail.

Needs Ray: `pip install "protodash[ray]"`. It is imported on first use.
"""

from __future__ import annotations

from ._select import select

__all__ = ["select"]


def __dir__() -> list[str]:
    return sorted(__all__)
