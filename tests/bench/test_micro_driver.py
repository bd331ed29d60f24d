"""bench/micro: real libraries, built by real compilers, give right and whole answers."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from disassembly import (
    count_instructions,
    instruction_table,
    read_instructions,
)
from places import BENCH

from benchbook.runs.records import check_record, kinds_of_file, parse

pytestmark = pytest.mark.engine

SANITIZE = "-O1 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined"
VERSIONS = {"rocksdb": "7.8.3", "xxhash": "0.8.1", "lz4": "1.9.4", "zstd": "1.5.4"}
STEPS = {
    "ours": ["crc32c-table", "crc32c-1stream"],
    "rocksdb": ["crc32c"],
    "xxhash": ["xxhash", "xxhash64", "xxh3"],
    "lz4": ["lz4-compress", "lz4-uncompress"],
    "zstd": ["zstd-compress", "zstd-uncompress"],
}
needs_clang = pytest.mark.skipif(not shutil.which("clang-19"), reason="no clang-19")


def source(library: str) -> str:
    """The fetched source of a library; without a network the test is skipped."""
    done = subprocess.run(
        [str(BENCH / "fetch.sh"), library, VERSIONS[library]],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    if "is the network there?" in done.stderr:
        pytest.skip(f"offline, and {library} is not in the cache")
    assert 0 == done.returncode, done.stderr
    return done.stdout.strip()


def make(
    out: Path, library: str, src: str, cc: str = "gcc", opt: str = "-O1", *more: str
):
    words = [f"OUT={out}", f"CC={cc}", f"OPT={opt}", f"LIB={library}", f"SRC={src}"]
    return subprocess.run(
        ["make", "-s", "-j2", "-C", str(BENCH), *words, *more, "micro"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip


@pytest.fixture(scope="module")
def build(tmp_path_factory):
    """A function that compiles one library, once for the whole file."""
    done: dict[tuple[str, ...], Path] = {}

    def build_once(library: str, *how: str) -> Path:
        if (library, *how) not in done:
            out = tmp_path_factory.mktemp("micro")
            src = source(library) if library in VERSIONS else ""
            made = make(out, library, src, *how)
            assert 0 == made.returncode, made.stderr
            done[library, *how] = out
        return done[library, *how] / "micro"

    return build_once


def run(program: Path, *words: str):
    return subprocess.run(
        [str(program), *words], capture_output=True, text=True, check=False
    )


def records(done) -> list[dict]:
    """The records of a run, each as the schema has it."""
    assert 0 == done.returncode, done.stderr
    found = [parse(line) for line in done.stdout.splitlines()]
    kinds = kinds_of_file(found[0])
    assert "end" == [check_record(record, kinds) for record in found][-1]
    return found


def of_kind(found: list[dict], kind: str) -> list[dict]:
    return [record for record in found if record["kind"] == kind]


def measure(program: Path, engine: str, *words: str) -> list[dict]:
    steps = [w for s in STEPS[engine] for w in ("--step", f"{s}:seconds=0.05")]
    return records(run(program, "--engine", engine, *steps, *words))


@pytest.mark.slow
@pytest.mark.parametrize("library", list(STEPS))
def test_every_step_gives_checked_answers(build, library):
    """Each step counts blocks and bytes, and its answers were verified."""
    found = measure(build(library), library)

    assert VERSIONS.get(library, "1") == found[0]["version"]
    steps = of_kind(found, "step")
    assert STEPS[library] == [step["step"] for step in steps]
    assert all(s["checked"] and s["bytes"] == s["ops"] * 4096 > 0 for s in steps)


@needs_clang
@pytest.mark.parametrize("opt", ["-O3 -march=native", "-O2 -flto"])
@pytest.mark.parametrize(
    "library", [pytest.param("rocksdb", marks=pytest.mark.slow), "xxhash"]
)
def test_clang_builds_the_same_answers(build, library, opt):
    """The compiler that the run record names is the one under test."""
    found = measure(build(library, "clang-19", opt), library)

    assert "clang 19" == found[0]["compiler"][:8]
    assert opt == found[0]["options"]["build_flags"]


@pytest.mark.slow
def test_link_time_optimisation_keeps_the_work(build):
    """Repetitions take time in proportion: the loop is not computed once and for all."""
    program = build("xxhash", "gcc", "-O2 -flto")
    found = records(run(program, "--engine", "xxhash", "--step", "xxh3:rows=2000000"))

    step = of_kind(found, "step")[0]
    assert step["ops"] == 2000000
    assert (step["end_ns"] - step["start_ns"]) / step["ops"] > 20  # ns for 4 KB


def test_rocksdb_takes_its_fast_path_by_default(build):
    """As RocksDB's own build does, whatever the flags are."""
    found = measure(build("rocksdb"), "rocksdb")

    expected = ("-msse4.2 -mpclmul", "Supported on x86")
    assert expected == (found[0]["options"]["isa"], found[0]["options"]["code_path"])


@pytest.mark.slow
def test_a_portable_build_uses_a_table(build):
    """ISA= leaves out the instruction set, as Debian's package does."""
    found = measure(build("rocksdb", "gcc", "-O1", "ISA="), "rocksdb")

    expected = ("", "Not supported on x86")
    assert expected == (found[0]["options"]["isa"], found[0]["options"]["code_path"])


def test_too_few_repetitions_are_looped(build):
    """A step of microseconds is not reported: it runs for 50 ms at least."""
    found = records(
        run(build("ours"), "--engine", "ours", "--step", "crc32c-table:rows=1")
    )

    step = of_kind(found, "step")[0]
    assert step["ops"] > 1
    assert step["end_ns"] - step["start_ns"] >= 50_000_000


@pytest.mark.slow
@pytest.mark.parametrize("dop", [1, 2])
def test_samples_tile_the_step(build, dop):
    """Intervals follow each other from start to end; their counts add up."""
    step = "crc32c-1stream:seconds=0.35"
    found = records(
        run(build("ours"), "--engine", "ours", "--step", step, "--dop", str(dop))
    )

    total, samples = of_kind(found, "step")[0], of_kind(found, "sample")
    assert total["ops"] == sum(s["ops"] for s in samples)
    begins = [total["start_ns"], *(s["t_ns"] for s in samples)]
    assert begins[:-1] == [s["t_ns"] - s["interval_ns"] for s in samples]
    assert begins[-1] == total["end_ns"]
    assert all(
        len(s["clients"]) == dop and sum(s["clients"]) == s["ops"] for s in samples
    )


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["--engine", "ours"],
        ["--engine", "nothing", "--step", "crc32c"],
        ["--engine", "ours", "--step", "crc32c-table:hours=1"],
        ["--engine", "ours", "--step", "crc32c-table:rows=-1"],
        ["--engine", "ours", "--step", "xxh3"],
        ["--engine", "ours", "--step", "crc32c-table", "--block-size", "0"],
        ["--engine", "ours", "--step", "crc32c-table", "--data", "y"],
        ["--engine", "ours", "--step", "crc32c-table", "more"],
        ["--bogus"],
    ],
)
def test_bad_usage_prints_no_record(build, words):
    """Exit 2, one line on stderr, nothing on stdout."""
    done = run(build("ours"), *words)

    assert (2, "", 1) == (done.returncode, done.stdout, done.stderr.count("\n"))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("library", "file", "right", "wrong", "step"),
    [
        ("xxhash", "xxhash.h", "0x9E3779B1U", "0x9E3779B3U", "xxhash"),
        ("rocksdb", "util/crc32c.cc", "crc ^ 0xffffffffu", "crc ^ 0xfffffffeu", "crc32c"),
        (
            "lz4",
            "lib/lz4.c",
            "LZ4_readLE16(ip)",
            "1 ^ LZ4_readLE16(ip)",
            "lz4-uncompress",
        ),
    ],
)
def test_a_wrong_answer_fails_the_run(tmp_path, library, file, right, wrong, step):
    """A library broken on purpose: the run ends as failed and names the step."""
    src = tmp_path / "src"
    shutil.copytree(source(library), src)
    text = (src / file).read_text()
    assert right in text
    (src / file).write_text(text.replace(right, wrong))
    made = make(tmp_path, library, str(src))
    assert 0 == made.returncode, made.stderr

    done = run(tmp_path / "micro", "--engine", library, "--step", f"{step}:rows=1")

    end = json.loads(done.stdout.splitlines()[-1])
    assert (1, "failed", step) == (
        done.returncode, end["status"], end["reason"].split(":")[0],
    )  # fmt: skip


@pytest.mark.slow
def test_another_release_than_promised_is_refused(tmp_path):
    """The source says what it is; the message has both versions."""
    made = make(tmp_path, "xxhash", source("xxhash"), "gcc", "-O1", "LIBVERSION=0.8.3")

    assert 0 != made.returncode
    assert "holds xxhash 0.8.1, not 0.8.3" in made.stderr


@pytest.mark.parametrize("library", ["rocksdb", "xxhash"])
def test_the_instruction_counts_of_a_build_are_right(build, library):
    """The table made at build time is the one Python counts from the binary."""
    program = build(library)
    parts = {"rocksdb": ["crc32c"], "xxhash": ["XXH", "xxh"]}[library]
    text = (program.parent / "instructions.tsv").read_text()

    expected = count_instructions(program, parts)
    assert expected.equals(instruction_table(read_instructions(text)))


@pytest.mark.parametrize(
    "library",
    [
        "ours",
        "xxhash",
        *(pytest.param(n, marks=pytest.mark.slow) for n in ("rocksdb", "lz4")),
    ],
)
def test_no_sanitizer_complains(build, library):
    """Every step, data and an odd block size, under address and undefined behaviour."""
    program = build(library, "gcc", SANITIZE)
    for data, size in (("x", "1"), ("half", "100003"), ("random", "4095")):
        done = measure(
            program, library, "--data", data, "--block-size", size, "--dop", "2"
        )
        assert STEPS[library] == [step["step"] for step in of_kind(done, "step")]


def functions(program: Path) -> dict[str, tuple[str, str]]:
    """Address and size of every function of a program."""
    words = ["nm", "--print-size", "--defined-only", str(program)]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    rows = [line.split() for line in done.stdout.splitlines()]
    return {r[3]: (r[0], r[1]) for r in rows if len(r) == 4 and r[2] in "tT"}


@pytest.mark.slow
@pytest.mark.parametrize("opt", ["-O2", "-O2 -flto"])
def test_another_build_has_the_same_functions_at_other_addresses(build, opt):
    """BUILD_NO changes where a function lies, not what it is."""
    made = [functions(build("ours", "gcc", opt, f"BUILD_NO={n}")) for n in (1, 2, 3)]

    sizes = [{name: size for name, (_, size) in one.items()} for one in made]
    assert sizes[0] == sizes[1] == sizes[2]
    assert 3 == len({one["repeat_table"][0] for one in made})


@pytest.mark.slow
def test_a_number_stands_for_one_order(tmp_path):
    """Two builds with the same BUILD_NO are the same to the byte, wherever they lie."""
    for folder in ("a", "b"):
        made = make(tmp_path / folder, "ours", "", "gcc", "-O2", "BUILD_NO=2")
        assert 0 == made.returncode, made.stderr

    one, other = (tmp_path / folder / "micro" for folder in ("a", "b"))
    assert one.read_bytes() == other.read_bytes()


@pytest.mark.slow
def test_the_first_build_is_the_one_without_a_number(build):
    """BUILD_NO=1 is what make links when nobody asks for another order."""
    first, plain = build("ours", "gcc", "-O2", "BUILD_NO=1"), build("ours", "gcc", "-O2")

    assert first.read_bytes() == plain.read_bytes()
