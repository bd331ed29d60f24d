"""Are ratios without the rounds that others disturbed unbiased, and do intervals hold?"""

import numpy as np
import pandas as pd
from script import arguments, show

from benchmath.turns.estimate import turn_ratios
from benchmath.turns.quiet import disturbed

TRUTH, LOADS, ROUNDS, TURN_NS = 1.05, 3, 150, 100_000_000
OPS, NOISE = 10_000, 0.03  # of a turn, and by what they vary
# Others begin in a turn, stay for another, and take so much of it, which the arm lacks.
BURSTS = {
    "none": (0.0, 0.0, 0.0),
    "rare, all of a CPU": (0.01, 0.9, 0.5),
    "often, a tenth": (0.10, 0.7, 0.1),
    "often, all of a CPU": (0.10, 0.8, 0.5),
}
# The hypervisor takes so much of what is used, in ticks of the clock, while the new arm
# goes through phases of ten rounds: half a CPU, or 1.6 at three fifths of the rate.
TICKS = {f"ticks, {share:.0%} of the use": share for share in (0.01, 0.03, 0.06)}
TICK_NS, CHANGE, LIGHT, HEAVY, SLOWER = 10_000_000, 0.1, 0.5, 1.6, 0.6
_ARMS = ("old", "new")


def load_of(random: np.random.Generator, load: str, name: str) -> pd.DataFrame:
    """Turns of one load; others come and go whatever the arms do."""
    if name in TICKS:
        return _with_ticks(random, load, TICKS[name])
    begin, stay, share = BURSTS[name]
    turns = ROUNDS * len(_ARMS)
    draws, busy = random.random(turns), np.zeros(turns, bool)
    for i in range(1, turns):
        busy[i] = draws[i] < (stay if busy[i - 1] else begin)
    arm = np.tile(np.arange(len(_ARMS)), ROUNDS)
    rate = np.where(arm == 1, TRUTH, 1.0) * (1 - share * busy)
    others = np.where(busy, share * TURN_NS, 0).astype(int)
    return _turns(random, load, rate, np.full(turns, TURN_NS) + others, others_ns=others)


def _with_ticks(random: np.random.Generator, load: str, share: float) -> pd.DataFrame:
    """What is taken is a part of what the arms use, and the new arm uses now more."""
    heavy = (random.random(ROUNDS) < CHANGE).cumsum() % 2 == random.integers(2)
    rate = np.where(heavy, SLOWER, 1.0) * 2 / (1 + SLOWER)  # 1 in the mean
    rates = np.column_stack([np.ones(ROUNDS), TRUTH * rate]).ravel()
    use = np.column_stack([np.ones(ROUNDS), np.where(heavy, HEAVY, LIGHT)]).ravel()
    used = use * TURN_NS
    taken = random.poisson(used * share / TICK_NS) * TICK_NS
    rates = rates * used / (used + taken)
    return _turns(random, load, rates, used.astype(int), steal_ns=taken)


def _turns(
    random: np.random.Generator,
    load: str,
    rate: np.ndarray,
    busy_ns: np.ndarray,
    **taken_ns: np.ndarray,
) -> pd.DataFrame:
    arm = np.tile(np.arange(len(_ARMS)), ROUNDS)
    ops = OPS * rate * np.exp(NOISE * random.standard_normal(rate.size))
    return pd.DataFrame(
        {
            "run_id": [f"{load} {_ARMS[a]}" for a in arm],
            "session": load, "step": "s", "op": "query", "seq": 1, "place": 0,
            "round": np.repeat(np.arange(1, ROUNDS + 1), len(_ARMS)),
            "rows": 0, "ops": ops.astype(int), "active_ns": TURN_NS,
            "head_ns": TURN_NS // 10, "head_ops": 0, "client_cpu_ns": TURN_NS // 2,
            "server_cpu_ns": 0, "machine_cpu_ns": busy_ns, "quiet": 50,
            "steal_ns": 0, "others_ns": 0, **taken_ns,
        }
    )  # fmt: skip


def scores(seed: int, series: int, name: str) -> dict[str, object]:
    """Bias, coverage and half-width in %: all rounds, and the quiet ones."""
    random = np.random.default_rng([seed, len(name)])
    found: dict[str, list[pd.Series]] = {"all": [], "quiet": []}
    left = 0.0
    for _ in range(series):
        loads = [load_of(random, f"t{n}", name) for n in range(LOADS)]
        turns = pd.concat(loads, ignore_index=True)
        ids = turns["run_id"].drop_duplicates()
        runs = pd.DataFrame({"run_id": ids, "version": ids.str.split().str[1]})
        left += disturbed(turns).mean() / series
        for rounds, quiet in (("all", 0), ("quiet", 50)):
            ratios = turn_ratios(turns.assign(quiet=quiet), runs, {"version": "old"})
            by_clock = ratios[ratios["measure"] == "throughput"]
            found[rounds].append(by_clock.iloc[0])
    row: dict[str, object] = {"others": name, "left out": f"{100 * left:.0f}"}
    for rounds, ratios in found.items():
        table = pd.DataFrame(ratios)
        bias = 100 * (np.log(table["relative"].astype(float)).mean() - np.log(TRUTH))
        inside = (table["low"] <= TRUTH) & (TRUTH <= table["high"])
        half = 50 * (table["high"] - table["low"]).mean()
        row |= {
            f"{rounds}: bias": f"{bias:+.2f}",
            f"{rounds}: coverage": f"{100 * inside.mean():.1f} ±{half:.2f}",
        }
    return row


def main() -> None:
    """Print the table."""
    asked = arguments(__doc__, series=400)
    rows = [scores(asked.seed, asked.series, name) for name in (*BURSTS, *TICKS)]
    show(
        f"{TRUTH:g} times the rate, {LOADS} loads of {ROUNDS} rounds, bursts\n"
        "Rounds left out, bias, coverage and half-width of 95% intervals, all in %; "
        f"{asked.series} cases each, seed {asked.seed}",
        pd.DataFrame(rows),
    )


if __name__ == "__main__":
    main()
