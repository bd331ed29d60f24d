"""`benchbook calibrate`: A/A runs, and the noise that they show."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from math import isnan

import click
import pandas as pd

from benchbook.cli.options import DETACH, ONLY, QUEUE, say, study_at
from benchbook.cli.run import outcome_text
from benchbook.machine.facts import local_machine
from benchbook.measure.calibrate import calibrate as measure_noise
from benchbook.measure.launch import detach as detached
from benchbook.measure.run import RunOptions
from benchbook.project import Project
from benchbook.store.load import load
from benchbook.store.query import expand_dims, query
from benchbook.study.derived import aa_study, left_out, loads_database
from benchbook.study.study import Study
from benchmath.prose import aligned
from benchmath.ratios.floor import noise_floor


@click.command()
@click.argument("study")
@click.option(
    "--trials", type=click.IntRange(min=2),
    help="Runs of each arm (default: the study's trials, at least 5).",
)  # fmt: skip
@click.option(
    "--builds", type=click.IntRange(min=1), default=3, show_default=True,
    help="Builds of the same sources.",
)  # fmt: skip
@click.option(
    "--loads", type=click.IntRange(min=1), default=2, show_default=True,
    help="Loads of the database.",
)  # fmt: skip
@ONLY
@DETACH
@QUEUE
def calibrate(
    study: str, trials: int | None, builds: int, loads: int, only: dict[str, str],
    detach: bool, wait: bool,
) -> None:  # fmt: skip
    """Measure the noise floor: the base against itself, built and loaded again."""
    project = Project.find()
    aa = aa_study(study_at(study), trials, builds, loads)
    if detach:
        click.echo(detached(sys.argv[1:], aa, project))
        return
    outcome = measure_noise(aa, project, RunOptions(only=only, wait=wait), say)
    for sentence in left_out(aa, builds, loads):
        click.echo(sentence)
    click.echo(outcome_text(outcome, aa.slug))
    click.echo(noise_text(aa, project))
    if outcome.failed:
        sys.exit(1)


def noise_text(aa: Study, project: Project) -> str:
    """Load what was measured; the noise of each step of an A/A study on this machine."""
    load(project)
    machine = local_machine(project)
    frame = query("collect_aa", project=project, set=aa.slug)
    own = expand_dims(frame[frame["machine_id"] == machine.machine_id])
    if own.empty:
        return f"noise: not known, no run of {aa.slug} on {machine.name} is finished"
    levels = ("run", "build", "load") if loads_database(aa) else ("run", "build")
    adds = " or ".join(levels[1:])
    return (
        f"noise on {machine.name}: stddev of one run, and what another {adds} adds\n"
        f"{_table(noise_floor(own), levels)}"
    )


def _table(floor: pd.DataFrame, levels: Sequence[str]) -> str:
    varying = [c for c in ("engine", "dop", "placement") if floor[c].nunique() > 1]
    rows: list[tuple[str, ...]] = [(*varying, "step", "runs", *levels)]
    for row in floor.to_dict("records"):
        spread = (row[f"{level}_sd"] for level in levels)
        texts = ("not measured" if isnan(sd) else f"{sd:.2%}" for sd in spread)
        rows.append((*(str(row[c]) for c in varying), row["step"], str(row["n"]), *texts))
    return aligned(rows)
