"""The sections that every template ends with, one call each.

What a section shows first is displayed; what it shows last is returned: a cell's value.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from IPython import display as screen  # a replay puts its own function into it

from benchbook.finding import Said
from benchbook.results.evidence import pace_of
from benchbook.results.results import Results
from benchbook.study.published import Explains, explained_with
from benchbook.tables import plain_table, premises_table, settings_section
from benchbook.views import sections
from benchbook.views.engines import engine_builds
from benchbook.views.machine import machine_section
from benchbook.views.premises import premise_facts
from benchbook.views.settings import engine_settings
from benchmath.hazard import Hazard
from benchmath.hazards.pace import probed


def builds(results: Results) -> Any:
    """A row per engine, version and build with its compiler and number of runs."""
    return plain_table(sections.builds_of(results.runs))


def server_builds(results: Results) -> Any:
    """A row per build of a server: where it comes from, its compiler, allocator, size."""
    return plain_table(engine_builds(results))


def settings(results: Results) -> Any:
    """The engines' settings: what differs or a settings file names in sight."""
    return settings_section(engine_settings(results.runs))


def premises(results: Results) -> Any:
    """What the question presumes, and whether the runs bear it out."""
    return premises_table(premise_facts(results))


def machine(results: Results) -> Any:
    """Facts of the machine; what `doctor` found and what drifted open on a click."""
    probes = probed(results.runs, results.probes)
    screen.display(plain_table(sections.machine_facts(results.runs, probes)))
    return machine_section(results)


def run_again(results: Results) -> Said:
    """The commands that make these runs and this page."""
    return sections.commands(results.study)


def caveats(results: Results, hazards: Iterable[Hazard], *more: str) -> Said:
    """What makes the numbers doubtful, then the runs that are missing or failed."""
    screen.display(sections.caveats(hazards, *more))
    return gaps(results)


def gaps(results: Results) -> Said:
    """The runs that the page should have and has not, and why.

    Before them, where it has any, why other posts say something else of the same.
    """
    study = results.study
    if entries := explained_with(study.slug, study.explains, study.folder.parent):
        screen.display(sections.explained(entries, study.slug, _paces(results, entries)))
    return sections.gaps(results.missing, results.failed)


def _paces(results: Results, entries: Iterable[Explains]) -> dict[str, float]:
    """How fast the machine was for this post and for those that it is compared with."""
    posts = results.study.folder.parent
    names = {name for one in entries for name in (one.post, one.other)}
    names -= {results.study.slug}
    others = {name: pace_of(posts / name / "evidence") for name in names}
    return others | {results.study.slug: results.pace_ms}
