"""The command `benchbook`: reads arguments, calls the library, prints.

Every verb is a function of the library; nothing is computed here.  What needs pandas or
Jupyter is imported by the verb that uses it: `benchbook status` must not wait for them.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

from benchbook.cli import changepoints as changes
from benchbook.cli import plan as plantext
from benchbook.cli import runs, verbs
from benchbook.cli.options import effect_of, pairs, seconds_of
from benchbook.errors import UserError
from benchbook.measure.launch import detach as detached
from benchbook.measure.lock import beside_measuring
from benchbook.measure.run import RunOptions, measure_all
from benchbook.project import Project
from benchbook.runs.inventory import rm_study
from benchbook.study.arms import INSTRUCTIONS, PROFILE
from benchbook.study.derived import aa_study, left_out
from benchbook.study.find import find_study, new_study
from benchbook.study.study import Study, load_study


class Verbs(click.Group):
    """Verbs in the order they are used, user errors as one sentence."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except UserError as error:
            click.echo(f"benchbook: {error}", err=True)
            ctx.exit(error.exit_code)
        except OSError as error:
            if isinstance(error, BrokenPipeError):
                sys.stderr.close()
                ctx.exit(0)
            click.echo(f"benchbook: {verbs.sentence_of(error)}", err=True)
            ctx.exit(1)


@click.group(cls=Verbs, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="benchbook")
def main() -> None:
    """Measure storage engines, analyse the runs, publish the answer.

    A study is a folder under posts/ with a study.yml; STUDY below is its name or path.
    """


def say(text: str) -> None:
    click.echo(text, err=True)


def study_at(name: str) -> Study:
    """A study by slug or by path."""
    return load_study(find_study(name, Project.find()))


@main.command()
@click.argument("slug")
@click.option("--from", "template", required=True, help="Template in notebooks/.")
def new(slug: str, template: str) -> None:
    """Start a study: posts/SLUG/study.yml, ready to edit."""
    click.echo(f"wrote {new_study(slug, template, Project.find())}")


@main.command()
@click.argument("study")
@click.option("--commands", is_flag=True, help="One line per run, to paste in a shell.")
@click.option(
    "--detect",
    "effect",
    callback=lambda c, p, v: effect_of(v),
    metavar="3%",
    help="Trials that find a change of this size with 80% power.",
)
def plan(study: str, commands: bool, effect: float | None) -> None:
    """Show cells, runs to make, time, and the smallest effect that can be seen."""
    if commands:
        click.echo(plantext.commands_text(study_at(study), Project.find()))
    else:
        click.echo(plantext.plan_text(study_at(study), Project.find(), effect))


@main.command()
@click.argument("study")
@click.option(
    "--only",
    multiple=True,
    callback=pairs,
    metavar="DIM=VALUE",
    help="Only cells with this value; may be repeated.",
)
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
@click.option("--detach", is_flag=True, help="Go on without this terminal.")
@click.option(
    "--budget",
    callback=lambda c, p, v: seconds_of(v),
    metavar="8h",
    help="Start no run that would end later: 90s, 30m, 8h, 2d.",
)
@click.option("--wait", is_flag=True, help="Queue behind another measuring process.")
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
    detach: bool,
    budget: float | None,
    wait: bool,
    no_retry: bool,
    part: str | None,
) -> None:
    """Measure: make every run of the study that is not there yet."""
    if detach:
        click.echo(detached(sys.argv[1:], study_at(study), Project.find()))
        return
    options = RunOptions(
        only, step, trials, settings, budget, wait, not no_retry, part or ""
    )
    outcome = measure_all(study_at(study), Project.find(), options, say)
    click.echo(runs.outcome_text(outcome, study))
    if outcome.failed:
        sys.exit(1)


@main.command()
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
@click.option(
    "--only", multiple=True, callback=pairs, metavar="DIM=VALUE",
    help="Only cells with this value; may be repeated.",
)  # fmt: skip
@click.option("--detach", is_flag=True, help="Go on without this terminal.")
@click.option("--wait", is_flag=True, help="Queue behind another measuring process.")
def calibrate(
    study: str, trials: int | None, builds: int, loads: int, only: dict[str, str],
    detach: bool, wait: bool,
) -> None:  # fmt: skip
    """Measure the noise floor: the base against itself, built and loaded again."""
    from benchbook.cli.calibrate import noise_text
    from benchbook.measure.calibrate import calibrate as measure_noise

    project = Project.find()
    aa = aa_study(study_at(study), trials, builds, loads)
    if detach:
        click.echo(detached(sys.argv[1:], aa, project))
        return
    outcome = measure_noise(aa, project, RunOptions(only=only, wait=wait), say)
    for sentence in left_out(aa, builds, loads):
        click.echo(sentence)
    click.echo(runs.outcome_text(outcome, aa.slug))
    click.echo(noise_text(aa, project))
    if outcome.failed:
        sys.exit(1)


@main.command()
def status() -> None:
    """Tell from any shell: done, failed, left, time left, last error."""
    click.echo(runs.status_text(Project.find()))


@main.command()
@click.argument("study")
@click.option("--no-measure", is_flag=True, help="Render with what is there.")
@click.option("--force", is_flag=True, help="Execute even when nothing has changed.")
@click.option("--wait", is_flag=True, help="Begin when nothing is being measured.")
def post(study: str, no_measure: bool, force: bool, wait: bool) -> None:
    """Execute the study's notebook into posts/<slug>/index.ipynb, and audit it."""
    from benchbook.cli.audit import audit_one
    from benchbook.posts.execute import post as make_post

    if sys.stderr.isatty():  # the notebook's kernel has no terminal of its own
        os.environ.setdefault("BENCHBOOK_PROGRESS", f"/proc/{os.getpid()}/fd/2")
    chosen = study_at(study)
    beside_measuring(wait, say)
    path = make_post(chosen.path, Project.find(), measure=not no_measure, force=force)
    audit_one(chosen, Project.find(), click.echo)
    click.echo(f"post: {path}")


@main.command()
@click.argument("study", required=False)
@click.option("--all", "every", is_flag=True, help="Every executed post.")
def audit(study: str | None, every: bool) -> None:
    """Derive all that a post says from its data again; exit 1 if it does not follow."""
    from benchbook.cli.audit import audit_all, audit_one

    if every == bool(study):
        raise UserError("say which post to audit: a study's name, or --all")
    if study:
        click.echo(audit_one(study_at(study), Project.find(), click.echo))
    else:
        click.echo(audit_all(Project.find(), click.echo))


@main.command()
@click.argument("study")
@click.option(
    "--thin", type=click.IntRange(min=1), default=1, show_default=True,
    help="Seconds per sample that is kept, where the evidence is too large.",
)  # fmt: skip
def publish(study: str, thin: int) -> None:
    """Freeze a post with its evidence: rendered ever after, never measured again."""
    from benchbook.posts.publish import publish as freeze

    project = Project.find()
    click.echo(freeze(find_study(study, project).parent.name, project, thin))


@main.command()
@click.option("--rebuild", is_flag=True, help="From nothing instead of what is new.")
def load(rebuild: bool) -> None:
    """Load finished run folders into data/benchbook.duckdb."""
    from benchbook.store.load import load as load_runs

    report = load_runs(Project.find(), rebuild=rebuild)
    click.echo(runs.load_text(report))
    if report.refused:
        sys.exit(1)


@main.command("import")
@click.argument("directory", metavar="DIR", type=click.Path(path_type=Path))
@click.option("--as", "name", metavar="SET", help="Name of the set (default: of DIR).")
@click.option("--machine", metavar="NAME", help="The machine that all of it ran on.")
@click.option("--format", "form", metavar="NAME", help="Read every file as this format.")
@click.option("--prune", is_flag=True, help="Drop rows of files that are gone from DIR.")
def import_(
    directory: Path, name: str | None, machine: str | None, form: str | None, prune: bool
) -> None:
    """Import text files of other people's runs into the view metric."""
    from benchbook.cli.imports import import_text
    from benchbook.imports.importer import import_dir

    report = import_dir(directory, Project.find(), name, machine, form, prune)
    click.echo(import_text(report))
    if report.empty:
        sys.exit(1)


@main.command()
def sets() -> None:
    """List what the view metric holds: studies, imports, published tables."""
    from benchbook.cli.sets import sets_text

    click.echo(sets_text(Project.find()))


@main.command()
@click.argument("query")
@click.option("--csv", "form", flag_value="csv", help="Comma-separated values.")
@click.option("--json", "form", flag_value="json", help="One JSON object per line.")
@click.option(
    "--parquet", "form", flag_value="parquet", help="Parquet on standard output."
)
def sql(query: str, form: str | None) -> None:
    """Run SQL (the text, or a file) on the store; read-only."""
    verbs.print_query(query, form or "table", Project.find(), sys.stdout)


@main.command()
@click.option("--set", "name", default="", help="A set in the view metric.")
@click.option("--study", "study", default="", help="A study.")
@click.option("--metric", default="throughput", show_default=True)
@click.option(
    "--csv", is_flag=True, help="Header test,<OTHER>,...: ratios, then their intervals."
)
@click.option(
    "--compatible", is_flag=True, help="Ratios as the archives of the field print them."
)
@click.argument("base")
@click.argument("others", nargs=-1)
def compare(
    name: str, study: str, metric: str, csv: bool, compatible: bool, base: str,
    others: tuple[str, ...],
) -> None:  # fmt: skip
    """Compare cells at the terminal: ratios to BASE with intervals.

    BASE and OTHER are dim=value[,dim=value], a value that only one dimension has, or a
    DBMS tag as the archives write it. --metric takes their names too: cpu/o, wKB/o.
    """
    text, notes = verbs.compare_text(
        name, study, metric, csv, compatible, base, others, Project.find()
    )
    click.echo(text, nl=False)
    for note in notes:
        click.echo(note, err=True)


@main.command()
@click.option(
    "--jsonl", is_flag=True, help="Series on standard input, positions on output."
)
@click.option("--set", "name", default="", help="A set in the view metric.")
@click.option("--study", "study", default="", help="A study.")
@click.option("--metric", default="throughput", show_default=True)
@click.option(
    "--method",
    default="benchbook",
    show_default=True,
    help="Detector: benchbook, or kernelcpd or pelt of ruptures.",
)
@click.option("--dimension", default="version", show_default=True)
def changepoints(
    jsonl: bool, name: str, study: str, metric: str, method: str, dimension: str
) -> None:
    """Find changes of level: of the versions of a set, or of series in a stream.

    Five or more tests of a set are evidence for one another; what only the others show
    is marked. A stream's series are each taken alone.

    With --jsonl each line of standard input is a JSON list of numbers, or an object
    {"y": [...], "groups": [...]}; its answer is the list of the 0-based indexes of the
    first point of each new level.
    """
    if jsonl:
        for answer in changes.answers(sys.stdin.buffer, method):
            click.echo(answer)
        return
    project = Project.find()
    click.echo(changes.changes_text(name, study, metric, method, dimension, project))


@main.command()
@click.argument("run_name", metavar="RUN")
@click.argument("step", required=False)
def show(run_name: str, step: str | None) -> None:
    """Show a run: command, config, machine, output; or one STEP of it.

    RUN is a run folder, or a part of its path that only one run has.
    """
    click.echo(runs.show_text(run_name, step, Project.find()))


@main.command()
def du() -> None:
    """Show disk space by study, and of the store, builds and scratch."""
    click.echo(runs.du_text(Project.find()))


@main.command()
@click.argument("study")
@click.option("--yes", is_flag=True, help="Do not ask.")
def rm(study: str, yes: bool) -> None:
    """Delete the raw runs of a study (its study.yml and post stay)."""
    project = Project.find()
    name = Path(study).name
    what = runs.rm_text(name, project)
    if not yes:
        click.confirm(what + " Delete them?", abort=True)
    click.echo(rm_study(name, project))


@main.command()
@click.option("--out", type=click.Path(path_type=Path), help="Folder (default _site).")
@click.option("--wait", is_flag=True, help="Begin when nothing is being measured.")
def site(out: Path | None, wait: bool) -> None:
    """Render the site from the posts there are: Quarto's, or the built-in preview."""
    from benchbook.posts.site import build_site

    beside_measuring(wait, say)
    click.echo(f"site: {build_site(Project.find(), out)}")


@main.group(invoke_without_command=True)
@click.pass_context
def engines(ctx: click.Context) -> None:
    """List the engines that can be had; install, build or remove them.

    \b
    Example: the Postgres releases from 9.6 to 18, and 17 by another compiler
      benchbook engines install postgres 9.6..18
      benchbook engines build postgres 17 --cc clang-19 --cflags "-O2"
    """
    from benchbook.cli.engines import catalogue_text

    if not ctx.invoked_subcommand:
        click.echo(catalogue_text(Project.find()))


@engines.command()
@click.argument("engine")
@click.argument("versions", metavar="VERSION...", nargs=-1, required=True)
@click.option("--source", default="", help="Where from: jar, npm, debian, trixie...")
def install(engine: str, versions: tuple[str, ...], source: str) -> None:
    """Install releases of an engine into the cache; nobody need be root.

    VERSION is a release as the list shows it, its first numbers, or a range of both:
    5.7.22, 15, 9.6..18. In a range the source that the list names first is taken.
    """
    from benchbook.cli.engines import install_text

    click.echo(install_text(Project.find(), engine, versions, source, say))


@engines.command()
@click.argument("engine")
@click.argument("versions", metavar="VERSION...", nargs=-1, required=True)
@click.option("--cc", default="", metavar="COMPILER", help="As clang-19 (default gcc).")
@click.option("--cflags", default="", metavar="FLAGS", help="As '-O3' (default -O2).")
def build(engine: str, versions: tuple[str, ...], cc: str, cflags: str) -> None:
    """Build releases of Postgres or SQLite from source, into the cache.

    A Postgres takes 2-3 minutes on two cores. VERSION is as for install.
    """
    from benchbook.cli.engines import install_text
    from benchbook.engines.catalogue import BUILT

    text = install_text(Project.find(), engine, versions, BUILT, say, cc, cflags)
    click.echo(text)


@engines.command()
@click.argument("engine")
@click.argument("version")
@click.argument("source", required=False, default="")
def remove(engine: str, version: str, source: str) -> None:
    """Remove an installed release from the cache; SOURCE built: all its builds."""
    from benchbook.cli.engines import remove_text

    click.echo(remove_text(engine, version, source))


@main.command()
def doctor() -> None:
    """Say what this machine does to measurements, and why it matters."""
    from benchbook.machine.doctor import doctor as examine
    from benchbook.machine.doctor import render

    click.echo(render(examine(Project.find())))


@main.command()
def report() -> None:
    """Measure, post and render every live study: what `make report` runs."""
    from benchbook.posts.report import make_report

    click.echo(make_report(Project.find(), say))


if __name__ == "__main__":
    main()
