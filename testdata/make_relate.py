"""Writes the small tables of testdata/relate from the NHANES 2013-2014 questionnaires.

Usage: python3 testdata/make_relate.py DIRECTORY

Four questionnaires, the answers of the first 400 participants (SEQN 73557 to 73956), all columns, numbers as CDC codes
them without a trailing ".0", missing as an empty cell. Needs nothing but Python.
"""

import csv
import lzma
import pathlib
import sys

TABLES = {"ECQ_H": "early_childhood", "HSQ_H": "health", "INQ_H": "income", "OCQ_H": "occupation"}
LAST = 73956


def plain(cell):
    """The cell as it is written: NA is empty, whole numbers have no decimal point."""
    if cell == "NA":
        return ""
    return cell[:-2] if cell.endswith(".0") else cell


def main():
    source = pathlib.Path(sys.argv[1])
    target = pathlib.Path(__file__).parent / "relate"
    for table, name in TABLES.items():
        with lzma.open(source / f"{table}.csv.xz", "rt", newline="") as packed:
            header, *rows = csv.reader(packed)
        key = header.index("SEQN")
        kept = [[plain(cell) for cell in row] for row in rows if float(row[key]) <= LAST]
        with open(target / f"{name}.csv", "w", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows([header, *kept])
        print(name, len(kept), "rows", len(header), "columns")


main()
