"""Stacks by gdb: what it prints, as we read it, and the real one beside a program."""

from __future__ import annotations

import os
import shutil
import subprocess

import pytest
from profile_files import found, text_file, told
from profiled import BENCH, Work, build, need, processes_about, wait_for

from benchformats.profilers import pmp
from benchformats.profilers.pmp import Look

BOX = "Box<int, std::pair<long, char> >::wait(int, std::function<int (int, long)>)"
INVOKE = "std::__invoke_impl<void, main()::<lambda()> >(int, struct {...} &&)"
# As gdb 13 printed it of a C++ program, the middle of both stacks cut out.
GDB = """\
# gdb: tree client, pid 23151, start_ns 15056304256767, end_ns 15058617439093
[New LWP 23153]
Using host libthread_db library "/lib/x86_64-linux-gnu/libthread_db.so.1".
__futex_abstimed_wait_common64 (...) at ./nptl/futex-internal.c:57

Thread 3 (Thread 0x7ff8d241d6c0 (LWP 23154) "tg"):
#0  __libc_pause () at ../sysdeps/unix/sysv/linux/pause.c:29
#1  start_thread (...) at ./nptl/pthread_create.c:442

Thread 2 (Thread 0x7ff8d241d6c0 (LWP 23153) "tg"):
#0  __libc_pause () at ../sysdeps/unix/sysv/linux/pause.c:29
#1  start_thread (...) at ./nptl/pthread_create.c:442

Thread 1 (Thread 0x7ff8d290e440 (LWP 23151) "tg"):
#0  std::thread::join() () from /lib/x86_64-linux-gnu/libstdc++.so.6
#1  Box<int, std::pair<long, char> >::wait(int, std::function<int (int, long)>) (...) at t.cc:6
#2  main () at t.cc:8
[Inferior 1 (process 23151) detached]
"""  # noqa: E501


@pytest.mark.unit
def test_equal_stacks_are_one():
    """Root first, at the line of the first thread; commas of C++ belong to its names."""
    parsed = pmp.read(text_file(GDB))

    assert [
        (6, "start_thread;__libc_pause", 2),
        (14, f"main;{BOX};std::thread::join()", 1),
    ] == [tuple(one.values()) for one in parsed.series["pmp"].to_pylist()]
    assert [(6, "pmp_samples", 3, "count"), (6, "pmp_stacks", 2, "count")] == found(
        parsed
    )
    assert [] == told(parsed)


@pytest.mark.unit
def test_when_and_where_gdb_looked():
    """The first line says it; other people's files have none."""
    look = Look("client", 23151, 15056304256767, 15058617439093)

    assert look == pmp.look_of(text_file(GDB))
    assert pmp.look_of(text_file(GDB.partition("\n")[2])) is None
    assert pmp.recognises(text_file(GDB.partition("\n")[2]))


@pytest.mark.unit
@pytest.mark.parametrize(
    "frame, name",
    [
        ("#0  0x00007f1f2b0f0e46 in poll () from /lib/libc.so.6", "poll"),
        ("#0  ?? ()", "??"),
        ("#0  <signal handler called>", "<signal handler called>"),
        ("#0  operator() (__closure=...) at a b.cc:8", "operator()"),
        ("#0  main::{lambda()#1}::operator()() const ()",
         "main::{lambda()#1}::operator()() const"),
        ("#0  (anonymous namespace)::Hidden::run (this=..., a=...) at t.cc:7",
         "(anonymous namespace)::Hidden::run"),
        (f"#0  {INVOKE} (...) at i.h:61", INVOKE),
    ],
)  # fmt: skip
def test_names_of_frames(frame: str, name: str):
    """Without address, arguments' values, file and library."""
    text = f'Thread 1 (LWP 1 "p"):\n{frame}\n\n'

    assert [name] == pmp.read(text_file(text)).series["pmp"]["frames"].to_pylist()


@pytest.mark.unit
@pytest.mark.parametrize(
    "damage, line",
    [
        (("#1  start_thread (...) at ./nptl", "#1  start_thr"), 8),
        (("#1  start_thread", "#2  start_thread"), 8),
        (("#0  __libc_pause () at", "what"), 7),
    ],
)
def test_a_damaged_stack(damage: tuple[str, str], line: int):
    """A frame that is none, or not the next, takes its stack with it, which is told."""
    parsed = pmp.read(text_file(GDB.replace(*damage, 1)))

    assert line == told(parsed)[0][0]
    assert [1, 1] == parsed.series["pmp"]["weight"].to_pylist()


@pytest.mark.unit
@pytest.mark.parametrize(
    "end", ["[Inferior", "#2  main () at t.cc:8", "main ()", "#1  Box"]
)
def test_a_cut_file(end: str):
    """The last stack may lack frames, so it is left out."""
    text = GDB[: GDB.index(end)]
    whole = end == "[Inferior"

    parsed = pmp.read(text_file(text if not whole else text + "[Infer"))
    assert ["start_thread;__libc_pause"] == parsed.series["pmp"]["frames"].to_pylist()
    assert told(parsed)


@pytest.fixture(scope="module")
def bin():
    """The program and the clock."""
    need("gdb", "setpriv", "gcc")
    return build()


def started(work: Work, *words: str) -> subprocess.Popen:
    return subprocess.Popen(words, stderr=subprocess.PIPE, text=True,
                            env=os.environ | {"BENCH_BIN": str(work.bin)})  # fmt: skip


@pytest.mark.slow
@pytest.mark.engine
def test_gdb_beside_a_program(bin, tmp_path):
    """Stacks of both threads of the client; it ends with the run, leaving nothing."""
    with Work(bin, tmp_path) as work:
        words = [str(BENCH / "profile/pmp.sh"), "--run", str(work.run), "--pid",
                 str(work.process.pid), "--every", "0.1"]  # fmt: skip
        sidecar = started(work, *words)
        wait_for(lambda: (work.run / "pmp-1.txt").exists() or sidecar.poll() is not None)
        if sidecar.poll() == 1:
            pytest.skip(sidecar.communicate()[1])
        pid = work.process.pid
        work.stop()
        assert ("", 0) == (sidecar.communicate(timeout=30)[1], sidecar.returncode)
    file = work.text("pmp-1.txt")
    parsed, look = pmp.read(file), pmp.look_of(file)
    frames = parsed.series["pmp"]["frames"].to_pylist()

    assert ("client", pid) == (look.tree, look.pid)
    assert 0 < look.end_ns - look.start_ns < 60e9
    assert (2, []) == (parsed.rows[0].value, parsed.problems)
    assert any(";rest;" in f";{one};" for one in frames)
    assert any("main" in one.split(";") for one in frames)
    assert all(path.name.startswith(("pmp-", "driver")) for path in work.run.iterdir())


@pytest.mark.engine
def test_the_server_is_looked_at(bin, tmp_path):
    """Where there is one; and nothing outlives a parent that is killed."""
    with Work(bin, tmp_path) as work:
        words = work.words("profile/pmp.sh", "--every", "0.1")
        parent = started(work, "bash", "-c", '"$@" & wait', "parent", *words)
        wait_for(lambda: (work.run / "pmp-1.txt").exists())
        parent.kill()
        parent.wait()
        wait_for(lambda: not processes_about(str(work.run)), 20)
        frames = pmp.read(work.text("pmp-1.txt")).series["pmp"]["frames"].to_pylist()
        assert work.process.poll() is None

    assert 1 == len(frames)
    assert "main" in frames[0]


@pytest.mark.engine
def test_no_gdb(tmp_path):
    """What to install; the run never fails by it."""
    (tmp_path / "dirname").symlink_to(str(shutil.which("dirname")))
    done = subprocess.run(
        ["/bin/bash", BENCH / "profile/pmp.sh", "--run", tmp_path, "--pid", "1",
         "--every", "1"],
        capture_output=True, text=True, check=False, env={"PATH": str(tmp_path)},
    )  # fmt: skip

    assert (1, "pmp.sh: gdb is missing: install gdb\n") == (done.returncode, done.stderr)
