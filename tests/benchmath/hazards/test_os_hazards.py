"""What the machine's side of a run makes doubtful."""

import pandas as pd
import pytest
from explanation_frames import EMBEDDED, SERVER, frame, version

from benchmath.hazards.machine import (
    client_bound,
    discards,
    load_by_others,
    machine_hazards,
    stolen,
    waited_for_io,
)
from benchmath.hazards.machine_samples import (
    clock_moved,
    in_steps,
    memory_pressure,
    multiplexed,
    sampler_trouble,
    short_windows,
    swapped,
)

pytestmark = pytest.mark.unit

S = 10**9
STEPS = pd.DataFrame({
    "run_id": "r", "step": ["a", "b"], "main": True, "ops": 1,
    "start_ns": [10 * S, 20 * S], "elapsed_ns": [4 * S, 2 * S],
})  # fmt: skip


def samples(*seconds, run="r", **columns):
    """One sample of a second that ends at each of these moments."""
    at = {"run_id": run, "t_ns": [round(s * S) for s in seconds], "interval_ns": S}
    return pd.DataFrame(at | columns)


def one_step(costs, **labels):
    return frame(version("1", costs=costs, **labels))


def test_samples_belong_to_the_step_that_holds_them_whole():
    """Of a step from 10 to 14 s: not those from 9.5 and to 14.5."""
    found = in_steps(samples(10.5, 11, 11.5, 14, 14.5, 21), STEPS)

    expected = [("a", 11 * S), ("a", 11.5 * S), ("a", 14 * S), ("b", 21 * S)]
    assert expected == list(zip(found["step"], found["t_ns"], strict=True))


def test_samples_that_name_their_step():
    """The store says it already: '' lies in none."""
    named = samples(11, 12, step=["a", ""])

    assert ["a"] == list(in_steps(named, STEPS)["step"])


def test_samples_of_another_run_are_in_no_step():
    """Clocks of two runs are not compared."""
    assert in_steps(samples(12, run="other"), STEPS).empty


def test_discards():
    """The trim hazard is told with what was written, and which figure holds it."""
    (hazard,) = discards(one_step({"dkb_o": 2.0, "wkb_o": 1.0}))

    assert {"step": "l.i1"} == hazard.where
    assert "2.02 KB per op beside 1 KB written; wkB/o does not count them" in hazard.text
    assert [] == discards(one_step({"dkb_o": 0.0, "wkb_o": 1.0}))
    assert [] == discards(one_step({"dkb_o": 0.005, "wkb_o": 1.0}))


@pytest.mark.parametrize(("percent", "found"), [(0.9, 0), (1.2, 1)])
def test_steal(percent, found):
    """Above one percent of the CPU time of a step."""
    assert found == len(stolen(one_step({"steal_pct": percent})))


def test_waiting_for_the_device():
    """CPUs that idle for IO more than 5% of a step."""
    (hazard,) = waited_for_io(one_step({"iowait_pct": 30.0}))

    assert "CPUs idled for the device 30% of l.i1" == hazard.text


def test_sampler_that_missed_or_cost():
    """2 of 100 ticks missed; 3 ms of a second are .3% of a core."""
    table = pd.DataFrame({
        "samples": [98, 100], "missed": [2, 0], "cpu_ns": [S // 1000, 3 * S // 1000],
        "wall_ns": [S, S],
    })  # fmt: skip

    assert [
        "the sampler missed ticks in 1 of 2 runs, at worst 2% of them",
        "the sampler took more than 0.2% of a core in 1 of 2 runs, at most 0.3%",
    ] == [h.text for h in sampler_trouble(table)]


def test_swap():
    """Pages in or out in any run of a step."""
    quiet = samples(11, 12, step="a", swapped_in=0, swapped_out=0)
    busy = samples(11, 12, step="a", swapped_in=[3, 0], swapped_out=[0, 4])

    assert [] == swapped(quiet)
    assert ["a swapped 7 pages in a run"] == [h.text for h in swapped(busy)]


def test_memory_pressure():
    """40 ms of 2 s are 2%: above one percent."""
    (hazard,) = memory_pressure(samples(11, 12, step="a", psi_memory_some_us=20_000))

    assert "something waited for memory 2% of a run of a" == hazard.text
    assert [] == memory_pressure(samples(11, 12, step="a"))


@pytest.mark.parametrize(("slow", "found"), [(2900, 0), (2800, 1)])
def test_clock_that_moved(slow, found):
    """3000 MHz in one run and 2800 in another differ by more than 5%, 2900 do not."""
    both = pd.concat([
        samples(11, run="x", step="a", mhz=3000),
        samples(11, run="y", step="a", mhz=slow),
    ])  # fmt: skip

    assert found == len(clock_moved(both))


def test_multiplexed_counters():
    """Counted for 80% of the time: named with its share; a full one is not."""
    counters = samples(11, 12, step="a", event="cycles", enabled_ns=S, running_ns=S)
    part = counters.assign(event="branches", running_ns=8 * S // 10)

    (hazard,) = multiplexed(pd.concat([counters, part]))

    assert "counted for part of a only and scaled up: branches 80%" == hazard.text


def test_load_by_others():
    """Of 100 us 6 are nobody's: over 5%; of 100 with 8 for interrupts 2 are not."""
    (hazard,) = load_by_others(one_step(SERVER))

    assert hazard.text.startswith("others than server and client took 6% of the busy")
    assert [] == load_by_others(one_step(SERVER | {"irq_o": 8.0}))


def test_steps_of_one_kind_share_a_text():
    """That of the worst step names the others, so that a table says it once."""
    costs = {"machine_cpu_o": 100.0, "client_user_o": 40.0, "client_system_o": 10.0}
    rows = [*version("1", costs=costs, step="a")]
    rows += version("1", costs=costs | {"client_user_o": 50.0}, step="b")
    first, second = load_by_others(frame(rows))

    assert ({"step": "a"}, {"step": "b"}) == (first.where, second.where)
    assert first.text == second.text == (
        "others than server and client took 50% of the busy CPU time in a run of a "
        "(also b 40%)"
    )  # fmt: skip


def test_load_by_others_needs_the_process_trees():
    """Without a sampler nobody knows whose the rest is."""
    assert [] == load_by_others(one_step({"machine_cpu_o": 100.0, "cpu_o": 50.0}))


@pytest.mark.parametrize(
    ("rate", "dop", "found"), [(95_000, 1, 1), (80_000, 1, 0), (95_000, 2, 0)]
)
def test_client_that_is_busy(rate, dop, found):
    """10 us of the client x 95,000/s is .95 of a CPU; for two clients half each."""
    assert found == len(client_bound(frame(version("1", rate, SERVER, dop=dop))))


def test_client_of_a_scan_has_nothing_to_do():
    """Rows per second and the cost of a whole scan make no share of a CPU."""
    rows = frame(version("1", 3_400_000.0, SERVER, step="scan.q1", op="scan"))
    rows["metric"] = rows["metric"].replace("ips", "scan_rows")

    assert [] == client_bound(rows)


def test_embedded_engine_is_not_client_bound():
    """Its client's CPU is its own."""
    assert [] == client_bound(frame(version("1", 30_000.0, EMBEDDED)))


def test_short_windows():
    """Two whole samples in b are too few, four in a are enough."""
    inside = in_steps(samples(11, 12, 13, 14, 21, 22), STEPS)

    (hazard,) = short_windows(inside, STEPS, ["r"])

    assert hazard.text.startswith("2 whole samples in a run of b")


def test_runs_without_a_sampler_have_no_short_window():
    """Only runs that were sampled can have too few samples."""
    assert [] == short_windows(samples(step="a"), STEPS, [])


def test_all_of_them_with_their_fixes():
    """Each text ends with what helps; frames that are not there say nothing."""
    metric = one_step(SERVER | {"steal_pct": 3.0})
    steps = STEPS.assign(run_id="postgres.1.1.0", step=["l.i1", "l.x"])

    found = machine_hazards(metric, steps)

    assert ["stolen time", "load by others"] == [h.code for h in found]
    assert all("(fix: " in h.text for h in found)
    os = samples(11, run="postgres.1.1.0", swapped_in=1, swapped_out=0)
    codes = {h.code for h in machine_hazards(metric, steps, os)}
    assert {"swap", "short window"} < codes
