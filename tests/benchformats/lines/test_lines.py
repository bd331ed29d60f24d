"""Texts as arrays of lines: the same with lines.c and without it."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from benchformats.lines import lines
from benchformats.lines.lines import bytes_of, lines_of, texts_of

pytestmark = pytest.mark.unit

TEXTS = st.lists(st.sampled_from(["a\n", "b\n", "\n", "ab\n", "a much longer line\n"]))


@pytest.fixture(params=[True, False], ids=["lines.c", "without"])
def _ways(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch):
    if not request.param:
        monkeypatch.setattr(lines, "compiled", lambda _name: None)


@pytest.mark.usefixtures("_ways")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (b"", []),
        (b"a\nb\n", ["a\n", "b\n"]),
        (b"a\n\n12", ["a\n", "\n", "12"]),
        (b"\n" * 500, ["\n"] * 500),
        ("é\nü".encode(), ["é\n", "ü"]),
    ],
)
def test_lines_of_a_text(text: bytes, expected: list[str]):
    """Each with its end; a cut one without; more of them than there was room for."""
    assert expected == lines_of(text).to_pylist()


@pytest.mark.slow
@pytest.mark.usefixtures("_ways")
@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(texts=TEXTS, seed=st.integers(0, 99))
def test_which_texts_there_are(texts: list[str], seed: int):
    """Each once, and of each chosen line which it is."""
    chosen = np.random.default_rng(seed).random(len(texts)) < 0.7
    found, at = texts_of(lines_of("".join(texts).encode()), chosen)
    wanted = [text for text, one in zip(texts, chosen, strict=True) if one]

    assert sorted(set(wanted)) == sorted(found.to_pylist())
    assert wanted == [found[int(n)].as_py() for n in at]


@pytest.mark.usefixtures("_ways")
def test_many_texts(monkeypatch: pytest.MonkeyPatch):
    """More than are compared one by one."""
    monkeypatch.setattr(lines, "MOST_TEXTS", 3)
    found, at = texts_of(lines_of(b"a\nb\nc\nd\na\n"), np.ones(5, bool))

    assert (["a\n", "b\n", "c\n", "d\n"], [0, 1, 2, 3, 0]) == (
        found.to_pylist(), at.tolist(),
    )  # fmt: skip


def test_a_part_of_an_array_has_its_own_lines():
    """Its ends are those of the whole text."""
    data, ends = bytes_of(lines_of(b"a\nbc\nd\n")[1:])

    assert (b"bc\nd\n", [2, 5, 7]) == (data[ends[0] :].tobytes(), ends.tolist())
    assert isinstance(lines_of(b""), pa.StringArray)
