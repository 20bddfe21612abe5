"""Write protodash.json, protogreedy.json and differences.json next to this file.

    python3 make_goldens.py PDASH_UTILS

PDASH_UTILS is `aix360/algorithms/protodash/PDASH_utils.py` of the AIX360 0.3.0 wheel, unpacked somewhere outside this
repository; PROVENANCE.md says how to get it and which packages it needs. Its code is run, never copied. The tables are
the CSV files of the folder above. Set OPENBLAS_NUM_THREADS=1 to get the same last digits.
"""

import csv
import importlib.util
import json
import sys
from pathlib import Path

import numpy as np
from scipy.spatial.distance import pdist

import exact
from cases import DIFFERENCES, PROTODASH, PROTOGREEDY

HERE = Path(__file__).parent
# Weights that differ by less than this share of the largest weight count as equal.
SAME_WEIGHT = 1e-6


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    aix360 = load(sys.argv[1])
    write("protodash.json", [golden(case, aix360) for case in PROTODASH])
    write("differences.json", [golden(case, aix360) for case in DIFFERENCES])
    write("protogreedy.json", [greedy_golden(case) for case in PROTOGREEDY])
    for name in ["protodash.json", "differences.json"]:
        summarise(name)


def load(path):
    spec = importlib.util.spec_from_file_location("PDASH_utils", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.HeuristicSetSelection


def golden(case, aix360):
    """One case, solved by AIX360 and by the exact reference."""
    case, target, source = prepare(case)
    kernel, bandwidth, n_prototypes = case["kernel"], case["bandwidth"], case["n_prototypes"]
    theirs = run_aix360(aix360, kernel, bandwidth, target, source, n_prototypes)
    ours = exact.protodash(kernel, bandwidth, target, source, n_prototypes)
    without_row_0 = exact.protodash(kernel, bandwidth, target, source, n_prototypes, forbidden=[0])
    return case | {
        "agreement": agreement(theirs, ours, without_row_0),
        "aix360": theirs,
        "exact": vars(ours),
    }


def run_aix360(aix360, kernel, bandwidth, target, source, n_prototypes):
    kernel_type = {"gaussian": "Gaussian", "linear": "other"}[kernel]
    weights, indices, values = aix360(target, source, n_prototypes, kernel_type, bandwidth, "osqp")
    return {
        "indices": np.ravel(indices).tolist(),
        "weights": np.ravel(weights).tolist(),
        "objective": np.ravel(values).tolist(),
    }


def agreement(theirs, ours, without_row_0):
    """How far the two agree: same rows in the same order, and the largest difference between weights."""
    same_rows = theirs["indices"] == ours.indices
    difference = largest_difference(theirs["weights"], ours.weights) if same_rows else None
    return {
        "same_indices": same_rows,
        "largest_weight_difference": difference,
        "same_weights": same_rows and difference <= SAME_WEIGHT,
        "row_0_wanted": 0 in ours.indices,
        "same_indices_when_row_0_is_forbidden": theirs["indices"] == without_row_0.indices,
        "same_indices_until_the_exact_run_stops": theirs["indices"][: len(ours.indices)] == ours.indices,
        "smallest_margin": min(ours.margins),
    }


def largest_difference(a, b):
    """Largest difference between two weights of one row, as a share of the largest weight."""
    return float(np.abs(np.subtract(a, b)).max() / np.abs(b).max())


def greedy_golden(case):
    case, target, source = prepare(case)
    run = exact.protogreedy(case["kernel"], case["bandwidth"], target, source, case["n_prototypes"])
    return case | {"exact": vars(run)}


def prepare(case):
    """The case with its bandwidth as a number, and the two matrices."""
    labels, table = read(case["data"]["file"])
    if case["data"]["encoding"] == "one_hot":
        table = one_hot(table, case["data"]["missing"])
    target_rows, source_rows = (rows(case["data"][part], labels) for part in ("target", "source"))
    target, source = scale(case["data"]["scale"], table[target_rows], table[source_rows])
    bandwidth = case["bandwidth"]
    if bandwidth == "median":
        bandwidth = float(np.median(pdist(source)))
    print(case["case"], file=sys.stderr)
    shape = {"n_target": len(target), "n_source": len(source), "n_features": source.shape[1]}
    return case | {"bandwidth": bandwidth} | shape, target, source


def read(name):
    with (HERE.parent / name).open(newline="", encoding="utf-8") as file:
        header, *lines = csv.reader(file)
    labels = np.array([line[0] for line in lines]) if header[0] == "label" else None
    first = 0 if labels is None else 1
    table = [[float(cell) if cell else np.nan for cell in line[first:]] for line in lines]
    return labels, np.array(table)


def rows(part, labels):
    """Row numbers of the table that belong to one part, in the table's order."""
    chosen = np.arange(part["from"], part["to"])
    if part["label"] is not None:
        chosen = chosen[labels[chosen] == part["label"]]
    if part["not_label"] is not None:
        chosen = chosen[labels[chosen] != part["not_label"]]
    return chosen


def one_hot(table, missing):
    """A 0/1 column for each distinct value of each column, in rising order of value, missing last."""
    if missing == "zero":
        table = np.nan_to_num(table, nan=0.0)
    columns = []
    for values in table.T:
        columns += [values == level for level in np.unique(values[~np.isnan(values)])]
        if np.isnan(values).any():
            columns.append(np.isnan(values))
    return np.array(columns, dtype=float).T


def scale(how, target, source):
    """Both parts, scaled by statistics of the source; a constant column becomes 0."""
    if how == "none":
        return target, source
    if how == "standard":
        centre, width = source.mean(axis=0), source.std(axis=0)
    elif how == "minmax":
        centre, width = source.min(axis=0), source.max(axis=0) - source.min(axis=0)
    else:
        raise ValueError(how)
    assert (width > 0).all(), "a constant column"
    return (target - centre) / width, (source - centre) / width


def write(name, cases):
    """A list with one case on each line; ten digits of each number are plenty for a comparison to 1e-6."""
    lines = ",\n".join(json.dumps(rounded(case)) for case in cases)
    (HERE / name).write_text(f"[\n{lines}\n]\n", encoding="utf-8")


def rounded(value, key=None):
    if isinstance(value, dict):
        return {name: rounded(inner, name) for name, inner in value.items()}
    if isinstance(value, list):
        return [rounded(inner, key) for inner in value]
    if isinstance(value, float) and key != "bandwidth":
        return float(f"{value:.2g}" if key == "margins" else f"{value:.10g}")
    return value


def summarise(name):
    cases = [case["agreement"] for case in json.loads((HERE / name).read_text())]
    for question in ["same_indices", "same_weights", "row_0_wanted", "same_indices_when_row_0_is_forbidden"]:
        print(f"{name}: {question}: {sum(case[question] for case in cases)} of {len(cases)}")
    differences = [case["largest_weight_difference"] for case in cases if case["same_indices"]]
    print(f"{name}: largest difference of a weight: {max(differences, default=None)}")


if __name__ == "__main__":
    main()
