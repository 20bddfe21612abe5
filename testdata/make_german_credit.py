"""Write german_credit.csv: 1,000 loans with 20 attributes in words, and whether each was repaid.

    python3 make_german_credit.py GERMAN_DATA [OUTPUT]

GERMAN_DATA is the file `german.data` of UCI data set 144, with codes such as A11. Only the standard library is used.
"""

import csv
import sys
from pathlib import Path

CHECKING = {"A11": "below 0", "A12": "0 to 200", "A13": "200 or more, or salary for a year", "A14": "none"}
HISTORY = {
    "A30": "no credits, or all paid back",
    "A31": "all credits here paid back",
    "A32": "paid back until now",
    "A33": "delays in the past",
    "A34": "critical, or credits elsewhere",
}
PURPOSE = {
    "A40": "new car",
    "A41": "used car",
    "A42": "furniture",
    "A43": "radio or television",
    "A44": "appliances",
    "A45": "repairs",
    "A46": "education",
    "A48": "retraining",
    "A49": "business",
    "A410": "other",
}
SAVINGS = {"A61": "below 100", "A62": "100 to 500", "A63": "500 to 1000", "A64": "1000 or more", "A65": "none or unknown"}
EMPLOYED = {
    "A71": "unemployed",
    "A72": "under 1 year",
    "A73": "1 to 4 years",
    "A74": "4 to 7 years",
    "A75": "7 years or more",
}
STATUS = {
    "A91": "male, divorced or separated",
    "A92": "female, divorced, separated or married",
    "A93": "male, single",
    "A94": "male, married or widowed",
    "A95": "female, single",
}
DEBTORS = {"A101": "none", "A102": "co-applicant", "A103": "guarantor"}
PROPERTY = {"A121": "real estate", "A122": "savings contract or life insurance", "A123": "car or other", "A124": "none or unknown"}
PLANS = {"A141": "bank", "A142": "stores", "A143": "none"}
HOUSING = {"A151": "rent", "A152": "own", "A153": "for free"}
JOB = {
    "A171": "unemployed or unskilled, not resident",
    "A172": "unskilled, resident",
    "A173": "skilled",
    "A174": "management or highly qualified",
}
YES = {"A191": "no", "A192": "yes"}
FOREIGN = {"A201": "yes", "A202": "no"}
OUTCOME = {"1": "yes", "2": "no"}

COLUMNS = {
    "checking_account": CHECKING,
    "months": int,
    "credit_history": HISTORY,
    "purpose": PURPOSE,
    "amount": int,
    "savings": SAVINGS,
    "employed": EMPLOYED,
    "instalment_percent": int,
    "personal_status": STATUS,
    "other_debtors": DEBTORS,
    "residence_years": int,
    "property": PROPERTY,
    "age": int,
    "other_plans": PLANS,
    "housing": HOUSING,
    "credits_here": int,
    "job": JOB,
    "dependants": int,
    "telephone": YES,
    "foreign_worker": FOREIGN,
    "repaid": OUTCOME,
}


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    output = Path(sys.argv[2]) if len(sys.argv) == 3 else Path(__file__).with_name("german_credit.csv")
    rows = [line.split() for line in Path(sys.argv[1]).read_text(encoding="ascii").splitlines() if line]
    with output.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["loan", *COLUMNS])
        for number, row in enumerate(rows, 1):
            if len(row) != len(COLUMNS):
                sys.exit(f"row {number} has {len(row)} values, not {len(COLUMNS)}")
            values = [int(value) if words is int else words[value] for words, value in zip(COLUMNS.values(), row)]
            writer.writerow([number, *values])


if __name__ == "__main__":
    main()
