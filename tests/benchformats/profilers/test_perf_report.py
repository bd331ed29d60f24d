"""Tables of perf report."""

from __future__ import annotations

import pytest
from profile_files import FOLDER, REPORT, found, text_file, told

from benchformats.parsed import TextFile
from benchformats.profilers import perf_report

pytestmark = pytest.mark.unit

GRAPH = """\
# Samples: 4K of event 'cycles:u'
# Event count (approx.): 2755
#
# Children      Self  Samples  Command  Shared Object  Symbol
# ........  ........  .......  .......  .............  ......
#
   100.00%     0.00%        0  prog     prog           [.] main
            |
            ---main
               |
                --99.90%--work

    99.90%    99.90%      411  prog     prog           [.] work
99.90% work;main
"""


def lines(parsed) -> list[tuple]:
    """The table's lines as tuples."""
    return [tuple(one.values()) for one in parsed.series["perf_report"].to_pylist()]


def test_a_flat_table():
    """Cells with blanks stand in their columns; symbols may hold anything."""
    parsed = perf_report.read(text_file(REPORT))

    assert [
        (11, "cycles", 46.64, "postgres", "postgres", ".", "mblen"),
        (12, "cycles", 5.78, "io write", "postgres", ".", "Expr::run(int, char const*)"),
        (13, "cycles", 0.04, "postgres", "[kernel.kallsyms]", "k", "update_group"),
    ] == lines(parsed)
    assert [] == told(parsed)


def test_what_was_counted():
    """Samples where they are not rounded, and events."""
    name = f"{FOLDER}/sb.perf.rep.f.scan.range100.pk1.1"
    parsed = perf_report.read(TextFile(name, REPORT))

    assert [(5, "cycles_samples", 912, "count"),
            (6, "cycles_sampled", 27550963166, "count")] == found(parsed)  # fmt: skip
    assert {("scan_range=100", "1")} == {(r.step, r.dims["loop"]) for r in parsed.rows}


def test_a_table_with_call_graphs():
    """The graph is passed over; 4K samples is no figure; numbers are numbers."""
    parsed = perf_report.read(text_file(GRAPH))

    assert [
        (7, "cycles:u", 100.0, 0.0, 0, "prog", "prog", ".", "main"),
        (13, "cycles:u", 99.9, 99.9, 411, "prog", "prog", ".", "work"),
    ] == lines(parsed)
    assert [(2, "cycles_u_sampled", 2755, "count")] == found(parsed)


def test_two_events():
    """A table each; the second has its own columns."""
    table = perf_report.read(text_file(REPORT + GRAPH)).series["perf_report"]

    assert ["cycles"] * 3 + ["cycles:u"] * 2 == table["event"].to_pylist()
    assert [46.64, 5.78, 0.04, None, None] == table["overhead_pct"].to_pylist()


def test_a_second_table_whose_event_is_lost():
    """It is not the first one's."""
    text = REPORT + GRAPH.replace("# Samples: 4K of event 'cycles:u'\n", "")
    parsed = perf_report.read(text_file(text))

    assert ["cycles"] * 3 + [""] * 2 == [one[1] for one in lines(parsed)]
    assert ["cycles_samples", "cycles_sampled"] == [row.metric for row in parsed.rows]


@pytest.mark.parametrize(
    "line",
    [
        "   46.64%  postgres  postgres           [.] mblen",
        "    46.6%  postgres  postgres           [.] mblen",
        "    46.64%  postgres  postgres",
        "    46.64%  postgres_ postgres          [.] mblen",
        "    46.64% postgres  postgres           [.] mblen",
    ],
)
def test_a_line_out_of_its_columns_is_told(line: str):
    """A cell that is shifted, short or missing."""
    old = "    46.64%  postgres  postgres           [.] mblen"
    parsed = perf_report.read(text_file(REPORT.replace(old, line)))

    assert [(11, "not a line of the table")] == told(parsed)
    assert 2 == len(lines(parsed))


def test_a_table_without_its_header():
    """Nothing says what the columns are."""
    text = "".join(x for x in REPORT.splitlines(keepends=True) if "...." not in x)
    parsed = perf_report.read(text_file(text))

    assert {} == parsed.series
    assert [10, 11, 12] == [line for line, _ in told(parsed)]


def test_a_hierarchy_is_not_read():
    """Its rows are parts of those above them: all together they are no 100%."""
    text = (
        "#       Overhead  Command / Symbol\n# ..............  ................\n#\n"
        "   100.00%        prog\n      100.00%        [.] work\n"
    )

    assert not perf_report.recognises(text_file(text))
    assert {} == perf_report.read(text_file(text)).series


def test_other_shares_and_columns():
    """Parts of the kernel and of programs are shares too; names are words."""
    parsed = perf_report.read(
        text_file(
            "# Overhead       sys       usr  Symbol   Source:Line  IPC   [IPC Coverage]\n"
            "# ........  ........  ........  .......  ...........  ....................\n"
            "#\n"
            "    42.50%     2.50%    40.00%  [.] run  work.c:7     1.21   [ 45.6%]\n"
        )
    )

    assert [
        {"line": 4, "event": "", "overhead_pct": 42.5, "sys_pct": 2.5, "usr_pct": 40.0,
         "level": ".", "symbol": "run", "source_line": "work.c:7",
         "ipc_ipc_coverage": "1.21   [ 45.6%]"},
    ] == parsed.series["perf_report"].to_pylist()  # fmt: skip
    assert [] == told(parsed)


def test_a_column_without_a_name_is_no_column():
    """A header that was cut above its dots."""
    text = "# Overhead  Comm\n# ........  .......  ......\n#\n   9.00%  prog     work\n"

    assert not perf_report.recognises(text_file(text))


def test_a_group_of_events_has_no_sum():
    """Nanoseconds and faults are counted together, and shares stand side by side."""
    text = (
        "# Samples: 126  of events 'cpu-clock, page-faults'\n"
        "# Event count (approx.): 595000353\n#\n"
        "#         Overhead  Command\n# ................  .......\n#\n"
        "    98.32%   0.00%  prog\n"
    )
    parsed = perf_report.read(text_file(text))

    assert ([], {}) == (parsed.rows, parsed.series)
    assert [(1, "a group of events: not read"), (7, "not a line of the table")] == (
        told(parsed)
    )


def test_a_page_about_perf_is_no_report():
    """A table within prose."""
    prose = "Shares are of all samples.\n"

    assert perf_report.recognises(text_file(REPORT + prose))
    assert not perf_report.recognises(text_file(REPORT + 50 * prose))
