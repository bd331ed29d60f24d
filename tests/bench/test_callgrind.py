"""callgrind.sh of bench/profile/: all instructions of a step, the same every time."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from places import BENCH
from servers import compiled

from benchbook.runs.sidecar_records import SidecarError
from benchbook.runs.sidecars import read_counts

needs_valgrind = pytest.mark.skipif(not shutil.which("valgrind"), reason="no valgrind")

# Each turn is two instructions; there is no other loop.
MARKED = r"""
#include "common/counting.h"
#include <pthread.h>
#include <stdio.h>

static void *spin(void *turns)
{
	unsigned long left = (unsigned long)turns;

	__asm__ volatile("1: dec %0; jnz 1b" : "+r"(left));
	return NULL;
}

int main(void)
{
	pthread_t threads[2];

	spin((void *)100000);
	for (int again = 0; again < 2; again++) {
		counting_begin();
		for (int i = 0; i < 2; i++)
			pthread_create(&threads[i], NULL, spin, (void *)500000);
		for (int i = 0; i < 2; i++)
			pthread_join(threads[i], NULL);
		counting_end("threads");
		spin((void *)100000);
	}
	counting_begin();
	spin((void *)1000000);
	counting_end("alone");
	puts("as it was printed");
	return 0;
}
"""
UNKNOWN = 'int main(void) { __asm__ volatile("vpxorq %zmm0, %zmm0, %zmm0"); }'


def count(folder: Path, *command: object, **environ: str):
    """The finished callgrind.sh; its counts are in the folder."""
    words = [BENCH / "profile/callgrind.sh", folder, "--", *command]
    return subprocess.run(
        [str(word) for word in words], capture_output=True, text=True, check=False,
        env=os.environ | environ,
    )  # fmt: skip


def counts_in(folder: Path):
    return read_counts((folder / "callgrind.json").read_text())


def names_in(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.iterdir())


def compile_c(folder: Path, text: str) -> Path:
    (folder / "program.c").write_text(text)
    words = ["gcc", "-O1", "-pthread", f"-I{BENCH}", "-o", "program", "program.c"]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode and text == UNKNOWN:
        pytest.skip("the assembler knows no AVX-512")
    assert 0 == done.returncode, done.stderr
    return folder / "program"


@pytest.mark.slow
@pytest.mark.engine
@needs_valgrind
def test_all_threads_are_counted_from_begin_to_end(tmp_path):
    """Twice two threads of half a million turns are 4 million instructions."""
    done = count(tmp_path, compile_c(tmp_path, MARKED))
    counts = counts_in(tmp_path)

    assert (0, "as it was printed\n", "") == (done.returncode, done.stdout, done.stderr)
    assert ["threads", "alone"] == list(counts.steps)
    assert 4_000_000 == pytest.approx(counts.steps["threads"], rel=0.01)
    assert 2_000_000 == pytest.approx(counts.steps["alone"], rel=0.0001)
    assert "avx512f" not in counts.cpu_features
    assert ["callgrind.json", "program", "program.c"] == names_in(tmp_path)


@pytest.mark.engine
@needs_valgrind
def test_a_failure_stays_that_of_the_driver(tmp_path):
    """Its exit code passes, and nothing is written."""
    done = count(tmp_path, "/bin/sh", "-c", "echo begun; echo why >&2; exit 3")

    assert (3, "begun\n", "why\n") == (done.returncode, done.stdout, done.stderr)
    assert [] == names_in(tmp_path)


@pytest.mark.slow
@pytest.mark.engine
@needs_valgrind
def test_twice_the_rows_take_twice_the_instructions(builds, tmp_path):
    """Of a load into SQLite, whose instructions per row are the same in both."""
    ingest = compiled(builds, "ingest") / "ingest"
    found = []
    for rows in (1000, 2000):
        target = tmp_path / str(rows)
        target.mkdir()
        words = ("--engine", "sqlite", "--target", target, "--step", f"l.i0:rows={rows}")
        done = count(target, ingest, *words)
        assert (0, "") == (done.returncode, done.stderr)
        found.append(counts_in(target).steps["l.i0"])

    assert 2 == pytest.approx(found[1] / found[0], rel=0.05)


@pytest.mark.engine
@needs_valgrind
def test_avx512_is_one_sentence(tmp_path):
    """An instruction that valgrind does not know: how to build without it."""
    done = count(tmp_path, compile_c(tmp_path, UNKNOWN))

    assert 1 == done.returncode
    assert (
        "callgrind.sh: valgrind knows no AVX-512: build with -mno-avx512f to count "
        "instructions\n"
    ) == done.stderr


@pytest.mark.engine
@needs_valgrind
def test_a_program_without_marks_is_one_sentence(tmp_path):
    """Nothing was counted, and why that may be."""
    done = count(tmp_path, "/bin/true")

    assert 1 == done.returncode
    assert "callgrind.sh: no step was counted: if true was built" in done.stderr
    assert [] == names_in(tmp_path)


@pytest.mark.engine
def test_missing_valgrind_is_one_sentence(tmp_path):
    """It names the package."""
    tools = tmp_path / "bin"
    tools.mkdir()
    for tool in ("bash", "dirname"):
        (tools / tool).symlink_to(str(shutil.which(tool)))
    done = count(tmp_path, "/bin/true", PATH=str(tools))

    assert 1 == done.returncode
    assert "callgrind.sh: valgrind is not here: apt-get install valgrind\n" == done.stderr


@pytest.mark.unit
def test_counts_are_read():
    """Steps keep their order."""
    counts = read_counts(
        '{"kind":"callgrind","tool":"valgrind-3.19.0","steps":{"l.x":{"instructions":7},'
        '"l.i1":{"instructions":5}},"cpu_features":["avx2","sse4.2"]}'
    )

    assert ("valgrind-3.19.0", ("avx2", "sse4.2")) == (counts.tool, counts.cpu_features)
    assert [("l.x", 7), ("l.i1", 5)] == list(counts.steps.items())


@pytest.mark.unit
@pytest.mark.parametrize("text", ["", "[]", '{"kind":"callgrind","tool":"v"}'])
def test_damaged_counts_are_refused(text):
    """Whatever is wrong, the sentence names the file."""
    with pytest.raises(SidecarError, match=r"callgrind\.json: "):
        read_counts(text)
