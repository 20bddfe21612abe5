"""The result as a file: schema 1 of the command's JSON, written to the byte as the command writes it."""

from __future__ import annotations

import json
import re
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ._files import write_whole
from ._shift import CovariateShift
from ._texts import as_text as text
from .kernels import from_parameters

if TYPE_CHECKING:
    from ._selection import Criticisms, Selection

SCHEMA = 1


def write(selection: Selection, path: str | PathLike[str], criticisms: Criticisms | None) -> None:
    """Writes the whole file, or none if that fails."""
    write_whole(path, as_text(selection, criticisms))


def as_text(selection: Selection, criticisms: Criticisms | None) -> str:
    """What the file holds."""
    return _laid_out(_merged(_document(selection, criticisms), selection._saved), 0) + "\n"


def read(path: str | PathLike[str]) -> Selection:
    """The selection that a file holds."""
    try:
        document = json.loads(Path(path).read_text(encoding="utf-8"))
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise ValueError(f"{path}: is not a result: it is not JSON ({error})") from error
    if not isinstance(document, dict) or "schema" not in document:
        raise ValueError(f'{path}: is not a result: it has no "schema"')
    if document["schema"] != SCHEMA:
        raise ValueError(f"{path}: is a result of schema {document['schema']}, and only schema {SCHEMA} can be read")
    try:
        return _selection(document)
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"{path}: is not a whole result: {error}") from error


def _document(selection: Selection, criticisms: Criticisms | None) -> dict[str, Any]:
    return {
        "schema": SCHEMA,
        "method": selection.method,
        "kernel": _kernel(selection),
        "weights": selection.weights_rule,
        "n_target": selection.n_target,
        "n_source": selection.n_source,
        "n_features": selection.n_features,
        "stopped": selection.stopped,
        "prototypes": _prototypes(selection),
        "objective": selection.objective.tolist(),
        "objective_final": selection.objective_final,
        "mmd2": selection.mmd2,
        "explained": selection.explained,
        "criticisms": [] if criticisms is None else _criticisms(criticisms),
        "explained_standard_error": selection.explained_standard_error,
        "weights_path": [weights.tolist() for weights in selection.weights_path],
        "criticism": None
        if criticisms is None
        else {"definition": criticisms.definition, "diversity": criticisms.diversity, "among": criticisms.among},
        **({} if selection.per_label is None else {"per_label": selection.per_label}),
        **({} if selection.covariate_shift is None else {"covariate_shift": _shift(selection.covariate_shift)}),
        "data": selection._flags,
        "oversample": selection.oversample,
        "seed": selection.seed,
    }


def _shift(shift: CovariateShift) -> dict[str, Any]:
    return {"effective_sample_size": shift.effective_sample_size, "features": shift.features}


def _kernel(selection: Selection) -> dict[str, Any]:
    curve = {} if selection.bandwidth_curve is None else {"cross_validation": selection.bandwidth_curve}
    return {"name": selection.kernel.name, **selection.kernel.parameters(), **curve}


def _merged(ours: Any, saved: Any) -> Any:
    """What we know, in the order of the file it was loaded from, with whatever else that file says."""
    if isinstance(ours, dict) and isinstance(saved, dict):
        kept = {key: _merged(ours[key], value) if key in ours else value for key, value in saved.items()}
        return kept | {key: value for key, value in ours.items() if key not in saved}
    if isinstance(ours, list) and isinstance(saved, list) and len(ours) == len(saved):
        return [_merged(own, other) for own, other in zip(ours, saved, strict=True)]
    return ours


def _prototypes(selection: Selection) -> list[dict[str, Any]]:
    columns = zip(
        selection.indices.tolist(),
        selection.weights.tolist(),
        selection.shares.tolist(),
        selection.gains.tolist(),
        selection.n_represented.tolist(),
        strict=True,
    )
    return [
        {
            "source_index": index,
            "id": _entry(selection.ids, place),
            "weight": weight,
            "share": share,
            "gain": gain,
            "label": _entry(selection.labels, place),
            "n_represented": count,
        }
        for place, (index, weight, share, gain, count) in enumerate(columns)
    ]


def _criticisms(criticisms: Criticisms) -> list[dict[str, Any]]:
    return [
        {
            f"{criticisms.among}_index": index,
            "id": _entry(criticisms.ids, place),
            "score": score,
            "label": _entry(criticisms.labels, place),
        }
        for place, (index, score) in enumerate(criticisms)
    ]


def _entry(values: Any, place: int) -> str | None:
    return None if values is None else text(values[place])


def _selection(document: dict[str, Any]) -> Selection:
    from ._selection import Selection

    prototypes = document["prototypes"]
    for prototype in prototypes:
        weight = prototype["weight"]
        if not (isinstance(weight, (int, float)) and 0 <= weight < float("inf")):
            index = prototype["source_index"]
            raise ValueError(f"the weight of row {index} is {weight}, and weights are finite and at least 0")
    kernel = dict(document["kernel"])
    mmd2 = document["mmd2"]
    # The energy is not in the file, but the two numbers that are made of it are.
    energy = None if mmd2 is None else _energy(document["explained"], mmd2, document["objective_final"])
    spread = document.get("explained_standard_error")
    standard_error = None
    if energy is not None and spread is not None and document["explained"]:
        standard_error = spread * energy / abs(document["explained"])
    return Selection(
        indices=np.array([prototype["source_index"] for prototype in prototypes], dtype=np.int64),
        weights=_floats(prototype["weight"] for prototype in prototypes),
        objective=_floats(document["objective"]),
        weights_path=[_floats(weights) for weights in document["weights_path"]],
        stopped=document["stopped"],
        method=document["method"],
        weights_rule=document["weights"],
        kernel=from_parameters(kernel["name"], kernel),
        n_target=document["n_target"],
        n_source=document["n_source"],
        n_features=document["n_features"],
        target_energy=energy,
        target_energy_standard_error=standard_error,
        ids=_column(prototypes, "id"),
        labels=_column(prototypes, "label"),
        bandwidth_curve=kernel.get("cross_validation"),
        oversample=document.get("oversample", 1.0),
        seed=document.get("seed", 0),
        per_label=document.get("per_label"),
        covariate_shift=_read_shift(document),
        _flags=document["data"],
        _n_represented=np.array([prototype["n_represented"] for prototype in prototypes], dtype=np.int64),
        _stored=_stored(document),
        _saved=document,
    )


def _energy(explained: float, mmd2: float, objective: float) -> float:
    """‖μ‖² such that MMD² = ‖μ‖² − 2 l and explained = 2 l/‖μ‖² come back to the last bit."""
    guesses = [mmd2 + 2.0 * objective]
    if explained:
        guesses.append(2.0 * objective / explained)
    for guess in guesses:
        near = [guess]
        for _ in range(4):
            near += [float(np.nextafter(near[-1], np.inf))]
        for _ in range(4):
            near += [float(np.nextafter(near[-1] if near[-1] < guess else guess, -np.inf))]
        for energy in near:
            same = max(0.0, energy - 2.0 * objective) == mmd2
            if same and (min(1.0, 2.0 * objective / energy) if energy > 0 else 1.0) == explained:
                return energy
    return guesses[0]


def _stored(document: dict[str, Any]) -> Criticisms | None:
    from ._selection import Criticisms

    rule, found = document.get("criticism"), document["criticisms"]
    if rule is None:
        return None
    return Criticisms(
        indices=np.array([criticism[f"{rule['among']}_index"] for criticism in found], dtype=np.int64),
        scores=_floats(criticism["score"] for criticism in found),
        definition=rule["definition"],
        diversity=rule["diversity"],
        among=rule["among"],
        ids=_column(found, "id"),
        labels=_column(found, "label"),
    )


def _read_shift(document: dict[str, Any]) -> CovariateShift | None:
    shift = document.get("covariate_shift")
    if shift is None:
        return None
    return CovariateShift(shift["effective_sample_size"], shift["features"], n_source=document["n_source"])


def _floats(values: Any) -> Any:
    return np.array(list(values), dtype=np.float64)


def _column(entries: list[dict[str, Any]], key: str) -> list[str] | None:
    return [entry[key] for entry in entries] if entries and entries[0].get(key) is not None else None


def _laid_out(value: Any, depth: int) -> str:
    """Outer keys and list entries one to a line, whatever is inside them on that line."""
    if isinstance(value, dict):
        entries = [f"{_scalar(key)}: {_laid_out(entry, depth + 1)}" for key, entry in value.items()]
        return _bracketed(entries, "{}", depth)
    if isinstance(value, list):
        return _bracketed([_laid_out(entry, depth + 1) for entry in value], "[]", depth)
    return _scalar(value)


def _bracketed(entries: list[str], brackets: str, depth: int) -> str:
    if depth >= 2 or not entries:
        return brackets[0] + ", ".join(entries) + brackets[1]
    inner, outer = "  " * (depth + 1), "  " * depth
    return f"{brackets[0]}\n{inner}" + f",\n{inner}".join(entries) + f"\n{outer}{brackets[1]}"


def _scalar(value: Any) -> str:
    return _number(value) if isinstance(value, float) else json.dumps(value, ensure_ascii=False)


def _number(value: float) -> str:
    """The shortest digits that give the number back, as Rust's JSON writes them: 1e-5 is "0.00001", 1e16 is "1e16"."""
    if value != value or value in (float("inf"), float("-inf")):
        return "null"
    if value == 0:
        return "-0.0" if str(value)[0] == "-" else "0.0"
    sign, whole, fraction, power = re.fullmatch(r"(-?)(\d+)\.?(\d*)(?:e([+-]\d+))?", repr(value)).groups()  # type: ignore[union-attr]
    digits = (whole + fraction).lstrip("0")
    exponent = int(power or 0) - len(fraction) + len(digits) - len(digits.rstrip("0"))
    digits = digits.rstrip("0")
    point = len(digits) + exponent
    if 0 <= exponent and point <= 16:
        return f"{sign}{digits}{'0' * exponent}.0"
    if 0 < point <= 16:
        return f"{sign}{digits[:point]}.{digits[point:]}"
    if -5 < point <= 0:
        return f"{sign}0.{'0' * -point}{digits}"
    rest = "." + digits[1:] if len(digits) > 1 else ""
    return f"{sign}{digits[0]}{rest}e{point - 1}"
