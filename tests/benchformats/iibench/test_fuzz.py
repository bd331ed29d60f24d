"""Damaged files of the insert benchmark: no crash, no figure that is not in its line."""

from __future__ import annotations

import time

import pytest
from damage import damaged
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from iibench_files import (
    COUNTS,
    CREATED,
    GETMIN,
    MRG,
    NOTES,
    PRE_AND_POST,
    REL,
    SECONDS_12,
    SECONDS_17,
    SHARES,
    SLICES,
    STEP,
    SUM,
    TESTS,
    not_printed,
)

from benchformats import (
    formats,
)
from benchformats.iibench import seconds as iibench_seconds
from benchformats.iibench import steps as iibench_steps
from benchformats.iibench import tables as iibench_tables
from benchformats.notes_2017 import notes as text_2017
from benchformats.parsed import Parsed, TextFile

pytestmark = pytest.mark.unit

FILES = {
    "seconds12": (iibench_seconds, "l.i1/o.ib.dop8.3", SECONDS_12),
    "seconds17": (iibench_seconds, "q100.1/o.ib.dop8.3", SECONDS_17),
    "created": (iibench_seconds, "in.byMem/o.ci.128m", SECONDS_12 + CREATED),
    "runs": (iibench_seconds, "o.ib", SECONDS_12 + SECONDS_12 + SECONDS_17),
    "step": (iibench_steps, "q100.1/o.res.dop2", STEP),
    "mrg": (iibench_tables, "res.a/mrg.q100.1", MRG),
    "rel": (iibench_tables, "res.a/rel.q100.1", REL),
    "some": (iibench_tables, "res.a/mrg.some", f"q100.1\n{MRG}\nq200.1\n{MRG}"),
    "sum": (iibench_tables, "o.sum.t.20m.my8022.cx6d", SUM),
    "shares": (iibench_tables, "mrg.q100.1.rt.query", SHARES),
    "counts": (iibench_tables, "l.i0/o.rt.t.insert", COUNTS),
    "slices": (iibench_tables, "mrg.q100.1.rate.query", SLICES),
    "getmin": (iibench_tables, "o.getmin.c2.4g.pg153.r", GETMIN),
    "notes": (text_2017, "oct2017/ibench.nuc", NOTES),
    "tests": (text_2017, "oct2017/sysbench.nuci3", TESTS),
    "scans": (text_2017, "oct2017/sb.1t.800m.48c", PRE_AND_POST),
}
KINDS = sorted(FILES)
MODULES = (iibench_seconds, iibench_steps, iibench_tables, text_2017)
UNITS = ("a", "\t", "\r", " ", "1", "1\t", "-", "i_sec\t", "Insert rt: ", "1.0\t1.0\n",
         "50th, ", "ips\tqps\t", "0, 1 ")  # fmt: skip
FUZZ = settings(deadline=None, max_examples=50, derandomize=True,
                suppress_health_check=[HealthCheck.too_slow])  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_an_undamaged_file_is_read(kind: str):
    """What the others are damaged from: all figures stand in their lines."""
    module, path, text = FILES[kind]
    parsed = module.read(TextFile(path, text))

    assert [] == not_printed(parsed, text)
    assert parsed.rows or parsed.series


@pytest.mark.parametrize("kind", KINDS)
def test_no_other_format_claims_a_file(kind: str):
    """It is recognised by its content, by one format, whatever its name."""
    module, _, text = FILES[kind]
    file = TextFile("notes", text)
    others = {f.name for f in formats() if f.recognises(file)} - {module.NAME}

    assert set() == others
    assert module.recognises(file)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
@FUZZ
@given(data=st.data())
def test_a_damaged_file(kind: str, data: st.DataObject):
    """Every figure stands in the line that it says it is from."""
    module, path, text = FILES[kind]
    bad = data.draw(damaged(text))
    file = TextFile(path, bad)
    module.recognises(file)
    parsed = module.read(file)

    assert isinstance(parsed, Parsed)
    assert [] == not_printed(parsed, bad)
    assert all(row.metric and row.direction in ("higher", "lower", "none")
               for row in parsed.rows)  # fmt: skip
    assert all(0 <= p.line <= bad.count("\n") + 1 for p in parsed.problems)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_a_file_that_ends_early(kind: str):
    """Cut anywhere, it gives no figure that the whole does not give in the same line."""
    module, path, text = FILES[kind]
    whole = {_key(row) for row in module.read(TextFile(path, text)).rows}
    for end in range(0, len(text), 1 + len(text) // 400):
        cut = module.read(TextFile(path, text[:end]))

        assert set() == {_key(row) for row in cut.rows} - whole, end


def _key(row) -> tuple:
    return (row.line, row.step, row.metric, row.op, row.value, row.tag, row.unit,
            row.dop, row.machine, tuple(sorted(row.dims.items())))  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("module", MODULES, ids=lambda m: m.NAME)
@FUZZ
@given(text=st.text(max_size=400))
def test_any_text(module, text: str):
    """Nothing is found in what is no such file, and nothing fails."""
    file = TextFile("notes", text)
    module.recognises(file)

    assert [] == module.read(file).rows


@pytest.mark.slow
@pytest.mark.parametrize("module", MODULES, ids=lambda m: m.NAME)
@pytest.mark.parametrize("unit", UNITS)
def test_a_long_file_of_one_word(module, unit: str):
    """Half a megabyte of it takes no more than a moment."""
    text = unit * (500_000 // len(unit)) + "\n"
    start = time.perf_counter()
    file = TextFile("notes", text)
    module.recognises(file)

    assert [] == module.read(file).rows
    assert 5 > time.perf_counter() - start
