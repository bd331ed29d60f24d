"""Run folders into the store: only what is new, only what can be believed, never half."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import duckdb
import pandas as pd
import pytest
from make_runs import make_records, make_run, write_manifest
from places import FIXTURES

from benchbook.project import Project
from benchbook.store.load import LoadReport, load
from benchbook.store.query import query

pytestmark = pytest.mark.unit

TABLES = (
    "run", "step", "sample", "hist", "latency", "size", "step_use", "note",
    "imported_metric",
)  # fmt: skip
MIXED = [("qr100.L1", "query", 60, 3.0), ("qr100.L1", "insert", 300, 3.0)]


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)


def tables(project: Project) -> dict[str, list[str]]:
    """Every row of every table as text, sorted; runs by their ids, not as loaded."""
    named = {
        "run": "FROM run SELECT * EXCLUDE run_no",
        "sample": "FROM sample JOIN run USING (run_no) SELECT run_id, sample.* "
        "EXCLUDE run_no",
    }
    texts = {name: named.get(name, f"FROM {name}") for name in TABLES}
    return {
        name: sorted(map(str, query(text, project).to_dict("records")))
        for name, text in texts.items()
    }


def metric(project: Project, name: str) -> list[float]:
    found = query("SELECT value FROM metric WHERE metric = $name", project, name=name)
    return list(found["value"])


def record_of(folder: Path, **changes: object) -> list[dict[str, object]]:
    """The records of a made run, its first step changed."""
    lines = [json.loads(t) for t in (folder / "driver.jsonl").read_text().splitlines()]
    lines[1] |= changes
    return lines


# --- what a run becomes ----------------------------------------------------------------


def test_times_of_samples_become_rows(project: Project):
    """A bucket each: 5 ns, and with 4 parts a doubling 128 to 159 ns."""
    run, step, first, second, *others = make_records(
        {"driver": "ingest", "engine": "null", "version": "1", "dop": 1, "seed": 42,
         "build": {"compiler": "gcc"}},
        [("l.i0", "insert", 300, 2.0)],
    )  # fmt: skip
    first |= {"sub_bits": 2, "times": [[5, first["ops"] - 1], [24, 1]]}
    second |= {"sub_bits": 2, "times": [[5, second["ops"]]]}
    make_run(project.raw, records=[run, step, first, second, *others])
    load(project)
    rows = query("FROM sample_times SELECT second, lower_ns, upper_ns, count", project)

    assert [] == load(project).refused
    assert [
        (1.0, 5, 6, first["ops"] - 1), (1.0, 128, 160, 1), (2.0, 5, 6, second["ops"]),
    ] == sorted(rows.itertuples(index=False, name=None))  # fmt: skip


def test_inserts_become_rows_per_second(project: Project):
    """1000 rows in 2 seconds are 500 rows/s, the throughput of the step."""
    make_run(project.raw, steps=[("l.i0", "insert", 1000, 2.0)])
    load(project)
    found = query("FROM metric WHERE main", project).iloc[0]

    assert ("ips", 500.0, "rows/s", "higher") == tuple(
        found[["metric", "value", "unit", "direction"]]
    )
    assert ("s", "l.i0", 1, "insert", "derived") == tuple(
        found[["set", "step", "seq", "op", "origin"]]
    )


def test_settings_file_is_kept_as_it_was_saved(project: Project):
    """Its text stands in the store, and nothing where a run has none."""
    make_run(project.raw, config="z11a")
    make_run(project.raw, trial=2)
    load(project)

    texts = query("SELECT config_text FROM runs ORDER BY trial", project)

    assert ["# z11a\n", ""] == list(texts["config_text"])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("op", "amount", "name", "value"),
    [
        ("delete", 600, "dps", 200.0),
        ("query", 60, "qps", 20.0),
        ("index", 900, "ips", 300.0),
        ("scan", 900, "scan_rows", 300.0),
        ("bytes", 6 * 2**20, "mbps", 2.0),
    ],
)
def test_each_op_has_its_rate(
    project: Project, op: str, amount: int, name: str, value: float
):
    """The rate of an op over 3 seconds, in the unit of the op."""
    make_run(project.raw, steps=[("x", op, amount, 3.0)])
    load(project)

    assert [value] == metric(project, name)


def test_creating_no_index_has_no_rate(project: Project):
    """A table without secondary indexes passes l.x without a throughput of 0."""
    lines = record_of(make_run(project.raw, steps=[("l.x", "index", 0, 1.0)]), ops=0)
    lines = [line for line in lines if line["kind"] != "sample"]
    shutil.rmtree(project.raw)
    make_run(project.raw, records=lines)
    load(project)

    assert [] == metric(project, "ips")
    assert [1.0] == metric(project, "elapsed_s")


@pytest.mark.parametrize(
    ("driver", "step", "rated"),
    [
        ("ingest", "cleanup", False),
        ("sql", "postwrite", False),
        ("micro", "crc32c", True),
    ],
)
def test_paying_debts_is_no_throughput(
    project: Project, driver: str, step: str, rated: bool
):
    """Each arm is left with other debts: MB/s of their payment compare different work."""
    spec = {"driver": driver, "engine": "null", "version": "1", "dop": 1, "seed": 42}
    records = make_records(
        spec | {"build": {"compiler": "gcc"}}, [(step, "bytes", 2**20, 1.0)]
    )
    make_run(project.raw, driver=driver, engine="null", records=records)
    load(project)

    mains = query("FROM metric WHERE metric = 'mbps'", project)["main"]

    assert [rated] == list(mains)


def test_only_the_main_op_is_throughput(project: Project):
    """A background writer's rate is there, but is not what throughput means."""
    make_run(project.raw, steps=MIXED)
    load(project)
    found = query("FROM metric WHERE metric IN ('qps', 'ips') ORDER BY metric", project)

    assert [("ips", False), ("qps", True)] == list(
        zip(found["metric"], found["main"], strict=True)
    )


def test_a_rate_limited_writer_has_target_and_sla(project: Project):
    """300 rows in 3 s with a target of 125 rows/s reach 0.8 of it."""
    make_run(project.raw, steps=MIXED, targets={"qr100.L1": 125})
    load(project)

    assert [125.0] == metric(project, "target_ips")
    assert [0.8] == metric(project, "sla")


def test_cpu_is_per_row_of_inserts_and_per_query(project: Project):
    """1.5 s of client CPU over 300 rows is 5000 us, over 60 queries 25000 us."""
    make_run(project.raw, steps=MIXED)
    load(project)

    assert [5000.0, 25000.0] == sorted(metric(project, "cpu_o"))


def use(**counters: int) -> dict[str, object]:
    return {"kind": "use", "step": "qr100.L1"} | counters


def with_uses(project: Project, *uses: dict[str, object], server: str = "0") -> None:
    """A loaded run of 60 queries and 300 inserted rows that used so much."""
    lines = record_of(make_run(project.raw, steps=MIXED))
    shutil.rmtree(project.raw)
    lines[0]["options"] = {"server": server}
    make_run(project.raw, records=[*lines[:-1], *uses, lines[-1]])
    load(project)


def test_the_cpu_of_a_server_is_its_own(project: Project):
    """0.6 s of the server over 60 queries is 10000 us; the client's stands apart."""
    with_uses(project, use(server_cpu_ns=600_000_000), server="1")

    assert [10000.0] == metric(project, "cpu_o")
    assert [5000.0, 25000.0] == sorted(metric(project, "client_cpu_o"))


def test_a_server_elsewhere_has_no_cpu(project: Project):
    """The client's CPU time never stands for that of a server that is not here."""
    with_uses(project, use(client_cpu_ns=9), server="1")

    assert [] == metric(project, "cpu_o")
    assert [] == metric(project, "r_o")


@pytest.mark.slow
def test_a_step_has_costs_per_main_operation(project: Project):
    """Per query of 60: 120 reads are 2, 60 KiB written 1 KB, 30 switches 0.5."""
    counters = {"reads": 120, "written_bytes": 61440, "switches": 30, "log_bytes": 600}
    with_uses(project, use(**counters, folder_bytes=4096, memory_bytes=8192))

    assert [2.0] == metric(project, "r_o")
    assert [1.0] == metric(project, "wkb_o")
    assert [0.5] == metric(project, "cs_o")
    assert [10.0] == metric(project, "log_bytes_o")
    assert [4096.0] == metric(project, "folder_bytes")
    assert [8192.0] == metric(project, "memory_bytes")


def test_wait_is_per_transaction(project: Project):
    """6 ms of waiting over the 3 transactions of 300 rows is 2000 us each."""
    lines = record_of(make_run(project.raw, steps=MIXED[1:]), wait_ns=6_000_000)
    shutil.rmtree(project.raw)
    make_run(project.raw, records=lines)
    load(project)

    assert [2000.0] == metric(project, "wait_o")


def test_percentiles_are_in_microseconds_by_clock(project: Project):
    """Bucket 512 holds 1024 to 1031 ns, so reads 1.0275 us; bucket 5 holds 5 ns."""
    hists = {"l.i0/insert": [[5, 1], [512, 10]], "l.i0/insert/intended": [[5, 11]]}
    make_run(project.raw, hists=hists)
    load(project)
    found = query("FROM metric WHERE metric = 'p50' ORDER BY clock", project)

    assert ["actual", "intended"] == list(found["clock"])
    assert [1.0275, 0.005] == list(found["value"])


def test_samples_know_their_second(project: Project):
    """Seconds count from the start of the step; clients keep their order."""
    make_run(project.raw, dop=2, steps=[("l.i0", "insert", 500, 2.0)])
    load(project)
    found = query("FROM samples ORDER BY t_ns", project)

    assert [1.0, 2.0] == list(found["second"])
    assert [[125, 125], [125, 125]] == [list(c) for c in found["clients"]]


def test_dims_and_times_of_a_run(project: Project):
    """A run keeps its dimensions, when it started (UTC) and how long it took."""
    make_run(project.raw, dims={"block_size": "4096"}, started="2026-11-21T02:00:00.500Z")
    load(project)
    found = query("runs", project).iloc[0]

    assert {"block_size": "4096"} == found["dims"]
    assert pd.Timestamp("2026-11-21 02:00:00.5") == found["started"]
    assert 2.0 == found["elapsed_s"]


def test_failed_runs_are_known_but_have_no_steps(project: Project):
    """A failed run keeps its reason; its records are not read, so may be damaged."""
    folder = make_run(project.raw, status="failed", reason="killed by signal 9")
    (folder / "driver.jsonl").write_text("{")
    write_manifest(folder, "failed", "killed by signal 9")
    load(project)
    found = query("runs", project).iloc[0]

    assert ("failed", "killed by signal 9") == (found["status"], found["reason"])
    assert 0 == len(query("steps", project)) + len(query("metric", project))


@pytest.mark.slow
def test_overridden_runs_never_reach_the_studys_cells(project: Project):
    """A run made with --set or --step is listed by runs, and by nothing else."""
    make_run(project.raw, overridden=True, hists={"l.i0/insert": [[5, 1]]})
    load(project)

    assert [True] == list(query("runs", project)["overridden"])
    for view in ("steps", "samples", "hists", "percentiles", "metric", "cov"):
        assert 0 == len(query(view, project)), view


def test_cov_over_trials_by_hand(project: Project):
    """Rates 400, 500 and 600: mean 500, CoV 0.2 with n - 1, 0.1633 with n."""
    for trial, rate in enumerate((400, 500, 600), 1):
        make_run(project.raw, trial=trial, steps=[("l.i0", "insert", rate, 1.0)])
    load(project)
    found = query("FROM cov WHERE main", project).iloc[0]

    assert (3, 500.0, 100.0, 0.2) == (
        found["n"], found["mean"], found["stddev"], found["cov"]
    )  # fmt: skip
    assert 0.163299 == round(found["cov_pop"], 6)


def test_relative_is_a_ratio_of_geometric_means(project: Project):
    """Base 100 and 400 (geometric mean 200), me 50 and 200 (100): 0.5."""
    for version, rates in (("old", (100, 400)), ("new", (50, 200))):
        for trial, rate in enumerate(rates, 1):
            steps = [("l.i0", "insert", rate, 1.0)]
            make_run(project.raw, version=version, trial=trial, steps=steps)
    load(project)
    found = query("FROM relative WHERE main AND base = 'old'", project)

    assert [("version", "new", 2)] == list(
        zip(found["dimension"], found["me"], found["n"], strict=True)
    )
    assert [0.5] == [round(value, 12) for value in found["relative"]]


def test_relative_pairs_differ_in_one_dimension_only(project: Project):
    """2 versions x 2 block sizes: each cell has 2 neighbours, not 3."""
    for version in ("1", "2"):
        for size in ("4096", "8192"):
            make_run(project.raw, version=version, dims={"block_size": size})
    load(project)
    found = query("FROM relative WHERE main", project)

    assert 8 == len(found)
    assert {"block_size", "version"} == set(found["dimension"])


def test_a_varied_compiler_is_the_dimension(project: Project):
    """The build's label repeats compiler and flags, and does not stand in the way."""
    for compiler in ("gcc", "clang"):
        dims = {"compiler": compiler, "flags": "-O2"}
        make_run(project.raw, build=f"{compiler} -O2", dims=dims)
    load(project)

    assert ["compiler"] == list(
        query("FROM relative WHERE main AND base = 'gcc'", project)["dimension"]
    )


def test_runs_of_the_real_drivers_load(project: Project):
    """The committed runs of the fixtures are whole: 22 of micro, 10 of ingest."""
    shutil.copytree(FIXTURES / "data" / "raw", project.raw)

    assert LoadReport(loaded=32, read=32) == load(project)
    assert {"micro": 22, "ingest": 10} == dict(
        query("runs", project)["driver"].value_counts()
    )
    assert {"mbps", "ips", "qps"} == set(
        query("FROM metric WHERE main", project)["metric"]
    )


# --- only what is new ------------------------------------------------------------------


def test_loading_twice_changes_nothing(project: Project):
    """The second load opens no folder and leaves the file alone."""
    make_run(project.raw)
    load(project)
    before = project.store.stat()

    assert LoadReport(loaded=0, skipped=1) == load(project)
    assert before == project.store.stat()


def test_a_grown_raw_adds_only_what_is_new(project: Project):
    """Of four folders only the one that is new is read."""
    for trial in (1, 2, 3):
        make_run(project.raw, trial=trial)
    load(project)
    make_run(project.raw, trial=4)

    assert LoadReport(loaded=1, skipped=3, read=1) == load(project)
    assert 4 == len(query("runs", project))


@pytest.mark.slow
def test_a_vanished_folder_leaves_the_store(project: Project):
    """What is deleted from data/raw is deleted from every table."""
    make_run(project.raw)
    expected = load(project) and tables(project)
    folder = make_run(project.raw, trial=2, hists={"l.i0/insert": [[5, 1]]})
    load(project)
    shutil.rmtree(folder)

    assert LoadReport(skipped=1, removed=1) == load(project)
    assert expected == tables(project)


@pytest.mark.slow
def test_a_rebuild_equals_incremental_loads(project: Project):
    """Loaded one by one or all at once, every table holds the same."""
    for trial in (1, 2, 3):
        make_run(
            project.raw, trial=trial, dop=2, steps=MIXED, compress=trial == 2,
            dims={"block_size": str(trial)}, hists={"qr100.L1/query": [[5, trial]]},
        )  # fmt: skip
        load(project)
    make_run(project.raw, status="failed", reason="x")
    load(project)
    incremental = tables(project)
    report = load(project, rebuild=True)

    assert LoadReport(loaded=4, read=4) == report
    assert incremental == tables(project)


def test_folders_without_a_manifest_do_not_exist(project: Project):
    """Neither an unfinished folder nor a hidden one is looked at."""
    (make_run(project.raw) / "manifest.json").unlink()
    folder = make_run(project.raw, trial=2)
    folder.rename(folder.with_name(".partial-1"))

    assert LoadReport() == load(project)


def test_a_damaged_store_is_built_anew(project: Project):
    """The store is a cache: one that cannot be read costs a rebuild, not a result."""
    make_run(project.raw)
    load(project)
    project.store.write_bytes(b"not a database")

    assert 1 == load(project).loaded
    assert 1 == len(query("runs", project))


# --- only what can be believed ---------------------------------------------------------


def test_an_edited_file_is_refused(project: Project):
    """A byte changed after the run: refused, named, and the other run still loads."""
    folder = make_run(project.raw)
    make_run(project.raw, trial=2)
    path = folder / "driver.jsonl"
    path.write_text(path.read_text().replace('"rows":1000', '"rows":9000'))
    report = load(project)

    assert 1 == report.loaded
    assert [
        f"{folder.relative_to(project.raw)}: driver.jsonl was changed after the run: "
        "its sha256 is another"
    ] == report.refused


def test_a_file_not_copied_whole_is_refused(project: Project):
    """Sizes say more to a person than digests do."""
    folder = make_run(project.raw)
    (folder / "stderr.log").write_text("x")
    [refused] = load(project).refused

    assert refused.endswith(
        "stderr.log has 1 bytes where the manifest says 0: it was changed after the "
        "run, or not copied whole"
    )


def test_a_missing_file_is_refused(project: Project):
    """A folder copied without one of its files is not the run."""
    folder = make_run(project.raw)
    (folder / "env.json").unlink()
    [refused] = load(project).refused

    assert refused.endswith("env.json cannot be read: No such file or directory")


def test_a_corrupt_line_refuses_its_run_only(project: Project):
    """File and line are named; the other runs are loaded."""
    folder = make_run(project.raw)
    make_run(project.raw, trial=2)
    lines = (folder / "driver.jsonl").read_text().splitlines()
    (folder / "driver.jsonl").write_text("\n".join([*lines[:2], "{", *lines[3:]]))
    write_manifest(folder)
    report = load(project)
    [refused] = report.refused

    assert (1, 0) == (report.loaded, report.skipped)
    assert "driver.jsonl line 3: not a whole JSON object" in refused


def test_a_run_without_end_is_refused(project: Project):
    """A truncated run never counts, whatever its manifest says."""
    folder = make_run(project.raw)
    lines = (folder / "driver.jsonl").read_text().splitlines()
    (folder / "driver.jsonl").write_text("\n".join(lines[:-1]) + "\n")
    write_manifest(folder)
    [refused] = load(project).refused

    assert refused.endswith("line 5: the file stops without an end record")


def test_a_copied_folder_counts_once(project: Project):
    """The same run twice is one run; the copy is named."""
    folder = make_run(project.raw)
    shutil.copytree(folder, folder.with_name("dop1.t1-copy"))
    report = load(project)

    assert 1 == len(query("runs", project))
    assert [
        f"{folder.relative_to(project.raw).parent}/dop1.t1-copy: a copy of "
        f"{folder.relative_to(project.raw)}; delete one of them"
    ] == report.refused


def test_what_one_process_made_counts_once(project: Project):
    """Filed again with a line more in its log: its boot, process and clock tell."""
    folder = make_run(project.raw)
    load(project)
    copy = folder.with_name("dop1.t1-copy")
    shutil.copytree(folder, copy)
    (copy / "stderr.log").write_text("a line\n")
    write_manifest(copy)
    report = load(project)

    assert 1 == len(query("runs", project))
    assert [
        f"{copy.relative_to(project.raw)}: the same process at the same time made "
        f"{folder.relative_to(project.raw)}: it would count twice; delete one of them"
    ] == report.refused


def test_runs_of_a_cell_that_count_by_other_ops_are_named(project: Project):
    """In one of three the step's main op was changed: no rate of it compares."""
    both = [("l.i1", "insert", 100, 1.0), ("l.i1", "delete", 100, 1.0)]
    for trial in (1, 2):
        make_run(project.raw, trial=trial, steps=both)
    odd = make_run(project.raw, trial=3, steps=both[::-1])

    assert [
        f"{odd.relative_to(project.raw)}: step l.i1 counts by delete, and by insert in "
        "other runs of this cell: one of them was changed; measure it again"
    ] == load(project).warnings


def test_a_copy_with_its_manifest_in_other_words_is_a_copy(project: Project):
    """What counts is which files the manifest lists, not how it is written."""
    folder = make_run(project.raw)
    copy = folder.with_name("dop1.t1-copy")
    shutil.copytree(folder, copy)
    manifest = json.loads((copy / "manifest.json").read_text())
    (copy / "manifest.json").write_text(json.dumps(manifest, sort_keys=True))
    report = load(project)

    assert (1, 1) == (report.loaded, len(report.refused))
    assert "a copy of" in report.refused[0]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["dop2.t1-x", "dop1.t2-x", "dop1.t11-x"])
def test_a_folder_renamed_to_another_dop_or_trial_is_refused(project: Project, name: str):
    """Its name is read by people: it says what spec.json says."""
    folder = make_run(project.raw)
    folder.rename(folder.with_name(name))
    [refused] = load(project).refused

    assert refused.endswith(
        "spec.json says it belongs under s/m/null1_gcc_-O2.none.main as dop1.t1-TIME: "
        "move the folder there, a copy elsewhere would count twice"
    )


@pytest.mark.parametrize("tag", ["null1_gcc_-O2.none.mai", "null1_gcc_-O2.none.main2"])
def test_a_folder_under_another_tag_is_refused(project: Project, tag: str):
    """Runs are filed under the tag of their cell."""
    folder = make_run(project.raw)
    folder.parent.rename(folder.parent.with_name(tag))
    [refused] = load(project).refused

    assert "spec.json says it belongs under s/m/null1_gcc_-O2.none.main as" in refused


def test_a_folder_under_another_study_is_refused(project: Project):
    """Runs are filed under the study that measured them."""
    make_run(project.raw)
    (project.raw / "s").rename(project.raw / "t")
    [refused] = load(project).refused

    assert "spec.json says it belongs under s/m" in refused


def test_a_dimension_named_like_a_column_is_refused(project: Project):
    """A dimension `step` would hide the column of that name."""
    make_run(project.raw, dims={"step": "1"})
    [refused] = load(project).refused

    assert refused.endswith("spec.json has a dimension step, the name of a column")


def test_two_machines_of_one_name_are_a_warning(project: Project):
    """Comparing them would mix machines; the warning names both."""
    make_run(project.raw, machine_id="aaaa")
    make_run(project.raw, machine_id="bbbb", trial=2)

    assert [
        "study s: 2 machines are called m (aaaa, bbbb); measure on one of them under "
        "another name: BENCHBOOK_MACHINE=name"
    ] == load(project).warnings


# --- tools with an output of their own -------------------------------------------------


LOG = """\
# db_bench --benchmarks=crc32c --block_size=4096
crc32c : 0.250 micros/op 4000000 ops/sec 0.512 seconds 2048000 operations; 15625.0 MB/s (4096 per op)
xxhash : 0.425 micros/op 2350000 ops/sec; 9179.7 MB/s (4096 per op)
"""  # noqa: E501


def tool_run(project: Project, step: str) -> None:
    """A run whose step names db_bench.log for its counters."""
    spec = {
        "driver": "db_bench", "engine": "rocksdb", "version": "1", "dop": 1, "seed": 42,
        "build": {"compiler": "gcc"},
    }  # fmt: skip
    lines = make_records(spec, [(step, "bytes", 0, 2.0)])
    lines[1] |= {"ops": None, "rows": None, "bytes": None}
    lines = [line for line in lines if line["kind"] != "sample"]
    output = {"kind": "output", "step": step, "file": "db_bench.log"}
    lines.insert(2, output | {"format": "db_bench"})
    make_run(
        project.raw, driver="db_bench", engine="rocksdb", records=lines,
        outputs={"db_bench.log": LOG},
    )  # fmt: skip


def test_counters_come_from_a_tools_output(project: Project):
    """The tool's own elapsed time counts, not that of its process (0.512 s)."""
    tool_run(project, "crc32c")
    load(project)

    assert [15625.0] == metric(project, "mbps")
    assert [0.512] == metric(project, "elapsed_s")


def test_a_tool_that_prints_rates_only_is_refused(project: Project):
    """db_bench before RocksDB 7 does not say how much it did."""
    tool_run(project, "xxhash")
    [refused] = load(project).refused

    assert refused.endswith("db_bench.log has rates but no counters for step xxhash")


def test_a_step_without_a_result_is_refused(project: Project):
    """An output that lacks the step is named."""
    tool_run(project, "xxh3")
    [refused] = load(project).refused

    assert refused.endswith("db_bench.log has no result of step xxh3")


# --- imported results ------------------------------------------------------------------


@pytest.mark.slow
def test_imported_parquet_joins_the_metric_view(project: Project):
    """What lies in data/imported is published, and leaves when its file does."""
    make_run(project.raw)
    load(project)
    own = query("metric", project)
    one = own[own["main"]].assign(set="old posts", value=7.0, source="file.txt:3")
    project.imported.mkdir(parents=True)
    with duckdb.connect() as connection:
        connection.execute(
            "COPY (SELECT * EXCLUDE (origin) REPLACE (MAP {'pk': '1'} AS dims) FROM one) "
            "TO $file", {"file": str(project.imported / "old.parquet")},
        )  # fmt: skip
    assert [] == load(project).refused
    found = query("metric_of_set", project, set="old posts")

    assert [("published", 7.0, "file.txt:3")] == list(
        zip(found["origin"], found["value"], found["source"], strict=True)
    )
    assert len(own) + 1 == len(query("metric", project))
    assert 1 == len(one)

    (project.imported / "old.parquet").unlink()
    load(project)

    assert len(own) == len(query("metric", project))


def test_an_import_that_does_not_fit_is_refused(project: Project):
    """A Parquet file without the columns of metric is named."""
    project.imported.mkdir(parents=True)
    pd.DataFrame({"a": [1]}).to_parquet(project.imported / "x.parquet")
    [refused] = load(project).refused

    assert refused.startswith("imported/x.parquet: ")
