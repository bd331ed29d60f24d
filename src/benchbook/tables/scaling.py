"""Tables of scalability laws: their parameters, and rates and efficiency by clients."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

import pandas as pd
from great_tables import GT

from benchbook.tables.look import (
    Column,
    Numbers,
    Row,
    across,
    note,
    nothing,
    small,
    table,
    text,
    warned,
    with_span,
)
from benchmath.frames import names_of_tests
from benchmath.hazard import Hazard
from benchmath.prose import counted, number
from benchmath.scaling import (
    EFFICIENCY,
    MISFIT,
    REFUSED,
    SCALING,
    EfficiencyFrame,
    ScalingFrame,
)

_NONE = "No run has a rate yet."
_PARAMETERS = (
    ("lambda", "λ", "per s"), ("sigma", "σ", "share"), ("kappa", "κ", "per pair"),
    ("peak", "peak", "clients"), ("peak_rate", "rate there", "per s"),
    ("gain", "over one", "times"),
)  # fmt: skip
_LEGEND = (
    "Small: 95% profile intervals. λ: rate of one client by the law; σ: contention; κ: "
    "coherency; lack of fit: p that the noise of runs alone bends the means so far off "
    "the curve, and the farthest of them."
)


def scaling_table(
    law: ScalingFrame, hazards: Iterable[Hazard] = (), title: str | None = None
) -> GT:
    """The law of each test: takes the frame of ``scaling``."""
    if law.empty:
        return nothing(_NONE, title, "test", "test")
    rows = law.assign(test=names_of_tests(law, SCALING, []))
    columns = [
        Column("test", cell=_test),
        *(
            Numbers(name, head, unit, cell=partial(_parameter, name=name))
            for name, head, unit in _PARAMETERS
        ),
        Numbers("lack", "lack of fit", "p", cell=_lack),
        Column("answer", notes=note),
    ]
    return table(rows, columns, title, [_LEGEND], hazards)


def by_clients_table(
    efficiency: EfficiencyFrame, value: str = "rate", title: str | None = None
) -> GT:
    """A row per test and a column per number of clients, with 95% intervals.

    Takes the frame of ``efficiency``; ``value`` is rate, speedup or
    efficiency.
    """
    if efficiency.empty:
        return nothing(_NONE, title, "test", "test")
    rows = efficiency.assign(test=names_of_tests(efficiency, EFFICIENCY, ["dop"]))
    cell = partial(_cell, value=value)
    columns = [
        Column("test", cell=_test_of_rates if value == "rate" else None),
        *(
            Numbers(f"dop {dop}", f"{dop} client{'s' * (dop > 1)}", of=dop,
                    cell=cell, notes=_notes)
            for dop in sorted(set(rows["dop"].astype(int)))
        ),
    ]  # fmt: skip
    return table(across(rows, ["test"], "dop"), columns, title, [_SAYS[value]])


_SAYS = {
    "rate": "All clients together; geometric mean of the trials, small: 95% interval.",
    "speedup": "Times one client's rate; small: 95% interval.",
    "efficiency": "Rate over that of one client times the clients: 1 is in proportion; "
    "small: 95% interval.",
}


def _notes(row: Row) -> list[str]:
    return [] if str(row["dop"]) == "1" else note(row)


def _cell(row: Row, value: str) -> str:
    low, high = row[f"{value}_low"], row[f"{value}_high"]
    by_definition = value != "rate" and str(row["dop"]) == "1"
    shown = number(row[value])
    return shown if by_definition else with_span(shown, low, high, number)


def _test_of_rates(row: Row) -> str:
    return f"{text(row['test'])} {small(str(row['unit']))}"


def _test(row: Row) -> str:
    """The test's name, with the unit of its rates and the CPUs that there were."""
    cpus = "" if pd.isna(row["cpus"]) else counted(int(row["cpus"]), "CPU")
    below = ", ".join(filter(None, [str(row["unit"]), cpus]))
    return f"{text(row['test'])} {small(below)}"


def _parameter(row: Row, name: str) -> str:
    if row["answer"] == REFUSED:
        return ""
    low, high = row[f"{name}_low"], row[f"{name}_high"]
    return with_span(number(row[name]), low, high, number)


def _lack(row: Row) -> str:
    """The p, and which mean lies farthest off the curve."""
    if row["answer"] == REFUSED:
        return ""
    p = "" if pd.isna(row["lack_p"]) else f"{row['lack_p']:.2g}"
    off = small(f"{row['worst']:+.1%} at {row['worst_dop']:.0f}")
    return f"{warned(p, row['answer'] == MISFIT)}<br>{off}"
