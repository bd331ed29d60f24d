"""The benchmark of turns: its noise, its scores, and that each table is made."""

import sys

import numpy as np
import pandas as pd
import pytest
from places import ROOT

# Appended: a benchmark must not hide a module of another package.
sys.path.append(str(ROOT / "tests/benchmarks"))

import turns

pytestmark = pytest.mark.unit


def test_noise_follows_itself():
    """Lag-1 correlation .7, stddev 1 from the first round on."""
    noise = turns.ar(np.random.default_rng(1), (500, 100), 0.7)

    assert np.corrcoef(noise[:, 1:].ravel(), noise[:, :-1].ravel())[
        0, 1
    ] == pytest.approx(0.7, abs=0.02)
    assert noise.std() == pytest.approx(1, abs=0.02)


def test_step_ends_when_its_rows_are_done():
    """800 rows at 100 and 400 a turn, without slowing: 8 turns and 2."""
    ops = turns.until_done(np.array([[100.0] * 10, [400.0] * 10]) * 10, 0.0)

    assert [8, 2] == (~np.isnan(ops)).sum(axis=1).tolist()
    assert [8000, 8000] == np.nansum(ops, axis=1).tolist()


def test_long_operations_are_counted_where_they_end():
    """Three a turn: about 60 in 20 turns, a tenth of them in the heads."""
    rates = turns.Rates(np.full((2, 50, 20), 3.0), lengths=0.3)
    ops, heads = turns.counts(np.random.default_rng(1), rates)

    assert ops.sum(axis=-1).mean() == pytest.approx(60, rel=0.02)
    assert heads.sum() == pytest.approx(0.1 * ops.sum(), rel=0.1)


def test_one_look_decides_as_normal_theory_says():
    """At 1 and a half-width of 3% only errors are verdicts; at 1.2 all are right."""
    assert turns.fixed(0.0155, 1.0) == pytest.approx(0.05, abs=1e-3)
    assert turns.fixed(0.01, 1.2) == pytest.approx(1, abs=1e-3)


def test_wrong_verdicts_deny_the_truth():
    """1.0 called a change is wrong, and so is .96 called equivalent; undecided never."""
    verdicts = pd.DataFrame({"verdict": ["improved", "equivalent", "undecided"]})

    assert [True, False, False] == turns.wrong(verdicts, 1.0).tolist()
    assert [True, True, False] == turns.wrong(verdicts, 0.96).tolist()


@pytest.mark.slow
def test_tables_of_loads_have_a_column_per_number_of_sessions():
    """What an interval covers stands in its head."""
    table = turns.over_loads(1, 12)

    assert ["1 this load", "2 these loads", "3 loads", "5 loads"] == list(table)[1:]
    assert not table.isna().any(axis=None)


@pytest.mark.slow
@pytest.mark.parametrize("kind", turns.KINDS)
def test_every_kind_of_noise_is_scored(kind):
    """One cell of the table."""
    table = turns.within_a_load(1, 4, [kind], [100])

    assert "±" in table["100 rounds"].iloc[0]


def test_stopping_is_scored():
    """A row per ratio, and their mean; a tenth is decided at once."""
    table = turns.sequential(1, 20, [1.0, 0.9], turns.Budget(looks=4))

    assert ["1.000", "0.900", "all"] == table["ratio"].tolist()
    assert 100 == table["decided"].iloc[1]
    assert table["time"].iloc[1] < 50
