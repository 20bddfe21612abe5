"""Turns the measurements into tables: the generated part of docs/usefulness.md, and docs/usefulness.json.

    page.py MEASURED.json PAGE.md FIGURES.json
"""

import json
import sys
from collections import defaultdict
from pathlib import Path

import numpy as np
from rules import REFERENCE, RULES

BEGIN = "<!-- begin of what `cargo xtask usefulness` writes -->"
END = "<!-- end of what `cargo xtask usefulness` writes -->"

PLAIN = ["accuracy", "model", "classes", "radius", "centrality", "instability"]
"""Measures that are averaged as they are."""
RATIOS = ["distance", "mean_error", "deviation_error", "quantile_error", "mmd2", "energy_distance"]
"""Measures whose size depends on the data: the geometric mean of their ratios to the reference."""
HIGHER = ["accuracy", "model", "classes"]
"""Measures of which more is better."""
MAIN = [
    ("accuracy", "1-NN accuracy"),
    ("distance", "distance"),
    ("classes", "classes found"),
    ("radius", "10-NN radius"),
    ("instability", "instability"),
    ("energy_distance", "energy distance"),
    ("mmd2", "MMD²"),
]
SECOND = [
    ("mean_error", "mean"),
    ("deviation_error", "deviation"),
    ("quantile_error", "quantiles"),
    ("model", "model accuracy"),
    ("centrality", "centrality"),
]


def main():
    measured, page, figures = (Path(word) for word in sys.argv[1:4])
    result = json.loads(measured.read_text())
    summary = {rule.name: averages(result, rule.name) for rule in RULES}
    by_data = {
        data["name"]: {rule.name: averages(result, rule.name, data["name"]) for rule in RULES} for data in result["data"]
    }
    text = page.read_text()
    before, rest = text.split(BEGIN)
    after = rest.split(END)[1]
    page.write_text(f"{before}{BEGIN}\n{markdown(result, summary, by_data)}{END}{after}")
    kept = {name: result[name] for name in ["n_splits", "sizes", "packages", "data"]}
    figures.write_text(json.dumps({**kept, "reference": REFERENCE, "all": summary, "by_data": by_data}, indent=1) + "\n")


def averages(result, rule, data=None) -> dict[str, list[float]]:
    """For each measure the average over data sets and numbers, and its standard error over the splits."""
    found = {}
    for measure in PLAIN + RATIOS:
        by_split = defaultdict(list)
        reference = values_of(result, REFERENCE, measure, data)
        for (name, split, size), value in values_of(result, rule, measure, data).items():
            if measure in RATIOS:
                value = np.log(max(value, 1e-12) / max(reference[name, split, size], 1e-12))
            by_split[split].append(value)
        if by_split:
            means = np.array([np.mean(values) for values in by_split.values()])
            error = float(means.std(ddof=1) / np.sqrt(len(means)))
            centre = float(means.mean())
            if measure in RATIOS:
                centre, error = float(np.exp(centre)), float(np.exp(centre)) * error
            found[measure] = [round(centre, 4), round(error, 4)]
    return found


def values_of(result, rule, measure, data) -> dict[tuple, float]:
    return {
        (record["data"], record["split"], record["size"]): record[measure]
        for record in result["records"]
        if record["rule"] == rule and measure in record and data in (None, record["data"])
    }


def markdown(result, summary, by_data) -> str:
    packages = ", ".join(f"{name} {number}" for name, number in result["packages"].items())
    sizes = ", ".join(map(str, result["sizes"]))
    lines = [
        f"{len(result['data'])} data sets, {result['n_splits']} splits, m = {sizes}; seeds 0 to {result['n_splits'] - 1}; "
        f"{packages}. ± is the standard error over the splits. The best of each column is bold, with all that are within "
        "two standard errors of the difference.",
        "",
        *table(summary, MAIN),
        "",
        *table(summary, SECOND),
        "",
        "### Each data set",
        "The average over m. Accuracy is that of the nearest prototype; distance and energy distance are ratios to "
        f"{REFERENCE}.",
        "",
    ]
    for measure, title in [("accuracy", "1-NN accuracy"), ("distance", "Distance"), ("energy_distance", "Energy distance")]:
        lines += [f"**{title}**", "", *appendix(result, by_data, measure), ""]
    return "\n".join(lines)


def table(summary, columns) -> list[str]:
    lines = ["| rule | " + " | ".join(title for _, title in columns) + " |", "| --- |" + " ---: |" * len(columns)]
    for rule, values in summary.items():
        cells = [cell(measure, values.get(measure), is_best(summary, rule, measure)) for measure, _ in columns]
        lines.append(f"| {rule} | " + " | ".join(cells) + " |")
    return lines


def is_best(summary, rule, measure) -> bool:
    """Whether no rule is better by more than two standard errors of the difference. Centrality has no better end."""
    own = summary[rule].get(measure)
    if measure == "centrality" or own is None:
        return False
    sign = 1 if measure in HIGHER else -1
    others = (values[measure] for values in summary.values() if measure in values)
    return all(sign * (value - own[0]) <= 2 * np.hypot(error, own[1]) for value, error in others)


def cell(measure, value, is_best) -> str:
    if value is None:
        return "–"
    number, error = value
    shown = f"{number:.0f} ± {error:.1f}" if measure == "centrality" else f"{number:.3f} ± {error:.3f}"
    return f"**{shown}**" if is_best else shown


def appendix(result, by_data, measure) -> list[str]:
    shown = [data for data in result["data"] if measure in by_data[data["name"]][REFERENCE]]
    heads = [f"{data['name']} {data['rows']:,}×{data['columns']}" for data in shown]
    lines = ["| rule | " + " | ".join(heads) + " |", "| --- |" + " ---: |" * len(heads)]
    for rule in RULES:
        values = [by_data[data["name"]][rule.name][measure] for data in shown]
        lines.append(f"| {rule.name} | " + " | ".join(f"{number:.3f} ± {error:.3f}" for number, error in values) + " |")
    return lines


if __name__ == "__main__":
    main()
