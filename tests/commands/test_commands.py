"""A user's own commands in study.yml: what they become, and what is refused."""

from __future__ import annotations

import pytest

from benchbook.study.check import check_steps
from benchbook.study.study import load_study
from benchmath.errors import UserError

pytestmark = pytest.mark.unit
STUDY = """\
title: Is sorting by bytes faster?
template: ab
driver: command
base: {locale: C}
commands:
  sort: {command: "LC_ALL={locale} sort {scratch}/n", prepare: "seq 9 > {scratch}/n"}
  print: "seq 3\\nprintf '\\\\'"
matrix: {locale: [C, C.UTF-8]}
"""


@pytest.fixture
def study(tmp_path):
    """Loads the text of a study in a checkout of its own."""

    def load(text: str = STUDY):
        (tmp_path / "bench").mkdir(exist_ok=True)
        (tmp_path / "_quarto.yml").touch()
        file = tmp_path / "posts" / "s" / "study.yml"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        return load_study(file)

    return load


def test_commands_are_steps_in_turns(study):
    """Nothing but the commands needs to be said."""
    found = study()

    assert ("turns", 2) == (found.order, len(found.cells))
    assert ["sort", "print"] == [step.step for step in found.cells[0].steps]
    assert (("locale", "C"),) == found.cells[0].dims


def test_driver_gets_one_line_for_each_text(study):
    """Line ends and backslashes are escaped, as bench/command/text.h has it."""
    lines = study().commands.file.read_text().splitlines()

    assert "print\tcommand\tseq 3\\nprintf '\\\\'" == lines[-1]
    assert "sort\tprepare\tseq 9 > {scratch}/n" == lines[0]


def test_sizes_of_all_are_those_of_each_without_its_own(study):
    """`seconds:` is for the commands that name no size."""
    found = study(STUDY + "seconds: 2\nwarmup: 0.5\nsteps: [sort, 'print:events=7']\n")
    texts = [str(step) for step in found.cells[0].steps]

    assert ["sort:seconds=2:warmup=0.5", "print:events=7:warmup=0.5"] == texts


def test_many_events_reach_the_driver_as_a_whole_number(study):
    """It takes no 1e+06."""
    found = study(STUDY + "events: 1234567\n")

    assert "sort:events=1234567" == str(found.cells[0].steps[0])


def test_file_that_a_command_names_is_part_of_it(study, tmp_path):
    """Another program is another cell."""
    (tmp_path / "posts" / "s").mkdir(parents=True)
    script = tmp_path / "posts" / "s" / "work.sh"
    script.touch()
    found = study().commands
    named = study(STUDY.replace("seq 3", "./work.sh 3")).commands

    assert () == found.files_named({})
    assert (script,) == named.files_named({})


@pytest.mark.parametrize(
    ("command", "tool"),
    [
        ("{tool} 3", "./my work.sh"),
        ("./{tool}.sh 3", "my work"),
        ("sh -c {tool}", "nice ./work.sh 3"),
    ],
)
def test_file_that_a_value_names_is_part_of_its_cell_alone(
    study, tmp_path, command, tool
):
    """A placeholder is one word to the shell, or a command by itself."""
    folder = tmp_path / "posts" / "s"
    folder.mkdir(parents=True)
    named = "my work.sh" if "my" in tool else "work.sh"
    for name in (named, "tool"):
        (folder / name).touch()
    text = STUDY.replace("seq 3", command).replace("matrix: {", "matrix: {tool: [x], ")
    commands = study(text).commands

    assert (folder / named,) == commands.files_named({"tool": tool})
    assert () == commands.files_named({"tool": "3"})


def test_value_too_long_for_a_file_is_none(study):
    """Data of a value are looked for as well, and found nowhere."""
    text = STUDY.replace("seq 3", "{data}").replace("matrix: {", "matrix: {data: [x], ")

    assert () == study(text).commands.files_named({"data": "x" * 5000})


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("commands:", "command:", "unknown key 'command'; did you mean 'commands'"),
        ("locale: [", "local: [", "'local' stands in no command as {local}"),
        ("{locale: [C", "{flags: [C", "'flags' is a name that Benchbook uses itself"),
        ("driver: command", "driver: micro", "'commands' has no meaning with `driver: m"),
        ("print:", "'print é':", "commands: 'print é' is no name: write letters, digits"),
        ("prepare:", "prepares:", "unknown key 'prepares'; did you mean"),
        ("sort: {", "sort: {timeout: 0, ", "commands.sort.timeout 0: write seconds"),
        ("matrix:", "build: make\nmatrix:", "build is what makes a revision"),
        ("matrix:", "events: 2.5\nmatrix:", "events is a whole number to command, not"),
        ("matrix:", "seconds: 1\nevents: 5\nmatrix:", "seconds and events; keep one"),
        ("matrix:", "sampler_hz: 2\nmatrix:", "sampler_hz looks at times that"),
        ("{locale: [C", "{n: [C", "'n' is a name that Benchbook uses itself"),
        ("matrix:", "steps: [sotr]\nmatrix:", "has no step 'sotr'"),
        ("matrix:", "steps: ['sort:rows=2']\nmatrix:", "has no rows"),
        ("matrix:", "steps: [sort, sort]\nmatrix:", "step sort is listed twice; keep"),
    ],
)
def test_what_cannot_be_run_is_refused(study, old, new, sentence):
    """One sentence that says what to write."""
    with pytest.raises(UserError) as told:
        found = study(STUDY.replace(old, new, 1))
        check_steps(found.cells[0], found.driver, found.path, found.ran)

    assert sentence in str(told.value)
