"""Write nhanes_adults.csv: 1,200 adults of NHANES 2013-2014, in words a reader understands at once.

    python3 make_nhanes_adults.py DIRECTORY_WITH_NHANES_2013_2014 [OUTPUT]

DIRECTORY holds the tables of the survey as CSV files (`DEMO_H.csv.xz` and so on). Only the standard library is used.

NHANES interviews some groups more often than others and gives everybody a weight for it. The rows are therefore drawn
with a probability proportional to that weight (systematic sampling, fixed start), so that each row of the output stands
for the same number of adults in the United States, and the table can be summarised without weights.
"""

import csv
import lzma
import sys
from pathlib import Path

N_ROWS = 1200
START = 0.5  # Where the systematic sample begins, as a fraction of the first interval.
MISSING = ""

YES_NO = {1: "yes", 2: "no"}
EDUCATION = {
    1: "less than 9th grade",
    2: "9th to 11th grade",
    3: "high school",
    4: "some college",
    5: "college graduate",
}
MARITAL_STATUS = {
    1: "married",
    2: "widowed",
    3: "divorced",
    4: "separated",
    5: "never married",
    6: "living with partner",
}
# The survey has thirteen steps. Code 12 ("$20,000 and over", nothing more said) fits no band and becomes missing.
HOUSEHOLD_INCOME = (
    dict.fromkeys([1, 2, 3, 4, 13], "under $20k")
    | dict.fromkeys([5, 6, 7], "$20k to $45k")
    | dict.fromkeys([8, 9, 10], "$45k to $75k")
    | {14: "$75k to $100k", 15: "$100k or more"}
)
WORK = {1: "working", 2: "has a job but not at work", 3: "looking for work", 4: "not working"}
GENERAL_HEALTH = {1: "excellent", 2: "very good", 3: "good", 4: "fair", 5: "poor"}
DIABETES = {1: "yes", 2: "no", 3: "borderline"}
TIMES_A_YEAR = {1: 52, 2: 12, 3: 1}  # ALQ120U: per week, per month, per year.


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    folder = Path(sys.argv[1])
    output = Path(sys.argv[2]) if len(sys.argv) == 3 else Path(__file__).with_name("nhanes_adults.csv")
    tables = ["DEMO_H", "OCQ_H", "HIQ_H", "HUQ_H", "SLQ_H", "PAQ_H", "WHQ_H", "SMQ_H", "ALQ_H", "BPQ_H", "DIQ_H"]
    people = join([read(folder / f"{table}.csv.xz") for table in tables])
    adults = [person for person in people if person["RIDAGEYR"] >= 20]
    rows = [describe(person) for person in sample(adults)]
    with output.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, fieldnames=list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def read(path):
    """Rows of one table by participant number; an absent answer is None."""
    with lzma.open(path, "rt", encoding="ascii", newline="") as file:
        rows = csv.DictReader(file)
        return {int(row["SEQN"]): {name: answer(cell) for name, cell in row.items()} for row in rows}


def answer(cell):
    """A code or a quantity as a number; a few columns that we do not use hold text."""
    try:
        return float(cell)
    except ValueError:
        return None if cell in ("NA", "") else cell


def join(tables):
    """All participants of the first table, with the answers of the others where they have any."""
    people = []
    for participant in sorted(tables[0]):
        person = {}
        for table in tables:
            person |= table.get(participant, {})
        people.append(person)
    return people


def sample(adults):
    """Systematic sample with a probability proportional to the interview weight, in order of participant number."""
    interval = sum(person["WTINT2YR"] for person in adults) / N_ROWS
    if max(person["WTINT2YR"] for person in adults) > interval:
        sys.exit("somebody weighs more than one interval and would be drawn twice: draw fewer rows")
    chosen, passed, mark = [], 0.0, START * interval
    for person in adults:
        passed += person["WTINT2YR"]
        if passed > mark:
            chosen.append(person)
            mark += interval
    return chosen


def describe(person):
    """One row of the output. Refused, not known and not asked all become missing."""
    return {
        "id": int(person["SEQN"]),
        "age": int(person["RIDAGEYR"]),
        "gender": {1: "male", 2: "female"}[person["RIAGENDR"]],
        "education": EDUCATION.get(person.get("DMDEDUC2"), MISSING),
        "marital_status": MARITAL_STATUS.get(person.get("DMDMARTL"), MISSING),
        "household_size": int(person["DMDHHSIZ"]),
        "household_income": HOUSEHOLD_INCOME.get(person.get("INDHHIN2"), MISSING),
        "work": WORK.get(person.get("OCD150"), MISSING),
        "health_insurance": YES_NO.get(person.get("HIQ011"), MISSING),
        "general_health": GENERAL_HEALTH.get(person.get("HUQ010"), MISSING),
        "sleep_hours": quantity(person.get("SLD010H"), 12, 1, 0),
        "sitting_hours": quantity(person.get("PAD680"), 1440, 1 / 60, 1),
        "height_cm": quantity(person.get("WHD010"), 81, 2.54, 0),
        "weight_kg": quantity(person.get("WHD020"), 493, 0.45359237, 0),
        "smoking": smoking(person),
        "alcohol_days_a_year": alcohol_days(person),
        "high_blood_pressure": YES_NO.get(person.get("BPQ020"), MISSING),
        "diabetes": DIABETES.get(person.get("DIQ010"), MISSING),
    }


def quantity(value, largest, unit, digits):
    """A number in our unit; codes above the largest value of the codebook mean refused or not known."""
    if value is None or value > largest:
        return MISSING
    converted = round(value * unit, digits)
    return int(converted) if converted == int(converted) else converted


def smoking(person):
    """Never: fewer than 100 cigarettes in life (SMQ020). The others say whether they smoke now (SMQ040)."""
    if person.get("SMQ020") == 2:
        return "never"
    return {1: "every day", 2: "some days", 3: "former"}.get(person.get("SMQ040"), MISSING)


def alcohol_days(person):
    """Days with a drink in the past year (ALQ120Q per ALQ120U); 0 for fewer than 12 drinks in life (ALQ110)."""
    if person.get("ALQ101") == 2 and person.get("ALQ110") == 2:
        return 0
    times, unit = person.get("ALQ120Q"), person.get("ALQ120U")
    if times is None or times > 365:
        return MISSING
    if times == 0:
        return 0
    return min(365, int(times * TIMES_A_YEAR[unit])) if unit in TIMES_A_YEAR else MISSING


if __name__ == "__main__":
    main()
