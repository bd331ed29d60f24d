"""Findings are sentences made of the numbers in the tables."""

import pandas as pd

from benchbook.findings.variation import (
    drift_finding,
    gains_finding,
    instructions_finding,
    variation_finding,
)


def ratios(*rows):
    """(me, step, relative, low, high, better) against the base `old`."""
    frame = pd.DataFrame(
        rows, columns=["me", "step", "relative", "low", "high", "better"]
    )
    detected = pd.array([b is not None for b in frame["better"]], dtype="boolean")
    better = pd.array(list(frame["better"]), dtype="boolean")
    return frame.assign(base="old", detected=detected, better=better)


def test_variation_counts_only_what_is_sure():
    """Under, over and undecided are told apart by the interval's verdict."""
    rows = [
        ("none", "a", 0.01, 0.005, 0.02, "under 3%"),
        ("none", "b", 0.10, 0.05, 0.30, "over 3%"),
        ("none", "c", 0.02, 0.01, 0.09, "cannot tell with 3 trials"),
    ]
    frame = pd.DataFrame(
        rows, columns=["placement", "step", "cov", "low", "high", "verdict"]
    ).assign(limit=0.03)
    said = variation_finding(frame, by=["placement"]).data

    assert "the CoV is below 3% in 1, above it in 1 and undecided in 1." in said
    assert "the largest 10.0% [5.0%, 30.0%] (b)" in said


def test_drift_names_the_step_that_moved_most():
    """Only detected trends count."""
    frame = pd.DataFrame(
        {
            "step": ["a", "b"],
            "change_pct": [-7.5, 1.0],
            "detected": pd.array([True, False], dtype="boolean"),
        }
    )

    assert "1 of 2 steps drifted" in drift_finding(frame).data
    assert "a most: -7.5%" in drift_finding(frame).data


def builds(step, **columns):
    """Instruction counts of builds named a, b, ..."""
    zero = dict.fromkeys(("crc32", "pclmul", "xmm", "ymm", "zmm"), 0)
    n = len(next(iter(columns.values())))
    frame = pd.DataFrame({"step": [step] * n, "build": list("abc"[:n])} | zero | columns)
    return frame.assign(all=100)


def test_builds_with_the_crc_instruction_are_counted():
    """A build that looks up a table has no crc32."""
    said = instructions_finding(builds("crc32c", crc32=[24, 0])).data

    assert "**crc32c**: 1 of 2 builds uses the crc32 instruction." == said


def test_vector_width_is_the_widest_register_used():
    """A build that has zmm counts as 512-bit even if it has xmm too."""
    said = instructions_finding(builds("xxh3", xmm=[5, 9], zmm=[7, 0])).data

    assert (
        "**xxh3**: 1 build on 512-bit vectors (a) and 1 build on 128-bit vectors (b)."
        == said
    )


def test_gain_must_be_sure_and_beyond_the_margin():
    """A ratio inside the margin, or an interval that holds 1, is no reason to choose."""
    frame = ratios(
        ("x", "sure", 1.50, 1.40, 1.60, True),
        ("y", "sure", 1.30, 1.20, 1.40, True),
        ("x", "tiny", 1.01, 1.005, 1.015, True),
        ("x", "vague", 1.20, 0.90, 1.60, None),
    )

    assert (
        "The throughput of old rises to 1.50 times [1.40, 1.60] in **sure** with x. "
        "In tiny and vague no build is more than 2% faster than old with an interval "
        "that excludes 1." == gains_finding(frame, margin=0.02).data
    )
