"""`until: decided` and its budget in study.yml."""

from dataclasses import replace

import pytest
from studies import NULL_STUDY

from benchbook.study.derived import aa_study
from benchbook.study.study import Study, load_study
from benchbook.study.until import seconds_of
from benchmath.errors import UserError

pytestmark = pytest.mark.unit

PLAIN = NULL_STUDY.replace("trials: 2\n", "")


@pytest.fixture
def study(tmp_path):
    """A function that loads a study with these lines added."""

    def load(*lines: str) -> Study:
        file = tmp_path / "posts" / "s" / "study.yml"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("\n".join([PLAIN, *lines]))
        return load_study(file)

    return load


def test_budget_is_wall_time_and_trials_are_the_most(study):
    """Twenty loads unless the study says how many."""
    one = study("order: turns", "until: decided", "budget: 15m")

    assert ("decided", 900.0, 20) == (one.until, one.budget_s, one.trials)


def test_without_it_there_are_three_trials(study):
    """The usual number, all of which are made."""
    one = study()

    assert ("", None, 3) == (one.until, one.budget_s, one.trials)


def test_a_preset_has_a_budget_of_its_own(study):
    """Hours of the one are not to be cut off by the minutes of the other."""
    presets = "presets: {short: {until: decided, budget: 5m}, full: {trials: 4}}"
    short = study("order: turns", "preset: short", presets)
    full = study("order: turns", "preset: full", presets)

    assert [("decided", 300.0), ("", None)] == [
        (x.until, x.budget_s) for x in (short, full)
    ]


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (["until: decided"], "it needs `order: turns`"),
        (["order: turns", "budget: 15m"], "budget is what `until: decided` may use"),
        (["order: turns", "until: decided", "trials: 2"], "nothing is decided before 3"),
        (["order: turns", "until: decided", 'budget: "15"'], "write 90s, 30m, 8h or 2d"),
        (["order: turns", "until: decided", "budget: 0s"], "is no time"),
    ],
)
def test_what_does_not_go_together_is_refused(study, lines, said):
    """One sentence that says what is needed."""
    with pytest.raises(UserError, match=said):
        study(*lines)


def test_durations():
    """As `--budget` takes them."""
    texts = ("90s", "15m", "2h", "1.5d")

    assert [90, 900, 7200, 129600] == [seconds_of(text, "x") for text in texts]


def test_the_base_against_itself_is_not_decided_but_measured(study):
    """An A/A study has its five trials, however many the study allows."""
    one = study("order: turns", "until: decided")
    aa = aa_study(replace(one, base={"indexes": "0"}))

    assert ("", None, 5) == (aa.until, aa.budget_s, aa.trials)
