"""Reading study.yml: YAML with line numbers, checked against the schema."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from importlib import resources
from pathlib import Path
from typing import Any

from benchbook.study.yaml_file import line_of, plain, read_yaml, require_schema
from benchmath.errors import UserError

SCHEMA: dict[str, Any] = json.loads(
    resources.files("benchbook.study").joinpath("schema.json").read_text()
)
VARIABLE = re.compile(r"\$\{[A-Za-z_][A-Za-z0-9_]*\}")


def read_study_file(path: Path) -> dict[str, Any]:
    """The checked content of a study.yml as plain dicts, lists and scalars."""
    if not path.is_file():
        raise UserError(f"{path}: no such study; `benchbook new` makes one")
    document = read_yaml(path)
    if not isinstance(document, Mapping):
        raise UserError(f"{path}: a study is a mapping of keys such as title and steps")
    _refuse_numeric_versions(path, document)
    _refuse_literal_connections(path, document)
    require_schema(path, document, SCHEMA)
    return plain(document)


def _refuse_numeric_versions(path: Path, document: Any) -> None:
    """YAML reads 5.10 as the number 5.1: a version must be written in quotes."""
    for keys, value in _scalars(document, ()):
        if isinstance(value, bool | str) or not isinstance(value, int | float):
            continue
        if "version" in keys:
            line = line_of(document, keys)
            raise UserError(
                f"{path}:{line}: version {value} is read by YAML as a number "
                f'(8.10 would become 8.1); write it in quotes: "{value}"'
            )


def _refuse_literal_connections(path: Path, document: Any) -> None:
    """A connection string holds a password, and study.yml is stored and published."""
    for keys, value in _scalars(document, ()):
        if {"engines", "connect"} <= set(keys) and not VARIABLE.fullmatch(str(value)):
            raise UserError(
                f"{path}:{line_of(document, keys)}: connect must be the name of a "
                'variable of the environment, such as "${PG_URL}": what stands in '
                "study.yml is stored and published"
            )


def _scalars(node: Any, keys: tuple[Any, ...]) -> Iterable[tuple[tuple[Any, ...], Any]]:
    if isinstance(node, Mapping):
        for key, value in node.items():
            yield from _scalars(value, (*keys, key))
    elif isinstance(node, list):
        for i, value in enumerate(node):
            yield from _scalars(value, (*keys, i))
    else:
        yield keys, node
