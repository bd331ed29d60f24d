"""Damaged db_bench files: no crash, no figure that is not in its line."""

from __future__ import annotations

import pytest
from damage import damaged
from db_bench_files import (
    ABS,
    LOG,
    NEW_STALLS,
    OLD,
    OLD_STALLS,
    RATES,
    REL,
    SHAPES,
    SUM,
    TABLE_CSV,
    TABLE_TSV,
    not_printed,
    text_file,
)
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from benchformats import (
    formats,
)
from benchformats.db_bench import log as db_bench
from benchformats.db_bench import rates as db_bench_rates
from benchformats.db_bench import sums as db_bench_sums
from benchformats.db_bench import tables as db_bench_tables
from benchformats.parsed import Parsed

pytestmark = pytest.mark.unit

FILES = {
    "log": (db_bench, LOG),
    "log8": (db_bench, LOG.replace(OLD_STALLS, NEW_STALLS)),
    "shapes": (db_bench, SHAPES),
    "sum": (db_bench_sums, SUM),
    "old": (db_bench_sums, OLD),
    "rates": (db_bench_rates, RATES),
    "tsv": (db_bench_tables, TABLE_TSV),
    "csv": (db_bench_tables, TABLE_CSV),
    "abs": (db_bench_tables, ABS),
    "rel": (db_bench_tables, REL),
}
MODULES = (db_bench, db_bench_rates, db_bench_sums, db_bench_tables)
UNITS = ("a", "\t", "\r", " ", "(", "1,", "9", "ops_sec\t", "[0,")
FUZZ = settings(
    max_examples=120, deadline=2000, suppress_health_check=[HealthCheck.too_slow]
)


@pytest.mark.parametrize("kind", sorted(FILES))
def test_an_undamaged_file_is_read_without_a_problem(kind: str):
    """What the others are damaged from; what is known to be wrong with some is told."""
    module, text = FILES[kind]
    parsed = module.read(text_file(text))

    known = ("no header", "in an unknown unit")
    assert [] == [p for p in parsed.problems if not any(k in p.text for k in known)]
    assert [] == not_printed(parsed, text)
    assert parsed.rows or parsed.series


@pytest.mark.parametrize("kind", sorted(FILES))
def test_no_other_format_claims_a_file(kind: str):
    """It is recognised by its content, by one format."""
    module, text = FILES[kind]
    file = text_file(text, "notes")
    claims = {format_.name for format_ in formats() if format_.recognises(file)}

    assert {module.NAME} == claims | {module.NAME}
    assert module.recognises(file)


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


@pytest.mark.slow
@pytest.mark.parametrize(
    "module", [db_bench, db_bench_rates, db_bench_sums, db_bench_tables]
)
@FUZZ
@given(text=st.text(max_size=400))
def test_any_text(module, text: str):
    """Nothing is found in what is no such file, and nothing fails."""
    file = text_file(text)
    module.recognises(file)

    assert [] == module.read(file).rows


@pytest.mark.parametrize(
    "module", [db_bench, db_bench_rates, db_bench_sums, db_bench_tables]
)
@pytest.mark.parametrize(
    "unit", ["a", "\t", "\r", " ", "(", "1,", "9", "ops_sec\t", "[0,"]
)
def test_a_very_long_line(module, unit: str):
    """A megabyte of one character takes no more than a moment."""
    text = unit * (1_000_000 // len(unit)) + "\n"
    file = text_file(text)
    module.recognises(file)

    assert [] == module.read(file).rows
