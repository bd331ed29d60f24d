"""Figures of the insert benchmark's archives that follow from one another."""

from __future__ import annotations

import csv
import io
import math
from pathlib import Path

import pytest
from corpus import corpus, corpus_file

from benchformats.iibench import seconds as iibench_seconds
from benchformats.iibench import tables as iibench_tables
from benchformats.parsed import Parsed, Row, TextFile
from benchformats.text.file import unpacked

pytestmark = pytest.mark.unit

# Of reports of January 2023: rows per second, queries per second, processor time.
CPU = """\
cpus,step,ips,qps,csps,cpups,cspq,cpupq,tag
32,l.i0,1294538,0,178314,59.2,0.138,15,my8031
32,l.i0,838861,0,426078,63.9,0.508,24,fbmy8028
32,l.i0,1542024,0,168575,57.0,0.109,12,pg151
32,l.i1,563750,0,183896,62.5,0.326,35,my8031
32,l.i1,267494,0,147784,40.5,0.552,48,fbmy8028
32,l.i1,639376,0,335425,59.6,0.525,30,pg151
64,q100.1,2185,98973,380597,29.4,3.845,190,my8031
64,q100.1,2184,70300,270124,29.6,3.842,269,fbmy8028
64,q100.1,2185,365228,1395872,32.6,3.822,57,pg151
8,l.i0,96154,0,11075,22.6,0.115,19,my5651
8,l.i0,60060,0,7181,21.6,0.120,29,my8031
8,l.i1,32000,0,7557,16.9,0.236,42,my5651
8,l.i1,21858,0,11388,17.1,0.521,63,my8031
8,q100.1,100,5438,21147,13.2,3.888,194,my5651
8,q100.1,100,3024,12385,13.1,4.096,347,my8031
"""


def read(path: Path) -> Parsed:
    """A table of the corpus, without a problem."""
    file = corpus_file(path)
    assert iibench_tables.recognises(file), path
    parsed = iibench_tables.read(file)
    assert [] == parsed.problems, path
    return parsed


def groups(parsed: Parsed) -> list[list[dict[str, Row]]]:
    """The lines of a merged table by group, each by metric."""
    lines: dict[int, dict[str, Row]] = {}
    for row in parsed.rows:
        lines.setdefault(row.line, {})[row.metric] = row
    found: list[list[dict[str, Row]]] = []
    for number, line in lines.items():
        if number - 1 not in lines:
            found.append([])
        found[-1].append(line)
    return found


def relative(me: float, base: float) -> float:
    """As C prints it: two decimals, 1 of 0/0, inf of x/0."""
    if base == 0:
        return 1.0 if me == 0 else math.inf
    return float(f"{me / base:.2f}")


def test_every_relative_table_follows_from_the_merged_one():
    """1788 of 1788 cells of 15 steps, 11 DBMS in three groups."""
    count, steps = 0, 0
    for path in sorted((corpus("ibench_2021") / "res.a").glob("mrg.*")):
        expected = {
            (str(number), row.tag, f"rel_{metric}"): relative(
                row.value, lines[0][metric].value
            )
            for number, lines in enumerate(groups(read(path)), 1)
            for line in lines[1:]
            for metric, row in line.items()
        }
        rel = read(path.with_name(path.name.replace("mrg.", "rel.", 1)))
        shown = {(r.dims["group"], r.tag, r.metric): r.value for r in rel.rows}
        assert expected == shown, path
        count, steps = count + len(shown), steps + 1

    assert (15, 1788) == (steps, count)


def test_summaries_hold_what_was_merged():
    """Nine of eleven DBMS were merged; reads per second without their decimals."""
    folder = corpus("ibench_2021")
    merged = {
        (row.step, row.tag, row.metric): row.value
        for path in (folder / "res.a").glob("mrg.*")
        for row in read(path).rows
    }
    summed = {
        (row.step, row.tag.removeprefix("20m."), row.metric): row.value
        for path in folder.glob("o.sum.t.*")
        for row in read(path).rows
    }
    differing = {
        key for key in merged
        if abs(merged[key] - summed[key]) > (0.5 if key[2] == "rps" else 0)
    }  # fmt: skip

    assert (set(), 2682) == (differing, len(merged))
    assert {"my5649.cx6d.badcnf", "my5731.cx6d.badcnf"} == (
        {tag for _, tag, _ in summed} - {tag for _, tag, _ in merged}
    )


def test_processor_time_per_operation():
    """15 of 15: percent of all CPUs over the rate, in whole microseconds."""
    for line in csv.DictReader(io.StringIO(CPU)):
        names = [name for name in line if name not in ("cpus", "step")]
        names.insert(-1, "dbgb1")
        cells = [{"dbgb1": "NA", **line}[name] for name in names]
        text = "\t".join(names) + "\n" + "\t".join(cells) + "\n"
        parsed = iibench_tables.read(TextFile(f"mrg.{line['step']}", text))
        found = {row.metric: row for row in parsed.rows}
        rate = next(row.value for row in parsed.rows if row.main)
        cpu = found["cpups"].value / 100 * int(line["cpus"]) * 1e6 / rate

        assert (round(cpu), "us") == (found["cpupq"].value, found["cpupq"].unit), line


def test_seconds_of_loads_add_up():
    """Four loads of 64 to 1024 million rows: seconds, statements, times of indexes."""
    files = sorted(corpus("create_index_2023").rglob("o.ci.*.gz"))
    seconds, sizes = 0, []
    for path in files:
        text = b"".join(unpacked(path)).decode()
        file = TextFile("/".join(path.parts[-3:]).removesuffix(".gz"), text)
        assert iibench_seconds.recognises(file)
        parsed = iibench_seconds.read(file)
        table = parsed.series[iibench_seconds.SERIES].to_pydict()
        found = {r.metric: r.value for r in parsed.rows if r.op == "insert"}
        statements = sum(r.value for r in parsed.rows if r.metric.startswith("rt_")
                         and r.unit == "count")  # fmt: skip

        assert [] == parsed.problems, path
        assert text.count("\n1.0\t") + text.count("\n1.1\t") == len(table["line"])
        assert table["t_ins"][-1] == found["rows"] == 100 * statements
        assert found["ips"] == pytest.approx(found["rows"] / found["elapsed_s"], rel=1e-4)
        assert found["rt_max"] == pytest.approx(max(table["max_i"]) / 1e6, abs=2e-3)
        assert 6 == sum(r.op == "index" for r in parsed.rows)
        seconds += len(table["line"])
        sizes.append(found["rows"])

    assert (24903, [1024e6, 128e6, 512e6, 64e6]) == (seconds, sizes)
