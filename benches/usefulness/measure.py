"""Judges prototypes by what they are good for, on held-out rows. Called by `cargo xtask usefulness`.

    PROTODASH_COMMAND=target/release/protodash measure.py TESTDATA DATA OUT.json [PROCESSES]

Each data set is split into halves five times. Every rule chooses from one half without labels; measures.py judges its rows
on the other. Everything is seeded. Finished splits are kept in OUT.jsonl, from which a stopped run goes on; delete it to
measure again. Selections run on one thread each, and tasks in as many processes as there are cores.
"""

import os

for variable in ["OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "NUMEXPR_NUM_THREADS"]:
    os.environ[variable] = "1"

import json
import multiprocessing
import sys
from importlib.metadata import version
from pathlib import Path

import numpy as np
from data_sets import data_sets
from measures import Split, classes_found, instability, measured
from rules import RULES

N_SPLITS = 5
SIZES = [5, 10, 20, 50, 100]
STABILITY_SIZE = 10
"""Number of prototypes whose stability is measured."""
PACKAGES = ["kmedoids", "mmd-critic", "scikit-learn", "numpy"]


def main():
    testdata, data, out = (Path(word) for word in sys.argv[1:4])
    n_processes = int(sys.argv[4]) if len(sys.argv) > 4 else os.cpu_count()
    sets = data_sets(testdata, data)
    out.parent.mkdir(parents=True, exist_ok=True)
    records = all_records(sets, out.with_suffix(".jsonl"), n_processes)
    places = {data_set.name: place for place, data_set in enumerate(sets)}
    names = {rule.name: place for place, rule in enumerate(RULES)}
    records.sort(key=lambda record: (places[record["data"]], record["split"], names[record["rule"]], record["size"]))
    described = [
        {
            "name": data_set.name,
            "rows": len(data_set.rows),
            "columns": data_set.rows.shape[1],
            "classes": 0 if data_set.labels is None else int(data_set.labels.max()) + 1,
        }
        for data_set in sets
    ]
    packages = {name: version(name) for name in PACKAGES}
    result = {"n_splits": N_SPLITS, "sizes": SIZES, "packages": packages, "data": described, "records": records}
    out.write_text(json.dumps(result))


def all_records(sets, journal: Path, n_processes) -> list[dict]:
    """The records of all splits of all data sets: those in the journal, and the others, which are added to it."""
    finished = [json.loads(line) for line in journal.read_text().splitlines()] if journal.exists() else []
    known = {(found[0]["data"], found[0]["split"]) for found in finished}
    tasks = [(data_set, split) for data_set in sets for split in range(N_SPLITS) if (data_set.name, split) not in known]
    with multiprocessing.Pool(n_processes) as pool, open(journal, "a") as file:
        for number, found in enumerate(pool.imap_unordered(judged, tasks, chunksize=1), 1):
            finished.append(found)
            print(json.dumps(found), file=file, flush=True)
            print(f"{number} of {len(tasks)}: {found[0]['data']}, split {found[0]['split']}", file=sys.stderr)
    return [record for found in finished for record in found]


def judged(task) -> list[dict]:
    """All rules on one split of one data set: a record for each rule and number."""
    data_set, number = task
    random = np.random.default_rng([number, len(data_set.rows)])
    order = random.permutation(len(data_set.rows))
    kept, held_out = np.sort(order[: len(order) // 2]), np.sort(order[len(order) // 2 :])
    labels = data_set.labels
    split = Split(
        np.ascontiguousarray(data_set.rows[kept]),
        data_set.rows[held_out],
        None if labels is None else labels[kept],
        None if labels is None else labels[held_out],
    )
    halves = np.array_split(random.permutation(len(kept)), 2)
    sizes = [size for size in SIZES if 2 * size <= len(kept)]
    records = []
    for rule in RULES:
        known = {"data": data_set.name, "split": number, "rule": rule.name}
        path = rule.path(split.kept, sizes[-1], number) if rule.is_nested else None
        extra = further(rule, path, split, halves, number)
        for size in sizes:
            chosen = of_size(rule, path, split.kept, size, number)
            values = measured(split, chosen.rows, chosen.weights)
            if size == STABILITY_SIZE:
                values.update(extra)
            records.append({**known, "size": size, **{name: float(value) for name, value in values.items()}})
    return records


def further(rule, path, split, halves, seed) -> dict:
    """Measures at one number of prototypes only."""
    first, second = (
        half[rule.choose(np.ascontiguousarray(split.kept[half]), min(STABILITY_SIZE, len(half) // 2), seed).rows]
        for half in halves
    )
    values = {"instability": instability(split.kept[first], split.kept[second], split.unit)}
    if split.kept_labels is not None:
        n_classes = len(np.unique(split.kept_labels))
        values["classes"] = classes_found(split, of_size(rule, path, split.kept, n_classes, seed).rows)
    return values


def of_size(rule, path, rows, size, seed):
    # A path that ended at the optimum has no more rows.
    return path[min(size, len(path)) - 1] if path else rule.choose(rows, size, seed)


if __name__ == "__main__":
    main()
