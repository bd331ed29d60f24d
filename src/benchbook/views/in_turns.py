"""What a post of engines that took turns shows beside its verdicts."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from benchbook.charts.turns import turn_dots
from benchbook.finding import Draft, Finding, Said, names_as_data
from benchbook.results.results import Results
from benchbook.tables.steps import ratios_by_step
from benchbook.views.turns import turn_blocks
from benchmath.frames import check_base
from benchmath.ratios.relative import RatioFrame, summary
from benchmath.ratios.verdicts import VerdictFrame
from benchmath.turns.quiet import QuietFrame, loudness
from benchmath.turns.rounds import IN_ROWS
from benchmath.turns.sessions import PER_CPU_SECOND

_TEXT = """The arms of a session took turns of {turn_ms} ms, in random order, each \
frozen while another was active. The intervals above are from ratios within \
rounds{loads}. Per second of CPU time, of client and server together, the same turns say \
what other tenants of the machine can hardly move:"""
_ARMS = 3  # in the chart: more hide one another
_TESTS = 6  # panels of the chart: a reader looks at no more of them
_COLUMNS = ("unit", "direction", "me", "base", "relative", "low", "high", "detected",
            "better", "se", "df", "p", "note")  # fmt: skip


def turns_section(results: Results, judged: VerdictFrame) -> list[Any]:
    """Ratios per CPU second and a chart of the turns, to display; nothing without turns.

    ``judged`` is the frame of ``Results.judged``: its intervals stand in the chart.
    """
    ratios, base = per_cpu_second(results)
    if results.turn_ratios is None or ratios.empty:
        return []
    text = _TEXT.format(
        turn_ms=results.study.turn_ms, loads=_loads(results.turn_ratios["sessions"])
    )
    shown: list[Any] = [Said(text), ratios_by_step(ratios, base, results.base)]
    loud = results.loud
    if len(loud):  # those of this placement
        loud = loud[loud["session"].isin(results.turns["session"])]
    shown += quiet_finding(loudness(results.turns), loud)
    last = list(dict.fromkeys(judged["me"]))[-_ARMS:]  # of versions the newest
    blocks = turn_blocks(results, mes=last)
    main = judged[judged["me"].isin(last)].merge(_mains(results), on=["step", "op"])
    if len(blocks) and not main.duplicated(["step", "me"]).any():
        shown += _drawn(blocks, main)
    return shown


def placements_section(results: Results) -> list[Any]:
    """The ratios of every placement, to display; nothing where there is one."""
    if results.elsewhere is None:
        return []
    whole = results.elsewhere
    return [ratios_by_step(whole.judged(), summary(whole.metric), results.base)]


@names_as_data
def quiet_finding(loud: QuietFrame, not_counted: pd.DataFrame) -> list[Finding]:
    """What others took in the loudest step, and what was left out; nothing if unknown.

    ``not_counted`` are the rows of ``Results.loud``.
    """
    if loud.empty:
        return []
    worst = loud.groupby("step", sort=False)["share"].max().mul(100).reset_index()
    said = Draft(quiet=worst)
    row = worst.loc[worst["share"].idxmax()]
    share = said.value("quiet", row, "share", "{:.1f}%".format, "%", keys=("step",),
                       relation="largest", ends=())  # fmt: skip
    left, of = int(loud["left_out"].sum()), int(loud["rounds"].sum())
    said.claim("rounds left out", "given", count=left, of=of)
    rest = f"; {left:,} of {of:,} rounds do not count, because they were disturbed"
    text = (
        "Other processes and the hypervisor took at most "
        f"{share} of the busy CPU time of a load's step ({row['step']})"
        f"{rest if left else ''}."
    )
    if len(not_counted):
        gone, all_ = len(not_counted), len(not_counted) + len(loud)
        steps = ", ".join(dict.fromkeys(not_counted["step"]))
        said.claim("steps not counted", "given", count=gone, of=all_)
        text += (
            f" {gone:,} of {all_:,} steps of single loads do not count, because others "
            f"took too much of the machine meanwhile ({steps})."
        )
    return [said.finding(text)]


def _loads(sessions: pd.Series) -> str:
    """How many there were: with `until: decided` not of each step as many."""
    least, most = sessions.min(), sessions.max()
    if most == 1:
        return ", of one load"
    some = f"{least} to {most}" if least < most else f"{most}"
    return f" and {some} loads of the data"


def _drawn(blocks: pd.DataFrame, main: pd.DataFrame) -> list[Any]:
    """The chart; of very many steps those whose ratios are the farthest from 1."""
    away = np.abs(np.log(main["relative"].astype(float))).groupby(main["step"]).max()
    steps = blocks["step"].nunique()
    if steps <= _TESTS:
        return [turn_dots(blocks, main)]
    kept = away[away.index.isin(blocks["step"])].nlargest(_TESTS).index
    words = f"Of {steps} steps the chart has the {len(kept)} that differ most."
    blocks = blocks[blocks["step"].isin(kept)]
    return [Said(words), turn_dots(blocks, main[main["step"].isin(kept)])]


def per_cpu_second(results: Results) -> tuple[RatioFrame, pd.DataFrame]:
    """Ratios of operations per CPU second of each step's main op, and the base's own.

    The first frame has the columns of ``relative`` that turns give;
    the second has the base's dimensions, step, unit and value (operations of all turns
    over the CPU seconds of client and server). Both are empty without turns.
    """
    ratios = results.turn_ratios
    if ratios is None:
        return pd.DataFrame(columns=["step"]), pd.DataFrame(columns=["step"])
    rows = ratios[ratios["measure"] == PER_CPU_SECOND]
    rows = rows.merge(_mains(results), on=["step", "op"])
    many = np.isfinite(rows["low"]).groupby(rows["step"]).transform("any")
    rows = rows[many]  # else a step of one operation, such as the creation of an index
    known = np.isfinite(rows["low"])
    apart = (rows["low"] > 1) | (rows["high"] < 1)
    detected = apart.astype("boolean").where(known)
    rows = rows.assign(
        unit=rows["op"].map(_unit), direction="higher", detected=detected,
        better=(rows["relative"] > 1).astype("boolean").where(detected.fillna(False)),
    )  # fmt: skip
    columns = [*results.dimensions, "step", "op", *_COLUMNS]
    base = _of_base(results)
    base = base[base["step"].isin(rows["step"])]
    return rows[[c for c in columns if c in rows.columns]], base


def _mains(results: Results) -> pd.DataFrame:
    """Each step with its main op."""
    steps = results.steps
    return steps.loc[steps["main"].astype(bool), ["step", "op"]].drop_duplicates()


def _of_base(results: Results) -> pd.DataFrame:
    """Operations per CPU second of the base, in the order of the steps."""
    dims = list(results.dimensions)
    own = results.runs.loc[check_base(results.runs, results.base), ["run_id", *dims]]
    turns = results.main_turns.drop(columns="arm").merge(own, on="run_id")
    turns = turns.assign(
        cpu_ns=turns["client_cpu_ns"] + turns["server_cpu_ns"],
        done=turns["rows"].where(turns["op"].isin(IN_ROWS), turns["ops"]),
    )
    sums = turns.groupby([*dims, "seq", "step", "op"])[["done", "cpu_ns"]].sum()
    table = sums.reset_index().sort_values("seq", kind="stable")
    value = 1e9 * table["done"] / table["cpu_ns"]
    return table.assign(unit=table["op"].map(_unit), value=value)


def _unit(op: str) -> str:
    return f"{'rows' if op in IN_ROWS else 'queries' if op == 'query' else op}/CPU s"
