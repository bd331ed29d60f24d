"""Builds slowed on purpose: how much slower they are is counted in instructions."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from places import BENCH

from benchbook.engines.builds import Build, require_same_code
from benchbook.study.drivers import driver_named
from benchmath.errors import UserError

pytestmark = [
    pytest.mark.engine,
    pytest.mark.skipif(not shutil.which("valgrind"), reason="no valgrind"),
]


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    """A function that compiles a driver with -O2 and more, once for each."""
    made: dict[tuple[str, str], Path] = {}

    def compiled(driver: str, define: str) -> Path:
        if (driver, define) not in made:
            out = tmp_path_factory.mktemp("slowed")
            words = ["make", "-s", "-j2", "-C", str(BENCH), f"OUT={out}", "CC=gcc"]
            opt = f"OPT=-O2 {define}".strip()
            done = subprocess.run(
                [*words, opt, driver], capture_output=True, text=True, check=False
            )
            assert 0 == done.returncode, done.stderr
            made[driver, define] = out / driver
        return made[driver, define]

    return compiled


def instructions(program: Path, function: str, folder: Path, *words: str) -> int:
    """Instructions of a run inside one function, the thread that does the work."""
    done = subprocess.run(
        ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder / 'out'}",
         f"--toggle-collect={function}", str(program), *words],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert 0 == done.returncode, done.stderr
    return int(re.search(r"Collected : (\d+)", done.stderr)[1])


def of_micro(program: Path, folder: Path) -> int:
    """200 repetitions of 65,536 bytes, so large that the loop's own cost is 0.01%."""
    step = ("--step", "crc32c-table:rows=200", "--block-size", "65536")
    return instructions(program, "run_client", folder, "--engine", "ours", *step)


@pytest.mark.slow
def test_extra_operations_are_counted_in_instructions(program, tmp_path):
    """EXTRA_PERCENT 1, 3 and 5 do 1.01, 1.03 and 1.05 times the work of 0."""
    base = of_micro(program("micro", "-DEXTRA_PERCENT=0"), tmp_path)
    ratios = [
        of_micro(program("micro", f"-DEXTRA_PERCENT={percent}"), tmp_path) / base
        for percent in (1, 3, 5)
    ]

    assert pytest.approx([1.01, 1.03, 1.05], abs=0.0001) == ratios


@pytest.mark.slow
def test_a_build_that_can_be_slowed_costs_nothing(program, tmp_path):
    """Without the switch the work is that of EXTRA_PERCENT=0."""
    without = of_micro(program("micro", ""), tmp_path)
    nothing = of_micro(program("micro", "-DEXTRA_PERCENT=0"), tmp_path)

    assert pytest.approx(1, abs=0.0001) == without / nothing


@pytest.mark.slow
def test_slowed_builds_have_the_same_functions_at_the_same_addresses(program):
    """They differ in data alone, so that no change of layout comes with the slowness."""
    found = {
        subprocess.run(
            ["nm", str(program("micro", f"-DEXTRA_PERCENT={percent}"))],
            capture_output=True, text=True, check=True,
        ).stdout
        for percent in (0, 1, 3, 5)
    }  # fmt: skip

    assert 1 == len(found)


def built(program, flags: str) -> Build:
    """A build of micro as the study of slowed builds has it."""
    made = program("micro", flags)
    return Build(driver=driver_named("micro", Path()), engine="ours", version="1",
                 compiler="gcc", compiler_line="", flags=flags, label="", digest="",
                 folder=made.parent)  # fmt: skip


def test_builds_that_differ_in_data_have_the_same_code(program):
    """`same_code: true` is believed of them: every instruction is where it was."""
    require_same_code(built(program, f"-DEXTRA_PERCENT={n}") for n in (0, 1, 3, 5))


@pytest.mark.slow
def test_builds_of_other_code_are_refused(program):
    """-O3 is not the code of -O2: they may have a build effect."""
    others = [built(program, flags) for flags in ("-DEXTRA_PERCENT=0", "-O3")]

    with pytest.raises(UserError, match=r"ours built with '-O3' is not the code of"):
        require_same_code(others)


def functions(program: Path) -> str:
    done = subprocess.run(["nm", program], capture_output=True, text=True, check=True)
    return done.stdout


@pytest.mark.slow
def test_a_profile_can_name_the_delay(program):
    """It is a function of its own, and in a build without it there is none."""
    assert " injected_spin\n" in functions(program("ingest", "-DDELAY_SPINS=1000"))
    assert "injected_spin" not in functions(program("ingest", ""))


def cpu_ns(program: Path, folder: Path, step: str) -> int:
    """CPU time of a step's client on the engine that does nothing."""
    words = [program, "--engine", "null", "--target", folder, "--step", step]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    return int(re.search(r'"cpu_ns":(\d+)', done.stdout)[1])


@pytest.mark.slow
def test_a_delay_may_be_given_in_nanoseconds(program, tmp_path):
    """20000 rows of 2000 ns each take 40 ms more, many in a statement or one."""
    for step in ("l.i0:rows=20000", "l.i0:rows=20000:rows_per_commit=1"):
        slowed = cpu_ns(program("ingest", "-DDELAY_NS=2000"), tmp_path, step)
        more = slowed - cpu_ns(program("ingest", ""), tmp_path, step)
        assert pytest.approx(2000, rel=0.1) == more / 20000


@pytest.mark.slow
def test_the_delay_of_an_insert_grows_with_its_spins(program, tmp_path):
    """2000 rows: N spins each cost N times what one does, whatever the engine does."""
    words = ("--engine", "null", "--target", str(tmp_path), "--step", "l.i0:rows=2000")
    none, once, twice = (
        instructions(program("ingest", define), "worker_run", tmp_path, *words)
        for define in ("", "-DDELAY_SPINS=1000", "-DDELAY_SPINS=2000")
    )

    assert once - none >= 2000 * 1000
    assert pytest.approx(2, abs=0.01) == (twice - none) / (once - none)
