"""One class for each kernel of the core, made from its definition there.

Type checkers read `_kernel_classes.pyi`, which `tests/kernel_stub.py` writes from the same definitions.
"""

from __future__ import annotations

from dataclasses import field, make_dataclass
from typing import Any

from . import _native
from ._kernel_base import BuiltInKernel

_PUBLIC_MODULE = "protodash.kernels"


def _kernel_class(definition: dict[str, Any]) -> type[BuiltInKernel]:
    class_name = "".join(part.capitalize() for part in definition["name"].split("-"))
    parameters = definition["parameters"]
    examples = [f"{each['name']}={1.0 if isinstance(each['default'], (str, type(None))) else each['default']}" for each in parameters]
    example = f"{class_name}({', '.join(examples)})"
    made = make_dataclass(
        class_name,
        [(each["name"], Any, field(default=each["default"])) for each in parameters],
        bases=(BuiltInKernel,),
        frozen=True,
        namespace={
            "__doc__": f"{definition['formula']}.\n\n>>> {example}\n{example}\n",
            "name": definition["name"],
            "compares_codes": definition["compares_codes"],
        },
    )
    made.__module__ = _PUBLIC_MODULE
    return made


BUILT_IN = {definition["name"]: _kernel_class(definition) for definition in _native.kernel_definitions()}
__all__ = [made.__name__ for made in BUILT_IN.values()]
globals().update({made.__name__: made for made in BUILT_IN.values()})
