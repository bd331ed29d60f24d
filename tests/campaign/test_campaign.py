"""Whatever happens while it works: nothing is lost, doubled or left behind."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from campaign.campaign import STUDIES, campaign, laboratory, summary

pytestmark = pytest.mark.engine
SEED = int(os.environ.get("BENCHBOOK_SEED", "1"))


def tried(folder: Path, builds: Path, studies: list[str], seconds: float) -> None:
    """Prints what was tried; fails with the trials that went wrong."""
    with laboratory(folder, builds, studies) as lab:
        trials = list(campaign(lab, seconds, SEED))
    print(summary(trials))  # noqa: T201

    assert trials
    assert [] == [str(trial) for trial in trials if trial.problems]


def test_a_minute_of_faults(tmp_path: Path, builds: Path):
    """Kills, full disks and broken pipes of run, load, import, post, publish and site."""
    tried(tmp_path, builds, ["alone", "turns", "command"], 60)


@pytest.mark.slow
def test_ten_minutes_of_faults(tmp_path: Path, builds: Path):
    """The same with a server."""
    tried(tmp_path, builds, list(STUDIES), 600)
