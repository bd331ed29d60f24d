"""Damaged output of iostat and vmstat: no crash, no figure that is not in its line."""

from __future__ import annotations

import re

import pytest
from damage import damaged
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from system_files import LAYOUTS, MEGABYTES, VMSTATS, not_printed
from text_blocks import reader

from benchformats import formats
from benchformats.parsed import Parsed, TextFile, merged
from benchformats.system import iostat, vmstat

pytestmark = pytest.mark.unit

FILES = (
    {f"iostat{name}": (iostat, text) for name, text in LAYOUTS.items()}
    | {"iostatMB": (iostat, MEGABYTES["22"])}
    | {f"vmstat{name}": (vmstat, text) for name, text in VMSTATS.items()}
)
UNITS = ("a", "\t", "\r", " ", "9", "0.00 ", "1 ", "Device ", "avg-cpu: ", "procs ",
         " swpd", "r b swpd ", "\0")  # fmt: skip
FUZZ = settings(
    max_examples=20, deadline=2000, suppress_health_check=[HealthCheck.too_slow]
)


@pytest.mark.parametrize("kind", sorted(FILES))
def test_an_undamaged_file_is_read_without_a_problem(kind: str):
    """What the others are damaged from, each figure in its place."""
    module, text = FILES[kind]
    parsed = module.read(TextFile("x", text))

    assert ([], []) == (parsed.problems, not_printed(parsed, text))
    assert parsed.series


@pytest.mark.parametrize("kind", sorted(FILES))
def test_no_other_format_claims_a_file(kind: str):
    """It is recognised by its content, by one format."""
    module, text = FILES[kind]
    file = TextFile("notes", text)
    known = {format_.name for format_ in formats() if format_.recognises(file)}

    assert {module.NAME} == known


@pytest.mark.slow
@pytest.mark.parametrize("kind", sorted(FILES))
@FUZZ
@given(data=st.data())
def test_a_damaged_file(kind: str, data: st.DataObject):
    """Every sample is its line, word for word, under the header above it."""
    module, text = FILES[kind]
    bad = data.draw(damaged(text))
    file = TextFile("x", bad)
    module.recognises(file)
    parsed = module.read(file)

    assert [] == not_printed(parsed, bad)


@pytest.mark.slow
@pytest.mark.parametrize("kind", sorted(FILES))
@FUZZ
@given(data=st.data())
def test_every_line_of_figures_is_read_or_told(kind: str, data: st.DataObject):
    """A line that is no sample, header, blank or banner has a problem, or its header."""
    module, text = FILES[kind]
    bad = data.draw(damaged(text))
    parsed = module.read(TextFile("x", bad))
    lines = bad.split("\n")
    read = {n for table in parsed.series.values() for n in table["line"].to_pylist()}
    told = {problem.line for problem in parsed.problems}
    silent = [
        n
        for n, line in enumerate(lines, 1)
        if line.strip() and n not in read | told and not _known(line)
        and not _below_a_told_header(lines, n, told)
    ]  # fmt: skip

    assert [] == silent


@pytest.mark.slow
@pytest.mark.parametrize("kind", sorted(FILES))
@FUZZ
@given(data=st.data())
def test_a_damaged_file_in_blocks(kind: str, data: st.DataObject):
    """Where a large file is cut into blocks does not matter."""
    module, text = FILES[kind]
    bad = data.draw(damaged(text))
    lines = re.findall(r"[^\n]*\n|[^\n]+$", bad)
    size = data.draw(st.integers(1, len(lines) + 1))
    pieces = ["".join(lines[n : n + size]) for n in range(0, len(lines), size)]
    file = TextFile("x", bad, reader=reader(pieces))
    whole, parts = module.read(TextFile("x", bad)), merged(module.stream(file))

    assert whole.series == parts.series


@pytest.mark.parametrize("module", [iostat, vmstat])
@FUZZ
@given(text=st.text(max_size=400))
def test_any_text(module, text: str):
    """Nothing is found in what is no such file, and nothing fails."""
    file = TextFile("x", text)
    module.recognises(file)
    parsed = module.read(file)

    assert isinstance(parsed, Parsed)
    assert {} == parsed.series


@pytest.mark.parametrize("module", [iostat, vmstat])
@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("end", ["", "\n"])
def test_much_of_one_thing(module, unit: str, end: str):
    """One long line, or very many lines, take no more than a moment."""
    text = (unit + end) * (200_000 // len(unit + end)) + "\n"
    file = TextFile("x", text)
    module.recognises(file)

    assert {} == module.read(file).series


def _known(line: str) -> bool:
    """A header, or the banner."""
    starts = ("Device", "avg-cpu", "Linux ", "procs", "-")
    return line.startswith(starts) or "swpd" in line


def _below_a_told_header(lines: list[str], number: int, told: set[int]) -> bool:
    """The nearest header above was told: its rows are not told one by one."""
    for above in range(number - 1, 0, -1):
        line = lines[above - 1]
        if line.startswith(("Device", "avg-cpu")) or "swpd" in line:
            return above in told
        if line.split()[:2] == ["r", "b"]:
            return above in told
    return False
