"""How well do our detectors do in noise that they were not made for?

The scores of changepoint_score.py in the kinds of shifted_kinds.py. What is learned from
them has to be judged on other seeds.
"""

from changepoint_score import table, wide
from script import arguments, show
from shifted_kinds import COMMIT_KINDS, VERSION_KINDS, commits, versions


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


if __name__ == "__main__":
    main()
