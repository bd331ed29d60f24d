"""Counters of perf stat, as it prints them and as lists made of them."""

from __future__ import annotations

import re

import pytest
from profile_files import COUNTERS, FOLDER, STAT, found, text_file, told

from benchformats.parsed import TextFile
from benchformats.profilers import perf_counters, perf_stat

pytestmark = pytest.mark.unit

TITLE = " Performance counter stats for 'system wide':\n\n"
END = "\n      10.001500000 seconds time elapsed\n\n"


def report(*lines: str):
    """What is read of one report with these lines, numbered from 3."""
    return perf_stat.read(text_file(TITLE + "".join(f"{x}\n" for x in lines) + END))


def test_counters_and_their_ratios():
    """Thousands separators are read; ratios have the names that the field uses."""
    assert [
        (6, "cpu_clock", 10001.5, "ms"), (6, "cpus_utilized", 1.0, "count"),
        (7, "cycles", 27504023459, "count"), (7, "ghz", 2.75, "GHz"),
        (7, "cycles_running_pct", 83.31, "%"),
        (9, "instructions", 78291065255, "count"), (9, "ipc", 2.85, "ratio"),
        (10, "stalled_cycles_per_insn", 0.45, "ratio"),
        (11, "branches", 18417035078, "count"),
        (12, "branch_misses", 19177900, "count"), (12, "branch_miss_pct", 0.1, "%"),
        (21, "cache_references", 233794611, "count"),
        (22, "cache_misses", 53289689, "count"), (22, "cache_miss_pct", 22.793, "%"),
        (23, "stalled_cycles_backend", 46049692, "count"),
        (24, "faults", 0, "count"),
    ] == found(perf_stat.read(text_file(STAT)))  # fmt: skip


def test_nothing_is_told_of_a_whole_file():
    """Absent counters, dates and seconds are no problems."""
    assert [] == told(perf_stat.read(text_file(STAT)))


def test_the_series_has_what_is_no_row():
    """Rates, the number of the report and when it began."""
    series = perf_stat.read(text_file(STAT)).series["perf_stat"].to_pylist()
    branches = next(one for one in series if one["event"] == "branches")

    assert (1.841, "G/sec", 1, "Sat Nov 21 10:00:00 2026") == (
        branches["ratio"], branches["ratio_words"], branches["report"],
        branches["started"],
    )  # fmt: skip


def test_step_and_loop_are_in_the_name():
    """A loop is a window of the same run, not a trial."""
    name = f"{FOLDER}/sb.perf.hw.scan.range100.pk1.2"
    rows = perf_stat.read(TextFile(name, STAT)).rows

    assert {("scan_range=100", "2", None)} == {
        (r.step, r.dims["loop"], r.trial) for r in rows
    }


@pytest.mark.parametrize("words", ["<not supported>", "<not counted>"])
def test_an_absent_counter_is_no_row(words: str):
    """Neither 0 nor -1."""
    parsed = report(f"   {words}      LLC-loads", f"   {words} msec task-clock")

    assert ([], []) == ([r for r in parsed.rows if r.line < 5], told(parsed))


def test_seconds_of_a_single_report():
    """Elapsed, user and sys time, the latter two after an empty line."""
    parsed = perf_stat.read(
        text_file(
            TITLE + "   5      faults\n" + END
            + "       0.004796000 seconds user\n       0.000000000 seconds sys\n"
        )
    )  # fmt: skip

    assert [
        (3, "faults", 5, "count"), (5, "perf_elapsed_s", 10.0015, "s"),
        (7, "perf_user_s", 0.004796, "s"), (8, "perf_sys_s", 0.0, "s"),
    ] == found(parsed)  # fmt: skip


@pytest.mark.parametrize("seconds", ["0,479", "12,345"])
def test_seconds_with_a_comma_are_not_thousands(seconds: str):
    """The decimals of another locale: perf prints seconds without groups."""
    text = f"{TITLE}   5      faults\n\n  {seconds} +- 0,456 seconds time elapsed\n"
    parsed = perf_stat.read(text_file(text))

    elapsed = float(seconds.replace(",", "."))
    assert [(3, "faults", 5, "count"), (5, "perf_elapsed_s", elapsed, "s")] == (
        found(parsed)
    )


@pytest.mark.parametrize("group", [".", "\u202f", "\u00a0", "\u2019"])
def test_another_locale(group: str):
    """Its decimal comma is certain by the elapsed seconds: the same figures."""
    swapped = re.compile(r"(?<![^\s(])\d[\d.,]*(?=[\s%)])")
    text = swapped.sub(
        lambda n: n[0].translate(str.maketrans(",.", f"{group},")),
        STAT.partition("\n#")[0],
    )
    parsed = perf_stat.read(text_file(text))

    assert perf_stat.recognises(text_file(text))
    assert found(perf_stat.read(text_file(STAT.partition("\n#")[0]))) == found(parsed)
    assert [] == told(parsed)


def test_a_number_that_another_locale_does_not_print_is_told():
    """With the way to have it printed as it is read."""
    end = "\n  1,5001 seconds time elapsed\n"
    lines = "   1.5 msec task-clock\n  1 234 faults\n"
    parsed = perf_stat.read(text_file(f"{TITLE}{lines}{end}"))

    assert [(6, "perf_elapsed_s", 1.5001, "s")] == found(parsed)
    assert [3, 4] == [n for n, why in told(parsed) if "run perf with LC_ALL=C" in why]


def test_idle_shares_need_cycles():
    """Without cycles in the same report perf prints 0.00%; that is no row."""
    stalled = "  46,049,692      stalled-cycles-backend    #    1.74% backend cycles idle"
    alone = report(stalled.replace("1.74", "0.00"))
    beside = report("   2,646,534,022      cycles", stalled)

    assert "backend_idle_pct" not in [r.metric for r in alone.rows]
    assert (4, "backend_idle_pct", 1.74, "%") in found(beside)


def test_repeated_runs():
    """-r prints means and the spread of the mean."""
    parsed = report(
        "   1,234      faults      #    0.3 K/sec     ( +-  0.12% )  (50.01%)"
    )
    [sample] = parsed.series["perf_stat"].to_pylist()

    assert (1234, 0.12, 50.01) == (
        sample["count"], sample["spread_pct"], sample["running_pct"],
    )  # fmt: skip


def test_old_shares_of_the_time():
    """Before perf 3.13 in square brackets, behind the spread."""
    text = (
        " Performance counter stats for 'prog' (3 runs):\n\n"
        "  141674.160138 task-clock  #  642.107 CPUs utilized   ( +-  0.23% ) [100.00%]\n"
        "  6,225,096,919 cycles      #    1.106 GHz                           [83.34%]\n"
        "  7,467,956,557 instructions  #  1.20  insns per cycle\n"
        "                       #  3.55  stalled cycles per insn ( +-  0.09% ) [25.10%]\n"
        "\n     417.555688399 seconds time elapsed       ( +-  0.23% )\n"
    )
    parsed = perf_stat.read(text_file(text))

    assert [
        (3, "task_clock", 141674.160138, "ms"), (3, "cpus_utilized", 642.107, "count"),
        (3, "task_clock_running_pct", 100.0, "%"),
        (4, "cycles", 6225096919, "count"), (4, "ghz", 1.106, "GHz"),
        (4, "cycles_running_pct", 83.34, "%"),
        (5, "instructions", 7467956557, "count"), (5, "ipc", 1.2, "ratio"),
        (6, "stalled_cycles_per_insn", 3.55, "ratio"),
        (6, "instructions_running_pct", 25.1, "%"),
        (8, "perf_elapsed_s", 417.555688399, "s"),
    ] == found(parsed)  # fmt: skip
    assert [] == told(parsed)


def test_old_units():
    """The unit after the name, no separators."""
    parsed = report(
        "       1001.020000      task-clock (msec)    #    0.998 CPUs utilized"
    )

    assert (3, "task_clock", 1001.02, "ms") == found(parsed)[0]


@pytest.mark.parametrize(
    "line",
    [
        "  27.504.023.459      cycles", "  27.504      cycles", "  27,50,023      cycles",
        "  27,504      cycles     #    2,750 GHz", "  27,504", "  noise",
        "  CPU0     27,504      cycles", "  16.061      cpu-clock",
    ],
)  # fmt: skip
def test_what_is_not_understood_is_told(line: str):
    """Other separators, counts with decimals, counts of each CPU: no guess."""
    parsed = report(line)

    assert [(3, "not a line of a report of perf stat")] == told(parsed)
    assert [] == [r for r in parsed.rows if r.line == 3]


def test_intervals_are_told():
    """With -I --summary they stand above the report, one line per counter and time."""
    intervals = (
        "#           time             counts unit events\n"
        "     0.100151220         27,504      cycles\n"
        "     0.200261412         28,100      cycles\n\n"
    )
    parsed = perf_stat.read(text_file(f"{intervals}{TITLE}  55,604      cycles\n{END}"))

    assert [(7, "cycles", 55604, "count"), (9, "perf_elapsed_s", 10.0015, "s")] == (
        found(parsed)
    )
    assert [(1, "intervals (-I): not read")] == told(parsed)


def test_a_ratio_below_what_is_not_understood():
    """It belongs to that line, not to the counter above it."""
    parsed = report(
        "   1,504      branch-misses    #    0.10% of all branches",
        "              MyMetrics (cpu_core)  #   16.2 %  tma_retiring",
        "                                    #   27.5 %  tma_frontend_bound",
    )
    table = parsed.series["perf_stat"]

    assert ["branch-misses"] == table["event"].to_pylist()
    assert [4, 5] == [line for line, _ in told(parsed)]


def test_ratios_of_a_group_have_no_counter():
    """What perf prints by itself on machines that count slots."""
    parsed = report(
        "      1,504      branch-misses    #    0.10% of all branches",
        "                 TopdownL1        #     21.6 %  tma_backend_bound      ",
        "                                  #     77.7 %  tma_bad_speculation  (88.91%)",
        "                                  #     -0.1 %  tma_frontend_bound   (77.78%)",
    )
    sample = parsed.series["perf_stat"].to_pylist()[1]

    assert [
        (4, "tma_backend_bound_pct", 21.6, "%"),
        (5, "tma_bad_speculation_pct", 77.7, "%"),
        (6, "tma_frontend_bound_pct", -0.1, "%"),
    ] == [one for one in found(parsed) if one[0] in (4, 5, 6)]  # fmt: skip
    assert ("TopdownL1", None, 21.6, "% tma_backend_bound") == (
        sample["event"], sample["count"], sample["ratio"], sample["ratio_words"],
    )  # fmt: skip
    assert [] == told(parsed)


def test_ratios_of_two_kinds_of_cores():
    """Which is which stands in the series."""
    parsed = report(
        "      TopdownL1 (cpu_core)   #   16.2 %  tma_retiring",
        "      TopdownL1 (cpu_atom)   #   15.1 %  tma_retiring   (50.15%)",
    )

    assert ["TopdownL1 (cpu_core)", "TopdownL1 (cpu_atom)"] == (
        parsed.series["perf_stat"]["event"].to_pylist()
    )
    assert [(6, "perf_elapsed_s", 10.0015, "s")] == found(parsed)
    assert [3, 4] == [line for line, _ in told(parsed)]


def test_the_names_of_perf_since_2026():
    """Each ratio has its unit and its name; those that a name is known for are rows."""
    parsed = report(
        "         237.24 msec task-clock:u            #   0.9 CPUs  CPUs_utilized     ",
        "    128,694,948      cpu-cycles:u         #   0.5 GHz  cycles_frequency  (50%)",
        "    278,654,503      instructions:u       #   2.2 instructions  insn_per_cycle",
        "          1,521      branch-misses:u         #   0.3 %  branch_miss_rate",
        "          1,521      L1-dcache-load-misses:u #   2.7 %  l1d_miss_rate",
        "         58,653      page-faults:u           # 247225.5 faults/sec  "
        "page_faults_per_second  ( +-  0.39% )",
        "    286,394,156      stalled-cycles-frontend:u  #  0.01 frontend_cycles_idle",
    )

    assert [
        (3, "task_clock_u", 237.24, "ms"), (3, "cpus_utilized", 0.9, "count"),
        (4, "cpu_cycles_u", 128694948, "count"), (4, "ghz", 0.5, "GHz"),
        (4, "cpu_cycles_u_running_pct", 50.0, "%"),
        (5, "instructions_u", 278654503, "count"), (5, "ipc", 2.2, "ratio"),
        (6, "branch_misses_u", 1521, "count"), (6, "branch_miss_pct", 0.3, "%"),
        (7, "l1_dcache_load_misses_u", 1521, "count"),
        (7, "l1_dcache_load_miss_pct", 2.7, "%"),
        (8, "page_faults_u", 58653, "count"),
        (9, "stalled_cycles_frontend_u", 286394156, "count"),
        (11, "perf_elapsed_s", 10.0015, "s"),
    ] == found(parsed)  # fmt: skip
    assert [] == told(parsed)


@pytest.mark.parametrize(
    "count, value, unit",
    [("16,061,923,339     ", 16061923339, "ns"), ("1255.538611", 1255.538611, "ms")],
)
def test_clocks_without_a_unit(count: str, value: float, unit: str):
    """Nanoseconds are whole; milliseconds have decimals in old reports."""
    [row, *_] = report(f"   {count} cpu-clock     #   16.0 CPUs  CPUs_utilized").rows

    assert ("cpu_clock", value, unit) == (row.metric, row.value, row.unit)


def test_a_page_about_perf_is_none_of_its_reports():
    """A report within prose."""
    block = f"{TITLE}   5      faults\n{END}"
    prose = "Faults say how often a page was missing.\n"

    assert not perf_stat.recognises(text_file(block + prose * 9, "README"))
    assert perf_stat.recognises(text_file(prose * 9 + block, "o.perf"))


def test_a_ratio_below_an_empty_line():
    """The counter that it belongs to is lost."""
    parsed = report("   1,504      cycles", "", "     #   1.09  stalled cycles per insn")

    assert [(3, "cycles", 1504, "count")] == found(parsed)[:1]
    assert [(5, "not a line of a report of perf stat")] == told(parsed)


def test_a_name_that_a_report_prints_twice():
    """Two kinds of cores: which ghz is it?"""
    parsed = report(
        "  27,504      cpu_core/cycles/    #    2.750 GHz",
        "   1,504      cpu_atom/cycles/    #    1.750 GHz",
    )

    assert [(3, "cpu_core_cycles", 27504, "count"), (4, "cpu_atom_cycles", 1504, "count"),
            (6, "perf_elapsed_s", 10.0015, "s")] == found(parsed)  # fmt: skip
    assert [(3, "ghz: twice in a report, so no row"),
            (4, "ghz: twice in a report, so no row")] == told(parsed)  # fmt: skip


def test_reports_of_two_commands_are_no_trials():
    """Of processes the number says nothing of what they did."""
    title = " Performance counter stats for {}:\n\n   5      faults\n" + END

    def commands(*of: str) -> list[str | None]:
        text = "".join(map(title.format, of))
        rows = perf_stat.read(text_file(text)).rows
        return [r.dims.get("command") for r in rows if r.metric == "faults"]

    assert ["'./a 1'", "'./a 2'"] == commands("'./a 1' (5 runs)", "'./a 2'")
    assert [None, None] == commands("'./a 1'", "'./a 1' (5 runs)")
    assert [None, None] == commands("process id '11'", "process id '12'")


def test_a_report_that_ends_early():
    """Told with the line of its title; what it has is read."""
    parsed = perf_stat.read(text_file(TITLE + "   5      faults\n   77,"))

    assert [(3, "faults", 5, "count")] == found(parsed)
    assert [(4, "the file ends within this line: not read"),
            (1, "a report without its elapsed seconds")] == told(parsed)  # fmt: skip


def test_lists_of_counters():
    """The same metrics; -1 is no row, and a name is spelled as perf spells it."""
    assert [
        (1, "branches", 18417035078, "count"), (2, "branch_miss_pct", 0.1, "%"),
        (4, "cache_misses", 53289689, "count"), (5, "cycles", 27504023459, "count"),
        (6, "ghz", 2.75, "GHz"), (7, "instructions", 78291065255, "count"),
        (8, "ipc", 2.85, "ratio"), (9, "migrations", 0, "count"),
    ] == found(perf_counters.read(text_file(COUNTERS)))  # fmt: skip


def test_damaged_lists_of_counters():
    """A count with decimals, a negative one, a name twice, a line of something else."""
    text = "cycles\t1.5\nfaults\t-2\nbranches\t3\nbranches\t4\nnoise\n"
    parsed = perf_counters.read(text_file(text))

    assert [(3, "branches", 3, "count")] == found(parsed)
    assert [1, 2, 4, 5] == [line for line, _ in told(parsed)]
