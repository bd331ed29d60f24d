"""Instructions per operation beside the base's, and what is said of profiles."""

import pandas as pd
import pytest

from benchbook.findings.profiles import profile_finding, weights_finding
from benchbook.tables.counted import instructions_table
from benchmath.ratios.instructions import counted_instructions

pytestmark = pytest.mark.unit
BASE = {"version": "1"}


def counts(*values):
    """Rows of l.i0: (version, instructions per row)."""
    return pd.DataFrame(
        [
            {"set": "s.instructions", "engine": "sqlite", "version": version,
             "run_id": str(n), "trial": n, "step": "l.i0", "op": "insert", "clock": "",
             "metric": "instructions_o", "value": value, "unit": "instructions",
             "direction": "lower", "main": False}
            for n, (version, value) in enumerate(values)
        ]
    )  # fmt: skip


def frames(*rows):
    """Rows of explained frames: (frame, difference, detected)."""
    whole = {"whole": 0.25, "whole_low": 0.2, "whole_high": 0.3}
    return pd.DataFrame(
        [
            {"step": "l.i0", "test": "l.i0", "me": "2", "base": "1", "frame": name,
             "difference": change, "detected": sure} | whole
            for name, change, sure in rows
        ]
    )  # fmt: skip


def test_a_ratio_is_to_the_base():
    """4,000 instructions against 5,000 are 0.8, and the base itself is 1."""
    found = counted_instructions(counts(("1", 5000.0), ("2", 4000.0)), BASE)

    assert [("1", 1.0), ("2", 0.8)] == list(zip(found["me"], found["ratio"], strict=True))


def test_what_is_left_of_chance_is_told():
    """Counts of 1,000 and 1,001 differ by a tenth of a percent."""
    found = counted_instructions(counts(("1", 1000.0), ("1", 1001.0)), BASE)

    assert [0.001] == pytest.approx(list(found["spread"]))
    assert "differ by 0.10% at most" in instructions_table(found).as_raw_html()


def test_nothing_counted_is_said():
    """A study without such runs keeps its table."""
    html = instructions_table(counted_instructions(pd.DataFrame(), BASE)).as_raw_html()

    assert "No run of this study was made under callgrind." in html


def test_the_finding_names_what_is_sure():
    """A quarter of a microsecond more, most of it in the one function told from noise."""
    said = profile_finding(frames(("spin", 0.2, True), ("noise", 0.1, False)), "l.i0")

    assert (
        "In l.i0 an operation takes 0.25 µs [0.2, 0.3] more CPU with 2 than with 1; "
        "most of it in `spin` +0.2 µs."
    ) == said.data


def test_the_finding_says_where_nothing_is_sure():
    """No function is named that noise may have made."""
    said = profile_finding(frames(("noise", 0.1, False)), "l.i0")

    assert said.data.endswith("no function's change stands out from noise.")


def test_weights_are_judged_by_perf_report():
    """Counting is 20 points off for the leaf that has 30% of the events."""
    weights = pd.DataFrame(
        [("page-faults", "memset", 30.0, 30.1, 50.0), ("page-faults", "x", 70, 69.9, 50)],
        columns=["event", "leaf", "report_pct", "weighted_pct", "counted_pct"],
    )
    errors = {f"{n}_error": weights[f"{n}_pct"] - weights["report_pct"]
              for n in ("weighted", "counted")}  # fmt: skip
    said = weights_finding(weights.assign(**errors)).data

    assert "wrong by up to **20 points**" in said
    assert (
        "`memset` has 30% of the events by `perf report`, and 50% of the samples" in said
    )
    assert "differs from `perf report` by 0.1 points" in said
