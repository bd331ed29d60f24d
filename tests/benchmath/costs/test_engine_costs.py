"""What storing and finding a row costs: bytes, reads, room, and response times."""

import pandas as pd
import pytest
from engine_frames import STEPS, USES, cell, frames

from benchmath.costs.io import (
    ROW_BYTES,
    cached_check,
    main_op,
    size_costs,
    write_costs,
)
from benchmath.latency.histogram import response_shares

pytestmark = pytest.mark.unit


def test_a_row_has_47_bytes():
    """8 of the key, 8 of the time, four ints, and 10 to 20 letters: 15 on average."""
    assert 8 + 8 + 16 + 15 == ROW_BYTES == 47


def test_write_amplification_is_device_bytes_over_47():
    """0.47 KB a row are 481.28 bytes, 10.24 rows; the log's 188 bytes are 4 rows."""
    made = frames([cell("1")], uses={k: USES[k] for k in ("wkb_o", "log_bytes_o")})

    first = write_costs(made["metric"], ["version"]).iloc[0]

    assert ("l.i0", 3) == (first["step"], first["n"])
    assert 481.28 == pytest.approx(first["device"], rel=1e-3)
    assert 10.24 == pytest.approx(first["amplification"], rel=1e-3)
    assert 188 == pytest.approx(first["log"], rel=1e-3)
    assert 4 == pytest.approx(first["log's"], rel=1e-3)


def test_missing_metrics_are_blank_not_errors():
    """An embedded engine tells of no device: the numbers are missing, the rows stay."""
    made = frames([cell("1")], uses={})

    table = write_costs(made["metric"], ["version"])

    assert ["l.i0", "l.i1"] == list(table["step"])
    assert table[["device", "server", "log", "amplification"]].isna().all(axis=None)


def test_size_per_row_counts_deletes():
    """l.i0 leaves 100 rows, l.i1 as many as it found: 64 MB over 100 rows after both."""
    steps = (("l.i0", "insert", 10.0, 10), ("l.i1", "insert", 5.0, 10))
    made = frames([cell("1", 1.0)], steps=steps)
    first_run = made["runs"]["run_id"].iloc[1:2]
    rows = {name: made[name].merge(first_run) for name in ("metric", "steps")}

    table = size_costs(rows["metric"], rows["steps"], ["version"])

    held = pd.Series(table["rows"].to_numpy(), index=table["step"])
    assert held["l.i0"] == held["l.i1"]
    assert [64.0, 64.0] == list(table["database"])
    expected = 64 * 2**20 / held["l.i0"]
    assert [expected] * 2 == pytest.approx(list(table["per row"]))


def test_size_has_the_servers_memory():
    """300 MB of it, where the server's driver tells."""
    made = frames([cell("1")])
    told = made["metric"].query("metric == 'folder_bytes'")
    memory = told.assign(metric="memory_bytes", value=300.0 * 2**20)
    table = size_costs(pd.concat([made["metric"], memory]), made["steps"], ["version"])

    assert {300.0} == set(table["resident"])
    assert size_costs(made["metric"], made["steps"], ["version"])["resident"].isna().all()


@pytest.mark.parametrize(
    ("reads", "verdict"), [(0.001, "cached"), (4.8, "reads the device")]
)
def test_cached_is_less_than_a_read_in_a_hundred_queries(reads, verdict):
    """0.001 reads per query is cached; 4.8, as published for InnoDB, is not."""
    made = frames([cell("1")], uses={"r_o": ("reads", reads)})

    table = cached_check(made["metric"], ["version"])

    assert ["qr100.L1", "qp100.L2"] == list(table["step"])
    assert {verdict} == set(table["verdict"])


def test_reads_of_others_do_not_count_where_the_servers_are_known():
    """The device was busy for somebody else, the server itself read nothing: cached."""
    uses = {"r_o": ("reads", 4.8), "server_rkb_o": ("KB", 0.0)}

    table = cached_check(frames([cell("1")], uses=uses)["metric"], ["version"])

    assert {"cached"} == set(table["verdict"])


def test_cached_is_not_known_without_the_metric():
    """No figure of the device: no verdict."""
    table = cached_check(frames([cell("1")], uses={})["metric"], ["version"])

    assert {"not known"} == set(table["verdict"])


def test_main_op_leaves_the_writers_out():
    """Of a query step only the rows of the queries are left."""
    metric = main_op(frames([cell("1")], steps=STEPS[3:4])["metric"])

    assert {"query"} == set(metric["op"])


def test_shares_fall_into_the_published_buckets():
    """90 of 100 at 45 us, 9 at 0.67 ms and 1 at 10 ms: 90, 9 and 1 percent."""
    hists = frames([cell("1")], steps=STEPS[:1])["hists"]

    row = response_shares(hists, ["step", "op", "clock"]).iloc[0]

    assert [90, 9, 0, 1, 0] == list(row[["256us", "1ms", "4ms", "16ms", "64ms"]])
    assert 300 == row["count"]
    assert 10 == pytest.approx(row["max_ms"], rel=0.01)


def test_shares_of_short_operations_are_finer():
    """The 90 at 45 us are above 16 us and up to 64."""
    hists = frames([cell("1")], steps=STEPS[:1])["hists"]

    row = response_shares(hists, ["step", "op", "clock"], finer=True).iloc[0]

    assert [0, 0, 0, 90, 0, 9] == list(
        row[["1us", "4us", "16us", "64us", "256us", "1ms"]]
    )
