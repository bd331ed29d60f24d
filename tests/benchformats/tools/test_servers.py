"""pgbench, fio, YCSB, HammerDB and the TPC-C tools."""

from __future__ import annotations

import json

import pytest
from text_blocks import reader
from tool_files import (
    BENCHMARKSQL,
    FIO,
    GO_TPC,
    HAMMERDB,
    PGBENCH,
    PGBENCH_AGGREGATE,
    PGBENCH_LOG,
    PGBENCH_OLD,
    TPCC_MYSQL,
    YCSB,
    found,
    text_file,
    told,
)

from benchformats import fio, hammerdb, ycsb
from benchformats.parsed import CUT, TextFile, merged
from benchformats.pgbench import aggregate, log, output
from benchformats.sysbench import output as sysbench
from benchformats.tpcc import benchmarksql, go_tpc, tpcc_mysql

pytestmark = pytest.mark.unit


def test_pgbench_run():
    """Rate, latencies, counts, statements; engine and version by its banner."""
    parsed = output.read(text_file(PGBENCH))

    assert [
        ("tpcb-like", "transactions", 891.0, "count", "none"),
        ("tpcb-like", "failed", 0.0, "count", "none"),
        ("tpcb-like", "latency_avg", 8.968, "ms", "lower"),
        ("tpcb-like", "latency_stddev", 0.246, "ms", "none"),
        ("tpcb-like", "connect_initial", 3.218, "ms", "lower"),
        ("tpcb-like", "tps", 445.983507, "transactions/s", "higher"),
        ("tpcb-like: BEGIN;", "latency_avg", 0.125, "ms", "lower"),
        ("tpcb-like: END;", "latency_avg", 0.996, "ms", "lower"),
    ] == found(parsed)  # fmt: skip
    row = parsed.rows[0]
    assert ("postgres", "15.15", 4) == (row.engine, row.version, row.dop)
    assert {"scale": "10", "query_mode": "prepared", "threads": "2"} == row.dims
    assert [6, 7, 8] == [n for n, row in enumerate(parsed.rows, 1) if row.main]
    assert [] == told(parsed)


def test_pgbench_progress_is_a_series():
    """A second without a transaction has no latency."""
    table = output.read(text_file(PGBENCH)).series["pgbench_progress"]

    assert {"line": 3, "second": 1.0, "tps": 890.5, "lat_ms": 1.12, "stddev_ms": 0.25,
            "failed": 0.0} == table.to_pylist()[0]  # fmt: skip
    assert [1.12, None] == table["lat_ms"].to_pylist()


def test_pgbench_scripts_and_repeated_statements():
    """Each script is a step; the second of two equal statements is another."""
    parsed = output.read(text_file(PGBENCH_OLD))

    assert [
        ("multiple scripts", "transactions", 1000.0),
        ("multiple scripts", "latency_avg", 117.391),
        ("multiple scripts", "tps_connecting", 85.184871),
        ("multiple scripts", "tps", 85.296346),
        ("read.sql", "transactions", 505.0),
        ("read.sql", "tps", 43.01836),
        ("read.sql", "latency_avg", 1.5),
        ("read.sql", "latency_stddev", 0.5),
        ("read.sql: SELECT 1;", "latency_avg", 1.25),
        ("read.sql: SELECT 1; (2)", "latency_avg", 0.25),
        ("write.sql", "transactions", 495.0),
        ("write.sql", "tps", 42.166511),
    ] == [(row.step, row.metric, row.value) for row in parsed.rows]


def test_pgbench_run_at_a_given_rate_is_no_trial_of_one_without():
    """Its throughput is the rate that was asked for."""
    lag = "rate limit schedule lag: avg 0.100 (max 3.000) ms\ninitial conn"
    text = PGBENCH + PGBENCH.replace("initial conn", lag)
    parsed = output.read(text_file(text))

    assert [None, "limited"] == [
        row.dims.get("rate") for row in parsed.rows if row.main and row.metric == "tps"
    ]
    assert [
        (26, "at a rate (-R) that the file does not say: not told from runs at another")
    ] == told(parsed)


def test_pgbench_rate_of_the_command_above_a_run():
    """Each command is of the run below it; -R and --rate are one option."""
    lag = "rate limit schedule lag: avg 0.100 (max 3.000) ms\ninitial conn"
    limited = PGBENCH.replace("initial conn", lag)
    text = (
        f"$ /usr/bin/pgbench -c 4 -R 500 x\n{limited}"
        f"pgbench --rate=400 -c 4\n{limited}{limited}"
    )
    rows = output.read(text_file(text)).rows

    assert ["500", "400", "limited"] == [
        row.dims["rate"] for row in rows if row.main and row.metric == "tps"
    ]


def test_pgbench_script_in_a_mix_is_not_the_script_alone():
    """Its share of the mix, as it was asked, is a dimension of all its figures."""
    rows = output.read(text_file(PGBENCH_OLD)).rows

    assert {("multiple scripts", None), ("read.sql", "50.0%"), ("write.sql", "50.0%"),
            ("read.sql: SELECT 1;", "50.0%"), ("read.sql: SELECT 1; (2)", "50.0%")} == {
        (row.step, row.dims.get("share")) for row in rows
    }  # fmt: skip


@pytest.mark.parametrize(
    ("text", "printed", "instead", "law"),
    [
        (PGBENCH, "processed: 891", "processed: 8910", "transactions = 8,910, but tps"),
        (PGBENCH, "tps = 445", "tps = 4459", "transactions = 891, but tps * seconds"),
        (PGBENCH, "average = 8.968", "average = 89.68", "1000 * busy = "),
        (PGBENCH, "890.5 tps", "8905.0 tps", "transactions = 891, but of_progress"),
        (PGBENCH_OLD, "client: 100", "client: 1000", "but per_client * clients = 10,000"),
        (PGBENCH_OLD, "- 505 trans", "- 5050 trans", "but of_scripts = 5,545"),
    ],
)  # fmt: skip
def test_pgbench_run_that_contradicts_itself(text, printed, instead, law):
    """It gives no figure, and the problem says which two numbers."""
    parsed = output.read(text_file(text.replace(printed, instead)))

    assert [] == parsed.rows
    [problem] = parsed.problems
    assert law in problem.text


def test_pgbench_runs_that_failed():
    """One was aborted, one lacks its end: neither has a figure."""
    aborted = (
        PGBENCH + "pgbench: error: Run was aborted; the above results are incomplete.\n"
    )
    cut = PGBENCH[: PGBENCH.index("tps = ")]

    for text, why in ((aborted, "aborted"), (cut, "without its rate")):
        parsed = output.read(text_file(text))
        assert [] == parsed.rows
        [(line, said)] = told(parsed)
        assert (5, True) == (line, why in said)


@pytest.mark.parametrize(
    ("failed", "why"),
    [(9, ""), (10, "a run of which 10 of 901 operations failed: not read")],
)
def test_pgbench_run_of_which_transactions_failed(failed, why):
    """One of a hundred may: what remains is not the rate of the work."""
    text = PGBENCH.replace("failed transactions: 0 ", f"failed transactions: {failed} ")
    parsed = output.read(text_file(text))

    assert bool(why) == (not parsed.rows)
    assert [(5, why)][: bool(why)] == told(parsed)


def test_pgbench_script_whose_transactions_failed():
    """The others' rate is that of another mixture."""
    text = PGBENCH_OLD.replace(
        " - latency average = 1.500 ms", " - number of failed transactions: 9 (1.75%)"
    )
    parsed = output.read(text_file(text))

    assert [] == parsed.rows
    assert "of which 9 of 514 operations failed" in told(parsed)[0][1]


def test_pgbench_log():
    """Percentiles by nearest rank; what was skipped is counted, not timed."""
    parsed = log.read(text_file(PGBENCH_LOG))

    assert [
        ("p50", 2241.0), ("p95", 2513.0), ("p99", 2513.0), ("p99_9", 2513.0),
        ("max", 2513.0), ("latency_avg", 2314.25), ("transactions", 4.0),
        ("untimed", 1.0),
    ] == [(row.metric, row.value) for row in parsed.rows]  # fmt: skip
    assert {"line": 4, "client": 0, "transaction": 201, "latency_us": 2513, "script": 1,
            "ended_us": 1175850569000608} == (
        parsed.series["pgbench_log"].to_pylist()[2]
    )  # fmt: skip


def test_pgbench_log_in_blocks():
    """The same rows, whatever the blocks; a cut line may lack digits."""
    text = PGBENCH_LOG + "what?\n0 203 12"
    parts = [PGBENCH_LOG[:31], PGBENCH_LOG[31:], "what?\n", "0 203 12"]
    whole = log.read(text_file(text))
    pieces = merged(log.stream(TextFile("x", text[:31], reader=reader(parts))))

    assert whole.rows == pieces.rows
    assert [(6, "not a transaction of pgbench"), (7, CUT)] == told(whole) == told(pieces)


def test_pgbench_aggregate_log():
    """Sums over intervals; one without a transaction is in the series only."""
    parsed = aggregate.read(text_file(PGBENCH_AGGREGATE))

    assert [
        ("latency_avg", 3522556 / 13485), ("min", 60.0), ("max", 2573.0),
        ("transactions", 13485.0),
    ] == [(row.metric, row.value) for row in parsed.rows]  # fmt: skip
    assert [5601.0, 0.0, 7884.0] == (
        parsed.series["pgbench_aggregate"]["transactions"].to_pylist()
    )


def test_fio_jobs():
    """Rates and latencies of what was done, in fio's units; warnings are no JSON."""
    parsed = fio.read(text_file(FIO))

    assert [
        ("rand", "read_iops", 1024.5, "ops/s", "higher"),
        ("rand", "read_bw", 4194304.0, "bytes/s", "higher"),
        ("rand", "read_ios", 2049.0, "count", "none"),
        ("rand", "read_clat_avg", 512.25, "ns", "lower"),
        ("rand", "read_clat_max", 9000.0, "ns", "lower"),
        ("rand", "read_clat_p99", 4000.0, "ns", "lower"),
        ("rand", "read_clat_p99_9", 8000.0, "ns", "lower"),
        ("rand", "read_lat_avg", 520.5, "ns", "lower"),
        ("rand", "read_lat_max", 9100.0, "ns", "lower"),
        ("rand", "write_iops", 512.0, "ops/s", "higher"),
        ("rand", "write_bw", 2097152.0, "bytes/s", "higher"),
        ("rand", "write_ios", 1000.0, "count", "none"),
    ] == found(parsed)
    row = parsed.rows[0]
    assert ({"rw": "randrw", "bs": "4k", "iodepth": "8", "ioengine": "psync"}, 2, 6) == (
        row.dims, row.dop, row.line,
    )  # fmt: skip
    assert [True] + [False] * 11 == [row.main for row in parsed.rows]


def test_fio_job_that_failed_is_told():
    """Its error is in the file, its figures are none."""
    parsed = fio.read(text_file(FIO.replace('"error" : 0', '"error" : 28')))

    assert ([], [(6, "job rand failed: not read")]) == (parsed.rows, told(parsed))


def fio_job(iops: int, mean: float, longest: int, options=None, **more) -> dict:
    """A process that read for 10 s."""
    clat = {"min": 1, "max": longest, "mean": mean, "stddev": 0.0,
            "percentile": {"99.000000": longest}} | more.pop("clat", {})  # fmt: skip
    read = {"io_bytes": 1, "bw_bytes": 4096 * iops, "iops": iops, "total_ios": 10 * iops,
            "clat_ns": clat}  # fmt: skip
    own = {"rw": "randread", "numjobs": "2"} if options is None else options
    return {"jobname": "rnd", "groupid": 0, "error": 0, "job options": own,
            "read": read} | more  # fmt: skip


def fio_file(*jobs: dict, version: str = "fio-3.33"):
    return fio.read(text_file(json.dumps({"fio version": version, "jobs": jobs})))


def test_fio_processes_of_a_job_are_one_test():
    """Rates are added, means weighted by operations; percentiles cannot be added."""
    parsed = fio_file(fio_job(3000, 100.0, 900), fio_job(1000, 300.0, 700))

    assert [
        ("rnd", "read_iops", 4000.0, "ops/s", "higher"),
        ("rnd", "read_bw", 4096.0 * 4000, "bytes/s", "higher"),
        ("rnd", "read_ios", 40000.0, "count", "none"),
        ("rnd", "read_clat_avg", 150.0, "ns", "lower"),
        ("rnd", "read_clat_max", 900.0, "ns", "lower"),
    ] == found(parsed)
    assert {2} == {row.dop for row in parsed.rows}
    assert {"rw": "randread"} == parsed.rows[0].dims
    [(line, text)] = told(parsed)
    assert (1, True) == (line, text.startswith("percentiles of a job's processes cannot"))


def test_fio_histograms_of_processes_are_merged():
    """json+ has them: the 99th of 200 responses is the 198th."""
    bins = [{"100": 99, "800": 1}, {"100": 98, "5000000000": 2}]
    jobs = [fio_job(10, 100.0, 900, clat={"bins": one}) for one in bins]
    parsed = fio_file(*jobs)

    assert {"read_clat_p50": 100.0, "read_clat_p99": 800.0, "read_clat_p99_9": 5e9} == {
        row.metric: row.value
        for row in parsed.rows
        if row.metric.endswith(("p50", "p99", "p99_9"))
    }
    assert [] == told(parsed)


def test_fio_jobs_of_one_name_with_other_options():
    """Two tests, and told; so are those that ran one after the other."""
    parsed = fio_file(
        fio_job(10, 1.0, 1, {"rw": "randread"}), fio_job(20, 1.0, 1, {"rw": "randwrite"}),
        fio_job(30, 1.0, 1, {"rw": "randread"}, groupid=1),
    )  # fmt: skip

    rates = [(r.dims["rw"], r.value) for r in parsed.rows if r.main]
    assert [("randread", 10.0), ("randwrite", 20.0), ("randread", 30.0)] == rates
    assert [(1, "job rnd stands there with other rw: another test")] == told(parsed)


def test_fio_job_of_which_a_process_failed():
    """What the others did is not what the job would have done."""
    parsed = fio_file(fio_job(10, 1.0, 1), fio_job(10, 1.0, 1, error=28))

    assert ([], [(1, "job rnd failed: not read")]) == (parsed.rows, told(parsed))


def test_fio_2_counts_in_kib():
    """It calls 1,024 bytes a KB."""
    job = fio_job(10, 1.0, 1)
    del job["read"]["bw_bytes"]
    job["read"]["bw"] = 40
    parsed = fio_file(job, version="fio-2.16")

    assert [(40.0, "KiB/s")] == [
        (r.value, r.unit) for r in parsed.rows if r.metric == "read_bw"
    ]


def test_ycsb():
    """The workload of the command line; histograms are no figures; two clocks."""
    parsed = ycsb.read(text_file(YCSB))

    assert [
        ("run_time", 10110.0, "ms", "none", ""),
        ("throughput", 98.91196834817013, "ops/s", "higher", ""),
        ("read_operations", 502.0, "count", "none", "actual"),
        ("read_avg", 1005.75, "us", "lower", "actual"),
        ("read_min", 297.0, "us", "lower", "actual"),
        ("read_p99", 4771.0, "us", "lower", "actual"),
        ("read_return_ok", 502.0, "count", "none", "actual"),
        ("read_p99", 8771.0, "us", "lower", "intended"),
    ] == [(r.metric, r.value, r.unit, r.direction, r.clock) for r in parsed.rows]
    row = parsed.rows[0]
    assert ("workloada", 8, {"db": "JdbcClient"}) == (row.step, row.dop, row.dims)


@pytest.mark.parametrize(
    "failures",
    ["[READ], Return=ERROR, 6\n", "[READ-FAILED], Operations, 6\n",
     "[READ], Return=1, 6\n[READ-FAILED], Operations, 6\n"],
)  # fmt: skip
def test_ycsb_run_of_which_operations_failed(failures):
    """It is not read; the run behind it in the file is."""
    parsed = ycsb.read(text_file(YCSB + failures + YCSB))

    assert 1 == sum(row.main for row in parsed.rows)
    assert [(4, "a run of which 6 of 508 operations failed: not read")] == told(parsed)


def test_ycsb_run_of_which_few_operations_failed():
    """One of a hundred may."""
    parsed = ycsb.read(text_file(YCSB + "[READ], Return=ERROR, 5\n"))

    assert ([], True) == (told(parsed), any(row.main for row in parsed.rows))


def test_ycsb_runs_of_other_work_are_no_trials():
    """A target rate, and properties of the workload, are dimensions."""
    again = YCSB.replace("-threads 8", "-p recordcount=9 -p db.url=x -target 50")
    parsed = ycsb.read(text_file(YCSB + again))

    assert [{}, {"target": "50", "recordcount": "9"}] == [
        {k: v for k, v in row.dims.items() if k != "db"}
        for row in parsed.rows
        if row.main
    ]


@pytest.mark.parametrize(
    ("options", "clients"),
    [("-threads 8 -p threadcount=4", 8), ("-p threadcount=4", 4), ("", 0)],
)
def test_ycsb_threads_are_the_clients(options, clients):
    parsed = ycsb.read(text_file(YCSB.replace("-threads 8", options)))
    assert {(clients, False)} == {(r.dop, "threadcount" in r.dims) for r in parsed.rows}


def test_ycsb_without_its_rate_is_not_read():
    """The rate comes first: a file without it was cut at its beginning."""
    lines = [line for line in YCSB.splitlines(True) if "Throughput" not in line]
    parsed = ycsb.read(text_file("".join(lines)))

    assert ([], [0]) == (parsed.rows, [line for line, _ in told(parsed)])


def test_hammerdb():
    """The rate of new orders; of the time profile what all users together did."""
    parsed = hammerdb.read(text_file(HAMMERDB))

    assert [
        ("nopm", 28876.0, "orders/min"), ("tpm", 67189.0, "transactions/min"),
        ("neword_calls", 3427.0, "count"), ("neword_min", 1.73, "ms"),
        ("neword_avg", 36.332, "ms"), ("neword_max", 1220.165, "ms"),
        ("neword_p99", 210.118, "ms"), ("neword_p95", 104.921, "ms"),
        ("neword_p50", 19.126, "ms"),
    ] == [(row.metric, row.value, row.unit) for row in parsed.rows]  # fmt: skip
    assert {("postgres", 64, "tproc-c")} == {
        (r.engine, r.dop, r.step) for r in parsed.rows
    }


def test_hammerdb_of_old():
    """Until 4.0 the rates stood the other way round."""
    text = "Vuser 1:TEST RESULT : System achieved 60501 SQL Server TPM at 13207 NOPM\n"
    rows = hammerdb.read(text_file(text)).rows

    assert [("nopm", 13207.0, "sqlserver"), ("tpm", 60501.0, "sqlserver")] == [
        (row.metric, row.value, row.engine) for row in rows
    ]


def test_tpcc_mysql():
    """Its rate and first results; the second ones count the same again."""
    parsed = tpcc_mysql.read(text_file(TPCC_MYSQL))

    assert [
        ("new_order_in_time", 15.0), ("new_order_late", 164.0),
        ("new_order_retries", 0.0),
        ("new_order_failures", 1.0), ("new_order_avg", 203.9), ("payment_in_time", 0.0),
        ("payment_late", 177.0), ("payment_retries", 0.0), ("payment_failures", 0.0),
        ("payment_avg", 105.3), ("tpmc", 1074.0),
    ] == [(row.metric, row.value) for row in parsed.rows]  # fmt: skip
    assert (16, {"tool": "tpcc-mysql", "warehouses": "10"}) == (
        parsed.rows[0].dop,
        parsed.rows[0].dims,
    )
    assert [{"line": 7, "second": 10.0, "new_orders": 179.0, "p95_ms": 681.363,
             "p99_ms": 886.175, "max_ms": 1107.724}] == (
        parsed.series["tpcc_mysql_interval"].to_pylist()
    )  # fmt: skip


def test_benchmarksql_runs_at_a_limit_or_of_another_mix():
    """300 transactions per minute are what was asked for; a second run says all anew."""
    said = "Term-00, terminals=50\n"
    limited = said + "Term-00, limitTxnsPerMin=300\nTerm-00, newOrderWeight=45\n"
    free = said + "Term-00, limitTxnsPerMin=0\nTerm-00, newOrderWeight=90\n"
    text = "".join(BENCHMARKSQL.replace(said, of) for of in (limited, free, said))
    rows = [r for r in benchmarksql.read(text_file(text)).rows if r.main]

    assert [("300", "45"), (None, "90"), (None, None)] == [
        (row.dims.get("rate"), row.dims.get("newOrderWeight")) for row in rows
    ]


def test_benchmarksql():
    """Progress may stand in the line of a result."""
    parsed = benchmarksql.read(text_file(BENCHMARKSQL))

    assert [("tpmc", 77373.25), ("tpm_total", 171959.88), ("transactions", 345240.0)] == [
        (row.metric, row.value) for row in parsed.rows
    ]
    row = parsed.rows[0]
    assert ("postgres", 50, {"tool": "benchmarksql", "warehouses": "100"}, True) == (
        row.engine, row.dop, row.dims, row.main,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("tool", "text", "clients", "again", "dops"),
    [
        (tpcc_mysql, TPCC_MYSQL, "n]: 16", "n]: 4", [16, 4]),
        (benchmarksql, BENCHMARKSQL, "terminals=", "terminals=1", [50, 150]),
    ],
)
def test_runs_of_one_file_have_their_own_clients(tool, text, clients, again, dops):
    """Those that stand above their figures, not the last of the file."""
    assert clients in text
    rows = tool.read(text_file(text + text.replace(clients, again))).rows

    assert dops == [row.dop for row in rows if row.main]


def test_tpcc_mysql_run_that_was_cut_behind_another():
    """What its results say before the rate is no trial."""
    whole = tpcc_mysql.read(text_file(TPCC_MYSQL))
    parsed = tpcc_mysql.read(text_file(TPCC_MYSQL + TPCC_MYSQL.partition("<TpmC>")[0]))

    assert found(whole) == found(parsed)
    assert [(28, "a run without its TpmC: it failed or was cut")] == told(parsed)


def test_go_tpc():
    """The summary; not what it said while it ran."""
    parsed = go_tpc.read(text_file(GO_TPC))

    assert [
        ("new_order_count", 33007.0, "count"),
        ("new_order_tpm", 6602.7, "transactions/min"), ("new_order_avg", 31.4, "ms"),
        ("new_order_p50", 24.1, "ms"), ("new_order_p99_9", 109.1, "ms"),
        ("new_order_max", 1040.2, "ms"), ("tpmc", 6602.7, "orders/min"),
        ("tpm_total", 14679.5, "transactions/min"),
    ] == [(row.metric, row.value, row.unit) for row in parsed.rows]  # fmt: skip


@pytest.mark.parametrize(
    ("tool", "text", "why"),
    [
        (go_tpc, GO_TPC.replace(
            "tpmC:", "[Summary] PAYMENT_ERR - Takes(s): 1.0, Count: 993\ntpmC:"),
         "993 of 34,000 operations"),
        (tpcc_mysql, TPCC_MYSQL.replace("fl:1 ", "fl:44 "), "44 of 400 operations"),
        (fio, FIO.replace('"error" : 0', '"error" : 0, "total_err" : 951'),
         "951 of 4,000 operations"),
        (log, PGBENCH_LOG.replace("202 2038", "202 deadlock"), "1 of 4 operations"),
        (hammerdb, HAMMERDB.replace("Vuser 1:T", "Vuser 9:FINISHED FAILED\nVuser 1:T"),
         "1 virtual users"),
    ],
)  # fmt: skip
def test_run_of_which_too_many_failed(tool, text, why):
    """What the others did is not the rate of the work: told, and no figure."""
    parsed = tool.read(text_file(text))

    assert [] == parsed.rows
    [problem] = parsed.problems
    assert f"a run of which {why} failed: not read" in problem.text


def test_go_tpc_without_its_rate_is_not_read():
    """What is there of the summary may lack its failures."""
    parsed = go_tpc.read(text_file(GO_TPC[: GO_TPC.index("tpmC:")]))

    assert [] == parsed.rows
    assert [(3, "a run without its tpmC: it failed or was cut")] == told(parsed)


def test_go_tpc_failures_are_better_few():
    """Their rate is no rate of work."""
    line = "[Summary] PAYMENT_ERR - Takes(s): 1.0, Count: 3, TPM: 9.0\ntpmC:"
    parsed = go_tpc.read(text_file(GO_TPC.replace("tpmC:", line)))

    assert ("tpc-c", "payment_err_tpm", 9.0, "transactions/min", "lower") in found(parsed)


def test_sysbench_tpcc_is_sysbench():
    """Percona's Lua scripts print what every test of sysbench does."""
    text = (
        "sysbench 1.0.20 (using bundled LuaJIT 2.1.0-beta2)\n"
        "SQL statistics:\n    queries performed:\n        read:  10\n        total: 30\n"
        "    transactions:                        12     (1.20 per sec.)\n"
    )
    assert sysbench.recognises(text_file(text, "tpcc.log"))


def test_hammerdb_run_that_did_nothing():
    """It prints its counts of 0 as a result."""
    text = "System achieved 0 NOPM from 0 PostgreSQL TPM\n"
    parsed = hammerdb.read(text_file("Vuser 1:TEST RESULT : " + text))

    assert ([], [(1, "a run that did nothing: not read")]) == (parsed.rows, told(parsed))
