"""`benchbook compare`: aligned text, footnotes, the published CSV form."""

import pandas as pd
import pytest
from comparisons import compared, comparison

from benchbook.cli.compare import SEVERAL, UNITS
from benchbook.sets.pairs import parse_choice
from benchmath.errors import UserError

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

step     unit                 5.6            8.0  8.0 / 5.6  verdict    runs
scan     queries/s  1,000 ± ? [1]    900 ± ? [1]  0.900 [2]              1+1
insert   rows/s     2,000 ± ? [1]  1,000 ± ? [1]  0.500 [2]              1+1
geomean                                               0.671           2 rows

[1] need >= 2 runs for an interval
[2] 1 run, no noise on record: no interval
~ no difference detected: the 95% interval of the ratio holds 1
correct: ratios of geometric means, with 95% intervals; --compatible gives the archives' \
own digits
verdicts at a margin of 2%: +N are further runs on each side that would find such a \
change with 80% power
No comparison has an interval: nothing was tested.
"""

    assert expected == compared(SINGLE, "5.6")


def test_ratio_has_its_interval_or_a_tilde():
    """A detected ratio with bounds; ~ in front of one that is not detected."""
    rows = frame(
        cell([100, 101, 102]),
        cell([50, 51, 52], version="8.0"),
        cell([100, 101, 102], step="b"),
        cell([101, 101, 103], step="b", version="8.0"),
    )

    lines = compared(rows, {"version": "5.6"}).splitlines()

    assert "0.505 (0.487 to 0.523)" in lines[3]
    assert "101 ± 2.5%" in lines[3]
    assert "3+3" in lines[3]
    assert "~ 1.007 (" in lines[4]


def test_compatible_csv_is_the_published_form():
    """Header test,OTHER; two decimals; blank where the base was not run."""
    extra = frame(cell([1], version="8.0", step="delete"))
    rows = pd.concat([SINGLE, extra])

    text = compared(rows, "5.6", ["8.0"], csv=True, compatible=True)

    assert "test,8.0\nscan,0.90\ninsert,0.50\ndelete,\n" == text


def test_compatible_csv_rounds_like_printf():
    """1005 over 1000 prints 1.00 and 1015 over 1000 prints 1.01, as C does."""
    rows = frame(
        cell([1000]),
        cell([1005], version="a"),
        cell([1015], version="b"),
    )
    text = compared(rows, "5.6", csv=True, compatible=True)

    assert "test,a,b\nscan,1.00,1.01\n" == text


def test_compatible_csv_of_nothing():
    """0 over 0 is 1, anything over 0 is inf."""
    rows = frame(
        cell([0], metric="r_o"),
        cell([0], metric="r_o", version="a"),
        cell([0.077], metric="r_o", version="b"),
    )
    text = compared(rows, "5.6", metric="r/o", csv=True, compatible=True)

    assert "test,a,b\nscan,1,inf\n" == text


def test_csv_has_ratios_then_intervals():
    """The ratios of all others as they are, then low, high and noise of each."""
    rows = frame(
        cell([100, 101, 102]),
        cell([50, 51, 52], version="a"),
        cell([50, 51, 52], version="b"),
    )
    header, line = compared(rows, "5.6", csv=True).splitlines()

    assert "test,a,b,a low,a high,a noise,a verdict," in header
    step, a, b, low, high, noise, verdict, *rest = line.split(",")
    assert ("scan", "0.504902", "0.504902", "pooled") == (step, a, b, noise)
    assert 0.48 < float(low) < 0.504902 < float(high) < 0.53
    assert [low, high, noise, verdict] == rest
    assert "regressed" == verdict


def test_one_run_a_side_has_assumed_noise():
    """Steps of four versions with one run each: an interval that says it is assumed."""
    rows = frame(
        *(
            cell([qps], step=step, version=version)
            for step in ("a", "b", "c")
            for version, qps in (("5.6", 100), ("5.7", 98), ("8.0", 97), ("8.4", 96))
        )
    )
    text = compared(rows, "5.6", ["8.4"])
    csv = compared(rows, "5.6", ["8.4"], csv=True)

    assert "assumed noise: from the differences between neighbouring versions" in text
    assert csv.splitlines()[1].startswith("a,0.96,")
    assert csv.splitlines()[1].endswith(",assumed,regressed")


def test_compatible_ratios_are_of_tabled_rates():
    """1.6 over 1.4 is 1.14; a table has 2 over 1."""
    rows = frame(
        cell([1.4], step="scan.pre_range=1"), cell([1.6], step="scan.pre_range=1",
                                                   version="8.0"),
    )  # fmt: skip

    assert "scan.pre_range=1,1.14286,,,,\n" in compared(rows, "5.6", csv=True)
    assert "scan.pre_range=1,2.00\n" in compared(rows, "5.6", csv=True, compatible=True)


def test_a_figure_without_dop_is_not_another():
    """dop 0 is not known: the same figure of a file that says it counts, alone."""
    rows = frame(
        cell([100.26], dop=40), cell([50.13], dop=40, version="8.0"),
        cell([100], dop=0, file="r"), cell([50], dop=0, version="8.0", file="s"),
        cell([8], dop=0, step="b"), cell([8], dop=0, step="b", version="8.0"),
    ).fillna({"file": ""})  # fmt: skip

    text = compared(rows, "5.6", csv=True, compatible=True)

    assert "test,8.0\nscan,0.50\nb,1.00\n" == text


def test_compatible_text():
    """The base's figures as printed, the ratios of the others, and what it is."""
    text = compared(SINGLE, "5.6", compatible=True)

    expected = """\
throughput, higher is better; the base's printed figures and the ratios of the others to \
them

test    unit        5.6   8.0
scan    queries/s  1000  0.90
insert  rows/s     2000  0.50

compatible: the archives' digits, ratios of printed figures as C's %.2f has them, \
1 where both are 0, inf where only the base is; without --compatible: intervals
"""

    assert expected == text


def test_compatible_cells_of_several_runs_are_told():
    """No archive says what becomes of repeated runs: geometric means, and it says so."""
    rows = frame(cell([100, 400]), cell([100], version="8.0"))

    assert "scan  queries/s  200  0.50" in compared(rows, "5.6", compatible=True)
    assert SEVERAL in comparison(rows, "5.6", compatible=True).said
    assert SEVERAL not in comparison(rows, "5.6").said
    assert SEVERAL not in comparison(SINGLE, "5.6", compatible=True).said


def test_errors_of_the_archives_are_told():
    """cpu/o of the archives is some 4% too low, ours of the same name is not."""
    both = [cell([7], metric="cpu_o", version=v, origin="x") for v in ("5.6", "8.0")]
    theirs = frame(*both).assign(origin="published", unit="% s")
    ours = frame(*both).assign(origin="derived", unit="us")

    assert 1 == len(comparison(ours, "5.6", metric="cpu/o").said)
    [_, note] = comparison(theirs, "5.6", metric="cpu/o").said
    assert note.startswith("cpu_o as published: repeated headers of vmstat count")
    assert note in compared(theirs, "5.6", metric="cpu/o")


def test_compatible_columns_are_compared_whatever_differs():
    """The archives divide columns; correct is no comparison of two machines unasked."""
    rows = frame(
        cell([100], tag="x.my5651_rel.z10a_bee.pk1"),
        cell([80], tag="x.my8036_rel.z10a_pn53.pk1", version="8.0", machine="m2"),
    )
    correct = compared(rows, "my5651_rel.z10a_bee", csv=True)
    compatible = compared(rows, "my5651_rel.z10a_bee", csv=True, compatible=True)

    assert correct.endswith("scan,,,,,\n")
    assert compatible.endswith("scan,0.80\n")


def test_figures_in_two_units_keep_them():
    """1000 ns/op beside 2 ms/op: each is shown in its own unit, and none is divided."""
    rows = frame(
        cell([1000], metric="ns_op", unit="ns/op", direction="lower"),
        cell([2], metric="ms_op", unit="ms/op", direction="lower", version="8.0"),
    )
    correct = compared(rows, "5.6").splitlines()[3].split()
    compatible = compared(rows, "5.6", compatible=True)

    assert "scan ms/op 1,000 ns/op ± ? [1] 2 ± ? [1] - [2] 0+1" == " ".join(correct)
    assert "scan ns/op 1000" == " ".join(compatible.splitlines()[3].split())
    assert "0.00" not in compatible
    assert UNITS in compatible


def test_another_work_is_a_footnote():
    """Tables of 10 and of 2000 rows; both of them have one table, which is not told."""
    said = {"metric": "table_size", "unit": "rows", "direction": "none", "main": False}
    tables = said | {"metric": "tables", "unit": "count"}
    rows = frame(
        cell([100]), cell([10], **said), cell([1], **tables),
        cell([80], version="8.0"), cell([2000], version="8.0", **said),
        cell([1], version="8.0", **tables),
    )  # fmt: skip
    note = "table_size is 10 in 5.6 and 2,000 in 8.0: not the same work"

    for compatible in (False, True):
        report = comparison(rows, "5.6", compatible=compatible)
        assert note == report.said[-1]
        assert 1 == "\n".join(report.said).count("same work")
    assert note in compared(rows, "5.6")


def test_a_step_of_the_base_alone_is_no_row():
    """There is nothing to divide."""
    rows = frame(cell([1]), cell([1], step="b"), cell([1], version="8.0"))

    assert "test,8.0\nscan,1.00\n" == compared(rows, "5.6", csv=True, compatible=True)


TAGS = frame(
    cell([100], tag="x.my5651_rel.z10a_bee.pk1", version="5.6.51", relative_to=""),
    cell([80], tag="x.my8036_rel.z10a_bee.pk1", version="8.0.36", relative_to=""),
    cell(
        [0.8], tag="x.my8036_rel.z10a_bee.pk1", version="8.0.36", metric="rel_qps",
        main=False, relative_to="x.my5651_rel.z10a_bee.pk1",
    ),
)  # fmt: skip


@pytest.mark.parametrize(
    ("base", "other", "name"),
    [
        ("x.my5651_rel.z10a_bee.pk1", "x.my8036_rel.z10a_bee.pk1", None),
        ("my5651_rel.z10a_bee", "my8036_rel.z10a_bee", None),
        ("x.my5651_rel.z10a_bee.pk1", "8.0.36", None),
        ("x.my5651_rel.z10a_bee.pk1", "version=8.0.36", None),
        ("5.6.51", "x.my8036_rel.z10a_bee.pk1", "8.0.36"),
    ],
)
def test_tags_of_the_archives(base, other, name):
    """In any spelling; a tag and the dimension that means the same go together."""
    text = compared(TAGS, base, [other], metric="qps", csv=True, compatible=True)

    assert f"test,{name or 'x.my8036_rel.z10a_bee.pk1'}\nscan,0.80\n" == text


def test_a_tag_of_more_than_one_kind_of_rows_is_no_version():
    """A version in two configs is not what the tag of one of them means."""
    more = frame(cell([90], tag="x.my8036_rel.z11a_bee.pk1", version="8.0.36",
                      config="z11a", relative_to=""))  # fmt: skip

    with pytest.raises(UserError, match="not a version to compare"):
        compared(pd.concat([TAGS, more]), "5.6.51", ["x.my8036_rel.z10a_bee.pk1"])


def test_a_changed_version_is_no_news_of_a_tag():
    """Tags are compared because they name different versions: no footnote."""
    assert "changed too" not in compared(TAGS, "my5651_rel.z10a_bee")


def test_sysbench_tests_are_listed_as_in_the_archives():
    """Points, ranges, writes by name, whatever order they were run in."""
    names = """scan_range=100 update-one_range=100 random-points_range=10
        random-points_range=1000 random-points.pre_range=10 l.i0"""
    steps = names.split()
    rows = frame(
        *(cell([1], step=step) for step in steps),
        *(cell([1], step=step, version="8.0") for step in steps),
    )
    text = compared(rows, "5.6", csv=True, compatible=True)

    expected = """\
test,8.0
l.i0,1.00
random-points.pre_range=10,1.00
random-points_range=1000,1.00
random-points_range=10,1.00
scan_range=100,1.00
update-one_range=100,1.00
"""

    assert expected == text


def test_cell_without_base_is_listed():
    """A step that the base lacks stays, with the reason as a footnote."""
    extra = frame(cell([1], version="8.0", step="delete"))

    text = compared(pd.concat([SINGLE, extra]), "5.6")

    assert "no base run for this cell" in text
    assert any(line.startswith("delete") for line in text.splitlines())


def test_geomean_is_over_steps_that_all_have():
    """Others are compared over the same rows: a missing one counts for none."""
    rows = frame(
        cell([100]), cell([50], version="7"), cell([200], version="8"),
        cell([100], step="b"), cell([400], version="8", step="b"),
    )  # fmt: skip

    line = next(x for x in compared(rows, "5.6").splitlines() if x.startswith("geomean"))

    assert ["geomean", "0.500", "1", "rows", "2.000", "1", "rows"] == line.split()


def test_remaining_dimensions_become_columns():
    """A dimension that varies besides the base is a column of its own."""
    rows = frame(
        cell([1]), cell([2], version="8.0"), cell([3], config="z11"),
        cell([9], version="8.0", config="z11"),
    )  # fmt: skip

    lines = compared(rows, "version=5.6").splitlines()

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
        compared(rows, "x")


def test_unknown_names_are_refused():
    """Unknown base, unknown other: one sentence with what there is."""
    with pytest.raises(UserError, match=r"nothing here is called '5\.7'; dimensions are"):
        compared(SINGLE, "5.7")
    with pytest.raises(UserError, match="nothing here is called '9'"):
        compared(SINGLE, "5.6", ["9"])
    with pytest.raises(UserError, match=r"config=z10a: not a version to compare"):
        compared(SINGLE, "5.6", ["config=z10a"])


def test_published_ratios_are_not_compared():
    """What is relative already has a base; the figure under it is what to compare."""
    with pytest.raises(UserError, match="rel_qps is a ratio as published: compare qps"):
        compared(TAGS, "5.6.51", metric="rel_qps")


def test_base_alone_is_an_error():
    """With nothing else measured there is no comparison; what is not there is named."""
    with pytest.raises(UserError, match=r"nothing but the base 5\.6 to"):
        compared(frame(cell([1])), "5.6")
    with pytest.raises(UserError, match="nothing here is called 'nope'"):
        compared(frame(cell([1])), "5.6", ["nope"])
