"""The rules that are compared: which rows they choose, with which weights."""

from dataclasses import dataclass
from typing import Callable

import numpy as np

import protodash


@dataclass
class Chosen:
    rows: np.ndarray
    weights: np.ndarray
    """Shares: they sum to 1."""


@dataclass
class Rule:
    name: str
    choose: Callable[[np.ndarray, int, int], Chosen]
    """From rows, a number and a seed."""
    is_nested: bool = False
    """Whether a choice for fewer is the beginning of one for more, whose weights `path` gives."""
    path: Callable[[np.ndarray, int, int], list[Chosen]] | None = None


def shares(weights: np.ndarray) -> np.ndarray:
    total = weights.sum()
    return weights / total if total > 0 else np.full(len(weights), 1 / max(len(weights), 1))


def ours(name: str, **options) -> Rule:
    """A method of this package; nested ones run once for all numbers."""

    def run(rows, n, seed):
        try:
            return protodash.select(rows, None, n, seed=seed, n_threads=1, **options)
        except ValueError as error:
            # The lasso path may skip the number; the next smaller one is the nearest it has.
            if getattr(error, "below", None) is None:
                raise
            return protodash.select(rows, None, error.below, seed=seed, n_threads=1, **options)

    def choose(rows, n, seed):
        selection = run(rows, n, seed)
        return Chosen(selection.indices, shares(selection.weights))

    def path(rows, n, seed):
        selection = run(rows, n, seed)
        prefixes = [selection.prefix(size) for size in range(1, len(selection.indices) + 1)]
        return [Chosen(prefix.indices, shares(prefix.weights)) for prefix in prefixes]

    nested = options.get("method", "protodash") in ["protodash", "protogreedy", "l2c", "random"]
    return Rule(name, choose, nested, path if nested else None)


def package_kmedoids(rows, n, seed) -> Chosen:
    """FasterPAM of the package `kmedoids`, with the share of rows nearest to each medoid."""
    import kmedoids

    distances = np.sqrt(np.maximum(squared_distances(rows, rows), 0))
    np.fill_diagonal(distances, 0)
    found = kmedoids.fasterpam(distances, n, random_state=seed, n_cpu=1)
    counts = np.bincount(np.asarray(found.labels, int), minlength=n)
    return Chosen(np.asarray(found.medoids, int), counts / counts.sum())


def package_mmd_critic(rows, n, seed) -> list[Chosen]:
    """The package `mmd-critic`, with its Gaussian kernel at the median distance and its equal weights."""
    from mmd_critic import MMDCritic
    from mmd_critic.kernels import RBFKernel

    above = np.triu_indices(len(rows), 1)
    median = np.sqrt(np.maximum(np.median(squared_distances(rows, rows)[above]), 0))
    critic = MMDCritic(rows, RBFKernel(sigma=median), labels=np.arange(len(rows)))
    order = critic.select_prototypes(n)[1]
    return [Chosen(order[:size], np.full(size, 1 / size)) for size in range(1, n + 1)]


def squared_distances(a, b):
    return (a * a).sum(1)[:, None] + (b * b).sum(1)[None] - 2 * a @ b.T


REFERENCE = "kmedoids (package), cluster shares"

RULES = [
    Rule(REFERENCE, package_kmedoids),
    Rule("mmd-critic (package), Gaussian", lambda rows, n, seed: package_mmd_critic(rows, n, seed)[-1], True, package_mmd_critic),
    ours("random", method="random"),
    ours("protodash (default)", method="protodash"),
    ours("protogreedy", method="protogreedy"),
    ours("swap", method="swap"),
    ours("l2c, equal weights", method="l2c"),
    ours("p-lasso", method="p-lasso"),
    ours("k-medoids", method="k-medoids"),
    ours("coverage", method="coverage"),
    ours("protodash, Gaussian, half the median", method="protodash", kernel="gaussian", bandwidth="auto"),
    ours("protodash, Gaussian, median", method="protodash", kernel="gaussian", bandwidth="median"),
    ours("swap, Gaussian, median", method="swap", kernel="gaussian", bandwidth="median"),
]
