"""Server types: what they reach, how their instances differ, and against the first."""

import pandas as pd
from great_tables import GT

from benchbook.tables.look import Column, Numbers, Row, nothing, table, with_span
from benchbook.tables.scaling import scaling_table
from benchmath.prose import number, ratio_format
from benchmath.scaling import ScalingFrame
from benchmath.variation.instances import InstanceFrame

_ALONE = "There is one server type: nothing to compare it with."


def instances_table(instances: InstanceFrame, title: str | None = None) -> GT:
    """A row per server type and test: takes ``instances_of_servers``."""
    columns = [
        Column("server"),
        Column("test"),
        Numbers("instances", "instances", show=number),
        Numbers("runs", "runs", show=number),
        Numbers("rate", "rate", cell=_rate),
        Column("unit", ""),
        Numbers("between", "between instances", "CoV", cell=_between),
        Numbers("within", "within one", "CoV", cell=_within),
        Numbers("needed", "instances needed", cell=_needed),
    ]
    effect = instances["effect"].iloc[0] if len(instances) else 0.0
    notes = [
        "Small: 95% interval; that of the rate is over instances.",
        f"Needed: of each of two types, to find a difference of {effect:.0%} with 80% "
        "power and as many runs on each as here.",
    ]
    return table(instances, columns, title, notes)


def server_ratios_table(ratios: pd.DataFrame, title: str | None = None) -> GT:
    """A row per type and test: takes ``ratios_of_servers``."""
    if ratios.empty:
        return nothing(_ALONE, title)
    columns = [
        Column("me", "server"),
        Column("step"),
        Column("base", "against"),
        Numbers("relative", "rate", "ratio", cell=_ratio),
        Numbers("instances", "instances", show=number),
    ]
    notes = ["Geometric means of the instances; small: 95% interval over instances."]
    return table(ratios, columns, title, notes)


def _rate(row: Row) -> str:
    return with_span(number(row["rate"]), row["rate_low"], row["rate_high"], number)


def _between(row: Row) -> str:
    return _share(row, "between")


def _within(row: Row) -> str:
    return _share(row, "within")


def _share(row: Row, name: str) -> str:
    if pd.isna(row[name]):
        return ""
    low, high = row[f"{name}_low"], row[f"{name}_high"]
    return with_span(f"{row[name]:.1%}", low, high, "{:.1%}".format)


def _needed(row: Row) -> str:
    return "" if pd.isna(row["needed"]) else number(row["needed"])


def _ratio(row: Row) -> str:
    show = ratio_format(row["low"], row["high"])
    return with_span(show(row["relative"]), row["low"], row["high"], show)


def server_laws(law: ScalingFrame) -> list[GT]:
    """The scalability law of each type: takes ``laws_of_servers``; none without one."""
    return [scaling_table(law)] if len(law) else []
