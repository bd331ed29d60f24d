"""What the user says of files: a pattern of their names, and fixed dimensions.

A pattern is text with placeholders, ``{step}.{engine}{version}.t{trial}.txt``; each is a
column of the vocabulary or a dimension of one's own. It is that of the file's name, or
with a ``/`` in it that of the end of its path. A ``*`` is any text of one name that is no
dimension: ``v{version}/*``. What it says is told apart by characters only where one split
is possible: a name that can be read in two ways is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache

from benchbook.study.cell import ADDED
from benchformats.clean import one_line
from benchformats.names import STAND_INS, Place
from benchformats.parsed import Row
from benchformats.tags import decode_tag, engine_name
from benchmath.errors import UserError

COLUMNS = ("step", "engine", "version", "build", "config", "machine", "dop", "trial")
_NUMBERS = ("dop", "trial")
_DIMS = ("range", "pk", "client", "workload", "size", "folder", "commit", "time")
# Columns of the view metric that an import computes, and of what is made of it: no name
# can say them.
_TAKEN = frozenset(
    ("set", "machine_id", "arm", "tag", "placement", "dims", "cell_id", "run_id",
     "position", "seq", "op", "main", "metric", "clock", "value", "unit", "direction",
     "source", "origin", "base", "path", "file", "line")
) | ADDED.difference(_DIMS)  # fmt: skip
_KEY = re.compile(r"[a-z][a-z0-9_]*", re.ASCII)
_PLACE = re.compile(r"(\{[^{}]*\}|\*)")
_STAR = "*"
# As few characters as can be: with `?` after each count the split from the other end.
_CLASSES = {
    "version": r"v?\d+{q}(?:\.\d+{q})*{q}(?:[-_+~]?[A-Za-z][A-Za-z0-9]*{q})?{q}",
    "dop": r"\d{1,6}{q}",
    "trial": r"\d{1,6}{q}",
}
_WORD = r"[A-Za-z][A-Za-z_-]*{q}"  # an engine that a version follows at once
_ENGINE = r"[A-Za-z][A-Za-z0-9_-]*{q}"
_TEXT = r"[^/]+{q}"
_ANY = r"[^/]*{q}"
_COMMIT = r"[0-9A-Za-z_-]+{q}"


class Unnamed(Exception):
    """Why a file gets no dimensions of its name, so that nothing of it is imported."""


@dataclass(frozen=True)
class Naming:
    """``pattern`` and ``fixed`` as the user says them, checked by ``naming_of``."""

    pattern: str = ""
    fixed: tuple[tuple[str, str], ...] = ()

    def __bool__(self) -> bool:
        return bool(self.pattern or self.fixed)

    def said_of(self, path: str) -> dict[str, str]:
        """What names and options say of the file; Unnamed where they cannot be."""
        said = _split(path, self.pattern) if self.pattern else {}
        for name, value in self.fixed:
            value = normal(name, value)
            if name in said and not agree(name, said[name], value):
                raise Unnamed(
                    f"its name says {name} {said[name]}, the command {value}: "
                    "leave one of them out"
                )
            said[name] = sharper(name, said.get(name, ""), value)
        return said

    def place(self, said: Mapping[str, str], path: str, decoded: Place) -> Place:
        """Where the file's figures belong.

        Without a pattern, what the names of the archives say holds where the options say
        nothing; with one they say the folder only.
        """
        return place_of(said, path if self.pattern else "", decoded)


def naming_of(pattern: str | None, fixed: Iterable[tuple[str, str]]) -> Naming:
    """A pattern and fixed dimensions, checked; UserError says what is wrong with them."""
    values: dict[str, str] = {}
    for name, value in fixed:
        _checked_key(name, f"dimension {name!r}")
        if name in values:
            raise UserError(f"dimension {name!r} is said twice: say it once")
        clean = one_line(value)
        if not clean:
            raise UserError(f"dimension {name!r} has no value: give it one")
        if name in _NUMBERS and not re.fullmatch(r"\d{1,6}", clean, re.ASCII):
            raise UserError(f"{name} {clean!r} is no count: give a number")
        if name == "dop" and not int(clean):
            raise UserError("dop 0: nobody has 0 clients, give a number from 1")
        values[name] = clean
    if pattern is not None:
        _expressions(pattern)
    return Naming(pattern or "", tuple(values.items()))


def place_of(said: Mapping[str, str], path: str, decoded: Place) -> Place:
    """``decoded`` with what was said; with ``path`` only its folders are kept."""
    folder = path.rpartition("/")[0] if path else decoded.folder
    base = Place(folder=folder) if path else decoded
    dims = {k: v for k, v in said.items() if k not in COLUMNS}
    return Place(
        step=said.get("step") or base.step,
        dop=int(said.get("dop") or base.dop),
        machine=said.get("machine") or base.machine,
        workload=base.workload,
        tag=base.tag,
        folder=base.folder,
        dims={**base.dims, **dims},
        said_step=said.get("step", ""),
        engine=said.get("engine", ""),
        version=said.get("version", ""),
        build=said.get("build", ""),
        config=said.get("config", ""),
        trial=int(said["trial"]) if "trial" in said else None,
    )


def contradiction(
    row: Row, said: Mapping[str, str], decoded: Place, renamed: Mapping[str, str]
) -> str:
    """Where a figure's own dimensions are others than what was said; '' where none is."""
    tag = decode_tag(row.tag or decoded.tag)
    own = {
        "step": "" if row.step in STAND_INS else row.step,
        "engine": row.engine or tag.engine,
        "version": row.version or tag.version, "build": tag.build, "config": tag.config,
        "machine": row.machine, "dop": str(row.dop or ""),
        "trial": "" if row.trial is None else str(row.trial),
        **{renamed.get(name, name): value for name, value in row.dims.items()},
    }  # fmt: skip
    for name, value in said.items():
        mine = own.get(name, "")
        if mine and not agree(name, mine, value):
            return (
                f"{name} is {one_line(mine)} in line {row.line} of the file, but {value} "
                "by its name or the command: nothing of it is imported; leave "
                f"{name} out, or say what the file says"
            )
    return ""


def agree(name: str, one: str, other: str) -> bool:
    """Two ways to say the same: 15 and 15.19, pg and postgres, a step and its range."""
    if name == "version":
        short, long = sorted((one, other), key=len)
        return one == other or long.startswith(f"{short}.")
    if name == "engine":
        return engine_name(one) == engine_name(other)
    if name == "step":
        return _plain_step(one) == _plain_step(other)
    return one == other


def sharper(name: str, one: str, other: str) -> str:
    """The one of two that agree that says more: 15.19 before 15."""
    return max((one, other), key=len) if name == "version" else one or other


def normal(name: str, value: str) -> str:
    """A value as the vocabulary has it: pg is postgres, 007 is 7."""
    if name in _NUMBERS and value.isdecimal():
        return str(int(value))
    return engine_name(value) if name == "engine" else value


def _plain_step(step: str) -> str:
    return re.sub(r"_range=\d+$", "", step).replace("-", "_").lower()


def _split(path: str, pattern: str) -> dict[str, str]:
    most, least = _expressions(pattern)
    depth = pattern.count("/") + 1
    name = "/".join(path.split("/")[-depth:])
    match, other = most.fullmatch(name), least.fullmatch(name)
    if not match or not other:
        raise Unnamed(f"the name is not like --name {pattern}")
    found, second = match.groupdict(), other.groupdict()
    if found != second:  # texts of stars too: then no other split says anything else
        raise Unnamed(
            f"the name can be read in two ways, as {_words(found, second)} or as "
            f"{_words(second, found)}: put another text between them in --name"
        )
    found = {k: v for k, v in found.items() if not _of_star(k)}
    said = {k: normal(k, one_line(v)) for k, v in found.items()}
    if said.get("dop") == "0":
        raise Unnamed("dop 0 in its name: nobody has 0 clients")
    return _glued(said, found)


def _glued(said: dict[str, str], found: Mapping[str, str]) -> dict[str, str]:
    """Versions without dots after an engine's short name: my8036 is MySQL 8.0.36."""
    if "engine" in found and found.get("version", "").isdecimal():
        tag = decode_tag(found["engine"] + found["version"])
        if tag.version and tag.engine == said["engine"]:
            return said | {"version": tag.version}
    return said


def _words(found: Mapping[str, str], second: Mapping[str, str]) -> str:
    return ", ".join(
        f"{_STAR if _of_star(k) else k} {one_line(v)}"
        for k, v in found.items()
        if v != second[k]
    )


def _of_star(group: str) -> bool:
    """A group of the expression that is no placeholder's: those begin with a letter."""
    return group.startswith("_")


@cache
def _expressions(pattern: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """The pattern with each placeholder as long as can be, and as short as can be.

    Where both split a name alike there is no other way to split it.
    """
    pieces = _PLACE.split(pattern)
    literals, names = pieces[::2], [piece.strip("{}") for piece in pieces[1::2]]
    if not set(names) - {_STAR} or any(c in text for text in literals for c in "{}"):
        raise UserError(
            f"--name {pattern!r}: write placeholders as {{step}}; available: "
            f"{', '.join(COLUMNS)} and dimensions of your own"
        )
    for name in filter(_STAR.__ne__, names):
        _checked_key(name, f"--name {pattern!r}: placeholder {{{name}}}")
        if names.count(name) > 1:
            raise UserError(f"--name {pattern!r}: {{{name}}} stands there twice")
    for before, text, after in zip(names, literals[1:], names[1:], strict=False):
        if not text and (before, after) not in _GLUED:
            raise UserError(
                f"--name {pattern!r}: nothing tells where {_shown(before)} ends and "
                f"{_shown(after)} begins; put a text between them"
            )
    return _expression(literals, names, ""), _expression(literals, names, "?")


def _shown(name: str) -> str:
    return name if name == _STAR else f"{{{name}}}"


# Letters, then digits: only these can stand side by side.
_GLUED = frozenset(("engine", number) for number in ("version", "dop", "trial"))


def _expression(literals: list[str], names: list[str], q: str) -> re.Pattern[str]:
    text = re.escape(literals[0])
    for number, name in enumerate(names):
        after = literals[number + 1]
        glued = not after and number + 1 < len(names)
        group = f"_{number}" if name == _STAR else name
        text += f"(?P<{group}>{_class(name, glued).replace('{q}', q)})" + re.escape(after)
    return re.compile(text, re.ASCII | re.DOTALL)


def _class(name: str, glued: bool) -> str:
    if name == _STAR:
        return _ANY
    if name == "engine":
        return _WORD if glued else _ENGINE
    return _CLASSES.get(name, _COMMIT if name == "commit" else _TEXT)


def _checked_key(name: str, what: str) -> None:
    if name in _TAKEN:
        raise UserError(f"{what} is a column that Benchbook fills: choose another name")
    if not _KEY.fullmatch(name):
        raise UserError(f"{what}: use lower-case letters, digits and underscores")
    known = (*COLUMNS, *_DIMS)
    if name not in known and (like := get_close_matches(name, known, 1, 0.8)):
        raise UserError(f"{what} is none; {like[0]} is: write that")
