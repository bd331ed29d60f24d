"""Real files of the sysbench family: published ratios follow from published figures."""

import gzip
from collections import Counter

import pytest
from corpus import corpus, corpus_file
from sysbench_files import not_printed, told

from benchformats.parsed import TextFile
from benchformats.sysbench import met as sysbench_met
from benchformats.sysbench import met_tables, qps_tables
from benchformats.sysbench import output as sysbench_output
from benchformats.sysbench import r as sysbench_r
from benchmath.compatible import published_ratio

pytestmark = pytest.mark.unit

MYSQL = "sysbench_mysql_2024"
POSTGRES = "sysbench_postgres_raw_2025"
CHECKED: Counter[str] = Counter()  # cells that were found equal, by kind of table


def by_cell(parsed):
    return {(r.step, r.metric, r.tag): r.value for r in parsed.rows}


def test_every_ratio_of_throughput_is_the_printf_of_its_figures():
    """42 tests x 24 versions in four tables: %.2f of me / base."""
    for file in sorted(corpus(MYSQL).glob("qps.rel.*.tsv")):
        rel = qps_tables.read(corpus_file(file))
        absolute = by_cell(
            qps_tables.read(corpus_file(file.with_name(file.name.replace("rel", "abs"))))
        )
        assert [] == told(rel)
        for row in rel.rows:
            me = absolute[row.step, "qps", row.tag]
            base = absolute[row.step, "qps", row.dims["relative_to"]]
            assert float(published_ratio(me, base)) == row.value, (file.name, row)
            CHECKED["qps.rel"] += 1

    assert 1008 == CHECKED["qps.rel"]


def test_every_csv_holds_what_its_tsv_holds():
    """Name first, without a head: the same cells in the same order."""
    for file in sorted(corpus(MYSQL).glob("qps.*.csv")):
        table = qps_tables.read(corpus_file(file.with_suffix(".tsv")))
        printed = [line.split(",") for line in file.read_text().splitlines()]
        cells = [(name, float(v)) for name, *values in printed for v in values]
        assert cells == [(row.step, row.value) for row in table.rows], file.name
        CHECKED["csv"] += len(cells)

    assert 2184 == CHECKED["csv"]


def test_every_relative_figure_is_the_printf_of_its_figures():
    """43 blocks in four tables: 1 where both are 0, inf where only the base is."""
    for file in sorted(corpus(MYSQL).glob("met.*.txt")):
        parsed = met_tables.read(corpus_file(file))
        found = by_cell(parsed)
        assert [] == told(parsed)
        for row in parsed.rows:
            if row.metric.startswith("rel_"):
                metric = row.metric.removeprefix("rel_")
                me = found[row.step, metric, row.tag]
                base = found[row.step, metric, row.dims["relative_to"]]
                assert float(published_ratio(me, base)) == row.value, (file.name, row)
                CHECKED["met"] += 1

    assert 5160 == CHECKED["met"]


def test_tables_and_metrics_agree_on_throughput():
    """o/s of met.* is the qps of the same version and test, but for the scan's rows."""
    for tag in ("my56", "my57", "my678", "my80"):
        folder = corpus(MYSQL)
        qps = by_cell(qps_tables.read(corpus_file(folder / f"qps.abs.{tag}.tsv")))
        met = by_cell(met_tables.read(corpus_file(folder / f"met.{tag}.txt")))
        for (step, _, dbms), value in qps.items():
            scale = 1e-6 if step == "scan_range=100" else 1
            assert round(met[step, "o_s", dbms] * scale, 3) == value
            CHECKED["o/s"] += 1

    assert 1176 == CHECKED["o/s"]


def test_rounded_figures_of_raw_output_are_those_of_the_small_files():
    """sb.r.* and o/s of sb.met.* come from sb.o.*: three tests, five figures each."""
    folder = next(corpus(POSTGRES).iterdir())
    for test in ("points-covered-pk", "update-index", "scan"):
        output = sysbench_output.read(
            corpus_file(folder / f"sb.o.{test}.range100.pk1.dop40")
        )
        values = {row.metric: row.value for row in output.rows}
        scan = test == "scan"
        made = {"qps": values["scans_s"] * 10_000 if scan else values["qps"],
                "trx": values["tps"]}  # fmt: skip
        for metric in ("qps", "trx", "rtavg", "rtmax", "rt95"):
            path = folder / f"sb.r.{metric}.{test}.range100.pk1"
            [row] = sysbench_r.read(corpus_file(path)).rows
            expected = round(made[metric]) if metric in made else values[metric]
            assert expected == row.value, path.name
            CHECKED["sb.r"] += 1
        met = sysbench_met.read(corpus_file(folder / f"sb.met.{test}.range100.pk1.dop40"))
        [rate] = [row.value for row in met.rows if row.metric == "o_s"]
        assert pytest.approx(made["qps"]) == rate

    assert 15 == CHECKED["sb.r"]


def test_no_file_of_the_family_has_a_figure_that_it_does_not_print():
    """Every row's value stands in its line, and nothing is told as damaged."""
    modules = (sysbench_output, sysbench_r, sysbench_met, met_tables, qps_tables)
    for name in (MYSQL, POSTGRES):
        for path in sorted(corpus(name).rglob("*")):
            if path.is_file() and not path.name.startswith(("sb.io", "sb.vm")):
                file = corpus_file(path)
                for module in modules:
                    if module.recognises(file):
                        parsed = module.read(file)
                        assert [] == not_printed(parsed, file.text), path.name
                        CHECKED["files"] += 1
                        CHECKED["figures"] += len(parsed.rows)

    assert (41, 13505) == (CHECKED["files"], CHECKED["figures"])


def test_packed_output_of_2020_is_read():
    """Six runs of 90 s: transactions and queries per second agree with their counts."""
    for path in sorted(corpus("sysbench_2020").rglob("*.gz")):
        text = gzip.decompress(path.read_bytes()).decode()
        name = path.name.removesuffix(".gz")
        parsed = sysbench_output.read(TextFile(f"fbmy56/{name}", text))
        values = {row.metric: row.value for row in parsed.rows}
        assert [] == told(parsed)
        for rate, count in (("qps", "queries"), ("tps", "transactions")):
            assert round(values[count] / values["elapsed_s"], 0) == pytest.approx(
                values[rate], abs=1
            )
            CHECKED["2020"] += 1

    assert 12 == CHECKED["2020"]
