"""Which server type varies least, and how many instances an answer needs."""

from __future__ import annotations

import pandas as pd

from benchbook.finding import Draft, Finding, Row, names_as_data
from benchmath.prose import counted, listed
from benchmath.variation.instances import InstanceFrame

_SHARE = "{:.1%}".format


@names_as_data
def servers_finding(instances: InstanceFrame) -> Finding:
    """Of each type the test whose instances differ most; the least of these leads.

    Takes ``instances_of_servers``.
    """
    known = instances[instances["between"].notna()]
    if known.empty:
        return Finding(
            "No server type has two instances, and two runs on one of them: how far "
            "instances differ cannot be said."
        )
    worst = known.loc[known.groupby("server", sort=False)["between"].idxmax()]
    worst = worst.sort_values("between", kind="stable")
    said = Draft(instances=known)
    first, *others = worst.to_dict("records")
    text = (
        f"**{first['server']}** varies least: its instances differ by "
        f"{_between(said, first)} at most, in {first['test']}."
    )
    for row in others:
        far = _between(said, row)
        text += f" Those of {row['server']} differ by {far}, in {row['test']}."
    unsure = [r["server"] for r in others if r["between_low"] <= first["between_high"]]
    if unsure:
        text = text.replace("varies least: its", "shows the least: its", 1)
        text += f" The intervals do not tell it from {listed(unsure)}."
    elif not others:
        text = text.replace(" varies least: its", ": its", 1)
    said.given("interval", 95, unit="%")
    return said.finding(f"{text} {_within(said, known)} {_needed(said, known)}".strip())


def _between(said: Draft, row: Row) -> str:
    return said.value(
        "instances", row, "between", _SHARE, "ratio", keys=("server", "test"),
        relation="largest", where={"server": str(row["server"])},
        ends=("between_low", "between_high"),
    )  # fmt: skip


def _within(said: Draft, known: pd.DataFrame) -> str:
    row = known.loc[known["within"].idxmax()].to_dict()
    most = said.value(
        "instances", row, "within", _SHARE, "ratio", keys=("server", "test"),
        relation="largest", ends=("within_low", "within_high"),
    )  # fmt: skip
    return (
        f"Runs on one instance differ by {most} at most ({row['server']}, {row['test']})."
    )


def _needed(said: Draft, known: pd.DataFrame) -> str:
    """What a difference of two types takes, where it takes most."""
    rows = known[known["needed"].notna()]
    if rows.empty:
        return ""
    row = rows.loc[rows["needed"].astype(int).idxmax()].to_dict()
    n = int(row["needed"])
    said.claim(
        f"{row['server']} {row['test']}", "largest", n, frame="instances",
        column="needed", rows={"server": str(row["server"]), "test": str(row["test"])},
    )  # fmt: skip
    effect = said.share("effect", float(row["effect"]))
    return (
        f"To find a difference of {effect} between two types takes up to "
        f"{counted(n, 'instance')} of each."
    )
