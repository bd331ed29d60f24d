"""What makes a number doubtful, as values that tables print as footnotes.

A hazard names the rows it belongs to by column values: ``{"step": "l.i0"}`` marks
every row of that step, ``{"step": "l.i0", "me": "8.0.36"}`` one of them.
"""

import json
from collections.abc import Mapping, Sequence

import pandas as pd

from benchmath.frames import label, require
from benchmath.hazard import Hazard
from benchmath.prose import joined

DURABILITY = ("synchronous", "journal_mode", "fullfsync", "checkpoint_fullfsync")
_AROUND = ("engine", "version", "config", "machine")


def short_steps(steps: pd.DataFrame, seconds: float = 10.0) -> list[Hazard]:
    """Steps whose shortest run took less than ``seconds``: step, ops, elapsed_ns.

    A step that had nothing to do (no index to create) is not short.
    """
    require(steps, ("step", "ops", "elapsed_ns"))
    busy = steps[steps["ops"] != 0]
    shortest = busy.groupby("step", sort=False)["elapsed_ns"].min() / 1e9
    return [
        Hazard(
            "short step",
            f"{step} ran for {took:.3g} s only, less than {seconds:g} s",
            {"step": str(step)},
        )
        for step, took in shortest.items()
        if took < seconds
    ]


def missed_targets(sla: pd.DataFrame) -> list[Hazard]:
    """Cells whose writers missed their rate: needs the columns of ``service_level``.

    Their query rates may be ignored: fewer writes than asked make queries look better.
    """
    require(sla, ("step", "op", "ratio", "failed", "target", "unit"))
    hazards = []
    for row in sla[sla["failed"] > 0].to_dict("records"):
        where = {k: str(row[k]) for k in (*_AROUND, "dop", "step") if k in row}
        text = f"{row['op']}s of {row['step']} reached {row['ratio']:.0%} of their target"
        text += f" of {row['target']:,.0f} {row['unit']}: not comparable"
        hazards.append(Hazard("SLA missed", text, where))
    return hazards


def closed_loops(percentiles: pd.DataFrame) -> list[Hazard]:
    """Steps whose response times have only the actual start: they understate stalls."""
    require(percentiles, ("step", "op", "clock"))
    keys = ["step", "op"]
    intended = set(
        percentiles.loc[percentiles["clock"] == "intended", keys].itertuples(index=False)
    )
    ops = percentiles[keys].drop_duplicates().itertuples(index=False)
    return [
        Hazard(
            "closed loop",
            "the next request waits for the answer, so a stall counts once",
            {"step": str(row.step), "op": str(row.op)},
        )
        for row in ops
        if row not in intended
    ]


def different_durability(
    runs: pd.DataFrame, base: Mapping[str, str], names: Sequence[str] = DURABILITY
) -> list[Hazard]:
    """Durability settings that differ from the base's.

    ``runs`` needs the base's dimensions and ``settings``, a mapping per run or its
    JSON. Values that one side does not report are not compared.
    """
    require(runs, (*base, "settings"))
    is_base = _matches(runs, base)
    theirs = _reported(runs[is_base], names)
    hazards = []
    others = runs[~is_base]
    for me, group in others.groupby(label(others, list(base)), sort=False):
        mine = _reported(group, names)
        changed = [n for n in names if n in mine and n in theirs and mine[n] != theirs[n]]
        text = ", ".join(f"{n} {mine[n]} against {theirs[n]}" for n in changed)
        if text:
            words = f"durability differs from the base: {text}"
            hazards.append(Hazard("durability", words, {"me": str(me)}))
    return hazards


def _matches(runs: pd.DataFrame, base: Mapping[str, str]) -> pd.Series:
    columns = runs[list(base)].astype(str)
    return (columns == pd.Series({k: str(v) for k, v in base.items()})).all(axis=1)


def _reported(runs: pd.DataFrame, names: Sequence[str]) -> dict[str, str]:
    """The value of each setting; several values over the runs are joined by a slash."""
    values: dict[str, list[str]] = {}
    for recorded in runs["settings"]:
        settings = json.loads(recorded) if isinstance(recorded, str) else recorded
        for name in names:
            if isinstance(settings, Mapping) and name in settings:
                values.setdefault(name, []).append(str(settings[name]))
    return {name: joined(texts, "/") for name, texts in values.items()}
