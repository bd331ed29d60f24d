"""Lines for bash that make a study's runs on a host without Python.

Nothing in them is of the host that planned: programs are built where the line is pasted,
and names such as __machine__ stand in a spec for what bench/run.sh fills in there.
"""

from __future__ import annotations

import json
import os
import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from benchbook.digests import canonical
from benchbook.engines.builds import Build, make_words
from benchbook.engines.install_trees import install_line, programs_of
from benchbook.machine.facts import Machine
from benchbook.measure.execute import LocalPaths, run_line, session_line
from benchbook.measure.plan import Plan, Todo
from benchbook.measure.spec import Prepared, declaration, default_tag, spec
from benchbook.project import Project
from benchbook.study.cell import Cell
from benchbook.study.program import goals_of
from benchbook.study.study import Study
from benchmath.errors import UserError

HERE = Project(Path())  # the checkout in which lines are pasted
_BIN_OF = re.compile(r'--bin ("\$\{[^}]*\}")')  # as ``run_command`` writes it
BIN, TREE, CONFIG, WORKLOAD = "__bin__", "__tree__", "__file__", "__workload__"


def build_line(build: Build, variable: str) -> str:
    """The call of bench/build.sh whose answer, a folder, is kept in a shell variable."""
    driver = build.driver
    options = [word for word in make_words(build) if not word.startswith(("CC=", "OPT="))]
    sources = " ".join(driver.sources)
    words = [driver.name, driver.program, build.compiler, build.flags, sources, *options]
    line = shlex.join(["bench/build.sh", *words, "--", *goals_of(build.driver)])
    return f"{variable}=$({line})"


def session_command(lines: Sequence[str], runs: Sequence[Todo], study: Study) -> str:
    """The call of the referee for lines of ``run_command`` whose runs take turns.

    The referee is that of the first line's programs, in the shell variable ``lines`` use.
    """
    paths = _local_paths(runs[0].prepared)
    words = session_line([], "", study.turn_ms, study.seed + runs[0].trial,
                         study.quiet.permille, round(study.quiet.patience_s),
                         paths)  # fmt: skip
    places = {BIN: _BIN_OF.search(lines[0])[1]}  # type: ignore[index]
    called = " ".join(_quoted(word, places) for word in words)
    return f"mkdir -p data/scratch && {called} {' --and '.join(lines)}"


def run_command(run: Todo, plan: Plan, project: Project, variable: str) -> str:
    """The call of bench/run.sh that makes one run wherever it is pasted."""
    if plan.study.commands:
        raise UserError(
            f"{plan.study.path}: commands of yours run in a folder of this machine, so "
            "there is no line for another: use `benchbook run`"
        )
    prepared = _anywhere(run.prepared)
    described = spec(
        prepared, plan.study, Machine("__machine__", "__machine_id__"), trial=run.trial,
        attempt=run.attempt, position=run.position, cpus=[0],
        session="__session__" if run.session else "", left_out=run.left_out,
    )  # fmt: skip
    described |= {"tag": _tag(run.prepared, plan.study), "host": "__host__"}
    described |= {"cpus": "", "server_cpus": ""}  # run.sh knows them
    placed = {"cpus": "__cpus__"}
    placed |= {"server_cpus": "__server_cpus__"} if prepared.build.server else {}
    text = json.dumps(described | placed, separators=(",", ":"))
    text = text.replace('"__host__"', "__host__")
    words = run_line(described, _local_paths(run.prepared), text)
    at = words.index(BIN) + 1
    words[at:at] = _here_words(run.prepared, plan.study)
    places = _places(run.prepared, plan.study, project, variable)
    return " ".join(_quoted(word, places) for word in words)


def _anywhere(prepared: Prepared, compiler: str = "__label__") -> Prepared:
    """A cell whose build and version are yet to be looked up; what calls its compiler."""
    build, cell = prepared.build, prepared.cell
    tree = build.tree
    if tree and tree.compiler_line:
        label = cell.build_notes or f"{compiler} {tree.flags}"
        tree = replace(tree, label=label, compiler_line="__compiler__")
    build = replace(
        build, compiler_line="__compiler__", label=f"{compiler} {build.flags}",
        digest="__build__", tree=tree,
    )  # fmt: skip
    config = prepared.config
    if config.file:
        config = replace(config, digest="__config__")
    version = prepared.version if build.driver.libraries else "__version__"
    return replace(prepared, build=build, config=config, version=version, id="__cell__")


def _tag(prepared: Prepared, study: Study) -> str:
    """The tag with names that stand for what a folder's name has room for."""
    made = _anywhere(prepared, "__slug__")
    version = made.version.replace("__version__", "__digits__")
    return default_tag(replace(made, version=version), study)


def _local_paths(prepared: Prepared) -> LocalPaths:
    build = prepared.build
    library = ""
    if build.library and build.tree:
        library = str(TREE / Path(build.library).relative_to(build.tree.path))
    return LocalPaths(
        project=HERE,
        bin=Path(BIN),
        config=Path(CONFIG) if prepared.config.file else None,
        workload=Path(WORKLOAD) if prepared.workload else None,
        library=library,
        server=Path(TREE) if build.server else None,
        remote=bool(build.variable),
        probe=not build.driver.only_calculates([s.step for s in prepared.cell.steps]),
    )


def _here_words(prepared: Prepared, study: Study) -> list[str]:
    """What run.sh must know to tell the cell's id on its host."""
    cell, build = prepared.cell, prepared.build
    whole = declaration(cell, study) | {
        "version": cell.version,
        "build_digest": "__build__",
        "config_digest": "__config__" if prepared.config.file else "",
    }
    words = ["--here", canonical(whole), "--engine", cell.engine]
    words += ["--placement", cell.placement] if cell.placement != "none" else []
    linked = _linked(cell, build)
    words += ["--linked", linked] if linked else []
    if build.server:
        words += ["--setup", " ".join(build.driver.server_sources)]
    if build.tree and build.tree.compiler:
        words += ["--engine-cc", build.tree.compiler]
    return words


def _linked(cell: Cell, build: Build) -> str:
    """What the engine is made of, in the words of bench/identity.sh."""
    if cell.connect:
        return f"connect {cell.variable}"
    if build.server:
        return " ".join(["tree", *programs_of(build.server, cell.engine)])
    if build.tree:
        return "libraries"
    name = dict(build.driver.system_libraries).get(cell.engine)
    return f"library {name}" if name else ""


def _places(
    prepared: Prepared, study: Study, project: Project, variable: str
) -> Mapping[str, str]:
    """In bash's words: folders that only the host knows."""
    places: dict[str, Any] = {BIN: f'"${{{variable}:?paste the lines above first}}"'}
    tree, file = prepared.build.tree, prepared.config.file
    if tree and tree.engine:
        places[TREE] = f'"$({install_line(tree)})"'
    elif tree:
        places[TREE] = _as_written(prepared.cell.basedir)
    if prepared.workload:
        places[WORKLOAD] = _from_root(prepared.workload, project)
    if file and re.match(r"[/~$]", prepared.cell.config):
        places[CONFIG] = _as_written(prepared.cell.config)
    elif file:
        places[CONFIG] = _from_root(file, project)
    return places


def _from_root(file: Path, project: Project) -> str:
    if not file.is_relative_to(project.root):  # a script that came with its tool
        return shlex.quote(str(file))
    return shlex.quote(os.path.relpath(file, project.root))


def _as_written(path: str) -> str:
    """A path of study.yml as bash understands it, its variables and ~ included."""
    home = re.sub(r"^~(?=/|$)", "$HOME", path)
    return '"' + re.sub(r'([`"\\])', r"\\\1", home) + '"'


def _quoted(word: str, places: Mapping[str, str]) -> str:
    for name, place in places.items():
        if word == name or word.startswith(f"{name}/"):
            return place + shlex.quote(word[len(name) :]) * (word != name)
    return shlex.quote(word)
