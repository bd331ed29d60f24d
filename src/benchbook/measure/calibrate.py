"""`benchbook calibrate`: a study's base against itself, for the noise floor."""

from __future__ import annotations

from dataclasses import replace

from benchbook.measure.progress import duration
from benchbook.measure.run import Outcome, RunOptions, Say, asked_for, begin, carry_out
from benchbook.project import Project
from benchbook.study.arms import MAIN
from benchbook.study.study import Study
from benchmath.prose import counted, listed


def calibrate(aa: Study, project: Project, options: RunOptions, say: Say) -> Outcome:
    """Measure what is missing of an A/A study, saying first what and how long."""
    campaign = begin(aa, project, options)
    cells = [cell for cell in aa.cells if asked_for(cell, options.only)]
    arms = dict.fromkeys(cell.arm for cell in cells)
    count = len({replace(cell, arm=MAIN) for cell in cells})
    say(
        f"{aa.slug}: {counted(count, 'cell')} as {listed(list(arms))}, "
        f"{counted(aa.trials, 'trial')}; {counted(len(campaign.left), 'run')} to make, "
        f"about {duration(campaign.progress().seconds_left)}"
    )
    return carry_out(campaign, say)
