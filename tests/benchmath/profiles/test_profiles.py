"""Profiles: what a function costs, what explains a change, perf report as judge."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from profile_frames import BASE, ME, RUNS, costs, joined, stacks, two_versions

from benchmath.errors import UserError
from benchmath.frames import with_dimensions
from benchmath.profiles.checks import ALIASES, validation, weighted_against_not
from benchmath.profiles.costs import slice_costs
from benchmath.profiles.functions import explained, frame_costs
from benchmath.profiles.names import function_of, reported_name
from benchmath.profiles.noise import squeezed
from benchmath.profiles.paths import flame_change, flame_paths

pytestmark = pytest.mark.unit


def by_frame(frame: pd.DataFrame, *columns: str) -> dict[str, tuple]:
    values = zip(*(frame[c] for c in columns), strict=True)
    return dict(zip(frame["frame"], values, strict=True))


def of_versions(made: pd.DataFrame, cost: pd.DataFrame) -> pd.DataFrame:
    return with_dimensions(frame_costs(made, cost), RUNS, ["version"])


def test_cost_is_share_of_weight_times_cpu_per_operation():
    """Of 8 us 3/4 are b's own, 1/4 is c's; all is below a."""
    table = frame_costs(stacks("r", {"a;b": 3, "a;c": 1}), costs(r=8))

    expected = {"b": (6.0, 6.0), "c": (2.0, 2.0), "a": (0.0, 8.0)}
    assert expected == by_frame(table, "self", "inclusive")
    assert ["us"] == list(table["unit"].unique())


def test_samples_are_weighted_by_their_period():
    """Two samples with periods 1 and 3 are a quarter and three quarters."""
    table = frame_costs(stacks("r", {"a": 1, "b": 3}, samples=1), costs(r=8))

    assert {"a": (2.0,), "b": (6.0,)} == by_frame(table, "self")


def test_a_function_that_calls_itself_is_counted_once_per_stack():
    """a;b;b;b is 4 of 4 us inclusive, not 12."""
    table = frame_costs(stacks("r", {"a;b;b;b": 2, "a;b": 2}), costs(r=4))

    assert (4.0, 4.0) == by_frame(table, "self", "inclusive")["b"]


def test_a_function_of_the_kernel_is_another_one():
    """memcpy in the kernel and in the library are told apart."""
    table = frame_costs(stacks("r", {"a;memcpy;memcpy": 4}, kinds="uuk"), costs(r=4))

    assert {
        ("memcpy", "user", 0.0),
        ("memcpy", "kernel", 4.0),
        ("a", "user", 0.0),
    } == set(zip(table["frame"], table["kind"], table["self"], strict=True))


def test_clones_of_a_function_are_one():
    """What compilers append is no other function."""
    table = frame_costs(stacks("r", {"a;f.isra.0": 1, "a;f.part.3.cold": 3}), costs(r=8))

    assert {"f": (8.0,), "a": (0.0,)} == by_frame(table, "self")


@pytest.mark.parametrize(
    "symbol, function",
    [
        ("walk.isra.0.constprop.1", "walk"),
        ("walk.cold", "walk"),
        ("walk.llvm.1234567890", "walk"),
        ("walk.lto_priv.0", "walk"),
        ("row_search(unsigned char*, int) [clone .cold]", "row_search"),
        ("(anonymous namespace)::f(int) const", "(anonymous namespace)::f"),
        ("Cmp::operator()(int, int) const", "Cmp::operator()"),
        ("core::fmt::write::h0123456789abcdef", "core::fmt::write"),
        ("read@@GLIBC_2.2.5", "read"),
        ("loop._omp_fn.0", "loop._omp_fn.0"),
        ("main.(*T).Do", "main.(*T).Do"),
        ("memcpy@plt", "memcpy@plt"),
        ("[libc.so.6]", "[libc.so.6]"),
    ],
)
def test_names_of_functions(symbol: str, function: str):
    """Clones, arguments, hashes and versions go; what is code of its own stays."""
    assert function == function_of(symbol)


def test_a_sample_without_a_stack_is_not_lost():
    """It is a frame of its own, so that all adds up to the whole."""
    table = frame_costs(stacks("r", {"": 1, "a": 3}), costs(r=4))

    assert {"a": (3.0, "user"), "[no stack]": (1.0, "unknown")} == by_frame(
        table, "self", "kind"
    )


def test_a_run_without_its_cost_is_refused():
    """A share is never taken for a cost."""
    with pytest.raises(ValueError, match=r"no cpu_o of run r in step l\.i0"):
        frame_costs(stacks("r", {"a": 1}), costs(other=8))


def test_an_event_of_user_code_is_no_share_of_all_cpu():
    """cycles:u needs the CPU of user code."""
    made = stacks("r", {"a": 1}, event="cycles:u")
    with pytest.raises(ValueError, match="no user_o"):
        frame_costs(made, costs(r=8))

    table = frame_costs(made, costs(r=8).rename(columns={"cpu_o": "user_o"}))
    assert {"a": (8.0, "us")} == by_frame(table, "self", "unit")


def test_other_events_are_events_per_operation():
    """12 page faults in 2 s of 3 operations a second are 2 per operation."""
    made = stacks("r", {"a": 9, "b": 3}, event="page-faults")
    captures = made.head(1).assign(start_ns=0, end_ns=2_000_000_000)
    rates = pd.DataFrame({"run_id": ["r"], "step": "l.i0", "ops_per_s": [3.0]})
    table = frame_costs(made, slice_costs(made, captures, rates))

    expected = {"a": (1.5, "events"), "b": (0.5, "events")}
    assert expected == by_frame(table, "self", "unit")


def test_time_off_the_cpu_is_in_microseconds():
    """6 ms asleep in a second of 1000 operations are 6 us each."""
    made = stacks("r", {"a": 6_000_000}, event="off-cpu")
    captures = made.assign(start_ns=0, end_ns=1_000_000_000)
    rates = pd.DataFrame({"run_id": ["r"], "step": "l.i0", "ops_per_s": [1000.0]})

    assert [6.0] == list(slice_costs(made, captures, rates)["off_cpu_o"])


def test_the_function_that_was_added_explains_the_change():
    """spin costs 2 us that were not there; work costs what it did."""
    table = explained(of_versions(*two_versions()), BASE, ME)

    first = table.iloc[0]
    assert ("spin", 1, "2", "1") == tuple(first[["frame", "rank", "me", "base"]])
    figures = first[["value_base", "value", "difference", "share", "whole"]]
    assert [0.0, 2.0, 2.0, 1.0, 2.0] == pytest.approx(list(figures))
    assert {"spin": True, "work": False, "main": False} == dict(
        zip(table["frame"], table["detected"], strict=True)
    )


def test_each_placement_is_compared_with_its_own_base():
    """Version 2 spins in one of two placements alone, and each is a test of its own."""
    spinning, cost = two_versions()
    calm = spinning[spinning["frames"] == "main;work"].replace(
        {"run_id": {run: f"{run}s" for run in RUNS["run_id"]}}
    )
    made = joined(spinning, calm)
    runs = pd.concat([
        RUNS.assign(placement="same"),
        RUNS.assign(placement="split", run_id=RUNS["run_id"] + "s"),
    ])  # fmt: skip
    cost = joined(cost, costs(b1s=8, b2s=8, m1s=8, m2s=8))
    of_runs = with_dimensions(frame_costs(made, cost), runs, ["version", "placement"])

    found = explained(of_runs, BASE, ME)
    spin = found[found["frame"] == "spin"]

    assert [("l.i0 placement=same", 2.0)] == list(
        zip(spin["test"], spin["difference"], strict=True)
    )
    assert {2.0, 0.0} == set(found["whole"])


def test_what_called_a_function_is_told():
    """Of the 2 us more, all came from work."""
    table = explained(of_versions(*two_versions()), BASE, ME)

    assert (("work", pytest.approx(2.0)),) == table["callers"].iloc[0]


def test_callers_share_the_difference():
    """f costs 1 us less from a and 3 us more from b."""
    made = joined(
        stacks("b1", {"a;f": 200, "b;f": 100}), stacks("m1", {"a;f": 100, "b;f": 400})
    )
    table = explained(of_versions(made, costs(b1=3, m1=5)), BASE, ME)

    assert (("b", pytest.approx(3.0)), ("a", pytest.approx(-1.0))) == table.loc[
        table["frame"] == "f", "callers"
    ].item()


def test_a_single_profile_has_the_noise_of_sampling():
    """f: 20 and 40 of 100 samples of 10 us: 2 +- 1.96 * 10 * sqrt(.0016 + .0024)."""
    made = joined(stacks("b1", {"f": 20, "g": 80}), stacks("m1", {"f": 40, "g": 60}))
    table = explained(of_versions(made, costs(b1=10, m1=10)), BASE, ME)

    row = table[table["frame"] == "f"].iloc[0]
    assert [2.0, 0.7604, 3.2396] == pytest.approx(
        list(row[["difference", "low", "high"]]), abs=1e-4
    )
    assert "sampling alone, assumed" == row["interval"]


def test_trials_that_agree_by_chance_prove_nothing():
    """3 samples in each of two profiles, none before: within the noise of sampling."""
    made = joined(
        *(stacks(run, {"work": 997}) for run in ("b1", "b2")),
        *(stacks(run, {"work": 997, "rare": 3}) for run in ("m1", "m2")),
    )
    table = explained(of_versions(made, costs(b1=8, b2=8, m1=8, m2=8)), BASE, ME)

    row = table[table["frame"] == "rare"].iloc[0]
    assert row["low"] < 0 < row["difference"] < row["high"]
    assert not row["detected"]


def test_frames_with_few_samples_are_not_tested():
    """Below 5 samples there is no p; the frame is listed all the same."""
    made = joined(stacks("b1", {"work": 999, "rare": 2}), stacks("m1", {"work": 1000}))
    table = explained(of_versions(made, costs(b1=8, m1=8)), BASE, ME)

    row = table[table["frame"] == "rare"].iloc[0]
    assert np.isnan(row["p"])
    assert not row["detected"]


def test_no_share_of_a_change_that_is_none():
    """7 to 9 and 7.1 to 9.1 us differ by nothing: shares of it would be of noise."""
    made = joined(*(stacks(run, {"f": 10}) for run in ("b1", "b2", "m1", "m2")))
    table = explained(of_versions(made, costs(b1=7, b2=9, m1=7.1, m2=9.1)), BASE, ME)

    assert table["share"].isna().all()
    assert [0.1] == pytest.approx(list(table["whole"]))


def test_labels_that_follow_from_the_version_do_not_keep_versions_apart():
    """The build's name changes with the version; the engine is the same."""
    named = of_versions(*two_versions()).assign(engine="db")
    named["build"] = "db " + named["version"]

    assert 3 == len(explained(named, BASE, ME))


def test_what_is_not_there_is_said():
    """A version that was not profiled is named with those that were."""
    table = of_versions(*two_versions())

    with pytest.raises(UserError, match="me: no run has version '3'; available: 1, 2"):
        explained(table, BASE, {"version": "3"})
    with pytest.raises(ValueError, match="different machines"):
        explained(table.assign(machine_id=table["version"]), BASE, ME)


def test_factors_are_drawn_towards_the_common_one():
    """20 items of a factor near 1 pull one of 4 below 4; without items it is 1."""
    squares = np.array([*np.linspace(0.2, 4.2, 20), 8.0])
    factor, df = squeezed(squares, np.full(21, 2.0))

    assert 1 < factor[-1] < 4
    assert (df >= 2).all()
    assert [1.0] == list(squeezed(np.zeros(1), np.zeros(1))[0])


def leaves(shares: dict[str, float]) -> pd.DataFrame:
    rows = {"run_id": "r", "step": "l.i0", "tree": "server", "event": "cpu-clock"}
    return pd.DataFrame(
        [rows | {"symbol": s, "dso": "db", "share": v} for s, v in shares.items()]
    )


def test_counting_samples_is_another_share_than_weighing_them():
    """Periods 1, 1 and 2: h is half by weight, as perf report says, a third by count."""
    made = stacks("r", {"a;c": 1, "d;f": 1, "g;h": 2}, samples=1)
    table = weighted_against_not(made, leaves({"h": 0.5, "c": 0.25, "f": 0.25}))

    first = table.iloc[0]
    figures = first[["weighted_pct", "counted_pct", "report_pct", "counted_error"]]
    assert "h" == first["leaf"]
    assert [50.0, 33.3333, 50.0, -16.6667] == pytest.approx(list(figures), abs=1e-3)


def test_without_perf_report_counting_is_compared_with_weighing():
    """The weighted share stands in for it."""
    made = stacks("r", {"a": 1, "b": 3}, samples=1)
    table = weighted_against_not(made)

    assert [-25.0, 25.0] == list(table["counted_error"])
    assert table["report_pct"].isna().all()


@pytest.mark.parametrize("stacks", [stacks("r", {"a": 1}).head(0), pd.DataFrame()])
@pytest.mark.parametrize("leaves", [leaves({"a": 1.0}).head(0), pd.DataFrame(), None])
def test_where_nothing_was_recorded_there_is_no_share(stacks, leaves):
    """Neither stacks nor leaves: no row, no capture, and no error of a merge."""
    assert weighted_against_not(stacks, leaves).empty
    assert validation(stacks, leaves).empty


def test_weighted_leaves_agree_with_perf_report():
    """Largest difference by weight 0.2 points, by count 16.9."""
    made = stacks("r", {"a;c": 1, "d;f": 1, "g;h": 2}, samples=1)
    row = validation(made, leaves({"h": 0.502, "c": 0.249, "f": 0.249})).iloc[0]

    assert ("h", True, 3, 3) == tuple(row[["where", "holds", "samples", "leaves"]])
    assert [0.2, 16.8667] == pytest.approx(list(row[["largest", "counted"]]), abs=1e-3)


def test_an_inlined_leaf_is_part_of_the_function_that_holds_it():
    """perf report knows no inlined frames."""
    made = stacks("r", {"a;b;c": 4}, kinds="uui")

    assert validation(made, leaves({"b": 1.0}))["holds"].all()


def test_what_has_two_names_is_compared_as_a_sum():
    """__GI___libc_malloc is perf report's malloc: 30% against 29%."""
    made = stacks("r", {"a": 70, "__GI___libc_malloc": 30})
    row = validation(made, leaves({"a": 0.70, "malloc": 0.29})).iloc[0]

    assert ALIASES == row["where"]
    assert [1.0, 30.0] == pytest.approx(list(row[["largest", "renamed"]]))
    assert not row["holds"]


def test_a_capture_without_a_report_does_not_hold():
    """Nothing was compared, and that is not agreement."""
    row = validation(stacks("r", {"a": 1}), leaves({"a": 1.0}).head(0)).iloc[0]

    assert np.isnan(row["largest"])
    assert not row["holds"]


@pytest.mark.parametrize(
    "symbol, dso, name",
    [
        ("0x00000000000a1b2c", "/usr/lib/libc.so.6", "[libc.so.6]"),
        ("[unknown]", "[unknown]", "[unknown]"),
        ("Box::a->Box::b", "perf-77.map", "Box::a"),
        ("operator;", "db", "operator:"),
    ],
)
def test_rows_of_perf_report_have_our_names(symbol: str, dso: str, name: str):
    """As perf script's reader names the same leaf."""
    assert name == reported_name(symbol, dso)


def test_paths_of_a_flame_graph():
    """A parent before its children, the widest child first, in us per operation."""
    tree = flame_paths(stacks("r", {"a;b": 3, "a;c": 5}), costs(r=8))

    rows = tree[["frame", "depth", "inclusive", "self"]].values.tolist()
    expected = [["all", 0, 8, 0], ["a", 1, 8, 0], ["c", 2, 5, 5], ["b", 2, 3, 3]]
    assert expected == rows


def test_narrow_paths_are_merged():
    """Three of 1% each are one of 3%; the wide one stays."""
    made = stacks("r", {"a;w": 97, "a;x": 1, "a;y": 1, "a;z": 1})
    tree = flame_paths(made, least=0.02)

    assert ["all", "a", "w", "(3 narrow frames)"] == list(tree["frame"])
    assert [100.0, 100.0, 97.0, 3.0] == pytest.approx(list(tree["inclusive"]))
    assert {"%"} == set(tree["unit"])


def test_a_graph_has_no_more_frames_than_it_may():
    """The limit rises until few enough are left, and is told."""
    made = stacks("r", {f"f{i:03}": 1000 - i for i in range(100)})
    tree = flame_paths(made, most=50)

    assert (tree["merged"] == 0).sum() <= 50
    assert tree["least"].iloc[0] > 0.002


def test_steps_are_not_drawn_together():
    """A graph is of one step."""
    made = joined(stacks("r", {"a": 1}), stacks("r", {"a": 1}, step="l.x"))

    with pytest.raises(ValueError, match=r"stacks of step l\.i0, l\.x: choose one"):
        flame_paths(made)


def test_a_changed_path_has_both_costs():
    """spin is new under work, which costs the same itself and more with it."""
    tree = flame_change(*two_versions(), RUNS, BASE, ME)

    rows = tree[["frame", "inclusive_base", "inclusive", "difference"]].values.tolist()
    assert ["spin", 0.0, 2.0, 2.0] == rows[3]
    assert ["work", 8.0, 10.0, 0.0] == rows[2]
    assert [False, False, False, True] == list(tree["detected"])
    assert 0.0 == tree["gone"].iloc[0]


def test_a_function_that_moved_did_not_change():
    """f is called through g now: no path is the same, but f costs what it did."""
    made = joined(
        *(stacks(run, {"main;f": 900, "main": 100}) for run in ("b1", "b2")),
        *(stacks(run, {"main;g;f": 900, "main": 100}) for run in ("m1", "m2")),
    )
    cost = costs(b1=8, b2=8, m1=8, m2=8)
    by_path = flame_change(made, cost, RUNS, BASE, ME, by="path")

    assert not flame_change(made, cost, RUNS, BASE, ME)["detected"].any()
    assert {"f"} == set(by_path.loc[by_path["detected"], "frame"])
