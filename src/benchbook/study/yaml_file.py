"""YAML that people edit: read with line numbers, checked against a JSON schema.

Every complaint is one sentence with the file and the line, because the reader is
editing that file.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jsonschema_rs
from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError

from benchmath.errors import UserError

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError


def read_yaml(path: Path) -> Any:
    """The document with the lines of its keys, see `line_of`."""
    yaml = YAML(typ="rt")
    try:
        return yaml.load(path.read_text(encoding="utf-8"))
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = mark.line + 1 if mark else 1
        raise UserError(f"{path}:{line}: not YAML: {error.problem}") from None
    except (YAMLError, UnicodeDecodeError) as error:
        raise UserError(f"{path}: not YAML: {str(error).splitlines()[0]}") from None


def require_schema(path: Path, document: Any, schema: Mapping[str, Any]) -> None:
    """Refuse a document that is not as its schema says, naming the line."""
    values = plain(document)
    if jsonschema_rs.is_valid(dict(schema), values):
        return
    from jsonschema import Draft202012Validator  # says what is wrong; slow to import

    errors = list(Draft202012Validator(schema).iter_errors(values))
    if errors:
        raise UserError(_sentence(path, document, _pick(errors)))


def _pick(errors: list[ValidationError]) -> ValidationError:
    """The complaint to show: a key nobody knows first, it often explains the others."""
    from jsonschema.exceptions import best_match

    unknown_keys = [e for e in errors if e.validator == "additionalProperties"]
    return unknown_keys[0] if unknown_keys else (best_match(errors) or errors[0])


def _sentence(path: Path, document: Any, error: ValidationError) -> str:
    line = line_of(document, error.absolute_path)
    where = f"{path}:{line}"
    name = ".".join(str(p) for p in error.absolute_path)
    if error.validator == "additionalProperties" and isinstance(error.schema, Mapping):
        allowed = list(error.schema.get("properties", {}))
        named = list(error.schema.get("patternProperties", {}))
        key = next(
            k
            for k in error.instance
            if k not in allowed and not any(re.search(n, k) for n in named)
        )
        line = line_of(document, [*error.absolute_path, key])
        if named:
            return (
                f"{path}:{line}: {name}: {key!r} is no name: write letters, digits, ._-"
            )
        return f"{path}:{line}: unknown key {key!r}{_meant(key, allowed)}"
    if expected := _expected(error):
        return f"{where}: {name} {error.instance!r}: {expected}"
    if error.validator == "required":
        missing = error.message.split("'")[1]
        place = f" in {name}" if name else ""
        return f"{where}: {missing!r} is missing{place}{_needed(missing)}"
    if error.validator == "minItems":
        return f"{where}: {name} is empty, so there is no cell to run; list one value"
    return f"{where}: {name or path.stem}: {error.message}"


def _expected(error: ValidationError) -> str:
    """What the schema itself says in words of what belongs there, if it does."""
    at: ValidationError | None = error
    while at is not None:
        if isinstance(at.schema, Mapping) and "expected" in at.schema:
            return str(at.schema["expected"])
        at = at.parent
    return ""


def _needed(key: str) -> str:
    if key == "base":
        return ': name the cell that reads 1.00, for example base: {version: "3.40.1"}'
    return ""


def _meant(key: str, allowed: list[str]) -> str:
    close = difflib.get_close_matches(key, allowed, n=1)
    if close:
        return f"; did you mean {close[0]!r}?"
    return f"; available: {', '.join(sorted(allowed))}"


def line_of(document: Any, path: Iterable[str | int]) -> int:
    """The line (from 1) at which the deepest known part of a path stands."""
    node, line = document, 1
    for part in path:
        marks = getattr(node, "lc", None)
        if marks is None or marks.data is None or part not in marks.data:
            break
        line = marks.data[part][0] + 1
        node = node[part]
    return line


def plain(node: Any) -> Any:
    """ruamel's decorated containers as plain ones."""
    if isinstance(node, Mapping):
        return {str(k): plain(v) for k, v in node.items()}
    if isinstance(node, list):
        return [plain(v) for v in node]
    if isinstance(node, bool) or node is None:
        return node
    for kind in (str, int, float):
        if isinstance(node, kind):
            return kind(node)
    return str(node)
