"""bench/db_bench.sh: steps on databases, the flags they get, and what is refused."""

import json
import os
import re
import shutil
import signal
import subprocess
import time

import pytest
from places import BENCH

from benchbook.measure.plan import make_plan
from benchbook.results.collect import collect
from benchbook.study.drivers import DB_BENCH_FLAGS
from benchbook.study.study import load_study
from benchbook.views.machine import hazards_of_machine
from benchmath.errors import UserError

pytestmark = pytest.mark.engine
SCRIPT = BENCH / "db_bench.sh"
NO_RUN = ("--dry-run", "--no-tool", "--num", "1000")
NOW = '{"mono_ns":1,"real_ns":2,"boot_id":"b"}'
# Says that it has no cache_type, and waits once it has opened its database.
TOOL = """\
#!/bin/bash
case $1 in
  --version) echo "db_bench version 9.9.9" ;;
  --help) printf '    -%s (said)\\n' FLAGS; echo " fillseq stats overwrite " ;;
  *) [[ $* != *--benchmarks=[a-z]* ]] || { echo "DB path: [x]"; exec sleep 30; } ;;
esac
"""


def dry(folder, *words, **environ):
    done = subprocess.run(
        [str(SCRIPT), "--engine", "rocksdb", "--target", str(folder), *words],
        capture_output=True, text=True, check=False, env=os.environ | environ,
    )  # fmt: skip
    return done.returncode, done.stdout, done.stderr


@pytest.fixture
def tool(tmp_path):
    """The folder of a db_bench that has most flags, and a database's place beside it."""
    names = {*DB_BENCH_FLAGS, "writes", "allow_concurrent_memtable_write"}
    names |= {"use_existing_db"}
    text = TOOL.replace("FLAGS", " ".join(sorted(names - {"cache_type"})))
    (tmp_path / "db_bench").write_text(text)
    (tmp_path / "db_bench").chmod(0o755)
    (tmp_path / "database").mkdir()
    return tmp_path


def test_flags_are_those_that_a_study_may_set():
    """The script and the library know the same names."""
    done = subprocess.run([SCRIPT, "--flags"], capture_output=True, text=True, check=True)

    assert list(DB_BENCH_FLAGS) == done.stdout.split()


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--step", "readrandom"], "ends by the clock: write readrandom:seconds=60"),
        (["--step", "fillseq:seconds=3"], "ends when it is done: write fillseq alone"),
        (["--step", "crc32c:seconds=3"], "db_bench decides how long step crc32c takes"),
        (["--step", "fillseq", "--step", "fillseq"], "step fillseq stands twice"),
        (["--step", "fillrandom"], "no step fillrandom; available: fillseq revrange"),
        (["--step", "overwritesome"], "needs a database: begin with fillseq"),
        (["--step", "fillseq", "--workload", "big"], "no workload big; available: byrx"),
        (["--step", "fillseq", "--sort", "1"], "unknown option --sort"),
        (["--step", "fillseq", "--cache-size", "1G"], "cache_size takes a whole"),
        (
            ["--step", "fillseq", "--value-size", "99999999999999"],
            "are free: set num",
        ),
    ],
)
def test_what_cannot_be_run_is_refused_in_a_sentence(tmp_path, words, why):
    """Without db_bench, as far as it is not needed to know."""
    code, _, said = dry(tmp_path, *NO_RUN, *words)

    assert (2, 1) == (code, said.count("\n"))
    assert why in said


def test_steps_get_the_flags_of_the_field(tmp_path):
    """The load is uncompressed, without a log; what overwrites does a tenth."""
    words = ("--workload", "iobuf", "--dop", "4", "--step", "fillseq")
    words += ("--step", "overwritesome", "--step", "readwhilewriting:seconds=5")
    _, text, _ = dry(tmp_path, *NO_RUN, *words)
    flags = {line.split("\t")[0]: line.split() for line in text.splitlines()}

    load = {"--disable_wal=1", "--memtablerep=vector", "--threads=1"}
    assert load <= set(flags["fillseq"])
    assert {"--writes=25", "--threads=4"} <= set(flags["overwritesome"])
    assert {"--compression_type=lz4", "--duration=5"} <= set(flags["readwhilewriting"])
    assert "--benchmark_write_rate_limit=2097152" in flags["readwhilewriting"]
    assert not any("write_rate" in word for word in flags["overwritesome"])


def test_what_the_user_sets_wins(tmp_path):
    """Over what is computed, and over what a step has."""
    words = ("--step", "fillseq", "--max-background-jobs", "7", "--memtablerep", "cuckoo")
    _, text, _ = dry(tmp_path, *NO_RUN, *words)

    assert "--max_background_jobs=7" in text.split()
    assert "--memtablerep=cuckoo" in text.split()


def test_a_smaller_database_from_the_device_gets_a_smaller_cache(tmp_path):
    """The data stay 4 / .7 times as large (210 bytes a key); 8 MiB at least."""
    words = ("--workload", "iodir", "--step", "fillseq", "--num")
    _, small, _ = dry(tmp_path, *NO_RUN, *words, "100000")
    _, large, _ = dry(tmp_path, *NO_RUN, *words, "1000000")

    assert "--cache_size=8388608" in small.split()
    assert "--cache_size=36700160" in large.split()


@pytest.mark.parametrize(
    ("cpus", "jobs"), [(1, 2), (4, 3), (8, 4), (16, 8), (40, 8), (48, 12)]
)
def test_background_jobs_follow_from_the_cpus(cpus, jobs):
    """3 on 4 cores, 4 on 8, 8 on up to 40, 12 beyond."""
    words = f'source "{BENCH}/db_bench/flags.sh"; background_jobs {cpus}'
    done = subprocess.run(["bash", "-c", words], capture_output=True, text=True)

    assert f"{jobs}\n" == done.stdout


def test_a_flag_that_a_release_lacks_is_left_out_unless_it_is_set(tool):
    """The binary is asked."""
    place = {"LD_LIBRARY_PATH": str(tool)}
    words = ("--dry-run", "--num", "1000", "--step", "fillseq")
    code, text, _ = dry(tool / "database", *words, **place)
    refused = dry(tool / "database", *words, "--cache-type", "lru_cache", **place)

    assert (0, "lacking\tcache_type") == (code, text.splitlines()[-1])
    assert "db_bench 9.9.9 has no flag cache_type, which is set" in refused[2]


def test_a_benchmark_that_a_release_lacks_is_refused(tool):
    """Its help does not name it."""
    words = (
        "--dry-run",
        "--num",
        "9",
        "--step",
        "fillseq",
        "--step",
        "overwriteandwait:seconds=1",
    )
    code, _, said = dry(tool / "database", *words, LD_LIBRARY_PATH=str(tool))

    assert 2 == code
    assert (
        "db_bench 9.9.9 has no waitforcompaction, so it cannot run step overwriteandwait"
        in said
    )


def started(tool, step, **environ):
    """The driver, about to run a step of the tool that waits."""
    (tool / "now").write_text(f"#!/bin/sh\necho '{NOW}'\n")
    (tool / "now").chmod(0o755)
    words = ["--target", tool / "database", "--out", tool, "--step", step]
    return subprocess.Popen(
        [SCRIPT, "--engine", "rocksdb", "--num", "9", *words], text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env=os.environ | {"LD_LIBRARY_PATH": str(tool), "BENCH_BIN": str(tool)} | environ,
    )  # fmt: skip


@pytest.mark.slow
def test_a_step_that_does_not_end_fails_the_run(tool):
    """Some releases wait for ever for compactions after an error."""
    (tool / "database" / "db_bench").mkdir()
    (tool / "database" / "db_bench" / "CURRENT").touch()
    done = started(tool, "overwrite:seconds=1", BENCH_PATIENCE="0")
    said, _ = done.communicate(timeout=20)
    end = json.loads(said.splitlines()[-1])

    assert (1, "failed") == (done.returncode, end["status"])
    assert "did not end within 0 s after the time of step overwrite" in end["reason"]


@pytest.mark.slow
def test_a_line_that_comes_in_two_pieces_is_one(tool):
    """A read lasts a second at most, so that no signal is missed; its line goes on."""
    text = (tool / "db_bench").read_text()
    pieces = 'printf "DB pa"; sleep 1.2; echo "th: [x]"; exit 1'
    text = text.replace('echo "DB path: [x]"; exec sleep 30', pieces)
    (tool / "db_bench").write_text(text)
    said, _ = started(tool, "fillseq").communicate(timeout=20)

    assert "begin" in [json.loads(line)["kind"] for line in said.splitlines()]


def test_a_signal_ends_step_and_run_with_a_record(tool):
    """Nothing of it goes on."""
    with started(tool, "fillseq") as process:
        assert process.stdout
        begin = [json.loads(process.stdout.readline()) for _ in range(2)][-1]
        moment = time.monotonic()
        process.send_signal(signal.SIGTERM)
        *between, last = process.stdout.read().splitlines()
    end = json.loads(last)

    assert ("begin", "fillseq") == (begin["kind"], begin["step"])
    assert (1, "failed") == (process.returncode, end["status"])
    assert "stopped by a signal in step fillseq" == end["reason"]
    assert 3 + len(between) == end["lines"]
    assert time.monotonic() - moment < 10


@pytest.mark.parametrize(
    ("engine", "why"),
    [
        ('version: "9.10.0", source: built', "fillseq ends when it is done"),
        ("basedir: /nonexistent", "no db_bench in /nonexistent or its lib/"),
    ],
)
def test_plan_refuses_what_run_would(checkout, engine, why):
    """Before an engine is built; one sentence that names the study."""
    text = STUDY.replace("STEPS", '"fillseq:seconds=3"')
    text = text.replace("engine: rocksdb", f"engine: rocksdb, {engine}")
    study = load_study(checkout.study("bad", text))

    with pytest.raises(UserError, match=why):
        make_plan(study, checkout.project)


def test_steps_on_a_database_are_not_pinned_to_one_cpu(checkout):
    """Those that only calculate are; the database would share it with its compactions."""
    free = checkout.study("free", STUDY.replace("STEPS", "fillseq"))
    pinned = checkout.study("pinned", STUDY.replace("STEPS", "crc32c"))

    assert ["none", "same"] == [load_study(f).cells[0].placement for f in (free, pinned)]


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("db_bench"), reason="no db_bench (rocksdb-tools)")
def test_a_run_of_all_steps_reaches_the_store(checkout):
    """Counters, samples, response times, tree and jobs of each step on a database."""
    steps = (
        "fillseq", "revrange:seconds=2", "readrandom:seconds=2", "fwdrange:seconds=2",
        "multireadrandom:seconds=2", "overwritesome", "flush_mt_l0",
        "revrangewhilewriting:seconds=2", "fwdrangewhilewriting:seconds=2",
        "readwhilewriting:seconds=2", "overwrite:seconds=2", "overwriteandwait:seconds=2",
    )  # fmt: skip
    checkout.study("tiny", STUDY.replace("STEPS", ", ".join(f'"{s}"' for s in steps)))
    plan = checkout.ok("plan", "tiny")
    checkout.ok("run", "tiny")
    checkout.ok("load")

    assert "computed: byrx: max_background_jobs=" in plan
    assert ["12,12,12"] == rows(checkout, ALL)
    assert [] == rows(checkout, UNEQUAL)
    [amplification] = rows(checkout, AMPLIFICATION)
    assert 1.0 == pytest.approx(float(amplification), abs=0.05)


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("db_bench"), reason="no db_bench (rocksdb-tools)")
def test_files_move_where_nothing_has_to_be_compressed(checkout):
    """Loads in key order: dynamic levels or not, compressed from level 2 on or not."""
    checkout.study("moves", MOVES)
    checkout.ok("run", "moves")
    checkout.ok("load")

    how = {}
    for line in rows(checkout, HOW):
        dynamic, compression, level, done = line.split(",")
        how.setdefault((dynamic, compression), {})[int(level)] = done
    assert all(levels.pop(0) == "written" for levels in how.values())
    assert {"moved"} == set(how["1", "none"].values()) == set(how["0", "none"].values())
    assert {1: "moved", 2: "written"}.items() <= how["0", "lz4"].items()
    assert "moved" in how["1", "lz4"].values()
    assert {"both", "written"} & set(how["1", "lz4"].values())


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("db_bench"), reason="no db_bench (rocksdb-tools)")
def test_run_with_tiny_buffers_is_said_to_have_stalled(checkout):
    """Writers wait for flushes and for L0: the hazard tells how long and what for."""
    checkout.study("tiny", STALLS)
    checkout.ok("run", "tiny")
    hazards = hazards_of_machine(collect(checkout.root / "posts/tiny", measure=False))

    (text,) = [h.text for h in hazards if h.where == {"step": "overwrite"}
               and h.code == "stalled"]  # fmt: skip
    assert text.startswith("overwrite stalled in 1 of 1 run, at worst ")
    assert re.search(
        r"writers delayed or stopped for [\d.]+% of it, \d+ of \d+ times", text
    )


def rows(checkout, statement):
    """The lines of an answer."""
    return checkout.ok("sql", statement, "--csv").splitlines()[1:]


STUDY = """\
title: Does all of it reach the store?
template: engine-builds
driver: db_bench
workload: byrx
base: {dop: 2}
engines: [{engine: rocksdb}]
matrix: {dop: [2]}
options: {num: 100000, cache_size: 100000000, write_buffer_size: 2000000,
          target_file_size_base: 2000000, max_bytes_for_level_base: 8000000}
steps: [STEPS]
trials: 1
"""
STALLS = """\
title: Who waits for whom?
template: sawtooth
driver: db_bench
base: {dop: 1}
engines: [{engine: rocksdb}]
matrix: {dop: [1]}
options: {num: 100000, cache_size: 100000000, write_buffer_size: 65536,
          target_file_size_base: 65536, max_bytes_for_level_base: 262144,
          max_write_buffer_number: 2, level0_file_num_compaction_trigger: 2,
          level0_slowdown_writes_trigger: 3, level0_stop_writes_trigger: 4}
steps: [fillseq, "overwrite:seconds=6"]
trials: 1
"""
MOVES = """\
title: Where are files moved, and where written again?
template: engine-builds
driver: db_bench
base: {compression_type: none}
engines: [{engine: rocksdb}]
matrix: {level_compaction_dynamic_level_bytes: [1, 0], compression_type: [none, lz4]}
options: {num: 200000, cache_size: 10000000, write_buffer_size: 1000000,
          target_file_size_base: 1000000, max_bytes_for_level_base: 4000000,
          min_level_to_compress: 2}
steps: [fillseq, "revrange:seconds=3"]
trials: 1
"""
ALL = """\
SELECT count(DISTINCT step), (SELECT count(DISTINCT step) FROM lsm_levels),
  (SELECT count(DISTINCT step) FROM size)
FROM steps"""
UNEQUAL = """\
SELECT step FROM steps JOIN samples USING (run_id, step, op)
GROUP BY ALL HAVING sum(samples.ops) <> any_value(steps.ops)"""
AMPLIFICATION = "SELECT value FROM metric WHERE metric = 'write_amp' AND step = 'fillseq'"
HOW = """\
SELECT dims['level_compaction_dynamic_level_bytes'], dims['compression_type'], level,
  CASE WHEN bool_and(how = 'moved') THEN 'moved'
    WHEN bool_and(how = 'written') THEN 'written' ELSE 'both' END
FROM lsm_writes JOIN (SELECT run_id, dims FROM runs) USING (run_id)
GROUP BY ALL ORDER BY ALL"""
