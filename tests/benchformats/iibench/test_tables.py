"""Tables of steps of the insert benchmark: o.sum, mrg, rel, response times, slices."""

from __future__ import annotations

import math

import pytest
from iibench_files import COUNTS, GETMIN, HEADER, MRG, REL, SHARES, SLICES, SUM
from sysbench_files import told

from benchformats.iibench.tables import read, recognises, steps_of
from benchformats.parsed import Parsed, Row, TextFile

pytestmark = pytest.mark.unit

RATES = (100, 100, 200, 200, 400, 400, 600, 600, 800, 800, 1000, 1000)
LOADS = [(139860.0, 0.0), (107487.0, 0.0), (41238.0, 0.0)]


def parse(text: str, path: str) -> Parsed:
    """The file under a path."""
    file = TextFile(path, text)
    assert recognises(file)
    return read(file)


def figure(parsed: Parsed, line: int, metric: str) -> Row:
    """The one figure of a line and metric."""
    return next(r for r in parsed.rows if (r.line, r.metric) == (line, metric))


def test_a_merged_table():
    """One DBMS per line, units and directions as documented; NA is no figure."""
    parsed = parse(MRG, "res.a/mrg.q100.1")
    p99 = figure(parsed, 2, "rate_p99")

    assert 20 + 20 + 19 == len(parsed.rows)
    assert [] == parsed.problems
    assert Row(2, "q100.1", "qps", 7084, "queries/s", "higher", "my5649.cx6d", "query",
               True) == figure(parsed, 2, "qps")  # fmt: skip
    assert Row(2, "q100.1", "wkbpi", 35.269, "KB", "lower", "my5649.cx6d",
               "insert") == figure(parsed, 2, "wkbpi")  # fmt: skip
    assert (2525, "queries/s", {"client": "1"}) == (p99.value, p99.unit, p99.dims)
    assert ("s", "actual") == (
        figure(parsed, 5, "maxop").unit, figure(parsed, 5, "maxop").clock,
    )  # fmt: skip


@pytest.mark.parametrize(("step", "op"), [("l.i0", "insert"), ("l.x", "index")])
def test_a_step_that_loads(step: str, op: str):
    """Its rate is that of rows inserted or indexed, and p50 of them."""
    parsed = parse(MRG.replace("100\t7084", "109860\t0"), f"res.a/mrg.{step}")

    assert (op, True) == (figure(parsed, 2, "ips").op, figure(parsed, 2, "ips").main)
    assert ("query", False) == (
        figure(parsed, 2, "qps").op,
        figure(parsed, 2, "qps").main,
    )
    assert op == figure(parsed, 2, "rpq").op
    assert "rows/s" == figure(parsed, 2, "rate_p50").unit


def test_a_relative_table():
    """Ratios to the first of their group, which is in mrg; inf and 1 as printed."""
    parsed = parse(REL, "res.a/rel.q100.1")
    reads = figure(parsed, 4, "rel_rmbps")

    assert {"ratio"} == {r.unit for r in parsed.rows}
    assert (math.inf, {"group": "2"}) == (reads.value, reads.dims)
    assert (1.02, "my5731.cx6d", "higher", False) == (
        figure(parsed, 2, "rel_qps").value, figure(parsed, 2, "rel_qps").tag,
        figure(parsed, 2, "rel_qps").direction, figure(parsed, 2, "rel_qps").main,
    )  # fmt: skip


def test_relative_by_content_not_by_name():
    """Two decimals everywhere say so; one such line among others is not believed."""
    ratios = parse(REL, "res.a/mrg.q100.1")
    mixed = parse(MRG + REL.split("\n")[1] + "\n", "res.a/mrg.q100.1")

    assert all(r.metric.startswith("rel_") for r in ratios.rows)
    assert [(6, "relative and absolute figures mixed: not read")] == told(mixed)


def test_several_steps_in_a_file():
    """mrg.some: each under its name."""
    text = f"\nl.i0\n{MRG}\nq800.2\n{MRG}"
    parsed = parse(text, "res.in/mrg.some")

    assert ["l.i0", "q800.2"] == list(dict.fromkeys(r.step for r in parsed.rows))
    assert [] == parsed.problems


def test_a_step_whose_title_is_lost():
    """A second header under one title is of another step."""
    parsed = parse(f"\nl.i0\n{MRG}\n{MRG}", "res.in/mrg.some")
    lost = 3 + MRG.count("\n") + 2

    assert {"l.i0"} == {r.step for r in parsed.rows}
    assert (lost, "nothing says of which step this line is: not read") in told(parsed)


def test_lines_in_the_order_of_the_steps():
    """o.sum: six steps of four clients; the last missed its rate."""
    parsed = parse(SUM, "o.sum.t.20m.my8022.cx6d")

    assert ["l.i0", "l.x", "l.i1", "q100.1", "q500.1", "q1000.1"] == list(
        dict.fromkeys(r.step for r in parsed.rows)
    )
    assert [] == parsed.problems
    assert "KB/s" == figure(parsed, 2, "rkbps").unit
    assert parse(SUM.replace("\t", ","), "o.sum.c.20m.my8022.cx6d") == parsed


@pytest.mark.parametrize("count", range(4, 16))
def test_fifteen_steps_even_if_some_are_lost(count: int):
    """A file that ends early is not taken for one of the six steps of later years."""
    rates = LOADS + [(3.0 * rate, 7000.0) for rate in RATES]
    names = [f"q{r}.{n}" for r in (100, 200, 400, 600, 800, 1000) for n in (1, 2)]

    assert ["l.i0", "l.x", "l.i1", *names][:count] == steps_of(rates[:count])


def test_ten_steps():
    """Since December 2023: four loads, then range and point queries by turns."""
    rates = [*LOADS, (9000.0, 0.0)]
    rates += [(rate * 8.0, 9.0) for rate in (100, 100, 500, 500, 990, 998)]

    assert ["l.i0", "l.x", "l.i1", "l.i2", "qr100.L1", "qp100.L2", "qr500.L3",
            "qp500.L4", "qr1000.L5", "qp1000.L6"] == steps_of(rates)  # fmt: skip


def test_the_steps_of_2017():
    """One load, then the faster writes first."""
    assert ["l", "q1000", "q100"] == steps_of(
        [(22122.0, 0.0), (999.0, 9.0), (100.0, 9.0)]
    )


@pytest.mark.parametrize(
    "rates",
    [[*LOADS, (100.0, 9.0), (700.0, 9.0), (100.0, 9.0)],  # no order asks for this
     [(100.0, 9.0), (100.0, 9.0)],
     [*LOADS, *[(100.0, 9.0)] * 13]],
)  # fmt: skip
def test_an_order_that_is_not_known(rates: list[tuple[float, float]]):
    """No step is guessed."""
    assert "" in steps_of(rates)


def test_lines_of_unknown_steps_are_told():
    """Nothing in such a file says what they are of."""
    parsed = parse(MRG, "res.a/notes")

    assert [] == parsed.rows
    assert [
        (n, "nothing says of which step this line is: not read") for n in (2, 3, 5)
    ] == (told(parsed))


@pytest.mark.parametrize(
    ("header", "cell", "metric", "unit"),
    [("ips qps cpupq ccpupq dbgb vsz rss maxop p50 p90 tag", "147", "cpupq", "us"),
     ("ips qps cpupq dbgb1 dbgb2 rss maxop p50 p99 tag", "147", "cpupq", "us"),
     ("ips qps cpupq dbgb vsz rss maxop p50 p99 tag", "0.001409", "cpu_o", "% s"),
     ("ips qps cpupq dbgb vsz rss maxop p50 p99 tag", "1409", "mcpu_o", "% us")],
)  # fmt: skip
def test_processor_time_of_each_era(header: str, cell: str, metric: str, unit: str):
    """Microseconds once the number of CPUs was taken into account."""
    names = header.split()
    cells = ["100", "7084", cell, *["2"] * (len(names) - 4), "80m.mo425.c5b"]
    text = "\t".join(names) + "\n" + "\t".join(cells) + "\n"
    parsed = parse(text, "mrg.q100")

    assert (float(cell), unit) == (
        figure(parsed, 2, metric).value, figure(parsed, 2, metric).unit,
    )  # fmt: skip
    assert [] == parsed.problems


def test_a_damaged_line():
    """Short of a cell, or with one that is no number: told, the rest is read."""
    text = MRG.replace("\t7084", "").replace("0.472", "0.4x2")
    parsed = parse(text, "res.a/mrg.q100.1")

    assert [(2, "20 cells where the header has 21"),
            (3, "wpi: not a number")] == told(parsed)  # fmt: skip
    assert 19 + 19 == len(parsed.rows)


def test_a_step_that_did_not_run():
    """The script prints the rates that it did not find as 0: none is read."""
    line = "0\t0\t0" + "\t" * 13 + "\tNA\t\t\t\tpg124.cx5\n"
    parsed = parse(MRG + line, "res.a/mrg.q100.1")

    assert [(6, "a step that did not run: not read")] == told(parsed)
    assert parse(MRG, "res.a/mrg.q100.1").rows == parsed.rows


def test_percent_of_response_times():
    """By bucket and DBMS; nonzero is no figure, the longest is in seconds."""
    parsed = parse(SHARES, "rt/mrg.q100.1.rt.query")
    longest = figure(parsed, 4, "rt_max")

    assert 11 + 10 == len(parsed.rows)
    assert Row(2, "", "rt_pct_1ms", 36.77, "%", "none", "my8031.c8",
               "query") == figure(parsed, 2, "rt_pct_1ms")  # fmt: skip
    assert (0.104, "s", "lower", "actual") == (
        longest.value, longest.unit, longest.direction, longest.clock,
    )  # fmt: skip


def test_counts_of_response_times():
    """Of each client, of all, and in percent; DBMS stands for the folder's."""
    parsed = parse(COUNTS, "l.i0/o.rt.t.insert")

    assert ("insert", 18900, {"client": "1"}, "") == (
        figure(parsed, 2, "rt_1ms").op, figure(parsed, 2, "rt_1ms").value,
        figure(parsed, 2, "rt_1ms").dims, figure(parsed, 2, "rt_1ms").tag,
    )  # fmt: skip
    assert ({}, 58.196) == (
        figure(parsed, 3, "rt_4ms").dims, figure(parsed, 4, "rt_pct_4ms").value,
    )  # fmt: skip
    assert [2, 4] == [r.line for r in parsed.rows if r.metric == "rt_max"]


def test_slices_of_the_run():
    """Ten mean rates of each client, in order."""
    table = parse(SLICES, "rt/mrg.q100.1.rate.query").series["iibench_slices"]

    assert {"line": 4, "client": 2, "op": "query", "slice": 3, "rate": 4554,
            "tag": "my8031.cy8_128gram"} == table.to_pylist()[12]  # fmt: skip
    assert 20 == table.num_rows


def test_slices_without_a_header():
    """o.rate.t.3 is of inserts; its DBMS is the folder's."""
    line = "\t".join(["5245"] * 10) + "\t1:DBMS\n"
    table = parse(line, "l.i0/o.rate.t.3").series["iibench_slices"]

    assert (["insert"] * 10, False) == (
        table["op"].to_pylist(), "tag" in table.column_names,
    )  # fmt: skip


@pytest.mark.parametrize("name", ["o.rate.t.5", "rates", "mrg.q100.1.rate.scan"])
def test_rates_of_nobody_knows_what(name: str):
    """Column 5 was queries, then deletes."""
    parsed = parse(SLICES, name)

    assert ({}, [0]) == (parsed.series, [line for line, _ in told(parsed)])


def test_seconds_of_the_smallest_key():
    """One per step and DBMS; a line without all of them is told."""
    parsed = parse(GETMIN + "0.1\t0.2\t160m.pg153.cx7\n", "o.getmin.c2.4g.pg153.r")
    first = parsed.rows[1]

    assert 2 * 4 == len(parsed.rows)
    assert (2, "q100", "getmin_s", 0.019, "s") == (
        first.line, first.step, first.metric, first.value, first.unit,
    )  # fmt: skip
    assert [(4, "not 4 figures and the name of a DBMS: not read")] == told(parsed)


def test_groups_of_smallest_keys():
    """A line of a dash between groups is no damage."""
    first, *rest = GETMIN.removesuffix("\n").split("\n")
    parsed = parse("\n".join([first, rest[0], "-", rest[1], ""]), "o.getmin.c2.4g.in.r")

    assert [2, 4] == sorted({row.line for row in parsed.rows})
    assert [] == parsed.problems


@pytest.mark.parametrize("text", [HEADER, MRG, REL, SUM, SHARES, COUNTS, SLICES, GETMIN])
def test_recognised_by_content(text: str):
    """Whatever the name is, and not by the name alone."""
    assert recognises(TextFile("notes", text))
    assert not recognises(TextFile("mrg.q100.1", "nothing\t1\n"))
