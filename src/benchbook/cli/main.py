"""The command `benchbook`: its verbs, and where each of them is loaded from.

A call imports what its verb needs and no more: `benchbook status` must not wait for
pandas. For the same reason the help lists the verbs by the first line of each, here; a
test holds it to the verb's own.
"""

from __future__ import annotations

import errno
import gc
import sys
from importlib import import_module
from pathlib import Path

import click

from benchbook.files import full_sentence
from benchmath.errors import UserError

# The extra that brings a library; of all others it is `posts`.
_EXTRAS = {"numba": "changes", "ruptures": "changes"}
VERBS = {  # in the order they are used
    "init": (
        "new:init",
        "Make a laboratory in FOLDER: templates, the site, a place for posts and data.",
    ),
    "new": ("new:new", "Start a study: posts/SLUG/study.yml, ready to edit."),
    "plan": (
        "plan:plan",
        "Show cells, runs to make, time, and the smallest effect that can be seen.",
    ),
    "run": ("run:run", "Measure: make every run of the study that is not there yet."),
    "calibrate": (
        "calibrate:calibrate",
        "Measure the noise floor: the base against itself, built and loaded again.",
    ),
    "status": (
        "runs:status",
        "Tell from any shell: done, failed, left, time left, last error.",
    ),
    "post": (
        "posts:post",
        "Execute the study's notebook into posts/<slug>/index.ipynb, and audit it.",
    ),
    "audit": (
        "posts:audit",
        "Derive all that a post says from its data again; exit 1 if it does not follow.",
    ),
    "proofread": (
        "posts:proofread",
        "Hold a text of yours against a study: every number, every faster and slower.",
    ),
    "publish": (
        "posts:publish",
        "Freeze a post with its evidence: rendered ever after, never measured again.",
    ),
    "load": ("runs:load", "Load finished run folders into data/benchbook.duckdb."),
    "import": (
        "imports:import_",
        "Import text files of other people's runs into the view metric.",
    ),
    "sets": (
        "query:sets",
        "List what the view metric holds: studies, imports, published tables.",
    ),
    "sql": ("query:sql", "Run SQL (the text, or a file) on the store; read-only."),
    "compare": (
        "compare:compare",
        "Compare cells at the terminal: ratios to BASE with intervals and verdicts.",
    ),
    "check": (
        "check:check",
        "Decide whether NEW is worse than BASE: the gate of a change, for CI.",
    ),
    "changepoints": (
        "changepoints:changepoints",
        "Find changes of level: of the versions of a set, or of series in a stream.",
    ),
    "history": (
        "history:history",
        "Tell of each test of a set what changed over its commits, the worst first.",
    ),
    "bisect": (
        "bisect:bisect",
        "Find the first revision that is slower, by turns with both ends; resumes.",
    ),
    "show": (
        "runs:show",
        "Show a run: command, config, machine, output; or one STEP of it.",
    ),
    "du": ("runs:du", "Show disk space by study, and of the store, builds and scratch."),
    "rm": ("runs:rm", "Delete the raw runs of a study (its study.yml and post stay)."),
    "push": (
        "runs:push",
        "Send run folders to a team's archive, where they are never changed.",
    ),
    "pull": (
        "runs:pull",
        "Bring the run folders of a team's archive that are not here.",
    ),
    "site": (
        "posts:site",
        "Render the site from the posts there are: Quarto's, or the built-in preview.",
    ),
    "engines": (
        "engines:engines",
        "List the engines that can be had; install, build or remove them.",
    ),
    "doctor": (
        "engines:doctor",
        "Say what this machine does to measurements, and why it matters.",
    ),
    "report": (
        "posts:report",
        "Measure, post and render every live study: what `make report` runs.",
    ),
}


class Ordered(click.Group):
    """Commands listed as they were given."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)


class LazyGroup(Ordered):
    """Verbs that are imported when they are called; user errors as one sentence."""

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.commands:
            return None
        module, function = VERBS[cmd_name][0].split(":")
        # What is imported stays; to look through it for garbage costs a few percent.
        gc.set_threshold(50_000, *gc.get_threshold()[1:])
        command = getattr(import_module(f"benchbook.cli.{module}"), function)
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        Ordered(commands=self.commands).format_commands(ctx, formatter)

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except UserError as error:
            click.echo(f"benchbook: {error}", err=True)
            ctx.exit(error.exit_code)
        except ModuleNotFoundError as error:
            library = (error.name or "").partition(".")[0]
            if library.startswith("bench"):
                raise
            extra = _EXTRAS.get(library, "posts")
            click.echo(
                f"benchbook: this verb needs {library}: install 'benchbook[{extra}]'",
                err=True,
            )
            ctx.exit(2)
        except OSError as error:
            if isinstance(error, BrokenPipeError):
                sys.stderr.close()
                ctx.exit(0)
            click.echo(f"benchbook: {sentence_of(error)}", err=True)
            ctx.exit(1)


def sentence_of(error: OSError) -> str:
    """What the system refused, where, and what to do: for errors nobody foresaw."""
    if error.errno == errno.ENOSPC:
        return full_sentence(Path(error.filename or "this"))
    where = f" ({error.filename})" if error.filename else ""
    return f"{error.strerror}{where}: repair that, then run the same command again"


@click.group(
    cls=LazyGroup,
    commands=[click.Command(name, help=text) for name, (_, text) in VERBS.items()],
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(package_name="benchbook")
def main() -> None:
    """Measure storage engines, analyse the runs, publish the answer.

    A study is a folder under posts/ with a study.yml; STUDY below is its name or path.
    """


if __name__ == "__main__":
    main()
