"""How throughput grows with the number of clients: the universal scalability law.

N. J. Gunther, "Guerrilla Capacity Planning" (2007): N clients together have the rate

    X(N) = lambda N / (1 + sigma (N - 1) + kappa N (N - 1))

with lambda the rate of one client, sigma the share that only one can do at a time
(contention) and kappa what each pair of clients costs (coherency). Fitted are the means
of logarithms by dop. The 95% intervals are those of the profile likelihood: every value
that a law has whose fit is not significantly worse than the best one's, so they hold at
sigma 0 and kappa 0 too, where no peak exists.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated

import numpy as np
import pandas as pd

from benchmath.frames import (
    Kind,
    MetricFrame,
    cells_of,
    dimensions_of,
    row_per_group,
    select,
)
from benchmath.intervals import LEVEL, f_quantile, f_tail, t_quantile

FEWEST = 5  # numbers of clients: three parameters, and two more to see whether they fit
LEAST_SPAN = 4  # of the most to the fewest clients
LACK = (
    0.05  # a mean so far from the curve, and not by chance: the law does not describe it
)
IN_PROPORTION = 0.8  # efficiency at the most clients of any law that the runs allow
NO_GAIN = 1.5  # times one client at most: more clients bring nothing that can be told
POOLED = 0.25  # p of the lack of fit above which it is taken for noise of the runs
PARAMETERS = ("lambda", "sigma", "kappa", "peak", "peak_rate", "gain")
REFUSED, NOISY, MISFIT = "refused", "too noisy", "not by the law"
PEAKS, BEYOND, OPEN = "peaks", "peaks beyond", "open"
PROPORTIONAL, FLAT = "in proportion", "no gain"

SCALING = Kind("scaling", (
    "unit", "dops", "runs", "least", "most",
    *(f"{p}{end}" for p in PARAMETERS for end in ("", "_low", "_high")),
    "run_sd", "lack_p", "worst", "worst_dop", "fastest", "like_fastest", "cpus",
    "answer", "note",
))  # fmt: skip
ScalingFrame = Annotated[pd.DataFrame, SCALING]
ESTIMATES = Kind("estimates", ("parameter", "value", "low", "high", "unit"))
CURVES = Kind("curves", ("unit", "clients", "rate", "ideal"))
EFFICIENCY = Kind("efficiency", (
    "unit", "n", "rate", "rate_low", "rate_high", "speedup", "speedup_low",
    "speedup_high", "efficiency", "efficiency_low", "efficiency_high", "note",
))  # fmt: skip
EfficiencyFrame = Annotated[pd.DataFrame, EFFICIENCY]

_SIGMAS = np.concatenate([[0.0], np.geomspace(1e-6, 1e2, 97)])
_KAPPAS = np.concatenate([[0.0], np.geomspace(1e-9, 1e2, 133)])
_STARTS = ((0.05, 1e-3), (0.0, 1e-5), (1.0, 0.1))
_TINY = 1e-18  # of a sum of squared logarithms: digits of the machine


@dataclass(frozen=True)
class Means:
    """Logarithms of rates by number of clients: mean and runs of each, and their noise.

    ``noise`` is the sum of squares of the runs around their own means, with ``noise_df``.
    """

    clients: np.ndarray
    logs: np.ndarray
    runs: np.ndarray
    noise: float = 0.0
    noise_df: int = 0

    def squares(self, sigma: np.ndarray, kappa: np.ndarray) -> np.ndarray:
        """Squared deviations from the law with the best lambda, weighted by the runs."""
        rest = self._rest(sigma, kappa)
        return np.asarray((self.runs * (rest - self._mean(rest)[..., None]) ** 2).sum(-1))

    def log_lambda(self, sigma: np.ndarray, kappa: np.ndarray) -> np.ndarray:
        """The best lambda beside sigma and kappa, as a logarithm."""
        return self._mean(self._rest(sigma, kappa))

    def residuals(self, parameters: np.ndarray) -> np.ndarray:
        rest = self._rest(*np.asarray(parameters)[:, None])
        return np.asarray(np.sqrt(self.runs) * (rest - self._mean(rest)[..., None]))[0]

    def _rest(self, sigma: np.ndarray, kappa: np.ndarray) -> np.ndarray:
        """What lambda would have to be at each number of clients, as logarithms."""
        n = self.clients
        shared = np.asarray(sigma)[..., None] * (n - 1)
        paired = np.asarray(kappa)[..., None] * (n * (n - 1))
        return np.asarray(self.logs - np.log(n) + np.log1p(shared + paired))

    def _mean(self, rest: np.ndarray) -> np.ndarray:
        return np.asarray((self.runs * rest).sum(-1) / self.runs.sum())


@dataclass(frozen=True)
class Law:
    """The law that fits best, and what else the runs allow."""

    means: Means
    sigma: float
    kappa: float
    level: float = LEVEL

    @property
    def deviations(self) -> np.ndarray:
        """Each mean over the curve, minus 1."""
        off = self.means.residuals(np.array([self.sigma, self.kappa]))
        return np.expm1(off / np.sqrt(self.means.runs))

    @property
    def lack_p(self) -> float:
        """Would the noise of the runs alone bend their means so far off the curve?

        The F test of pure error; NaN where no number of clients has two runs.
        """
        if not self.means.noise_df:
            return float("nan")
        lack, pure = self._lack, self.means.noise / self.means.noise_df
        if pure <= _TINY:
            return 1.0 if lack <= _TINY else 0.0
        return float(f_tail(lack / pure, self._lack_df, self.means.noise_df))

    @property
    def variance(self) -> tuple[float, int]:
        """Of one run around the curve, with its degrees of freedom.

        Where the means lie off the curve by more than runs explain, what they are off by
        is the noise; else both are one (T. A. Bancroft's preliminary test, at .25).
        """
        if self.means.noise_df and self.lack_p > POOLED:
            df = self._lack_df + self.means.noise_df
            return (self._lack * self._lack_df + self.means.noise) / df, df
        return self._lack, self._lack_df

    def is_proportional(self) -> bool:
        """Is no contention at all a law that the runs allow?"""
        variance, df = self.variance
        worst = self._least + 2 * variance * f_quantile(self.level, 2, df) + _TINY
        return bool(self.means.squares(np.zeros(1), np.zeros(1))[0] <= worst)

    def least_efficiency(self) -> float:
        """Of all laws that the runs allow, the least rate over proportion at the end."""
        sigma, kappa = self._region
        n = self.means.clients.max()
        return float((1 / (1 + sigma * (n - 1) + kappa * n * (n - 1))).min())

    def estimates(self) -> dict[str, tuple[float, float, float]]:
        """Each parameter with its bounds; a bound that no run sets is infinite."""
        best = self._values(self._sigma, self._kappa)
        sigma, kappa = self._region
        slack = np.sqrt(np.maximum(self._limit - self.means.squares(sigma, kappa), 0))
        free = np.exp(slack / np.sqrt(self.means.runs.sum()))  # of lambda, beside the two
        values = self._values(sigma, kappa)
        estimates = {}
        for name, value in values.items():
            factor = free if name in ("lambda", "peak_rate") else np.ones(1)
            low, high = float((value / factor).min()), float((value * factor).max())
            if name in ("sigma", "kappa") and high >= 0.99 * _KAPPAS[-1]:
                high = np.inf
            estimates[name] = (float(best[name][0]), low, high)
        return estimates

    @property
    def _sigma(self) -> np.ndarray:
        return np.array([self.sigma])

    @property
    def _kappa(self) -> np.ndarray:
        return np.array([self.kappa])

    @cached_property
    def _least(self) -> float:
        return float(self.means.squares(self._sigma, self._kappa)[0])

    @property
    def _lack_df(self) -> int:
        return len(self.means.clients) - 3

    @property
    def _lack(self) -> float:
        return self._least / self._lack_df

    @cached_property
    def _limit(self) -> float:
        """The squares of the worst law that the runs allow."""
        variance, df = self.variance
        return self._least + variance * float(f_quantile(self.level, 1, df)) + _TINY

    def _values(self, sigma: np.ndarray, kappa: np.ndarray) -> dict[str, np.ndarray]:
        """What a reader wants to know of laws; a rate without a peak is its limit."""
        one = np.exp(self.means.log_lambda(sigma, kappa))
        with np.errstate(divide="ignore", invalid="ignore"):
            peak = np.sqrt(np.maximum(1 - sigma, 0) / kappa)
            peak = np.where(sigma >= 1, 1.0, np.maximum(peak, 1.0))
            cost = 1 + sigma * (peak - 1) + kappa * peak * (peak - 1)
            gain = np.where(np.isinf(peak), 1 / sigma, peak / cost)
        return {
            "lambda": one, "sigma": sigma, "kappa": kappa, "peak": peak,
            "peak_rate": one * gain, "gain": gain,
        }  # fmt: skip

    @cached_property
    def _region(self) -> tuple[np.ndarray, np.ndarray]:
        """Pairs of sigma and kappa that the runs allow, its edges among them."""
        low, high = self._kappa_bounds()
        inner = np.geomspace(max(low, high * 1e-6), high, 50) if high else [0.0]
        kappas = np.unique([*np.linspace(low, high, 51), *inner, self.kappa])
        kappas = kappas[(kappas >= low) & (kappas <= high)]
        best, squares = self._valley(kappas)
        best = np.where(kappas == self.kappa, self.sigma, best)
        allowed = (squares <= self._limit) | (kappas == self.kappa)
        kappas, best = kappas[allowed], best[allowed]
        left, right = self._edge(kappas, best, down=True), self._edge(kappas, best)
        share = (1 - np.cos(np.linspace(0, np.pi, 25))) / 2  # dense at both edges
        across = left[:, None] + (right - left)[:, None] * share
        sigma = np.concatenate([across, best[:, None]], axis=1)
        return sigma.ravel(), np.repeat(kappas, sigma.shape[1])

    def _valley(self, kappas: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The best sigma beside each kappa, and its squares."""
        grid = np.broadcast_to(_SIGMAS, (len(kappas), len(_SIGMAS)))
        for _ in range(4):
            squares = self.means.squares(grid, kappas[:, None])
            place = squares.argmin(axis=1)[:, None]
            below = np.take_along_axis(grid, np.maximum(place - 1, 0), 1)
            above = np.take_along_axis(grid, np.minimum(place + 1, grid.shape[1] - 1), 1)
            best = np.take_along_axis(grid, place, 1)[:, 0]
            least = np.take_along_axis(squares, place, 1)[:, 0]
            grid = below + (above - below) * np.linspace(0, 1, 41)
        return best, least

    def _kappa_bounds(self) -> tuple[float, float]:
        """The least and the largest kappa that some allowed law has."""

        def allowed(kappas: np.ndarray) -> np.ndarray:
            return self._valley(kappas)[1] <= self._limit

        inside = allowed(_KAPPAS)
        below = _KAPPAS[~inside & (self.kappa > _KAPPAS)]
        above = _KAPPAS[~inside & (self.kappa < _KAPPAS)]
        low = _crossing(allowed, self.kappa, below[-1]) if len(below) else 0.0
        high = _crossing(allowed, self.kappa, above[0]) if len(above) else _KAPPAS[-1]
        return low, high

    def _edge(
        self, kappas: np.ndarray, best: np.ndarray, down: bool = False
    ) -> np.ndarray:
        """The last sigma that is allowed beside each kappa, up or down from the best."""
        inside = best.copy()
        outside = np.zeros_like(best) if down else np.full_like(best, _SIGMAS[-1])
        at_end = self.means.squares(outside, kappas) <= self._limit
        for _ in range(50):
            middle = (inside + outside) / 2
            good = self.means.squares(middle, kappas) <= self._limit
            inside, outside = (
                np.where(good, middle, inside),
                np.where(good, outside, middle),
            )
        end = 0.0 if down else float(_SIGMAS[-1])
        return np.where(at_end, end, inside)


def _crossing(
    allowed: Callable[[np.ndarray], np.ndarray], inside: float, outside: float
) -> float:
    """Where what is allowed ends, between a value that is and one that is not."""
    for _ in range(5):
        values = np.linspace(inside, outside, 26)
        good = allowed(values)
        good[0] = True
        last = int(np.argmin(good)) - 1 if not good.all() else len(values) - 2
        inside, outside = values[last], values[last + 1]
    return float(inside)


def fitted(means: Means, level: float = LEVEL) -> Law:
    """The law by non-linear least squares, sigma and kappa at least 0."""
    from scipy import optimize  # slow to import, and seldom asked for

    bounds = ((0.0, 0.0), (_SIGMAS[-1], _KAPPAS[-1]))
    candidates = [(0.0, 0.0)]
    for start in _STARTS:
        fit = optimize.least_squares(
            means.residuals, start, bounds=bounds, method="dogbox", x_scale="jac",
            xtol=1e-12, ftol=1e-12, gtol=1e-14,
        )  # fmt: skip
        sigma, kappa = map(float, fit.x)
        candidates += [(sigma, kappa), (sigma, 0.0), (0.0, kappa)]
    sigmas, kappas = np.array(candidates).T
    squares = means.squares(sigmas, kappas)
    good = squares <= squares.min() * (1 + 1e-9) + 1e-24
    simplest = min(np.flatnonzero(good), key=lambda i: (sigmas[i] > 0) + (kappas[i] > 0))
    return Law(means, float(sigmas[simplest]), float(kappas[simplest]), level)


def means_of(clients: Sequence[float], rates: Sequence[float]) -> Means:
    """The means of runs: ``clients`` and ``rates`` have one value per run."""
    logs = pd.Series(np.log(np.asarray(rates, dtype=float)))
    grouped = logs.groupby(np.asarray(clients, dtype=float))
    n = grouped.size().to_numpy(dtype=float)
    noise = float(((logs - grouped.transform("mean")) ** 2).sum())
    dops = np.array(list(grouped.groups), dtype=float)
    mean = grouped.mean().to_numpy()
    return Means(dops, mean, n, noise, int(n.sum()) - len(n))


def scaling(
    frame: MetricFrame, cpus: Mapping[str, int] | None = None, level: float = LEVEL
) -> ScalingFrame:
    """The law of each cell and step, by the throughput of runs that differ in dop.

    ``cpus`` has the CPUs of each run, by run_id.

    Columns: every dimension but dop, step, op, clock, metric, unit, dops (how many
    numbers of clients), runs, least and most (clients), each of ``PARAMETERS`` with its
    bounds (peak in clients, peak_rate that of the peak, gain over one client), run_sd
    (stddev of the logarithm of one run), lack_p (p of the lack of fit), worst (the mean
    farthest from the curve, over it minus 1) and worst_dop, fastest (the dop with the
    highest mean), like_fastest (dops that cannot be told from it), cpus (that all of its
    runs had; NA where they differ or nobody says), answer, note.

    answer: ``peaks`` (with 95% confidence, at most at the most clients measured), ``peaks
    beyond`` these, ``open`` (maybe never), ``in proportion`` (no contention detected, and
    any that the runs allow costs at most a fifth), ``no gain`` (nor any detected over one
    client), ``too noisy`` (neither can be said), ``not by the law`` (means lie off the
    curve by 5% and more, not by chance) or ``refused``, with the reason in note.
    """
    dims = [d for d in dimensions_of(frame) if d != "dop"]
    rows = select(frame, "throughput")
    keys = [k for k in cells_of(rows) if k != "dop"]

    def row(runs: pd.DataFrame) -> dict[str, object]:
        counts = {(cpus or {}).get(str(run)) for run in runs["run_id"]}
        same = counts.pop() if len(counts) == 1 else None
        return _row(runs, level) | {"cpus": same}

    table = row_per_group(rows, keys, row, SCALING.columns)
    table = table.astype({"cpus": "Int64"})
    return SCALING.of(table, [*dims, *(k for k in keys if k not in dims)])


def estimates(law: ScalingFrame) -> pd.DataFrame:
    """One row per test and parameter, with its interval; nothing of what was refused."""
    keys = SCALING.keys(law)
    units = {"sigma": "ratio", "kappa": "ratio", "peak": "clients", "gain": "ratio"}
    rows = [
        {k: row[k] for k in keys}
        | {"parameter": name, "value": row[name], "low": row[f"{name}_low"],
           "high": row[f"{name}_high"], "unit": units.get(name, row["unit"])}
        for row in law[law["answer"] != REFUSED].to_dict("records")
        for name in PARAMETERS
    ]  # fmt: skip
    table = pd.DataFrame(rows, columns=[*keys, *ESTIMATES.columns])
    return ESTIMATES.of(table, keys)


def curves(law: ScalingFrame, points: int = 49) -> pd.DataFrame:
    """Each fitted law as points, and as many clients without any contention.

    ``ideal`` ends where it leaves the picture, a fifth above the fastest of the law.
    """
    keys = SCALING.keys(law)
    parts = []
    for row in law[law["answer"] != REFUSED].to_dict("records"):
        n = np.geomspace(row["least"], row["most"], points)
        cost = 1 + row["sigma"] * (n - 1) + row["kappa"] * n * (n - 1)
        rate, ideal = row["lambda"] * n / cost, row["lambda"] * n
        ideal = np.where(ideal <= 1.2 * rate.max(), ideal, np.nan)
        part = pd.DataFrame(
            {"unit": row["unit"], "clients": n, "rate": rate, "ideal": ideal}
        )
        parts.append(part.assign(**{k: row[k] for k in keys}))
    if not parts:
        return pd.DataFrame(columns=[*keys, *CURVES.columns])
    return CURVES.of(pd.concat(parts, ignore_index=True), keys)


def efficiency(relative: pd.DataFrame, rates: pd.DataFrame) -> EfficiencyFrame:
    """How many times one client's rate the clients have, and that over their number.

    ``relative`` is the frame of ``ratios.relative`` with one client as the base,
    ``rates`` that of ``ratios.summary``: both have a row per cell and step. Columns: the
    dimensions, step, op, clock, metric, unit, n, rate, speedup and efficiency with their
    bounds, note.
    """
    keys = [c for c in rates.columns if c in relative.columns and c not in _VALUES]
    bounds = {"low": "rate_low", "high": "rate_high", "value": "rate"}
    own = rates.rename(columns=bounds)[[*keys, "unit", "n", *bounds.values()]]
    names = {"relative": "speedup", "low": "speedup_low", "high": "speedup_high"}
    ratios = relative.rename(columns=names)[[*keys, *names.values(), "note"]]
    table = own.merge(ratios, on=keys, how="left", validate="1:1")
    one = table["dop"].astype(str) == "1"
    table.loc[one, list(names.values())] = 1.0
    clients = table["dop"].astype(float)
    for name in names.values():
        table[name.replace("speedup", "efficiency")] = table[name] / clients
    return EFFICIENCY.of(table, keys)


_VALUES = {"unit", "direction", "n", "value", "low", "high", "min", "max", "note"}


def _row(runs: pd.DataFrame, level: float) -> dict[str, object]:
    """What the runs of one cell and step say."""
    dops, rates = runs["dop"].astype(int), runs["value"].astype(float)
    facts: dict[str, object] = {
        "unit": runs["unit"].iloc[0], "dops": dops.nunique(), "runs": len(runs),
        "least": int(dops.min()), "most": int(dops.max()),
    }  # fmt: skip
    why = _refusal(dops, rates)
    if why:
        return facts | {"answer": REFUSED, "note": why}
    means = means_of(dops.to_numpy(), rates.to_numpy())
    law = fitted(means, level)
    found = law.estimates()
    for name, (value, low, high) in found.items():
        facts |= {name: value, f"{name}_low": low, f"{name}_high": high}
    worst = int(np.abs(law.deviations).argmax())
    first = int(means.logs.argmax())
    return facts | {
        "run_sd": float(np.sqrt(law.variance[0])),
        "lack_p": law.lack_p,
        "worst": float(law.deviations[worst]),
        "worst_dop": int(means.clients[worst]),
        "fastest": int(means.clients[first]),
        "like_fastest": _alike(means, first, level),
        "answer": _answer(law, found["peak"], found["gain"]),
        "note": "" if means.noise_df else "one run each: noise and lack of fit are one",
    }


def _refusal(dops: pd.Series, rates: pd.Series) -> str:
    """Why there is nothing to fit; nothing where there is."""
    different, most, least = dops.nunique(), int(dops.max()), int(dops.min())
    if (rates <= 0).any():
        return "a run of 0 operations: no law"
    if different < FEWEST:
        numbers = "number" if different == 1 else "numbers"
        return (
            f"{different} {numbers} of clients: a law takes {FEWEST}, with two to spare"
        )
    if most < LEAST_SPAN * least:
        return f"{least} to {most} clients: too close together to show contention"
    return ""


def _answer(
    law: Law, peak: tuple[float, float, float], gain: tuple[float, float, float]
) -> str:
    most = float(law.means.clients.max())
    if law.lack_p < 1 - law.level and np.abs(law.deviations).max() > LACK:
        return MISFIT
    if law.is_proportional():
        return PROPORTIONAL if law.least_efficiency() >= IN_PROPORTION else NOISY
    if gain[1] <= 1:
        return FLAT if gain[2] <= NO_GAIN else NOISY
    if not np.isfinite(peak[2]):
        return OPEN
    return PEAKS if peak[2] <= most else BEYOND


def _alike(means: Means, first: int, level: float) -> str:
    """The other dops whose runs are not surely slower than the fastest, as words."""
    if not means.noise_df:
        return ""
    spread = means.noise / means.noise_df * (1 / means.runs + 1 / means.runs[first])
    limit = t_quantile((1 + level) / 2, means.noise_df) * np.sqrt(spread)
    alike = means.logs[first] - means.logs <= limit
    names = [f"{n:g}" for i, n in enumerate(means.clients) if alike[i] and i != first]
    return ", ".join(names)
