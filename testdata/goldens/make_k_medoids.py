"""Write k_medoids.json next to this file.

    python3 make_k_medoids.py MNIST

MNIST is the original file `train-images-idx3-ubyte.gz`; the digits are the table of the folder above. The losses are
those of FasterPAM in the package `kmedoids`, which is run and never copied; PROVENANCE.md says which version. Pixels
are integers, so squared and absolute differences are exact and distances are the same on every machine.
"""

import gzip
import json
import sys
from pathlib import Path

import kmedoids
import numpy as np

HERE = Path(__file__).parent
N_MNIST = 2000
CASES = (
    [("digits.csv", "gaussian", k, seed) for k in [2, 5, 10, 50, 100] for seed in [0, 1, 2]]
    + [("digits.csv", "laplacian", k, seed) for k in [10, 50] for seed in [0, 1]]
    + [("mnist", "gaussian", k, seed) for k in [10, 50, 200] for seed in [0, 1, 2]]
)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    digits = np.loadtxt(HERE.parent / "digits.csv", delimiter=",", skiprows=1)[:, 1:].astype(np.int64)
    raw = np.frombuffer(gzip.open(sys.argv[1]).read(), np.uint8)[16:]
    mnist = raw.reshape(-1, 784)[:N_MNIST].astype(np.int64)
    distances = {
        ("digits.csv", "gaussian"): euclidean(digits),
        ("digits.csv", "laplacian"): np.stack([np.abs(digits - row).sum(1) for row in digits]).astype(float),
        ("mnist", "gaussian"): euclidean(mnist),
    }
    with open(HERE / "k_medoids.json", "w") as file:
        file.write("[\n" + ",\n".join(json.dumps(golden(distances, *case)) for case in CASES) + "\n]\n")


def euclidean(rows):
    own = (rows**2).sum(1)
    return np.sqrt((own[:, None] + own[None, :] - 2 * rows @ rows.T).astype(float))


def golden(distances, data, kernel, n_medoids, seed):
    matrix = distances[data, kernel]
    initial = np.random.default_rng(seed).choice(len(matrix), n_medoids, replace=False)
    found = kmedoids.fasterpam(matrix, initial.astype(np.uint64), max_iter=1000, n_cpu=1)
    return {
        "data": data,
        "n_rows": len(matrix),
        "kernel": kernel,
        "n_medoids": n_medoids,
        "seed": seed,
        "initial": initial.tolist(),
        "loss": float(found.loss),
        "medoids": sorted(map(int, found.medoids)),
        "n_swaps": int(found.n_swap),
    }


if __name__ == "__main__":
    main()
