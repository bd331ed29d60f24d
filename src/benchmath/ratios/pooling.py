"""Variance from run to run, borrowed where few runs say little: pooled and moderated.

Three runs tell little of their variance, but the other versions in the same step tell
the same variance, and the other steps of the machine tell which variances to expect.
All variances are of logarithms; groups are machine x step.

* ``pool_runs`` pools the versions of a group and leaves out those whose spread is
  clearly different.
* ``moderate`` draws the pooled variances of many groups towards what they have in
  common.
* ``neighbour_variance`` is the makeshift for versions with one run each.
"""

from typing import NamedTuple

import numpy as np

from benchmath.special import polygamma, special

ODD = 0.01  # chance that a group of equally noisy versions has one left out
_FAR = 0.2  # chance that a machine of steps with one prior has one left out
_FEWEST = 3  # variances that make a prior
_ROUNDING = 1e-12  # a smaller residual of logarithms is that of the arithmetic


class Moderated(NamedTuple):
    """Variances and degrees of freedom after, and the prior that moved them."""

    var: np.ndarray
    df: np.ndarray
    prior_var: float
    prior_df: float


class Runs(NamedTuple):
    """Logarithms of runs and where they belong, as codes from 0.

    ``cell`` and ``block`` (the trial, within its group) are per run, ``group`` is per
    cell. ``paired`` says of each group that differences are taken within blocks: then
    every cell has one run in every block.
    """

    log: np.ndarray
    cell: np.ndarray
    block: np.ndarray
    group: np.ndarray
    paired: np.ndarray


class Pool(NamedTuple):
    """Per group the pooled variance (NaN without) and its df; per cell: left out?"""

    var: np.ndarray
    df: np.ndarray
    odd: np.ndarray


def moderate(var: np.ndarray, df: np.ndarray) -> Moderated:
    """Posterior of variances that are draws around one common variance.

    G. K. Smyth, "Linear Models and Empirical Bayes Methods for Assessing Differential
    Expression in Microarray Experiments", SAGMB 3 (2004), section 6.2: the variances
    are scaled F with ``df`` and prior degrees of freedom, whose moments on the log scale
    give the prior. Infinite prior df means that all are estimates of one variance.
    The posterior is the mean of own and prior, weighted by degrees of freedom.

    Three things differ from the paper. A variance of 0 (equal readings) has no
    logarithm: it takes no part in the prior, but is moderated. A variance so far above
    the prior that chance gives one such in five machines keeps its own, and the prior is
    fitted without it: else the interval of one noisy step (3 times the stddev, df 4)
    among 42 covers 68%, not 87%, at 95% nominal (2,000 machines, seed 1). And the degrees
    of freedom are not the sum of own and prior, up to those of all variances together,
    but 1 / (1/sum + 1/all), because the prior is estimated from those: with 3 steps of
    df 4, one of them 3 times as noisy, 95% intervals then cover 94.5%, not 93.2% (4,000
    machines). Steps need not be independent, but it is better: when runs are good or bad
    in all their steps (correlation .5, 42 steps of 2 versions x 3 runs) coverage is 94%.

    With fewer than three positive variances there is no prior: all stay as they are.
    """
    own = Moderated(var, df, np.nan, 0.0)
    keep = (df > 0) & np.isfinite(var)
    limit = _FAR / max(int(keep.sum()), 1)
    while np.count_nonzero(keep & (var > 0)) >= _FEWEST:
        prior_var, prior_df = _prior(var[keep & (var > 0)], df[keep & (var > 0)])
        with np.errstate(invalid="ignore"):
            near = keep & (_beyond(var / prior_var, df, prior_df) >= limit)
        if (near == keep).all():
            return _posterior(own, keep, prior_var, prior_df)
        keep = near
    return own


def trigamma_inverse(x: float) -> float:
    """The y whose trigamma is x > 0, by Newton's method on 1 / trigamma (Smyth)."""
    if x > 1e7:
        return 1 / np.sqrt(x)
    if x < 1e-6:
        return 1 / x
    y, step = 0.5 + 1 / x, -np.inf
    while -step / y > 1e-10:
        trigamma = float(polygamma(1, y))
        step = trigamma * (1 - trigamma / x) / float(polygamma(2, y))
        y += step
    return y


def pool_runs(runs: Runs) -> Pool:
    """Variance from run to run in each group, pooled over its cells.

    Residuals are those of the cell means or, in paired groups, of the additive model
    cell + block. A cell whose variance differs from that of the others (two-sided F
    test, p below ``ODD`` over the number of cells) is left out, the oddest first, and
    the others are looked at again. In paired groups the test is the exact F test of the
    cell's share of the residuals, which needs three cells. A cell of equal readings is
    never odd: rounding makes them of a small spread.

    ``ODD`` is .01 because sparing a pool costs little and keeping an odd version in it
    much. For 7 versions with 5 runs, one of 3 times the stddev of the others, 95%
    intervals of that version cover 79% if it is never left out, 84% at .001, 87% at .01
    and 90% at .05, those of the others 99, 97, 96 and 95%; with 10 runs 80, 92, 94 and
    94%. Where all are alike, .01 leaves out one version in 700 and .05 one in 140, and
    coverage is 95% (20,000 groups each, seed 2).
    """
    groups = runs.paired.size
    finite = np.bincount(runs.cell, ~np.isfinite(runs.log), runs.group.size) == 0
    kept = finite.copy()
    while True:
        parts = _squares(runs, kept)
        odd = _oddest(_odd_p(parts, runs.group, groups), runs.group, groups)
        if not odd.any():
            break
        kept &= ~odd
    squares, df = (np.bincount(runs.group, part, groups) for part in parts[:2])
    var = squares / np.where(df > 0, df, np.nan)
    return Pool(var, df, finite & ~kept)


def neighbour_variance(means: np.ndarray) -> tuple[float, float]:
    """Variance and df of single values in order, from the steps between neighbours.

    Half the median of the squared steps, so that up to half of the steps may be real
    changes: then it is too high, never too low. J. von Neumann et al., "The Mean Square
    Successive Difference", Ann. Math. Statist. 12 (1941) with the median for the mean.
    0.4549 is the median of chi-square with one degree of freedom; the correction 1.1 / m
    for m steps and the degrees of freedom 0.4 + 0.3 m are fitted to simulated normal
    series: the mean is within 6% of the variance for 3 to 50 values, and 95% intervals of
    two neighbours cover from 100% (3 values) over 99% (7) to 96% (50; 20,000 series each,
    seed 3). NaN and 0 with fewer than two steps, or where the median step is 0.
    """
    steps = np.diff(means[np.isfinite(means)])
    if steps.size < 2 or np.median(np.abs(steps)) < _ROUNDING:
        return np.nan, 0.0
    typical = float(np.median(steps**2)) / 2
    return typical / (0.4549 + 1.1 / steps.size), 0.4 + 0.3 * steps.size


def _prior(var: np.ndarray, df: np.ndarray) -> tuple[float, float]:
    """Common variance and its degrees of freedom, from the moments of the logs."""
    e = np.log(var) - special.psi(df / 2) + np.log(df / 2)
    excess = e.var(ddof=1) - polygamma(1, df / 2).mean()
    if excess <= 0:
        return float(df @ var / df.sum()), np.inf
    half = trigamma_inverse(float(excess))
    return float(np.exp(e.mean() + special.psi(half) - np.log(half))), 2 * half


def _beyond(ratio: np.ndarray, df: np.ndarray, prior_df: float) -> np.ndarray:
    """Chance of a ratio of variance to prior that is at least this large."""
    if np.isinf(prior_df):
        return special.chdtrc(df, df * ratio)
    return special.fdtrc(df, prior_df, ratio)


def _posterior(
    own: Moderated, keep: np.ndarray, prior_var: float, prior_df: float
) -> Moderated:
    var, df = own.var[keep], own.df[keep]
    weight = df / (df + prior_df)  # 0 where the prior's df are infinite
    moved, freedom = own.var.astype(float), own.df.astype(float)
    moved[keep] = weight * var + (1 - weight) * prior_var
    freedom[keep] = 1 / (1 / (df + prior_df) + 1 / df.sum())
    return Moderated(moved, freedom, prior_var, prior_df)


def _squares(runs: Runs, kept: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Per kept cell its residual sum of squares and df, and what it would take along.

    The third is by how much more both sums shrink when the cell leaves the model: 1 in
    the one-way model; k / (k - 1) in the additive model of k cells, where each cell's
    residuals are also part of the block means.
    """
    cells, groups = runs.group.size, runs.paired.size
    used = kept[runs.cell]
    n = np.bincount(runs.cell, used, cells)
    log = np.where(used, runs.log, 0.0)
    centre = np.bincount(runs.cell, log, cells) / np.maximum(n, 1)
    residual = np.where(used, log - centre[runs.cell], 0.0)
    shared = np.bincount(runs.block, residual) / np.maximum(
        np.bincount(runs.block, used), 1
    )
    paired = runs.paired[runs.group]
    residual -= np.where(paired[runs.cell] & used, shared[runs.block], 0.0)
    residual[np.abs(residual) < _ROUNDING] = 0.0
    k = np.maximum(np.bincount(runs.group, kept, groups)[runs.group], 1)
    left = np.where(paired, (k - 1) / k, 1.0)
    df = np.where(kept, np.maximum(n - 1, 0), 0) * left
    squares = np.bincount(runs.cell, residual**2, cells)
    return squares, df, 1 / np.where(left > 0, left, np.nan)


def _odd_p(parts: tuple[np.ndarray, ...], group: np.ndarray, groups: int) -> np.ndarray:
    """Two-sided p of each cell's variance against the others'; NaN if untestable."""
    squares, df, factor = parts
    mine, my_df = squares * factor, df * factor
    others = np.bincount(group, squares, groups)[group] - mine
    others_df = np.bincount(group, df, groups)[group] - my_df
    testable = (my_df > 0) & (others_df > 0.5) & (mine > 0) & (others > _ROUNDING**2)
    with np.errstate(invalid="ignore", divide="ignore"):
        ratio = (mine / my_df) / (others / others_df)
        tails = special.fdtr(my_df, others_df, ratio)
    tails = np.minimum(tails, special.fdtrc(my_df, others_df, ratio))
    return np.where(testable, 2 * tails, np.nan)


def _oddest(p: np.ndarray, group: np.ndarray, groups: int) -> np.ndarray:
    """Of each group the cell of the least p, if that is clear; both of two that tie."""
    tested = np.bincount(group, np.isfinite(p), groups)
    p = np.where(np.isfinite(p), p, np.inf)
    least = np.full(groups, np.inf)
    np.minimum.at(least, group, p)
    clear = least < ODD / np.maximum(tested, 1)
    return clear[group] & (p <= least[group] * (1 + 1e-9))
