"""A declared format of JSON: what its one reader makes of entries and of what lacks."""

from __future__ import annotations

import pytest
from tool_files import text_file

from benchformats.json_format import Figure, JsonFormat

pytestmark = pytest.mark.unit

FORMAT = JsonFormat(
    keys=("results[].name",),
    entries="results",
    check=lambda test: "" if test.step else "no name",
    figures=lambda test: [
        Figure("time", test.said.get("times"), "s", "lower", each=True, told=True),
        Figure("size", test.said.get("size"), "bytes"),
    ],
    when=("run.date",),
)


def test_numbers_of_a_list_are_trials_of_the_entry_s_line():
    """One that is no figure keeps its place, and is told where that is asked for."""
    parsed = FORMAT.read(text_file('{"results": [\n{"name": "a", "times": [1, -1, 3]}]}'))

    assert [(2, "a", 1, 1.0), (2, "a", 3, 3.0)] == [
        (row.line, row.step, row.trial, row.value) for row in parsed.rows
    ]
    assert [(2, "time is no time: -1")] == [(p.line, p.text) for p in parsed.problems]


def test_an_entry_that_fails_its_check_is_told_with_its_line():
    """The others are read, with the time that the document says."""
    text = '{"results": [{"size": 1},\n{"name": "b", "times": [], "size": 2}],\n'
    parsed = FORMAT.read(text_file(text + '"run": {"date": "2026-01-31"}}'))

    assert [(1, "no name")] == [(p.line, p.text) for p in parsed.problems]
    assert [("b", "size", {"started": "2026-01-31"})] == [
        (row.step, row.metric, row.dims) for row in parsed.rows
    ]


def test_a_document_without_entries_says_so():
    """There is nothing to compare."""
    [problem] = FORMAT.read(text_file('{"results": []}')).problems

    assert "no benchmark was run" == problem.text
