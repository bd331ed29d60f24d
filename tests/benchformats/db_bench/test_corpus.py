"""Published figures of db_bench that follow from the archives through these formats."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pandas as pd
import pytest
from corpus import corpus

from benchformats.db_bench import log as db_bench
from benchformats.db_bench import sums as db_bench_sums
from benchformats.db_bench import tables as db_bench_tables
from benchformats.names import decode_path
from benchformats.parsed import Parsed, Row, TextFile
from benchformats.text.file import unpacked
from benchmath.variation.cov import coefficient_of_variation, worst_cov

pytestmark = pytest.mark.unit

COUNTED = ("fillseq", "readrandom", "fwdrangewhilewriting", "readwhilewriting",
           "overwriteandwait")  # fmt: skip
# Largest CoV over the steps above, as published, recomputed, and of which step.
MAX_COV = """\
workload,server,dop,published,recomputed,step
byrx,m5.2xl.ht0,1,0.149,0.14868,fwdrangewhilewriting
byrx,m5.2xl.ht0,4,0.010,0.00971,overwriteandwait
byrx,m5.2xl.ht1,1,0.050,0.05005,fwdrangewhilewriting
byrx,m5.2xl.ht1,4,0.028,0.02840,readwhilewriting
byrx,m5d.2xl.ht0.nvme,1,0.013,0.01274,overwriteandwait
byrx,m5d.2xl.ht0.nvme,2,0.021,0.02130,readwhilewriting
byrx,m5d.2xl.ht0.nvme,4,0.031,0.03060,overwriteandwait
byrx,m5d.2xl.ht1.nvme,1,0.014,0.01385,overwriteandwait
byrx,m5d.2xl.ht1.nvme,2,0.066,0.06632,fwdrangewhilewriting
byrx,m5d.2xl.ht1.nvme,4,0.043,0.04312,fwdrangewhilewriting
byrx,m5d.2xl.ht0.io2,1,0.087,0.08716,fwdrangewhilewriting
byrx,m5d.2xl.ht0.io2,2,0.048,0.04835,fwdrangewhilewriting
byrx,m5d.2xl.ht0.io2,4,0.039,0.03919,readrandom
byrx,m5d.2xl.ht1.io2,1,0.075,0.07504,fwdrangewhilewriting
byrx,m5d.2xl.ht1.io2,2,0.016,0.01603,overwriteandwait
byrx,m5d.2xl.ht1.io2,4,0.014,0.01364,readrandom
byrx,m5d.4xl.ht0.nvme,1,0.027,0.02719,readwhilewriting
byrx,m5d.4xl.ht0.nvme,4,0.028,0.02810,readrandom
byrx,m5d.4xl.ht0.nvme,8,0.026,0.02586,readwhilewriting
byrx,m5d.4xl.ht1.nvme,1,0.038,0.03814,readwhilewriting
byrx,m5d.4xl.ht1.nvme,4,0.017,0.01677,fwdrangewhilewriting
byrx,m5d.4xl.ht1.nvme,8,0.019,0.01861,readwhilewriting
byrx,m5d.4xl.ht0.io2,1,0.013,0.01335,readwhilewriting
byrx,m5d.4xl.ht0.io2,4,0.028,0.02841,fwdrangewhilewriting
byrx,m5d.4xl.ht0.io2,8,0.018,0.01801,readrandom
byrx,m5d.4xl.ht1.io2,1,0.039,0.03923,fwdrangewhilewriting
byrx,m5d.4xl.ht1.io2,4,0.009,0.00886,overwriteandwait
byrx,m5d.4xl.ht1.io2,8,0.015,0.01477,readrandom
byrx,c6i.2xl.ht1,4,0.115,0.11526,readrandom
byrx,c6i.4xl.ht0,4,0.021,0.02146,readrandom
byrx,c6i.4xl.ht1,8,0.008,0.00835,overwriteandwait
byrx,c6i.8xl.ht0,8,0.013,0.01284,readrandom
byrx,c6i.8xl.ht1,16,0.007,0.00727,overwriteandwait
byrx,c6i.12xl.ht0,16,0.007,0.00692,readwhilewriting
iobuf,m5.2xl.ht0,1,0.005,0.00481,fwdrangewhilewriting
iobuf,m5.2xl.ht0,4,0.006,0.00610,fwdrangewhilewriting
iobuf,m5.2xl.ht1,1,0.007,0.00718,fwdrangewhilewriting
iobuf,m5.2xl.ht1,4,0.014,0.01367,fwdrangewhilewriting
iobuf,m5d.2xl.ht0.nvme,1,0.025,0.02525,fillseq
iobuf,m5d.2xl.ht0.nvme,2,0.027,0.02691,fillseq
iobuf,m5d.2xl.ht0.nvme,4,0.016,0.01628,fillseq
iobuf,m5d.2xl.ht1.nvme,1,0.005,0.00454,overwriteandwait
iobuf,m5d.2xl.ht1.nvme,2,0.011,0.01128,fillseq
iobuf,m5d.2xl.ht1.nvme,4,0.030,0.02958,fwdrangewhilewriting
iobuf,m5d.2xl.ht0.io2,1,0.008,0.00763,fillseq
iobuf,m5d.2xl.ht0.io2,2,0.008,0.00796,fwdrangewhilewriting
iobuf,m5d.2xl.ht0.io2,4,0.010,0.00967,fwdrangewhilewriting
iobuf,m5d.2xl.ht1.io2,1,0.005,0.00472,fwdrangewhilewriting
iobuf,m5d.2xl.ht1.io2,2,0.008,0.00792,readwhilewriting
iobuf,m5d.2xl.ht1.io2,4,0.004,0.00391,readrandom
iobuf,m5d.4xl.ht0.nvme,1,0.011,0.01066,readwhilewriting
iobuf,m5d.4xl.ht0.nvme,4,0.010,0.00980,overwriteandwait
iobuf,m5d.4xl.ht0.nvme,8,0.007,0.00739,fwdrangewhilewriting
iobuf,m5d.4xl.ht1.nvme,1,0.010,0.00979,overwriteandwait
iobuf,m5d.4xl.ht1.nvme,4,0.008,0.00784,overwriteandwait
iobuf,m5d.4xl.ht1.nvme,8,0.004,0.00437,readrandom
iobuf,m5d.4xl.ht0.io2,1,0.011,0.01058,fillseq
iobuf,m5d.4xl.ht0.io2,4,0.028,0.02780,fillseq
iobuf,m5d.4xl.ht0.io2,8,0.013,0.01349,fillseq
iobuf,m5d.4xl.ht1.io2,1,0.011,0.01057,fillseq
iobuf,m5d.4xl.ht1.io2,4,0.011,0.01126,readrandom
iobuf,m5d.4xl.ht1.io2,8,0.004,0.00427,fillseq
iobuf,c6i.2xl.ht1,4,0.042,0.04226,fillseq
iobuf,c6i.4xl.ht0,4,0.007,0.00652,fwdrangewhilewriting
iobuf,c6i.4xl.ht1,8,0.012,0.01207,fwdrangewhilewriting
iobuf,c6i.8xl.ht0,8,0.010,0.00965,fwdrangewhilewriting
iobuf,c6i.8xl.ht1,16,0.017,0.01667,fillseq
iobuf,c6i.12xl.ht0,16,0.007,0.00680,fwdrangewhilewriting
"""


def read(path: Path, module) -> Parsed:
    """A file of the corpus, gz or not."""
    data = b"".join(unpacked(path)) if path.suffix == ".gz" else path.read_bytes()
    name = "/".join(path.parts[-2:]).removesuffix(".gz")
    file = TextFile(name, data.decode())
    assert module.recognises(file), path
    return module.read(file)


def throughput(folder: Path) -> pd.DataFrame:
    """Every run of the variance study: server, dop and workload from names."""
    records = []
    for path in sorted(folder.glob("*/sum.*.txt")):
        place = decode_path("/".join(path.parts[-2:]))
        records += [
            {
                "server": place.machine, "dop": place.dop, "workload": place.workload,
                "step": row.step.partition(".")[0], "metric": row.metric,
                "value": row.value, "unit": row.unit, "direction": row.direction,
                "main": row.main, "trial": row.trial, "version": row.version,
            }
            for row in read(path, db_bench_sums).rows if row.main
        ]  # fmt: skip
    return pd.DataFrame(records)


def test_the_published_variance_of_cloud_servers():
    """68 of 68 cells: largest CoV of a server and dop, and 4 decimals of ours."""
    frame = throughput(corpus("rocksdb_variance_2022"))
    cov = coefficient_of_variation(frame)
    keys = ["workload", "server", "dop"]
    worst = worst_cov(cov, keys, COUNTED).set_index(keys)

    golden = list(csv.DictReader(io.StringIO(MAX_COV)))
    expected, computed = {}, {}
    for cell in golden:
        key = (cell["workload"], cell["server"], int(cell["dop"]))
        expected[key] = (cell["published"], cell["recomputed"], cell["step"])
        value = worst.loc[key, "cov_published"]
        computed[key] = (f"{value:.3f}", f"{value:.5f}", worst.loc[key, "worst_step"])
    assert (68, expected) == (len(golden), computed)
    assert {3} == set(cov["n"])


def test_every_line_of_every_sdev_file():
    """490 of 490: mean, population stddev and ratio as awk prints them."""
    files = sorted(corpus("rocksdb_variance_2022").glob("*/*.sdev"))
    parsed = [read(path, db_bench_sums) for path in files]
    metrics = [row.metric for one in parsed for row in one.rows]

    assert [] == [problem for one in parsed for problem in one.problems]
    assert (70, 490) == (len(files), metrics.count("ops_sec_mean"))
    assert metrics.count("ops_sec_stddev") == metrics.count("ops_sec_cov") == 490


def blocks(parsed: Parsed) -> dict[str, list[float]]:
    """ops_sec of each block of a sum file, by the step of its last row."""
    found: dict[str, list[float]] = {}
    held: list[Row] = []
    rows = [row for row in parsed.rows if row.main]
    for row, after in zip(rows, [*rows[1:], None], strict=True):
        held.append(row)
        if after is None or after.line > row.line + 1:
            found[row.step] = [r.value for r in held]
            held = []
    return found


def test_tables_of_releases_follow_from_their_sums():
    """80 absolute rows, and 80 relative ones as C prints two decimals.

    A row is named after the last version's step: those of 6.x that say overwriteandwait
    begin with versions that were measured with overwrite.
    """
    folder = corpus("rocksdb_releases_2023")
    counts = {"abs": 0, "rel2": 0}
    for path in sorted(folder.glob("sum.*.txt")):
        name = path.name.removeprefix("sum.").removesuffix(".txt")
        sums = blocks(read(path, db_bench_sums))
        ratios = {
            step: [float(f"{v / values[0]:.2f}") for v in values[1:]]
            for step, values in sums.items()
        }
        for kind, suffix, expected in (("abs", "tsv", sums), ("rel2", "csv", ratios)):
            table = read(folder / f"{kind}.{name}.{suffix}", db_bench_tables)
            shown: dict[str, list[float]] = {}
            for row in table.rows:
                shown.setdefault(row.step, []).append(row.value)
            assert {step: expected[step] for step in shown} == shown, path
            counts[kind] += len(shown)

    assert {"abs": 80, "rel2": 80} == counts


def test_releases_without_a_step_that_failed_or_a_line_that_is_unread():
    """10 sums of 79 releases, two of them measured twice in one file."""
    files = sorted(corpus("rocksdb_releases_2023").glob("sum.*.txt"))
    parsed = [read(path, db_bench_sums) for path in files]
    versions = {row.version for one in parsed for row in one.rows}

    assert (10, 79) == (len(files), len(versions))
    twice = {row.version for one in parsed for row in one.rows if row.trial == 2}
    assert 2 == len(twice)


def test_what_a_script_got_wrong_of_old_releases():
    """Sizes of 5.4 to 5.18 are in GB; until 6.0 usec_op was of all clients together."""
    told, sizes, times = set(), [], 0
    for path in sorted(corpus("rocksdb_releases_2023").glob("sum.*.txt")):
        parsed = read(path, db_bench_sums)
        told |= {(path.name.split(".")[2], p.text.split(":")[0]) for p in parsed.problems}
        figures = {(row.line, row.metric): row.value for row in parsed.rows}
        for row in parsed.rows:
            if row.metric == "lsm_sz_correct" and row.step.startswith("fillseq"):
                sizes.append(row.value)
            if row.metric == "usec_op_correct":
                printed = figures[row.line, "usec_op"]
                assert printed == pytest.approx(row.value / 8, rel=0.003, abs=0.051)
                assert row.version < "6"
                times += 1

    assert {
        ("4x", "4.4.1 and 9 more"), ("5x", "5.0.2 and 18 more"),
        ("5x", "5.4.12 and 14 more"),
    } == told  # fmt: skip
    assert (30, {16.0, 439.0}) == (len(sizes), set(sizes))
    assert 2 * 29 * 8 == times


def test_the_shape_of_an_lsm_tree():
    """Read-only figures after each change by hand, from the logs of 2021."""
    folder = corpus("rocksdb_lsm_shape_2021") / "r.10000000.275000.1000000"
    parsed = read(folder / "o.point2", db_bench)

    assert [("", 122677), ("", 150690), ("flush", 150950), ("flush", 150545),
            ("compact0", 188147), ("compact0", 216644), ("compact1", 189728),
            ("compact1", 232247), ("compactall", 236929), ("compactall", 304090)] == [
        (r.dims.get("after", ""), r.value)
        for r in parsed.rows if r.main and r.step == "readrandom"
    ]  # fmt: skip
    assert [] == parsed.problems


def test_compaction_tables_add_up():
    """48 dumps: GB written by all levels are those of the line below the table."""
    dumps, keys = 0, ("step", "trial", "after", "version", "dump")
    for path in sorted(corpus("rocksdb_lsm_shape_2021").rglob("o.*")):
        series = read(path, db_bench).series
        if "db_bench_stats" not in series:
            continue
        stats = {
            tuple(s[k] for k in keys): s["c_wgb"]
            for s in series["db_bench_stats"].to_pylist()
        }
        for line in series["db_bench_compaction"].to_pylist():
            if line["level"] == "Sum":
                key = tuple(
                    line[k] for k in ("step", "trial", "after", "version", "dump")
                )
                assert stats[key] == pytest.approx(line["write_gb"], abs=0.051), path
                dumps += 1
    assert 48 == dumps
