"""Studies whose loads go on until all is decided: do verdicts of the page stay theirs?"""

from collections.abc import Iterator

import numpy as np
import pandas as pd
from script import arguments, show

from benchmath.ratios.power import ALPHA
from benchmath.ratios.verdicts import CHANGES, benjamini_hochberg
from benchmath.turns.stopping import UNDECIDED, decisions

MARGIN = 0.02
LOADS, FEWEST, DF = 8, 3, 6.0  # of a study; before the first look; of a load's variance
_RATIOS = (0.9, 0.95, 0.97, 0.98, 0.99, 1.01, 1.03, 1.1)


def study(
    random: np.random.Generator, tests: int, same: float, sd: float
) -> tuple[pd.DataFrame, np.ndarray]:
    """Looks after 3, 4 and more loads, and the true ratios: a share of them is 1.

    A load varies by ``sd``; its variance is that of all arms and steps, with ``DF``
    degrees of freedom for each load but the first.
    """
    others = random.choice(_RATIOS, tests)
    truth = np.where(random.random(tests) < same, 1.0, others)
    logs = np.log(truth)[:, None] + sd * random.standard_normal((tests, LOADS))
    squares = np.cumsum(sd**2 * random.chisquare(DF, (tests, LOADS - 1)), axis=1)
    frames = []
    for n in range(FEWEST, LOADS + 1):
        df = DF * (n - 1)
        var = squares[:, n - 2] / df
        frames.append(pd.DataFrame({
            "test": np.arange(tests), "trial": n, "share": n / LOADS, "rounds": n,
            "relative": np.exp(logs[:, :n].mean(axis=1)), "se": np.sqrt(var / n),
            "df": df,
        }))  # fmt: skip
    return pd.concat(frames, ignore_index=True), truth


def each_alone(looks: pd.DataFrame) -> pd.DataFrame:
    """Decided by its own interval: a family of one each."""
    tables = [decisions(own, ["test"], MARGIN) for _, own in looks.groupby("test")]
    return pd.concat(tables, ignore_index=True)


def outcome(table: pd.DataFrame, truth: np.ndarray) -> dict[str, float]:
    """Counts of a study: what ended how on the page, and what of it is false."""
    verdict, decided = table["verdict"], table["verdict"] != UNDECIDED
    flagged = benjamini_hochberg(table["p"]) <= ALPHA
    change = verdict.isin(CHANGES)
    announced = change & flagged
    false = announced & np.where(verdict == "improved", truth <= 1, truth >= 1)
    wrong = false | ((verdict == "equivalent") & (abs(truth - 1) > MARGIN + 1e-9))
    return {
        "decided": (decided & (flagged | ~change)).mean(),
        "loads": table["rounds"].mean(),
        "wrong": wrong.mean(),
        "false discoveries": false.sum() / max(announced.sum(), 1),
        "stopped, then not significant": float((change & ~flagged).sum()),
        "of ratio 1 called changed": announced[truth == 1].mean()
        if (truth == 1).any() else 0.0,
    }  # fmt: skip


def scores(
    seed: int, series: int, tests: int, same: float, sd: float, alone: bool = False
) -> dict[str, object]:
    """Means over studies, shares in %; a column per kind of outcome."""
    random = np.random.default_rng([seed, tests, int(100 * same)])
    rows = []
    for _ in range(max(series // tests, 1)):
        looks, truth = study(random, tests, same, sd)
        table = each_alone(looks) if alone else decisions(looks, ["test"], MARGIN)
        rows.append(outcome(table, truth))
    means = pd.DataFrame(rows).mean()
    percent = means.drop(["loads", "stopped, then not significant"]) * 100
    rule = "its own interval" if alone else "q too"
    return {"tests": tests, "rule": rule, **means, **percent}


def tables(seed: int, series: int) -> Iterator[tuple[str, pd.DataFrame]]:
    """Titles and tables: by the share of tests without a difference."""
    for same in (1.0, 0.8, 0.3):
        rows = [
            scores(seed, series, tests, same, 0.01, alone)
            for tests in (6, 24, 94)
            for alone in (True, False)
        ]
        yield (
            f"{same:.0%} of tests have the true ratio 1; {LOADS} loads at most, which "
            f"vary by 1%, margin {MARGIN:.0%}\nMeans of studies of {series} tests in "
            f"all, in %, seed {seed}; stopped, then not significant: tests of a study",
            pd.DataFrame(rows),
        )


def main() -> None:
    """Print the tables."""
    asked = arguments(__doc__, series=1200)
    for title, table in tables(asked.seed, asked.series):
        show(title, table)


if __name__ == "__main__":
    main()
