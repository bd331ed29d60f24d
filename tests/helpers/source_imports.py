"""Which module imports which, read from the sources."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from places import ROOT

SRC = ROOT / "src"
_IMPORT = re.compile(
    r"^[ \t]*(?:from [\w.]+ import (?:\([^)]*\)|[^(\n]+)|import [^\n]+)[^\n]*$",
    re.MULTILINE,
)


def imports_of(folder: Path) -> Iterator[tuple[str, str, str]]:
    """(file, its module, a module it imports), dotted, below src."""
    for file in sorted(folder.rglob("*.py")):
        path = file.relative_to(SRC)
        module = ".".join(path.with_suffix("").parts)
        for node in _statements(file):
            if isinstance(node, ast.Import):
                yield from ((str(path), module, alias.name) for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                source = node.module or ""
                names = [alias.name for alias in node.names]
                for name in names if _is_package(source) else [""]:
                    yield str(path), module, f"{source}.{name}".rstrip(".")


@cache
def _statements(file: Path) -> tuple[ast.stmt, ...]:
    """Its import statements, wherever they stand, parsed alone: the whole takes long."""
    found = (match[0].strip() for match in _IMPORT.finditer(file.read_text("utf-8")))
    return tuple(statement for text in found for statement in _parsed(text))


def _parsed(text: str) -> list[ast.stmt]:
    """The statement; nothing of a sentence in a docstring that begins like one."""
    try:
        return ast.parse(text).body
    except SyntaxError:
        return []


def _is_package(module: str) -> bool:
    """Does the module hold modules, so that a name imported from it may be one?"""
    return module.startswith("bench") and SRC.joinpath(*module.split(".")).is_dir()


def rooms_reached(*begin: str) -> set[str]:
    """The rooms of benchbook that modules with such names import from, however far."""
    imported = defaultdict(set)
    for _, module, other in imports_of(SRC / "benchbook"):
        imported[module.removesuffix(".__init__")] |= {other, other.rpartition(".")[0]}
    waiting = [module for module in imported if module.startswith(begin)]
    reached: set[str] = set()
    while waiting:
        module = waiting.pop()
        if module.startswith("benchbook.") and module not in reached:
            reached.add(module)
            waiting += imported[module]
    return {module.split(".")[1] for module in reached}
