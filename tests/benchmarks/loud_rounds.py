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
_ARMS = ("old", "new")


def load_of(
    random: np.random.Generator, name: str, bursts: tuple[float, float, float]
) -> pd.DataFrame:
    """Turns of one load; others come and go whatever the arms do."""
    begin, stay, share = bursts
    turns = ROUNDS * len(_ARMS)
    draws, busy = random.random(turns), np.zeros(turns, bool)
    for i in range(1, turns):
        busy[i] = draws[i] < (stay if busy[i - 1] else begin)
    arm = np.tile(np.arange(len(_ARMS)), ROUNDS)
    rate = np.where(arm == 1, TRUTH, 1.0) * (1 - share * busy)
    ops = OPS * rate * np.exp(NOISE * random.standard_normal(turns))
    others = np.where(busy, share * TURN_NS, 0).astype(int)
    return pd.DataFrame(
        {
            "run_id": [f"{name} {_ARMS[a]}" for a in arm],
            "session": name, "step": "s", "op": "query", "seq": 1, "place": 0,
            "round": np.repeat(np.arange(1, ROUNDS + 1), len(_ARMS)),
            "rows": 0, "ops": ops.astype(int), "active_ns": TURN_NS,
            "head_ns": TURN_NS // 10, "head_ops": 0, "client_cpu_ns": TURN_NS // 2,
            "server_cpu_ns": 0, "machine_cpu_ns": TURN_NS + others, "steal_ns": 0,
            "others_ns": others, "quiet": 50,
        }
    )  # fmt: skip


def scores(seed: int, series: int, name: str) -> dict[str, object]:
    """Bias, coverage and half-width in %: all rounds, and the quiet ones."""
    random = np.random.default_rng([seed, len(name)])
    found: dict[str, list[pd.Series]] = {"all": [], "quiet": []}
    left = 0.0
    for _ in range(series):
        loads = [load_of(random, f"t{n}", BURSTS[name]) for n in range(LOADS)]
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
    rows = [scores(asked.seed, asked.series, name) for name in BURSTS]
    show(
        f"{TRUTH:g} times the rate, {LOADS} loads of {ROUNDS} rounds, bursts\n"
        "Rounds left out, bias, coverage and half-width of 95% intervals, all in %; "
        f"{asked.series} cases each, seed {asked.seed}",
        pd.DataFrame(rows),
    )


if __name__ == "__main__":
    main()
