"""How well do our detectors do in noise that they were not made for?

The scores of changepoint_score.py in the kinds of shifted_kinds.py, and of versions what
a stricter or a laxer alpha would trade. What is learned from them has to be judged on
other seeds.
"""

from collections.abc import Sequence

import noise_kinds
import pandas as pd
from changepoint_score import Finds, alarmed, scores, table, wide
from noise_kinds import Series, each_kind
from script import arguments, show
from shifted_kinds import COMMIT_KINDS, VERSION_KINDS, commits, versions

from benchmath.changes.versions.detector import VersionShifts

ALPHAS = (0.2, 0.1, 0.05, 0.035, 0.025, 0.01)


def trades(changing: Sequence[Series], flat: Sequence[Series]) -> pd.DataFrame:
    """F1 at the exact place and the share of series alarmed, by alpha; all in %."""
    finds, alarms = _finds(changing), _finds(flat)
    rows = []
    for alpha, found, called in zip(ALPHAS, finds, alarms, strict=True):
        score = scores(changing, found)
        row = {name: score[name] for name in ("F1@0", "precision", "recall")}
        rows.append({"alpha": 100 * alpha, **row, "alarmed": alarmed(called)})
    return pd.DataFrame(rows)


def _finds(many: Sequence[Series]) -> list[Finds]:
    """What is found in each series, by alpha."""
    return [list(found) for found in zip(*map(_by_alpha, many), strict=True)]


def _by_alpha(series: Series) -> Finds:
    assert series.groups is not None
    fit = VersionShifts().fit(series.values, series.groups.tolist())
    return [fit.predict(alpha)[:-1] for alpha in ALPHAS]


def main() -> None:
    """Print the tables."""
    asked = arguments(__doc__, series=320)
    size = f"{asked.series} series with changes and as many without, seed {asked.seed}"
    makers = {
        "Commits": (commits, tuple(COMMIT_KINDS)),
        "Versions": (versions, tuple(VERSION_KINDS)),
    }
    for name, (make, kinds) in makers.items():
        overall, by_kind = table(make, asked.seed, asked.series, ["benchbook"], kinds)
        show(f"{name} in shifted noise, all in % but ms a series: {size}", overall)
        show(f"{name}: F1@2 and series alarmed, per kind of noise", wide(by_kind))
    by_noise = {
        "shifted": (versions, tuple(VERSION_KINDS)),
        "usual": (noise_kinds.versions, tuple(noise_kinds.KINDS)),
    }
    for noise, (make, kinds) in by_noise.items():
        changing, flat = (
            list(each_kind(make, asked.seed, asked.series, changes, kinds))
            for changes in (True, False)
        )
        show(f"Versions in {noise} noise by alpha, in %: {size}", trades(changing, flat))


if __name__ == "__main__":
    main()
