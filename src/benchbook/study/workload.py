"""A workload file as far as a study needs it: its name, steps, groups and numbers.

bench/workloads/README.md describes the format, and what the driver `sql` says of a file.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from benchbook.digests import short_digest
from benchbook.project import Project, shipped
from benchbook.study.cell import GROUP, TAKEN, Step
from benchbook.study.drivers import OF_EACH_WORKLOAD, driver_named
from benchbook.study.program import usual_program
from benchmath.errors import UserError
from benchmath.prose import joined

FILE = "workload"
FOLDER = "workloads"  # of bench/
DESCRIBED = "described.json"  # there: what the driver says of each, by its digest
ALL = "all"
LOAD, INDEX, ANALYZE = OF_EACH_WORKLOAD
TIMED = ("read", "write")  # what a size without a kind is for; a scan ends by itself
SIZES = ("seconds", "events", "warmup", "rate")


@dataclass(frozen=True)
class WorkloadStep:
    """A step of a workload: what it is called, and what it is."""

    name: str
    kind: str  # read, write, scan or cleanup
    group: str = ""
    about: str = ""
    reads: bool = False  # sends nothing that may write
    needs: tuple[str, ...] = ()  # tables that its statements name and none of them makes
    makes: tuple[str, ...] = ()


DISTANCE = "distance"  # a let of workloads that search vectors, said by its name
_UNGROUPED = "other"
_MEASURED = ("read", "write", "scan")  # kinds of steps whose rate is a result


@dataclass(frozen=True)
class Workload:
    """What a study must know of a workload file."""

    name: str
    file: Path
    digest: str
    steps: tuple[WorkloadStep, ...]
    lets: tuple[str, ...] = ()
    indexed: tuple[str, ...] = ()  # tables that the step index does something to
    # By which it searches a set of vectors, if it does: of each the engines that lack it.
    distances: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    engines: tuple[str, ...] = ()  # that it has words for

    @property
    def groups(self) -> dict[str, tuple[str, ...]]:
        """The steps of each group, groups in the order in which they first appear."""
        names = dict.fromkeys(step.group for step in self.steps if step.group)
        return {g: tuple(s.name for s in self.steps if s.group == g) for g in names}

    @property
    def compared(self) -> dict[str, str]:
        """The group of each step whose rate is a result, in their order.

        Where a workload has groups, a step without one only prepares others.
        """
        return {
            step.name: step.group or _UNGROUPED
            for step in self.steps
            if step.kind in _MEASURED and (step.group or not self.groups)
        }

    @property
    def reading(self) -> frozenset[str]:
        """The steps that send nothing but reads."""
        return frozenset(step.name for step in self.steps if step.reads)

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
    """What a study must know of a workload file; UserError for a mistake in it.

    The driver `sql` tells it. What it says of those that ship is kept beside them, so
    that they need no compiler; a file is known by its digest.
    """
    content = file.read_bytes()
    for number, line in enumerate(content.splitlines(), 1):
        try:
            line.decode()
        except UnicodeDecodeError:
            raise UserError(f"{file}:{number}: not UTF-8 text") from None
    digest = short_digest(content)
    kept = shipped() / "bench" / FOLDER / DESCRIBED
    said = json.loads(kept.read_bytes()).get(digest) or _ask(file)
    steps = said["steps"]
    if not steps:
        raise UserError(f"{file}: the workload {said['name']} has no step")
    return Workload(
        name=said["name"],
        file=file,
        digest=digest,
        steps=tuple(
            WorkloadStep(**step | {key: tuple(step[key]) for key in ("needs", "makes")})
            for step in steps
        ),
        lets=tuple(said["lets"]),
        indexed=tuple(said["indexed"]),
        distances={name: tuple(lack) for name, lack in said["distances"].items()},
        engines=tuple(said["engines"]),
    )


def _ask(file: Path) -> dict[str, Any]:
    """What the driver, compiled for it where it is not there yet, says of a file."""
    driver = driver_named("sql", file)
    for tool in (driver.compiler, "make"):
        if not shutil.which(tool):
            raise UserError(
                f"{file}: only the driver sql can read it, and there is no {tool} to "
                f"build that with: install one (as root: apt-get install gcc make)"
            )
    program = usual_program(driver, Project.find(file.parent))
    words = [str(program), "--describe", str(file)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode:
        raise UserError(done.stderr.strip().removeprefix("sql: "))
    described: dict[str, Any] = json.loads(done.stdout)
    return described


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
        if name in TAKEN:
            raise UserError(
                f"{where}: {name!r} is the name of a column of the results, so it cannot "
                f"be a dimension: give the let another name in {workload.file}"
            )
        for one in value if isinstance(value, list) else [value]:
            if wrong := wrong_let(name, str(one), workload):
                raise UserError(f"{where}: {wrong}")


def wrong_let(name: str, value: str, workload: Workload) -> str:
    """What is wrong with the value of a let; nothing where it is good."""
    if name == DISTANCE and workload.distances:
        good = value in workload.distances
        wanted = f"workload {workload.name} searches by {joined(workload.distances)}"
    else:
        good = re.fullmatch(r"[0-9]{1,18}", value) is not None
        wanted = "a let is a whole number, 0 or more"
    return "" if good else f"{name} {value!r}: {wanted}"


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
