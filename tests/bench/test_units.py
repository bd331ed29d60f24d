"""bench/tests: the C unit tests pass, and the small binaries print what they must."""

import json
import re
import subprocess
from pathlib import Path

import pytest
from places import BENCH

from benchbook.study.drivers import DRIVERS

pytestmark = pytest.mark.engine


def make(out, *words):
    return subprocess.run(
        ["make", "-s", "-j2", "-C", str(BENCH), f"OUT={out}", *words],
        capture_output=True, text=True, check=False,
    )  # fmt: skip


@pytest.fixture(scope="module")
def out(tmp_path_factory):
    """A folder with now and probe."""
    folder = tmp_path_factory.mktemp("bench")
    done = make(folder, "OPT=-O1", "now", "probe")
    assert 0 == done.returncode, done.stderr
    return folder


def test_the_c_unit_tests_pass_under_sanitizers(tmp_path):
    """make check builds them with sanitizers and runs them."""
    done = make(tmp_path, "check")

    assert 0 == done.returncode, done.stderr
    assert 6 == done.stdout.count(" 0 failures")


@pytest.mark.slow
def test_a_missing_header_is_one_sentence(tmp_path):
    """Without an engine's header make says which package to install."""
    done = make(tmp_path, "CPPFLAGS=-nostdinc", "-k", "ingest")

    assert 0 != done.returncode
    for package in ("libsqlite3-dev", "libpq-dev", "libmariadb-dev"):
        assert f"install the package {package}" in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("name", ["ingest", "micro"])
def test_digest_of_a_driver_holds_all_that_is_compiled_for_it(tmp_path, name):
    """Each .c that make compiles for the program, and each header that this includes."""
    driver = DRIVERS[name]
    plan = make(tmp_path, "--dry-run", driver.target).stdout
    files = set(re.findall(r"(?<= )[a-z]+/[a-z0-9_/]+\.c\b", plan))
    folders = [f"-isystem/usr/include/{name}" for name in ("mariadb", "postgresql")]
    words = ["gcc", "-MM", "-D_GNU_SOURCE", "-I.", *folders, *files]
    rules = subprocess.run(words, cwd=BENCH, capture_output=True, text=True, check=True)
    parts = re.findall(r"[a-z]+/[a-z0-9_/]+\.[ch]\b", rules.stdout)
    ours = {file for glob in driver.sources for file in BENCH.glob(glob)}

    assert len(parts) > len(files) > 5
    assert set() == {BENCH / part for part in parts} - ours


def test_now_prints_both_clocks(out):
    """One object: monotonic and real nanoseconds and the boot they belong to."""
    text = subprocess.run([out / "now"], capture_output=True, check=True).stdout
    now = json.loads(text)

    assert ["mono_ns", "real_ns", "boot_id"] == list(now)
    assert Path("/proc/sys/kernel/random/boot_id").read_text().strip() == now["boot_id"]


def test_probe_syncs_and_leaves_nothing(out, tmp_path):
    """It counts what fdatasync did in the folder; its file is gone."""
    done = subprocess.run([out / "probe", tmp_path], capture_output=True, check=True)
    probe = json.loads(done.stdout)

    assert ["fdatasync_per_s", "fdatasync_n", "fdatasync_p50_ns", "steal_ticks"] == list(
        probe
    )
    assert probe["fdatasync_n"] > 0
    assert [] == list(tmp_path.iterdir())


def test_probe_refuses_a_missing_folder(out):
    """One sentence, exit status 1, empty stdout; without a folder 2."""
    done = subprocess.run([out / "probe", "/nowhere"], capture_output=True, check=False)

    assert (1, b"") == (done.returncode, done.stdout)
    assert b"cannot write in /nowhere" in done.stderr
    assert (
        2 == subprocess.run([out / "probe"], capture_output=True, check=False).returncode
    )
