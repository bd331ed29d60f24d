"""Do intervals of a suite in turns hold the truth where the steps of a load correlate?"""

from collections.abc import Iterable

import numpy as np
import pandas as pd
from script import arguments, show

from benchmath.ratios.suite import SUITE, suite
from benchmath.turns.estimate import ratios_of

STEPS, TRUTH, SD = 46, 0.97, 0.02  # SD: what a step's ratio differs by from load to load
CORRELATIONS = (0.0, 0.03, 0.1)
_KEYS = ["version", "step", "op"]
_FIXED = {
    "op": "query", "measure": "throughput", "part": "turn", "var": 1e-8, "df": 50.0,
    "autocorrelation": 0.0, "rounds": 100, "alone": 0, "head": np.nan,
    "head_base": np.nan,
}  # fmt: skip
_RATES = {"op": "query", "main": True, "clock": "", "metric": "qps", "unit": "ops/s",
          "direction": "higher", "value": 1.0}  # fmt: skip


def loads_of(
    random: np.random.Generator, arms: int, loads: int, correlation: float
) -> pd.DataFrame:
    """Ratios by load as ``session_ratios`` has them, steps correlated within a load.

    Noise is that of rates, half of a ratio's the base's: arms share the base.
    """
    common = random.standard_normal((arms + 1, loads, 1))
    own = random.standard_normal((arms + 1, loads, STEPS))
    rates = np.sqrt(correlation) * common + np.sqrt(1 - correlation) * own
    logs = np.log(TRUTH) + SD * np.sqrt(0.5) * (rates[1:] - rates[0])
    arm, load, step = (index.ravel() for index in np.indices(logs.shape))
    return pd.DataFrame(
        {
            "version": [f"v{a + 1}" for a in arm],
            "session": [f"t{n}" for n in load],
            "step": [f"s{s}" for s in step],
            "group": step,
            "log": logs.ravel(),
            **_FIXED,
        }
    )


def judged(loads: pd.DataFrame) -> dict[bool, pd.DataFrame]:
    """The suite of each arm: steps as independent, and, True, as posts have it."""
    base = {"version": "v0"}
    versions = ["v0", *dict.fromkeys(loads["version"])]
    rows = pd.DataFrame(
        [
            {**_RATES, "version": version, "step": step, "run_id": version, "trial": 1}
            for version in versions
            for step in dict.fromkeys(loads["step"])
        ]
    )
    ratios = ratios_of(loads, _KEYS, base)
    tables = {
        shared: suite(rows, base, turns=ratios, loads=loads if shared else None)
        for shared in (False, True)
    }
    return {s: t[(t["group"] == SUITE) & t["se"].notna()] for s, t in tables.items()}


def scores(
    seed: int, studies: int, arms: int, loads: int, correlations: Iterable[float]
) -> dict[str, object]:
    """Coverage and half-width in %, as independent and with what steps share."""
    row: dict[str, object] = {"arms": arms, "loads": loads}
    for r in correlations:
        random = np.random.default_rng([seed, arms, loads, int(100 * r)])
        held: dict[bool, list[pd.DataFrame]] = {False: [], True: []}
        for _ in range(studies):
            for shared, table in judged(loads_of(random, arms, loads, r)).items():
                held[shared].append(table)
        for shared, tables in held.items():
            table = pd.concat(tables)
            inside = (table["low"] <= TRUTH) & (TRUTH <= table["high"])
            half = 50 * (table["high"] - table["low"]).mean()
            name = f"r {r:g}, {'shared' if shared else 'independent'}"
            row[name] = f"{100 * inside.mean():.1f} ±{half:.2f}"
    return row


def main() -> None:
    """Print the table."""
    asked = arguments(__doc__, series=120)
    rows = [
        scores(asked.seed, asked.series // arms, arms, loads, CORRELATIONS)
        for arms in (1, 3)
        for loads in (3, 5, 8)
    ]
    show(
        f"Geometric mean of {STEPS} steps, ratios differ by {SD:.0%} from load to load\n"
        "Coverage and half-width of 95% intervals in %, by the correlation of steps in a "
        f"load; {asked.series} comparisons each, seed {asked.seed}",
        pd.DataFrame(rows),
    )


if __name__ == "__main__":
    main()
