"""The universal scalability law: parameters, bounds, refusals, what it answers."""

import math
import sys

import numpy as np
import pandas as pd
import pytest
from places import ROOT

from benchmath.ratios.relative import relative, summary
from benchmath.scaling import curves, efficiency, estimates, scaling

sys.path.append(str(ROOT / "tests/benchmarks"))
import scaling_coverage

pytestmark = pytest.mark.unit

DOPS = (1, 2, 4, 8, 16, 32)
CURVE = {"sigma": 0.05, "kappa": 0.001}


def rate(clients, sigma, kappa, one=1000.0):
    """Gunther's law, typed out."""
    return one * clients / (1 + sigma * (clients - 1) + kappa * clients * (clients - 1))


def runs(rates, trials=1, **changed):
    """Rows of a metric frame: ``rates`` are by dop; trials are equal."""
    row = {
        "machine": "m1", "machine_id": "id1", "engine": "null", "placement": "none",
        "step": "point-query", "op": "query", "main": True, "clock": "", "metric": "qps",
        "unit": "queries/s", "direction": "higher",
    } | changed  # fmt: skip
    name = " ".join(f"{k}={v}" for k, v in changed.items())
    return [
        row | {"dop": str(dop), "value": float(value), "trial": t,
               "run_id": f"{name} {dop} t{t}"}
        for dop, value in rates.items() for t in range(1, trials + 1)
    ]  # fmt: skip


def exact(sigma, kappa, dops=DOPS):
    return {n: rate(n, sigma, kappa) for n in dops}


def noisy(law, trials=3, noise=0.02, seed=1, dops=DOPS, **changed):
    """Rows around a law, the noise of each run its own."""
    rows = runs(exact(**law, dops=dops), trials, **changed)
    shaken = np.exp(noise * np.random.default_rng(seed).standard_normal(len(rows)))
    return [
        row | {"value": row["value"] * s} for row, s in zip(rows, shaken, strict=True)
    ]


def law_of(rows):
    """The one row of the law of some runs."""
    table = scaling(pd.DataFrame(rows))
    assert 1 == len(table)
    return table.iloc[0]


@pytest.mark.parametrize(
    ("sigma", "kappa"), [(0.05, 0.001), (0.5, 0.02), (0.0, 0.01), (0.1, 0.0), (2.0, 0.0)]
)
def test_parameters_of_an_exact_curve_are_found(sigma, kappa):
    """Without noise the fit is the law, on the bounds too."""
    law = law_of(runs(exact(sigma, kappa)))

    assert math.isclose(1000, law["lambda"], rel_tol=1e-9)
    assert math.isclose(sigma, law["sigma"], abs_tol=1e-9)
    assert math.isclose(kappa, law["kappa"], abs_tol=1e-9)


def test_peak_by_hand():
    """sigma .19 and kappa .01: sqrt(.81 / .01) = 9 clients, 9 / (1 + 1.52 + .72) gain."""
    law = law_of(runs(exact(0.19, 0.01)))

    assert math.isclose(9, law["peak"], rel_tol=1e-6)
    assert math.isclose(9 / 3.24, law["gain"], rel_tol=1e-6)
    assert math.isclose(1000 * 9 / 3.24, law["peak_rate"], rel_tol=1e-6)
    assert "peaks" == law["answer"]


def test_without_coherency_there_is_no_peak():
    """kappa 0 and sigma .1: no number of clients is the last, 10 times one the limit."""
    law = law_of(runs(exact(0.1, 0.0)))

    assert math.inf == law["peak"]
    assert math.isclose(10, law["gain"], rel_tol=1e-6)
    assert "open" == law["answer"]


def test_more_than_one_at_a_time_costs_peaks_at_one_client():
    """sigma 2: two clients do less than one, so one client is the peak, its gain 1."""
    law = law_of(runs(exact(2.0, 0.0)))

    assert (1, 1) == (law["peak"], law["gain"])


def test_equal_rates_per_client_are_in_proportion():
    """No contention is a law that these runs allow: nothing says where it ends."""
    law = law_of(noisy({"sigma": 0.0, "kappa": 0.0}))

    assert "in proportion" == law["answer"]
    assert (0, 0) == (law["sigma_low"], law["kappa_low"])
    assert math.inf == law["peak_high"]


def test_interval_is_not_cut_where_kappa_may_be_0():
    """Up to 8 clients coherency of .0005 is below the noise: the peak is unbounded."""
    law = law_of(noisy({"sigma": 0.1, "kappa": 0.0005}, dops=(1, 2, 3, 4, 6, 8)))

    assert 0 == law["kappa_low"]
    assert math.inf == law["peak_high"]
    assert math.isfinite(law["peak_low"])
    assert "open" == law["answer"]


def test_peak_behind_the_most_clients_is_beyond():
    """Up to 16 clients of a curve whose peak is 30.8: bounded, and not measured."""
    law = law_of(noisy(CURVE, noise=0.002, dops=(1, 2, 4, 8, 12, 16)))

    assert 16 < law["peak_low"] < 30.8 < law["peak_high"]
    assert "peaks beyond" == law["answer"]


def test_profile_interval_of_sigma_is_where_the_squares_reach_the_limit():
    """At its bound the best fit is worse by the F quantile times the variance."""
    case = scaling_coverage.Case(0.05, 0.001, dops=DOPS, trials=3, noise=0.02)
    law = scaling_coverage.drawn(case, np.random.default_rng(1))
    low = law.estimates()["sigma"][1]
    kappas = np.linspace(0, 0.005, 20001)

    squares = law.means.squares(np.full_like(kappas, low), kappas).min()

    variance, df = law.variance
    assert 15 == df
    best = law.means.squares(np.array([law.sigma]), np.array([law.kappa]))[0]
    assert math.isclose(4.543077165, (squares - best) / variance, rel_tol=0.01)


@pytest.mark.slow
def test_intervals_hold_the_truth():
    """Of 40 seeded studies with 3% of noise about 38 hold it, and 35 at least."""
    case = scaling_coverage.Case(0.05, 0.001, trials=3)

    shares = scaling_coverage.scored(case, 40, np.random.default_rng(1))

    assert all(shares[name] >= 87.5 for name in scaling_coverage.SCORED)


def test_bent_curve_is_not_called_a_law():
    """Two CPUs: proportional to 2 clients, flat from there; trials agree within 0.5%."""
    flat = {1: 1000, 2: 2000, 4: 2000, 8: 2000, 16: 2000, 32: 2000}
    rows = [r | {"value": r["value"] * s} for r, s in zip(
        runs(flat, 3), [0.995, 1, 1.005] * 6, strict=True)]  # fmt: skip

    law = law_of(rows)

    assert "not by the law" == law["answer"]
    assert law["lack_p"] < 0.001
    assert abs(law["worst"]) > 0.05
    assert "2, 4, 8, 16, 32" == ", ".join([str(law["fastest"]), law["like_fastest"]])


def test_what_means_are_off_by_is_noise_of_the_parameters():
    """A bent curve has wider intervals than the same noise around the law."""
    bent = {**exact(**CURVE), 4: 1.1 * rate(4, **CURVE)}
    rows = [r | {"value": r["value"] * s} for r, s in zip(
        runs(bent, 3), [0.995, 1, 1.005] * 6, strict=True)]  # fmt: skip

    off, on = law_of(rows), law_of(noisy(CURVE, noise=0.005))

    assert off["lack_p"] < 0.05
    assert off["sigma_high"] - off["sigma_low"] > 3 * (on["sigma_high"] - on["sigma_low"])


def test_one_run_each_cannot_tell_noise_from_lack_of_fit():
    """The residuals are all there is; the note says so."""
    law = law_of(noisy(CURVE, trials=1))

    assert math.isnan(law["lack_p"])
    assert "one run each: noise and lack of fit are one" == law["note"]


@pytest.mark.parametrize(
    ("rates", "why"),
    [
        (exact(**CURVE, dops=(1, 2, 4, 8)),
         "4 numbers of clients: a law takes 5, with two to spare"),
        (exact(**CURVE, dops=(8, 9, 10, 11, 12)),
         "8 to 12 clients: too close together to show contention"),
        ({1: 1000, 2: 2000, 4: 0, 8: 100, 16: 90}, "a run of 0 operations: no law"),
    ],
)  # fmt: skip
def test_too_little_is_refused_in_words(rates, why):
    """No exception: a row without parameters that says why."""
    law = law_of(runs(rates))

    assert ("refused", why) == (law["answer"], law["note"])
    assert pd.isna(law["sigma"])


def test_each_placement_has_a_law_of_its_own():
    """A dimension beside dop tells curves apart."""
    rows = [
        *runs(exact(0.9, 0.001), placement="0"), *runs(exact(0.1, 0.001), placement="0,1")
    ]  # fmt: skip

    table = scaling(pd.DataFrame(rows)).set_index("placement")

    assert math.isclose(0.9, table.loc["0", "sigma"], rel_tol=1e-6)
    assert math.isclose(0.1, table.loc["0,1", "sigma"], rel_tol=1e-6)


def test_estimates_have_a_row_per_parameter():
    """In the order of the law, in their units."""
    rows = estimates(scaling(pd.DataFrame(runs(exact(0.19, 0.01)))))

    assert ["lambda", "sigma", "kappa", "peak", "peak_rate", "gain"] == list(
        rows["parameter"]
    )
    assert ["queries/s", "ratio", "ratio", "clients", "queries/s", "ratio"] == list(
        rows["unit"]
    )


def test_curve_runs_through_the_law_and_ideal_ends_in_the_picture():
    """From 1 to 32 clients; as many without contention while at most 1.2 of the peak."""
    law = scaling(pd.DataFrame(runs(exact(0.19, 0.01))))

    points = curves(law)

    assert (1, 32) == (points["clients"].iloc[0], points["clients"].iloc[-1])
    assert math.isclose(1000, points["rate"].iloc[0], rel_tol=1e-6)
    assert points["ideal"].max() <= 1.2 * points["rate"].max()
    assert points["ideal"].isna().any()


def test_refused_law_has_no_curve():
    """Nothing is drawn, nothing estimated."""
    law = scaling(pd.DataFrame(runs({1: 1000, 2: 1500})))

    assert curves(law).empty
    assert estimates(law).empty


def test_efficiency_is_the_speedup_over_the_clients():
    """4 clients with 3 times one client's rate have an efficiency of .75."""
    frame = pd.DataFrame(
        [
            *runs({1: 990, 4: 2970}, engine="null"),
            *[r | {"trial": 2, "run_id": r["run_id"] + " again"}
              for r in runs({1: 1010, 4: 3030})],
        ]
    )  # fmt: skip
    table = efficiency(relative(frame, {"dop": "1"}), summary(frame)).set_index("dop")

    assert math.isclose(3, table.loc["4", "speedup"])
    assert math.isclose(0.75, table.loc["4", "efficiency"])
    assert math.isclose(
        table.loc["4", "speedup_low"] / 4, table.loc["4", "efficiency_low"]
    )
    assert (1, 1) == (table.loc["1", "efficiency"], table.loc["1", "efficiency_low"])
