"""From a cell to the complete, local-path-free description of one run."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from benchbook.commands.commands import SCRATCH
from benchbook.digests import cell_id, declared_id, short_digest
from benchbook.engines.builds import Build
from benchbook.machine.facts import Machine
from benchbook.project import Project
from benchbook.study.arms import INSTRUCTIONS, PROFILE, load_no
from benchbook.study.cell import OF_A_SERVER
from benchbook.study.leave_out import made_steps
from benchbook.study.order import TURNS
from benchbook.study.script import NO_OPTIONS
from benchbook.study.study import Cell, Study
from benchmath.errors import UserError

TAG_PREFIX = {
    "sqlite": "sq", "postgres": "pg", "mysql": "my", "mariadb": "ma", "myrocks": "rx",
    "rocksdb": "rx", "xxhash": "xxh", "duckdb": "du", "hnswlib": "hn",
}  # fmt: skip
USUAL_SEED = 1  # that of runs whose identity names none
# What of a cell changes its build, and with what else it may be configured.
MADE = ("compiler", "flags", "source", "connect")
CONFIGURED = ("engine", "version", *MADE, "build_notes", "config")
_ENVIRONMENT = re.compile(rb"(?m)^#[ \t]*environment:")  # as server.sh finds it
_INITDB = re.compile(rb"(?m)^#[ \t]*initdb:")
_SETTING = re.compile(rb"^\s*[^]\s#;[]", re.MULTILINE)  # no comment and no heading


@dataclass(frozen=True)
class Config:
    """A named settings file; ``file`` is empty where a cell has none."""

    name: str = ""
    digest: str = ""
    file: Path | None = None


@dataclass(frozen=True)
class Prepared:
    """A cell with everything that had to be looked up on this machine."""

    cell: Cell
    build: Build
    config: Config
    version: str
    declared: str
    id: str
    workload: Path | None = None  # the file that its driver runs


def find_config(cell: Cell, study: Study, project: Project) -> Config:
    """The settings file a cell names: a path, one of the study's, or one of bench/'s."""
    if not cell.config:
        return Config()
    named = Path(cell.config).expanduser()
    places = [
        study.folder / "configs" / named,
        study.folder / named,
        project.bench / "configs" / cell.engine / named,
    ]
    file = next((p for p in places if p.is_file()), None)
    if file is None:
        looked = ", ".join(str(p.parent) for p in places if not named.is_absolute())
        raise UserError(
            f"{study.path}: no config {cell.config!r} for engine {cell.engine}"
            f"{'; looked in ' + looked if looked else ''}"
        )
    content = file.read_bytes()
    if not _SETTING.search(content):
        raise UserError(
            f"config {file} is empty: an engine would run with its defaults under this "
            "name; write its settings, or take config out of the study"
        )
    if _ENVIRONMENT.search(content) and cell.engine not in study.driver.servers:
        raise UserError(
            f"config {file}: '# environment:' is for a server's process, and "
            f"{cell.engine} starts none: take the line out"
        )
    if _INITDB.search(content) and cell.engine != "postgres":
        raise UserError(
            f"config {file}: '# initdb:' is for postgres, and {cell.engine} has no "
            "initdb: take the line out"
        )
    return Config(file.name, short_digest(content), file)


def prepare(
    cell: Cell, study: Study, project: Project, build: Build, version: str
) -> Prepared:
    """Resolve the settings file and compute both ids of a cell."""
    config = find_config(cell, study, project)
    declared = declaration(cell, study)
    return Prepared(
        cell=cell,
        build=build,
        config=config,
        version=version,
        declared=declared_id(declared),
        id=cell_id(declared, version, build.digest, config.digest),
        workload=study.ran.file if study.ran else None,
    )


def declaration(cell: Cell, study: Study) -> dict[str, Any]:
    """What decides a cell's identity as far as study.yml says it."""
    origin = {k: v for k in ("source", "connect") if (v := getattr(cell, k))}
    beside = study.watch.record()
    if cell.arm == PROFILE and study.profile:
        beside |= study.profile.record()
    return (
        origin
        | ({"watch": beside} if beside else {})
        | ({"turn_ms": study.turn_ms} if study.order == TURNS else {})
        | ({"workload": study.ran.digest} if study.ran else {})
        | ({"vectors": study.vectors.folder} if study.vectors else {})
        | ({"seed": study.seed} if study.seed != USUAL_SEED else {})
        | ({"tree": cell.tree} if cell.tree else {})
        | {
            "driver": study.driver.name,
            "engine": cell.engine,
            "version": cell.version,
            "build": cell.build_notes,
            "compiler": cell.compiler,
            "flags": cell.flags,
            "config": Path(cell.config).name,
            "dop": cell.dop,
            "placement": cell.placement,
            "arm": cell.arm,
            "steps": [s.record() for s in cell.steps],
            "dims": dict(cell.dims),
            "options": study.options,
        }
    )


def declared_cells(study: Study) -> dict[str, Cell]:
    """The cells of a study by what identifies them as far as study.yml says it."""
    return {declared_id(declaration(cell, study)): cell for cell in study.cells}


def default_tag(prepared: Prepared, study: Study) -> str:
    """The user's tag, or engine, version, build and config in the field's style.

    `sq34001_gcc12.2.0-O2.wal_normal_4k`, `pg1519_jar-gcc7.5-Os.x10a`.  Cells that share a
    tag or a build's words have behind it what tells them apart.
    """
    cell = prepared.cell
    if cell.tag:
        return ".".join([cell.tag, *_apart(cell, study, "tag", CONFIGURED)])
    digits = "".join(
        p.zfill(2) if i else p for i, p in enumerate(prepared.version.split("."))
    )
    name = TAG_PREFIX.get(cell.engine, cell.engine)
    build = prepared.build.of_engine
    words = [build["source"], slug(build["label"].replace(" ", ""))]
    if cell.build_notes:
        words += _apart(cell, study, "build_notes", MADE)
    config = f".{prepared.config.name}" if prepared.config.name else ""
    return f"{name}{digits}_{'-'.join(filter(None, words))}{config}"


def _apart(cell: Cell, study: Study, shared: str, keys: Sequence[str]) -> list[str]:
    """Values of a cell in which it differs from others that share its words."""
    alike = [c for c in study.cells if getattr(c, shared) == getattr(cell, shared)]
    differ = [key for key in keys if len({getattr(c, key) for c in alike}) > 1]
    named = replace(cell, config=Path(cell.config).name)
    return [slug(str(getattr(named, key))) for key in differ if getattr(named, key)]


def slug(text: str) -> str:
    """Text as a part of a folder's name."""
    return re.sub(r"[^A-Za-z0-9+_.-]+", "-", text).strip("-")


def cpu_list(placement: str, cpus: list[int]) -> str:
    """CPUs for the driver: what a placement means on this machine.

    none: not pinned. same: one CPU for everything, the last one, because interrupts
    gather on the first. split: the upper half (the lower one is for servers).
    Otherwise the placement is itself a list such as 0,2-3.
    """
    if placement == "none":
        return ""
    if placement == "same":
        return str(cpus[-1])
    if placement == "split":
        upper = cpus[len(cpus) // 2 :]
        return ",".join(map(str, upper))
    if not re.fullmatch(r"\d+(-\d+)?(,\d+(-\d+)?)*", placement):
        raise UserError(
            f"placement {placement!r} is none of: none, same, split, or a CPU list "
            "such as 0,2-3"
        )
    return placement


def server_cpu_list(prepared: Prepared, cpus: list[int]) -> str:
    """CPUs of a server that is started for the run: those of its client, unless split."""
    placement = prepared.cell.placement
    if prepared.build.server is None:
        return ""
    if placement == "split":
        return ",".join(map(str, cpus[: max(1, len(cpus) // 2)]))
    return cpu_list(placement, cpus)


def command(prepared: Prepared, study: Study, left_out: Sequence[str] = ()) -> list[str]:
    """The driver's words, {target}, {run}, {config}, {workload}, {vectors} to fill."""
    cell, driver, build = prepared.cell, study.driver, prepared.build
    target = "{server}" if build.server else "{target}"
    if build.place:
        target = "{source}"
    if cell.connect:
        target = f"env:{cell.variable}"  # the driver reads it there: it may be secret
    words = [driver.program, "--engine", cell.engine, "--target", target]
    if driver.tool or driver.commands:
        words += ["--out", "{run}"]
    if prepared.config.file and not build.server:
        words += ["--config", "{config}"]
    if study.workload or study.commands:
        words += ["--workload", "{workload}"]
    if study.vectors:
        words += ["--vectors", f"{{vectors}}/{study.vectors.folder}"]
    if study.commands and SCRATCH in study.commands.placeholders:
        words += ["--set", f"{SCRATCH}={{target}}"]
    if study.script:
        words += ["--script", "{workload}"]
    seed = study.seed + load_no(cell.arm) - 1
    words += ["--dop", str(cell.dop), "--seed", str(seed)]
    for key, value in (*cell.dims, *study.options.items()):
        if key == "workload" and study.workload:
            continue  # its file names it
        is_set = _is_set(key, study)
        words += ["--set", f"{key}={value}"] if is_set else _option(key, value)
    if study.watch.waits and cell.engine in driver.servers:
        words += ["--waits", "1"]
    for step in made_steps(cell.steps, left_out):
        words += ["--step", str(step)]
    return words


def _is_set(key: str, study: Study) -> bool:
    """Is it a number of the file that the driver runs, and no option of the driver?"""
    if study.script:
        return key not in NO_OPTIONS
    if study.commands:
        return True
    return study.workload is not None and key in study.workload.lets


def _option(key: str, value: str) -> list[str]:
    """--key value; switches stand alone; NOT_OF_THE_DRIVER names what it is not told."""
    word = "--" + key.replace("_", "-")
    if key in NOT_OF_THE_DRIVER:
        return []
    if key == "prepare":
        return [] if value == "1" else ["--no-prepare"]
    if key in SWITCHES:
        return [word] if value not in ("0", "") else []
    return [word, value]


SWITCHES = ("contend", "no_delete")
# One limits its server, the other is named by its file.
NOT_OF_THE_DRIVER = (*OF_A_SERVER, "script")


def spec(
    prepared: Prepared,
    study: Study,
    machine: Machine,
    *,
    trial: int,
    attempt: int,
    position: int,
    cpus: list[int],
    session: str = "",
    left_out: Sequence[str] = (),
    overridden: bool = False,
    revision: str = "",
    doctor: list[list[str]] | None = None,
) -> dict[str, Any]:
    """spec.json of one run, as data/README.md describes it.

    ``left_out`` names steps that this run does not make; the cell stays what it is.
    """
    cell, build = prepared.cell, prepared.build
    made = build.of_engine
    dims = dict(cell.dims)
    if cell.compiler:
        dims["compiler"] = cell.compiler
    if cell.flags:
        dims["flags"] = cell.flags
    return {
        "schema": 1,
        "study": study.slug,
        "machine": machine.name,
        "machine_id": machine.machine_id,
        "host": {**machine.facts, "compiler": build.compiler_line},
        "driver": study.driver.name,
        "engine": cell.engine,
        "version": prepared.version,
        "build": {
            "label": made["label"],
            "digest": build.digest,
            "compiler": made["compiler"],
            "flags": made["flags"],
            "series": made["series"],
            "source": made["source"],
            "revision": revision,
        },
        "config": {"name": prepared.config.name, "digest": prepared.config.digest},
        "tag": default_tag(prepared, study),
        "arm": cell.arm,
        "dop": cell.dop,
        "placement": cell.placement,
        "cpus": cpu_list(cell.placement, cpus),
        "server_cpus": server_cpu_list(prepared, cpus),
        "steps": [s.record() for s in cell.steps],
        **({"left_out": list(left_out)} if left_out else {}),
        **({"workload": study.ran.digest} if study.ran else {}),
        **({"vectors": study.vectors.folder} if study.vectors else {}),
        "dims": dims,
        "options": dict(study.options),
        "declared": declaration(cell, study),
        "cell_id": prepared.id,
        "declared_id": prepared.declared,
        "build_no": build.number,
        "load_no": load_no(cell.arm),
        "trial": trial,
        "attempt": attempt,
        "position": position,
        "order": study.order,
        "seed": study.seed,
        **(_turns(study, session) if session else {}),
        "overridden": overridden,
        "watch": watched(cell, study),
        "doctor": doctor or [],
        "command": command(prepared, study, left_out),
    }


def _turns(study: Study, session: str) -> dict[str, Any]:
    """What makes a run an arm of a session; ``quiet`` is no part of which run it is."""
    turns = {"session": session, "turn_ms": study.turn_ms}
    quiet = study.quiet
    waits = {"quiet": quiet.permille, "patience_s": round(quiet.patience_s)}
    return turns | (waits if quiet.limit else {})


def watched(cell: Cell, study: Study) -> dict[str, Any]:
    """What stands beside a run of this cell, as run.sh is told of it."""
    if cell.arm == INSTRUCTIONS:
        return {"count_instructions": True}
    if study.order == TURNS:
        return {}  # the referee looks at the machine, turn by turn
    watch: dict[str, Any] = {"sample_ms": study.watch.sample_ms}
    if cell.ssh:  # read by run.sh there: it may be secret
        watch |= {"host": f"env:{cell.ssh[2:-1]}", "pid_file": cell.pid_file}
    watch |= {"counters": True} if study.watch.counters else {}
    if cell.arm == PROFILE and study.profile:
        profile = study.profile
        is_server = cell.engine in study.driver.servers and not cell.connect
        trees = {"trees": profile.trees_of(is_server)}
        watch["profile"] = profile.record() | trees
    return watch


def git_revision(project: Project) -> str:
    """The checkout's commit, recorded but never compared; empty outside git."""
    done = subprocess.run(
        ["git", "-C", str(project.root), "rev-parse", "--short=12", "HEAD"],
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout.strip() if done.returncode == 0 else ""
