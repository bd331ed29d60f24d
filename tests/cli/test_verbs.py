"""`benchbook --help`: the table of verbs, and what a call has to wait for."""

import os
import subprocess
import sys

import click
import pytest

from benchbook.__main__ import command
from benchbook.cli.main import VERBS, main

pytestmark = pytest.mark.unit


@pytest.mark.parametrize("verb", VERBS)
def test_help_of_all_has_the_line_of_the_verb(verb):
    """The line in the list of verbs is the first of the verb's own help."""
    command = main.get_command(click.Context(main), verb)

    assert (verb, VERBS[verb][1]) == (command.name, command.get_short_help_str(200))


def test_the_list_of_verbs_is_what_click_would_print(monkeypatch, capsys):
    """Written anew by `COLUMNS=80 benchbook --help > src/benchbook/cli/help.txt`."""
    monkeypatch.setattr(sys, "argv", ["benchbook", "--help"])
    monkeypatch.delenv("COLUMNS", raising=False)
    monkeypatch.setattr("os.get_terminal_size", lambda _: os.terminal_size((120, 40)))
    command()
    at_once = capsys.readouterr().out
    main(["--help"], prog_name="benchbook", standalone_mode=False)

    assert capsys.readouterr().out == at_once


@pytest.mark.slow
@pytest.mark.parametrize("words", [["--help"], ["status"], ["run", "--help"]])
def test_light_verbs_do_not_wait_for_arrow(words):
    """The list of verbs, `status` and the process that measures load no pyarrow."""
    call = (
        f"import sys; from benchbook.cli.main import main; main({words}, "
        "standalone_mode=False); print('pyarrow' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", call], capture_output=True, text=True, check=True
    )

    assert "False" == done.stdout.splitlines()[-1]
