"""The rules that are compared: which rows they choose, with which weights."""

import json
import os
import re
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Callable

import numpy as np


@dataclass
class Chosen:
    rows: np.ndarray
    weights: np.ndarray
    """Shares: they sum to 1."""


@dataclass
class Rule:
    name: str
    path: Callable[[np.ndarray, int, int], list[Chosen]]
    """From rows, a number and a seed: the choice with its weights, for each number if they are nested."""
    is_nested: bool
    """Whether a choice for fewer is the beginning of one for more."""

    def choose(self, rows: np.ndarray, n: int, seed: int) -> Chosen:
        return self.path(rows, n, seed)[-1]


def shares(weights) -> np.ndarray:
    weights = np.asarray(weights, float)
    total = weights.sum()
    return weights / total if total > 0 else np.full(len(weights), 1 / max(len(weights), 1))


def ours(name: str, method: str, *options: str) -> Rule:
    """A method of the command, whose path is in `PROTODASH_COMMAND`."""

    def path(rows, n, seed):
        with tempfile.TemporaryDirectory() as folder:
            source, result = Path(folder) / "rows.npy", Path(folder) / "result.json"
            np.save(source, rows)
            call = [os.environ["PROTODASH_COMMAND"], "select", source, "--method", method, *options]
            call += ["--seed", str(seed), "--threads", "1", "--quiet", "-o", result]
            finished = subprocess.run([*call, "-m", str(n)], capture_output=True, text=True)
            if finished.returncode == 1 and method == "p-lasso":
                # The path may skip a number; the message names the nearest that it has.
                nearest = re.search(r"that it has (?:is|are) ([\d,]+)", finished.stderr)
                if nearest:
                    number = nearest.group(1).replace(",", "")
                    finished = subprocess.run([*call, "-m", number], capture_output=True, text=True)
            if finished.returncode != 0:
                raise RuntimeError(finished.stderr)
            found = json.loads(result.read_text())
        order = np.array([prototype["source_index"] for prototype in found["prototypes"]])
        return [Chosen(order[: len(weights)], shares(weights)) for weights in found["weights_path"]]

    return Rule(name, path, method in ["protodash", "protogreedy", "l2c", "farthest-first", "random"])


def package_kmedoids(rows, n, seed) -> list[Chosen]:
    """FasterPAM of the package `kmedoids`, with the share of rows nearest to each medoid."""
    import kmedoids

    distances = np.sqrt(np.maximum(squared_distances(rows, rows), 0))
    np.fill_diagonal(distances, 0)
    found = kmedoids.fasterpam(distances, n, random_state=seed, n_cpu=1)
    counts = np.bincount(np.asarray(found.labels, int), minlength=n)
    return [Chosen(np.asarray(found.medoids, int), counts / counts.sum())]


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


REFERENCE = "package `kmedoids`, cluster shares"

RULES = [
    Rule(REFERENCE, package_kmedoids, is_nested=False),
    Rule("package `mmd-critic`, Gaussian", package_mmd_critic, is_nested=True),
    ours("`random`", "random"),
    ours("`protodash` (default)", "protodash"),
    ours("`protogreedy`", "protogreedy"),
    ours("`swap`", "swap"),
    ours("`l2c`, equal weights", "l2c"),
    ours("`p-lasso`", "p-lasso"),
    ours("`k-medoids`", "k-medoids"),
    ours("`coverage`", "coverage"),
    ours("`k-means`", "k-means"),
    ours("`farthest-first`", "farthest-first"),
    ours("`protodash`, Gaussian, half the median", "protodash", "--kernel", "gaussian"),
    ours("`protodash`, Gaussian, median", "protodash", "--kernel", "gaussian", "--bandwidth", "median"),
    ours("`swap`, Gaussian, median", "swap", "--kernel", "gaussian", "--bandwidth", "median"),
]
