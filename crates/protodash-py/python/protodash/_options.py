"""What the native module is told about a selection: its options, and where its data come from."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from ._data import Data


def selection_options(**given: Any) -> dict[str, Any]:
    """Return the options of a selection; those that are not given do nothing."""
    options: dict[str, Any] = {
        "n_prototypes": None,
        "min_gain": None,
        "method": "protodash",
        "weights": "own",
        "oversample": 1.0,
        "max_weight": None,
        "min_effective": None,
        "target_weights": None,
        "target_energy": "exact",
        "means": "full",
        "tolerance": 0.0,
        "fixed": [],
        "exclude": [],
        "quotas": [],
        "costs": None,
        "budget": None,
        "resume": None,
        "seed": 0,
        "column_memory": 0,
        "per_label": None,
    }
    return options | given


def result_origin(
    data: Data, flags: dict[str, Any], class_names: Sequence[str] = (), curve: dict[str, Any] | None = None, **given: Any
) -> dict[str, Any]:
    """Return the metadata of a result; `curve` is what cross-validation adds to the kernel."""
    origin: dict[str, Any] = {
        "kernel": json.dumps({"name": data.kernel.name, **data.kernel.parameters(), **(curve or {})}),
        "data": json.dumps(flags),
        "n_features": data.source.matrix.shape[1] if data.n_features is None else data.n_features,
        "class_names": list(class_names),
        "n_prototypes": None,
        "median_multiple": None,
        "notes": data.notes,
        "exclude": [],
        "cost": "",
        "shift": False,
    }
    return origin | given
