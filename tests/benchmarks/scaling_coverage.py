"""Do the 95% intervals of a scalability law hold the truth, and how wide are they?

Runs are drawn around a known law, with the noise of runs and, where said, with means
that lie off the law by more than noise (a placement, a hyperthread). Scored are the
intervals of lambda, sigma, kappa, the peak and its gain over one client.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from script import arguments, show

from benchmath.scaling import LACK, Law, fitted, means_of

FEW, MANY = (1, 2, 4, 8, 16), (1, 2, 4, 8, 16, 32, 64)
SCORED = ("lambda", "sigma", "kappa", "peak", "gain")


@dataclass(frozen=True)
class Case:
    """A law, the clients and trials of a study, and what its runs vary by."""

    sigma: float
    kappa: float
    dops: Sequence[int] = MANY
    trials: int = 3
    noise: float = 0.03
    off: float = 0.0  # stddev of each mean around the law

    @property
    def name(self) -> str:
        off = f", off by {self.off:.0%}" if self.off else ""
        clients = f"{len(self.dops)} dops to {self.dops[-1]}"
        return (
            f"sigma {self.sigma:g} kappa {self.kappa:g}, {clients} x {self.trials}, "
            f"noise {self.noise:.0%}{off}"
        )

    @property
    def truth(self) -> dict[str, float]:
        """What the intervals should hold."""
        peak = np.sqrt((1 - self.sigma) / self.kappa) if self.kappa else np.inf
        cost = 1 + self.sigma * (peak - 1) + self.kappa * peak * (peak - 1)
        gain = peak / cost if self.kappa else 1 / self.sigma if self.sigma else np.inf
        return {
            "lambda": 1000.0, "sigma": self.sigma, "kappa": self.kappa, "peak": peak,
            "gain": gain,
        }  # fmt: skip


CASES = (
    Case(0.05, 0.001),
    Case(0.05, 0.001, trials=1),
    Case(0.05, 0.001, trials=5, noise=0.01),
    Case(0.05, 0.001, FEW),
    Case(0.3, 0.01),
    Case(0.3, 0.01, FEW, noise=0.1),
    Case(0.05, 0.0),
    Case(0.0, 0.001),
    Case(0.0, 0.0),
    Case(0.05, 0.001, off=0.02),
    Case(0.05, 0.001, off=0.05),
)


def drawn(case: Case, random: np.random.Generator) -> Law:
    """The fit of one simulated study."""
    dops = np.repeat(np.array(case.dops, dtype=float), case.trials)
    rate = 1000 * dops / (1 + case.sigma * (dops - 1) + case.kappa * dops * (dops - 1))
    off = np.repeat(random.standard_normal(len(case.dops)), case.trials) * case.off
    noise = random.standard_normal(len(dops)) * case.noise
    return fitted(means_of(dops, rate * np.exp(off + noise)))


def scored(case: Case, series: int, random: np.random.Generator) -> dict[str, object]:
    """Coverage in %, and how often the law is said not to fit, to peak, to be open."""
    held = dict.fromkeys(SCORED, 0)
    widths, bounded, misfits = [], 0, 0
    for _ in range(series):
        law = drawn(case, random)
        estimates = law.estimates()
        for name in SCORED:
            _, low, high = estimates[name]
            slack = 1e-9 * abs(low)
            held[name] += low - slack <= case.truth[name] <= high + slack
        widths.append(50 * (estimates["sigma"][2] - estimates["sigma"][1]))
        bounded += np.isfinite(estimates["peak"][2])
        misfits += law.lack_p < 0.05 and np.abs(law.deviations).max() > LACK
    shares = {name: 100 * held[name] / series for name in SCORED}
    return {"case": case.name} | shares | {
        "sigma_half_width": float(np.median(widths)),
        "peak_bounded": 100 * bounded / series,
        "misfit": 100 * misfits / series,
    }  # fmt: skip


def coverage(seed: int, series: int, cases: Iterable[Case] = CASES) -> pd.DataFrame:
    """A row per case."""

    def rows() -> Iterator[dict[str, object]]:
        for i, case in enumerate(cases):
            yield scored(case, series, np.random.default_rng([seed, i]))

    return pd.DataFrame(rows())


def main() -> None:
    """Print the table."""
    asked = arguments(__doc__, series=1000)
    about = f"Coverage of 95% intervals in %: {asked.series} studies, seed {asked.seed}"
    show(about, coverage(asked.seed, asked.series))


if __name__ == "__main__":
    main()
