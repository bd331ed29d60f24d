"""The notes of 2017, and the figures that were published from them."""

from __future__ import annotations

import csv
import io
from decimal import ROUND_HALF_UP, Decimal

import pytest
from corpus import corpus, corpus_file
from iibench_files import NOTES, PRE_AND_POST, TESTS
from sysbench_files import told

from benchformats.notes_2017.engines import engine_of
from benchformats.notes_2017.notes import read, recognises
from benchformats.parsed import Parsed, Row, TextFile

pytestmark = pytest.mark.unit

# As published in November 2017. Bytes that MyRocks writes are halved: iostat counts
# trimmed bytes as written.
LOAD = """\
nuc,engine,IPS,CPU_i,wKB_i,rKB_i,size_GB
i3,MyRocks.none,22122,2699,1.79,0.25,28
i3,MyRocks.zstd,20169,3243,1.36,0.14,13
i3,InnoDB-5.6,2665,4934,39.08,6.10,46
i3,InnoDB-5.7,3242,3526,34.24,2.54,46
i5,MyRocks.none,26837,2278,1.75,0.12,56
i5,MyRocks.zstd,24811,2770,1.52,0.06,25
i5,InnoDB-5.6,5978,4265,44.50,2.10,90
i5,InnoDB-5.7,5634,4690,44.92,1.26,90
"""
RELATIVE = """\
nuc,engine,IPS,CPU_i,wKB_i,rKB_i,size_GB
i3,MyRocks.zstd,0.91,1.20,0.76,0.56,0.46
i3,InnoDB-5.6,0.12,1.83,21.83,24.40,1.64
i3,InnoDB-5.7,0.15,1.31,19.13,10.16,1.64
i5,MyRocks.zstd,0.92,1.22,0.87,0.50,0.45
i5,InnoDB-5.6,0.22,1.87,25.43,17.50,1.61
i5,InnoDB-5.7,0.21,2.06,25.67,10.50,1.61
"""
SCANS = """\
nuc,q1,q2,q3,q4,q5,q2-4,engine
i3,219,202,222,224,207,648,MyRocks.none
i3,182,189,203,197,168,589,MyRocks.none.ra
i3,241,206,230,228,230,664,MyRocks.zstd
i3,241,195,215,212,201,622,MyRocks.zstd.ra
i3,292,181,194,212,127,587,InnoDB-5.6
i3,419,148,157,203,99,508,InnoDB-5.7
i5,394,345,381,366,342,1092,MyRocks.none
i5,331,318,344,331,285,993,MyRocks.none.ra
i5,385,346,383,386,372,1115,MyRocks.zstd
i5,359,327,360,356,341,1043,MyRocks.zstd.ra
i5,475,290,302,314,225,906,InnoDB-5.6
i5,417,250,267,249,164,766,InnoDB-5.7
"""
READ_WRITE = """\
nuc,rate,engine,IPS.av,IPS.99,wKB_i,QPS.av,QPS.99,rKB_q,CPU_q
i3,1000,MyRocks.none,999,998,1.30,3349,2377,0.37,7912
i3,1000,MyRocks.zstd,999,998,1.70,3450,2506,0.25,7986
i3,1000,InnoDB-5.6,999,977,26.20,258,156,101.61,37834
i3,1000,InnoDB-5.7,999,977,30.70,311,238,98.68,26829
i5,1000,MyRocks.none,999,998,2.23,3818,2395,0.47,6945
i5,1000,MyRocks.zstd,999,998,1.96,3986,2858,0.28,6788
i5,1000,InnoDB-5.6,999,987,73.09,992,626,59.45,16798
i5,1000,InnoDB-5.7,999,988,71.22,1042,738,61.07,16115
i3,100,MyRocks.none,100,100,,3419,3184,0.01,7173
i3,100,MyRocks.zstd,100,100,,3549,3270,0.01,6969
i3,100,InnoDB-5.6,100,100,,827,534,66.49,13675
i3,100,InnoDB-5.7,100,100,,900,566,69.56,10269
i5,100,MyRocks.none,100,100,,3911,3740,0,6202
i5,100,MyRocks.zstd,100,100,,4090,3841,0.01,5938
i5,100,InnoDB-5.6,100,100,,1334,951,50.42,11546
i5,100,InnoDB-5.7,100,100,,1383,996,52.50,10807
"""
RAW = {
    "MyRocks.none": "myrocks.aug15.none", "MyRocks.zstd": "myrocks.aug15.zstd",
    "InnoDB-5.6": "inno5635", "InnoDB-5.7": "inno5717",
}  # fmt: skip
METRICS = {
    "IPS": "ips", "CPU_i": "mcpu_i", "wKB_i": "wkb_i", "rKB_i": "rkb_i",
    "size_GB": "size", "IPS.av": "ips", "IPS.99": "ips_99", "QPS.av": "qps",
    "QPS.99": "qps_99", "rKB_q": "rkb_q", "CPU_q": "mcpu_q",
}  # fmt: skip
SIZES = {"i3": "250m", "i5": "500m"}  # larger than memory


def table(text: str) -> list[dict[str, str]]:
    """A published table, a line a row."""
    return list(csv.DictReader(io.StringIO(text)))


def half_up(value: Decimal) -> Decimal:
    """Two decimals as on paper: 1.745 is 1.75."""
    return value.quantize(Decimal("0.01"), ROUND_HALF_UP)


def raw_figures() -> dict[tuple[str, str, str, str], Decimal]:
    """(nuc, step, engine, metric) -> figure of the archive, IO-bound."""
    parsed = read(corpus_file(corpus("ibench_nuc_2017") / "ibench.nuc"))
    return {
        (row.machine.removeprefix("core-"), row.step, row.tag, row.metric): Decimal(
            str(row.value)
        )
        for row in parsed.rows
        if row.dims["size"] in SIZES.values()
    }


def expected(raw: Decimal, column: str, engine: str) -> Decimal:
    """What should have been published of a raw figure."""
    if column == "wKB_i" and engine.startswith("MyRocks"):
        raw = half_up(raw / 2)
    return raw


def differing(text: str, step: str) -> tuple[int, list[tuple]]:
    """How many cells follow from the archive, and those that do not, with its figure."""
    raw, count, wrong = raw_figures(), 0, []
    for line in table(text):
        for column, shown in line.items():
            if column in METRICS and shown:
                name = step.format(rate=line.get("rate", ""))
                key = (line["nuc"], name, RAW[line["engine"]], METRICS[column])
                right = expected(raw[key], column, line["engine"])
                if right == Decimal(shown):
                    count += 1
                else:
                    wrong.append((line["nuc"], line["engine"], column, shown, str(right)))
    return count, wrong


@pytest.mark.corpus
def test_published_loads():
    """39 of 40 cells: two digits of one are swapped."""
    assert (39, [("i3", "MyRocks.zstd", "IPS", "20169", "20619.0")]) == (
        differing(LOAD, "l")
    )


@pytest.mark.corpus
def test_published_read_write():
    """102 of 104 cells: two are KB read, not written, per insert."""
    assert (102, [("i3", "InnoDB-5.6", "wKB_i", "26.20", "67.92"),
                  ("i3", "InnoDB-5.7", "wKB_i", "30.70", "65.64")]) == (
        differing(READ_WRITE, "q{rate}")
    )  # fmt: skip
    raw = raw_figures()
    assert [Decimal("26.2"), Decimal("30.7")] == [
        raw["i3", "q1000", engine, "rkb_i"] for engine in ("inno5635", "inno5717")
    ]


@pytest.mark.corpus
def test_published_scans():
    """72 of 72 cells, of MyRocks as of June; three of them add up to the last."""
    raw, count = raw_figures(), 0
    for line in table(SCANS):
        engine = line["engine"].replace("MyRocks.", "myrocks.jun16.")
        tag = RAW.get(engine, engine)
        for step, shown in line.items():
            if step.startswith("q"):
                key = (line["nuc"], f"scan.{step}", tag, "elapsed_s")
                assert Decimal(shown) == raw[key], key
                count += 1
    assert 72 == count
    assert all(
        int(line["q2-4"]) == sum(int(line[q]) for q in ("q2", "q3", "q4"))
        for line in table(SCANS)
    )


def test_relative_loads_follow_from_the_published_ones():
    """30 of 30 cells as decimals are rounded on paper; C's printf has others."""
    absolute = {(line["nuc"], line["engine"]): line for line in table(LOAD)}
    count = 0
    for line in table(RELATIVE):
        me, base = (
            absolute[line["nuc"], line["engine"]],
            absolute[line["nuc"], "MyRocks.none"],
        )
        for column in METRICS.keys() & line.keys():
            ratio = half_up(Decimal(me[column]) / Decimal(base[column]))
            assert Decimal(line[column]) == ratio, (line["engine"], column)
            count += 1
    assert 30 == count


@pytest.mark.corpus
def test_a_wrong_cell_has_a_consequence():
    """0.91 follows from the published load, 0.93 from the archive's."""
    raw = raw_figures()
    base = raw["i3", "l", "myrocks.aug15.none", "ips"]

    assert Decimal("0.93") == half_up(raw["i3", "l", "myrocks.aug15.zstd", "ips"] / base)


@pytest.mark.corpus
def test_all_lines_of_the_archive():
    """Every figure of four sections is read; seconds of scans agree where told twice."""
    parsed = read(corpus_file(corpus("ibench_nuc_2017") / "ibench.nuc"))

    assert [] == parsed.problems
    assert (5964, {("core-i3", "10m"), ("core-i5", "10m"), ("core-i3", "250m"),
                   ("core-i5", "500m")}) == (
        len(parsed.rows), {(r.machine, r.dims["size"]) for r in parsed.rows}
    )  # fmt: skip
    assert {"myrocks", "innodb", "myisam"} == {r.engine for r in parsed.rows}


def parse(text: str) -> Parsed:
    """The notes under a name that says nothing."""
    return read(TextFile("notes", text))


def test_a_load():
    """Machine, size and clients from the section, version and build from the engine."""
    rows = parse(NOTES).rows[:7]
    dims = {"size": "250m", "tables": "1", "compression": "none", "assertions": "yes"}

    assert Row(9, "l", "ips", 15936, "rows/s", "higher", "myrocks.apr14.none.no_NDEBUG",
               "insert", True, 1, version="apr14", engine="myrocks", machine="core-i3",
               dims=dims) == rows[0]  # fmt: skip
    assert {"ips_99": 13984, "rkb_i": 0.53, "wkb_i": 3.61, "mcpu_i": 3243, "size": 28,
            "cpu": 51.7} == {r.metric: r.value for r in rows[1:]}  # fmt: skip
    assert [] == parse(NOTES).problems


def test_scans():
    """Seconds once, though they stand in two tables; the other figures of one scan."""
    rows = [r for r in parse(NOTES).rows if r.step == "scan.q4"]

    assert [(14, "elapsed_s", 210), (15, "elapsed_s", 212), (19, "rmb_s", 28.2)] == [
        (r.line, r.metric, r.value) for r in rows[:3]
    ]
    assert 2 + 2 * 4 == len(rows)
    assert 629 == next(r.value for r in parse(NOTES).rows if r.step == "scan.q2-4")


def test_scans_that_disagree():
    """The first table is kept, the other's seconds are told."""
    parsed = parse(NOTES.replace("212\t35.2", "213\t35.2"))

    assert [(20, "secs: 212 in the table of all scans: not read")] == told(parsed)


def test_reads_and_writes():
    """Per insert and per query; queries are the rate, at each rate of inserts."""
    rows = [r for r in parse(NOTES).rows if r.step in ("q1000", "q100")]

    assert [("q1000", "ips", "insert", False), ("q1000", "ips_99", "insert", False),
            ("q1000", "qps", "query", True), ("q1000", "qps_99", "query", False),
            ("q1000", "wkb_i", "insert", False), ("q1000", "rkb_q", "query", False),
            ("q1000", "mcpu_q", "query", False)] == [
        (r.step, r.metric, r.op, r.main) for r in rows[:7]
    ]  # fmt: skip
    assert 3536 == next(r.value for r in rows if (r.step, r.metric) == ("q100", "qps"))


def test_sysbench_by_clients():
    """Queries per second of 1 and 2 clients; a line short of one is not guessed at."""
    parsed = parse(TESTS)

    assert [("update-inlist", 1, 1467), ("update-inlist", 2, 2422),
            ("update-inlist", 1, 9099), ("update-inlist", 2, 11666),
            ("delete", 1, 11184), ("delete", 2, 16396)] == [
        (r.step, r.dop, r.value) for r in parsed.rows
    ]  # fmt: skip
    assert [(11, "2 cells where the header has 3: not read")] == told(parsed)


@pytest.mark.parametrize(
    ("title", "step"),
    [("read-write --range-size=100", "read-write_range=100"),
     ("read-only.pre.range10000", "read-only.pre_range=10000"),
     ("point-query.pre", "point-query.pre")],
)  # fmt: skip
def test_steps_of_sysbench(title: str, step: str):
    """Both spellings of a range are the step as the archives name it."""
    parsed = parse(f"{title}\n1\t2\tconcurrency/engine\n 943   1860   inno5635\n")

    assert [(step, 1, 943), (step, 2, 1860)] == [
        (r.step, r.dop, r.value) for r in parsed.rows
    ]
    assert [] == parsed.problems


def test_two_columns_of_as_many_clients():
    """Which of them is of one client, and what is the other?"""
    parsed = parse("update-index\n1\t1\tconcurrency/engine\n 943   1860   inno5635\n")

    assert [] == parsed.rows
    assert [(2, "two columns of one name: not read")] == [
        (problem.line, problem.text) for problem in parsed.problems
    ]


def test_scans_of_sysbench():
    """Before the tests that write and after them, one of four metrics a column."""
    parsed = parse(PRE_AND_POST)
    dims = {"tables": "1", "size": "800m", "compression": "none"}

    assert Row(6, "scan.pre", "elapsed_s", 602, "s", "lower", "myrocks.feb10.none",
               "scan", version="feb10", engine="myrocks", machine="48-core",
               dims=dims) == parsed.rows[0]  # fmt: skip
    assert [("scan", "elapsed_s", 1020, "s"), ("scan.pre", "qps", 1.329, "Mrows/s"),
            ("scan", "qps", 0.784, "Mrows/s")] == [
        (r.step, r.metric, r.value, r.unit) for r in parsed.rows[1:4]
    ]  # fmt: skip
    assert [("update-inlist", 490), ("update-inlist", 967)] == [
        (r.step, r.value) for r in parsed.rows[8:]
    ]
    assert [] == parsed.problems


@pytest.mark.parametrize(
    ("prose", "machine", "dims"),
    [("* HW is NUC5i3ryh - 2 cores, 8G RAM\n"
      "* test is run for 2 tables, 80M rows/table, 1 and then 2 concurrent clients\n",
      "NUC5i3ryh", {"tables": "2", "size": "80m"}),
     ("8t.1m, 48-core, new sysbench\n", "48-core", {"tables": "8", "size": "1m"}),
     ("* HW is NUC5i3ryh and NUC7i5bnh - see elsewhere\n", "", {})],
)  # fmt: skip
def test_what_tables_of_sysbench_are_of(prose: str, machine: str, dims: dict):
    """The same test of the same engine stands in notes of several machines and sizes."""
    table = "\nscan\npre     post\n3\t5\tinno801\n\ndelete\n1\tconcurrency/engine\n"
    rows = parse(f"{prose}{table}9387   inno801\n").rows

    assert ["scan.pre", "scan", "delete"] == [row.step for row in rows]
    assert [(machine, dims)] * 3 == [(row.machine, row.dims) for row in rows]


@pytest.mark.parametrize("units", ["", "secs    secs\n"])
def test_scans_of_which_there_are_only_seconds(units: str):
    """Two columns without a unit are seconds."""
    parsed = parse(f"scan\npre     post\n{units}3\t5\tinno801\n2\tinno802\n")

    assert [("scan.pre", 3), ("scan", 5)] == [(r.step, r.value) for r in parsed.rows]
    assert {"elapsed_s"} == {r.metric for r in parsed.rows}
    assert ["not 2 figures and an engine: not read"] == [t for _, t in told(parsed)]


@pytest.mark.parametrize(
    ("old", "new"),
    [("Mrps    Mrps", "Mrpx    Mrps"), ("Mrps    Mrps", "secs    secs"),
     ("secs    secs    Mrps    Mrps    engine\n", ""), ("pre     post\n", "pre\n")],
)  # fmt: skip
def test_scans_without_their_header(old: str, new: str):
    """What the columns are is never guessed; it is told once, the next table read."""
    parsed = parse(PRE_AND_POST.replace(old, new, 1))

    assert {"update-inlist"} == {r.step for r in parsed.rows}
    assert ["no header says what the scans' columns are: not read"] == [
        text for _, text in told(parsed)
    ]


def test_a_table_that_begins_within_the_scans():
    """Where the line between them is lost, it is not read as scans."""
    parsed = parse(PRE_AND_POST.replace("\n\nupdate-inlist", "\nupdate-inlist"))

    assert {"scan.pre", "scan"} == {r.step for r in parsed.rows}
    assert [8, 9] == [line for line, _ in told(parsed)]


@pytest.mark.parametrize(
    ("name", "expected"),
    [("inno5635", ("innodb", "5.6.35", {})), ("inno803", ("innodb", "8.0.3", {})),
     ("mysiam802", ("myisam", "8.0.2", {})), ("other", ("", "", {})),
     ("toku5717", ("tokudb", "5.7.17", {})), ("fbinno5635.jun16", ("", "", {})),
     ("myrocks.jun16.zstd.ra",
      ("myrocks", "jun16", {"compression": "zstd", "readahead": "yes"})),
     ("myrocks.feb10.no_NDEBUG.zstd",
      ("myrocks", "feb10", {"compression": "zstd", "assertions": "yes"})),
     ("myrocks.feb10", ("myrocks", "feb10", {}))],
)  # fmt: skip
def test_names_of_engines(name: str, expected: tuple):
    """Versions as elsewhere, dates for MyRocks, one slip of the pen."""
    assert expected == engine_of(name)


@pytest.mark.parametrize(
    ("old", "new", "line", "why"),
    [("-- 250m, 1c,", "-- 250m, c,", 5,
      "not a section's title: its tables are not read"),
     ("-- 250m, 1c, 1t, core-i3, mysql\n", "\n", 8,
      "no section says of which machine this table is: not read"),
     ("- load mysql", "- lod mysql", 8,
      "no title that is known says of what this table is: not read"),
     ("- wps=100 mysql", "- load mysql", 27,
      "no title that is known says of what this table is: not read"),
     ("- wps=100 ", "- wps=1000 ", 27,
      "a second table of this title: the title of a section is missing: not read"),
     ("- wps=100 mysql\n", "", 26,
      "no title that is known says of what this table is: not read"),
     ("wkb/i   Mcpu/i", "wkc/i   Mcpu/i", 9, "wkc/i: not a column of this format"),
     ("\t28\t51.7", "\t51.7", 9, "7 cells where the header has 8: not read")],
)  # fmt: skip
def test_damage_is_told(old: str, new: str, line: int, why: str):
    """What a table is of, and its columns, are never guessed."""
    parsed = parse(NOTES.replace(old, new, 1))

    assert (line, why) in told(parsed)
    assert len(parsed.rows) < len(parse(NOTES).rows)


@pytest.mark.parametrize("text", [NOTES, TESTS])
def test_recognised_by_content(text: str):
    """A section or a table by clients; prose is none."""
    assert recognises(TextFile("notes", text))
    assert not recognises(TextFile("ibench.nuc", "Notes:\n* of an engine\n"))
