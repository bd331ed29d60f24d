"""`benchbook audit`: what posts say that their data do not, one line each."""

from __future__ import annotations

from collections.abc import Callable

import click

from benchbook.audit.contradiction import Audit, summed
from benchbook.cli.options import study_at
from benchbook.posts.audit import audit as audited
from benchbook.posts.execute import reports
from benchbook.project import Project
from benchbook.study.study import Study, load_study
from benchmath.errors import UserError


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


def audit_all(project: Project, say: Callable[[str], None]) -> str:
    """Every executed post; the last line says how much was looked at."""
    executed = [p for p in reports(project) if p.with_name("index.ipynb").is_file()]
    if not executed:
        raise UserError(
            f"no executed post in {project.posts}: `benchbook post` makes one"
        )
    audits = []
    for path in executed:
        study = load_study(path)
        audits.append(audited(study, project))
        for line in lines(study, audits[-1]):
            say(line)
    return _end(summed(audits), f"{len(executed)} posts")


def audit_one(study: Study, project: Project, say: Callable[[str], None]) -> str:
    """One post, as ``audit_all``."""
    audit = audited(study, project)
    for line in lines(study, audit):
        say(line)
    return _end(audit, f"posts/{study.slug}")


def lines(study: Study, audit: Audit) -> list[str]:
    """One line for each contradiction."""
    return [f"posts/{study.slug}: {one}" for one in audit.contradictions]


def _end(audit: Audit, what: str) -> str:
    if audit.contradictions:
        n = len(audit.contradictions)
        raise UserError(f"{what}: {n} contradiction{'s' * (n != 1)}: see above", 1)
    return f"{audit}"
