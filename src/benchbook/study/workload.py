"""A workload file as far as a study needs it: its name, steps, groups and numbers.

The driver `sql` reads the whole of it and has the last word (`sql --check`).
bench/workloads/README.md describes the format.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from benchbook.digests import short_digest
from benchbook.project import Project
from benchbook.study.cell import COUNTERS, GROUP, RESERVED, Step
from benchbook.study.drivers import OF_EACH_WORKLOAD
from benchbook.study.sends import (
    Parts,
    indexed_tables,
    parts_of,
    reading_steps,
    tables_of,
)
from benchmath.errors import UserError

FILE = "workload"
FOLDER = "workloads"  # of bench/
ALL = "all"
LOAD, INDEX, ANALYZE = OF_EACH_WORKLOAD
KINDS = ("read", "write", "scan", "cleanup")
TIMED = ("read", "write")  # what a size without a kind is for; a scan ends by itself
SIZES = ("seconds", "events", "warmup", "rate")
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9._-]*")


@dataclass(frozen=True)
class WorkloadStep:
    """A step of a workload: what it is called, and what it is."""

    name: str
    kind: str  # one of KINDS
    group: str = ""
    about: str = ""
    needs: tuple[str, ...] = ()  # tables that its statements name and none of them makes
    makes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Workload:
    """What a study must know of a workload file."""

    name: str
    file: Path
    digest: str
    steps: tuple[WorkloadStep, ...]
    lets: tuple[str, ...] = ()
    indexed: tuple[str, ...] = ()  # tables that the step index does something to
    reading: frozenset[str] = frozenset()  # steps that send nothing but reads

    @property
    def groups(self) -> dict[str, tuple[str, ...]]:
        """The steps of each group, groups in the order in which they first appear."""
        names = dict.fromkeys(step.group for step in self.steps if step.group)
        return {g: tuple(s.name for s in self.steps if s.group == g) for g in names}

    @property
    def kinds(self) -> dict[str, str]:
        return {step.name: step.kind for step in self.steps}

    def missing_tables(self, steps: Sequence[str]) -> tuple[str, tuple[str, ...]] | None:
        """The first of these steps whose tables nothing before it makes, and these."""
        own = {step.name: step for step in self.steps}
        made: set[str] = set()
        for name in steps:
            if name == LOAD:
                return None
            needs = own[name].needs if name in own else self.indexed
            missing = tuple(table for table in needs if table not in made)
            if missing:
                return name, missing
            made.update(own[name].makes if name in own else ())
        return None


def find_workload(name: str, study_file: Path) -> Path:
    """The file that a study's `workload:` names: the post's own, else one of bench/."""
    post = study_file.resolve().parent
    bench = Project.find(post).bench / FOLDER
    places = [post / FILE / name / FILE, post / name, post / name / FILE]
    own = [place for place in places if place.resolve().is_relative_to(post)]
    for place in (*own, bench / name / FILE):
        if place.is_file():
            return place
    files = [*post.glob(f"{FILE}/*/{FILE}"), *bench.glob(f"*/{FILE}")]
    there = sorted({file.parent.name for file in files})
    raise UserError(
        f"{study_file}: no workload {name!r}; available: {', '.join(there) or 'none'}, "
        "or the path of a file below the post's folder"
    )


def read_workload(file: Path) -> Workload:
    """What a study names of a workload file; UserError for a mistake in that."""
    content = file.read_bytes()
    try:
        lines = list(_lines(content.decode("utf-8")))
    except UnicodeDecodeError:
        raise UserError(f"{file}: not UTF-8 text") from None
    name, lets = "", []
    steps: dict[str, dict[str, str]] = {}
    inside: dict[str, str] | None = None  # what indented lines say of a step
    for number, indented, word, rest in lines:
        where = f"{file} line {number}"
        if indented:
            if inside is not None and word in ("kind", "group", "about"):
                inside[word] = rest
            continue
        inside = None
        if word == "workload":
            name = _named(rest, where, "a workload")
        elif word == "let":
            lets.append(_named(rest, where, "a let"))
        elif word == "step":
            step = _named(rest, where, "a step")
            if step in (*steps, LOAD, INDEX, ALL, GROUP):
                raise UserError(f"{where}: the name {step!r} of a step is taken already")
            inside = steps[step] = {"line": where}
    if not name:
        raise UserError(f"{file} line 1: no line `workload NAME` says what it is called")
    if not steps:
        raise UserError(f"{file}: the workload {name} has no step")
    parts = parts_of(lines)
    return Workload(
        name=name,
        file=file,
        digest=short_digest(content),
        steps=tuple(_step(step, said, parts) for step, said in steps.items()),
        lets=tuple(lets),
        indexed=indexed_tables(parts),
        reading=reading_steps(parts),
    )


def _lines(text: str) -> Iterator[tuple[int, bool, str, str]]:
    """Number, indented or not, first word and the rest of each line, continued ones one.

    Comments and empty lines are none.
    """
    begun, number = "", 0
    for at, line in enumerate(text.splitlines(), 1):
        if not begun:
            number = at
            if not line.strip() or line.lstrip().startswith("#"):
                continue
        if line.endswith(" \\"):
            begun += line[:-1]
            continue
        whole, begun = begun + line, ""
        word, _, rest = whole.strip().partition(" ")
        yield number, whole[0].isspace(), word, rest.strip()


def _named(rest: str, where: str, what: str) -> str:
    name = rest.split(maxsplit=1)[0] if rest else ""
    if not _NAME.fullmatch(name):
        raise UserError(
            f"{where}: {what} needs a name of letters, digits, dots and dashes"
            f"{f', not {name!r}' if name else ''}"
        )
    return name


def _step(name: str, said: Mapping[str, str], parts: Parts) -> WorkloadStep:
    kind = said.get("kind", "read")
    if kind not in KINDS:
        raise UserError(
            f"{said['line']}: step {name} has the kind {kind!r}; available: "
            f"{', '.join(KINDS)}"
        )
    about = said.get("group", ""), said.get("about", "")
    return WorkloadStep(name, kind, *about, *tables_of(name, parts))


def check_lets(
    dims: Mapping[str, Any], dimensions: Sequence[str], workload: Workload, where: str
) -> None:
    """Refuse a dimension that no line `let` of the workload declares, or no number."""
    for name, value in dims.items():
        if name in dimensions:
            continue
        if name not in workload.lets:
            raise UserError(
                f"{where}: workload {workload.name} has no let {name!r}; available: "
                f"{', '.join((*dimensions, *workload.lets))}"
            )
        if name in COUNTERS | RESERVED:
            raise UserError(
                f"{where}: {name!r} is the name of a column of the results, so it cannot "
                f"be a dimension: give the let another name in {workload.file}"
            )
        for one in value if isinstance(value, list) else [value]:
            if not is_number(str(one)):
                raise UserError(
                    f"{where}: {name} {one!r}: a let is a whole number, 0 or more"
                )


def is_number(text: str) -> bool:
    """Is it what a `let` may be?"""
    return re.fullmatch(r"[0-9]{1,18}", text) is not None


def expand_steps(
    entries: Sequence[str],
    workload: Workload,
    common: Mapping[str, Any],
    where: Path,
) -> tuple[Step, ...]:
    """The steps of a run, each with its size, from names, `group:NAME` and `all`.

    A step that is named itself keeps what is said there; what is said of its group, or of
    all, and then the study's ``common`` sizes, is for the others.
    """
    steps: dict[str, Step] = {}
    named: set[str] = set()
    for entry in map(Step.parse, entries):
        names = _stands_for(entry.step, workload, where)
        if names != (entry.step,):
            for name in names:
                steps.setdefault(name, _of_many(entry, name, workload))
            continue
        if entry.step in named:
            raise UserError(f"{where}: step {entry.step} is listed twice; keep one")
        named.add(entry.step)
        steps[entry.step] = entry
    sized = [_with_common(step, workload, common, where) for step in steps.values()]
    for step in sized:
        kind = workload.kinds.get(step.step, step.step)
        if step.settings and kind in (*OF_EACH_WORKLOAD, "cleanup"):
            raise UserError(
                f"{where}: step {step}: {kind} decides how long it takes; write "
                f"{step.step} alone"
            )
    return tuple(sized)


def with_analyze(steps: tuple[Step, ...], workload: Workload) -> tuple[Step, ...]:
    """The steps with ``analyze`` behind the last of load and index.

    Not where they have it, or load nothing, or a cleanup, which analyzes too, is one of
    the next two: a workload may warm up before it.
    """
    names = [step.step for step in steps]
    made = [at for at, name in enumerate(names, 1) if name in (LOAD, INDEX)]
    if ANALYZE in names or LOAD not in names:
        return steps
    at = max(made)
    if "cleanup" in (workload.kinds.get(name) for name in names[at : at + 2]):
        return steps
    return (*steps[:at], Step(ANALYZE), *steps[at:])


def _stands_for(entry: str, workload: Workload, where: Path) -> tuple[str, ...]:
    """The steps that an entry of the list is about."""
    if entry == ALL:
        return (LOAD, INDEX, *workload.kinds)
    every = tuple(dict.fromkeys((*OF_EACH_WORKLOAD, *workload.kinds)))
    kind, _, name = entry.partition(":")
    if kind == GROUP:
        if name not in workload.groups:
            raise UserError(
                f"{where}: workload {workload.name} has no group {name!r}; available: "
                f"{', '.join(workload.groups) or 'none'}"
            )
        return workload.groups[name]
    if entry not in every:
        raise UserError(
            f"{where}: workload {workload.name} has no step {entry!r}; available: "
            f"{', '.join((*every, ALL, *(f'{GROUP}:{g}' for g in workload.groups)))}"
        )
    return (entry,)


def _of_many(entry: Step, name: str, workload: Workload) -> Step:
    """One step of many: what is said of all is for those that run for a time."""
    if workload.kinds.get(name) in TIMED:
        return replace(entry, step=name)
    return Step(name)


def _with_common(
    step: Step, workload: Workload, common: Mapping[str, Any], where: Path
) -> Step:
    """The step with the study's sizes for its kind, where it has none of its own."""
    kind = workload.kinds.get(step.step, "")
    sizes = {key: _for_kind(common.get(key), kind) for key in SIZES}
    if not step.size and sizes["seconds"] and sizes["events"]:
        raise UserError(
            f"{where}: {kind} steps have both seconds and events; keep one of them"
        )
    size = next((key for key in ("seconds", "events") if sizes[key]), "")
    if size and not step.size:
        step = replace(step, size=size, amount=sizes[size])
    others = {k: sizes[k] for k in ("warmup", "rate") if not getattr(step, k)}
    return replace(step, **others)


def _for_kind(said: Any, kind: str) -> str:
    """A size for steps of a kind: of `2` or of `{read: 2, write: 4}`."""
    value = said.get(kind) if isinstance(said, Mapping) else said
    if value is None or not (isinstance(said, Mapping) or kind in TIMED):
        return ""
    return str(value)
