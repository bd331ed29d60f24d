"""From "it got slower" to the commit: the sessions of a bisection, and what they say."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from benchbook.commands.commands import REVISION
from benchbook.commands.revisions import Revision, find_revision, make_checkout
from benchbook.machine.facts import local_machine
from benchbook.measure.plan import prepare_cell
from benchbook.measure.run import RunOptions, measure
from benchbook.project import Project
from benchbook.store.load import load
from benchbook.store.query import query
from benchbook.study.cell import Cell
from benchbook.study.study import Study
from benchmath.changes.bisect import (
    LEAST_SESSIONS,
    SURE,
    Fall,
    Session,
    belief,
    candidates,
    fall_of,
    next_question,
)
from benchmath.errors import UserError

BISECTED = "bisected"  # the dimension that keeps the sessions of a question together
ENDS = "ends"
MOST_OF_ENDS = 20  # sessions of the ends alone
MOST_SESSIONS = 400
Say = Callable[[str], None]


@dataclass(frozen=True)
class Bisection:
    """What is asked: which of ``commits`` is the first one as bad as the last."""

    study: Study  # with the one cell that is measured
    project: Project
    commits: tuple[Revision, ...]  # oldest first
    step: str

    def cells(self, at: int) -> tuple[Cell, ...]:
        """The ends, and the commit between them; 0: the ends alone."""
        places = (0, at, len(self.commits) - 1) if at else (0, len(self.commits) - 1)
        asked = self.commits[at].name if at else ENDS
        return tuple(self._cell(self.commits[i], asked) for i in places)

    def _cell(self, revision: Revision, asked: str) -> Cell:
        [cell] = self.study.cells
        dims = dict(cell.dims) | {REVISION: revision.name, BISECTED: asked}
        return replace(cell, dims=tuple(dims.items()), tree=revision.tree)

    def asking(self, at: int, sessions: int) -> Study:
        """The study of so many sessions about a commit."""
        return replace(
            self.study,
            slug=self.slug,
            base={REVISION: self.commits[0].name},
            cells=self.cells(at),
            trials=sessions,
        )

    @property
    def slug(self) -> str:
        return f"{self.study.slug}.bisect"


@dataclass(frozen=True)
class Found:
    """What a bisection came to: the commits of which one is the first bad one."""

    fall: Fall
    commits: tuple[Revision, ...]  # none: the ends show no difference
    probability: float
    sessions: int
    builds: int
    seconds: float


def bisection_of(
    study: Study, good: str, bad: str, step: str, project: Project
) -> Bisection:
    """The commits between two revisions, and what of the study is measured of each.

    Errors: a study without commands, with several cells or steps to choose from; ends of
    which one is not an ancestor of the other.
    """
    if study.commands is None:
        raise UserError(
            f"{study.path}: only `driver: command` has revisions that can be bisected"
        )
    folder = study.commands.folder
    cells = {replace(c, dims=_without(c), tree="") for c in study.cells}
    if len(cells) > 1:
        raise UserError(
            f"{study.path}: {len(cells)} cells are measured of each revision: choose one "
            "with --only, such as --only size=10"
        )
    [cell] = cells
    names = [one.step for one in cell.steps]
    if step and step not in names:
        raise UserError(f"no step {step!r}; available: {', '.join(names)}")
    if not step and len(names) > 1:
        raise UserError(f"say which --step got slower: {', '.join(names)}")
    steps = tuple(one for one in cell.steps if one.step == (step or names[0]))
    study = replace(
        study, cells=(replace(cell, steps=steps),), until="", budget_s=None, also=(),
        reuse=False,
    )  # fmt: skip
    where = "bisect"
    ends = [find_revision(name, folder, where) for name in (good, bad)]
    commits = _between(*ends)
    return Bisection(study, project, commits, steps[0].step)


def _without(cell: Cell) -> tuple[tuple[str, str], ...]:
    return tuple(pair for pair in cell.dims if pair[0] != REVISION)


def _between(good: Revision, bad: Revision) -> tuple[Revision, ...]:
    """Both and all commits between them, along first parents, by short names."""
    words = ["git", "-C", str(good.repository), "log", "--first-parent", "--reverse"]
    words += ["--format=%H %T", f"{good.commit}..{bad.commit}"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    lines = [line.split() for line in done.stdout.splitlines()]
    is_ancestor = ["git", "-C", str(good.repository), "merge-base", "--is-ancestor"]
    on_the_way = subprocess.run([*is_ancestor, good.commit, bad.commit], check=False)
    if done.returncode or not lines or on_the_way.returncode:
        raise UserError(
            f"{good.name} is no ancestor of {bad.name}, so no commit lies between them: "
            "name the older one with --good"
        )
    pairs = [(good.commit, good.tree), *((commit, tree) for commit, tree in lines)]
    return tuple(
        Revision(commit[:12], commit, tree, good.repository) for commit, tree in pairs
    )


def bisect(asked: Bisection, options: RunOptions, say: Say) -> Found:
    """Measure until a commit is named, or the ends turn out alike; resumes by itself."""
    began = time.monotonic()
    walk = _Walk(asked, options, say)
    fall = walk.ends()
    if not fall.is_shown:
        return walk.found(fall, (), 0.0, began)
    say(f"{_percent(fall)} from {asked.commits[0].name} to {asked.commits[-1].name}")
    last = len(asked.commits) - 1
    while True:
        sessions = walk.sessions()
        probabilities = belief(last, sessions)
        if sessions[-1].at:
            say(_standing(asked.commits, sessions[-1].at, probabilities))
        named, sure = candidates(probabilities, walk.broken)
        if sure >= SURE or len(sessions) >= MOST_SESSIONS:
            commits = tuple(asked.commits[i] for i in named)
            return walk.found(fall_of(sessions), commits, sure, began)
        newest = sessions[-1].at
        at = next_question(probabilities, walk.broken, newest)
        if not at:  # nothing between the ends can be measured
            commits = tuple(asked.commits[i] for i in named)
            return walk.found(fall_of(sessions), commits, sure, began)
        if at != newest and not walk.can_be_built(at):
            continue
        walk.ask(at)


class _Walk:
    """The sessions on record, and how more are made."""

    def __init__(self, asked: Bisection, options: RunOptions, say: Say) -> None:
        self.asked, self.options, self.say = asked, options, say
        self.broken: set[int] = set()
        self.machine = local_machine(asked.project).machine_id
        self.place = {c.name: i for i, c in enumerate(asked.commits)}

    def ends(self) -> Fall:
        """The ends alone, until they differ or MOST_OF_ENDS sessions did not show it."""
        while True:
            sessions = self.sessions()
            fall = fall_of(sessions) if sessions else Fall(1.0, 0.0, np.inf, 1.0, 0)
            if fall.is_shown or len(sessions) >= MOST_OF_ENDS:
                return fall
            self.ask(0, max(LEAST_SESSIONS, len(sessions) + 1))

    def sessions(self) -> list[Session]:
        """Those on record of these ends and this step, in order of time."""
        if not self.asked.project.store.exists():
            return []
        rows = query(
            "bisected", project=self.asked.project, study=self.asked.slug,
            machine=self.machine, step=self.asked.step,
        )  # fmt: skip
        found = []
        for _, session in rows.groupby("session", sort=False):
            logs = dict(zip(session["revision"], np.log(session["value"]), strict=True))
            one = self._session(session["bisected"].iloc[0], logs)
            found += [one] if one else []
        return found

    def _session(self, about: str, logs: Mapping[str, float]) -> Session | None:
        first, last = self.asked.commits[0].name, self.asked.commits[-1].name
        at = self.place.get(about, -1) if about != ENDS else 0
        if not {first, last} <= logs.keys() or at < 0 or (at and about not in logs):
            return None
        middle = logs[about] - (logs[first] + logs[last]) / 2 if at else 0.0
        return Session(at, float(middle), float(logs[last] - logs[first]))

    def ask(self, at: int, sessions: int = 0) -> None:
        """Make sessions about a commit until there are so many: else, one more."""
        made = sum(one.at == at for one in self.sessions())
        study = self.asked.asking(at, sessions or made + 1)
        outcome = measure(study, self.asked.project, self.options, self._say)
        load(self.asked.project)
        if outcome.failed and at:
            self.broken.add(at)
        elif outcome.failed or sum(one.at == at for one in self.sessions()) == made:
            why = outcome.last_error or "no run of them was loaded"
            raise UserError(f"{self.asked.study.path}: cannot be bisected: {why}", 1)

    def _say(self, text: str) -> None:
        """A session is one line, said when it is over: what its runs say is left out."""
        if not text.startswith("[") or "FAILED" in text:
            self.say(text)

    def can_be_built(self, at: int) -> bool:
        """Build a commit; one that does not build is stepped over, and said."""
        study = self.asked.asking(at, 1)
        cell = next(c for c in study.cells if self._is(c, at))
        checkout = prepare_cell(cell, study, self.asked.project).build.checkout
        try:
            if checkout:
                make_checkout(checkout, self.say)
        except UserError as error:
            self.say(f"stepped over: {error}")
            self.broken.add(at)
            return False
        return True

    def _is(self, cell: Cell, at: int) -> bool:
        return dict(cell.dims)[REVISION] == self.asked.commits[at].name

    def found(
        self, fall: Fall, commits: Sequence[Revision], sure: float, began: float
    ) -> Found:
        sessions = self.sessions()
        asked = {one.at for one in sessions if one.at}
        return Found(
            fall=fall,
            commits=tuple(commits),
            probability=sure,
            sessions=len(sessions),
            builds=2 + len(asked),
            seconds=time.monotonic() - began,
        )


def _standing(commits: Sequence[Revision], at: int, probabilities: np.ndarray) -> str:
    bad = float(probabilities[: at + 1].sum())
    return f"{commits[at].name} {_subject(commits[at])}: bad with probability {bad:.3f}"


def _percent(fall: Fall) -> str:
    """`4.2% [3.1, 5.3] slower`, what the rate lost."""
    lost = [100 * (1 - ratio) for ratio in (fall.ratio, fall.high, fall.low)]
    return f"{lost[0]:.1f}% [{lost[1]:.1f}, {lost[2]:.1f}] slower"


def told(found: Found, asked: Bisection, seconds: str) -> str:
    """The last words of `benchbook bisect`."""
    good, bad = asked.commits[0].name, asked.commits[-1].name
    cost = f"{found.builds} builds, {found.sessions} sessions, {seconds}"
    if not found.commits:
        low, high = (100 * (ratio - 1) for ratio in (found.fall.low, found.fall.high))
        return (
            f"nothing to bisect: {bad} is at {100 * (found.fall.ratio - 1):+.1f}% "
            f"[{low:+.1f}, {high:+.1f}] of {good} after {found.sessions} sessions; {cost}"
        )
    names = "\n".join(f"  {one.name} {_subject(one)}" for one in found.commits)
    one = "first bad" if len(found.commits) == 1 else (
        f"first bad is one of {len(found.commits)} that cannot be told apart"
    )  # fmt: skip
    return (
        f"{one}, with probability {found.probability:.0%}:\n{names}\n"
        f"{_percent(found.fall)} in {asked.step}, {cost}"
    )


def _subject(revision: Revision) -> str:
    words = ["git", "-C", str(Path(revision.repository)), "log", "-1", "--format=%s"]
    done = subprocess.run(
        [*words, revision.commit], capture_output=True, text=True, check=False
    )
    return done.stdout.strip()[:72]
