"""How far instances of one server type lie apart, and how far runs on one of them.

The logarithm of a rate is the type's mean, plus what the instance is off by, plus what
the run is: a random effect of the instance. Its two variances are estimated by restricted
maximum likelihood (statsmodels), which takes instances with unlike numbers of runs.

The interval of the variance within is that of chi-squared; that of the variance between
is J. S. Williams, "A confidence interval for variance components", Biometrika 49 (1962),
278, which holds at least what it says for equal numbers of runs; for others the mean
number stands in. The mean of a type has Student's interval over its instances' means:
runs on one instance say nothing of the others.
"""

import warnings
from collections.abc import Mapping
from typing import Annotated

import numpy as np
import pandas as pd

from benchmath.frames import Kind, MetricFrame, cells_of, require, row_per_group, select
from benchmath.intervals import (
    LEVEL,
    chi2_quantile,
    f_quantile,
    half_width,
    logs,
    ratio_interval,
)
from benchmath.ratios.power import runs_needed

SERVER, INSTANCE = "server", "machine"
EFFECT = 0.03  # the difference of two types that ``needed`` instances find
INSTANCES = Kind("instances", (
    "unit", "instances", "runs", "rate", "rate_low", "rate_high", "between",
    "between_low", "between_high", "within", "within_low", "within_high", "needed",
))  # fmt: skip
InstanceFrame = Annotated[pd.DataFrame, INSTANCES]
_SERVERS = Kind("server_ratios", (
    "me", "base", "instances", "relative", "low", "high",
))  # fmt: skip


def instance_variation(
    frame: MetricFrame,
    metric: str = "throughput",
    effect: float = EFFECT,
    level: float = LEVEL,
) -> InstanceFrame:
    """A row per server type and what is measured.

    ``frame`` has the column server beside machine, the instance. Columns: the other
    dimensions, unit, instances, runs, rate (geometric mean of the instances' means) with
    interval, between and within (stddevs of logarithms, which are CoVs) with intervals,
    needed (instances of each of two types that find a difference of ``effect`` with 80%
    power, with as many runs each as now; missing where nothing tells).
    """
    rows = select(frame, metric)
    require(rows, (SERVER, INSTANCE))
    keys = [key for key in cells_of(rows) if key != INSTANCE]
    table = row_per_group(
        rows, keys, lambda group: _variation(group, effect, level), INSTANCES.columns
    )
    return INSTANCES.of(table.astype({"needed": "Int64"}), keys)


def server_ratios(
    frame: MetricFrame, base: str, metric: str = "throughput", level: float = LEVEL
) -> pd.DataFrame:
    """The rate of each server type over the ``base`` type's, over their instances.

    A row per other type and what is measured: me, base, instances, relative (geometric
    means of the instances' means) with Welch's interval; none with a single instance.
    """
    rows = select(frame, metric)
    require(rows, (SERVER, INSTANCE))
    keys = [key for key in cells_of(rows) if key not in (INSTANCE, SERVER)]
    found = []
    for labels, group in rows.groupby(keys, sort=False, dropna=False):
        types = group.groupby(SERVER, sort=False)
        means = {str(name): _means(part) for name, part in types}
        for name in [n for n in means if n != base and base in means]:
            interval = ratio_interval(logs(means[name]), logs(means[base]), level)
            values = map(float, interval)
            found.append(
                dict(zip(keys, labels, strict=True))
                | {"me": name, "base": base, "instances": len(means[name])}
                | dict(zip(("relative", "low", "high"), values, strict=True))
            )
    return _SERVERS.of(pd.DataFrame(found, columns=[*keys, *_SERVERS.columns]), keys)


def _means(group: pd.DataFrame) -> np.ndarray:
    """The geometric mean of each instance."""
    means = np.log(group["value"]).groupby(group[INSTANCE], sort=False).mean()
    return np.exp(means.to_numpy())


def _variation(group: pd.DataFrame, effect: float, level: float) -> Mapping[str, object]:
    values = np.log(group["value"].to_numpy(dtype=float))
    instance = pd.factorize(group[INSTANCE])[0]
    sizes = np.bincount(instance)
    means = np.bincount(instance, weights=values) / sizes
    many, runs = len(sizes), len(values)
    alone = {f"{name}{end}": np.nan for name in ("rate", "between", "within")
             for end in ("", "_low", "_high")}  # fmt: skip
    row = {"unit": group["unit"].iloc[0], "instances": many, "runs": runs, **alone}
    row["rate"] = float(np.exp(means.mean()))
    if many > 1:
        error = np.array(means.std(ddof=1) / np.sqrt(many))
        half = float(half_width(error, many - 1, level))
        ends = np.exp([means.mean() - half, means.mean() + half])
        row |= dict(zip(("rate_low", "rate_high"), map(float, ends), strict=True))
    if many > 1 and runs > many:
        row |= _components(values, instance, sizes, means, level)
    spread = np.hypot(row["between"], row["within"] / np.sqrt(runs / many))
    needed = runs_needed(float(spread), effect) if np.isfinite(spread) else None
    return row | {"needed": needed}


def _components(
    values: np.ndarray,
    instance: np.ndarray,
    sizes: np.ndarray,
    means: np.ndarray,
    level: float,
) -> dict[str, float]:
    """Both stddevs with their intervals."""
    above, below = len(sizes) - 1, len(values) - len(sizes)
    within = float(((values - means[instance]) ** 2).sum() / below)
    between = float((sizes * (means - values.mean()) ** 2).sum() / above)
    runs = (len(values) - (sizes**2).sum() / len(values)) / above
    between_var, within_var = _reml(values, instance)
    found = {"between": between_var, "within": within_var}
    for end, share in (("_low", (1 + level) / 2), ("_high", (1 - level) / 2)):
        found[f"within{end}"] = below * within / chi2_quantile(share, below)
        rest = between - within * f_quantile(share, above, below)
        found[f"between{end}"] = above * rest / (runs * chi2_quantile(share, above))
    return {name: float(np.sqrt(max(value, 0.0))) for name, value in found.items()}


def _reml(values: np.ndarray, instance: np.ndarray) -> tuple[float, float]:
    """The variances between and within instances."""
    from statsmodels.regression.mixed_linear_model import MixedLM  # slow to import

    scale = float(values.std())
    if scale == 0:
        return 0.0, 0.0
    model = MixedLM(
        (values - values.mean()) / scale, np.ones((len(values), 1)), groups=instance
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of a variance at its bound, which is an answer
        fitted = model.fit(reml=True)
    between = float(np.asarray(fitted.cov_re)[0, 0])
    return between * scale**2, float(fitted.scale) * scale**2


def price_per_million(rate: pd.Series, price: pd.Series) -> pd.Series:
    """What a million operations cost at a rate [1/s] and a price [per hour]."""
    return price / 3600 / rate * 1e6
