"""What watched a run: from the files of its folder to tables, views and metrics."""

from __future__ import annotations

import json
from typing import Any

import pytest
from make_runs import START_NS
from make_sidecars import MS, Shelf, counted, disk, line, records, sampled, tree

pytestmark = pytest.mark.unit

SHELF = Shelf()
run = SHELF.add


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Shelf:
    report = SHELF.load(tmp_path_factory.mktemp("checkout"))

    assert ([], []) == (report.refused, report.warnings)
    return SHELF


# --- samples ---------------------------------------------------------------------------

MEMORY = {"available": 7, "cached": 5, "dirty": 3, "writeback": 1, "total": 99}
TWO_LINES = run(
    sampled(
        line(0, user=10, switches=10, running=1),
        line(1, user=40, switches=25, running=3, mem_kib=MEMORY, mhz=2400),
        unsupported={"cycles": "not supported"},
    )
)


def test_counters_become_differences_and_gauges_stay(shelf: Shelf):
    """Of switches 10 and 25 the second sample has 15; 3 running threads are 3."""
    columns = "t_ns, interval_ns, user_ns, switches, running"

    assert [(START_NS + 1000 * MS, 1000 * MS, 30 * MS, 15, 3)] == shelf.rows(
        TWO_LINES, "os_samples", columns
    )
    assert [(7, 5, 3, 1, 2400)] == shelf.rows(
        TWO_LINES, "os_samples",
        "mem_available_kib, cached_kib, dirty_kib, writeback_kib, mhz",
    )  # fmt: skip


def test_what_the_machine_has_not_is_null(shelf: Shelf):
    """Without pressure files there is no pressure, which is not a pressure of 0."""
    assert [(None, None)] == shelf.rows(TWO_LINES, "os_samples", "psi_io_some_us, forks")


def test_a_sampler_tells_of_itself(shelf: Shelf):
    """Its lines, its own CPU time, the time from first to last line."""
    [(unsupported, *told)] = shelf.rows(
        TWO_LINES, "samplers",
        "unsupported, cpus, main_device, samples, missed, cpu_ns, wall_ns",
    )  # fmt: skip

    assert {"cycles": "not supported"} == json.loads(unsupported)
    assert [2, "vdb", 2, 0, 5 * MS, 10_000 * MS] == told


HALVES = run(sampled(*(line(second + 0.5) for second in range(5))))


def test_a_sample_knows_the_step_that_it_lies_in(shelf: Shelf):
    """From 0.5 to 1.5 is inside l.i0, from 3.5 to 4.5 in none."""
    found = shelf.rows(HALVES, "os_samples", "t_ns, step")

    assert ["l.i0", "l.i0", "l.i0", ""] == [step for _, step in found]


ELSEWHERE = run(sampled(line(10.5), line(11.5), offset_ns=-10_000 * MS))


def test_the_clock_of_another_machine_is_set_right(shelf: Shelf):
    """A clock that is 10 s ahead is moved by its offset into the step."""
    assert [(START_NS + 1500 * MS, "l.i0")] == shelf.rows(
        ELSEWHERE, "os_samples", "t_ns, step"
    )


RESTS = run(
    sampled(
        line(0, dev=[disk(1, reads=10)]),
        line(1, dev=[disk(1, reads=12, sectors_read=8)]),
        line(2, dev=[]),
        line(3, dev=[disk(1, reads=17, sectors_read=8), disk(0, writes=4)]),
    )
)


def test_a_device_counts_from_the_last_line_that_has_it(shelf: Shelf):
    """One that rested in the third line has 5 reads in the fourth, of one second, and no
    row in the third; one that was idle since boot counts from 0."""
    assert [
        (1, "vdb", True, 2, 4096, 0, 1000 * MS),
        (3, "vda", False, 0, 0, 4, 1000 * MS),
        (3, "vdb", True, 5, 0, 0, 1000 * MS),
    ] == shelf.rows(
        RESTS, "device_samples",
        f"(t_ns - {START_NS}) // 1000000000, device, main, reads, read_bytes, writes, "
        "interval_ns",
    )  # fmt: skip


APPEARS = run(sampled(line(0), line(1, new_devices=["loop0"], dev=[disk(2, reads=1)])))


def test_a_device_that_appears_has_its_name(shelf: Shelf):
    """New names continue the list of the first line."""
    assert [("loop0",)] == shelf.rows(APPEARS, "device_samples", "device")


WRAPS = run(
    sampled(
        line(0, dev=[disk(1, queue_ms=2**32 - 1)]), line(1, dev=[disk(1, queue_ms=4)])
    )
)


def test_milliseconds_of_a_device_wrap_at_32_bits(shelf: Shelf):
    """From 2^32 - 1 to 4 ms of queue are 5 ms."""
    assert [(5,)] == shelf.rows(WRAPS, "device_samples", "queue_ms")


OLD_KERNEL = run(
    sampled(line(0, dev=[disk(1, reads=1)[:12]]), line(1, dev=[disk(1, reads=2)[:12]]))
)


def test_an_old_kernel_counts_no_flushes(shelf: Shelf):
    """Eleven counters of a device: its discards and flushes are not known."""
    assert [(1, None, None)] == shelf.rows(
        OLD_KERNEL, "device_samples", "reads, discards, flushes"
    )
    assert {"d_o", "flushes_o"}.isdisjoint(shelf.values(OLD_KERNEL))
    assert 0.01 == shelf.values(OLD_KERNEL)["r_o"]


SERVER_STARTS = run(
    sampled(
        line(0, trees={"client": tree(user_ns=5)}),
        line(1, trees={"client": tree(user_ns=9), "server": tree(user_ns=70)}),
        line(2, trees={"server": tree(user_ns=74, rss_kib=3)}),
    )
)


def test_a_tree_counts_from_the_second_line_that_has_it(shelf: Shelf):
    """The server's time before it was found is no time of the sample."""
    assert [("client", 4, 0), ("server", 4, 3)] == shelf.rows(
        SERVER_STARTS, "tree_samples", "tree, user_ns, rss_kib"
    )


SHARED = run(
    sampled(
        line(0, counters={"client": {"instructions": [10, 0, 0], "cycles": [0, 0, 0]}}),
        line(1, counters={"client": {"instructions": [110, 1000, 500],
                                     "cycles": [0, 1000, 0]}}),
    )
)  # fmt: skip


def test_a_counter_that_shared_the_hardware_is_scaled(shelf: Shelf):
    """100 in half of the time are 200; one that never ran is not known."""
    assert [("cycles", None), ("instructions", 200.0)] == shelf.rows(
        SHARED, "counter_samples", "event, count"
    )


# --- metrics of samples ----------------------------------------------------------------

AROUND = run(sampled(line(-0.5), line(2, user=500), line(3, user=530), line(5, user=990)))


def test_only_samples_inside_the_step_count(shelf: Shelf):
    """Of three samples the middle one lies inside: 30 ms of user time in 1 of 4 seconds,
    so over 100 of 400 rows: 300 us."""
    assert 300.0 == shelf.values(AROUND)["user_o"]


ACROSS = run(sampled(line(-0.9, user=1), line(5, user=2)))


def test_a_step_without_a_whole_sample_has_no_costs(shelf: Shelf):
    """A step of 4 s between two lines of the sampler."""
    assert {
        "ips", "cpu_o", "wait_o", "errors", "retries", "elapsed_s", "size_bytes"
    } == set(shelf.values(ACROSS))  # fmt: skip


BUSY = run(
    sampled(
        line(1, switches=0, minor_faults=0, major_faults=0),
        line(3, user=500, nice=100, system=200, irq=30, softirq=70, iowait=400, steal=20,
             idle=2680, switches=800, minor_faults=600, major_faults=2),
    )
)  # fmt: skip


def test_the_machines_costs_by_hand(shelf: Shelf):
    """2 of 4 seconds cover 200 of 400 rows; 2 CPUs have 4000 ms in them."""
    found = shelf.values(BUSY)

    assert (3000.0, 1000.0, 500.0, 2000.0, 100.0) == tuple(
        found[f"{kind}_o"] for kind in ("user", "system", "irq", "iowait", "steal")
    )
    assert (10.0, 0.5) == (found["iowait_pct"], found["steal_pct"])
    # 900 of 4000 ms are 22.5%; at 100 rows/s that is .225
    assert 0.225 == pytest.approx(found["cpu_pct_o"])
    assert (4500.0, 4.0) == (found["machine_cpu_o"], found["cs_o"])
    assert (3.0, 0.01) == (found["minor_faults_o"], found["major_faults_o"])


def test_costs_have_unit_and_direction(shelf: Shelf):
    """Less CPU is better, and nothing of it is the throughput."""
    assert [("cpu_pct_o", "% s", "lower", False), ("user_o", "us", "lower", False)] == [
        row
        for row in shelf.rows(BUSY, "metric", "metric, unit, direction, main")
        if row[0] in ("cpu_pct_o", "user_o")
    ]


DISKS = run(
    sampled(
        line(1, dev=[]),
        line(3, dev=[
            disk(0, reads=9),
            disk(1, reads=400, sectors_read=400, writes=100, sectors_written=800,
                 discards=20, sectors_discarded=4000, flushes=50),
        ]),
    )
)  # fmt: skip


def test_the_devices_costs_are_those_of_the_database(shelf: Shelf):
    """200 rows with 400 reads of 200 KB, 100 writes, 20 discards; vda does not count."""
    found = shelf.values(DISKS)

    assert (2.0, 1.0) == (found["r_o"], found["rkb_o"])
    assert (0.5, 2.0) == (found["w_o"], found["wkb_o"])
    assert (0.1, 10.0, 0.25) == (found["d_o"], found["dkb_o"], found["flushes_o"])


UNKNOWN_DISK = run(sampled(line(1), line(3), main_device=""))


def test_a_device_at_rest_costs_nothing_and_an_unknown_one_is_unknown(shelf: Shelf):
    """No row of the device are 0 reads, unless nobody knows which device it is."""
    assert 0.0 == shelf.values(BUSY)["r_o"]
    assert "r_o" not in shelf.values(UNKNOWN_DISK)


TREES = run(
    sampled(
        line(1, trees={"client": tree()}),
        line(2, trees={"client": tree(user_ns=30 * MS), "server": tree()}),
        line(3, trees={"client": tree(user_ns=40 * MS),
                       "server": tree(system_ns=50 * MS)}),
    )
)  # fmt: skip


def test_client_and_server_stand_apart(shelf: Shelf):
    """2 seconds of the client are of 200 rows, the 1 second of the server of 100."""
    found = shelf.values(TREES)

    assert (200.0, 0.0) == (found["client_user_o"], found["client_system_o"])
    assert (0.0, 500.0) == (found["server_user_o"], found["server_system_o"])


def counts(**events: int) -> dict[str, list[int]]:
    return {name.replace("_", "-"): [n, n, n] for name, n in events.items()}


COUNTERS = run(
    sampled(
        line(1, counters={"client": counts(instructions=0, cycles=0, branch_misses=0)}),
        line(3, counters={"client": counts(instructions=4000, cycles=2000,
                                           branch_misses=100)}),
    )
)  # fmt: skip


def test_counters_are_per_operation(shelf: Shelf):
    """200 rows with 4000 instructions in 2000 cycles: 20 each, 2 per cycle."""
    found = shelf.values(COUNTERS)

    assert (20.0, 10.0, 0.5) == (
        found["instructions_o"], found["cycles_o"], found["branch_misses_o"]
    )  # fmt: skip
    assert 2.0 == found["ipc"]
    assert ("ipc", "ratio", "higher") in shelf.rows(
        COUNTERS, "metric", "metric, unit, direction"
    )


def of_server(*trees: str) -> dict[str, Any]:
    """Two lines of a server's run, with the counters of some of its trees."""
    before = {"client": counts(instructions=0), "server": counts(instructions=0)}
    after = {"client": counts(instructions=99), "server": counts(instructions=400)}
    lines = [
        line(at, counters={name: found[name] for name in trees})
        for at, found in ((1, before), (3, after))
    ]
    return {"files": sampled(*lines), "records": records(server="1")}


SERVER_HERE = run(**of_server("client", "server"))
SERVER_ELSEWHERE = run(**of_server("client"))


def test_counters_of_the_client_never_stand_for_a_server(shelf: Shelf):
    """Where the server is here, its own count; where it is elsewhere, nothing."""
    assert 2.0 == shelf.values(SERVER_HERE)["instructions_o"]
    assert "instructions_o" not in shelf.values(SERVER_ELSEWHERE)


USE = {"kind": "use", "step": "l.i0", "switches": 800}
USED = run(
    sampled(line(1, switches=0), line(3, switches=77, user=2, dev=[disk(1, reads=5)])),
    records=[*records()[:-1], USE, records()[-1]],
)


def test_what_a_use_record_has_is_not_read_from_samples(shelf: Shelf):
    """Switches of the step's very ends: 800 over 400 rows, not those of the samples."""
    found = shelf.values(USED)

    assert (2.0, 10.0) == (found["cs_o"], found["user_o"])
    assert {"r_o", "machine_cpu_o"}.isdisjoint(found)


OWN_USE = {"kind": "use", "step": "l.i0", "client_cpu_ns": 900}
OWN_USED = run(
    sampled(line(1, switches=0), line(3, switches=800, user=2, dev=[disk(1, reads=5)])),
    records=[*records()[:-1], OWN_USE, records()[-1]],
)


def test_a_use_record_of_the_driver_alone_leaves_the_machine_to_samples(shelf: Shelf):
    """db_bench knows its own CPU time: 800 switches in 2 of 4 s, of 200 rows."""
    found = shelf.values(OWN_USED)

    assert (4.0, 10.0) == (found["cs_o"], found["machine_cpu_o"])


# --- wait states, and arms that are not timed ------------------------------------------

BEGIN = {"kind": "begin", "step": "l.i0", "t_ns": START_NS}
WAIT = {"kind": "wait", "step": "l.i0", "t_ns": START_NS + 5,
        "sessions": {"LWLock:WALWrite": 3, "running": 1}}  # fmt: skip
WAITED = run({}, records=[records()[0], BEGIN, WAIT, *records()[1:]])


def test_sessions_by_state(shelf: Shelf):
    """Three wait for a lock, one runs; begin records are read over."""
    assert [
        ("l.i0", START_NS + 5, "LWLock:WALWrite", 3),
        ("l.i0", START_NS + 5, "running", 1),
    ] == shelf.rows(WAITED, "wait_states", "step, t_ns, state, sessions")


COUNTED = run(counted(l_i0=8000), "s.instructions", arm="instructions")


def test_counted_instructions_are_per_row(shelf: Shelf):
    """8000 instructions for 400 rows are 20, and nothing else of the run is a metric."""
    assert [("insert", "instructions_o", 20.0, "instructions", "lower")] == shelf.rows(
        COUNTED, "metric", "op, metric, value, unit, direction"
    )
    assert [(f"{shelf.folders[COUNTED]}/callgrind.json",)] == shelf.rows(
        COUNTED, "metric", "source"
    )
    assert [("l.i0", 8000, "valgrind-3.19.0")] == shelf.rows(
        COUNTED, "instruction_counts", "step, instructions, tool"
    )


PROFILED = run(sampled(line(1), line(3, user=1)), "s.profile", arm="profile")


def test_a_profiled_run_has_rates_only(shelf: Shelf):
    """perf was beside it: what it cost is not compared."""
    assert {"ips": 100.0} == shelf.values(PROFILED)
