"""`benchbook report`: every live study measured, posted and rendered."""

from __future__ import annotations

import time
from collections.abc import Callable

from benchbook.measure.launch import wants_measuring
from benchbook.measure.progress import duration
from benchbook.measure.run import RunOptions, measure_all
from benchbook.posts.execute import post, reports
from benchbook.posts.freshness import is_frozen
from benchbook.posts.site import build_site
from benchbook.project import Project
from benchbook.study.study import load_study
from benchmath.errors import UserError


def make_report(project: Project, say: Callable[[str], None]) -> str:
    """Bring every post up to date; returns the last words for the terminal.

    Nothing that is there is measured again, and a post whose inputs have not changed
    is not executed again.  A study that cannot be measured does not stop the others.
    """
    started = time.monotonic()
    studies = [s for s in map(load_study, reports(project)) if s.live or is_frozen(s)]
    if not studies:
        raise UserError(f"no study in {project.posts}: start one with `benchbook new`")
    troubles = []
    studies.sort(key=lambda study: (study.reuse, len(study.also)))  # readers come last
    for study in studies:
        say(f"== {study.slug}: {study.title}")
        try:
            if not is_frozen(study) and wants_measuring(study, project):
                measure_all(study, project, RunOptions(wait=True), say)
            post(study.path, project, measure=False)
        except UserError as error:
            say(f"{study.slug}: {error}")
            troubles.append(study.slug)
    index = build_site(project)
    if troubles:
        raise UserError(f"no post for {', '.join(troubles)}: see above", exit_code=1)
    took = duration(time.monotonic() - started)
    return (
        f"{len(studies)} posts in {took}: {index}\n"
        f"look at them: python3 -m http.server -d {project.site} 8000, "
        "then open localhost:8000"
    )
