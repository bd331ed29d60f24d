"""lines.c reads what the patterns read: with and without it rows are the same."""

from __future__ import annotations

import re
from types import ModuleType, SimpleNamespace

import pytest
from damage import damaged
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from iibench_files import CREATED, SECONDS_12, SECONDS_17
from sysbench_files import OLD, RUN
from system_files import LAYOUTS, MEGABYTES, VMSTATS

from benchformats.iibench import seconds as iibench_seconds
from benchformats.lines import lines
from benchformats.lines import lines as compiled
from benchformats.lines import shapes as line_shapes
from benchformats.lines.lines import lines_of
from benchformats.lines.shapes import (
    Decimal,
    Gap,
    Integer,
    Integers,
    Padding,
    Part,
    Picture,
    Shape,
    Text,
    Word,
    read_shape,
    read_shapes,
)
from benchformats.parsed import Parsed, TextFile
from benchformats.sysbench import output as sysbench_output
from benchformats.system import iostat, vmstat

pytestmark = pytest.mark.unit

EPS = "[ 1s ] thds: 4 eps: 812.40 lat (ms,95%): 6.32\n"
FILES: dict[str, tuple[ModuleType, str]] = {
    **{f"iostat{name}": (iostat, text) for name, text in LAYOUTS.items()},
    "iostatMB": (iostat, MEGABYTES["22"]),
    **{f"vmstat{name}": (vmstat, text) for name, text in VMSTATS.items()},
    "iibench12": (iibench_seconds, SECONDS_12 + CREATED),
    "iibench17": (iibench_seconds, SECONDS_17 + SECONDS_12),
    "sysbench": (sysbench_output, RUN + EPS + OLD),
}
ODD = ("0", "-1", "-", "007", "1.", ".5", "1.5", "12.345", "1e3", "0x1F", "nan", "+1",
       "٣", "9" * 15, "9" * 16, "9" * 18, "9" * 19, "9" * 30, "1" * 14 + ".25", "Device",
       "avg-cpu:", "Linux", "\t", "\v", "é", "")  # fmt: skip


@st.composite
def odd(draw: st.DrawFn, text: str) -> str:
    """The text, damaged perhaps, with words of it in other words' place."""
    if draw(st.booleans()):
        text = draw(damaged(text))
    words = re.split(r"([ \t\n]+)", text)
    for _ in range(draw(st.integers(0, 6))):
        words[draw(st.integers(0, len(words) - 1))] = draw(st.sampled_from(ODD))
    return "".join(words)


def read(module: ModuleType, text: str, compiler: bool = True) -> Parsed:
    """As a format reads it, with lines.c or without."""
    with pytest.MonkeyPatch.context() as patch:
        if not compiler:
            patch.setattr(lines, "compiled", lambda _name: None)
        parsed: Parsed = module.read(TextFile("x/o.ib.dop1", text))
    return parsed


def rows(text: str, *parts: Part) -> list[dict]:
    """What a shape gives of all lines."""
    whole = lines_of(text.encode())
    found = read_shape(whole, Shape((*parts, b"\n")))
    return found[1].to_pylist()


@pytest.mark.parametrize("kind", sorted(FILES))
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_both_ways_give_the_same(kind: str, data: st.DataObject):
    """Rows, series with their order and types, problems with their lines."""
    module, text = FILES[kind]
    text = data.draw(odd(text))
    quick, slow = read(module, text), read(module, text, compiler=False)

    assert (slow.rows, slow.problems) == (quick.rows, quick.problems)
    assert {n: t.schema for n, t in slow.series.items()} == {
        n: t.schema for n, t in quick.series.items()
    }
    assert {n: t.to_pylist() for n, t in slow.series.items()} == {
        n: t.to_pylist() for n, t in quick.series.items()
    }


@pytest.mark.parametrize("kind", sorted(FILES))
def test_lines_c_does_the_reading(kind: str, monkeypatch: pytest.MonkeyPatch):
    """Of an undamaged file it reads rows: the comparison is one of two ways."""
    found = []
    library = lines.library()
    assert library

    def counted(*words: object) -> int:
        found.append(library.benchbook_read_lines(*words))
        return found[-1]

    counting = SimpleNamespace(benchbook_read_lines=counted)
    monkeypatch.setattr(line_shapes, "library", lambda: counting)
    read(*FILES[kind])

    assert sum(found) > 0


def test_each_kind_of_column():
    """Numbers exact, words and texts as they stand, lists of any length."""
    parts = (b"[", Padding(), Integer("n"), Gap(), Decimal("x"), b" ", Word("w"), b' "',
             Text("t"), b'" ', Picture("p", b"00:00"), b" ", Integers("l"))  # fmt: skip
    text = '[  7 \t0.1 md0 "a b" 09:26 1,20,3\n[8 12 é "" 1:26 1\n[8 12 x "" 01:26 4\n'

    assert [
        {"n": 7, "x": 0.1, "w": "md0", "t": "a b", "p": "09:26", "l": [1, 20, 3]},
        {"n": 8, "x": 12.0, "w": "x", "t": "", "p": "01:26", "l": [4]},
    ] == rows(text, *parts)


@given(st.integers(0, 10**15 - 1), st.integers(0, 15))
def test_a_decimal_is_the_nearest_double(digits: int, places: int):
    """As Python reads the same text, up to 15 digits."""
    text = str(digits).zfill(places + 1)
    text = f"{text[: len(text) - places]}.{text[len(text) - places :]}".rstrip(".")
    found = rows(f"{text}\n", Decimal("x"))

    assert found == ([{"x": float(text)}] if len(text.replace(".", "")) < 16 else [])


@pytest.mark.parametrize(
    "line", ["1" * 19, "-1", "+1", "1.0", " 1", "1 ", "", "1\0", "٣", "1e2"]
)
def test_what_is_no_integer(line: str):
    """The line is left to those who ask, and the next one is read."""
    assert [{"n": 2}] == rows(f"{line}\n2\n", Integer("n"))


@pytest.mark.parametrize("behind", ["", "\n" + "7" * 20])
@settings(deadline=None)
@given(digits=st.text("0123456789", min_size=1, max_size=18), blanks=st.integers(1, 20))
def test_numbers_and_gaps_of_any_length(digits: str, blanks: int, behind: str):
    """At the very end of the text, or with more digits in the line below."""
    gap = "".join(" \t"[n == 9] for n in range(blanks))
    found = rows(f"1{gap}{digits}{behind}", Integer("a"), Gap(), Integer("n"))

    assert found == ([{"a": 1, "n": int(digits)}] if behind else [])


def test_several_threads_read_many_lines_in_order(monkeypatch: pytest.MonkeyPatch):
    """Three parts of 3, 4 and 4 lines; every third has no shape, one another."""
    earlier = Shape((b"4 ", Word("b"), b" 4,4\n"))
    shape = Shape((Integer("a"), Gap(), Word("b"), Gap(), Integers("c"), b"\n"))
    texts = [f"{n} w{n} {n},{n}\n" if n % 3 else "?\n" for n in range(11)]
    all_ = lines_of("".join(texts).encode())
    whole = read_shapes(all_, [earlier, shape])[1]
    monkeypatch.setattr(line_shapes, "PART", 3)
    monkeypatch.setattr(line_shapes.os, "cpu_count", lambda: 3)
    parts = read_shapes(all_, [earlier, shape])[1]

    assert 3 == parts[1]["a"].num_chunks
    assert [1, 2, 5, 7, 8, 10] == parts[1]["a"].to_pylist()
    assert whole[0].tolist() == parts[0].tolist()
    assert whole[1].to_pylist() == parts[1].to_pylist()


def test_without_a_compiler_nothing_has_a_shape(monkeypatch: pytest.MonkeyPatch):
    """The patterns read all of it then."""
    monkeypatch.setattr(lines, "compiled", lambda _name: None)

    assert [] == rows("1\n", Integer("n"))


def test_a_library_that_cannot_be_made(monkeypatch: pytest.MonkeyPatch, tmp_path):
    """No compiler, or a cache that is no folder: there is none, and no error."""
    blocked = tmp_path / "file"
    blocked.write_text("")
    compiled.compiled.cache_clear()
    monkeypatch.setenv("BENCHBOOK_CACHE", str(blocked))
    without_cache = compiled.compiled("lines.c")
    compiled.compiled.cache_clear()
    monkeypatch.setenv("BENCHBOOK_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("PATH", "")
    without_compiler = compiled.compiled("lines.c")
    compiled.compiled.cache_clear()

    assert (None, None) == (without_cache, without_compiler)
