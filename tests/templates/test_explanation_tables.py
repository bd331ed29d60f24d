"""The tables of an explanation: what a reader sees."""

import pytest
from explanation_frames import SERVER, frame, runs_of, version
from table_text import shown as lines_of

from benchbook.templates.explain import table as shown
from benchmath.costs.causes import changed_settings
from benchmath.costs.cpu import cpu_parts, per_run, split
from benchmath.costs.explanation import costs

pytestmark = pytest.mark.unit

BASE = {"version": "1"}
TWO = frame(
    version("1"),
    version("2", 800.0, SERVER | {"machine_cpu_o": 125, "server_user_o": 85}),
)
SPLIT, PARTS = split(per_run(TWO), BASE), cpu_parts(per_run(TWO), BASE)


def test_split_is_a_row_that_adds_up():
    """-22.3 = 0.0 - 22.3, each with its interval, ~ before what is not detected."""
    lines = lines_of(shown.split_table(SPLIT))

    heads = "step | compared | throughput log % | CPU used per second log %"
    assert f"{heads} | CPU per op log % | CPU of" == lines[0]
    cells = lines[1].split(" | ")
    assert ["l.i1", "2"] == cells[:2]
    assert cells[2].startswith("-22.3 -2")
    assert cells[3].startswith("~ ")
    assert cells[4].startswith("-22.3 -2")
    assert "machine" == cells[5]
    assert "Base: 1." in lines


def test_split_without_cpu_says_so():
    """A footnote at the cell that is empty."""
    two = frame(version("1", costs={}), version("2", 800.0, {}))

    lines = lines_of(shown.split_table(split(per_run(two), BASE)))

    assert "a CPU per operation was not recorded in every run" in lines


def test_parts_of_all_steps():
    """Base, me and the difference of the whole and of each part."""
    lines = lines_of(shown.cpu_parts_table(PARTS))

    parts = ("whole", "server user", "server system", "client user", "client system",
             "interrupts", "rest")  # fmt: skip
    assert lines[0].endswith("base µs per op | 2 µs per op | 2 - base")
    assert " | ".join(f"{part} µs per op" for part in parts) == lines[1]
    row = lines[2].split(" | ")
    assert ["l.i1", "2", "100", "125"] == row[:4]
    assert ["+25", "+25", *["~"] * 5] == [cell.split(" ")[0] for cell in row[4:]]


@pytest.mark.parametrize(("convention", "ratio"), [("plain", "a"), ("field", "inf")])
def test_costs_by_both_conventions(convention, ratio):
    """A ratio over 0 is `inf` as the field prints it, plainly there is none."""
    two = frame(version("1", costs={"r_o": 0.0}), version("2", costs={"r_o": 0.5}))

    lines = lines_of(shown.costs_table(costs(two, BASE), convention))

    assert lines[1].startswith("l.i1 | 2 | r/o | reads | 0 | 0.500 | +0.500 ")
    assert lines[1].endswith(f" | {ratio}")


def test_costs_without_any():
    """A table without rows says why."""
    lines = lines_of(shown.costs_table(costs(frame(version("1"), version("2")), BASE)))

    assert "No run has recorded what an operation costs." in lines


def test_changed_settings():
    """Setting, base and what is compared; with one of it its name is no column."""
    runs = runs_of(TWO, v1={"jit": "off"}, v2={"jit": "on"})

    lines = lines_of(shown.changed_settings_table(changed_settings(runs, BASE)))

    assert ["setting | base | 2 | who decided", "jit | off | on | not known"] == lines[:2]


def test_no_table_loads_anything():
    """Nothing of another host, no script."""
    html = shown.split_table(SPLIT).as_raw_html()

    assert "<script" not in html and "http" not in html
