"""Write digits.csv, wine.csv, breast_cancer.csv (from scikit-learn) and income.csv (NHANES 2013-2014, table INQ_H).

    python3 make_tables.py DIRECTORY_WITH_NHANES_2013_2014

Needs scikit-learn, which ships the first three. Numbers are written in the shortest form that reads back to the same
64-bit value. Rows keep their original order; nothing is omitted except SEQN, the participant number, in income.csv,
which is not an answer. An empty field is a missing answer.
"""

import csv
import lzma
import sys
from pathlib import Path

from sklearn import datasets

HERE = Path(__file__).parent


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    pixels = [f"p{row}{column}" for row in range(8) for column in range(8)]
    digits = datasets.load_digits()
    write("digits.csv", ["label", *pixels], labelled(digits, str))
    for name, bunch in [("wine", datasets.load_wine()), ("breast_cancer", datasets.load_breast_cancer())]:
        columns = [feature.replace(" ", "_").replace("/", "_") for feature in bunch.feature_names]
        write(f"{name}.csv", ["label", *columns], labelled(bunch, lambda label, bunch=bunch: bunch.target_names[label]))
    income = Path(sys.argv[1]) / "INQ_H.csv.xz"
    with lzma.open(income, "rt", encoding="ascii", newline="") as file:
        header, *rows = csv.reader(file)
    write("income.csv", header[1:], ([code(cell) for cell in row[1:]] for row in rows))


def labelled(bunch, name):
    for features, label in zip(bunch.data, bunch.target):
        yield [name(label), *(shortest(float(value)) for value in features)]


def code(cell):
    return "" if cell == "NA" else shortest(float(cell))


def shortest(value):
    return str(int(value)) if value == int(value) else repr(value)


def write(name, header, rows):
    with (HERE / name).open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)


if __name__ == "__main__":
    main()
