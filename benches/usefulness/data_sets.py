"""The data sets: real ones of many kinds, and synthetic ones on which it is known what a good summary is.

Each is a matrix of standardised columns (images stay as they are) and, where there are any, class labels.
"""

import csv
import gzip
from dataclasses import dataclass
from pathlib import Path

import numpy as np

MOST_ROWS = 1500
"""Larger data sets are sampled, without replacement."""


@dataclass
class DataSet:
    name: str
    rows: np.ndarray
    labels: np.ndarray | None


def data_sets(testdata: Path, data: Path) -> list[DataSet]:
    from sklearn import datasets

    bundled = {name: getattr(datasets, f"load_{name}")() for name in ["iris", "diabetes"]}
    return [
        sampled("digits", *labelled_table(testdata / "digits.csv", "label"), scaled=False),
        sampled("USPS", *usps(data / "usps" / "usps.h5"), scaled=False),
        sampled("MNIST", *mnist(data / "mnist"), scaled=False),
        sampled("letters", *letters(data / "letter" / "letter-recognition.data")),
        sampled("wine", *labelled_table(testdata / "wine.csv", "label")),
        sampled("breast cancer", *labelled_table(testdata / "breast_cancer.csv", "label")),
        sampled("iris", bundled["iris"].data, bundled["iris"].target),
        sampled("diabetes", bundled["diabetes"].data, None),
        sampled("adults", *mixed_table(testdata / "nhanes_adults.csv", "high_blood_pressure", drop=["id"])),
        sampled("shoppers", *mixed_table(data / "retail" / "online_shoppers_intention.csv", "Revenue")),
        sampled(
            "campaign",
            *mixed_table(
                data / "retail" / "marketing_campaign.csv", "Response", drop=["ID", "Dt_Customer"], delimiter=";"
            ),
        ),
        sampled("mixture", *gaussian_mixture()),
        sampled("heavy tails", heavy_tails(), None),
        sampled("white noise", white_noise(), None),
    ]


def sampled(name, rows, labels, scaled=True) -> DataSet:
    """At most `MOST_ROWS` rows, their columns standardised, constant ones dropped."""
    rows = np.asarray(rows, float)
    if len(rows) > MOST_ROWS:
        kept = np.sort(np.random.default_rng(0).permutation(len(rows))[:MOST_ROWS])
        rows, labels = rows[kept], None if labels is None else np.asarray(labels)[kept]
    rows = rows[:, rows.std(axis=0) > 0]
    if scaled:
        rows = (rows - rows.mean(axis=0)) / rows.std(axis=0)
    classes = None if labels is None else np.unique(labels, return_inverse=True)[1]
    return DataSet(name, np.ascontiguousarray(rows), classes)


def read(path, delimiter=","):
    with open(path, newline="", encoding="utf-8-sig") as file:
        return list(csv.DictReader(file, delimiter=delimiter))


def labelled_table(path, label):
    table = read(path)
    return [[float(value) for name, value in row.items() if name != label] for row in table], [r[label] for r in table]


def mixed_table(path, label, drop=(), delimiter=","):
    """Numbers as they are, their gaps filled with the mean; text as one column for each level."""
    table = read(path, delimiter)
    columns = []
    for name in table[0]:
        if name == label or name in drop:
            continue
        values = [row[name] for row in table]
        try:
            numbers = np.array([float(value) if value else np.nan for value in values])
            columns.append(np.where(np.isnan(numbers), np.nanmean(numbers), numbers))
        except ValueError:
            columns.extend(np.array([value == level for value in values], float) for level in sorted(set(values)))
    return np.column_stack(columns), [row[label] for row in table]


def letters(path):
    with open(path, newline="") as file:
        table = list(csv.reader(file))
    return [[float(value) for value in row[1:]] for row in table], [row[0] for row in table]


def usps(path):
    import h5py

    with h5py.File(path) as file:
        return np.asarray(file["train/data"], float), np.asarray(file["train/target"])


def mnist(folder):
    def bytes_of(name, offset):
        with gzip.open(folder / f"t10k-{name}-ubyte.gz") as file:
            return np.frombuffer(file.read(), np.uint8, offset=offset)

    return bytes_of("images-idx3", 16).reshape(-1, 784) / 255.0, bytes_of("labels-idx1", 8)


def gaussian_mixture():
    """Eight clusters of unequal size and width."""
    random = np.random.default_rng(1)
    shares = np.array([0.3, 0.2, 0.15, 0.12, 0.1, 0.06, 0.04, 0.03])
    labels = random.choice(len(shares), MOST_ROWS, p=shares)
    centres, widths = 3.0 * random.standard_normal((len(shares), 10)), random.uniform(0.5, 1.5, len(shares))
    return centres[labels] + widths[labels, None] * random.standard_normal((MOST_ROWS, 10)), labels


def heavy_tails():
    """Student's t with two degrees of freedom: no variance."""
    return np.random.default_rng(2).standard_t(2, (MOST_ROWS, 10))


def white_noise():
    """Nothing to be found."""
    return np.random.default_rng(3).standard_normal((MOST_ROWS, 50))
