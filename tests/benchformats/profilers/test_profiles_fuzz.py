"""Damaged profiles and lists: no crash, no figure that is not in its line."""

from __future__ import annotations

import pytest
from damage import damaged
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from profile_files import FILES, MODULES, not_printed, text_file

from benchformats import formats
from benchformats.parsed import Parsed

pytestmark = pytest.mark.unit

UNITS = ("a", "\t", "\r", " ", "(", "1,", "9", "a;", "a,b ", "# ", ".", "    130 a,",
         "# . ", "p 1 1.0: 1 e:", "<not ", "x(m=", "->", "[k] ")  # fmt: skip
FUZZ = settings(
    max_examples=60, deadline=2000, suppress_health_check=[HealthCheck.too_slow]
)


@pytest.mark.parametrize("kind", sorted(FILES))
def test_an_undamaged_file_is_read_without_a_problem(kind: str):
    """What the others are damaged from."""
    module, text = FILES[kind]
    parsed = module.read(text_file(text))

    assert [] == parsed.problems
    assert [] == not_printed(parsed, text)
    assert parsed.rows


@pytest.mark.parametrize("kind", sorted(FILES))
def test_no_other_format_claims_a_file(kind: str):
    """It is recognised by its content, by one format."""
    module, text = FILES[kind]
    file = text_file(text)
    claims = {format_.name for format_ in formats() if format_.recognises(file)}

    assert {module.NAME} == claims


@pytest.mark.slow
@pytest.mark.parametrize("kind", sorted(FILES))
@FUZZ
@given(data=st.data())
def test_a_damaged_file(kind: str, data: st.DataObject):
    """Every figure stands in the line that it says it is from."""
    module, text = FILES[kind]
    bad = data.draw(damaged(text))
    file = text_file(bad)
    module.recognises(file)
    parsed = module.read(file)

    assert isinstance(parsed, Parsed)
    assert [] == not_printed(parsed, bad)


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.NAME)
@FUZZ
@given(text=st.text(max_size=400))
def test_any_text(module, text: str):
    """Nothing is found in what is no such file, and nothing fails."""
    file = text_file(text)

    assert not module.recognises(file)
    assert [] == module.read(file).rows


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.NAME)
def test_long_lines_of_blanks(module):
    """Lines of nearly the length that is read: no pattern goes back over the blanks."""
    lines = ("a" + " " * 19_900 + "b\n", " " * 19_900 + "1 b\n", "\t" * 19_900 + "(\n")
    file = text_file("".join(lines) * 20)
    module.recognises(file)

    assert [] == module.read(file).rows


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.NAME)
@pytest.mark.parametrize("unit", UNITS)
def test_a_very_long_line(module, unit: str):
    """A megabyte of one character takes no more than a moment."""
    file = text_file(unit * (1_000_000 // len(unit)) + "\n")
    module.recognises(file)

    assert isinstance(module.read(file), Parsed)
