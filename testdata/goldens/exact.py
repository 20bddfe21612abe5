"""A direct NumPy implementation of ProtoDash and ProtoGreedy from the paper, with an exact solver for the weights.

Deliberately slow: full kernel matrices, one quadratic programme per candidate, nothing reused between steps. It shares
no code and no optimisations with the crate, so the two can check each other.
"""

from dataclasses import dataclass, field

import numpy as np
from scipy.linalg import cho_factor, cho_solve, cholesky, solve_triangular
from scipy.optimize import nnls
from scipy.spatial.distance import cdist

# Gains and gradients below this share of the largest kernel mean are rounding noise: the set is optimal.
OPTIMAL = 1e-12
# Two values with a smaller relative difference are tied.
TIED = 1e-12


@dataclass
class Run:
    """Prototypes in order of choice, their final weights, the objective after each, and how clear each choice was."""

    indices: list = field(default_factory=list)
    weights: list = field(default_factory=list)
    objective: list = field(default_factory=list)
    # Lead over the best candidate with other features, relative to the winner's own value: what is compared is the
    # gain in the first step of ProtoDash and in ProtoGreedy, the gradient in the later steps of ProtoDash.
    margins: list = field(default_factory=list)
    # Candidates with other features and the same value but for rounding: as good as the choice made at that step.
    tied: list = field(default_factory=list)
    stopped: str = "n_prototypes"


def kernel_matrix(name, bandwidth, a, b):
    if name == "gaussian":
        return np.exp(-cdist(a, b, "sqeuclidean") / (2.0 * bandwidth**2))
    if name == "linear":
        return a @ b.T
    raise ValueError(name)


def kernel_mean(name, bandwidth, target, source):
    """Mean similarity of each source row to the target, in blocks."""
    blocks = range(0, len(source), 512)
    return np.concatenate([kernel_matrix(name, bandwidth, source[i : i + 512], target).mean(axis=1) for i in blocks])


def weights(gram, mean):
    """The maximiser of mean'w - w'gram w / 2 over w >= 0, by non-negative least squares on a Cholesky factor."""
    upper = cholesky(gram)
    solution, _ = nnls(upper, solve_triangular(upper, mean, trans="T"))
    support = solution > 0
    if support.any():
        # Solve again on the support alone, which removes the last rounding errors.
        solution[support] = cho_solve(cho_factor(gram[np.ix_(support, support)]), mean[support])
    gradient = mean - gram @ solution
    scale = np.abs(mean).max()
    assert (solution >= 0).all(), "a negative weight"
    assert np.abs(gradient[support]).max(initial=0) < 1e-9 * scale, "not stationary on the support"
    assert gradient[~support].max(initial=-np.inf) < 1e-9 * scale, "a zero weight has a positive gradient"
    return solution


def objective(gram, mean, solution):
    return float(mean @ solution - solution @ gram @ solution / 2)


def protodash(kernel, bandwidth, target, source, n_prototypes, forbidden=()):
    """Algorithm 2; the first step takes the largest gain, as the authors' own code does."""
    mean = kernel_mean(kernel, bandwidth, target, source)
    diagonal = np.array([kernel_matrix(kernel, bandwidth, row[None], row[None])[0, 0] for row in source])
    run, columns, solution = Run(), np.empty((len(source), 0)), np.empty(0)
    while len(run.indices) < n_prototypes:
        gradient = mean - columns @ solution
        allowed = np.ones(len(source), dtype=bool)
        allowed[[*run.indices, *forbidden]] = False
        allowed &= gradient > OPTIMAL * np.abs(mean).max()
        if not allowed.any():
            run.stopped = "optimal"
            break
        with np.errstate(divide="ignore", invalid="ignore"):
            value = gradient if run.indices else gradient**2 / (2 * diagonal)
        admit(run, np.where(allowed, value, -np.inf), source)
        newest = source[run.indices[-1:]]
        columns = np.hstack([columns, kernel_matrix(kernel, bandwidth, source, newest)])
        gram = columns[run.indices]
        solution = weights(gram, mean[run.indices])
        run.objective.append(objective(gram, mean[run.indices], solution))
    run.weights = solution.tolist()
    return run


def protogreedy(kernel, bandwidth, target, source, n_prototypes):
    """Algorithm 1 as written: a separate quadratic programme for each candidate."""
    mean = kernel_mean(kernel, bandwidth, target, source)
    gram = kernel_matrix(kernel, bandwidth, source, source)
    run, reached = Run(), 0.0
    while len(run.indices) < n_prototypes:
        gains = np.full(len(source), -np.inf)
        for candidate in set(range(len(source))) - set(run.indices):
            gains[candidate] = gain(gram, mean, [*run.indices, candidate], reached)
        if gains.max() <= OPTIMAL * np.abs(mean).max():
            run.stopped = "optimal"
            break
        admit(run, gains, source)
        chosen = np.ix_(run.indices, run.indices)
        solution = weights(gram[chosen], mean[run.indices])
        reached = objective(gram[chosen], mean[run.indices], solution)
        run.objective.append(reached)
        run.weights = solution.tolist()
    return run


def gain(gram, mean, rows, reached):
    """Rise of the objective by the last of the rows; none for a row that the others already span."""
    block = gram[np.ix_(rows, rows)]
    old, cross = block[:-1, :-1], block[:-1, -1]
    if len(rows) > 1 and block[-1, -1] - cross @ cho_solve(cho_factor(old), cross) < 1e-12 * block[-1, -1]:
        return -np.inf
    return objective(block, mean[rows], weights(block, mean[rows])) - reached


def admit(run, values, source):
    """Take the row with the largest value, the first of several equal rows, and record its lead over the next one."""
    chosen = int(values.argmax())
    others = np.where((source != source[chosen]).any(axis=1), values, -np.inf)
    run.indices.append(chosen)
    run.margins.append(float((values[chosen] - max(others.max(), 0.0)) / values[chosen]))
    tied = np.flatnonzero(others >= values[chosen] * (1 - TIED)).tolist()
    if tied:
        run.tied.append({"step": len(run.indices) - 1, "source_indices": tied})
