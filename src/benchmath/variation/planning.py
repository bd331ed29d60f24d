"""How many runs a question needs, from the noise that runs on record have.

Both frames are made from that of ``cov.pooled_cov`` (one row per step, or per machine and
step) and plan the comparison of two cells with equally many runs: the t-test of
``power``. A column ``floor_sd``, if there is one, is the stddev per side of what more
runs do not average out (build, load).
"""

from collections.abc import Iterable, Iterator, Sequence

import pandas as pd

from benchmath.frames import require
from benchmath.ratios.power import POWER, power_of, runs_needed, smallest_effect

EFFECTS = (0.01, 0.02, 0.03, 0.05, 0.10)
_LABELS = ("machine", "engine", "workload", "dop", "placement", "step")


def runs_table(
    noise: pd.DataFrame, effects: Sequence[float] = EFFECTS, power: float = POWER
) -> pd.DataFrame:
    """Runs of each side that find an effect, per step and effect.

    Columns: machine, engine, workload, dop, placement (those that ``noise`` has), step,
    cov, and one for each effect, named ``1%``: whole numbers, missing where no number of
    runs has the power.
    """
    named = {f"{100 * effect:g}%": effect for effect in effects}
    rows = []
    for step, cov, floor in _steps(noise):
        runs = {n: runs_needed(cov, e, power, floor_sd=floor) for n, e in named.items()}
        rows.append(step | runs)
    table = pd.DataFrame.from_records(rows, columns=[*_columns(noise), *named])
    return table.astype(dict.fromkeys(named, "Int64"))


def power_curve(
    noise: pd.DataFrame,
    trials: Iterable[int] = range(2, 31),
    effect: float = 0.03,
    power: float = POWER,
) -> pd.DataFrame:
    """What each number of trials can see, per step: a row for each point of a chart.

    Columns: machine, engine, dop, placement (those that ``noise`` has), step, cov,
    trials (of each side), smallest_effect (the increase found with ``power``), power
    (with which ``effect`` is found).
    """
    counts = list(trials)
    rows = []
    for step, cov, floor in _steps(noise):
        for n in counts:
            least = smallest_effect(cov, n, n, power, floor_sd=floor)
            chance = power_of(effect, cov, n, n, floor_sd=floor)
            rows.append(step | {"trials": n, "smallest_effect": least, "power": chance})
    columns = [*_columns(noise), "trials", "smallest_effect", "power"]
    return pd.DataFrame.from_records(rows, columns=columns)


def _columns(noise: pd.DataFrame) -> list[str]:
    return [*(name for name in _LABELS if name in noise.columns), "cov"]


def _steps(noise: pd.DataFrame) -> Iterator[tuple[dict[str, object], float, float]]:
    """Each row's labels and cov, then its stddev from run to run and its floor."""
    require(noise, ("step", "pooled"))
    labelled = noise.assign(cov=noise["pooled"].astype(float))
    for row in labelled.to_dict("records"):
        floor = row.get("floor_sd", 0.0)
        step = {str(name): row[name] for name in _columns(noise)}
        yield step, row["cov"], 0.0 if pd.isna(floor) else float(floor)
