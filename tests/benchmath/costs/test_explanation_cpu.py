"""The CPU behind a change: how it splits the throughput, and whose it is."""

import math

import pandas as pd
import pytest
from explanation_frames import EMBEDDED, SERVER, frame, version

from benchmath.costs.cpu import (
    MACHINE,
    NONE,
    PROCESSES,
    REST,
    WHOLE,
    cpu_parts,
    per_run,
    split,
)
from benchmath.costs.means import mean_differences

pytestmark = pytest.mark.unit

BASE = {"version": "1"}
SLOWER = {"machine_cpu_o": 125.0, "server_user_o": 85.0}
MORE_CPU = frame(version("1"), version("2", 800.0, SERVER | SLOWER))


MORE_SPLIT, MORE_PARTS = (
    split(per_run(MORE_CPU), BASE),
    cpu_parts(per_run(MORE_CPU), BASE),
)


def by_part(table, column, step="l.i1"):
    rows = table[table["step"] == step]
    return dict(zip(rows["part"], rows[column], strict=True))


def test_split_adds_up():
    """20% slower with the same CPUs busy is 25% more CPU per operation."""
    told = by_part(MORE_SPLIT, "log_pct")

    assert 100 * math.log(0.8) == pytest.approx(told["throughput"])
    assert 0 == pytest.approx(told["CPU used"], abs=1e-9)
    assert -100 * math.log(1.25) == pytest.approx(told["CPU per operation"])
    parts = told["CPU used"] + told["CPU per operation"]
    assert told["throughput"] == pytest.approx(parts, abs=1e-9)


def test_split_has_intervals_over_the_trials():
    """What differs is detected, what does not is not; bounds stay in order."""
    found = MORE_SPLIT

    assert {"throughput": True, "CPU used": False, "CPU per operation": True} == {
        part: bool(flag) for part, flag in by_part(found, "detected").items()
    }
    assert (found["log_low"] < found["log_pct"]).all()
    assert (found["log_pct"] < found["log_high"]).all()


def test_cpus_used():
    """1000 inserts of 100 us a second keep a tenth of a CPU busy."""
    found = MORE_SPLIT.set_index("part")

    assert 0.1 == pytest.approx(found.loc["CPU used", "value_base"], rel=1e-3)
    assert ("CPUs", MACHINE) == tuple(found.loc["CPU used", ["unit", "cpu"]])


def test_noise_floor_of_one_run_a_side():
    """With A/A runs a single run a side has intervals, of rate and CPU alike."""
    single = frame(version("1", trials=1), version("2", 800.0, SERVER | SLOWER, 1))
    again = frame(version("1", arm="main"), version("1", arm="again"))
    aa = again.assign(build_no=1, load_no=1, run_id=again["run_id"] + again["arm"])

    found = split(per_run(single.assign(arm="main")), BASE, aa)
    assert [True, False, True] == list(found["detected"])


def test_whole_is_the_machine_unless_its_ticks_are_coarse():
    """100 us x 1000/s x 60 s are 600 ticks, in 6 s 60: then the processes count."""
    long, short = (per_run(frame(version("1", seconds=s))) for s in (60.0, 6.0))

    assert {MACHINE} == set(long["cpu"])
    assert 100 == pytest.approx(long[WHOLE].iloc[0])
    assert {PROCESSES} == set(short["cpu"])
    assert 90 == pytest.approx(short[WHOLE].iloc[0])
    assert short[REST].isna().all()


def test_step_without_recorded_cpu_has_its_throughput_only():
    """Nothing is made up: no CPU, no split."""
    found = split(per_run(frame(version("1", costs={}), version("2", 800, {}))), BASE)

    assert [("throughput", NONE)] == list(zip(found["part"], found["cpu"], strict=True))


def test_coarsest_run_decides_how_a_step_is_told():
    """One run without a sampler: the server's CPU is one part in all runs."""
    old = {k: SERVER[k] for k in ("machine_cpu_o", "cpu_o", "client_cpu_o")}
    parts = cpu_parts(per_run(frame(version("1", costs=old), version("2"))), BASE)

    assert ["server", "client", REST, WHOLE] == list(parts["part"])


def test_parts_of_the_cpu_add_up():
    """60+20+8+2+4+6 = 100 us; 25 us more in the server's own code, nothing else moved."""
    found = MORE_PARTS
    base, diff = by_part(found, "mean_base"), by_part(found, "diff")

    assert {
        "server user": 60, "server system": 20, "client user": 8, "client system": 2,
        "interrupts": 4, "rest": 6, "whole": 100,
    } == {part: pytest.approx(v) for part, v in base.items()}  # fmt: skip
    assert {
        "server user": 25, "server system": 0, "client user": 0, "client system": 0,
        "interrupts": 0, "rest": 0, "whole": 25,
    } == {part: pytest.approx(v, abs=1e-9) for part, v in diff.items()}  # fmt: skip
    detected = by_part(found, "detected")
    assert {"server user", "whole"} == {p for p, flag in detected.items() if flag}


def test_parts_add_up_in_the_logarithm_too():
    """What the parts take from the throughput sums to -100 ln(125 / 100)."""
    found = by_part(MORE_PARTS, "log_pct")

    whole = found.pop("whole")
    assert -100 * math.log(1.25) == pytest.approx(whole)
    assert whole == pytest.approx(sum(found.values()))


def test_rest_below_0_is_shown():
    """Processes that tell more than the machine leave a rest below 0; the sum holds."""
    found = cpu_parts(
        per_run(frame(version("1"), version("2", 1000, SERVER | {"irq_o": 14}))), BASE
    )
    mean = by_part(found, "mean")

    assert -4 == pytest.approx(mean["rest"])
    whole = mean.pop("whole")
    assert whole == pytest.approx(sum(mean.values()))


def test_embedded_engine_is_its_client():
    """SQLite has no server: its CPU is the client's."""
    two = frame(version("1", costs=EMBEDDED), version("2", costs=EMBEDDED))

    parts = list(cpu_parts(per_run(two), BASE)["part"])

    assert ["client user", "client system", "interrupts", "rest", "whole"] == parts


def test_short_step_of_an_embedded_engine_is_told_of_its_client():
    """No server is named where there is none."""
    assert {"client"} == set(
        per_run(frame(version("1", costs=EMBEDDED, seconds=1)))["cpu"]
    )


def test_embedded_engine_of_a_run_without_sampler():
    """cpu_o of an embedded engine is its client's."""
    old = {"cpu_o": 45.0}
    runs = per_run(frame(version("1", costs=old), version("2", costs=old)))
    found = cpu_parts(runs, BASE)

    assert {"client": 45, "whole": 45} == {
        part: pytest.approx(v) for part, v in by_part(found, "mean").items()
    }


def rows_of(name, values, metric="x"):
    return [
        {
            "version": name, "step": "s", "op": "insert", "clock": "", "metric": metric,
            "unit": "us", "direction": "lower", "value": v, "run_id": f"{name}{i}",
        }
        for i, v in enumerate(values)
    ]  # fmt: skip


def test_difference_has_welchs_interval():
    """Variance 2 on both sides: se^2 = 1 + 1 with 2 df, 10 +- 4.3027 x 1.4142."""
    rows = pd.DataFrame(rows_of("1", [9, 11]) + rows_of("2", [19, 21]))

    row = mean_differences(rows, BASE).iloc[0]

    assert (20.0, 10.0, 10.0) == (row["mean"], row["mean_base"], row["diff"])
    assert (3.915, 16.085) == pytest.approx((row["low"], row["high"]), abs=1e-3)
    assert row["detected"]


def test_one_run_has_a_difference_without_interval():
    """Nothing is known of the noise: neither detected nor not."""
    rows = pd.DataFrame(rows_of("1", [9]) + rows_of("2", [19, 21]))

    row = mean_differences(rows, BASE).iloc[0]

    assert 11 == row["diff"]
    assert pd.isna(row["low"]) and pd.isna(row["detected"])
