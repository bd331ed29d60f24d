"""A law that its runs do not bear out is found, by arithmetic of the audit's own."""

import pandas as pd
import pytest

from benchbook.audit.scaling import law_contradictions
from benchmath.scaling import scaling

pytestmark = pytest.mark.unit


def study():
    """Runs on a curve with sigma .2 and kappa .01, and their law."""
    rows = [
        {"machine": "m", "machine_id": "i", "engine": "null", "step": "q", "op": "query",
         "clock": "", "metric": "qps", "unit": "queries/s", "direction": "higher",
         "main": True, "trial": t, "run_id": f"{n}.{t}", "dop": n,
         "value": (1 + 0.01 * t) * 1000 * n / (1 + 0.2 * (n - 1) + 0.01 * n * (n - 1))}
        for n in (1, 2, 4, 8, 16) for t in (1, 2)
    ]  # fmt: skip
    frame = pd.DataFrame(rows)
    return frame, scaling(frame).assign(test="q")


def test_fitted_law_is_borne_out():
    """What ``scaling`` says follows from the runs."""
    metric, law = study()

    assert [] == law_contradictions("cell 4", law, metric)


def test_laws_of_a_dimension_of_the_study_are_told_apart():
    """Twice the rate with 8 jobs: each law follows from the runs with its jobs."""
    metric, _ = study()
    more = metric.assign(value=2 * metric["value"], run_id="b" + metric["run_id"])
    both = pd.concat([metric.assign(jobs=2), more.assign(jobs=8)], ignore_index=True)
    law = scaling(both).assign(test="q")

    assert 2 == len(law)
    assert [] == law_contradictions("cell 4", law, both)


@pytest.mark.parametrize(
    ("column", "factor", "gives"),
    [
        ("peak", 1.1, "8.944"), ("gain", 0.9, "2.711"), ("sigma", 1.02, "fit better"),
        ("lambda", 1.5, "1015"), ("kappa_high", 0.5, "not in its interval"),
    ],
)  # fmt: skip
def test_false_law_is_found(column, factor, gives):
    """sqrt(.8 / .01) = 8.944 clients, 8.944 / (1 + 1.589 + .711) = 2.71 times one."""
    metric, law = study()

    said = law_contradictions(
        "cell 4", law.assign(**{column: law[column] * factor}), metric
    )

    assert any(gives in str(one) for one in said), [str(one) for one in said]
