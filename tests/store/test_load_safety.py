"""Loads that are killed, short of disk or watched by readers: never half a store."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest
from make_runs import make_run

from benchbook.project import Project
from benchbook.store.load import load
from benchbook.store.query import query
from benchmath.errors import UserError


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)


def tables(project: Project) -> list[str]:
    """Every row of the two tables that each run fills, as text, sorted."""
    frames = (query("FROM run", project), query("FROM step", project))
    return sorted(str(row) for frame in frames for row in frame.to_dict("records"))


KILL = """
import os, signal, sys
from pathlib import Path
from benchbook.store import database, load
from benchbook.project import Project

def die(*_, **__):
    os.kill(os.getpid(), signal.SIGKILL)

place = os if sys.argv[2] == "replace" else database
setattr(place, sys.argv[2], die)
load.load(Project(Path(sys.argv[1])))
"""


def python(code: str, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code, *words], capture_output=True, text=True, check=False
    )


@pytest.mark.slow
@pytest.mark.parametrize("place", ["_copy", "append", "sync", "replace"])
def test_a_killed_load_leaves_the_old_store(project: Project, place: str):
    """kill -9 while copying, inserting, syncing, renaming: the next load completes."""
    make_run(project.raw)
    load(project)
    before = tables(project)
    make_run(project.raw, trial=2)
    killed = python(KILL, str(project.root), place)

    assert -signal.SIGKILL == killed.returncode, killed.stderr
    assert before == tables(project)

    assert 1 == load(project).loaded
    assert 2 == len(query("runs", project))
    assert {"benchbook.duckdb", "raw", ".load.lock"} == {
        p.name for p in project.data.iterdir()
    }


FULL = """
import resource, sys
from pathlib import Path
from benchmath.errors import UserError
from benchbook.store.load import load
from benchbook.project import Project

resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), resource.RLIM_INFINITY))
try:
    load(Project(Path(sys.argv[1])))
except UserError as error:
    sys.exit(str(error))
"""


@pytest.mark.slow
def test_a_full_disk_is_one_sentence(project: Project):
    """A load that cannot write says so, and the old store is as it was."""
    make_run(project.raw)
    load(project)
    before = tables(project)
    make_run(project.raw, trial=2)
    limit = project.store.stat().st_size // 2
    failed = python(FULL, str(project.root), str(limit))

    assert 1 == failed.returncode
    assert failed.stderr.startswith(
        f"{project.store} could not be brought up to date and is as it was before"
    )
    assert 1 == len(failed.stderr.strip().splitlines())
    assert before == tables(project)
    assert 1 == load(project).loaded


def test_an_unwritable_data_folder_is_one_sentence(tmp_path: Path):
    """data/ that is a file cannot hold a store."""
    (tmp_path / "data").write_text("")

    with pytest.raises(UserError, match="could not be brought up to date"):
        load(Project(tmp_path))


HOLD = """
import sys, duckdb
connection = duckdb.connect(sys.argv[1], read_only=True)
print(connection.execute("SELECT count(*) FROM run").fetchone()[0], flush=True)
sys.stdin.readline()
print(connection.execute("SELECT count(*) FROM run").fetchone()[0], flush=True)
"""


def test_an_open_notebook_does_not_block_a_load(project: Project):
    """A process that holds the old store goes on reading it; new readers see the new."""
    make_run(project.raw)
    load(project)
    pipe = subprocess.PIPE
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(project.store)],
        stdin=pipe, stdout=pipe, text=True,
    )  # fmt: skip
    with holder:
        assert holder.stdout is not None
        assert "1\n" == holder.stdout.readline()
        make_run(project.raw, trial=2)

        assert 1 == load(project).loaded
        assert 2 == len(query("runs", project))
        assert "1\n" == holder.communicate("\n")[0]


def test_a_reader_in_this_process_does_not_see_an_old_store(project: Project):
    """DuckDB reuses an open file by its path; query() does not fall for it."""
    make_run(project.raw)
    load(project)
    with duckdb.connect(project.store, read_only=True) as notebook:
        make_run(project.raw, trial=2)
        load(project)

        assert 2 == len(query("runs", project))
        assert [(1,)] == notebook.execute("SELECT count(*) FROM run").fetchall()


READ = """
import sys
from pathlib import Path
from benchbook.project import Project
from benchbook.store.query import query
seen, project = [0], Project(Path(sys.argv[1]))
while seen[-1] < int(sys.argv[2]):
    frame = query("SELECT (SELECT count(*) FROM runs) AS runs, "
                  "(SELECT count(DISTINCT run_id) FROM steps) AS steps", project)
    runs, steps = frame.iloc[0]
    assert runs == steps and runs >= seen[-1], (runs, steps, seen)
    seen.append(runs)
"""


@pytest.mark.slow
def test_readers_in_a_loop_never_see_a_half_load(project: Project):
    """While ten loads replace the store, every reader finds whole runs only."""
    make_run(project.raw)
    load(project)
    words = [sys.executable, "-c", READ, str(project.root), "11"]
    reader = subprocess.Popen(words, stderr=subprocess.PIPE, text=True)
    for trial in range(2, 12):
        make_run(project.raw, trial=trial)
        load(project)

    assert ("", 0) == (reader.communicate(timeout=60)[1], reader.returncode)


def test_two_loads_at_once_wait_for_each_other(project: Project):
    """Four processes load the same folders: each run is there once."""
    for trial in range(1, 6):
        make_run(project.raw, trial=trial)
    code = (
        "import sys; from pathlib import Path; from benchbook.store.load import load; "
        "from benchbook.project import Project; "
        "print(load(Project(Path(sys.argv[1]))).loaded)"
    )
    words = [sys.executable, "-c", code, str(project.root)]
    loaders = [
        subprocess.Popen(words, stdout=subprocess.PIPE, text=True) for _ in range(4)
    ]
    loaded = sorted(int(loader.communicate()[0]) for loader in loaders)

    assert [0, 0, 0, 5] == loaded
    assert 5 == len(query("runs", project))


def test_a_load_that_finds_nothing_new_imports_no_reader(project: Project):
    """People and CI call it all the time: neither pandas nor pyarrow is waited for."""
    make_run(project.raw)
    load(project)
    code = (
        "import sys; from pathlib import Path; from benchbook.store.load import load; "
        "from benchbook.project import Project; "
        "print(load(Project(Path(sys.argv[1]))).skipped, "
        "[name for name in ('pandas', 'pyarrow', 'numpy') if name in sys.modules])"
    )
    words = [sys.executable, "-c", code, str(project.root)]

    assert "1 []\n" == subprocess.run(words, stdout=subprocess.PIPE, text=True).stdout
