"""Sentences that take whole studies: their runs are made for each shape."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import pandas as pd
import scaling_frames
import server_frames
import setup_frames
import vector_frames
from beside_frames import OURS, THEIRS, compared
from explained_steps import (
    CELL,
    MORE_EACH,
    SAME_EACH,
    SAME_USED,
    SLOWER,
    explained,
    table,
)
from job_cost_frames import FASTER, RULES, SAME, rule, stalls, tails
from job_frames import runs as job_runs
from published_figures import BASE, line, read
from sawtooth_frames import SHAPES as SAWTEETH
from tree_frames import CASES

from benchbook.finding import Finding
from benchbook.findings.beside import beside_finding
from benchbook.findings.premises import behind
from benchbook.findings.scaling import scaling_finding
from benchbook.findings.setups import (
    paired_finding,
    reach_of_cov,
    setups_finding,
)
from benchbook.templates.background_jobs.busy import rule_finding
from benchbook.templates.background_jobs.tails import tails_finding
from benchbook.templates.explain.finding import explanation_finding
from benchbook.templates.published.finding import published_finding
from benchbook.templates.sawtooth.finding import sawtooth_finding
from benchbook.templates.trivial_move.finding import moves_finding
from benchmath.costs.explanation import Explanation
from benchmath.hazards.premises import Evidence, Premise
from benchmath.published import published_ratios, ratio_checks
from benchmath.variation.setups import (
    agreement_with_published,
    choose_setups,
    paired_cov,
    setup_cov,
)

NAN = float("nan")
Shapes = dict[str, Callable[[], Finding]]


def _regressions(n: int) -> Finding:
    """So many versions slower than one, without a record of CPU."""
    rates = [
        table([("throughput", 0.5 + 0.01 * i, 0.48 + 0.01 * i, 0.52 + 0.01 * i)], "part",
              "relative", "low", "high").assign(me=f"8.0.{i}")
        for i in range(n)
    ]  # fmt: skip
    none = table((), "part", "diff", "low", "high")
    return explanation_finding(Explanation(pd.concat(rates), none, none, none))


PARTS = [("server user", 20, 18, 22), ("client", 5, 4, 6), ("whole", 25, 22, 28)]
COSTS = [("w_o", 3, 2.9, 3.1), ("log_bytes_o", 1.12, 1.1, 1.14)]
SPIN = [("spin", 24, 20, 28)]
EXPLANATIONS: Shapes = {
    "nothing slower": lambda: explained(("throughput", 1.2, 1.1, 1.3)),
    "CPU not recorded": lambda: explained(SLOWER),
    "one run": lambda: explained(
        SLOWER, ("CPU used", 1.0, NAN, NAN), ("CPU per operation", 1.25, NAN, NAN)
    ),
    "nothing explains it": lambda: explained(SLOWER, SAME_USED, SAME_EACH),
    "another cost": lambda: explained(SLOWER, SAME_USED, SAME_EACH, costs=COSTS[:1]),
    "CPU and parts": lambda: explained(SLOWER, SAME_USED, MORE_EACH, parts=PARTS),
    "CPU, costs, a function": lambda: explained(
        SLOWER, SAME_USED, MORE_EACH, parts=PARTS, costs=COSTS, functions=SPIN
    ),
    "no function": lambda: explained(
        SLOWER, SAME_USED, MORE_EACH, functions=[("spin", 24, -3, 51)]
    ),
    "waiting": lambda: explained(SLOWER, ("CPU used", 0.5, 0.45, 0.55), SAME_EACH),
    "both processes": lambda: explained(
        SLOWER, SAME_USED, MORE_EACH, **(CELL | {"cpu": "server and client"})
    ),
    "seven": lambda: _regressions(7),
    "forty": lambda: _regressions(40),
}

LINES = {
    "one figure": (line("a", "l", "4"),),
    "ratios": tuple(line(me, s, "4") for me in "abc" for s in ("l", "q")),
    "one published ratio": (
        line("a", "l", "4"), line("b", "l", "8"),
        line("b", "l", "2.0", unit="ratio", relative_to="a"),
    ),
    "one that is another": (
        line("a", "l", "4"), line("b", "l", "8"),
        line("b", "l", "3.0", unit="ratio", relative_to="a"),
    ),
    "wrong and without a base": (
        line("a", "l", "4"), line("b", "l", "1", raw="2"), line("b", "q", "1"),
        line("a", "r", "0"), line("b", "r", "1"), line("c", "r", "2"),
    ),
}  # fmt: skip


def _published(*verdicts: str, lines: tuple[str, ...]) -> Finding:
    with TemporaryDirectory() as folder:
        figures = read(Path(folder), *lines)
    ratios, checks = published_ratios(figures, BASE), ratio_checks(figures, BASE)
    claims = pd.DataFrame({"verdict": list(verdicts)}, dtype=str)
    return published_finding(figures, ratios, checks, claims, BASE)


def _chosen(*setups: tuple[str, float], listed: tuple[str, ...] = ()) -> Finding:
    """Machines with one client and their CoV in percent; those that are published."""
    parts = [setup_frames.runs(machine, percent) for machine, percent in setups]
    rows = setup_frames.published(
        *(("byrx", machine, "1", "max_cov", 0.008) for machine in listed)
    )
    found = setup_cov(setup_frames.cov_of(*parts))
    choice = choose_setups(found, rows, 0.03)
    return setups_finding(choice, agreement_with_published(found, rows), 0.03)


def _paired(*percents: float) -> Finding:
    """Pairs of setups: 1% without hyperthreads, and so many with them."""
    runs = [
        setup_frames.runs(f"{name}.ht{ht}", percent if ht else 1)
        for name, percent in zip("abcdefgh", percents, strict=False)
        for ht in (0, 1)
    ]
    return paired_finding(paired_cov(setup_frames.cov_of(*runs), "ht0", "ht1"),
                          "hyperthreads off", "hyperthreads on")  # fmt: skip


def _reach(*percents: float) -> Finding:
    runs = [setup_frames.runs(f"m{i}", p) for i, p in enumerate(percents)]
    return reach_of_cov(setup_frames.cov_of(*runs))


def _many_laws() -> Finding:
    parts = [
        scaling_frames.runs(s, 0.02, step=f"q{i}")
        for i, s in enumerate((0.1, 0.2, 0.25, 0.3, 0.4))
    ]
    parts.append(scaling_frames.runs(0.1, 0.0, step="open", noise=0.03))
    parts.append(scaling_frames.runs(0.1, 0.0, dops=(1, 2), step="few"))
    return scaling_frames.finding(*parts)


def _premises(name: str, *evidence: tuple[str, str, float, float]) -> Finding:
    unmet = Premise(name, False, tuple(Evidence(*row, "") for row in evidence))
    return behind([unmet], Finding("It is faster."))


STEPS = [f"q{i}" for i in range(9)]
PREMISES: Shapes = {
    "larger": lambda: _premises("larger_than_memory", ("a", "q", 366.2, 512.0)),
    "paced": lambda: _premises("paced", ("", "q", 0.63, 0.95), ("", "r", 0.8, 0.95)),
    "short": lambda: _premises("long_enough", ("", "l.x", 0.32, 1.0)),
    "two later": lambda: _premises(
        "together", ("dop=2", "", 13.4, 1.0), ("dop=8", "", 12.1, 1.0)
    ),
    "two slower": lambda: _premises(
        "pace", ("dop=2", "", 13.4, 10.0), ("dop=8", "", 12.1, 10.0)
    ),
    "nine short": lambda: _premises(
        "long_enough", *(("", step, 0.5, 1.0) for step in STEPS)
    ),
    "nine disturbed": lambda: _premises(
        "alone", *(("", step, 60.0 + n, 10.0) for n, step in enumerate(STEPS))
    ),
}


def _named(name: str, shapes: Shapes) -> Shapes:
    return {f"{name}: {shape}": made for shape, made in shapes.items()}


OF_STUDIES: Shapes = (
    _named("explanation_finding", EXPLANATIONS)
    | _named("premises", PREMISES)
    | _named("moves_finding", {n: partial(moves_finding, t) for n, t in CASES.items()})
    | _named("sawtooth_finding",
             {n: partial(sawtooth_finding, t) for n, t in SAWTEETH.items()})
    | _named("scaling_finding",
             {n: partial(scaling_frames.finding, r)
              for n, r in scaling_frames.ANSWERS.items()})
    | _named("vectors_finding",
             {n: partial(vector_frames.finding, e)
              for n, e in vector_frames.CASES.items()})
    | _named("servers_finding",
             {n: partial(server_frames.finding, t)
              for n, t in server_frames.CASES.items()})
    | _named("rule_finding", {n: partial(rule, r) for n, r in RULES.items()})
    | _named("published_finding",
             {n: partial(_published, lines=lines) for n, lines in LINES.items()})
    | {
        "published_finding: claims": lambda: _published(
            "holds", "differs", "differs", "cannot be checked", lines=LINES["ratios"]
        ),
        "published_finding: one claim": lambda: _published(
            "holds", lines=LINES["ratios"]
        ),
        "moves_finding: nothing": lambda: moves_finding(
            replace(CASES["one compressed"], levels=pd.DataFrame())
        ),
        "scaling_finding: seven tests": _many_laws,
        "scaling_finding: nothing": lambda: scaling_finding(
            pd.DataFrame(), pd.DataFrame()
        ),
        "vectors_finding: nothing": vector_frames.nothing,
        "vectors_finding: filtered": lambda: vector_frames.filtering(
            {"filter1": (0.94, 0.05, 0.06), "filter10": (0.92, 0.46, 0.2)}
        ),
        "rule_finding: kept": lambda: rule(job_runs(FASTER), cpus=16),
        "rule_finding: nothing": lambda: rule_finding(pd.DataFrame(), pd.DataFrame()),
        "rule_finding: one number of clients": lambda: rule(job_runs(SAME, dops=[1])),
        "stalls_finding: none": lambda: stalls([0.0] * 6),
        "stalls_finding: some": lambda: stalls([24.0, 0, 25, 0, 26, 0]),
        "stalls_finding: all": lambda: stalls([24.0, 5, 25, 5, 26, 5]),
        "tails_finding: one": lambda: tails_finding(tails([True, False])),
        "tails_finding: all": lambda: tails_finding(tails([True, True])),
        "setups_finding: none": lambda: _chosen(("m", 9), ("n", 8), listed=("m",)),
        "setups_finding: one, not listed": lambda: _chosen(("m", 1), ("n", 8)),
        "setups_finding: all": lambda: _chosen(("m", 1), ("n", 2), listed=("m", "n")),
        "steadiest_finding: two": lambda: setup_frames.steadiest()[0],
        "steadiest_finding: all": lambda: setup_frames.steadiest(0.09)[0],
        "steadiest_finding: none": lambda: setup_frames.steadiest(0.001)[0],
        "paired_finding: more": lambda: _paired(2, 2.02, 2.04),
        "paired_finding: less": lambda: _paired(0.5, 0.51, 0.49),
        "paired_finding: open": lambda: _paired(2, 0.5),
        "paired_finding: one pair": lambda: _paired(2),
        "paired_finding: nothing": lambda: paired_finding(
            pd.DataFrame(), "hyperthreads off", "hyperthreads on"
        ),
        "reach_of_cov: under": lambda: _reach(0.1, 0.2),
        "reach_of_cov: all kinds": lambda: _reach(0.1, 3, 90),
        "beside_finding: eleven tests": lambda: beside_finding(compared()),
        "beside_finding: groups": lambda: beside_finding(
            compared(published=(0.8, 0.9), grouped=True)
        ),
        "beside_finding: one test": lambda: beside_finding(
            compared(OURS[:1], THEIRS[:1])
        ),
    }
)  # fmt: skip
