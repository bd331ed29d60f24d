"""What a question presumes, checked on small runs."""

from dataclasses import replace

import pandas as pd
import pytest

from benchmath.hazards.premises import Evidence, StudyFrames, premises_of

MB = 1 << 20
BASE = {"engine": "innodb"}
LOAD, QUERY = ("l.i0", "insert", "ips"), ("qr100.L1", "query", "qps")


def seen(engines=("innodb",), memory="512M", seconds=2.0, cpu=1.0, **uses):
    """A run per engine of a load and a query step; `uses` are metrics by name.

    A value is that of every engine, or a list with one for each.
    """
    runs, steps, metric = [], [], []
    for place, engine in enumerate(engines):
        at = {"run_id": engine, "engine": engine, "memory": memory}
        runs.append(at | {"env": {"mem_kib": 1 << 20, "cpus": 2}})
        for seq, (step, op, rate) in enumerate((LOAD, QUERY), 1):
            mine = at | {"step": step, "op": op, "clock": ""}
            steps.append(
                mine | {"seq": seq, "main": True, "ops": 9, "cpu_ns": int(cpu * 1e9),
                        "elapsed_ns": int(seconds * 1e9)}
            )  # fmt: skip
            known = {rate: 5.0} | uses
            for name, value in known.items():
                number = value[place] if isinstance(value, list) else value
                fact = {"metric": name, "value": number, "main": name == rate}
                metric.append(mine | fact | {"unit": "", "direction": "", "seq": seq})
    return StudyFrames(
        pd.DataFrame(runs), pd.DataFrame(steps), pd.DataFrame(metric), BASE
    )


def one(name, frames):
    (premise,) = premises_of(frames, [name])
    return premise


def test_database_that_fits_into_the_limit():
    """366 MB under 512 MB: the cell and the numbers; the load itself is not judged."""
    frames = seen(("innodb", "myrocks"), size_bytes=[900 * MB, 366 * MB])

    premise = one("larger_than_memory", frames)

    assert premise.met is False
    assert (Evidence("myrocks", "qr100.L1", 366.0, 512.0, "MB"),) == premise.evidence


def test_database_larger_than_memory():
    """Met: the evidence is the cell that comes nearest to its limit."""
    frames = seen(("innodb", "myrocks"), size_bytes=[900 * MB, 600 * MB])

    premise = one("larger_than_memory", frames)

    assert premise.met is True
    assert (600.0,) == tuple(e.value for e in premise.evidence)


def test_without_a_limit_the_machine_counts():
    """1 GiB of memory, as env.json has it."""
    premise = one("larger_than_memory", seen(memory="", size_bytes=900.0 * MB))

    assert [(900.0, 1024.0)] == [(e.value, e.limit) for e in premise.evidence]


@pytest.mark.parametrize(
    ("name", "read", "met"),
    [("reads", 8.0, True), ("reads", 0.0, False),
     ("cached", 8.0, False), ("cached", 0.01, True)],
)  # fmt: skip
def test_reads_of_queries(name, read, met):
    """A page of 8 KB in a hundred queries parts cached from IO-bound."""
    assert met is one(name, seen(server_rkb_o=read)).met


@pytest.mark.parametrize(("seconds", "met"), [(0.4, False), (1.0, True)])
def test_step_that_is_too_short(seconds, met):
    """Less than a second; the steps that are fall under the evidence."""
    premise = one("long_enough", seen(seconds=seconds))

    assert met is premise.met
    steps = ["l.i0"] if met else ["l.i0", "qr100.L1"]
    assert steps == [e.step for e in premise.evidence]


@pytest.mark.parametrize(("sla", "met"), [(0.63, False), (0.999, True)])
def test_writers_that_miss_their_rate(sla, met):
    """95% of the target in the worst run."""
    uses = {"target_ips": 100.0, "sla": sla, "ips": 100.0 * sla}
    frames = seen(**uses)
    frames.metric["op"] = frames.metric["op"].where(
        frames.metric["metric"] == "qps", "insert"
    )

    premise = one("paced", frames)

    assert (met, sla) == (premise.met, premise.evidence[0].value)


@pytest.mark.parametrize(("server", "met"), [(40.0, False), (95.0, True)])
def test_load_by_others(server, met):
    """Of 100 us the machine spent 10 or less on others."""
    uses = {"machine_cpu_o": 100.0, "client_user_o": 0.0, "client_system_o": 0.0}

    premise = one("alone", seen(server_user_o=server, **uses))

    assert (met, 100.0 - server) == (premise.met, premise.evidence[0].value)


@pytest.mark.parametrize(
    ("cpu", "seconds", "met"), [(1.0, 1.0, True), (9.0, 1.0, False), (3.0, 0.0, False)]
)
def test_clock_that_stands_still(cpu, seconds, met):
    """More CPU seconds than the CPUs have in the time that the clock tells."""
    assert met is one("clock", seen(cpu=cpu, seconds=seconds)).met


def begun(frames, *hours):
    """The runs of `seen`, half an hour each, begun at these hours."""
    times = pd.Timestamp("2026-01-01") + pd.to_timedelta(list(hours), unit="h")
    frames.runs[["machine", "elapsed_s"]] = "m", 1800.0
    frames.runs["started"] = times
    return frames


@pytest.mark.parametrize(
    ("hours", "evidence"),
    [((0, 0.5), ("myrocks", 0.0)), ((0, 1.25), ("myrocks", 0.75)),
     ((5, 0), ("innodb", 4.5))],
)  # fmt: skip
def test_hours_between_what_is_compared(hours, evidence):
    """From the end of the one to the begin of the other; more than one is too many."""
    premise = one("together", begun(seen(("innodb", "myrocks")), *hours))

    assert [evidence] == [(e.cell, e.value) for e in premise.evidence]
    assert premise.met is (evidence[1] <= 1)


def test_later_loads_of_all_are_together():
    """Twice two runs, a day apart: each engine has one beside the other's."""
    days = [begun(seen(("innodb", "myrocks")), *h) for h in ((0, 0.5), (24, 24.5))]
    days[1].runs["run_id"] += "2"
    days[1].metric["run_id"] += "2"
    parts = [
        pd.concat([getattr(d, n) for d in days]) for n in ("runs", "steps", "metric")
    ]

    assert one("together", StudyFrames(*parts, BASE)).met is True


def test_machines_need_not_be_measured_together():
    """What is compared may be machines: each has a clock and a drift of its own."""
    frames = begun(seen(("innodb", "myrocks")), 0, 5)
    for frame in (frames.runs, frames.steps, frames.metric):
        frame["machine"] = frame["engine"].map({"innodb": "a", "myrocks": "b"})

    assert one("together", replace(frames, base={"machine": "a"})).met is True


def test_one_cell_has_nothing_to_be_apart_from():
    assert one("together", begun(seen(), 0)).met is True


def paced_at(*took, frames=None):
    """Two engines and how long the piece of work took beside the runs of each, in ns."""
    frames = frames or begun(seen(("innodb", "myrocks")), 0, 0.5)
    rows = [
        {"run_id": name, "session": name, "step": "q", "when": str(n), "work_ns": ns}
        for name, times in zip(frames.runs["run_id"], took, strict=True)
        for n, ns in enumerate(times)
    ]
    return replace(frames, probes=pd.DataFrame(rows))


@pytest.mark.parametrize(
    ("took", "evidence"),
    [(([500, 501, 900], [500, 502, 501]), ("myrocks", 0.0)),
     (([500], [540]), ("myrocks", 8.0)), (([600], [500]), ("innodb", 20.0))],
)  # fmt: skip
def test_pace_of_the_machine(took, evidence):
    """By medians: one slow probe is none; a tenth longer is too much."""
    premise = one("pace", paced_at(*took))

    assert [evidence] == [(e.cell, round(e.value, 9)) for e in premise.evidence]
    assert premise.met is (evidence[1] <= 10)


def test_pace_where_nobody_probed():
    assert one("pace", begun(seen(), 0)).met is None


def test_pace_of_one_cell_is_its_own():
    assert one("pace", paced_at([500], frames=begun(seen(), 0))).met is True


@pytest.mark.parametrize(
    "name", ["larger_than_memory", "reads", "cached", "paced", "alone"]
)
def test_what_nobody_recorded_is_not_known(name):
    """Neither met nor unmet, and no number."""
    premise = one(name, seen())

    assert (None, ()) == (premise.met, premise.evidence)


def test_study_without_runs_presumes_nothing():
    """Published figures: there is nothing to check."""
    empty = pd.DataFrame()

    assert () == premises_of(StudyFrames(empty, empty, empty), ["alone", "clock"])
