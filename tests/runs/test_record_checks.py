"""Records that are sound one by one and cannot have been together: refused by line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from make_runs import START_NS, make_records, make_run, write_manifest

from benchbook.project import Project
from benchbook.runs.driver_file import read_records
from benchbook.runs.record_checks import check_environment
from benchbook.runs.records import RecordError
from benchbook.store.load import load

pytestmark = pytest.mark.unit

S = 1_000_000_000
SPEC = {
    "driver": "ingest", "engine": "null", "version": "1", "dop": 1, "seed": 42,
    "build": {"compiler": "gcc"},
}  # fmt: skip
STEPS = [("l.i0", "insert", 300, 3.0), ("q100.1", "query", 50, 1.0)]
Lines = list[dict[str, Any]]


def made() -> Lines:
    """1 run, 2 step, 3-5 samples, 6 size, 7 step, 8 sample, 9 size, 10 hist, 11 end."""
    return make_records(SPEC, STEPS, hists={"l.i0/insert": [[5, 2], [130, 1]]})


def refusal(folder: Path, lines: Lines) -> str:
    path = folder / "driver.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    with pytest.raises(RecordError) as error:
        read_records(path)
    return str(error.value)


def changed(line: int, **changes: Any) -> Callable[[Lines], object]:
    """A change of what stands in a line, from 1."""
    return lambda lines: lines[line - 1].update(changes)


def added(at: int, **record: Any) -> Callable[[Lines], object]:
    """A record more, in line ``at``."""
    return lambda lines: lines.insert(at - 1, record)


def again(line: int) -> Callable[[Lines], object]:
    """A line that stands twice."""
    return lambda lines: lines.insert(line - 1, dict(lines[line - 1]))


def shifted(line: int, ns: int) -> Callable[[Lines], object]:
    """A sample of another time."""
    return lambda lines: lines[line - 1].update(t_ns=lines[line - 1]["t_ns"] + ns)


def swapped(first: int, second: int) -> Callable[[Lines], object]:
    def change(lines: Lines) -> None:
        lines[first - 1], lines[second - 1] = lines[second - 1], lines[first - 1]

    return change


def returned(lines: Lines) -> None:
    """Another op of the first step after the second, and time for it."""
    late = {"start_ns": START_NS + 4 * S, "end_ns": START_NS + 5 * S}
    lines.insert(7, {**lines[1], "op": "delete", "main": False, "seq": 3, **late})
    lines[-1] |= {"mono_ns": START_NS + 5 * S, "real_ns": START_NS + 5 * S}


GAP = "a sample of step l.i0, op insert does not begin where the one before ended"
STEP_CHANGES = {
    "more than an op in a nanosecond": (
        changed(2, ops=2**63 - 1),
        "line 2: step l.i0 has 9223372036854775807 ops in 3000000000 ns of its clients",
    ),
    "more than a terabyte a second": (
        changed(7, bytes=2**62),
        "line 7: step q100.1 has 4611686018427387904 bytes in 1000000000 ns of its "
        "clients",
    ),
    "more errors than ops": (
        changed(2, errors=100_000),
        "line 2: step l.i0 has 100000 errors in 3 ops",
    ),
    "longer waits than there was time": (
        changed(2, wait_ns=4 * S),
        "line 2: the clients of step l.i0 waited 4000000000 of 3000000000 ns",
    ),
    "more clients than the run": (
        changed(2, dop=7), "line 2: step l.i0 has dop 7, its run 1"
    ),
    "more written than the run had time for": (
        added(11, kind="use", step="l.i0", written_bytes=2**62),
        "line 11: step l.i0 has 4611686018427387904 written_bytes in a run of 4000000000 "
        "ns",
    ),
    "more switches than the run had time for": (
        added(11, kind="use", step="l.i0", switches=2**62),
        "line 11: step l.i0 has 4611686018427387904 switches in a run of 4000000000 ns",
    ),
    "no time": (changed(2, end_ns=START_NS), "line 2: step l.i0 takes no time"),
    "steps that overlap": (
        changed(7, start_ns=START_NS + 2 * S),
        "line 7: step q100.1 starts before step l.i0 ends",
    ),
    "a step after the end": (
        changed(7, end_ns=START_NS + 9 * S),
        "line 7: step q100.1 was not between the run record and the end",
    ),
    "ops of a step at different times": (
        lambda lines: lines.insert(
            2, {**lines[1], "op": "delete", "main": False, "start_ns": START_NS + 1}
        ),
        "line 3: the ops of step l.i0 have different times",
    ),
    "a step in two places": (
        returned,
        "line 8: step l.i0 stands in two places",
    ),
}  # fmt: skip
SAMPLE_CHANGES = {
    "doubled": (again(4), f"line 5: {GAP}"),
    "missing within": (lambda lines: lines.pop(3), f"line 4: {GAP}"),
    "backwards": (swapped(3, 4), f"line 4: {GAP}"),
    "an hour later": (shifted(5, 3600 * S), f"line 5: {GAP}"),
    "without a length": (changed(4, interval_ns=0), f"line 4: {GAP}"),
    "the first missing": (
        lambda lines: lines.pop(2),
        "line 3: the samples of step l.i0, op insert do not cover it from start to end",
    ),
    "the last missing": (
        lambda lines: lines.pop(4),
        "line 3: the samples of step l.i0, op insert do not cover it from start to end",
    ),
    "all of a step missing": (
        lambda lines: lines.pop(7),
        "line 7: step q100.1, op query has no samples, other steps have",
    ),
    "of a step that is not there": (
        changed(8, step="q100.2"),
        "line 8: a sample of step q100.2, op query, which has no record",
    ),
    "of an op that is not there": (
        changed(8, op="scan"),
        "line 8: a sample of step q100.1, op scan, which has no record",
    ),
    "of more rows than the step": (
        changed(4, rows=1000, clients=[1000]),
        "line 2: step l.i0, op insert has 300 rows, its samples 1200",
    ),
    "of more ops than the step": (
        changed(8, ops=500, clients=[500]),
        "line 7: step q100.1, op query has 50 ops, its samples 500",
    ),
    "of more ops than a number has bits": (
        changed(4, ops=2**63 - 1),
        "line 2: step l.i0, op insert has 3 ops, its samples 9223372036854775809",
    ),
    "of clients that did less": (
        changed(4, clients=[99]),
        "line 4: the clients of a sample of step l.i0, op insert do not add up to it",
    ),
    "of a response longer than its step": (
        changed(3, max_ns=S + 1),
        "line 3: a sample of step l.i0, op insert has a response longer than its step "
        "had lasted",
    ),
    "of no clients": (
        changed(4, clients=[]),
        "line 4: the clients of a sample of step l.i0, op insert do not add up to it",
    ),
}
OTHER_CHANGES = {
    "a hist of more than was done": (
        changed(10, counts=[[5, 20], [130, 10]]),
        "line 10: the hist of step l.i0, op insert counts 30 ops, its step 3",
    ),
    "a hist of a step that is not there": (
        changed(10, step="l.i9"),
        "line 10: a hist record of step l.i9, op insert, which has no record",
    ),
    "response times longer than the clients had": (
        changed(10, counts=[[5, 2], [3500, 1]]),
        "line 10: the response times of step l.i0, op insert are 11542724618 ns, its "
        "clients had 3000000000",
    ),
    "a second hist": (
        again(10),
        "line 11: a second hist record of step l.i0, insert, actual",
    ),
    "a second size": (again(6), "line 7: a second size record of step l.i0"),
    "a size of a step that is not there": (
        changed(6, step="x"),
        "line 6: a size record of step x, which has no record",
    ),
    "a step that begins and never ends": (
        added(2, kind="begin", step="x", t_ns=START_NS),
        "line 2: a begin record of step x, which has no record",
    ),
    "a step that begins at another time": (
        added(2, kind="begin", step="l.i0", t_ns=START_NS + 1),
        "line 2: step l.i0 began at another time than its record says",
    ),
    "a note of a step that is not there": (
        added(11, kind="note", step="x", text="slow"),
        "line 11: a note record of step x, which has no record",
    ),
    "more than an exabyte": (
        changed(6, bytes=2**63 - 1),
        "line 6: after step l.i0 there is an exabyte and more",
    ),
    "lines taken out": (
        changed(11, lines=14),
        "line 11: the end record says that it is line 14: there are others",
    ),
    "another boot": (
        changed(11, boot_id="other"),
        "line 11: boot_id is another than that of the run record",
    ),
    "an end before the steps": (
        changed(11, mono_ns=START_NS),
        "line 2: step l.i0 was not between the run record and the end",
    ),
    "the wall clock an hour back": (
        changed(1, real_ns=3600 * S),
        "line 11: the wall clock was set back during the run",
    ),
}
CHANGES = STEP_CHANGES | SAMPLE_CHANGES | OTHER_CHANGES
TIMES = "the times of a sample of step l.i0, op insert"
TIME_CHANGES = {
    "of more operations": (
        changed(4, times=[[5, 2]]), f"line 4: {TIMES} do not add up to its ops"
    ),
    "out of order": (
        changed(4, times=[[6, 1], [5, 0]]), f"line 4: {TIMES} are out of order"
    ),
    "of more than 63 bits": (
        changed(4, times=[[248, 1]]),
        f"line 4: a bucket of {TIMES} is none of 63 bits",
    ),
    "in other buckets": (
        changed(4, sub_bits=3), f"line 4: {TIMES} are not of the kind of the first"
    ),
    "missing": (
        lambda lines: lines[3].pop("times"),
        f"line 4: {TIMES} are not of the kind of the first",
    ),
    "of unknown buckets": (
        lambda lines: lines[4].pop("sub_bits"),
        f"line 5: {TIMES} are not of the kind of the first",
    ),
    "other than the hist": (
        changed(4, times=[[6, 1]]),
        "line 3: the times of the samples of step l.i0, op insert are not its hist",
    ),
    "other than the hist of intended starts": (
        added(10, kind="hist", step="l.i0", op="insert", clock="intended", unit="ns",
              sub_bits=7, counts=[[5, 3]]),
        "line 3: the times of the samples of step l.i0, op insert are not its hist",
    ),
}  # fmt: skip


def timed() -> Lines:
    """The same with response times in lines 3 to 5: 5, 5 and 128 to 159 ns."""
    lines = made()
    for line, bucket in ((2, 5), (3, 5), (4, 24)):
        lines[line] |= {"sub_bits": 2, "times": [[bucket, 1]]}
    return lines


def test_times_of_samples_are_those_of_the_hist(tmp_path: Path):
    """Bucket 130 of 128 a doubling is 130 ns: of four, in the first from 128 to 255."""
    path = tmp_path / "driver.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in timed()))
    [samples] = read_records(path).samples or []

    assert [[5], [5], [24], None] == samples["buckets"].to_pylist()


@pytest.mark.parametrize("what", TIME_CHANGES)
def test_times_that_cannot_have_been_are_refused(tmp_path: Path, what: str):
    """They belong to the operations of their sample, and all of them to the step."""
    change, message = TIME_CHANGES[what]
    lines = timed()
    change(lines)

    assert f"driver.jsonl {message}" == refusal(tmp_path, lines)


@pytest.mark.parametrize("what", CHANGES)
def test_what_cannot_have_been_is_refused(tmp_path: Path, what: str):
    """Each contradiction is named with its line, and in one sentence."""
    change, message = CHANGES[what]
    lines = made()
    change(lines)

    assert f"driver.jsonl {message}" == refusal(tmp_path, lines)


def test_samples_may_stand_before_their_step_and_between_those_of_others(tmp_path: Path):
    """Two ops of a step take turns; each has a chain of its own."""
    steps = [("q", "query", 50, 3.0), ("q", "insert", 300, 3.0)]
    run, *others, end = make_records(SPEC, steps)
    samples = sorted(
        (one for one in others if one["kind"] == "sample"), key=lambda s: s["t_ns"]
    )
    rest = [one for one in others if one["kind"] != "sample"]
    path = tmp_path / "driver.jsonl"
    lines = [run, *samples, *rest, end]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))

    assert ["query", "insert"] == [step["op"] for step in read_records(path).steps]


# --- against env.json and spec.json -----------------------------------------------------


def refused(project: Project, **changes: Any) -> str:
    """Why a run is refused whose run record says something else than its spec.json."""
    folder = make_run(project.raw)
    path = folder / "driver.jsonl"
    first, *others = path.read_text().splitlines()
    texts = [json.dumps(json.loads(first) | changes), *others]
    path.write_text("\n".join(texts) + "\n")
    write_manifest(folder)
    [sentence] = load(project).refused
    return sentence.partition(": ")[2]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"driver": "micro"}, "the driver ran with driver micro, not ingest"),
        ({"engine": "sqlite"}, "the driver ran with engine sqlite, not null"),
        ({"dop": 7}, "the driver ran with dop 7, not 1"),
        ({"seed": 41}, "the driver ran with seed 41, not 42"),
        ({"version": "9.9.9"}, "the driver met version 9.9.9, not 1"),
        ({"version": "10"}, "the driver met version 10, not 1"),
        (
            {"assertions": True},
            "the driver had assertions, its build the flags -O2",
        ),
        (
            {"optimized": False},
            "the driver was not optimized, its build has the flags -O2",
        ),
    ],
)
def test_a_driver_that_ran_something_else_is_refused(
    tmp_path: Path, changes: dict[str, Any], message: str
):
    """What the program says of itself is held against what was asked for."""
    assert f"spec.json is contradicted: {message}" == refused(
        Project(tmp_path), **changes
    )


def test_flags_say_nothing_of_a_tool_of_the_system(tmp_path: Path):
    """Debian's db_bench asserts; the flags are those of the programs beside it."""
    project = Project(tmp_path)
    run, *others = make_records(SPEC)
    make_run(project.raw, records=[
        run | {"compiler": "unknown", "assertions": True}, *others,
    ])  # fmt: skip

    assert [] == load(project).refused


def test_a_version_may_be_told_more_exactly(tmp_path: Path):
    """1 was asked for and 1.2 found: that is a 1."""
    project = Project(tmp_path)
    lines = make_records(SPEC | {"version": "1.2-log"})
    make_run(project.raw, records=lines)

    assert [] == load(project).refused


def test_a_run_that_lacks_a_step_is_refused(tmp_path: Path):
    """Two steps were asked for, one is there."""
    project = Project(tmp_path)
    folder = make_run(project.raw, steps=STEPS)
    spec = json.loads((folder / "spec.json").read_text())
    spec["steps"].append({"step": "q100.2"})
    (folder / "spec.json").write_text(json.dumps(spec))
    write_manifest(folder)
    [sentence] = load(project).refused

    assert sentence.endswith(
        "spec.json is contradicted: the driver ran the steps l.i0, q100.1, not l.i0, "
        "q100.1, q100.2"
    )


HERE = {
    "machine": "m", "machine_id": "aa", "dop": 1,
    "build": {"digest": "d", "compiler": "gcc 12", "flags": "-O2"},
}  # fmt: skip


def test_a_host_that_says_nothing_of_itself_is_believed():
    """env.json of older runs has neither machine nor build."""
    check_environment({"kernel": "6.1"}, HERE)
    check_environment(HERE, HERE)


@pytest.mark.parametrize(
    ("env", "message"),
    [
        ({"machine": "n"}, "env.json has the machine n, spec.json m"),
        ({"machine_id": "bb"}, "env.json has the machine_id bb, spec.json aa"),
        ({"build": {"digest": "e"}}, "env.json has the build.digest e, spec.json d"),
        (
            {"build": {"compiler": "clang 19"}},
            "env.json has the build.compiler clang 19, spec.json gcc 12",
        ),
    ],
)
def test_a_run_on_another_host_than_planned_is_refused(env: dict[str, Any], message: str):
    """A line pasted elsewhere names the machine and the build that it was planned for."""
    with pytest.raises(ValueError, match=message):
        check_environment(env, HERE)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"exit_code": 139}, "env.json has the exit code 139 of a run that is ok"),
        (
            {"cpus": 2, "cpu_ns": 9 * S},
            "env.json is contradicted: step l.i0 has cpu_ns 9000000000 where 2 CPUs have "
            "4000000000 ns",
        ),
        ({"cpus": 0}, "env.json is contradicted: a machine of 0 CPUs"),
        (
            {"ended_utc": "2001-01-01T00:00:00.000Z"},
            "env.json is contradicted: the run ended before it started",
        ),
        (
            {"started_utc": "1970-01-01T00:00:00.000Z"},
            "env.json is contradicted: the driver began a day after the run",
        ),
        (
            {"started_utc": "2100-01-01T00:00:00Z", "ended_utc": "2100-01-01T00:00:09Z"},
            "env.json is contradicted: the driver began before the run",
        ),
        (
            {"ended_utc": "2100-01-01T00:00:00Z"},
            "env.json is contradicted: the driver ended a day before the run",
        ),
    ],
)
def test_a_run_that_its_machine_cannot_have_made_is_refused(
    tmp_path: Path, changes: dict[str, Any], message: str
):
    """What env.json says of the process and of its machine."""
    project = Project(tmp_path)
    folder = make_run(project.raw)
    cpu_ns = changes.pop("cpu_ns", None)
    env = json.loads((folder / "env.json").read_text())
    (folder / "env.json").write_text(json.dumps(env | changes))
    driver = folder / "driver.jsonl"
    lines = [json.loads(line) for line in driver.read_text().splitlines()]
    lines[1] |= {"cpu_ns": cpu_ns} if cpu_ns else {}
    driver.write_text("".join(json.dumps(line) + "\n" for line in lines))
    write_manifest(folder)

    assert [f"{folder.relative_to(project.raw)}: {message}"] == load(project).refused
