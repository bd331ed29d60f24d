"""`benchbook check`: the gate of a change, for CI."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable
from pathlib import Path

import click

from benchbook.cli.options import ACROSS, PATTERN
from benchbook.sets.gate import OPEN
from benchmath.errors import UserError

FILE = click.Path(dir_okay=False, path_type=Path)


@click.command()
@click.argument("cells", metavar="[STUDY|SET] BASE NEW", nargs=-1, required=True)
@click.option(
    "--fail-on", type=click.Choice(["regressed", "changed"]), default="regressed",
    show_default=True, help="What fails: worse by more than the margin, or any change.",
)  # fmt: skip
@click.option("--margin", help="What nobody minds: 3%. Default: the study's, else 2%.")
@click.option("--metric", default="throughput", show_default=True)
@ACROSS
@PATTERN
@click.option("--markdown", type=FILE, help="Write a comment for a pull request there.")
@click.option("--json", "json_file", type=FILE, help="Write all that is known there.")
@click.option("--junit", type=FILE, help="Write a JUnit report there, a case per test.")
def check(
    cells: tuple[str, ...], fail_on: str, margin: str | None, metric: str,
    across: tuple[str, ...], pattern: str | None, markdown: Path | None,
    json_file: Path | None, junit: Path | None,
) -> None:  # fmt: skip
    """Decide whether NEW is worse than BASE: the gate of a change, for CI.

    Prints a sentence and the table. BASE and NEW are named as for `compare`; without a
    set they are files or folders: `check old/ new/`.

    \b
    Exit code:
      0  fine: no test of NEW is worse by more than the margin
      1  regressed: at least one test is, whatever the others are
      2  undecided (it says how long it would take, or which side lacks runs), or
         broken: a test of BASE is missing in NEW, wrong usage, unreadable data, or
         any error of the program

    A regression has a 95% interval without 1, an estimate beyond the margin, and stands
    after Holm's correction over all tests. Fine is a test whose interval ends before the
    margin. Files are written whole or not at all.
    """

    def answer() -> tuple[int, str]:
        from benchbook.cli.check_report import check_text

        files = {"markdown": markdown, "json": json_file, "junit": junit}
        return check_text(cells, fail_on, margin, metric, files, across, pattern)

    click.get_current_context().exit(guarded(answer))


def guarded(answer: Callable[[], tuple[int, str]]) -> int:
    """Print the answer; its exit code, which nothing that goes wrong turns to 0 or 1.

    A closed pipe must not make a regression pass, nor an error be taken for one.
    """
    try:
        code, text = answer()
    except UserError as error:
        return _broken(f"benchbook: {error}")
    except KeyboardInterrupt:
        return _broken("benchbook: interrupted")
    except OSError as error:
        from benchbook.cli.main import sentence_of

        return _broken(f"benchbook: {sentence_of(error)}")
    except Exception:
        return _broken(traceback.format_exc().rstrip())
    try:
        click.echo(text, nl=False)
        sys.stdout.flush()
    except BrokenPipeError:
        sys.stdout = None  # type: ignore[assignment]  # nobody is there to flush it for
    return code


def _broken(text: str) -> int:
    click.echo(text, err=True)
    return OPEN
