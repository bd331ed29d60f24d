"""`benchbook post`, `audit`, `publish`, `report` and `site`: from runs to pages."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import click

from benchbook.audit.between import apart, between_posts
from benchbook.audit.contradiction import Audit, summed
from benchbook.cli.options import say, study_at
from benchbook.measure.launch import wants_measuring
from benchbook.measure.lock import beside_measuring
from benchbook.posts.audit import audit as audited
from benchbook.posts.audit import audit_words, proofread_draft
from benchbook.posts.execute import post as make_post
from benchbook.posts.execute import reports
from benchbook.posts.freshness import is_frozen, is_reworded
from benchbook.posts.publish import publish as freeze
from benchbook.posts.report import make_report
from benchbook.posts.site import build_site
from benchbook.project import Project
from benchbook.sets.measured import measured_by
from benchbook.several import each_of
from benchbook.study.find import find_study
from benchbook.study.premises import OFF
from benchbook.study.premises import VARIABLE as QUIET
from benchbook.study.study import Study, load_study
from benchmath.errors import UserError
from benchmath.prose import counted


@click.command()
@click.argument("study")
@click.option("--no-measure", is_flag=True, help="Render with what is there.")
@click.option("--force", is_flag=True, help="Execute even when nothing has changed.")
@click.option("--discard", is_flag=True, help="Drop edits that would be written over.")
@click.option("--wait", is_flag=True, help="Begin when nothing is being measured.")
def post(study: str, no_measure: bool, force: bool, discard: bool, wait: bool) -> None:
    """Execute the study's notebook into posts/<slug>/index.ipynb, and audit it.

    Markdown cells that you add to the post stay where they are, and so does text in cells
    tagged hand-written. An edit of what the notebook writes itself is refused, with where
    to write it.
    """
    if sys.stderr.isatty():  # the notebook's kernel has no terminal of its own
        os.environ.setdefault("BENCHBOOK_PROGRESS", f"/proc/{os.getpid()}/fd/2")
    chosen = study_at(study)
    beside_measuring(wait, say)
    project = Project.find()
    may_measure = not (no_measure or is_frozen(chosen))
    whole = force or (may_measure and wants_measuring(chosen, project))
    words = not whole and is_reworded(chosen, project)
    path = make_post(
        chosen.path, project, measure=not no_measure, force=force, discard=discard
    )
    audit_one(chosen, project, click.echo, words)
    click.echo(f"post: {path}")


@click.command()
@click.argument("study")
@click.option(
    "--thin", type=click.IntRange(min=1), default=1, show_default=True,
    help="Seconds per sample that is kept, where the evidence is too large.",
)  # fmt: skip
def publish(study: str, thin: int) -> None:
    """Freeze a post with its evidence: rendered ever after, never measured again."""
    project = Project.find()
    click.echo(freeze(find_study(study, project).parent.name, project, thin))


@click.command()
def report() -> None:
    """Measure, post and render every live study: what `make report` runs."""
    os.environ.setdefault(QUIET, OFF)  # shows the method, and waits for nobody
    click.echo(make_report(Project.find(), say))


@click.command()
@click.argument("study", required=False)
@click.option("--out", type=click.Path(path_type=Path), help="Folder (default _site).")
@click.option("--wait", is_flag=True, help="Begin when nothing is being measured.")
def site(study: str | None, out: Path | None, wait: bool) -> None:
    """Render the site from the posts there are: Quarto's, or the built-in preview.

    With a STUDY its post alone, and the pages that list posts. A page that stands, made
    of the same notebook by the same library, is not made again.
    """
    project = Project.find()
    slug = find_study(study, project).parent.name if study else ""
    beside_measuring(wait, say)
    click.echo(f"site: {build_site(project, out, slug=slug, say=say)}")


@click.command()
@click.argument("study", required=False)
@click.option("--all", "every", is_flag=True, help="Every executed post.")
def audit(study: str | None, every: bool) -> None:
    """Derive all that a post says from its data again; exit 1 if it does not follow."""
    if every == bool(study):
        raise UserError("say which post to audit: a study's name, or --all")
    if study:
        click.echo(audit_one(study_at(study), Project.find(), click.echo))
    else:
        click.echo(audit_all(Project.find(), click.echo))


@click.command()
@click.argument("draft", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--study", "named", required=True, metavar="STUDY", help="Whose data.")
@click.option("--all", "every", is_flag=True, help="Show what is on record too.")
def proofread(draft: Path, named: str, every: bool) -> None:
    """Hold a text of yours against a study: every number, every faster and slower."""
    found = proofread_draft(draft, study_at(named))
    for one in found:
        if every or not one.right:
            click.echo(f"{draft}:{one}")
    n, wrong = len(found), sum(not one.right for one in found)
    end = f"{counted(n, 'number or comparison', 'numbers and comparisons')}"
    if wrong:
        raise UserError(f"{draft}: {wrong} of {end} not on record: see above", 1)
    click.echo(f"{draft}: {end}, all on record")


def audit_all(project: Project, say: Callable[[str], None]) -> str:
    """Every executed post, and posts against posts; the last line says how much."""
    executed = [p for p in reports(project) if p.with_name("index.ipynb").is_file()]
    if not executed:
        raise UserError(
            f"no executed post in {project.posts}: `benchbook post` makes one"
        )
    studies = [load_study(path) for path in executed]
    audits = each_of(partial(audited, project=project), studies)
    for study, audit in zip(studies, audits, strict=True):
        for line in lines(study, audit):
            say(line)
    entries = [one for study in studies for one in study.explains]
    slugs = [study.slug for study in studies]
    between = tuple(between_posts(apart(measured_by(studies)), entries, slugs))
    for contradiction in between:
        say(str(contradiction))
    return _end(summed([*audits, Audit(between)]), f"{len(executed)} posts")


def audit_one(
    study: Study, project: Project, say: Callable[[str], None], words: bool = False
) -> str:
    """One post, as ``audit_all``; ``words``: what a person wrote alone."""
    audit = audit_words(study) if words else audited(study, project)
    for line in lines(study, audit):
        say(line)
    return _end(audit, f"posts/{study.slug}")


def lines(study: Study, audit: Audit) -> list[str]:
    """One line for each contradiction, and for each sentence that is too long."""
    every = [*audit.contradictions, *audit.long]
    return [f"posts/{study.slug}: {one}" for one in every]


def _end(audit: Audit, what: str) -> str:
    if audit.contradictions:
        n = len(audit.contradictions)
        raise UserError(f"{what}: {n} contradiction{'s' * (n != 1)}: see above", 1)
    return f"{audit}"
