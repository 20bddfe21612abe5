"""Writes `_kernel_classes.pyi`, the types of the kernel classes, from the definitions in the core.

After adding a kernel: python crates/protodash-py/tests/kernel_stub.py > crates/protodash-py/python/protodash/_kernel_classes.pyi
"""

from protodash._kernel_classes import BUILT_IN
from protodash._native import kernel_definitions

HEAD = '''\
# Written by tests/kernel_stub.py from the definitions in the core.
from dataclasses import dataclass

from ._kernel_base import BuiltInKernel

BUILT_IN: dict[str, type[BuiltInKernel]]
'''


def stub() -> str:
    names = sorted(made.__name__ for made in BUILT_IN.values())
    parts = [HEAD, "__all__ = [\n" + "".join(f'    "{name}",\n' for name in names) + "]\n"]
    for definition in kernel_definitions():
        lines = [f"    {each['name']}: {annotation(each)} = ...\n" for each in definition["parameters"]] or ["    ...\n"]
        parts.append(f"\n@dataclass(frozen=True)\nclass {BUILT_IN[definition['name']].__name__}(BuiltInKernel):\n" + "".join(lines))
    return "".join(parts)


def annotation(parameter: dict) -> str:
    number = "int" if parameter["is_whole"] else "float"
    if isinstance(parameter["default"], str):
        return f"{number} | str"
    return f"{number} | None" if parameter["default"] is None else number


if __name__ == "__main__":
    print(stub(), end="")
