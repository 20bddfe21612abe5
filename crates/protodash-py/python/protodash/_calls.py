"""Errors that say what to try in the keywords of the called function."""

from __future__ import annotations

from collections.abc import Callable
from difflib import get_close_matches
from functools import wraps
from inspect import Parameter, signature
from typing import ParamSpec, TypeVar

from . import _native

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")

_OTHERS = {
    "n_prototypes": ("k", "m", "n", "size", "n_samples", "n_clusters", "n_components", "num_prototypes", "n_instances"),
    "target_weights": ("sample_weight", "sample_weights"),
    "seed": ("random_state", "rng", "random_seed"),
    "bandwidth": ("sigma", "length_scale"),
    "n_threads": ("n_jobs", "threads", "num_threads"),
    "random_state": ("seed", "rng", "random_seed"),
    "n_jobs": ("n_threads", "threads", "num_threads"),
    "label": ("labels", "y", "classes"),
    "id": ("ids", "index", "names"),
    "columns": ("features", "feature_names"),
    "progress": ("verbose",),
    "source": ("X", "data", "df"),
    "target": ("Y",),
    "scale": ("scaling", "normalize", "standardize"),
    "kernel": ("metric", "affinity"),
    "fixed": ("initial_subset",),
}
"""Our keywords, and their names in other libraries."""


def with_hints(function: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
    """Return the function with errors that suggest the keyword that was probably meant, or that would help.

    A function that takes any keyword checks them itself.

    >>> with_hints(lambda source, n_prototypes=1: source)([1.0], k=2)
    Traceback (most recent call last):
    TypeError: <lambda>() has no keyword k; it is called n_prototypes
    """
    parameters = signature(function).parameters
    names = tuple(name for name, parameter in parameters.items() if parameter.kind is not Parameter.VAR_KEYWORD)
    checks_names = len(names) == len(parameters)

    @wraps(function)
    def call(*arguments: Arguments.args, **keywords: Arguments.kwargs) -> Result:
        for keyword in keywords:
            if checks_names and keyword not in names:
                called = type(arguments[0]).__name__ if function.__name__ == "__init__" else function.__name__
                raise no_keyword(called, keyword, names)
        try:
            return function(*arguments, **keywords)
        except ValueError as error:
            advice: _native.Advice | None = getattr(error, "advice", None)
            hint = None if advice is None else advice.render(list(names))
            if hint is not None:
                error.message = str(error)  # type: ignore[attr-defined]
                error.args = (f"{error}\nhint: {hint}",)
                # A function that calls another one of ours has nothing to add.
                del error.advice  # type: ignore[attr-defined]
            raise

    return call


def no_keyword(function: str, keyword: str, names: tuple[str, ...]) -> TypeError:
    """Return the error for an unknown keyword."""
    return TypeError(f"{function}() has no keyword {keyword}{_meant(keyword, names)}")


def _meant(keyword: str, names: tuple[str, ...]) -> str:
    if keyword == "gamma" and "bandwidth" in names:
        return "; use bandwidth=(2 * gamma) ** -0.5, the σ in exp(−d²/(2σ²))"
    for name, others in _OTHERS.items():
        if keyword in others and name in names:
            return f"; it is called {name}"
    close = get_close_matches(keyword, names, 1)
    own = [name for name in names if name != "self"]
    return f"; did you mean {close[0]}?" if close else f"; it has {', '.join(own)}"
