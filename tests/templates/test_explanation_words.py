"""The sentence that says why a step is slower, or that nothing explains it."""

import re

import pandas as pd
import pytest
from explained_steps import MORE_EACH, SAME_EACH, SAME_USED, SLOWER, explained, table
from explanation_frames import SERVER, frame, runs_of, version

from benchbook.templates.explain.finding import NOT_SLOWER, explanation_finding
from benchmath.costs.explanation import Explanation, explanation

pytestmark = pytest.mark.unit


def said(*terms, **more):
    return explained(*terms, **more).data


def test_more_cpu_per_operation_is_told_with_its_parts():
    """Same CPU per second, 25% more per insert; what moved with it, largest first."""
    parts = [
        ("server user", 20, 18, 22), ("server system", 5, 4, 6), ("client", -1, -2, -0.5),
        ("interrupts", 0.1, -1, 1), ("rest", 1, 0.5, 1.5), ("whole", 25, 22, 28),
    ]  # fmt: skip

    text = said(SLOWER, SAME_USED, MORE_EACH, parts=parts)

    expected = (
        "**l.i1** is 20% slower [15, 25] with 2 than with 1: the machine used as much "
        "CPU per second (~ +0.3% [-1, 1.6]) and 25% [20, 30] more CPU per insert "
        "(+25 µs [22, 28]), of which server user +20 µs [18, 22] and server system "
        "+5 µs [4, 6]."
    )
    assert expected == text


def test_each_placement_has_its_own_reasons():
    """What explains a step in one is no part of its sentence in the other."""
    grown = {"same": ("spin", 24, 23, 25), "split": ("wait", 3, 2, 4)}
    terms, parts, functions = (
        pd.concat(table(rows_of(row), *columns, placement=placement, unit="us")
                  for placement, row in grown.items())
        for columns, rows_of in (
            (("part", "relative", "low", "high"),
             lambda _: (SLOWER, SAME_USED, MORE_EACH)),
            (("part", "diff", "low", "high"), lambda row: [("whole", *row[1:])]),
            (("frame", "difference", "low", "high"), lambda row: [row]),
        )
    )  # fmt: skip
    none = pd.DataFrame()

    text = explanation_finding(Explanation(terms, parts, none, none, functions)).data
    same, split = text.split("\n\n")

    assert same.startswith("**l.i1 placement=same** is 20% slower")
    assert same.endswith("(+24 µs [23, 25]); `spin` explains 24 µs [23, 25] of it.")
    assert split.startswith("**l.i1 placement=split** is 20% slower")
    assert split.endswith("(+3 µs [2, 4]); `wait` explains 3 µs [2, 4] of it.")


def test_function_of_the_profiles_is_named():
    """The one whose CPU time grew most, with its interval; one that fell is none."""
    functions = [("free", -30, -31, -29), ("scan", 5, 4, 6), ("spin", 24, 20, 28)]

    text = said(SLOWER, SAME_USED, MORE_EACH, functions=functions)

    assert text.endswith("; `spin` explains 24 µs [20, 28] of it.")


def test_profiles_without_a_sure_function_say_so():
    """No function is named that may be noise."""
    text = said(SLOWER, SAME_USED, MORE_EACH, functions=[("spin", 24, -3, 51)])

    assert text.endswith("; no function in the profiles accounts for it.")


def test_events_are_no_cpu_time():
    """A function that was switched away more often explains no microseconds."""
    functions = table([("sched", 9, 8, 10)], "frame", "difference", "low", "high")
    terms = table((SLOWER, SAME_USED, MORE_EACH), "part", "relative", "low", "high")
    none = table((), "part", "diff", "low", "high")
    frames = functions.assign(unit="events")

    text = explanation_finding(Explanation(terms, none, none, none, frames)).data

    assert text.endswith("; no function in the profiles accounts for it.")


def test_waiting_is_told_as_such():
    """Half the CPU per second and as much per insert: the step waited."""
    text = said(SLOWER, ("CPU used", 0.5, 0.45, 0.55), SAME_EACH)

    assert "the machine used 50% [45, 55] less CPU per second" in text
    assert "and as much CPU per insert (~ +1% [-3, 5]); the time without CPU is" in text


def test_a_little_waiting_does_not_explain_much():
    """Of a loss to a tenth, 4% is CPU that was not used."""
    text = said(
        ("throughput", 0.1, 0.09, 0.11), ("CPU used", 0.91, 0.9, 0.92),
        ("CPU per operation", 9.1, 8.2, 10),
    )  # fmt: skip

    assert "used 9% [8, 10] less CPU per second and 9.1 times [8.2, 10] the CPU" in text
    assert "waiting" not in text


def test_other_costs_that_moved_are_named():
    """Three times the writes, 12% more log; noise and metrics without a name are not."""
    costs = [
        ("log_bytes_o", 1.12, 1.1, 1.14), ("w_o", 3, 2.9, 3.1), ("cs_o", 1.5, 0.9, 2.5),
        ("folder_bytes", 2, 1.9, 2.1),
    ]  # fmt: skip

    text = said(SLOWER, SAME_USED, SAME_EACH, costs=costs)

    told = (
        "3 times [2.9, 3.1] the writes to the device and 12% [10, 14] more bytes of log."
    )
    assert text.endswith(f"; per insert there were {told}")


def test_what_is_counted_is_fewer():
    text = said(SLOWER, SAME_USED, SAME_EACH, costs=[("w_o", 0.5, 0.45, 0.55)])

    assert text.endswith(
        "; per insert there were 50% [45, 55] fewer writes to the device."
    )


def test_nothing_detected_is_said_honestly():
    """Slower, and neither CPU nor another cost shows why."""
    text = said(SLOWER, SAME_USED, SAME_EACH)

    assert "and CPU does not explain it: neither the CPU used per second (~ " in text
    assert text.endswith("differs detectably, nor does any other cost.")


def test_cpu_that_was_not_recorded_is_said_to_be_so():
    """Old runs have rates only."""
    assert said(SLOWER).endswith("with 2 than with 1; the CPU it used was not recorded.")


def test_single_runs_explain_nothing():
    """A verdict from calibrated noise, CPU without any: nobody can say."""
    nan = float("nan")
    text = said(
        SLOWER, ("CPU used", 1.0, nan, nan), ("CPU per operation", 1.25, nan, nan)
    )

    assert text.endswith("; without repeated runs its cause stays open.")


def test_short_steps_are_told_of_their_processes():
    """Where the machine's ticks are coarse the CPU is that of both processes."""
    text = said(SLOWER, SAME_USED, MORE_EACH, cpu="server and client")

    assert ": server and client used as much CPU per second" in text


def test_no_regression():
    """An equal and a faster step need no explanation."""
    assert NOT_SLOWER == said(("throughput", 1.0, 0.99, 1.01))
    assert NOT_SLOWER == said(("throughput", 1.2, 1.1, 1.3))


def test_at_most_so_many_sentences():
    """The worst first, the others counted."""
    cells = [
        table([("throughput", rate, rate - 0.01, rate + 0.01)], "part", "relative", "low",
              "high").assign(me=name)
        for name, rate in (("2", 0.9), ("3", 0.7), ("4", 0.8))
    ]  # fmt: skip
    none = table((), "part", "diff", "low", "high")
    found = Explanation(pd.concat(cells), none, none, none)

    text = explanation_finding(found, most=2).data

    assert ["3", "4"] == re.findall(r"with (\d) than", text)
    assert text.endswith("1 further regression is in the tables.")


def test_from_runs_to_the_sentence():
    """25 us more in the server's own code, found in the rows of three trials a side."""
    costs = SERVER | {"machine_cpu_o": 125.0, "server_user_o": 85.0}
    metric = frame(version("1"), version("2", 800.0, costs))

    text = explanation_finding(
        explanation(metric, runs_of(metric), {"version": "1"})
    ).data

    assert text.startswith("**l.i1** is 20% slower [")
    assert "more CPU per insert (+25 µs [" in text
    assert ", of which server user +25 µs [" in text
