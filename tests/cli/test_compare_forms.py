"""`benchbook compare`: verdicts, JSON, Markdown, and names that a spreadsheet runs."""

import json

import pandas as pd
import pytest
from comparisons import compared

from benchbook.cli.options import one_set
from benchmath.errors import UserError

pytestmark = pytest.mark.unit


def cell(values, version="old", step="scan"):
    row = {
        "machine": "m1", "engine": "mysql", "version": version, "step": step,
        "op": "query", "main": True, "clock": "", "metric": "qps",
        "unit": "queries/s", "direction": "higher",
    }  # fmt: skip
    return [row | {"value": float(v), "run_id": f"{version} {t}"}
            for t, v in enumerate(values)]  # fmt: skip


def frame(*cells):
    return pd.DataFrame([row for rows in cells for row in rows])


BOTH = frame(
    cell([100, 100.5, 99.5, 100]), cell([90, 90.5, 89.5, 90], "new"),
    cell([100, 100.5, 99.5, 100], step="sort"),
    cell([100, 100.5, 99.5, 100], "new", "sort"),
)  # fmt: skip


def test_text_has_verdicts_and_what_is_left_of_them():
    """A verdict per row; then the margin and the family."""
    text = compared(BOTH, "old")

    [scan, sort] = [line for line in text.splitlines() if line.startswith("s")][1:]

    assert ["regressed", "4+4"] == scan.split()[-2:]
    assert "equivalent" in sort
    assert "verdicts at a margin of 2%" in text
    assert "Of 2 comparisons 1 differs from 1 by Benjamini-Hochberg at 5%" in text


def test_margin_decides():
    """A tenth less is equivalent to who does not mind a fifth."""
    assert "regressed" not in compared(BOTH, "old", margin=0.2)


def test_json_has_numbers():
    """Ratio, verdict and family; null where nothing is known."""
    answer = json.loads(compared(BOTH, "old", form="json"))

    assert ["regressed", "equivalent"] == [row["verdict"] for row in answer["rows"]]
    assert 0.9 == pytest.approx(answer["rows"][0]["relative"], abs=1e-5)
    assert (2, 1) == (answer["family"]["tests"], answer["family"]["flagged"])
    assert (0.02, "old", ["new"]) == (answer["margin"], answer["base"], answer["others"])


def test_json_of_single_runs_has_no_nan():
    answer = json.loads(compared(frame(cell([1]), cell([2], "new")), "old", form="json"))

    assert answer["rows"][0]["low"] is None


def test_markdown_names_are_code():
    """What a step is called is no markup in a comment."""
    step = "<img src=x>|*a*"
    rows = frame(cell([1, 1.01], step=step), cell([1, 1.01], "new", step))
    text = compared(rows, "old", form="markdown")

    assert "| `<img src=x>\\|*a*` | `queries/s` |" in text
    assert "<img" not in text.replace("`<img src=x>\\|*a*`", "")


def test_csv_names_are_no_formulas():
    rows = frame(cell([1, 1], "-O2", "=1+1"), cell([1, 1], "-O3", "=1+1"))
    header, line = compared(rows, "-O2", csv=True).splitlines()

    assert header.startswith("test,'-O3,'-O3 low")
    assert line.startswith("'=1+1,1,")


def test_no_control_character_reaches_the_terminal():
    rows = frame(cell([1, 1], step="a\x1b[2J"), cell([1, 1], "new", "a\x1b[2J"))

    assert "\x1b" not in compared(rows, "old")


def test_two_steps_are_compared_by_their_names():
    """Two commands of one file: a tenth less, and none needs a version."""
    one = frame(cell([100, 100.5, 99.5, 100]), cell([90, 90.5, 89.5, 90], step="sort"))
    text = compared(one, "scan", ["sort"])

    assert "regressed" in text
    assert "0.900" in text


@pytest.mark.parametrize(
    ("name", "study", "sentence"),
    [("a", "b", "--set a and --study b are two sets"), ("", "", "say what of: --study")],
)
def test_one_set_is_named(name, study, sentence):
    """None, or two of them, is one sentence."""
    with pytest.raises(UserError, match=sentence):
        one_set(name, study)


def test_csv_withdraws_what_text_withdraws():
    """A change of p .02 among eleven comparisons is not significant, in CSV too."""
    same = [cell([99, 100, 101], of, f"s{i}") for i in range(10) for of in ("old", "new")]
    odd = [cell([99, 100, 101], "old", "odd"), cell([96.9, 97.9, 98.9], "new", "odd")]
    last = compared(frame(*same, *odd), "old", csv=True).splitlines()[-1]

    assert last.startswith("odd,0.978999")
    assert last.endswith("not significant")
