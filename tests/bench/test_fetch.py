"""bench/fetch.sh: only the pinned archive counts, and only when it is whole."""

import ctypes
import hashlib
import os
import shutil
import signal
import subprocess
import tarfile
import time
import zipfile
from pathlib import Path

import pytest
from places import BENCH
from slow_tools import make_slow_tar

pytestmark = pytest.mark.engine


@pytest.fixture
def fetch(tmp_path):
    """A copy of fetch.sh with one source, whose archive is in the cache already."""
    cache = tmp_path / "cache" / "sources"
    tree = tmp_path / "thing-1.0"
    (tree / "lib").mkdir(parents=True)
    (tree / "lib" / "thing.c").write_text("int thing;\n")
    (tree / "README").write_text("not needed\n")
    cache.mkdir(parents=True)
    with tarfile.open(cache / "thing.tar.gz", "w:gz") as archive:
        archive.add(tree, "thing-1.0")
    sha = hashlib.sha256((cache / "thing.tar.gz").read_bytes()).hexdigest()
    shutil.copy(BENCH / "fetch.sh", tmp_path)
    pin(tmp_path, sha)
    return tmp_path / "fetch.sh"


def pin(folder: Path, sha: str, kind: str = "crate") -> None:
    row = ["thing", "1.0", kind, "thing", "1.0", "thing.tar.gz", sha, "thing-1.0", "lib"]
    (folder / "sources.tsv").write_text("# a comment\n" + "\t".join(row) + "\n")


def call(script: Path, *words: str, **environ: str):
    env = {"BENCHBOOK_CACHE": str(script.parent / "cache")} | environ
    return subprocess.run(
        [str(script), *words], capture_output=True, text=True, check=False,
        env=os.environ | env,
    )  # fmt: skip


def sources_of(script: Path) -> Path:
    return script.parent / "cache" / "sources"


def test_the_wanted_part_is_unpacked(fetch):
    """The folder is printed; it holds what sources.tsv names and no more."""
    done = call(fetch, "thing", "1.0")

    folder = sources_of(fetch) / "thing-1.0"
    assert f"{folder}\n" == done.stdout
    files = [p.relative_to(folder) for p in folder.rglob("*") if p.is_file()]
    assert [Path("lib/thing.c")] == files


def test_a_wheel_is_unpacked(fetch):
    """An archive of another kind: the files named of a folder in it, and no more."""
    archive = sources_of(fetch) / "thing.whl"
    with zipfile.ZipFile(archive, "w") as wheel:
        wheel.writestr("thing/lib/a.so", "library")
        wheel.writestr("thing/other", "not needed")
    sha = hashlib.sha256(archive.read_bytes()).hexdigest()
    row = ["thing", "2.0", "wheel", "thing", "2.0", "thing.whl", sha, "thing/lib", "a.so"]
    (fetch.parent / "sources.tsv").write_text("\t".join(row) + "\n")

    folder = Path(call(fetch, "thing", "2.0").stdout.strip())
    assert [folder / "a.so"] == list(folder.iterdir())


def test_a_second_call_unpacks_nothing(fetch):
    """What is in the cache is used as it is."""
    folder = Path(call(fetch, "thing", "1.0").stdout.strip())
    before = folder.stat().st_mtime_ns

    assert folder == Path(call(fetch, "thing", "1.0").stdout.strip())
    assert before == folder.stat().st_mtime_ns


def test_a_folder_that_was_changed_is_refused(fetch):
    """What is compiled is what was fetched."""
    folder = Path(call(fetch, "thing", "1.0").stdout.strip())
    (folder / "lib" / "thing.c").write_text("int other;\n")
    done = call(fetch, "thing", "1.0")

    assert 1 == done.returncode
    assert f"{folder} has changed since it was unpacked: delete it" in done.stderr


def test_another_archive_than_the_pinned_is_refused(fetch):
    """One sentence names the file and both hashes; nothing is unpacked."""
    archive = sources_of(fetch) / "thing.tar.gz"
    wanted = hashlib.sha256(archive.read_bytes()).hexdigest()
    archive.write_bytes(archive.read_bytes() + b"more")
    found = hashlib.sha256(archive.read_bytes()).hexdigest()

    done = call(fetch, "thing", "1.0")

    assert (1, "", 1) == (done.returncode, done.stdout, done.stderr.count("\n"))
    assert all(word in done.stderr for word in ("thing.tar.gz", wanted, found))
    assert not archive.exists()
    assert not (sources_of(fetch) / "thing-1.0").exists()


def test_killed_half_way_leaves_nothing_that_counts(fetch):
    """A run killed while it unpacks leaves no folder, and the next one is whole."""
    slow = fetch.parent / "bin"
    make_slow_tar(slow)
    env = os.environ | {
        "PATH": f"{slow}:{os.environ['PATH']}",
        "BENCHBOOK_CACHE": str(fetch.parent / "cache"),
    }
    process = subprocess.Popen(
        [str(fetch), "thing", "1.0"], env=env, start_new_session=True
    )
    deadline = time.monotonic() + 20
    while not (slow / "unpacked").exists() and time.monotonic() < deadline:
        time.sleep(0.01)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    folder = sources_of(fetch) / "thing-1.0"

    assert not folder.exists()
    assert 0 == call(fetch, "thing", "1.0").returncode
    assert (folder / "lib" / "thing.c").exists()


def test_two_at_once_both_get_the_source(fetch):
    """A lock keeps them apart."""
    env = os.environ | {"BENCHBOOK_CACHE": str(fetch.parent / "cache")}
    both = [
        subprocess.Popen([str(fetch), "thing", "1.0"], env=env, stdout=subprocess.PIPE)
        for _ in range(2)
    ]

    assert [0, 0] == [process.wait(30) for process in both]
    assert 1 == len({process.stdout.read() for process in both})


def test_an_unknown_source_is_named(fetch):
    """The sentence says what was asked and where to look."""
    done = call(fetch, "thing", "2.0")

    assert 1 == done.returncode
    assert "fetch.sh: no source thing 2.0 in sources.tsv" in done.stderr


@pytest.mark.parametrize(
    ("kind", "tool"), [("crate", "cargo"), ("debsrc", "apt-get"), ("pypi", "python3")]
)
def test_a_missing_tool_is_named(fetch, kind, tool):
    """Where the archive has to be fetched and its client is not installed."""
    (sources_of(fetch) / "thing.tar.gz").unlink()
    pin(fetch.parent, "0" * 64, kind)
    few = fetch.parent / "few"
    few.mkdir()
    for name in ("bash", "env", "dirname", "flock", "mkdir", "rm", "sha256sum"):
        (few / name).symlink_to(shutil.which(name))

    done = call(fetch, "thing", "1.0", PATH=str(few))

    assert 1 == done.returncode
    assert f"fetch.sh: {tool} is missing" in done.stderr


def test_the_release_has_what_a_security_update_lacks(fetch):
    """Of a Debian source whose newest version cannot be had, an older one brings it."""
    archive = sources_of(fetch) / "thing.tar.gz"
    pin(fetch.parent, hashlib.sha256(archive.read_bytes()).hexdigest(), "debsrc")
    kept = archive.rename(fetch.parent / "pool.tar.gz")
    tools = fetch.parent / "tools"
    tools.mkdir()
    for name, text in {
        "apt-cache": "printf 'Version: %s\\n' 1.0-5 1.0-5+deb12u1",
        "apt-get": f"""case "$*" in
          *source*thing=1.0-5) cp {kept} thing.tar.gz ;;
          *source*) echo 'E: Failed to fetch thing: 404' >&2; exit 100 ;;
        esac""",
    }.items():
        (tools / name).write_text(f"#!/bin/bash\n{text}\n")
        (tools / name).chmod(0o755)

    done = call(fetch, "thing", "1.0", PATH=f"{tools}:{os.environ['PATH']}")

    assert 0 == done.returncode, done.stderr
    assert (Path(done.stdout.strip()) / "lib" / "thing.c").exists()


def test_the_list_marks_what_is_there(fetch):
    """Without arguments the sources are listed."""
    before = call(fetch).stdout
    call(fetch, "thing", "1.0")

    assert ("  thing", "* thing") == (before[:7], call(fetch).stdout[:7])


@pytest.mark.slow
def test_a_debian_source_is_fetched_into_an_empty_cache(tmp_path):
    """It comes from the mirror that the machine itself is set to."""
    if not shutil.which("apt-get"):
        pytest.skip("not a Debian machine")

    done = call(BENCH / "fetch.sh", "xxhash", "0.8.1", BENCHBOOK_CACHE=str(tmp_path))

    if "is the network there?" in done.stderr:
        pytest.skip("offline: no mirror answers")
    assert 0 == done.returncode, done.stderr
    assert (Path(done.stdout.strip()) / "xxhash.h").exists()


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("tclsh"), reason="no tclsh (package tcl)")
def test_a_sqlite_release_is_built_as_an_install_tree(tmp_path):
    """It has the soname that drivers are linked to, and is the release asked for."""
    done = subprocess.run(
        [str(BENCH / "build_sqlite.sh"), str(tmp_path), "3.46.1", "cc", "-O0"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    if "is the network there?" in done.stderr:
        pytest.skip("offline: no mirror answers")

    assert 0 == done.returncode, done.stderr
    library = ctypes.CDLL(str(tmp_path / "lib" / "libsqlite3.so.0"))
    library.sqlite3_libversion.restype = ctypes.c_char_p
    assert b"3.46.1" == library.sqlite3_libversion()
    assert (tmp_path / "include" / "sqlite3.h").exists()


@pytest.mark.parametrize(
    ("engine", "version"), [("postgres", "17.11"), ("mariadb", "10.11.18")]
)
def test_all_that_a_build_needs_is_named_at_once(engine, version, tmp_path):
    """By Debian packages: the archiver of clang is LLVM's."""
    done = subprocess.run(
        [BENCH / f"build_{engine}.sh", tmp_path, version, "clang-99", "-O2 -flto"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    packages = done.stderr.partition("; as root: apt-get install ")[2].split()

    assert 1 == done.returncode
    assert {"clang-99", "llvm-99"} <= set(packages)
    assert "clang++-99" not in packages
    assert [] == list(tmp_path.iterdir())


def test_a_client_that_does_not_work_is_named(fetch, tmp_path):
    """By what it says first of an error: no line of its backtrace."""
    (sources_of(fetch) / "thing.tar.gz").unlink()
    broken_cargo(tmp_path)

    done = call(fetch, "thing", "1.0", PATH=f"{tmp_path}:{os.environ['PATH']}")

    assert (1, 1) == (done.returncode, done.stderr.count("\n"))
    assert "cargo is missing: the one that is here does not work" in done.stderr
    assert "error: no default is configured" in done.stderr


def test_the_next_source_of_the_version_is_tried(fetch, tmp_path):
    """One whose archive is here already, say, or that another client gets."""
    table = fetch.parent / "sources.tsv"
    first = table.read_text().splitlines()[1].replace("thing.tar.gz", "other.tar.gz")
    table.write_text(f"{first}\n{table.read_text()}")
    broken_cargo(tmp_path)

    done = call(fetch, "thing", "1.0", PATH=f"{tmp_path}:{os.environ['PATH']}")

    assert 0 == done.returncode, done.stderr
    assert (Path(done.stdout.strip()) / "lib" / "thing.c").exists()
    assert "does not work" in done.stderr


def broken_cargo(folder: Path) -> None:
    """As that of rustup without a toolchain."""
    cargo = folder / "cargo"
    cargo.write_text(
        "#!/bin/sh\necho 'error: no default is configured' >&2\n"
        "printf '  %s: __libc_start_main\\n' 1 2 3 4 5 6 >&2\nexit 1\n"
    )
    cargo.chmod(0o755)
