"""The cases of the goldens: which table, which rows, which kernel, how many prototypes."""


def part(start, end, label=None, not_label=None):
    """Rows start..end of a table, of one label, or of every label but one."""
    return {"from": start, "to": end, "label": label, "not_label": not_label}


def case(name, file, kernel, n_prototypes, target, source=None, *, scale="none", encoding="numeric", missing=None):
    """A case; the kernel is "linear" or the bandwidth of a Gaussian, and without a source the target is chosen from."""
    words = "linear" if kernel == "linear" else f"sigma {kernel}"
    return {
        "case": f"{name}, {words}, m {n_prototypes}",
        "kernel": "linear" if kernel == "linear" else "gaussian",
        "bandwidth": None if kernel == "linear" else kernel,
        "n_prototypes": n_prototypes,
        "data": {
            "file": file,
            "encoding": encoding,
            "missing": missing,
            "scale": scale,
            "target": target,
            "source": target if source is None else source,
        },
    }


DIGITS, WINE, CANCER, INCOME = part(0, 1797), part(0, 178), part(0, 569), part(0, 10175)
FIRST, REST = part(0, 500), part(500, 1797)


def digit(which):
    return part(0, 1797, label=str(which))


def other_digits(which):
    return part(0, 1797, not_label=str(which))


def wine(name, kernel, n_prototypes, target=WINE, source=None, scale="standard"):
    return case(f"wine, {name}", "wine.csv", kernel, n_prototypes, target, source, scale=scale)


def cancer(name, kernel, n_prototypes, target=CANCER, source=None, scale="standard"):
    return case(f"breast_cancer, {name}", "breast_cancer.csv", kernel, n_prototypes, target, source, scale=scale)


def digits(name, kernel, n_prototypes, target=DIGITS, source=None):
    return case(f"digits, {name}", "digits.csv", kernel, n_prototypes, target, source)


def income(name, n_prototypes, rows, missing):
    return case(f"income, {name}", "income.csv", "linear", n_prototypes, rows, encoding="one_hot", missing=missing)


def wine_class(which):
    return part(0, 178, label=f"class_{which}"), part(0, 178, not_label=f"class_{which}")


def cancer_class(which):
    return part(0, 569, label=which), part(0, 569, not_label=which)


# Cases in which AIX360 and the exact reference choose the same rows.
PROTODASH = [
    # Bandwidth 2 makes all digits nearly equally dissimilar: after ten prototypes the lead of the best is rounding
    # noise.
    digits("all", 2.0, 10),
    *(digits("all", kernel, m) for kernel in [10.0, "median"] for m in [10, 40]),
    digits("all", "linear", 10),
    *(digits("first 500 by the rest", kernel, 20, FIRST, REST) for kernel in [2.0, 10.0, "median"]),
    digits("the rest by the first 500", "median", 20, REST, FIRST),
    *(digits(f"{k} by all", kernel, 20, digit(k), DIGITS) for k in [1, 4, 8] for kernel in [10.0, "median"]),
    *(digits(f"{k} by the others", "median", 20, digit(k), other_digits(k)) for k in range(10)),
    *(digits(f"{k} by the others", "linear", 10, digit(k), other_digits(k)) for k in range(10)),
    *(wine("all", kernel, m) for kernel in [1.0, 2.0, "median"] for m in [20, 40]),
    wine("all", "median", 10),
    wine("all", "linear", 5, scale="minmax"),
    *(cancer("all", kernel, m) for kernel in [1.0, 2.0] for m in [20, 40]),
    *(cancer("all", "median", m) for m in [10, 20]),
    cancer("all", "linear", 5, scale="minmax"),
    # The paper's supplement turns missing answers into 0, which joins them to the true zeros of one column (INDFMMPI).
    income("all, missing as 0", 10, INCOME, "zero"),
    income("all, missing as a level", 10, INCOME, "level"),
]


def differs(how, *cases):
    """The cases, with the way in which AIX360 differs."""
    return [case | {"difference": how} for case in cases]


# Cases in which AIX360 is wrong, or continues when nothing is left to gain.
DIFFERENCES = [
    *differs(
        "row 0 is never chosen",
        digits("the rest by the first 500", 2.0, 20, REST, FIRST),
        digits("the rest by the first 500", 10.0, 20, REST, FIRST),
        cancer("all", "median", 40),
    ),
    *differs(
        "rows of weight 0 after the optimum",
        *(wine(f"class {k} by the others", "median", 15, *wine_class(k)) for k in range(3)),
        *(cancer(f"{which} by the others", "median", 20, *cancer_class(which)) for which in ["malignant", "benign"]),
    ),
    *differs(
        "the first weight is negative",
        wine("the others by class 2", "linear", 1, *reversed(wine_class(2))),
        cancer("benign by all", "linear", 1, cancer_class("benign")[0], CANCER),
    ),
    *differs("the first row points away", wine("the others by class 2", "linear", 3, *reversed(wine_class(2)))),
]

# Small enough for a quadratic programme per candidate.
PROTOGREEDY = [
    *(wine("all", kernel, 12) for kernel in [1.0, 2.0, "median"]),
    wine("all", "linear", 5, scale="minmax"),
    *(wine(f"class {k} by the others", "median", 15, *wine_class(k)) for k in range(3)),
    *(wine(f"class {k} by all", 2.0, 10, wine_class(k)[0], WINE) for k in range(3)),
    *(cancer("first 200", kernel, 10, part(0, 200)) for kernel in [2.0, "median"]),
    *(cancer(f"{which} by the others", "median", 12, *cancer_class(which)) for which in ["malignant", "benign"]),
    digits("first 300", "median", 12, part(0, 300)),
    digits("first 300", 10.0, 12, part(0, 300)),
    *(digits(f"{k} by rows 300 to 600", "median", 10, digit(k), part(300, 600)) for k in [1, 3, 8]),
    *(digits(f"{k} by rows 300 to 600", "linear", 6, digit(k), part(300, 600)) for k in [0, 5]),
    income("first 300, missing as a level", 8, part(0, 300), "level"),
]
