"""`benchbook run`: making the runs of a study that are not there yet."""

from __future__ import annotations

import fnmatch
import os
import shutil
import subprocess
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path

from benchbook.engines.builds import engine_version, make_build, require_same_code
from benchbook.engines.install_trees import install
from benchbook.errors import UserError
from benchbook.machine.doctor import findings_record
from benchbook.measure.execute import Finished, Local, Workdir, available_cpus
from benchbook.measure.lock import measuring
from benchbook.measure.plan import Plan, Todo, make_plan, missing_trees, run_seconds
from benchbook.measure.progress import Progress
from benchbook.measure.spec import git_revision, spec
from benchbook.project import Project
from benchbook.study.arms import PROFILE
from benchbook.study.cell import Cell
from benchbook.study.check import check_cell, is_version
from benchbook.study.derived import companions
from benchbook.study.drivers import Driver
from benchbook.study.study import VOCABULARY, Study

SERVER_FILES = ("server.pid", "server.sockets")  # where a server was not ended
Say = Callable[[str], None]


@dataclass(frozen=True)
class Wish:
    """How a call of `run` differs from the whole study."""

    only: Mapping[str, str] = field(default_factory=dict)
    step: str = ""  # glob
    trials: int | None = None
    settings: Mapping[str, str] = field(default_factory=dict)
    budget_s: float | None = None
    wait: bool = False
    retry: bool = True
    part: str = ""  # of a study: its profiles or instruction counts alone


@dataclass(frozen=True)
class Outcome:
    """What a call of `run` did."""

    made: int
    failed: int
    left: int
    last_error: str = ""

    def and_then(self, other: Outcome) -> Outcome:
        return Outcome(
            self.made + other.made,
            self.failed + other.failed,
            self.left + other.left,
            other.last_error or self.last_error,
        )


def measure(study: Study, project: Project, wish: Wish, say: Say) -> Outcome:
    """Make every missing run of a study, one after the other, and say so.

    Errors: another process measures, a compiler is missing, data/ cannot be written.
    A failed run is kept, reported and does not stop the others.
    """
    wanted, overridden = apply_wish(study, wish)
    check_writable(project)
    plan, todo = _plan(wanted, project, wish)
    if _install_all(todo, project, say):  # what they are decides what is there
        plan, todo = _plan(wanted, project, wish)
    if overridden:  # never counted as the study's own: always made anew
        todo = [replace(t, attempt=1) for t in todo]
    _require_variables(todo)
    _build_all(plan, todo, project, say)
    if not todo:
        return _finish(plan, project, Outcome(0, len(plan.failed), 0))
    with measuring(study.slug, wish.wait, say):
        clean_leftovers(project)
        return _make_runs(plan, todo, project, wish, overridden, say)


def measure_all(study: Study, project: Project, wish: Wish, say: Say) -> Outcome:
    """``measure`` of a study, then of its profiles and instruction counts.

    A call that changes steps or settings is about the timed runs alone; one that names a
    part about that alone. Errors: the study has no such part.
    """
    if wish.part:
        return measure(_part(study, wish.part), project, wish, say)
    started = time.monotonic()
    total = measure(study, project, wish, say)
    for one in () if wish.step or wish.settings else companions(study):
        left = wish.budget_s
        if left is not None:
            left = max(0.0, left - (time.monotonic() - started))
        again = replace(wish, budget_s=left, trials=None)
        total = total.and_then(measure(one, project, again, say))
    return total


def _part(study: Study, arm: str) -> Study:
    for one in companions(study):
        if one.slug == f"{study.slug}.{arm}":
            return one
    why = "" if arm == PROFILE else ", or only servers, of which none are counted"
    raise UserError(
        f"{study.path} has no `{arm}:`{why}; posts/README.md explains the key"
    )


def _plan(study: Study, project: Project, wish: Wish) -> tuple[Plan, list[Todo]]:
    plan = make_plan(study, project, retry=wish.retry)
    return plan, [t for t in plan.todo if asked_for(t.prepared.cell, wish.only)]


def apply_wish(study: Study, wish: Wish) -> tuple[Study, bool]:
    """The study as this call wants it, and whether its runs count as the study's own."""
    _check_only(study, wish.only)
    changed = replace(study, trials=wish.trials or study.trials)
    overridden = changed.trials > study.trials
    if wish.step:
        cells = []
        for cell in study.cells:
            steps = [s for s in cell.steps if fnmatch.fnmatchcase(s.step, wish.step)]
            if steps:
                cells.append(replace(cell, steps=tuple(steps)))
        if not cells:
            names = dict.fromkeys(s.step for c in study.cells for s in c.steps)
            raise UserError(
                f"no step matches {wish.step!r}; there is: {', '.join(names)}"
            )
        changed, overridden = replace(changed, cells=tuple(cells)), True
    if wish.settings:
        changed = _with_settings(changed, wish.settings)
        overridden = True
    return changed, overridden


def _with_settings(study: Study, settings: Mapping[str, str]) -> Study:
    """`--set key=value` sets a dimension of every cell, or else a driver option."""
    cells = list(study.cells)
    options = dict(study.options)
    for key, value in settings.items():
        if key in ("seed", "order"):
            study = replace(study, **{key: int(value) if key == "seed" else value})  # type: ignore[arg-type]
        elif key in VOCABULARY:
            typed = int(value) if key == "dop" else value
            cells = [replace(c, **{key: typed}) for c in cells]  # type: ignore[arg-type]
        elif key in study.driver.dimensions:
            cells = [
                replace(c, dims=(*_without(c.dims, key), (key, value))) for c in cells
            ]
        else:
            options[key] = value
    for cell in cells:
        check_cell(cell, study.driver, study.path)
    return replace(study, cells=tuple(dict.fromkeys(cells)), options=options)


def _without(dims: tuple[tuple[str, str], ...], key: str) -> tuple[tuple[str, str], ...]:
    return tuple((k, v) for k, v in dims if k != key)


def _check_only(study: Study, only: Mapping[str, str]) -> None:
    for name, value in only.items():
        values = {c.dimensions().get(name, "") for c in study.cells} - {""}
        if value not in values:
            raise UserError(
                f"--only {name}={value}: no cell of {study.slug} has it"
                f"{'; there is: ' + ', '.join(sorted(values)) if values else ''}"
            )


def asked_for(cell: Cell, only: Mapping[str, str]) -> bool:
    """Does a cell have all the values that `--only` names?"""
    have = cell.dimensions()
    return all(have.get(k) == v for k, v in only.items())


def check_writable(project: Project) -> None:
    try:
        project.raw.mkdir(parents=True, exist_ok=True)
        probe = project.raw / f".writable-{os.getpid()}"
        probe.touch()
        probe.unlink()
    except OSError as error:
        raise UserError(
            f"cannot write in {project.raw}: {error.strerror}; "
            "make it writable, or free space, and run again"
        ) from None


def clean_leftovers(project: Project) -> None:
    """Remove what killed runs left; the lock is held, so nobody is writing them."""
    for partial in project.raw.glob("*/*/*/.partial-*"):
        shutil.rmtree(partial, ignore_errors=True)
    for target in (project.data / "scratch").glob("run-*"):
        left = {f.parent for name in SERVER_FILES for f in target.rglob(name)}
        for folder in left:
            words = [str(project.bench / "server.sh"), "reap", str(folder)]
            subprocess.run(words, stdin=subprocess.DEVNULL, check=False)
        shutil.rmtree(target, ignore_errors=True)


def _require_variables(todo: list[Todo]) -> None:
    """Servers that run elsewhere are named by variables; without one nothing is begun."""
    for cell in (t.prepared.cell for t in todo):
        if cell.ssh and not os.environ.get(cell.ssh[2:-1]):
            raise UserError(
                f"{cell.engine}: ssh names ${cell.ssh[1:]}, but there is no variable "
                f"{cell.ssh[2:-1]}: export it as ssh wants it (user@host) and run again"
            )
        if cell.connect and not os.environ.get(cell.variable):
            raise UserError(
                f"{cell.engine}: connect names ${cell.connect[1:]}, but there is no "
                f"variable {cell.variable}: export {cell.variable}='host=... user=... "
                "dbname=...' and run again"
            )


def _install_all(todo: list[Todo], project: Project, say: Say) -> bool:
    """Get the engines that runs need, one after the other; was there one to get?"""
    trees = missing_trees(todo)
    for tree in trees:
        install(tree, project, say)
    return bool(trees)


def _build_all(plan: Plan, todo: list[Todo], project: Project, say: Say) -> None:
    needed = {t.prepared.build.folder: t.prepared.build for t in todo}
    with ThreadPoolExecutor(max_workers=len(available_cpus())) as pool:
        for done in [pool.submit(make_build, b, project, say) for b in needed.values()]:
            done.result()
    if plan.study.same_code:
        known = {p.build.folder: p.build for p in plan.cells}.values()
        require_same_code(b for b in known if b.program.is_file())


def _make_runs(
    plan: Plan, todo: list[Todo], project: Project, wish: Wish, overridden: bool, say: Say
) -> Outcome:
    executor = Local(plan.machine)
    versions: dict[str, str] = {}
    started = time.monotonic()
    revision = git_revision(project)
    doctor = findings_record(project)
    made = failed = 0
    last_error = ""
    for number, run in enumerate(todo, start=1):
        left = todo[number - 1 :]
        if _over_budget(wish, started, run, plan.study.driver):
            say(f"budget used up: {len(left)} runs left; run again to continue")
            break
        cell = run.prepared.cell
        _report(plan, project, "measuring", made, failed, left, cell.label(), last_error)
        described = spec(
            with_version(run, versions, project).prepared, plan.study, plan.machine,
            trial=run.trial, attempt=run.attempt, position=run.position,
            cpus=available_cpus(), overridden=overridden, revision=revision,
            doctor=doctor,
        )  # fmt: skip
        finished = next(executor.map([(described, workdir_of(run, project))]))
        made += 1
        if finished.status != "ok":
            failed += 1
            last_error = f"{cell.label()}: {finished.reason}"
        say(_line(number, len(todo), run, finished))
    left = todo[made:]
    state = "finished" if not left else "stopped"
    _report(plan, project, state, made, failed, left, "", last_error)
    return Outcome(made, failed + len(plan.failed), len(left), last_error)


def with_version(run: Todo, versions: dict[str, str], project: Project) -> Todo:
    """Fill in the version an engine reports; it must be the one the study names."""
    build, cell = run.prepared.build, run.prepared.cell
    if build.driver.libraries:
        return run  # the version is what was compiled in
    tree = build.tree
    where = tree.path if tree else build.variable
    key = f"{build.folder}|{where}|{cell.engine}"
    if key not in versions:
        versions[key] = engine_version(build, cell.engine, project)
    found = versions[key]
    moving = tree is not None and tree.moving
    if cell.version and not is_version(cell.version, found, moving):
        place = where or "the library of this system"
        raise UserError(
            f"study.yml says {cell.engine} {cell.version}, but {place} is {found}: "
            "correct version, or where the engine is from"
        )
    return replace(run, prepared=replace(run.prepared, version=found))


def workdir_of(run: Todo, project: Project) -> Workdir:
    build = run.prepared.build
    sidecar = build.folder / "instructions.tsv"
    return Workdir(
        project=project,
        bin=build.folder,
        config=run.prepared.config.file,
        library=build.library,
        server=build.server.path if build.server else None,
        remote=bool(build.variable),
        copies=(sidecar,) if sidecar.exists() else (),
        probe=build.driver.writes,
    )


def _over_budget(wish: Wish, started: float, run: Todo, driver: Driver) -> bool:
    if wish.budget_s is None:
        return False
    used = time.monotonic() - started
    return used + run_seconds(run.prepared.cell, driver) > wish.budget_s


def _line(number: int, total: int, run: Todo, finished: Finished) -> str:
    text = f"[{number}/{total}] {run.prepared.cell.label()} trial {run.trial}"
    if finished.status == "ok":
        return text
    return f"{text}: FAILED: {finished.reason} ({Path(finished.folder).name})"


def _report(
    plan: Plan, project: Project, state: str, made: int, failed: int,
    left: list[Todo], running: str, last_error: str,
) -> None:  # fmt: skip
    seconds = sum(run_seconds(t.prepared.cell, plan.study.driver) for t in left)
    Progress(
        study=plan.study.slug, pid=os.getpid(), state=state,
        done=plan.done + made - failed, failed=failed + len(plan.failed),
        left=len(left), seconds_left=seconds, running=running, last_error=last_error,
    ).write(project)  # fmt: skip


def _finish(plan: Plan, project: Project, outcome: Outcome) -> Outcome:
    last = plan.failed[-1].reason if plan.failed else ""
    _report(plan, project, "finished", 0, 0, [], "", last)
    return replace(outcome, last_error=last)
