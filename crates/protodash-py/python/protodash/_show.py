"""Tables as text and as HTML. Their cells come from the native half."""

from __future__ import annotations

from html import escape

from . import _native

INDENT = 6 * " "

LONGEST = 60
"""Maximum number of rows shown; the rest is only counted."""


def plain(table: _native._Table, below: list[str] | None = None) -> str:
    """The table as text, with numbers right-aligned, and a line from `below` under each row."""
    cells, more = _cut(table)
    lines = []
    for place, row in enumerate(cells):
        padded = [
            cell.rjust(width) if right else cell.ljust(width)
            for cell, (_, right, _), width in zip(row, table, _widths(cells), strict=True)
        ]
        lines.append("  ".join(padded).rstrip())
        if below and place:
            lines.append(f"{INDENT}{below[place - 1]}")
    return "\n".join(lines + more)


def html(table: _native._Table, below: list[str] | None = None, *, above: list[str] | None = None) -> str:
    """The table for a notebook, between lines above and below it."""
    cells, more = _cut(table)
    head = "".join(f"<th>{escape(cell)}</th>" for cell in cells[0])
    body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in cells[1:])
    lines = "".join(f"<p>{escape(line)}</p>" for line in more + (below or []))
    first = "".join(f"<p>{escape(line)}</p>" for line in above or [])
    return f"<div>{first}<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{lines}</div>"


def _cut(table: _native._Table) -> tuple[list[list[str]], list[str]]:
    """The header and the first rows, and a line that counts the others."""
    n_rows = len(table[0][2])
    rows = [[column[2][row] for column in table] for row in range(min(n_rows, LONGEST))]
    more = [f"and {n_rows - LONGEST:,} more"] if n_rows > LONGEST else []
    return [[column[0] for column in table], *rows], more


def _widths(cells: list[list[str]]) -> list[int]:
    return [max(map(len, column)) for column in zip(*cells, strict=True)]
