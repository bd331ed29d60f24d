"""Samples of perf script: their stacks, their weights."""

from __future__ import annotations

from itertools import pairwise

import pandas as pd
import pytest
from profile_files import FOLDED, SCRIPT, found, text_file, told
from text_blocks import reader

from benchformats.parsed import TextFile, merged
from benchformats.profilers import folded as folded_text
from benchformats.profilers import perf_script

pytestmark = pytest.mark.unit

FRAME = "\t    55d0c1 work+0x1a (/usr/bin/prog)\n"


def stacks(text: str) -> pd.DataFrame:
    """The samples of a text."""
    return perf_script.read(text_file(text)).series["stacks"].to_pandas()


def sample(header: str, *frames: str) -> pd.Series:
    """The sample that a header and its frames give."""
    lines = "".join(f"\t{frame}\n" for frame in frames)
    return stacks(f"{header}\n{lines}\n").iloc[0]


def test_samples_of_a_file():
    """Root first; the period is the weight; totals per event are rows."""
    parsed = perf_script.read(text_file(SCRIPT))
    table = parsed.series["stacks"].to_pylist()

    assert [
        (5, 100.000001, "cycles", "prog", 77, 78, 1, "a;b;c", "uuu"),
        (10, 100.000002, "cycles", "prog", 77, 78, 1, "d;e(int, char const*);f", "uuu"),
        (15, 100.000003, "cycles", "io worker", 77, 79, 2, "g;[prog];i", "uuk"),
    ] == [tuple(one.values()) for one in table]
    assert [
        (5, "cycles_samples", 3, "count"),
        (5, "cycles_sampled", 4, "count"),
    ] == found(parsed)
    assert [] == told(parsed)


@pytest.mark.parametrize(
    "header, expected",
    [
        ("mysqld 12345/12399 4794564.109216:        258 cycles:  ",
         ("mysqld", 12345, 12399, 258, "cycles")),
        ("V8 WorkerThread 25607 4794564.109216: cycles:",
         ("V8 WorkerThread", None, 25607, 1, "cycles")),
        ("java 12688 [002] 6544038.708352: cpu-clock:",
         ("java", None, 12688, 1, "cpu-clock")),
        ("a 12 34 [001] 5.600000: 7 cycles:ppp: ", ("a 12", None, 34, 7, "cycles:ppp")),
        (":-1 -1/-1 [001] 5.600000: cycles:", (":-1", -1, -1, 1, "cycles")),
        ("   p/0:1-ev 9 [001] 5.600000: sched:sched_switch: prev=x [120] R",
         ("p/0:1-ev", None, 9, 1, "sched:sched_switch")),
    ],
)  # fmt: skip
def test_headers(header: str, expected: tuple):
    """comm with blanks, pid where it is printed, no period, names with colons."""
    one = sample(header, "55d0c1 work (/usr/bin/prog)")
    pid = None if pd.isna(one["pid"]) else one["pid"]

    assert expected == (one["comm"], pid, one["tid"], one["weight"], one["event"])


@pytest.mark.parametrize(
    "line, frame, kind",
    [
        ("55d0c1 f+0x1a (/usr/sbin/mysqld)", "f", "u"),
        ("55d0c1 [unknown] (/usr/sbin/mysqld)", "[mysqld]", "u"),
        ("55d0c1 [unknown] ([unknown])", "[unknown]", "u"),
        ("0 [unknown] ([kernel.kallsyms])", "[kernel.kallsyms]", "k"),
        ("8c3453 tcp_send (/lib/modules/4.3/build/vmlinux)", "tcp_send", "k"),
        ("7d8 track+0x7f8f80b8 ([nf_conntrack])", "track", "k"),
        ("55d0c1 A::f(int, char (*)(int)) (/opt/my sql/bin/mysqld)",
         "A::f(int, char (*)(int))", "u"),
        ("55d0c1 f (inlined)", "f", "i"),
        ("7f72 Ljava/io/P;::print (/tmp/perf-19.map)", "Ljava/io/P:::print", "j"),
        ("7f72 a->b->c (/tmp/perf-19.map)", "a;b;c", "jii"),
        ("55d0c1 A::operator->() (/usr/bin/prog)", "A::operator->()", "u"),
    ],
)  # fmt: skip
def test_frames(line: str, frame: str, kind: str):
    """Offsets go, ";" is never in a name, unknown code is named by its module."""
    one = sample("p 1 1.0: 1 cycles:", line)

    assert (frame, kind) == (one["frames"], one["kinds"])


def test_a_sample_whose_period_is_missing():
    """perf prints periods of all samples of an event or of none: this one is damaged."""
    text = "p 1 1.0: 10 cycles:\n" + FRAME + "\np 1 1.1: cycles:\n" + FRAME + "\n"
    parsed = perf_script.read(text_file(text))

    assert [
        (1, "cycles_samples", 1, "count"), (1, "cycles_sampled", 10, "count"),
    ] == found(parsed)  # fmt: skip
    assert [(4, "no period, other samples have one")] == told(parsed)


def test_no_sum_without_periods():
    """How many events the samples stand for is not known."""
    text = "p 1 1.0: cycles:\n" + FRAME + "\np 1 1.1: cycles:\n" + FRAME + "\n"

    assert [(1, "cycles_samples", 2, "count")] == found(perf_script.read(text_file(text)))


def test_several_events():
    """Each has its own totals."""
    text = "p 1 1.0: 10 cycles:\n" + FRAME + "\np 1 1.1: 3 faults:u:\n" + FRAME + "\n"

    assert [
        (1, "cycles_samples", 1, "count"), (1, "cycles_sampled", 10, "count"),
        (4, "faults_u_samples", 1, "count"), (4, "faults_u_sampled", 3, "count"),
    ] == found(perf_script.read(text_file(text)))  # fmt: skip


TIMELESS = f"node 31912 cpu-clock: \n{FRAME}\nio worker  7/9 cpu-clock: \n{FRAME}\n"


def test_samples_without_a_time():
    """As perf before 3.3 prints those of one process."""
    parsed = perf_script.read(text_file(TIMELESS))
    table = parsed.series["stacks"].to_pylist()

    assert perf_script.recognises(text_file(TIMELESS))
    assert [
        (1, None, "cpu-clock", "node", None, 31912, 1, "work", "u"),
        (4, None, "cpu-clock", "io worker", 7, 9, 1, "work", "u"),
    ] == [tuple(one.values()) for one in table]
    assert [(1, "cpu_clock_samples", 2, "count")] == found(parsed)
    assert [] == told(parsed)


def test_a_sample_whose_time_is_missing():
    """perf prints times of all samples or of none: this one is damaged."""
    text = TIMELESS + f"node 31912 1.5: cpu-clock: \n{FRAME}\n"
    parsed = perf_script.read(text_file(text))

    assert [1.5] == parsed.series["stacks"]["time_s"].to_pylist()
    assert [(1, "no time, other samples have one"),
            (4, "no time, other samples have one")] == told(parsed)  # fmt: skip


@pytest.mark.parametrize(
    "header",
    ["node 31912 1,5: 250 cpu-clock:", "node 31912 [001] 250 cpu-clock:",
     "node 31912 250 cpu-clock:", "node 7/31912 250 cpu-clock:",
     "node 31912: 250 cpu-clock:"],
)  # fmt: skip
def test_a_damaged_time_is_no_name(header: str):
    """The period would be a thread."""
    parsed = perf_script.read(text_file(f"{header}\n{FRAME}\n"))

    assert ([], {}) == (parsed.rows, parsed.series)
    assert [1] == [line for line, _ in told(parsed)]


def test_samples_without_call_chains():
    """A line each, no empty lines."""
    text = (
        "   prog 1 1.000001: 10 cycles:  55d0c1 f+0x1 (/usr/bin/prog)\n"
        "   prog 1 1.000002: 20 cycles:  55d0c2 g+0x1 (/usr/bin/prog)\n"
    )
    table = stacks(text)[["frames", "weight"]]

    assert [("f", 10), ("g", 20)] == list(table.itertuples(index=False, name=None))


@pytest.mark.parametrize(
    "damage, line",
    [
        (("          40af20 b (/usr/bin/prog)", "     ??? b"), 7),
        (("prog 77/78 [001] 100.000001:", "prog 77/78 [001]"), 5),
        (("prog 77/78 [001] 100.000001:          1 cycles: \n", ""), 5),
    ],
)
def test_a_damaged_sample_is_left_out(damage: tuple[str, str], line: int):
    """A stack without one of its frames would be another's."""
    parsed = perf_script.read(text_file(SCRIPT.replace(*damage, 1)))

    assert [line] == [number for number, _ in told(parsed)]
    assert [1, 2] == parsed.series["stacks"]["weight"].to_pylist()


def test_other_records_are_no_samples():
    """Maps and names of threads, as --show-mmap-events prints them, above a sample."""
    text = (
        "init     0     0.000000: PERF_RECORD_MMAP -1/0: [0xff(0x1) @ 0]: x _text\n"
        "prog 1 1.000000: PERF_RECORD_COMM exec: prog:1/1\n"
        f"prog 1 1.000001: 10 cycles:\n{FRAME}\n"
        f"prog 1 1.000002: 20 cycles:\n{FRAME}\n"
    )
    parsed = perf_script.read(text_file(text))

    assert [(3, "cycles_samples", 2, "count"), (3, "cycles_sampled", 30, "count")] == (
        found(parsed)
    )
    assert ["work", "work"] == parsed.series["stacks"]["frames"].to_pylist()
    assert [] == told(parsed)


def test_samples_below_many_other_records():
    """The maps of all processes come first."""
    maps = "init     0     0.000000: PERF_RECORD_MMAP -1/0: [0xff(0x1) @ 0]: x _text\n"
    text = f"{300 * maps}prog 1 1.000001: 10 cycles:\n{FRAME}\n"

    assert perf_script.recognises(text_file(text))


def test_a_sample_below_a_line_of_something_else_has_a_stack():
    """Read as a sample of one line it would have none."""
    text = f"noise\nprog 1 1.000001: 10 cycles:\n{FRAME}\n"
    parsed = perf_script.read(text_file(text))

    assert [(1, "not a sample"), (3, "not a sample")] == told(parsed)
    assert {} == parsed.series


def test_a_sample_at_the_end_of_a_cut_file():
    """Without the empty line after it frames may be missing."""
    parsed = perf_script.read(text_file(SCRIPT[: SCRIPT.rindex("\t")]))

    assert [(15, "the file ends within this sample: not read")] == told(parsed)
    assert [1, 1] == parsed.series["stacks"]["weight"].to_pylist()


@pytest.mark.parametrize("size", range(1, len(SCRIPT), 37))
def test_blocks_may_end_anywhere_between_lines(size: int):
    """A large file in blocks gives what it gives in one piece."""
    ends = [n + 1 for n, char in enumerate(SCRIPT) if char == "\n" and n % size < 40]
    cuts = [0, *ends, len(SCRIPT)]
    parts = [SCRIPT[a:b] for a, b in pairwise(cuts) if a < b]
    large = TextFile("notes", SCRIPT[:50], reader=reader(parts))
    whole, pieces = perf_script.read(text_file(SCRIPT)), merged(perf_script.stream(large))

    assert whole.series["stacks"].to_pylist() == pieces.series["stacks"].to_pylist()
    assert (found(whole), told(whole)) == (found(pieces), told(pieces))


def test_a_page_about_perf_is_no_profile():
    """A sample among more lines of prose."""
    page = f"The leaf comes first.\n{SCRIPT}" + 20 * "Stacks are those of threads.\n"

    assert not perf_script.recognises(text_file(page, "README"))


def test_folded_text():
    """Stacks and weights, and their sum."""
    parsed = folded_text.read(text_file(FOLDED + "no weight\n"))

    assert [("prog;a;b;c", 1), ("prog;d;e", 20202020)] == [
        (one["frames"], one["weight"]) for one in parsed.series["folded"].to_pylist()
    ]
    assert [(1, "folded_weight", 20202021, "count")] == found(parsed)
    assert [(3, "not a stack and its weight")] == told(parsed)


def test_folded_text_of_two_profiles():
    """What difffolded.pl writes: the first weight is no part of a name."""
    file = text_file("prog;a;b 10 12\nprog;a;c 4 0\n")

    assert not folded_text.recognises(file)
    assert {} == folded_text.read(file).series


def test_samples_that_perf_lost_are_told():
    """Shares are of those that are left."""
    sample = "prog 1 1.000000: 7 cycles: \n\t55d0c1 main+0x1 (/prog)\n\n"
    lost = "prog 1 1.500000: PERF_RECORD_LOST lost 500\n"
    parsed = perf_script.read(TextFile("x", sample + lost + sample))

    assert [(4, "perf lost 500 samples here")] == [
        (problem.line, problem.text) for problem in parsed.problems
    ]
    assert [2.0, 14.0] == [row.value for row in parsed.rows]
