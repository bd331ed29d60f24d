"""Tables of scalability laws: their parameters, and rates and efficiency by clients."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pandas as pd
from great_tables import GT

from benchbook.tables.look import (
    Column,
    Footnote,
    hazard_notes,
    marked,
    nothing,
    small,
    styled,
    text,
)
from benchmath.frames import names_of_tests
from benchmath.hazard import Hazard
from benchmath.prose import counted, number, span
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
    rows = law.to_dict("records")
    names = names_of_tests(law, SCALING, [])
    cells = pd.DataFrame(
        {"test": [_test(n, r) for n, r in zip(names, rows, strict=True)]}
    )
    columns = [Column("test", "test")]
    for name, head, unit in _PARAMETERS:
        cells[name] = [_parameter(row, name) for row in rows]
        columns.append(Column(name, head, unit, True))
    cells["lack"] = [_lack(row) for row in rows]
    cells["answer"] = [text(row["answer"]) for row in rows]
    columns += [Column("lack", "lack of fit", "p", True), Column("answer", "answer")]
    notes = [
        Footnote(row["note"], i, "answer") for i, row in enumerate(rows) if row["note"]
    ]
    notes += hazard_notes(rows, hazards, "test")
    return styled(cells, columns, title, notes, [_LEGEND])


def by_clients_table(
    efficiency: EfficiencyFrame, value: str = "rate", title: str | None = None
) -> GT:
    """A row per test and a column per number of clients, with 95% intervals.

    Takes the frame of ``efficiency``; ``value`` is rate, speedup or
    efficiency.
    """
    if efficiency.empty:
        return nothing(_NONE, title, "test", "test")
    table = efficiency.assign(test=names_of_tests(efficiency, EFFICIENCY, ["dop"]))
    tests = list(dict.fromkeys(table["test"]))
    dops = sorted(set(table["dop"].astype(int)))
    names = [f"dop {dop}" for dop in dops]
    cells = pd.DataFrame("", index=tests, columns=["test", *names], dtype=object)
    cells["test"] = [text(test) for test in tests]
    for row in table.to_dict("records"):
        cells.loc[row["test"], f"dop {row['dop']}"] = _cell(row, value)
    units = table.drop_duplicates("test").set_index("test")["unit"]
    columns = [Column("test", "test")]
    if value == "rate":
        cells["test"] = [f"{text(test)} {small(str(units[test]))}" for test in tests]
    heads = (f"{dop} client{'s' * (dop > 1)}" for dop in dops)
    columns += [Column(n, h, "", True) for n, h in zip(names, heads, strict=True)]
    return styled(cells, columns, title, _notes(table, tests), [_SAYS[value]])


_SAYS = {
    "rate": "All clients together; geometric mean of the trials, small: 95% interval.",
    "speedup": "Times one client's rate; small: 95% interval.",
    "efficiency": "Rate over that of one client times the clients: 1 is in proportion; "
    "small: 95% interval.",
}


def _notes(table: pd.DataFrame, tests: Sequence[str]) -> list[Footnote]:
    return [
        Footnote(str(row["note"]), tests.index(row["test"]), f"dop {row['dop']}")
        for row in table.to_dict("records")
        if row["note"] and not pd.isna(row["note"]) and str(row["dop"]) != "1"
    ]


def _cell(row: Mapping[str, Any], value: str) -> str:
    shown = number(row[value])
    bounds = span(row[f"{value}_low"], row[f"{value}_high"], number)
    by_definition = value != "rate" and str(row["dop"]) == "1"
    return shown if by_definition or not bounds else f"{shown}<br>{small(bounds)}"


def _test(name: str, row: Mapping[str, Any]) -> str:
    """The test's name, with the unit of its rates and the CPUs that there were."""
    cpus = "" if pd.isna(row["cpus"]) else counted(int(row["cpus"]), "CPU")
    below = ", ".join(filter(None, [str(row["unit"]), cpus]))
    return f"{text(name)} {small(below)}"


def _parameter(row: Mapping[str, Any], name: str) -> str:
    if row["answer"] == REFUSED:
        return ""
    shown = number(row[name])
    return f"{shown}<br>{small(span(row[f'{name}_low'], row[f'{name}_high'], number))}"


def _lack(row: Mapping[str, Any]) -> str:
    """The p, and which mean lies farthest off the curve."""
    if row["answer"] == REFUSED:
        return ""
    p = "" if pd.isna(row["lack_p"]) else f"{row['lack_p']:.2g}"
    off = small(f"{row['worst']:+.1%} at {row['worst_dop']:.0f}")
    return f"{marked(p, 'worse') if row['answer'] == MISFIT else p}<br>{off}"
