"""How selections and criticisms look as text and as HTML."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

from ._texts import as_text

if TYPE_CHECKING:
    from ._selection import Criticisms, Selection
    from ._shift import CovariateShift

Table = list[list[str]]
"""A header and rows of cells, all of one length."""

LONGEST = 60
"""Prototypes that are shown before the rest is only counted."""


def prototype_table(selection: Selection) -> Table:
    """A row for each prototype."""
    counts = _counts(selection)
    header = ["rank", "row", *_named("id", selection.ids), *_named("label", selection.labels), "weight", "share"]
    table = [header + ([] if counts is None else ["stands for"])]
    for place, (index, weight, share) in enumerate(
        zip(selection.indices.tolist(), selection.weights.tolist(), selection.shares.tolist(), strict=True)
    ):
        names = [as_text(values[place]) for values in (selection.ids, selection.labels) if values is not None]
        cells = [str(place + 1), str(index), *names, f"{weight:.4g}" if weight < 1e-4 else f"{weight:.4f}"]
        cells.append(f"{100 * share:.1f} %")
        table.append(cells + ([] if counts is None else [f"{counts[place]:,}"]))
    return table


def criticism_table(criticisms: Criticisms) -> Table:
    """A row for each criticism."""
    table = [["rank", "row", *_named("id", criticisms.ids), *_named("label", criticisms.labels), "score"]]
    for place, (index, score) in enumerate(criticisms):
        names = [as_text(values[place]) for values in (criticisms.ids, criticisms.labels) if values is not None]
        table.append([str(place + 1), str(index), *names, f"{score:.4g}"])
    return table


def shift_table(shift: CovariateShift) -> Table:
    """A row for each feature, the one that was farthest off first."""
    means = ["source", "weighted", "target"]
    table = [["feature", *means, "before", "after"]]
    for feature in sorted(shift.features, key=lambda feature: -abs(feature["difference_before"])):
        cells = [f"{feature[f'{side}_mean']:.4g}" for side in means]
        # Adding 0 makes a negative zero a plain one.
        differences = [round(feature[f"difference_{when}"], 2) + 0.0 for when in ("before", "after")]
        table.append([feature["feature"], *cells, *(f"{difference:.2f}" for difference in differences)])
    return table


def sentences(selection: Selection) -> list[str]:
    """What the run came to, and how it was made."""
    own_target = selection._flags.get("target") is not None or selection._flags.get("target_where") is not None
    rows = f"{len(selection):,} of {selection.n_source:,} " + ("source rows" if own_target else "rows")
    what = f"the {selection.n_target:,} target rows" if own_target else "the data"
    if selection.explained is None:
        first = f"{rows} chosen for {what}"
    else:
        first = f"{rows} explain {100 * selection.explained:.1f} % of {what}"
        if selection.explained < 0:
            first += ", less than no prototypes at all"
    if selection.stopped == "optimal":
        first += "; no further row can help"
    parameters = [f"{name} {value:.4g}" for name, value in selection.kernel.parameters().items()]
    features = f"{selection.n_features:,} feature" + ("" if selection.n_features == 1 else "s")
    settings = [f"{selection.kernel.name} kernel", *parameters, features, selection.method]
    return [first, ", ".join([*settings, f"{selection.weights_rule} weights"])]


def plain(table: Table) -> str:
    """The table in columns, numbers to the right."""
    shown, more = _cut(table)
    widths = [max(len(row[column]) for row in shown) for column in range(len(table[0]))]
    lines = ["  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in shown]
    return "\n".join(lines + more)


def html(table: Table, below: list[str] | None = None) -> str:
    """The table for a notebook."""
    shown, more = _cut(table)
    head = "".join(f"<th>{escape(cell)}</th>" for cell in shown[0])
    body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in shown[1:])
    lines = "".join(f"<p>{escape(line)}</p>" for line in more + (below or []))
    return f"<div><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{lines}</div>"


def _cut(table: Table) -> tuple[Table, list[str]]:
    left = len(table) - 1 - LONGEST
    return (table, []) if left <= 0 else (table[: LONGEST + 1], [f"and {left:,} more"])


def _named(name: str, values: Any) -> list[str]:
    return [] if values is None else [name]


def _counts(selection: Selection) -> list[int] | None:
    """What each stands for, unless the data it would take are gone."""
    if selection._n_represented is None and selection._data is None:
        return None
    counts: list[int] = selection.n_represented.tolist()
    return counts
