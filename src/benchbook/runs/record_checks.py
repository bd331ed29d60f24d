"""Whether the records of a run agree with each other, and with what was to be run.

Each record may be sound by itself and the run still be one that cannot have been: steps
that overlap, samples that do not add up to their step. A contradiction names the line of
the record that was found to be against the others.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from benchbook.runs.records import Record
from benchmath.latency.buckets import bucket_lower, bucket_of

Numbered = tuple[int, Record]  # number of the line, from 1
Op = tuple[str, str]  # step, op
BY_ROWS = ("insert", "delete")  # ops whose clients count rows
MOST_BYTES_PER_NS = 1000  # of a client: a terabyte a second
MOST_SUB_BITS = 16
SLACK_SHARE = 20  # a twentieth of a step may pass in its clients but not in its times
CPU_SLACK_NS = 1_000_000_000  # the kernel counts CPU time by ticks, and late
CLOCK_STEP_NS = 60_000_000_000  # that the wall clock may be set back during a run
DAY_NS = 86_400_000_000_000
MOST_BYTES = 2**60  # on disk or in memory: an exabyte
_AFTER = ("folder_bytes", "memory_bytes")  # what is there after a step, used by nobody
MOST_CPUS = 4096  # of a machine
CPU_KEYS = {"server_cpu_ns", "client_cpu_ns", "machine_cpu_ns", "machine_busy_ns"}
ONE_PER_STEP = ("begin", "size", "use", "output")


class ContradictionError(ValueError):
    """What is wrong with which line of a file."""

    def __init__(self, line: int, text: str) -> None:
        super().__init__(text)
        self.line = line


def check_order(step: Record, before: dict[Op, Record]) -> None:
    """Steps come in order of seq and time; only the ops of one step share them."""
    name = step["step"]
    if step["end_ns"] < step["start_ns"]:
        raise ValueError(f"step {name} ends before it starts")
    if step["end_ns"] == step["start_ns"]:
        raise ValueError(f"step {name} takes no time")
    if (name, step["op"]) in before:
        raise ValueError(f"a second record for step {name}, op {step['op']}")
    _check_amounts(step)
    last = before[next(reversed(before))] if before else None
    same = last is not None and name == last["step"]
    seq = last["seq"] if last else 0
    if step["seq"] != (seq if same else seq + 1):
        raise ValueError(
            f"seq {step['seq']} of step {name} does not follow: the step before has {seq}"
        )
    if last and same and _time(last) != _time(step):
        raise ValueError(f"the ops of step {name} have different times")
    if last and not same and step["start_ns"] < last["end_ns"]:
        raise ValueError(f"step {name} starts before step {last['step']} ends")


def _time(step: Record) -> tuple[int, int]:
    return step["start_ns"], step["end_ns"]


def _check_amounts(step: Record) -> None:
    """No client does more than an operation in a nanosecond, or more often fails."""
    client_ns = (step["end_ns"] - step["start_ns"]) * max(step["dop"], 1)
    name, ops = step["step"], step["ops"]
    if (ops or 0) > client_ns:
        raise ValueError(f"step {name} has {ops} ops in {client_ns} ns of its clients")
    if (step["bytes"] or 0) > client_ns * MOST_BYTES_PER_NS:
        raise ValueError(
            f"step {name} has {step['bytes']} bytes in {client_ns} ns of its clients"
        )
    if ops is not None and step["errors"] > ops:
        raise ValueError(f"step {name} has {step['errors']} errors in {ops} ops")
    if step["wait_ns"] > client_ns:
        raise ValueError(
            f"the clients of step {name} waited {step['wait_ns']} of {client_ns} ns"
        )


@dataclass
class _Sum:
    """What the samples of one op of a step add up to."""

    line: int  # of the first of them
    start_ns: int
    end_ns: int
    ops: int = 0
    rows: int = 0
    sub_bits: int = 0  # of their response times; 0: they have none
    times: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int64))


class SampleSums:
    """Samples of a file added up piece by piece; each begins where the last one ended."""

    def __init__(self) -> None:
        self.of: dict[Op, _Sum] = {}

    def add(self, samples: pa.Table, at: Iterable[int]) -> None:
        """The next samples, with the numbers of their lines."""
        if not len(samples):
            return
        lines = np.asarray(at)
        columns = {
            name: samples[name].to_numpy()
            for name in ("t_ns", "interval_ns", "ops", "rows", "max_ns")
        }
        columns["clients"] = _list_sums(samples["clients"].combine_chunks())
        times = samples.select(["sub_bits", "buckets", "counts"]).combine_chunks()
        codes, names = op_codes(samples)
        order = np.argsort(codes, kind="stable")
        edges = np.flatnonzero(np.diff(codes[order])) + 1
        for part in np.split(order, edges):
            op = names[codes[part[0]]]
            mine = {name: column[part] for name, column in columns.items()}
            self._add(op, mine, lines[part])
            self._add_times(op, times.take(pa.array(part)), mine["ops"], lines[part])

    def _add(self, op: Op, mine: Mapping[str, np.ndarray], lines: np.ndarray) -> None:
        starts = mine["t_ns"] - mine["interval_ns"]
        total = self.of.get(op)
        if total is None:
            total = _Sum(int(lines[0]), int(starts[0]), int(starts[0]))
            self.of[op] = total
        ends = np.concatenate(([total.end_ns], mine["t_ns"][:-1]))
        refuse(
            lines, (starts != ends) | (mine["interval_ns"] == 0),
            f"a sample of step {op[0]}, op {op[1]} does not begin where the one before "
            "ended",
        )  # fmt: skip
        counted = mine["rows" if op[1] in BY_ROWS else "ops"]
        refuse(
            lines, mine["clients"] != counted,
            f"the clients of a sample of step {op[0]}, op {op[1]} do not add up to it",
        )  # fmt: skip
        refuse(
            lines, mine["max_ns"] > mine["t_ns"] - total.start_ns,
            f"a sample of step {op[0]}, op {op[1]} has a response longer than its step "
            "had lasted",
        )  # fmt: skip
        total.end_ns = int(mine["t_ns"][-1])
        total.ops += exact_sum(mine["ops"])
        total.rows += exact_sum(mine["rows"])

    def _add_times(
        self, op: Op, times: pa.Table, ops: np.ndarray, lines: np.ndarray
    ) -> None:
        """The response times of these samples: those of all their operations."""
        total = self.of[op]
        of_sample = f"of a sample of step {op[0]}, op {op[1]}"
        if total.line == lines[0]:
            total.sub_bits = times["sub_bits"][0].as_py() or 0
            total.times = np.zeros(_most_buckets(total.sub_bits), np.int64)
        kinds = pc.fill_null(times["sub_bits"], 0).to_numpy()
        lists = [times[name].combine_chunks() for name in ("buckets", "counts")]
        there = lists[0].is_valid().to_numpy(zero_copy_only=False)
        wrong = (kinds != total.sub_bits) | (there != (total.sub_bits > 0))
        refuse(lines, wrong, f"the times {of_sample} are not of the kind of the first")
        if not total.sub_bits:
            return
        buckets, counts = (one.flatten().to_numpy() for one in lists)
        rows = np.repeat(np.arange(len(lines)), pc.list_value_length(lists[0]))
        wrong = np.zeros(len(lines), bool)
        wrong[rows[1:][(np.diff(buckets) <= 0) & (np.diff(rows) == 0)]] = True
        refuse(lines, wrong, f"the times {of_sample} are out of order")
        wrong[rows[buckets >= len(total.times)]] = True
        refuse(lines, wrong, f"a bucket of the times {of_sample} is none of 63 bits")
        added = _list_sums(lists[1]) == ops
        refuse(lines, ~added, f"the times {of_sample} do not add up to its ops")
        np.add.at(total.times, buckets, counts)


def refuse(lines: np.ndarray, wrong: np.ndarray, text: str) -> None:
    """ContradictionError for the first of the lines that is wrong."""
    if wrong.any():
        raise ContradictionError(int(lines[np.argmax(wrong)]), text)


def op_codes(rows: pa.Table) -> tuple[np.ndarray, dict[int, Op]]:
    """Of each row a number for its step and op, and what the numbers stand for."""
    steps, ops = (
        rows[name].combine_chunks().dictionary_encode() for name in ("step", "op")
    )
    width = len(ops.dictionary)
    codes = steps.indices.to_numpy() * width + ops.indices.to_numpy()
    names = {
        i * width + j: (step, op)
        for i, step in enumerate(steps.dictionary.to_pylist())
        for j, op in enumerate(ops.dictionary.to_pylist())
    }
    return codes, names


def _most_buckets(sub_bits: int) -> int:
    """Of values of less than 2**63."""
    return (64 - sub_bits) << sub_bits if 1 <= sub_bits <= MOST_SUB_BITS else 0


def _list_sums(lists: pa.ListArray) -> np.ndarray:
    ends = lists.offsets.to_numpy()
    sums = np.concatenate(([0], np.cumsum(lists.values.to_numpy())))
    return sums[ends[1:]] - sums[ends[:-1]]


def exact_sum(numbers: np.ndarray) -> int:
    """Where an int64 would overflow, too."""
    return (int((numbers >> 32).sum()) << 32) + int((numbers & 0xFFFFFFFF).sum())


def check_agreement(records: Mapping[str, Sequence[Numbered]], sums: SampleSums) -> None:
    """Whether the records of a whole file belong together."""
    steps = {(s["step"], s["op"]): (line, s) for line, s in records["step"]}
    run, (line, end) = records["run"][0][1], records["end"][0]
    _check_clocks(run, line, end, records["step"])
    _check_steps(records["step"], run["dop"])
    _check_uses(records["use"], wall_ns(run, end))
    _check_names(records, {step for step, _ in steps})
    for line, hist in records["hist"]:
        _check_hist(line, hist, steps)
    _check_once(records["hist"], ("step", "op", "clock"))
    _check_statements(records["statement"], steps)
    _check_recalls(records["recall"])
    for op, total in sums.of.items():
        _check_samples(op, total, steps)
        if total.sub_bits:
            _check_times(op, total, records["hist"])
    for op, (line, step) in steps.items():
        if sums.of and step["ops"] and op not in sums.of:
            raise ContradictionError(
                line, f"step {op[0]}, op {op[1]} has no samples, other steps have"
            )


def _check_clocks(run: Record, line: int, end: Record, steps: Sequence[Numbered]) -> None:
    """Everything happened between the first record and the last, on one machine."""
    if run["boot_id"] != end["boot_id"]:
        raise ContradictionError(line, "boot_id is another than that of the run record")
    for at, step in steps:
        if not run["mono_ns"] <= step["start_ns"] < step["end_ns"] <= end["mono_ns"]:
            text = f"step {step['step']} was not between the run record and the end"
            raise ContradictionError(at, text)
    passed = end["mono_ns"] - run["mono_ns"]
    if passed < 0:
        raise ContradictionError(line, "mono_ns is before that of the run record")
    if end["real_ns"] - run["real_ns"] < passed - passed // 100 - CLOCK_STEP_NS:
        raise ContradictionError(line, "the wall clock was set back during the run")


def wall_ns(run: Record, end: Record) -> int:
    """From the first record to the last; the clock of a frozen driver stands still."""
    return max(end["real_ns"] - run["real_ns"], end["mono_ns"] - run["mono_ns"], 1)


def _check_steps(steps: Sequence[Numbered], dop: int) -> None:
    """A step stands in one place, has one main op and no more clients than the run."""
    first: dict[str, Numbered] = {}
    mains: dict[str, int] = {}
    for line, step in steps:
        name = step["step"]
        if step["dop"] > max(dop, 1):
            text = f"step {name} has dop {step['dop']}, its run {dop}"
            raise ContradictionError(line, text)
        before = first.setdefault(name, (line, step))[1]
        if before["seq"] != step["seq"]:
            raise ContradictionError(line, f"step {name} stands in two places")
        mains[name] = mains.get(name, 0) + step["main"]
    for name, count in mains.items():
        if count != 1:
            text = f"step {name} has {count} main ops, not one"
            raise ContradictionError(first[name][0], text)


def _check_uses(uses: Sequence[Numbered], wall: int) -> None:
    """No more is read, written or switched around a step than the run had time for."""
    for line, use in uses:
        for key in ("switches", "reads", "writes"):
            if use.get(key, 0) > wall * MOST_CPUS:
                text = f"step {use['step']} has {use[key]} {key} in a run of {wall} ns"
                raise ContradictionError(line, text)
        for key in (key for key in use if key.endswith("_bytes")):
            if key not in _AFTER and use[key] > wall * MOST_BYTES_PER_NS:
                text = f"step {use['step']} has {use[key]} {key} in a run of {wall} ns"
                raise ContradictionError(line, text)


def _check_names(records: Mapping[str, Sequence[Numbered]], steps: set[str]) -> None:
    """What is said of a step is said of one that is there, and once."""
    starts = {step["step"]: step["start_ns"] for _, step in records["step"]}
    for kind in (*ONE_PER_STEP, "wait", "note", "statement", "recall"):
        for line, record in records[kind]:
            if record["step"] not in steps:
                text = f"a {kind} record of step {record['step']}, which has no record"
                raise ContradictionError(line, text)
    for line, size in (*records["size"], *records["use"]):
        if max(size.get(key, 0) for key in ("bytes", *_AFTER)) > MOST_BYTES:
            text = f"after step {size['step']} there is an exabyte and more"
            raise ContradictionError(line, text)
    for line, begin in records["begin"]:
        if begin["t_ns"] != starts[begin["step"]]:
            text = f"step {begin['step']} began at another time than its record says"
            raise ContradictionError(line, text)
    for kind in ONE_PER_STEP:
        _check_once(records[kind], ("step",))


def _check_once(records: Sequence[Numbered], keys: Sequence[str]) -> None:
    names: set[tuple[str, ...]] = set()
    for line, record in records:
        name = tuple(record[key] for key in keys)
        if name in names:
            text = f"a second {record['kind']} record of step {', '.join(name)}"
            raise ContradictionError(line, text)
        names.add(name)


def _check_hist(line: int, hist: Record, steps: Mapping[Op, Numbered]) -> None:
    op = hist["step"], hist["op"]
    counted = sum(count for _, count in hist["counts"])
    if op not in steps:
        text = f"a hist record of step {op[0]}, op {op[1]}, which has no record"
        raise ContradictionError(line, text)
    ops = steps[op][1]["ops"]
    if ops is not None and counted != ops:
        text = (
            f"the hist of step {op[0]}, op {op[1]} counts {counted} ops, its step {ops}"
        )
        raise ContradictionError(line, text)
    step, bits = steps[op][1], hist["sub_bits"]
    client_ns = (step["end_ns"] - step["start_ns"]) * max(step["dop"], 1)
    waited = sum(bucket_lower(bucket, bits) * count for bucket, count in hist["counts"])
    if hist["clock"] == "actual" and waited > client_ns + client_ns // SLACK_SHARE:
        text = (
            f"the response times of step {op[0]}, op {op[1]} are {waited} ns, its "
            f"clients had {client_ns}"
        )
        raise ContradictionError(line, text)


def _check_statements(
    statements: Sequence[Numbered], steps: Mapping[Op, Numbered]
) -> None:
    """Each is told once and of times that it has; those of a step are all its queries."""
    _check_once(statements, ("step", "name"))
    sent: dict[str, tuple[int, int, int]] = {}  # of a step: last line, how often, ns
    for line, statement in statements:
        step, name = statement["step"], statement["name"]
        counted = sum(count for _, count in statement["counts"])
        if counted != statement["sent"]:
            text = (
                f"the counts of statement {name} of step {step} are {counted}, it was "
                f"sent {statement['sent']} times"
            )
            raise ContradictionError(line, text)
        if statement["max_ns"] > statement["total_ns"]:
            text = f"statement {name} of step {step} took longer once than in all"
            raise ContradictionError(line, text)
        if statement["errors"] > statement["sent"]:
            text = f"statement {name} of step {step} has more errors than it was sent"
            raise ContradictionError(line, text)
        _, times, ns = sent.get(step, (0, 0, 0))
        sent[step] = line, times + statement["sent"], ns + statement["total_ns"]
    client_ns = {
        step["step"]: (step["end_ns"] - step["start_ns"]) * max(step["dop"], 1)
        for _, step in steps.values()
        if step["main"]
    }
    for step, (line, total, ns) in sent.items():
        if ns > client_ns[step] + client_ns[step] // SLACK_SHARE:
            text = (
                f"the statements of step {step} took {ns} ns, its clients had "
                f"{client_ns[step]}"
            )
            raise ContradictionError(line, text)
        queries = steps[step, "query"][1]["ops"] if (step, "query") in steps else total
        if total != queries:
            text = f"the statements of step {step} were sent {total} times, its step has "
            raise ContradictionError(line, f"{text}{queries} queries")


def _check_recalls(recalls: Sequence[Numbered]) -> None:
    """No more is found than was asked for."""
    _check_once(recalls, ("step", "name"))
    for line, recall in recalls:
        if recall["found"] > recall["asked"]:
            text = (
                f"statement {recall['name']} of step {recall['step']} found more than all"
            )
            raise ContradictionError(line, text)


def _check_samples(op: Op, total: _Sum, steps: Mapping[Op, Numbered]) -> None:
    if op not in steps:
        text = f"a sample of step {op[0]}, op {op[1]}, which has no record"
        raise ContradictionError(total.line, text)
    line, step = steps[op]
    if (total.start_ns, total.end_ns) != _time(step):
        text = (
            f"the samples of step {op[0]}, op {op[1]} do not cover it from start to end"
        )
        raise ContradictionError(total.line, text)
    for key, amount in (("ops", total.ops), ("rows", total.rows)):
        if step[key] is not None and step[key] != amount:
            text = f"step {op[0]}, op {op[1]} has {step[key]} {key}, its samples {amount}"
            raise ContradictionError(line, text)


def _check_times(op: Op, total: _Sum, hists: Sequence[Numbered]) -> None:
    """The times of an op's samples are those of its hist, in coarser buckets.

    Of a rate-limited op those from the intended start, as the longest of each sample is.
    """
    own = {h["clock"]: h for _, h in hists if (h["step"], h["op"]) == op}
    hist = own.get("intended", own.get("actual"))
    if hist is None or hist["sub_bits"] < total.sub_bits:
        return
    coarse = np.zeros_like(total.times)
    for bucket, count in hist["counts"]:
        lower = bucket_lower(bucket, hist["sub_bits"])
        coarse[bucket_of(lower, total.sub_bits)] += count
    if (coarse != total.times).any():
        text = f"the times of the samples of step {op[0]}, op {op[1]} are not its hist"
        raise ContradictionError(total.line, text)


def check_spec(run: Record, steps: Iterable[str], spec: Mapping[str, Any]) -> None:
    """Whether the driver did what spec.json asked for; ValueError says what it did not.

    A version may be told more exactly than it was asked for.
    """
    spec_values = {key: spec[key] for key in ("driver", "engine", "dop")}
    if type(spec.get("seed")) is int:
        spec_values["seed"] = (
            spec["seed"] + spec["load_no"] - 1
        )  # each load has other rows
    for key, value in spec_values.items():
        if run[key] != value:
            raise ValueError(f"the driver ran with {key} {run[key]}, not {value}")
    if not re.match(re.escape(spec["version"]) + r"(?![0-9])", run["version"]):
        text = f"the driver met version {run['version']}, not {spec['version']}"
        raise ValueError(text)
    _check_build(run, spec["build"]["flags"])
    names = list(dict.fromkeys(steps))
    planned = [
        step["step"]
        for step in spec.get("steps", ())
        if step["step"] not in spec.get("left_out", ())
    ]
    if planned and names != planned:
        text = f"the driver ran the steps {', '.join(names)}, not {', '.join(planned)}"
        raise ValueError(text)


TOOL = "unknown"  # the compiler that a driver names which runs a tool of the system


def _check_build(run: Record, flags: str) -> None:
    """Flags that are recorded say whether the program was to be optimized and asserts.

    A tool of the system, of which no compiler is known, was not built with these flags.
    """
    if run["compiler"] == TOOL:
        return
    levels = re.findall(r"-O(\S*)", flags)
    if levels and run["optimized"] != (levels[-1] != "0"):
        text = "optimized" if run["optimized"] else "not optimized"
        raise ValueError(f"the driver was {text}, its build has the flags {flags}")
    if levels and run["assertions"] and "-UNDEBUG" not in flags:
        raise ValueError(f"the driver had assertions, its build the flags {flags}")


def check_cpu(
    steps: Iterable[Record], uses: Iterable[Record], wall: int, cpus: object
) -> None:
    """Nobody takes more CPU time than the machine has; ValueError names the step.

    What is used around a step, by a server between two steps too, is held against the
    whole run of ``wall`` ns. Older runs do not say how many CPUs there are.
    """
    if cpus is None:
        return
    if type(cpus) is not int or cpus < 1:
        raise ValueError(f"a machine of {cpus} CPUs")
    took = [
        (step["step"], "cpu_ns", step["cpu_ns"], step["end_ns"] - step["start_ns"])
        for step in steps
    ]
    took += [
        (use["step"], key, use[key], wall)
        for use in uses
        for key in CPU_KEYS & use.keys()
    ]
    for step, key, ns, time in took:
        most = time * cpus
        if ns > most + most // SLACK_SHARE + CPU_SLACK_NS:
            raise ValueError(
                f"step {step} has {key} {ns} where {cpus} CPUs have {most} ns"
            )


def check_dates(started: datetime, ended: datetime, run: Record, end: Record) -> None:
    """The driver ran while its host says that the run was; ValueError says otherwise.

    All are of the wall clock of one host, which may be set while a run is made. A server
    may be filled before the driver, and profiles be written after it.
    """
    begun, left = (int(time.timestamp() * 1e9) for time in (started, ended))
    for text, early, late in (
        ("the run ended before it started", begun, left),
        ("the driver began before the run", begun, run["real_ns"]),
        ("the driver ended after the run", end["real_ns"], left),
        ("the driver began a day after the run", run["real_ns"] - DAY_NS, begun),
        ("the driver ended a day before the run", left - DAY_NS, end["real_ns"]),
    ):
        if early > late + CLOCK_STEP_NS:
            raise ValueError(text)


def check_environment(env: Mapping[str, Any], spec: Mapping[str, Any]) -> None:
    """Whether the run was where and of what spec.json says; ValueError says otherwise.

    env.json is written by the host that ran. Facts that it does not tell cannot be held
    against it.
    """
    build = env.get("build", {})
    for name, reported, expected in (
        ("machine", env.get("machine"), spec["machine"]),
        ("machine_id", env.get("machine_id"), spec["machine_id"]),
        *(
            (f"build.{key}", build.get(key), spec["build"].get(key))
            for key in ("digest", "compiler", "flags")
        ),
    ):
        if reported is not None and reported != expected:
            raise ValueError(f"env.json has the {name} {reported}, spec.json {expected}")
