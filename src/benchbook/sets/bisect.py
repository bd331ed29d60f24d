"""From "it got slower" to the commit: the sessions of a bisection, and what they say."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from benchbook.commands.commands import REVISION
from benchbook.commands.revisions import (
    Revision,
    commits_between,
    find_revision,
    make_checkout,
    subject_of,
)
from benchbook.machine.facts import local_machine
from benchbook.measure.plan import prepare_cell
from benchbook.measure.run import RunOptions, measure
from benchbook.measure.spec import declared_cells
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
MOST_OF_ENDS = 30  # sessions of the ends alone
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

    def declared(self, at: int) -> frozenset[str]:
        """The identities of the cells of a session about a commit."""
        study = self.asking(at, 1)
        return frozenset(declared_cells(study))

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
    commands = study.commands
    if commands is None:
        raise UserError(
            f"{study.path}: only `driver: command` has revisions that can be bisected"
        )
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
    ends = [find_revision(name, commands.folder, where) for name in (good, bad)]
    between = commits_between(*ends)
    commands = replace(commands, revisions={commit.name: commit for commit in between})
    study = replace(study, commands=commands)
    return Bisection(study, project, between, steps[0].step)


def _without(cell: Cell) -> tuple[tuple[str, str], ...]:
    return tuple(pair for pair in cell.dims if pair[0] != REVISION)


def bisect(asked: Bisection, options: RunOptions, say: Say) -> Found:
    """Measure until a commit is named, or the ends turn out alike; resumes by itself.

    Alike is also what differs by less than the study's margin.
    """
    began = time.monotonic()
    walk = _Walk(asked, options, say)
    fall = walk.ends()
    if not fall.is_shown or 1 - fall.ratio < asked.study.margin:
        return walk.found((), 0.0, began)
    say(f"{_percent(fall)} from {asked.commits[0].name} to {asked.commits[-1].name}")
    while True:
        sessions = sessions_on_record(asked)
        newest = sessions[-1].at
        probabilities = belief(len(asked.commits) - 1, sessions)
        if newest:
            say(_standing(asked.commits, newest, probabilities))
        named, sure = candidates(probabilities, walk.broken)
        at = next_question(probabilities, walk.broken, newest)
        if not at or sure >= SURE or len(sessions) >= MOST_SESSIONS:
            return walk.found([asked.commits[i] for i in named], sure, began)
        if at == newest or walk.can_be_built(at):
            walk.ask(at)


def sessions_on_record(asked: Bisection) -> list[Session]:
    """What this machine's sessions about these commits say, in order of time.

    Of cells as the study declares them now: another command, step or dimension is
    another question, though the commits have the same names.
    """
    if not asked.project.store.exists():
        return []
    rows = query(
        "bisected", project=asked.project, study=asked.slug, step=asked.step,
        machine=local_machine(asked.project).machine_id,
    )  # fmt: skip
    place = {commit.name: i for i, commit in enumerate(asked.commits)} | {ENDS: 0}
    first, last = asked.commits[0].name, asked.commits[-1].name
    found = []
    for _, session in rows.groupby("session", sort=False):
        at = place.get(str(session["bisected"].iloc[0]))
        cells = asked.declared(at) if at is not None else frozenset()
        own = session[session["declared_id"].isin(cells)]
        if at is None or len(own) < len(cells):
            continue
        logs = dict(zip(own["revision"], np.log(own["value"]), strict=True))
        middle = logs[asked.commits[at].name] - (logs[first] + logs[last]) / 2
        found.append(Session(at, middle if at else 0.0, logs[last] - logs[first]))
    return found


class _Walk:
    """How sessions are made, and the commits of which none can be."""

    def __init__(self, asked: Bisection, options: RunOptions, say: Say) -> None:
        self.asked, self.options, self.say = asked, options, say
        self.broken: set[int] = set()

    def ends(self) -> Fall:
        """The ends alone, until they differ or are alike; MOST_OF_ENDS show neither."""
        margin = self.asked.study.margin
        while True:
            sessions = sessions_on_record(self.asked)
            if len(sessions) >= LEAST_SESSIONS:
                fall = fall_of(sessions)
                known = fall.is_shown or fall.is_within(margin)
                if known or len(sessions) >= MOST_OF_ENDS:
                    return fall
            self.ask(0, max(LEAST_SESSIONS, len(sessions) + 1))

    def ask(self, at: int, sessions: int = 0) -> None:
        """Make sessions about a commit until there are so many: else, one more."""
        made = self._made(at)
        study = self.asked.asking(at, sessions or made + 1)
        outcome = measure(study, self.asked.project, self.options, self._say)
        load(self.asked.project)
        if outcome.failed and at:
            self.broken.add(at)
        elif outcome.failed or self._made(at) == made:
            why = outcome.last_error or "no run of them was loaded"
            raise UserError(f"{self.asked.study.path}: cannot be bisected: {why}", 1)

    def _made(self, at: int) -> int:
        return sum(one.at == at for one in sessions_on_record(self.asked))

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

    def found(self, commits: Sequence[Revision], sure: float, began: float) -> Found:
        sessions = sessions_on_record(self.asked)
        return Found(
            fall=fall_of(sessions),
            commits=tuple(commits),
            probability=sure,
            sessions=len(sessions),
            builds=2 + len({one.at for one in sessions if one.at}),
            seconds=time.monotonic() - began,
        )


def _standing(commits: Sequence[Revision], at: int, probabilities: np.ndarray) -> str:
    bad = float(probabilities[: at + 1].sum())
    return f"{commits[at].name} {subject_of(commits[at])}: bad with probability {bad:.3f}"


def _percent(fall: Fall) -> str:
    """`4.2% [3.1, 5.3] slower`, what the rate lost."""
    lost = [100 * (1 - ratio) for ratio in (fall.ratio, fall.high, fall.low)]
    return f"{lost[0]:.1f}% [{lost[1]:.1f}, {lost[2]:.1f}] slower"


def told(found: Found, asked: Bisection, seconds: str) -> str:
    """The last words of `benchbook bisect`."""
    good, bad = asked.commits[0].name, asked.commits[-1].name
    cost = f"{found.builds} builds, {found.sessions} sessions, {seconds}"
    if not found.commits:
        fall = found.fall
        return (
            f"nothing to bisect: {bad} over {good} is {fall.ratio:.3f} "
            f"[{fall.low:.3f}, {fall.high:.3f}] in {asked.step}; {cost}"
        )
    names = "\n".join(f"  {one.name} {subject_of(one)}" for one in found.commits)
    one = "first bad" if len(found.commits) == 1 else (
        f"first bad is one of {len(found.commits)} that cannot be told apart"
    )  # fmt: skip
    return (
        f"{one}, with probability {found.probability:.0%}:\n{names}\n"
        f"{_percent(found.fall)} in {asked.step}, {cost}"
    )
