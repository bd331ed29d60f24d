"""What an operation costs, in a sentence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd

from benchbook.finding import Draft, Finding, names_as_data
from benchbook.findings.causes import beside, clause
from benchbook.templates.insert_cost.analysis import READ_OF_WRITTEN
from benchmath.costs.cpu import WHOLE
from benchmath.prose import counted, listed, number
from benchmath.ratios.verdicts import CHANGES, announced

LEAST = 1.0  # percent of what is written: a log that reads less does not read
OF_ALL = "Server, client and kernel together; brackets are {} intervals."


@names_as_data
def answer(
    cpu: pd.DataFrame,
    log: pd.DataFrame,
    by: str = "engine",
    changed: pd.DataFrame | None = None,
    judged: pd.DataFrame | None = None,
) -> Finding:
    """Which logs are read, where logs have a device of their own; else what rows cost."""
    return costs_finding(cpu, by, changed) if log.empty else log_finding(log, by, judged)


@names_as_data
def log_finding(
    log: pd.DataFrame, by: str = "engine", judged: pd.DataFrame | None = None
) -> Finding:
    """Who reads the log that it writes, by the frame of ``log_costs``.

    Of the last step with rows, when the log has gone round if it ever does; and by how
    much rates differ there that ``judged`` compares.
    """
    shares = log[log["metric"] == READ_OF_WRITTEN]
    step = str(shares["step"].iloc[-1])
    shares = shares[shares["step"] == step]
    known = shares["low"].notna() & shares["high"].notna()
    verdict = pd.Series("undecided", index=shares.index)
    verdict[known & (shares["low"] > LEAST)] = "reads"
    verdict[known & (shares["high"] < LEAST)] = "does not"
    kb = log[(log["metric"] == "log_rkb_o") & (log["step"] == step)]
    rates = _decided(judged, step)
    said = Draft(log=shares.assign(verdict=verdict), read=kb, rates=rates)
    rows = said.frames["log"].sort_values("mean", ascending=False, kind="stable")
    parts = [_reader(said, row, kb, by) for _, row in rows.iterrows()]
    n = said.count("log", {"verdict": "does not"}, {}, "logs", "all", "none")
    rest = said.share("least", LEAST / 100)
    if n:
        parts.append(f"{counted(n, 'log')} of {len(rows)} read less than {rest} of that.")
    if open_ := rows.loc[rows["verdict"] == "undecided", by].astype(str).tolist():
        parts.append(f"Of {listed(open_)} it is not decided.")
    for row in rates.to_dict("records"):
        rate = said.ratio("rates", row, keys=("me", "base", *by.split(), "step"))
        me = " ".join(str(row[name]) for name in by.split())
        parts.append(f"**{me}** inserts at {rate} of its rate with {row['base']}.")
    text = " ".join(filter(None, parts))
    names = by.split()
    told = f" Named are {listed(names)}." if len(names) > 1 else ""
    return said.finding(f"In {step} each log had a device of its own.{told} {text}")


def _decided(judged: pd.DataFrame | None, step: str) -> pd.DataFrame:
    if judged is None:
        return pd.DataFrame()
    return judged[(judged["step"] == step) & announced(judged).isin(CHANGES)]


def _reader(said: Draft, row: pd.Series, kb: pd.DataFrame, by: str) -> str:
    if row["verdict"] != "reads":
        return ""
    keys: dict[str, Any] = {"keys": ("step", by), "subject": str(row[by])}
    share = said.value("log", row, "mean", number, "%", after="%", **keys)
    amount = kb[kb[by] == row[by]].iloc[0]
    read = said.value("read", amount, "mean", number, "KB", after=" KB", **keys)
    return f"**{row[by]}** reads {share} of what it writes to its log, {read} a row."


@names_as_data
def costs_finding(
    cpu: pd.DataFrame,
    by: str = "engine",
    changed: pd.DataFrame | None = None,
    steps: Sequence[str] = ("l.i0", "l.i1"),
) -> Finding:
    """Whose CPU time per operation is least, by the frame of ``cpu_costs``.

    Says the whole of each value of ``by`` in the steps that are there, cheapest first.
    ``changed``, the frame of ``costs.causes.differences``, has what else changed.
    """
    whole = cpu[(cpu["metric"] == WHOLE) & cpu["step"].isin(steps)]
    said, parts = Draft(whole=whole), []
    for step in steps:
        rows = whole[whole["step"] == step].sort_values("mean", kind="stable")
        costs = [
            said.value("whole", row, "mean", number, "us", after=" µs")
            + f" with **{row[by]}**{clause(changed, str(row[by]))}"
            for _, row in rows.iterrows()
        ]
        if costs:
            parts.append(f"In {step} the CPU time per row is {listed(costs)}.")
    if not parts:
        return Finding("No run has recorded the CPU time of an insert.")
    parts.append(OF_ALL.format(said.share("interval", 0.95)))
    return beside(said.finding(" ".join(parts)), changed)
