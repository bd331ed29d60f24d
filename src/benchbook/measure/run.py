"""`benchbook run`: making the runs of a study that are not there yet."""

from __future__ import annotations

import fnmatch
import operator
import os
import re
import shutil
import subprocess
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from itertools import compress

from benchbook.commands.revisions import make_checkout
from benchbook.engines.builds import engine_version, make_build, require_same_code
from benchbook.engines.install_trees import install
from benchbook.files import full_sentence, says_full
from benchbook.machine.doctor import findings_record
from benchbook.machine.pace import changed_pace
from benchbook.measure.decided import Judge, Standing, keep_standing
from benchbook.measure.execute import Finished, Local, available_cpus
from benchbook.measure.guess import run_seconds
from benchbook.measure.lock import measuring
from benchbook.measure.plan import (
    Plan,
    Todo,
    make_plan,
    missing_checkouts,
    missing_trees,
    with_open_steps,
)
from benchbook.measure.progress import Progress, duration, keep_error
from benchbook.measure.quiet import await_quiet, loudest_step
from benchbook.measure.spec import git_revision, spec
from benchbook.project import Project
from benchbook.runs.inventory import OnDisk
from benchbook.study.arms import INSTRUCTIONS
from benchbook.study.cell import Cell
from benchbook.study.check import check_cell, check_options, is_version
from benchbook.study.derived import companions
from benchbook.study.order import ORDERS
from benchbook.study.premises import Quiet
from benchbook.study.study import VOCABULARY, Study, check_turns
from benchbook.study.until import FEWEST_LOADS
from benchbook.vectors import make_vectors
from benchmath.errors import UserError
from benchmath.prose import counted, listed

SERVER_FILES = ("server.pid", "server.sockets")  # where a server was not ended
Say = Callable[[str], None]


@dataclass(frozen=True)
class RunOptions:
    """How a call of `run` differs from the whole study."""

    only: Mapping[str, str] = field(default_factory=dict)
    step: str = ""  # glob
    trials: int | None = None
    settings: Mapping[str, str] = field(default_factory=dict)
    budget_s: float | None = None
    wait: bool = False
    retry: bool = True
    part: str = ""  # of a study: its profiles or instruction counts alone
    quiet: Quiet | None = None  # in place of the study's
    judge: Judge | None = None  # of `until: decided`; without one all trials are made


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


@dataclass(frozen=True)
class Campaign:
    """A study on its way through `benchbook run`: planned, made so far, left to make."""

    study: Study  # as study.yml has it; that of the plan is as the options want it
    project: Project
    options: RunOptions
    plan: Plan
    left: tuple[Todo, ...]
    overridden: bool = False  # its runs are never the study's own
    made: int = 0
    failed: int = 0
    skipped: tuple[Todo, ...] = ()  # a server of their cell did not start
    last_error: str = ""
    used_s: float = 0.0  # by all sessions of the study, where it has a budget
    took_s: float = 0.0  # all that this call made, and what was guessed of it before
    guessed_s: float = 0.0
    unjudged: bool = False  # are there runs that the last judgement did not know?
    trial: int = 0  # of the last runs made
    tried: frozenset[str] = frozenset()  # declared ids of the runs made
    worked: frozenset[str] = frozenset()  # and of those that did not fail

    @property
    def next(self) -> tuple[Todo, ...]:
        """The next run, with those that it takes turns with."""
        first = self.left[0]
        if not first.session:
            return (first,)
        return tuple(t for t in self.left if t.session == first.session)

    def after(self, finished: Sequence[Finished]) -> Campaign:
        """The same with the next runs made.

        Where a server did not start, the other runs of its cell, and those that take
        turns with them, would wait for it in vain: the next call tries them.
        """
        runs, others = self.next, self.left[len(finished) :]
        pairs = list(zip(runs, finished, strict=True))
        dead = {run.prepared.id for run, one in pairs if one.server_failed}
        without = {t.session for t in others if t.prepared.id in dead} - {""}
        hopeless = [t.prepared.id in dead or t.session in without for t in others]
        errors = [
            f"{run.prepared.cell.label()}: {one.reason}"
            for run, one in pairs
            if one.status != "ok"
        ]
        return replace(
            self,
            made=self.made + len(pairs),
            failed=self.failed + len(errors),
            left=tuple(compress(others, map(operator.not_, hopeless))),
            skipped=(*self.skipped, *compress(others, hopeless)),
            last_error=[self.last_error, *errors][-1],
            unjudged=True,
            trial=_trial(runs),
            tried=self.tried.union(run.prepared.declared for run in runs),
            worked=self.worked.union(
                run.prepared.declared for run, one in pairs if one.status == "ok"
            ),
        )

    def without_decided(self, standing: Standing) -> Campaign:
        """The same without the sessions, and their steps, that nobody wants any more.

        Those wanted by cells alone that failed in each trial are left to another call:
        the budget is for what can be decided.
        """
        sessions: dict[str, list[Todo]] = {}
        for run in self.left:
            sessions.setdefault(run.partners, []).append(run)
        cells = {
            name: {run.prepared.declared for run in runs}
            for name, runs in sessions.items()
        }
        ended = {name for name, of in cells.items() if standing.ends(of)}
        failing = self.tried - self.worked
        over = standing.closed | failing
        vain = {name for name, of in cells.items() if of <= over} - ended
        still = [
            run
            for name, runs in sessions.items()
            if name not in ended | vain
            for run in with_open_steps(runs, standing, self.study, failing)
        ]
        return replace(
            self,
            left=tuple(still),
            skipped=(*self.skipped, *(r for r in self.left if r.partners in vain)),
            used_s=standing.used_s,
            unjudged=False,
        )

    @property
    def judge(self) -> Judge | None:
        """Who says what is decided; nobody where all trials are to be made."""
        asked = self.study.until and not self.overridden
        return self.options.judge if asked else None

    def progress(self, running: str = "") -> Progress:
        """Where it stands, for `benchbook status`; ``running`` is the cell at work."""
        left = (*self.left, *self.skipped)
        driver = self.plan.study.driver
        guess = sum(run_seconds(run.cell, driver) for run in left)
        # What was made tells by how much the guess of a run is wrong.
        known = self.took_s / self.guessed_s if self.guessed_s else 1.0
        return Progress(
            study=self.plan.study.slug,
            pid=os.getpid(),
            state="measuring" if running else "stopped" if left else "finished",
            done=self.plan.done + self.made - self.failed,
            failed=self.outcome.failed,
            left=len(left),
            seconds_left=self._within_budget(known * guess),
            running=running,
            last_error=self.last_error,
        )

    def _within_budget(self, seconds: float) -> float:
        budget = self.plan.study.budget_s
        return seconds if budget is None else min(seconds, max(0, budget - self.used_s))

    @property
    def outcome(self) -> Outcome:
        failed = self.failed + len(self.plan.failed)
        left = len(self.left) + len(self.skipped)
        return Outcome(self.made, failed, left, self.last_error)


def measure(study: Study, project: Project, options: RunOptions, say: Say) -> Outcome:
    """Make every missing run of a study, one after the other, and say so."""
    return carry_out(begin(study, project, options), say)


def begin(study: Study, project: Project, options: RunOptions) -> Campaign:
    """What a call has to do; nothing is made yet. Errors: as those of ``make_plan``."""
    altered, overridden = with_options(study, options)
    plan = make_plan(altered, project, retry=options.retry)
    left = [t for t in plan.todo if asked_for(t.prepared.cell, options.only)]
    if overridden:  # never counted as the study's own: always made anew
        left = [replace(t, attempt=1) for t in left]
    return Campaign(
        study=study,
        project=project,
        options=options,
        plan=plan,
        left=tuple(left),
        overridden=overridden,
        used_s=plan.standing.used_s if plan.standing else 0.0,
        unjudged=plan.standing is None and plan.done > 0,
        last_error=plan.failed[-1].reason if plan.failed and not left else "",
    )


def carry_out(campaign: Campaign, say: Say) -> Outcome:
    """Make all that is left of a campaign.

    Errors: another process measures, a compiler is missing, data/ cannot be written.
    A failed run is kept, reported and does not stop the others.
    """
    check_writable(campaign.project)
    campaign = _installed(campaign, say)
    _require_variables(campaign.left)
    _build_all(campaign, say)
    if campaign.left or (campaign.judge and campaign.unjudged):
        with measuring(campaign.plan.study.slug, campaign.options.wait, say):
            clean_leftovers(campaign.project)
            try:
                campaign = _make_runs(campaign, say)
            except (UserError, OSError) as error:
                keep_error(campaign.progress(), str(error), campaign.project)
                raise
    elif campaign.judge and campaign.plan.standing:
        say(f"{campaign.study.slug}: {campaign.plan.standing.text}")
    campaign.progress().write(campaign.project)
    return campaign.outcome


def measure_all(study: Study, project: Project, options: RunOptions, say: Say) -> Outcome:
    """``measure`` of a study, then of its profiles and instruction counts.

    A call that changes steps or settings is about the timed runs alone; one that names a
    part about that alone. Errors: the study has no such part.
    """
    if options.part:
        return measure(_part(study, options.part), project, options, say)
    started = time.monotonic()
    total = measure(study, project, options, say)
    for one in () if options.step or options.settings else companions(study):
        left = options.budget_s
        if left is not None:
            left = max(0.0, left - (time.monotonic() - started))
        again = replace(options, budget_s=left, trials=None)
        total = total.and_then(measure(one, project, again, say))
    return total


def _part(study: Study, arm: str) -> Study:
    for one in companions(study):
        if one.slug == f"{study.slug}.{arm}":
            return one
    if arm == INSTRUCTIONS and study.counted:
        raise UserError(
            f"{study.path}: instructions are counted of embedded engines alone, and all "
            "of these are servers"
        )
    raise UserError(
        f"{study.path} has no `{arm}:`, such as `{arm}: {{steps: [...]}}`; "
        "posts/README.md explains the key"
    )


def with_options(study: Study, options: RunOptions) -> tuple[Study, bool]:
    """The study as this call wants it, and whether its runs are not the study's own."""
    _check_only(study, options.only)
    changed = replace(
        study,
        trials=options.trials or study.trials,
        quiet=options.quiet or study.quiet,
    )
    overridden = changed.trials > study.trials
    if options.step:
        changed, overridden = _with_steps(changed, options.step), True
    if options.settings:
        changed, overridden = _with_settings(changed, options.settings), True
    if overridden and study.until:  # what is tried out is not judged
        trials = options.trials or FEWEST_LOADS
        changed = replace(changed, trials=trials, until="", budget_s=None)
    return changed, overridden


def _with_steps(study: Study, pattern: str) -> Study:
    """`--step GLOB`: the cells that have such steps, with those alone."""
    cells = []
    for cell in study.cells:
        steps = [s for s in cell.steps if fnmatch.fnmatchcase(s.step, pattern)]
        if steps:
            cells.append(replace(cell, steps=tuple(steps)))
    if not cells:
        names = dict.fromkeys(s.step for c in study.cells for s in c.steps)
        raise UserError(f"no step matches {pattern!r}; available: {', '.join(names)}")
    return replace(study, cells=tuple(cells))


def _with_settings(study: Study, settings: Mapping[str, str]) -> Study:
    """`--set key=value` sets a dimension of every cell, or else a driver option."""
    cells = list(study.cells)
    options = dict(study.options)
    for key, value in settings.items():
        if key == "seed":
            study = replace(study, seed=_whole(key, value))
        elif key == "order":
            if value not in ORDERS:
                raise UserError(f"--set order={value}; available: {', '.join(ORDERS)}")
            study = replace(study, order=value)
            check_turns(study)
        elif key in VOCABULARY:
            typed = _whole(key, value) if key == "dop" else value
            cells = [replace(c, **{key: typed}) for c in cells]  # type: ignore[arg-type]
        elif key in study.dimensions and key not in options:
            cells = [
                replace(c, dims=(*_without(c.dims, key), (key, value))) for c in cells
            ]
        else:
            options[key] = value
    for cell in cells:
        check_cell(cell, study.driver, study.path)
    others = (*VOCABULARY, "seed", "order")
    check_options(options, cells, study.driver, study.ran, "--set", others)
    return replace(study, cells=tuple(dict.fromkeys(cells)), options=options)


def _whole(key: str, value: str) -> int:
    if not re.fullmatch(r"[0-9]{1,18}", value):
        raise UserError(f"--set {key}={value}: write a whole number, such as {key}=1")
    return int(value)


def _without(dims: tuple[tuple[str, str], ...], key: str) -> tuple[tuple[str, str], ...]:
    return tuple((k, v) for k, v in dims if k != key)


def _check_only(study: Study, only: Mapping[str, str]) -> None:
    for name, value in only.items():
        values = {c.dimensions().get(name, "") for c in study.cells} - {""}
        if value not in values:
            raise UserError(
                f"--only {name}={value}: no cell of {study.slug} has it"
                f"{'; available: ' + ', '.join(sorted(values)) if values else ''}"
            )


def asked_for(cell: Cell, only: Mapping[str, str]) -> bool:
    """Does a cell have all the values that `--only` names?"""
    have = cell.dimensions()
    return all(have.get(k) == v for k, v in only.items())


def check_writable(project: Project) -> None:
    try:
        project.raw.mkdir(parents=True, exist_ok=True)
        probe = project.raw / f".writable-{os.getpid()}"
        try:
            probe.write_bytes(bytes(4096))
        finally:
            probe.unlink(missing_ok=True)
    except OSError as error:
        if says_full(str(error)):
            raise UserError(full_sentence(project.data), exit_code=1) from None
        raise UserError(
            f"cannot write in {project.raw}: {error.strerror}; "
            "make it writable, or free space, and run again"
        ) from None


def clean_leftovers(project: Project) -> None:
    """Remove what killed runs left; the lock is held, so nobody is writing them."""
    for partial in project.raw.glob("*/*/*/.partial-*"):
        shutil.rmtree(partial, ignore_errors=True)
    for session in (project.data / "scratch").glob("session-*"):
        shutil.rmtree(session, ignore_errors=True)
    for target in (project.data / "scratch").glob("run-*"):
        left = {f.parent for name in SERVER_FILES for f in target.rglob(name)}
        for folder in left:
            words = [str(project.bench / "server.sh"), "reap", str(folder)]
            subprocess.run(words, stdin=subprocess.DEVNULL, check=False)
        shutil.rmtree(target, ignore_errors=True)


def _installed(campaign: Campaign, say: Say) -> Campaign:
    """With the engines that its runs need, got one after the other."""
    trees = missing_trees(campaign.left, campaign.plan.cells)
    for tree in trees:
        install(tree, campaign.project, say)
    if not trees:
        return campaign
    # What they are decides which runs are there.
    return begin(campaign.study, campaign.project, campaign.options)


def _require_variables(todo: Iterable[Todo]) -> None:
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


def _build_all(campaign: Campaign, say: Say) -> None:
    for checkout in missing_checkouts(t.prepared for t in campaign.left):
        make_checkout(checkout, say)
    if campaign.left and campaign.study.vectors:
        make_vectors(campaign.study.vectors, campaign.project, say)
    needed = {t.prepared.build.folder: t.prepared.build for t in campaign.left}
    with ThreadPoolExecutor(max_workers=len(available_cpus())) as pool:
        making = [
            pool.submit(make_build, b, campaign.project, say) for b in needed.values()
        ]
        for done in making:
            done.result()
    if campaign.plan.study.same_code:
        every = {p.build.folder: p.build for p in campaign.plan.cells}.values()
        require_same_code(b for b in every if b.program.is_file())


def _make_runs(campaign: Campaign, say: Say) -> Campaign:
    """The campaign when no run is left, or the budget used up."""
    plan, project = campaign.plan, campaign.project
    executor = Local(plan.machine, project, plan.cells)
    versions: dict[str, str] = {}
    started = time.monotonic()
    revision = git_revision(project)
    doctor = findings_record(project)
    if campaign.left:
        _say_pace(campaign, say)
    total = len(campaign.left)
    took_s: dict[object, float] = {}  # the last session of the same cells and steps
    while campaign.left:
        if campaign.judge and _is_time_to_judge(campaign):
            planned = len(campaign.left)
            campaign = _judged(campaign, campaign.judge, say)
            total -= planned - len(campaign.left)
            continue
        runs = campaign.next
        alike = frozenset((run.prepared.id, run.left_out) for run in runs)
        if campaign.judge and _is_spent(campaign, took_s.get(alike, 0.0)):
            return _judged(campaign, campaign.judge, say, ended=True)
        if _over_budget(campaign, started):
            say(f"budget used up: {len(campaign.left)} runs left; run again to continue")
            break
        _await_quiet(campaign, say)
        campaign.progress(_at_work(runs)).write(project)
        session = f"{time.time_ns()}-{os.getpid()}" if len(runs) > 1 else ""
        specs = [
            spec(
                with_version(run, versions, project).prepared, plan.study, plan.machine,
                trial=run.trial, attempt=run.attempt, position=run.position,
                cpus=available_cpus(), session=session, left_out=run.left_out,
                overridden=campaign.overridden, revision=revision, doctor=doctor,
            )
            for run in runs
        ]  # fmt: skip
        began = time.monotonic()
        finished = list(executor.map(specs))
        took_s[alike] = time.monotonic() - began
        for number, (run, one) in enumerate(zip(runs, finished, strict=True), start=1):
            made = total - len(campaign.left) + number
            say(f"[{made}/{total}] {_line(run, one)}")
        if loud := loudest_step((one.folder for one in finished), plan.study.quiet):
            say(loud)
        before, campaign = campaign, campaign.after(finished)
        guess = sum(run_seconds(run.cell, plan.study.driver) for run in runs)
        campaign = replace(
            campaign, used_s=campaign.used_s + took_s[alike],
            took_s=campaign.took_s + took_s[alike],
            guessed_s=campaign.guessed_s + guess,
        )  # fmt: skip
        if skipped := len(campaign.skipped) - len(before.skipped):
            dead = [r for r, one in zip(runs, finished, strict=True) if one.server_failed]
            say(
                f"{listed([r.prepared.cell.label() for r in dead])}: its server did not "
                f"start, so {counted(skipped, 'further run')} "
                f"{'with' if session else 'of'} it {'is' if skipped == 1 else 'are'} "
                "skipped; the next call tries again"
            )
        if any(_filled_the_disk(*pair) for pair in zip(runs, finished, strict=True)):
            error = full_sentence(project.data)
            say(f"{error}; {counted(len(campaign.left), 'run')} left")
            campaign = replace(campaign, last_error=error)
            break
    if campaign.judge and campaign.unjudged:
        campaign = _judged(campaign, campaign.judge, say, ended=not campaign.left)
    return campaign


def _say_pace(campaign: Campaign, say: Say) -> None:
    """Where the machine is not as fast as it was: before hours are spent on it."""
    plan = campaign.plan
    machine_id, slug = plan.machine.machine_id, plan.study.slug
    if changed := changed_pace(campaign.project, machine_id, slug):
        say(changed)


def _await_quiet(campaign: Campaign, say: Say) -> None:
    """Before a run: servers that run elsewhere are not looked at."""
    told: list[str] = []

    def waiting(text: str) -> None:
        if not told:
            say(text)
        told.append(text)
        campaign.progress(text).write(campaign.project)

    tool = campaign.next[0].prepared.build.folder / "quiet"
    seconds = await_quiet(campaign.plan.study.quiet, tool, waiting)
    if told:
        say(f"quiet after {duration(seconds)}")


def _filled_the_disk(run: Todo, finished: Finished) -> bool:
    """Did it fail because there was no room for its database here?"""
    return (
        finished.status != "ok"
        and not run.prepared.cell.connect
        and says_full(finished.reason)
    )


def _is_time_to_judge(campaign: Campaign) -> bool:
    """When all sessions of a trial have ended: each look then knows as many loads."""
    trial = _trial(campaign.next)
    enough = campaign.made == 0 or trial > FEWEST_LOADS
    return campaign.unjudged and trial != campaign.trial and enough


def _trial(session: Sequence[Todo]) -> int:
    """Of the session; the base of a further part of a group counts on from the first."""
    return min(run.trial for run in session)


def _is_spent(campaign: Campaign, seconds: float) -> bool:
    """Is there no time in the study's budget for a session that takes so long?"""
    budget_s = campaign.study.budget_s
    return budget_s is not None and campaign.used_s + max(seconds, 1e-9) > budget_s


def _judged(campaign: Campaign, judge: Judge, say: Say, ended: bool = False) -> Campaign:
    """With what is decided left out, and on record; ``ended``: nothing more is made."""
    study, machine, project = campaign.study, campaign.plan.machine, campaign.project
    standing = judge(study, project, machine)
    spent = standing.spent or (ended and bool(campaign.left))
    standing = replace(standing, spent=spent)
    after = campaign.without_decided(standing)
    runs = OnDisk(project).that_serve(study)
    keep_standing(standing, study, machine, campaign.plan.cells, runs, project)
    if after.left != campaign.left or not after.left:
        say(f"{study.slug}: {standing.text}")
    if skipped := len(after.skipped) - len(campaign.skipped):
        say(
            f"{counted(skipped, 'further run')} skipped, because what they would decide "
            "failed in each trial; the next call tries again"
        )
    return after


def _at_work(runs: Sequence[Todo]) -> str:
    first, *others = [run.prepared.cell.label() for run in runs]
    text = f"{first}, in turns with {counted(len(others), 'other')}" if others else first
    left_out = len(runs[0].left_out)
    return f"{text}, {counted(left_out, 'step')} left out" if left_out else text


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
    reported = versions[key]
    moving = tree is not None and tree.moving
    if cell.version and not is_version(cell.version, reported, moving):
        place = where or "the library of this system"
        raise UserError(
            f"study.yml says {cell.engine} {cell.version}, but {place} is {reported}: "
            "correct version, or where the engine is from"
        )
    return replace(run, prepared=replace(run.prepared, version=reported))


def _over_budget(campaign: Campaign, started: float) -> bool:
    if campaign.options.budget_s is None:
        return False
    used = time.monotonic() - started
    driver = campaign.plan.study.driver
    seconds = sum(run_seconds(run.cell, driver) for run in campaign.next)
    return used + seconds > campaign.options.budget_s


def _line(run: Todo, finished: Finished) -> str:
    text = f"{run.prepared.cell.label()} trial {run.trial}"
    if finished.status == "ok":
        return text
    return f"{text}: FAILED: {finished.reason} ({finished.folder.name})"
