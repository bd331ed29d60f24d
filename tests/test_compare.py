"""`benchbook compare`: aligned text, footnotes, the published CSV form."""

import pandas as pd
import pytest

from benchbook.compare import compare, parse_choice
from benchbook.errors import UserError

pytestmark = pytest.mark.unit


def cell(values, **changed):
    row = {
        "machine": "m1", "engine": "mysql", "version": "5.6", "config": "z10a",
        "step": "scan", "op": "query", "main": True, "clock": "", "metric": "qps",
        "unit": "queries/s", "direction": "higher",
    } | changed  # fmt: skip
    return [
        row | {"value": float(v), "run_id": f"{changed} {t}"}
        for t, v in enumerate(values)
    ]


def frame(*cells):
    return pd.DataFrame([row for rows in cells for row in rows])


SINGLE = frame(
    cell([1000]),
    cell([900], version="8.0"),
    cell([2000], step="insert", op="insert", metric="ips", unit="rows/s"),
    cell([1000], step="insert", op="insert", metric="ips", unit="rows/s", version="8.0"),
)


def test_text_with_single_runs():
    """One run a side: values, ratios, geometric mean and why there is no interval."""
    expected = """\
throughput, higher is better; geometric means ± half of the 95% interval

step     unit                 5.6            8.0  8.0 / 5.6    runs
scan     queries/s  1,000 ± ? [1]    900 ± ? [1]  0.900 [2]     1+1
insert   rows/s     2,000 ± ? [1]  1,000 ± ? [1]  0.500 [2]     1+1
geomean                                               0.671  2 rows

[1] need >= 2 runs for an interval
[2] 1 run, no noise on record: no interval
~ no difference detected: the 95% interval of the ratio holds 1
"""

    assert expected == compare(SINGLE, "5.6")


def test_ratio_has_its_interval_or_a_tilde():
    """A detected ratio with bounds; ~ in front of one that is not detected."""
    rows = frame(
        cell([100, 101, 102]),
        cell([50, 51, 52], version="8.0"),
        cell([100, 101, 102], step="b"),
        cell([101, 101, 103], step="b", version="8.0"),
    )

    lines = compare(rows, {"version": "5.6"}).splitlines()

    assert "0.505 (0.487 to 0.523)" in lines[3]
    assert "101 ± 2.5%" in lines[3]
    assert "3+3" in lines[3]
    assert "~ 1.007 (" in lines[4]


def test_csv_is_the_published_form():
    """Header test,OTHER; two decimals; blank where the base was not run."""
    extra = frame(cell([1], version="8.0", step="delete"))

    text = compare(pd.concat([SINGLE, extra]), "5.6", ["8.0"], csv=True)

    assert "test,8.0\nscan,0.90\ninsert,0.50\ndelete,\n" == text


def test_csv_rounds_like_printf():
    """1005 over 1000 prints 1.00 and 1015 over 1000 prints 1.01, as C does."""
    rows = frame(
        cell([1000]),
        cell([1005], version="a"),
        cell([1015], version="b"),
    )

    assert "test,a,b\nscan,1.00,1.01\n" == compare(rows, "5.6", csv=True)


def test_cell_without_base_is_listed():
    """A step that the base lacks stays, with the reason as a footnote."""
    extra = frame(cell([1], version="8.0", step="delete"))

    text = compare(pd.concat([SINGLE, extra]), "5.6")

    assert "no base run for this cell" in text
    assert any(line.startswith("delete") for line in text.splitlines())


def test_geomean_is_over_steps_that_all_have():
    """Others are compared over the same rows: a missing one counts for none."""
    rows = frame(
        cell([100]), cell([50], version="7"), cell([200], version="8"),
        cell([100], step="b"), cell([400], version="8", step="b"),
    )  # fmt: skip

    line = next(x for x in compare(rows, "5.6").splitlines() if x.startswith("geomean"))

    assert ["geomean", "0.500", "1", "rows", "2.000", "1", "rows"] == line.split()


def test_remaining_dimensions_become_columns():
    """A dimension that varies besides the base is a column of its own."""
    rows = frame(
        cell([1]), cell([2], version="8.0"), cell([3], config="z11"),
        cell([9], version="8.0", config="z11"),
    )  # fmt: skip

    lines = compare(rows, "version=5.6").splitlines()

    assert ["step", "config", "unit"] == lines[2].split()[:3]
    assert ["scan", "z11"] == lines[4].split()[:2]
    assert "3.000" in lines[4]


@pytest.mark.parametrize(
    ("choice", "expected"),
    [
        ("8.0", {"version": "8.0"}),
        ("version=8.0", {"version": "8.0"}),
        ("version=8.0,config=z10a", {"version": "8.0", "config": "z10a"}),
        ({"version": "8.0"}, {"version": "8.0"}),
    ],
)
def test_choices_are_read(choice, expected):
    """A value, name=value, several of them, or a mapping."""
    assert expected == parse_choice(SINGLE, choice)


def test_ambiguous_value_asks_for_the_dimension():
    """A value of two dimensions is refused with both ways to say it."""
    rows = frame(cell([1], version="x"), cell([2], config="x"))

    with pytest.raises(UserError, match="say version=x or config=x"):
        compare(rows, "x")


def test_unknown_names_are_refused():
    """Unknown base, unknown other: one sentence with what there is."""
    with pytest.raises(UserError, match=r"nothing here is called '5\.7'; dimensions are"):
        compare(SINGLE, "5.7")
    with pytest.raises(UserError, match="nothing here is called '9'"):
        compare(SINGLE, "5.6", ["9"])
    with pytest.raises(UserError, match=r"config=z10a: not a version to compare"):
        compare(SINGLE, "5.6", ["config=z10a"])


def test_base_alone_is_an_error():
    """With nothing else measured there is no comparison."""
    with pytest.raises(UserError, match="nothing but the base"):
        compare(frame(cell([1])), "5.6")
