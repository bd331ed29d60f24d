"""`benchbook run`: measuring, without pandas."""

from __future__ import annotations

import os
import sys
from importlib import import_module
from pathlib import Path

import click

from benchbook.cli.options import DETACH, ONLY, QUEUE, budget_of, pairs, say, study_at
from benchbook.fleet.coordinator import measure_on
from benchbook.fleet.hosts import read_hosts
from benchbook.machine.facts import Machine
from benchbook.measure.decided import Standing
from benchbook.measure.launch import detach as detached
from benchbook.measure.run import Outcome, RunOptions, measure_all
from benchbook.project import Project
from benchbook.study.arms import INSTRUCTIONS, PROFILE
from benchbook.study.premises import Quiet, quiet_of
from benchbook.study.study import Study
from benchmath.errors import UserError
from benchmath.prose import counted


@click.command()
@click.argument("study")
@ONLY
@click.option(
    "--step",
    default="",
    metavar="GLOB",
    help="Only these steps; not the study's runs.",
)
@click.option("--trials", type=click.IntRange(min=1), help="Trials per cell, this time.")
@click.option(
    "--set",
    "settings",
    multiple=True,
    callback=pairs,
    metavar="KEY=VALUE",
    help="Override a dimension or driver option (not the study's own runs).",
)
@click.option(
    "--on",
    "hosts",
    default="",
    metavar="hosts.yml",
    help="Measure on these hosts, or on the workers of a Dask scheduler (tcp://...).",
)
@DETACH
@click.option(
    "--budget",
    callback=lambda c, p, v: budget_of(v),
    metavar="8h",
    help="Start no run that would end later: 90s, 30m, 8h, 2d.",
)
@click.option(
    "--quiet",
    callback=lambda c, p, v: v and quiet_of(v, "--quiet"),
    metavar="5%",
    help="What others may use of a CPU before a run begins: 5%, 5%, 2h (to wait), off.",
)
@QUEUE
@click.option("--no-retry", is_flag=True, help="Do not try failed runs again.")
@click.option(
    "--profiles", "part", flag_value=PROFILE, help="Only the runs with perf beside them."
)
@click.option(
    "--count-instructions",
    "part",
    flag_value=INSTRUCTIONS,
    help="Only the runs under callgrind.",
)
def run(
    study: str,
    only: dict[str, str],
    step: str,
    trials: int | None,
    settings: dict[str, str],
    hosts: str,
    detach: bool,
    budget: float | None,
    quiet: Quiet | None,
    wait: bool,
    no_retry: bool,
    part: str | None,
) -> None:
    """Measure: make every run of the study that is not there yet."""
    if detach:
        click.echo(detached(sys.argv[1:], study_at(study), Project.find()))
        return
    options = RunOptions(
        only,
        step,
        trials,
        settings,
        budget,
        wait,
        not no_retry,
        part or "",
        quiet,
        judge,
    )
    planned, project = study_at(study), Project.find()
    if hosts:
        if options != RunOptions(judge=judge):
            raise UserError("--on takes the study as it is: no other option but --detach")
        outcome = _on_hosts(planned, project, hosts)
    else:
        outcome = measure_all(planned, project, options, say)
    click.echo(outcome_text(outcome, study))
    if outcome.made or not project.store.exists():
        load_new(project, planned.slug)
    if planned.workload and outcome.made and not settings:
        doubts = import_module("benchbook.results.judge").doubts(planned, project)
        if doubts:
            click.echo(f"warning: {'; '.join(doubts)}", err=True)
    if outcome.failed or (hosts and outcome.left):
        sys.exit(1)


def _on_hosts(study: Study, project: Project, hosts: str) -> Outcome:
    if "://" not in hosts:
        fleet = read_hosts(Path(hosts))
        return measure_on(study, project, fleet, say, os.getpid(), judge)
    cluster = import_module("benchbook.fleet.cluster")
    with cluster.connect(hosts) as client:
        made: Outcome = cluster.measure_on_cluster(study, project, client, say)
    return made


def judge(study: Study, project: Project, machine: Machine) -> Standing:
    """What the runs so far decide; pandas is loaded by studies alone that ask for it."""
    standing: Standing = import_module("benchbook.results.judge").judge(
        study, project, machine
    )
    return standing


def load_new(project: Project, slug: str) -> None:
    """What was measured, into the store; where that fails, it was measured all the same.

    Run folders of the study that are refused are said before those of others.

    DuckDB is imported when nothing is measured any more.
    """
    try:
        report = import_module("benchbook.store.load").load(project, only_new=True)
    except (UserError, OSError) as error:
        say(f"measured, but not loaded: {error}")
        return
    own = [one for one in report.refused if one.startswith(f"{slug}/")]
    if refused := own or report.refused:
        of = f" of {slug}" if own else ""
        say(
            f"{counted(len(refused), 'run folder')}{of} not loaded, such as "
            f"{refused[0]}; `benchbook load` names all"
        )


def outcome_text(outcome: Outcome, study: str) -> str:
    """The last line of `benchbook run`."""
    if outcome.made == 0 and outcome.left == 0 and not outcome.failed:
        return f"{study}: every run is there"
    text = (
        f"{study}: {outcome.made} runs made, {outcome.failed} failed, {outcome.left} left"
    )
    if outcome.last_error:
        text += f"; last error: {outcome.last_error}"
    return text
