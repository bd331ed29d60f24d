"""bench/install.sh: a tree counts only when it is whole and its server starts."""

import ctypes
import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest
from fake_engines import BENCH, FakeEngines, make_engines
from slow_tools import make_slow_tar

from benchbook.digests import short_digest

pytestmark = pytest.mark.engine


@pytest.fixture
def fake(tmp_path) -> FakeEngines:
    return make_engines(tmp_path / "fake")


def notes_of(tree: Path) -> dict[str, str]:
    lines = (tree / "benchbook-install").read_text().splitlines()
    return dict(line.split("=", 1) for line in lines)


def test_the_tree_is_unpacked_and_says_what_it_is(fake):
    """The folder is printed; it holds the server, and where it came from."""
    done = fake.call("postgres", "1.5", "jar")

    tree = fake.cache / "postgres-1.5-jar"
    assert (0, f"{tree}\n") == (done.returncode, done.stdout), done.stderr
    assert (tree / "bin" / "postgres").is_file()
    notes = notes_of(tree)
    assert ("postgres", "1.5", "jar") == (
        notes["engine"], notes["version"], notes["source"]
    )  # fmt: skip
    assert ("fake", "gcc 7.5 -Os", "") == (
        notes["series"], notes["label"], notes["libpath"]
    )  # fmt: skip
    assert "org.example:postgres:1.5" == notes["package"]
    assert ["postgres-1.5-jar"] == fake.left()


def test_a_second_call_does_nothing(fake):
    """What is in the cache is used as it is, and nothing is said."""
    tree = Path(fake.call("postgres", "1.5").stdout.strip())
    before = tree.stat().st_mtime_ns

    again = fake.call("postgres", "1.5")

    assert (f"{tree}\n", "") == (again.stdout, again.stderr)
    assert before == tree.stat().st_mtime_ns


def test_the_first_numbers_of_a_version_will_do(fake):
    """2 is 2.0, the one release of it that there is."""
    assert "postgres-2.0-jar\n" == fake.call("postgres", "2").stdout[-17:]


def test_another_archive_than_the_pinned_is_refused(fake):
    """One sentence names it; no tree is left."""
    with (fake.cache / "postgres-1.5.jar").open("ab") as archive:
        archive.write(b"more")

    told = fake.refused("postgres", "1.5")

    assert "postgres-1.5.jar has sha256" in told and "is pinned" in told
    assert [] == fake.left()


def test_half_an_archive_is_refused(fake):
    """Even if its sha256 is pinned."""
    jar = fake.cache / "postgres-1.5.jar"
    jar.write_bytes(jar.read_bytes()[:1000])
    fake.pin(fake.line("1.5", "maven", jar.name, "-"))

    assert "cannot unpack postgres 1.5 (jar)" in fake.refused("postgres", "1.5")
    assert [] == fake.left()


def test_a_server_that_does_not_start_is_refused(fake):
    """`false` fails whatever it is asked."""
    fake.pin(fake.jar("1.5", "false"))

    assert "postgres 1.5 (jar) cannot start" in fake.refused("postgres", "1.5")
    assert [] == fake.left()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can mount a small disk")
def test_a_full_disk_leaves_nothing(fake):
    """One sentence says that no space is left."""
    jars = fake.cache.parent / "jars"
    shutil.copytree(fake.cache, jars)
    script = (
        f"mount -t tmpfs -o size=16k none {fake.cache} && "
        f"ln -s {jars}/*.jar {fake.cache}/ && {fake.script} postgres 1.5; "
        f"ls -A {fake.cache}"
    )
    done = subprocess.run(
        ["unshare", "-m", "sh", "-c", script], capture_output=True, text=True,
        check=False, env=fake.environ,
    )  # fmt: skip
    if "unshare" in done.stderr or "mount" in done.stderr:
        pytest.skip("no mount namespace can be made here")

    assert "cannot unpack postgres 1.5 (jar)" in done.stderr
    assert "No space left" in done.stderr and 1 == done.stderr.count("\n")
    assert "postgres-1.5-jar" not in done.stdout.split()


def test_killed_half_way_leaves_nothing_that_counts(fake):
    """A run killed while it unpacks leaves no tree, and the next one is whole."""
    slow = fake.root / "slow"
    make_slow_tar(slow)
    env = fake.environ | {"PATH": f"{slow}:{os.environ['PATH']}"}
    process = subprocess.Popen(
        [str(fake.script), "postgres", "1.5"], env=env, start_new_session=True,
        stderr=subprocess.DEVNULL,
    )  # fmt: skip
    deadline = time.monotonic() + 20
    while not (slow / "unpacked").exists() and time.monotonic() < deadline:
        time.sleep(0.01)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()

    assert not (fake.cache / "postgres-1.5-jar").exists()
    assert 0 == fake.call("postgres", "1.5").returncode
    assert ["postgres-1.5-jar"] == fake.left()


def test_two_at_once_both_get_the_tree(fake):
    """A lock keeps them apart."""
    both = [
        subprocess.Popen(
            [str(fake.script), "postgres", "1.5"], env=fake.environ,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        )
        for _ in range(2)
    ]  # fmt: skip

    assert 1 == len({process.communicate(timeout=30)[0] for process in both})
    assert [0, 0] == [process.returncode for process in both]


def test_what_the_catalogue_does_not_have_is_named(fake):
    """The sentence says what there is."""
    assert "no engine oracle in engines.tsv" in fake.refused("oracle", "9")
    told = fake.refused("postgres", "3")
    assert "postgres 3 names 0 entries" in told
    assert "available: 1.5 (jar), 2.0 (jar)" in told


@pytest.mark.parametrize(
    ("kind", "tool", "package"),
    [("maven", "mvn", "maven"), ("npm", "npm", "npm"), ("deb", "apt-get", "apt")],
)
def test_a_missing_tool_is_named(fake, kind, tool, package):
    """With the command that brings it."""
    fake.pin(fake.line("3.0", kind, "none.tgz", "0" * 64))
    few = fake.root / "few"
    few.mkdir()
    for name in ("bash", "env", "dirname", "flock", "mkdir", "rm", "grep", "awk"):
        (few / name).symlink_to(shutil.which(name))

    told = fake.refused("postgres", "3.0", PATH=str(few))

    assert f"install.sh: {tool} is missing" in told
    assert told.endswith(f"as root: apt-get install -y --no-install-recommends {package}")


def test_the_list_marks_what_is_there(fake):
    """Without arguments the catalogue is listed."""
    fake.call("postgres", "2.0")

    lines = fake.call().stdout.splitlines()

    assert ["  postgres 1.5", "* postgres 2.0"] == [line[:14] for line in lines]


def test_a_library_is_compiled_with_the_asked_for_flags(fake):
    """The folder's name holds a digest of the compiler and the flags."""
    fake.pin(fake.sqlite())
    line = subprocess.run(["cc", "--version"], capture_output=True, text=True, check=True)

    done = fake.call("--built", "sqlite", "3.1", "cc", "-O1 -g")

    digest = short_digest(f"{line.stdout.splitlines()[0]}\n-O1 -g")
    tree = fake.cache / f"sqlite-3.1.0-cc-{digest}"
    assert f"{tree}\n" == done.stdout, done.stderr
    library = ctypes.CDLL(str(tree / "lib" / "libsqlite3.so.0"))
    library.sqlite3_libversion.restype = ctypes.c_char_p
    assert b"3.1.0" == library.sqlite3_libversion()
    notes = notes_of(tree)
    assert ("built", "-O1 -g") == (notes["series"], notes["label"][-6:])


def test_a_library_is_taken_out_of_a_package(fake):
    """Of DuckDB's bindings the library alone; it needs no path to be started with."""
    fake.pin(fake.duckdb("1.9.0", "1.9.0"))

    done = fake.call("duckdb", "1.9.0")

    tree = fake.cache / "duckdb-1.9.0-npm"
    assert (0, f"{tree}\n") == (done.returncode, done.stdout), done.stderr
    assert ["libduckdb.so"] == [f.name for f in (tree / "lib").iterdir()]
    notes = notes_of(tree)
    assert ("gcc 14.2.1", "", "@duckdb/bindings:1.9.0-r.1") == (
        notes["label"], notes["libpath"], notes["package"]
    )  # fmt: skip


def test_a_library_of_another_release_is_refused(fake):
    """The release is in the library itself."""
    fake.pin(fake.duckdb("1.9.0", "1.8.4"))

    assert "duckdb 1.9.0 (npm) is another release" in fake.refused("duckdb", "1.9.0")
    assert not (fake.cache / "duckdb-1.9.0-npm").exists()


def test_a_library_is_taken_out_of_a_jar(fake):
    """Of RocksDB's classes for Java the library alone, by the name that is looked for."""
    fake.pin(fake.rocksdb("1.9.0", "1.9.0"))

    done = fake.call("rocksdb", "1.9.0")

    tree = fake.cache / "rocksdb-1.9.0-jar"
    assert (0, f"{tree}\n") == (done.returncode, done.stdout), done.stderr
    assert ["librocksdb.so"] == [f.name for f in tree.glob("**/*") if f.suffix]
    assert "done in" in done.stderr and "rocksdb 1.9.0\n" in done.stderr


def test_a_rocksdb_says_which_release_it_is(fake):
    """A database that it makes does; nothing is left of another release."""
    fake.pin(fake.rocksdb("1.9.0", "1.8.4"))

    told = fake.refused("rocksdb", "1.9.0")
    assert "rocksdb 1.9.0 (jar) is another release, 1.8.4" in told
    assert [] == fake.left()


def test_flags_that_the_compiler_refuses_leave_nothing(fake):
    """And it says why."""
    fake.pin(fake.sqlite())

    done = fake.call("--built", "sqlite", "3.1", "cc", "-fnonsense")

    assert 1 == done.returncode and "-fnonsense" in done.stderr
    assert [] == fake.left()


def test_a_compiler_that_is_not_there_is_named(fake):
    """Before anything is fetched."""
    fake.pin(fake.sqlite())

    told = fake.refused("--built", "sqlite", "3.1", "gcc-99", "-O2")

    assert "no compiler gcc-99 on this machine" in told


@pytest.mark.slow
@pytest.mark.parametrize(
    ("engine", "version", "source"),
    [
        ("postgres", "15", "debian"), ("mariadb", "10.5.23", "bullseye"),
        ("mysql", "8.0.12", "jar"), ("duckdb", "1.5.6", "npm"),
        ("rocksdb", "4.13.5", "jar"),
    ],
)  # fmt: skip
def test_an_entry_of_the_catalogue_is_fetched(tmp_path, engine, version, source):
    """Debian's packages of this machine and of another release, and a jar."""
    done = subprocess.run(
        [str(BENCH / "install.sh"), engine, version, source], capture_output=True,
        text=True, check=False, env=os.environ | {"BENCHBOOK_CACHE": str(tmp_path)},
    )  # fmt: skip
    if " is missing: " in done.stderr or "is the network there?" in done.stderr:
        pytest.skip(done.stderr.splitlines()[-1])

    assert 0 == done.returncode, done.stderr
    assert notes_of(Path(done.stdout.strip()))["version"].startswith(version)


@pytest.mark.slow
def test_a_postgres_is_built_that_makes_a_database(tmp_path):
    """initdb of the tree runs the server of the tree."""
    done = subprocess.run(
        [str(BENCH / "install.sh"), "--built", "postgres", "13", "gcc", "-O0"],
        capture_output=True, text=True, check=False,
        env=os.environ | {"BENCHBOOK_CACHE": str(tmp_path)},
    )  # fmt: skip
    if " needs " in done.stderr or "is the network there?" in done.stderr:
        pytest.skip(done.stderr.splitlines()[-1])

    assert 0 == done.returncode, done.stderr
    server = Path(done.stdout.strip()) / "bin" / "postgres"
    said = subprocess.run(
        [server, "--version"], capture_output=True, text=True, check=True
    )
    assert "postgres (PostgreSQL) 13.23\n" == said.stdout
