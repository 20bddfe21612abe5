"""What prototypes are worth to somebody who did not choose them: measures on held-out rows.

None depends on the kernel that chose the rows.
"""

from dataclasses import dataclass

import numpy as np

QUANTILES = [0.1, 0.25, 0.5, 0.75, 0.9]
NEIGHBOURS = 10


@dataclass
class Split:
    """Rows to choose from, rows to judge by, and what all rules share."""

    kept: np.ndarray
    held_out: np.ndarray
    kept_labels: np.ndarray | None
    held_out_labels: np.ndarray | None

    def __post_init__(self):
        self.between = distances(self.kept, self.held_out)
        self.within_kept = distances(self.kept, self.kept)
        within = distances(self.held_out, self.held_out)
        median = np.median(within[np.triu_indices(len(within), 1)])
        self.unit = median if median > 0 else 1.0
        self.half = self.unit / 2
        # The energy of the held-out rows under each kernel that judges.
        self.held_out_gaussian = gaussian(within, self.half).mean()
        self.held_out_distance = within.mean()
        ordered = np.sort(self.within_kept, axis=1)
        self.radius = ordered[:, min(NEIGHBOURS, len(ordered) - 1)]
        from_centre = np.linalg.norm(self.kept - self.kept.mean(axis=0), axis=1)
        self.centrality = 100 * from_centre.argsort().argsort() / (len(from_centre) - 1)
        self.means, self.deviations = self.held_out.mean(axis=0), self.held_out.std(axis=0)
        self.quantiles = np.quantile(self.held_out, QUANTILES, axis=0)


def measured(split: Split, rows: np.ndarray, weights: np.ndarray) -> dict[str, float]:
    """All measures of chosen rows with weights that sum to 1."""
    to_prototypes = split.between[rows]
    nearest = to_prototypes.argmin(axis=0)
    values = {
        "distance": to_prototypes[nearest, np.arange(len(nearest))].mean(),
        "radius": split.radius[rows].mean() / np.median(split.radius),
        "centrality": split.centrality[rows].mean(),
        **summary_errors(split, split.kept[rows], weights),
        **discrepancies(split, rows, weights),
    }
    if split.kept_labels is not None:
        labels = split.kept_labels[rows]
        values["accuracy"] = float((labels[nearest] == split.held_out_labels).mean())
        values["model"] = model_accuracy(split, rows, labels, weights)
    return values


def summary_errors(split, prototypes, weights):
    """Mean errors of weighted means, standard deviations and quantiles, over the mean standard deviation of the columns.

    A column that is all but constant counts as much as its deviation.
    """
    means = weights @ prototypes
    deviations = np.sqrt(np.maximum(weights @ (prototypes - means) ** 2, 0))
    quantiles = weighted_quantiles(prototypes, weights)
    return {
        "mean_error": np.abs(means - split.means).mean() / split.deviations.mean(),
        "deviation_error": np.abs(deviations - split.deviations).mean() / split.deviations.mean(),
        "quantile_error": np.abs(quantiles - split.quantiles).mean() / split.deviations.mean(),
    }


def weighted_quantiles(prototypes, weights):
    """For each column the smallest value with at least that share of the weight at or below it."""
    order = np.argsort(prototypes, axis=0, kind="stable")
    ascending = np.take_along_axis(prototypes, order, axis=0)
    cumulated = np.cumsum(weights[order], axis=0)
    found = []
    for level in QUANTILES:
        place = np.minimum((cumulated < level - 1e-12).sum(axis=0), len(prototypes) - 1)
        found.append(ascending[place, np.arange(prototypes.shape[1])])
    return np.array(found)


def discrepancies(split, rows, weights):
    """MMD² and energy distance of the weighted prototypes from the held-out rows."""
    between, within = split.between[rows], split.within_kept[np.ix_(rows, rows)]
    across = weights @ gaussian(between, split.half).mean(axis=1)
    mmd2 = weights @ gaussian(within, split.half) @ weights - 2 * across + split.held_out_gaussian
    energy = 2 * weights @ between.mean(axis=1) - weights @ within @ weights - split.held_out_distance
    return {"mmd2": max(mmd2, 0.0), "energy_distance": max(energy, 0.0)}


def model_accuracy(split, rows, labels, weights):
    """Accuracy of a ridge classifier trained on the weighted prototypes with their labels."""
    from sklearn.linear_model import RidgeClassifier

    used = weights > 0
    if len(np.unique(labels[used])) < 2:
        return float((split.held_out_labels == labels[used][0]).mean()) if used.any() else 0.0
    mean, scale = split.kept.mean(axis=0), split.kept.std(axis=0)
    scale[scale == 0] = 1.0
    model = RidgeClassifier(alpha=1.0)
    model.fit((split.kept[rows[used]] - mean) / scale, labels[used], sample_weight=weights[used] * used.sum())
    return float((model.predict((split.held_out - mean) / scale) == split.held_out_labels).mean())


def classes_found(split, rows) -> float:
    """Share of the classes with a prototype."""
    return len(np.unique(split.kept_labels[rows])) / len(np.unique(split.kept_labels))


def instability(first: np.ndarray, second: np.ndarray, unit: float) -> float:
    """Mean distance of the prototypes of one half from the nearest of the other half, both ways, in median distances."""
    between = distances(first, second)
    return (between.min(axis=1).mean() + between.min(axis=0).mean()) / 2 / unit


def gaussian(distance, bandwidth):
    return np.exp(-((distance / bandwidth) ** 2) / 2)


def distances(a, b):
    squared = (a * a).sum(1)[:, None] + (b * b).sum(1)[None] - 2 * a @ b.T
    found = np.sqrt(np.maximum(squared, 0))
    if a is b:
        np.fill_diagonal(found, 0)
    return found
