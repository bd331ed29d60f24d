"""Engines that take turns: do intervals hold the truth, and how soon is it decided?"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from scipy import optimize, stats
from script import arguments, show

from benchmath.turns.estimate import turn_ratios
from benchmath.turns.stopping import UNDECIDED, decisions

Random = np.random.Generator
TRUTH = 0.97
ROUNDS = (40, 100, 200, 400)
SESSIONS = (1, 2, 3, 5)
_TURN_NS = 100_000_000
_SD = 0.05  # of one turn of one side
_MARGIN = 0.03
_SHORTEST, _LONGEST = 0.01, 4.0  # of one look, over the budget


@dataclass(frozen=True)
class Rates:
    """Operations per turn of base and arm (last axis: rounds), and what their heads lose.

    ``lengths``: spread of the length of an operation, over its mean; None for so many
    operations that none is cut by a turn's end. ``falls``: the share of its rate that a
    side has lost when its rows are done, which ends its step; None: time ends it.
    """

    sides: np.ndarray
    heads: tuple[float, float] = (0.0, 0.0)
    lengths: float | None = None
    falls: float | None = None


def ar(random: Random, shape: tuple[int, ...], correlation: float) -> np.ndarray:
    """AR(1) along the last axis, of stddev 1 everywhere."""
    noise = random.standard_normal(shape)
    for i in range(1, shape[-1]):
        noise[..., i] *= np.sqrt(1 - correlation**2)
        noise[..., i] += correlation * noise[..., i - 1]
    return noise


def _ar(correlation: float) -> Callable[[Random, int, int], Rates]:
    def rates(random: Random, series: int, rounds: int) -> Rates:
        return Rates(1000 * np.exp(_SD * ar(random, (2, series, rounds), correlation)))

    return rates


def drift(random: Random, series: int, rounds: int) -> Rates:
    """Both sides slow down to half their rate, in a wave of 20%."""
    along, phase = np.linspace(0, 1, rounds), random.random((series, 1))
    common = -np.log(2) * along + 0.2 * np.sin(2 * np.pi * (1.5 * along + phase))
    return Rates(
        1000 * np.exp(common + _SD * random.standard_normal((2, series, rounds)))
    )


def bursts(random: Random, series: int, rounds: int) -> Rates:
    """Other tenants take up to half of the CPU for a while, of either side by chance."""
    on = ar(random, (1, series, rounds), 0.9) > 1
    taken = 0.5 * random.random((2, series, rounds)) * on
    return Rates(1000 * (1 - taken) * np.exp(_SD * random.standard_normal(taken.shape)))


def _long(per_turn: float, lengths: float) -> Callable[[Random, int, int], Rates]:
    def rates(random: Random, series: int, rounds: int) -> Rates:
        return Rates(np.full((2, series, rounds), float(per_turn)), lengths=lengths)

    return rates


def cold(random: Random, series: int, rounds: int) -> Rates:
    """The first tenth of each turn is 5% slower, of the arm only."""
    noise = random.standard_normal((2, series, rounds))
    return Rates(1000 * np.exp(_SD * noise), heads=(0.0, 0.05))


def by_rows(random: Random, series: int, rounds: int) -> Rates:
    """A step ends after so many rows and slows down by 30% as these become more."""
    noise = random.standard_normal((2, series, rounds + rounds // 4))
    return Rates(1000 * np.exp(_SD * noise), falls=0.3)


KINDS: dict[str, Callable[[Random, int, int], Rates]] = {
    "white": _ar(0.0),
    "AR .3": _ar(0.3),
    "AR .7": _ar(0.7),
    "AR .9": _ar(0.9),
    "drift": drift,
    "bursts": bursts,
    "3 ops a turn": _long(3, 0.3),
    "3 equal ops a turn": _long(3, 0.05),
    "1 op in 3 turns": _long(1 / 3, 0.3),
    "heads 5% slower": cold,
    "ends by rows": by_rows,
}


def counts(random: Random, rates: Rates) -> tuple[np.ndarray, np.ndarray]:
    """Operations of turns and of their first tenths, whole; NaN after a step's end."""
    if rates.falls is not None:
        ops = until_done(rates.sides, rates.falls)
        return ops, np.round(0.1 * ops)
    if rates.lengths is None:
        lost = np.array(rates.heads).reshape(2, 1, 1)
        heads = np.round(0.1 * (1 - lost) * rates.sides)
        return heads + np.round(0.9 * rates.sides), heads
    rounds = rates.sides.shape[-1]
    edges = np.sort(np.concatenate([np.arange(rounds + 1), np.arange(rounds) + 0.1]))
    shape = 1 / rates.lengths**2
    flat = rates.sides.reshape(-1, rounds)
    ended = np.empty((len(flat), edges.size))
    for i, rate in enumerate(flat[:, 0]):
        lengths = random.gamma(shape, 1 / (shape * rate), int(1.5 * rounds * rate) + 50)
        ended[i] = np.searchsorted(np.cumsum(lengths) - random.random() / rate, edges)
    pieces = np.diff(ended).reshape(*rates.sides.shape, 2)
    return pieces.sum(axis=-1), pieces[..., 0]


def until_done(sides: np.ndarray, falls: float) -> np.ndarray:
    """Operations of each turn until the rows are done, after four fifths of the turns."""
    rows = 1000 * sides.shape[-1] * 0.8 * (1 - falls / 2)
    done, ops = np.zeros(sides.shape[:-1]), np.full(sides.shape, np.nan)
    for i in range(sides.shape[-1]):
        going = done < rows
        turn = np.minimum(sides[..., i] * (1 - falls * done / rows), rows - done)
        ops[..., i] = np.where(going, np.maximum(np.round(turn), 1), np.nan)
        done += np.where(going, ops[..., i], 0)
    return ops


def turns_frame(ops: np.ndarray, heads: np.ndarray, labels: pd.DataFrame) -> pd.DataFrame:
    """Turns of series: a row of ``labels`` per series, with run_id, session and step."""
    series, rounds = ops.shape
    every = labels.loc[labels.index.repeat(rounds)].reset_index(drop=True)
    turns = every.assign(
        op="query", round=np.tile(np.arange(1, rounds + 1), series), arm=0,
        ops=ops.ravel(), rows=ops.ravel(), head_ops=heads.ravel(), active_ns=_TURN_NS,
        head_ns=_TURN_NS // 10, client_cpu_ns=_TURN_NS // 4,
        server_cpu_ns=_TURN_NS // 2,
    )  # fmt: skip
    return turns.dropna(subset="ops")


def alone(random: Random, rates: Rates) -> pd.DataFrame:
    """``turn_ratios`` of series of one session each: a step per series."""
    rates.sides[1] *= TRUTH
    ops, heads = counts(random, rates)
    versions, frames = ("base", "me"), []
    for side, version in enumerate(versions):
        steps = [f"s{i}" for i in range(ops.shape[1])]
        labels = pd.DataFrame({"step": steps, "run_id": version, "session": "one"})
        frames.append(turns_frame(ops[side], heads[side], labels))
    runs = pd.DataFrame({"run_id": versions, "version": versions})
    table = turn_ratios(pd.concat(frames), runs, {"version": "base"})
    return table[table["measure"] == "throughput"]


def held(table: pd.DataFrame, truth: Any = TRUTH) -> dict[str, object]:
    """Coverage and half-width in % of the rows that have an interval."""
    known = np.isfinite(table["low"])
    inside = (table["low"] <= truth) & (table["high"] >= truth)
    half = 50 * (table["high"] - table["low"])[known].mean()
    return {"coverage": 100 * inside[known].mean(), "half_width": half}


def within_a_load(
    seed: int, series: int, kinds: Iterable[str] = KINDS, rounds: Iterable[int] = ROUNDS
) -> pd.DataFrame:
    """Coverage within one session, a column per number of rounds."""
    rows: list[dict[str, object]] = []
    for i, kind in enumerate(kinds):
        row: dict[str, object] = {"noise": kind}
        for n in rounds:
            random = np.random.default_rng([seed, i, n])
            scores = held(alone(random, KINDS[kind](random, series, n)))
            row[f"{n} rounds"] = f"{scores['coverage']:.1f} ±{scores['half_width']:.2f}"
        rows.append(row)
    return pd.DataFrame(rows)


def studies(
    random: Random, count: int, sessions: int, load_sd: float,
    steps: int = 6, arms: int = 2, shared: float = 0.0, rounds: int = 60,
) -> pd.DataFrame:  # fmt: skip
    """``turn_ratios`` of studies (machines); of_loads: the true mean of their loads.

    ``shared`` is the share of the variance between loads that all steps of a load share.
    """
    shape = (arms + 1, count, sessions, steps)
    own, common = random.standard_normal(shape), random.standard_normal((*shape[:3], 1))
    load = load_sd * (np.sqrt(1 - shared) * own + np.sqrt(shared) * common)
    log = np.log(TRUTH) * (np.arange(arms + 1) > 0).reshape(-1, 1, 1, 1) + load
    noise = 0.02 * ar(random, (*shape, rounds), 0.3)
    ops = np.round(10_000 * np.exp(log[..., None] + noise)).reshape(-1, rounds)
    arm, machine, session, step = (i.ravel() for i in np.indices(shape))
    labels = pd.DataFrame({"arm_no": arm, "machine": machine, "session": session})
    names = [f"{a} {m} {s}" for a, m, s in zip(arm, machine, session, strict=True)]
    labels = labels.assign(step=[f"s{i}" for i in step], run_id=names)
    runs = labels.drop_duplicates("run_id").assign(
        machine=lambda r: "m" + r["machine"].astype(str),
        version=lambda r: "v" + r["arm_no"].astype(str),
    )
    turns = turns_frame(ops, np.zeros_like(ops), labels[["run_id", "session", "step"]])
    turns = turns.assign(session=turns["run_id"].str.partition(" ")[2])
    table = turn_ratios(turns, runs[["run_id", "machine", "version"]], {"version": "v0"})
    table = table[table["measure"] == "throughput"]
    mean = log.mean(axis=2)
    at = [table[c].str[1:].astype(int).to_numpy() for c in ("version", "machine", "step")]
    return table.assign(of_loads=np.exp(mean[tuple(at)] - mean[0, at[1], at[2]]))


def over_loads(seed: int, series: int, **options: Any) -> pd.DataFrame:
    """Coverage over sessions, of what the interval says that it covers."""
    rows: list[dict[str, object]] = []
    ratios = options.get("steps", 6) * options.get("arms", 2)
    for i, load_sd in enumerate((0.0, 0.005, 0.01)):
        row: dict[str, object] = {"loads differ by": f"{load_sd:.1%}"}
        for n in SESSIONS:
            random = np.random.default_rng([seed, i, n])
            table = studies(random, max(series // ratios, 1), n, load_sd, **options)
            claimed = np.where(table["covers"] == "loads", TRUTH, table["of_loads"])
            scores = held(table, claimed)
            text = f"{scores['coverage']:.1f} ±{scores['half_width']:.2f}"
            row[f"{n} {table['covers'].iloc[0]}"] = text
        rows.append(row)
    return pd.DataFrame(rows)


@dataclass(frozen=True)
class Budget:
    """Looks at equal distances; ``error`` is the standard error at the end.

    ``df`` of the variance within a look. None: that of a look is not known, but from what
    the looks differ by, as of loads; then the first three are one look.
    """

    looks: int = 10
    error: float = 0.0083
    df: float | None = 13.0


def looked_at(random: Random, series: int, ratio: float, budget: Budget) -> pd.DataFrame:
    """Estimates of series at the looks of a budget, their variance estimated too."""
    shape = (series, budget.looks)
    count = np.arange(1, budget.looks + 1)
    values = budget.error * np.sqrt(budget.looks) * random.standard_normal(shape)
    means = np.cumsum(values, axis=1) / count
    if budget.df is None:
        with np.errstate(divide="ignore", invalid="ignore"):
            var = (np.cumsum(values**2, axis=1) - count * means**2) / (count - 1)
        var[:, :2] = np.nan
        df = count - 1.0
    else:
        df = budget.df * count
        squares = np.cumsum(random.chisquare(budget.df, shape), axis=1)
        var = budget.error**2 * budget.looks * squares / df
    return pd.DataFrame(
        {
            "series": np.repeat(np.arange(series), budget.looks),
            "trial": np.tile(count, series),
            "share": np.tile(count / budget.looks, series),
            "rounds": np.tile(count, series),
            "relative": (ratio * np.exp(means)).ravel(),
            "se": np.sqrt(var / count).ravel(),
            "df": np.tile(df, series),
        }
    )


def each_alone(looks: pd.DataFrame) -> pd.DataFrame:
    """Each series is a study of one comparison."""
    keys = ["series"]
    tables = [decisions(own, keys, _MARGIN) for _, own in looks.groupby(keys)]
    return pd.concat(tables, ignore_index=True)


def wrong(decided: pd.DataFrame, ratio: float) -> pd.Series:
    """Verdicts that deny the truth: a change that is none, or none that is one."""
    verdict, beyond = decided["verdict"], abs(ratio - 1) > _MARGIN
    false = (verdict == "improved") & (ratio <= 1)
    false |= (verdict == "regressed") & (ratio >= 1)
    return false | ((verdict == "equivalent") & beyond)


def fixed(error: float, ratio: float) -> float:
    """The chance of a verdict from one look with this standard error."""
    x = np.linspace(-6, 6, 4001)
    log, half = np.log(ratio) + error * x, stats.norm.ppf(0.975) * error
    low, high = np.log1p(-_MARGIN), np.log1p(_MARGIN)
    different = (np.abs(log) > half) & ((log > high) | (log < low))
    verdict = different | ((log - half >= low) & (log + half <= high))
    return float(stats.norm.pdf(x) @ verdict * (x[1] - x[0]))


def as_powerful(error: float, ratios: Sequence[float], power: float) -> float:
    """The time of one look, over the budget, that decides as often; NaN if none does."""

    def missing(time: float) -> float:
        shares = [fixed(error / np.sqrt(time), ratio) for ratio in ratios]
        return float(np.mean(shares)) - min(power, 0.995)

    if missing(_LONGEST) < 0 or missing(_SHORTEST) > 0:
        return np.nan
    return float(optimize.brentq(missing, _SHORTEST, _LONGEST, xtol=1e-3))


def sequential(
    seed: int, series: int, ratios: Sequence[float], budget: Budget
) -> pd.DataFrame:
    """What stopping when it is decided saves, and how often it errs: a row per ratio.

    The last row is of all ratios: one look must be planned before they are known.
    """
    rows: list[dict[str, object]] = []
    for i, ratio in enumerate(ratios):
        random = np.random.default_rng([seed, i])
        looks = looked_at(random, series, ratio, budget)
        table = each_alone(looks)
        rows.append(
            {
                "ratio": f"{ratio:.3f}",
                "decided": 100 * (table["verdict"] != UNDECIDED).mean(),
                "wrong": 100 * wrong(table, ratio).mean(),
                "coverage": held(table, ratio)["coverage"],
                "time": 100 * table["share"].mean(),
                "one look: decided": 100 * fixed(budget.error, ratio),
            }
        )
    table = pd.DataFrame(rows)
    means = {c: table[c].mean() for c in table.columns if c != "ratio"}
    table = pd.concat([table, pd.DataFrame([{"ratio": "all"} | means])])
    alike = [[ratio] for ratio in ratios] + [list(ratios)]
    shares = (table["decided"] / 100).tolist()
    table["time for as many"] = [
        100 * as_powerful(budget.error, of, share)
        for of, share in zip(alike, shares, strict=True)
    ]
    return table


_RATIOS = (1.0, 0.99, 0.98, 0.971, 0.969, 0.96, 0.95, 0.93, 0.9)


def tables(seed: int, series: int) -> Iterator[tuple[str, pd.DataFrame]]:
    """Titles and tables."""
    size = f"{series} series, seed {seed}"
    yield (
        f"Coverage and half-width of 95% intervals in %, one session: {size}\n"
        f"A turn varies by {_SD:.0%}; one arm, true ratio {TRUTH}",
        within_a_load(seed, series),
    )
    title = f"The same over sessions of 60 rounds, of what each claims to cover: {size}\n"
    yield f"{title}6 steps, 2 arms beside the base", over_loads(seed, series)
    for shared in (0.5, 0.9):
        yield (
            f"{title}All steps of a load share {shared:.0%} of what it adds (variance)",
            over_loads(seed, series, shared=shared),
        )
    yield f"{title}1 step, 1 arm", over_loads(seed, series, steps=1, arms=1)
    title = "Stop when it is decided, all in %: time is of the budget, margin 3%,"
    yield (
        f"{title} 10 looks\n{size}",
        sequential(seed, series, _RATIOS, Budget()),
    )
    yield (
        f"{title} 10 loads, what they differ by known from them alone\n{size}",
        sequential(seed, series, _RATIOS, Budget(df=None)),
    )


def main() -> None:
    """Print the tables."""
    asked = arguments(__doc__, series=1000)
    for title, table in tables(asked.seed, asked.series):
        show(title, table)


if __name__ == "__main__":
    main()
