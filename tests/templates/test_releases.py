"""What versions changed, workload by workload, and falsehoods planted in it."""

import re

import pandas as pd
import pytest

from benchbook.audit.claims import claim_contradictions
from benchbook.audit.quantifiers import unborne
from benchbook.audit.words import unclaimed
from benchbook.finding import Finding
from benchbook.posts.audit import _texts
from benchbook.templates.db_bench_versions.finding import releases_finding

pytestmark = pytest.mark.unit
NONE = pd.DataFrame(columns=["boundary", "hit"])


def judged(*cells):
    """(workload, version, ratio) of steps a and b; known to 1%."""
    rows = [
        {
            "workload": workload, "me": me, "version": me, "base": "6", "step": step,
            "relative": ratio, "low": ratio - 0.01, "high": ratio + 0.01, "margin": 0.02,
            "verdict": "improved" if ratio > 1 else "regressed", "p": 0.001, "q": 0.001,
            "further_runs": pd.NA, "detected": True, "unit": "queries/s",
        }
        for workload, me, ratio in cells for step in ("a", "b")
    ]  # fmt: skip
    return pd.DataFrame(rows)


def suite(rows):
    """The mean of both steps, which are alike."""
    means = rows[rows["step"] == "a"]
    return means.assign(step="suite", group="suite", steps=2)


def contradictions(finding):
    """Everything that the auditor says of the sentences."""
    claims, text = finding.claims, str(finding.data)
    return [
        *claim_contradictions("x", claims, finding.frames),
        *unclaimed(text, claims, _texts(finding.frames)),
        *unborne(text, claims),
    ]


def finding():
    """Cached faster, from the device slower."""
    rows = judged(
        ("byrx", "7", 1.05), ("iodir", "7", 0.99), ("byrx", "8", 1.1), ("iodir", "8", 0.7)
    )  # fmt: skip
    return releases_finding(rows, suite(rows), NONE)


def test_the_first_sentence_is_of_the_newest_version_and_one_workload():
    """Cached first, as in the rows; the others back in time."""
    text = str(finding().data)

    assert text.startswith(
        "**Cached by RocksDB (byrx)**: in the geometric mean of 2 tests **8** reaches "
        "1.10 [1.09, 1.11] and **7** 1.05 [1.04, 1.06] of the throughput of 6. **8** is "
        "faster than 6 in both tests, most in a (+10% [+9, +11]).\n\n"
        "**From the device (iodir)**: in the geometric mean of 2 tests **8** reaches 0.70"
    )
    assert "**8** is slower than 6 in both tests" in text
    assert "Of 8 comparisons of all versions and workloads 8 differ" in text


def test_the_auditor_believes_what_is_true():
    """Of two workloads that contradict each other."""
    assert [] == contradictions(finding())


@pytest.mark.parametrize("said", ["1.10 [1.09", "faster than 6 in both", "Of 8 comp"])
def test_a_planted_number_is_found(said):
    """The ratio of the other workload, another count of tests, another family."""
    true = finding()
    text = {
        "1.10 [1.09": "1.12 [1.09",
        "faster than 6 in both": "faster than 6 in 3 of 4 tests",
        "Of 8 comp": "Of 77 comp",
    }[said]
    false = re.sub(re.escape(said), text, str(true.data), count=1)

    assert contradictions(Finding(false, true.claims, true.frames))


def test_a_claim_on_another_workloads_row_is_found():
    """The frames of a workload hold its rows alone."""
    true = finding()
    frames = dict(true.frames)
    frames["judged byrx"] = frames["judged iodir"]

    assert contradictions(Finding(str(true.data), true.claims, frames))


def test_a_study_without_workloads_has_one_part():
    """No heading, and the rows are all of them."""
    rows = judged(("x", "7", 1.1)).drop(columns="workload")

    text = str(releases_finding(rows, suite(rows), NONE).data)

    assert text.startswith("In the geometric mean of 2 tests **7** reaches 1.10")
