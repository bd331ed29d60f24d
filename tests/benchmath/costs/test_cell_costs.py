"""What an operation costs in each cell: means that may be 0, parts that add up."""

import math

import pandas as pd
import pytest

from benchbook.templates.insert_cost.analysis import log_costs, named
from benchbook.templates.insert_cost.chart import cost_bars
from benchbook.templates.insert_cost.finding import answer
from benchbook.templates.insert_cost.table import cell_costs_table
from benchmath.costs.by_cell import cell_costs, cpu_costs

pytestmark = pytest.mark.unit
NAMES = {
    "w_o": "writes", "cs_o": "switches", "cpu_o": "us", "client_cpu_o": "us",
    "log_rkb_o": "KB", "log_wkb_o": "KB",
}  # fmt: skip


def rows(engine, trial, **values):
    """One run's rows of l.i0: its rate, and what an insert costs."""
    common = {
        "set": "s", "machine": "m", "engine": engine, "run_id": f"{engine}{trial}",
        "trial": trial, "step": "l.i0", "op": "insert", "clock": "", "seq": 1,
    }  # fmt: skip
    rate = {"metric": "ips", "value": 1000.0, "unit": "rows/s", "direction": "higher"}
    made = [common | rate | {"main": True}]
    for name, value in values.items():
        cost = {"metric": name, "value": value, "unit": NAMES[name]}
        made.append(common | cost | {"direction": "lower", "main": False})
    return made


def frame(*runs):
    return pd.DataFrame([row for run in runs for row in run])


def test_the_mean_of_three_runs_has_students_interval():
    """1, 2 and 3: mean 2, stddev 1, t of 2 degrees 4.303, half width 2.484."""
    metric = frame(*(rows("sqlite", n, w_o=float(n)) for n in (1, 2, 3)))

    [found] = cell_costs(metric, ["w_o"]).to_dict("records")

    assert (3, 2.0) == (found["n"], found["mean"])
    half = 4.302653 / math.sqrt(3)
    assert (2 - half, 2 + half) == pytest.approx((found["low"], found["high"]), rel=1e-6)


def test_a_cost_of_nothing_is_zero():
    """A geometric mean would be undefined; two runs without a switch have 0 to 0."""
    metric = frame(rows("sqlite", 1, cs_o=0.0), rows("sqlite", 2, cs_o=0.0))

    [found] = cell_costs(metric, ["cs_o"]).to_dict("records")

    assert (0.0, 0.0, 0.0) == (found["mean"], found["low"], found["high"])


def test_costs_stand_in_the_order_that_is_asked_for():
    """Writes before switches, and no row for what was not recorded."""
    metric = frame(rows("sqlite", 1, cs_o=1.0, w_o=2.0))

    assert ["w_o", "cs_o"] == list(cell_costs(metric, ["w_o", "r_o", "cs_o"])["metric"])


def test_a_server_and_an_embedded_engine_are_told_each_in_its_parts():
    """SQLite has one part and no server; Postgres' two add up to its whole."""
    metric = frame(
        rows("sqlite", 1, cpu_o=5.0), rows("postgres", 1, cpu_o=20.0, client_cpu_o=3.0)
    )

    found = cpu_costs(metric).set_index(["engine", "metric"])["mean"]

    expected = {
        ("sqlite", "client"): 5.0, ("sqlite", "whole"): 5.0, ("postgres", "server"): 20.0,
        ("postgres", "client"): 3.0, ("postgres", "whole"): 23.0,
    }  # fmt: skip
    assert expected == found.to_dict()


def test_the_table_has_a_row_per_cell_and_a_column_per_cost():
    """One run has no interval; what is missing stays blank."""
    metric = frame(rows("sqlite", 1, cpu_o=5.0, w_o=0.5), rows("postgres", 1, cpu_o=20.0))

    html = cell_costs_table(
        cell_costs(metric, ["cpu_o", "w_o"]), ["engine"]
    ).as_raw_html()

    assert "sqlite" in html
    assert "postgres" in html
    assert "0.500" in html
    assert "nan" not in html


def test_the_chart_leaves_the_whole_out():
    """Stacked parts are the whole already."""
    metric = frame(rows("postgres", 1, cpu_o=20.0, client_cpu_o=3.0))

    chart = cost_bars(cpu_costs(metric)).to_dict()

    [values] = chart["datasets"].values()
    assert {"server": 20.0, "client": 3.0} == {v["part"]: v["us"] for v in values}


def logs(engine, *runs):
    """Runs by what each read and wrote of its log."""
    return [
        row
        for n, (read, written) in enumerate(runs, 1)
        for row in rows(engine, n, log_rkb_o=read, log_wkb_o=written)
    ]


def test_a_log_is_read_by_a_share_of_what_it_writes():
    """1 of 4 KB and 3 of 4 KB: half, which is not the ratio of other sums."""
    metric = frame(logs("mariadb", (1.0, 4.0), (3.0, 4.0)))

    found = log_costs(metric).set_index("metric")["mean"]

    assert {"read of written": 50.0, "log_rkb_o": 2.0, "log_wkb_o": 4.0} == dict(found)


def test_without_a_device_of_its_own_there_is_no_log():
    """So the page answers what a row costs."""
    metric = frame(rows("sqlite", 1, cpu_o=5.0), rows("sqlite", 2, cpu_o=5.0))
    log, cpu = log_costs(metric), cpu_costs(metric)

    assert log.empty
    assert "In l.i0 the CPU time per row is 5 µs" in answer(cpu, log).data


def test_logs_are_told_apart_by_what_they_read():
    """One reads, one does not, one of a single run is open."""
    metric = frame(
        logs("mariadb", (1.6, 4.0), (1.6, 4.0)), logs("mysql", (0.0, 4.0), (0.0, 4.0)),
        logs("other", (0.4, 4.0)),
    )  # fmt: skip
    said = answer(cpu_costs(metric), log_costs(metric)).data

    assert "**mariadb** reads 40% [40, 40] of what it writes to its log" in said
    assert "1.60 KB [1.60, 1.60] a row" in said
    assert "1 log of 3 read less than 1% of that. Of other it is not decided." in said


def test_several_dimensions_become_one_name():
    """Two versions of an engine are two rows of a chart."""
    metric = frame(rows("mysql", 1, w_o=1.0)).assign(version="8.0")

    assert {"mysql 8.0"} == set(named(metric, "engine version")["engine version"])
    assert named(metric, "engine") is metric


def test_what_reading_costs_is_said_where_it_is_decided():
    """A rate against that of the base, in the step of the finding alone."""
    log = log_costs(frame(logs("mariadb", (1.6, 4.0), (1.6, 4.0))))
    rows_ = [("l.i0", "regressed", 0.72), ("l.i1", "regressed", 0.5),
             ("l.i0", "undecided", 0.9)]  # fmt: skip
    judged = pd.DataFrame(rows_, columns=["step", "verdict", "relative"]).assign(
        engine="mariadb", me="buffered", base="direct", low=0.61, high=0.86
    )
    said = answer(cpu_costs(frame(rows("mariadb", 1))), log, judged=judged).data

    assert "**mariadb** inserts at 0.72 [0.61, 0.86] of its rate with direct." in said
    assert 1 == said.count("inserts at")
