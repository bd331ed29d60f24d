"""db_bench: its result lines, and bench/db_bench.sh around the installed tool."""

import json
import os
import shutil
import subprocess

import pytest
from places import BENCH

from benchbook.runs.records import check_record, kinds_of_file, parse
from benchformats.db_bench.log import MicroResult, read_micro

V2 = (
    "crc32c       :       0.212 micros/op 4708112 ops/sec 0.272 seconds "
    "1280000 operations; 18391.1 MB/s (4096 per op)\n"
)


@pytest.mark.unit
def test_a_line_of_rocksdb_7_gives_counters():
    """The time comes from the rate, whose digits are more than the seconds'."""
    expected = MicroResult(
        test="crc32c",
        ops=1280000,
        bytes=5242880000,
        elapsed_ns=271871187,  # 1280000 / 4708112 s
    )

    assert [expected] == read_micro(V2)


@pytest.mark.unit
def test_an_older_line_gives_only_its_rate():
    """V1 printed neither operations nor seconds."""
    line = "xxhash : 0.8 micros/op 1250000 ops/sec; 4882.8 MB/s (4096 per op)"

    assert [MicroResult("xxhash", None, None, None)] == read_micro(line)


@pytest.mark.unit
def test_compression_takes_its_block_size_from_the_command():
    """compress and uncompress do not print it; db_bench.sh writes the command above."""
    text = (
        "# db_bench --benchmarks=compress --block_size=8192 --threads=1\n"
        "compress     :      10.000 micros/op 100000 ops/sec 1.311 seconds "
        "131072 operations;  781.2 MB/s (output: 55.1%)\n"
    )

    assert [(131072 * 8192, 1310720000)] == [
        (r.bytes, r.elapsed_ns) for r in read_micro(text)
    ]


@pytest.mark.unit
def test_other_lines_are_passed_over():
    """Banner, warnings and other benchmarks are no results of these tests."""
    text = (
        "RocksDB:    version 7.8.3\nKeys:       16 bytes each\n"
        "readrandom   :      10.218 micros/op 3131616 ops/sec; 1254.3 MB/s\n"
    )

    assert [] == read_micro(text + "DB path: [/x]\n")


def call(*words: str, **environ: str):
    return subprocess.run(
        [str(BENCH / "db_bench.sh"), *words],
        capture_output=True, text=True, check=False, env=os.environ | environ,
    )  # fmt: skip


@pytest.mark.engine
@pytest.mark.parametrize(
    "words",
    [
        ["--step", "crc32c"],
        ["--engine", "rocksdb", "--step", "crc32c:seconds=1"],
        ["--engine", "rocksdb", "--block-size", "big"],
        ["--frobnicate"],
    ],
)
def test_bad_usage_prints_no_record(words):
    """Exit 2, one line on stderr, nothing on stdout."""
    done = call(*words)

    assert (2, "", 1) == (done.returncode, done.stdout, done.stderr.count("\n"))


@pytest.mark.engine
def test_a_failing_tool_fails_the_run(tmp_path):
    """The end record says which step; the exit code is 1."""
    (tmp_path / "db_bench").write_text('#!/bin/sh\n[ "$1" = --version ] && echo v 1\n')
    (tmp_path / "db_bench").chmod(0o755)
    (tmp_path / "now").write_text(
        '#!/bin/sh\necho \'{"mono_ns":1,"real_ns":2,"boot_id":"b"}\'\n'
    )
    (tmp_path / "now").chmod(0o755)
    folder = str(tmp_path)

    done = call(
        "--engine", "rocksdb", "--target", folder, "--out", folder, "--step", "xxh3",
        BENCH_BIN=folder, PATH=f"{folder}:{os.environ['PATH']}",
    )  # fmt: skip

    end = json.loads(done.stdout.splitlines()[-1])
    assert (1, "end", "failed") == (done.returncode, end["kind"], end["status"])
    assert "xxh3" in end["reason"]


@pytest.mark.slow
@pytest.mark.engine
@pytest.mark.skipif(not shutil.which("db_bench"), reason="no db_bench (rocksdb-tools)")
def test_the_installed_tool_is_measured(tmp_path):
    """Records keep the schema, and the log they name holds each step's result."""
    make = ["make", "-s", "-C", str(BENCH), f"OUT={tmp_path}", "now"]
    subprocess.run(make, check=True)

    done = call(
        "--engine", "rocksdb", "--target", str(tmp_path), "--out", str(tmp_path),
        "--block-size", "8192", "--step", "xxh3", "--step", "uncompress",
        BENCH_BIN=str(tmp_path),
    )  # fmt: skip

    assert 0 == done.returncode, done.stderr
    said = [parse(line) for line in done.stdout.splitlines()]
    assert said[0]["assertions"] == any("assertions" in r.get("text", "") for r in said)
    records = [record for record in said if record["kind"] != "note"]
    kinds = kinds_of_file(records[0])
    expected = ["run", *["begin", "step", "output"] * 2, "end"]
    assert expected == [check_record(record, kinds) for record in records]
    results = read_micro((tmp_path / records[3]["file"]).read_text())
    assert ["xxh3", "uncompress"] == [r.test for r in results]
    assert all(r.bytes == r.ops * 8192 and r.elapsed_ns for r in results)
