"""How often does the gate err? False alarms, misses, and how often it cannot say.

A gate compares a new version with its base in 1, 10 or 40 tests at a margin of 3%: steps
differ in their noise, which is normal or skewed, about 1% or 3%; five or ten runs a side.
Of its tests none has changed, or the first one has, by 1, 2, 3, 5 or 10%.
"""

from collections.abc import Iterable

import numpy as np
import pandas as pd
from reports import Report, draw, metric_frame, step_noise
from script import arguments, show

from benchmath.ratios.gate import FAILED, FINE, UNDECIDED, gated
from benchmath.ratios.relative import relative
from benchmath.ratios.verdicts import verdicts

GATE = 0.03
RATIOS = (1.0, 0.99, 0.98, 0.97, 0.95, 0.90)


def gate_errors(
    seed: int, gates: int, tests: Iterable[int] = (1, 10, 40),
    noise: Iterable[tuple[str, float, int]] = (
        ("normal", 0.01, 5), ("skewed", 0.01, 5), ("normal", 0.03, 10),
    ),
) -> pd.DataFrame:  # fmt: skip
    """The exit codes of the gate in % of ``gates``, by its size, noise and true change.

    Columns: tests, noise, runs, change (true, of the first test), fine, regressed (any
    test, that is exit 1), of it other (only tests that did not change), undecided.
    """
    rows: list[dict[str, object]] = []
    for steps in tests:
        for kind, cov, runs in noise:
            for i, ratio in enumerate(RATIOS):
                random = np.random.default_rng([seed, steps, i, runs])
                report = Report(
                    versions=2, trials=runs, steps=steps, kind=kind, cov=cov,
                    steps_differ=0.3, changed={1: ratio}, changed_steps=[0],
                )  # fmt: skip
                rates = _rates(report, gates, random)
                size = {"tests": steps, "noise": f"{kind} {cov:.0%}", "runs": runs}
                rows.append({**size, "change": f"-{1 - ratio:.0%}", **rates})
    return pd.DataFrame(rows)


def _rates(report: Report, gates: int, random: np.random.Generator) -> dict[str, float]:
    values = draw(report, step_noise(report, gates, random), random)
    judged = verdicts(relative(metric_frame(values), {"version": "v0"}), GATE)
    new = judged[judged["version"] == "v1"]
    codes = [_exit(tests) for _, tests in new.groupby("machine")]
    share = pd.Series(codes).value_counts(normalize=True) * 100
    return {
        "fine": share.get(FINE, 0.0),
        "regressed": share.get(FAILED, 0.0) + share.get("other", 0.0),
        "other": share.get("other", 0.0),
        "undecided": share.get(UNDECIDED, 0.0),
    }


def _exit(judged: pd.DataFrame) -> str:
    outcomes = gated(judged).set_index("step")["outcome"]
    if (outcomes == FAILED).any():
        return FAILED if outcomes["s0"] == FAILED else "other"
    return UNDECIDED if (outcomes == UNDECIDED).any() else FINE


def main() -> None:
    """Print the table."""
    asked = arguments(__doc__, series=400)
    size = f"{asked.series} gates each, seed {asked.seed}"
    show(f"Exit codes of the gate in %, margin {GATE:.0%}: {size}",
         gate_errors(asked.seed, asked.series))  # fmt: skip


if __name__ == "__main__":
    main()
