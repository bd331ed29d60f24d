"""Numbers that a command prints: where they are found, and what is missing."""

from __future__ import annotations

import pytest

from benchbook.commands.numbers import Number, check_rule, numbers_of
from benchmath.errors import UserError

pytestmark = pytest.mark.unit
QPS = Number("qps", 5.0, "q/s", "higher")
GO = "goos: linux\nBenchmarkSort-2 \t     100\t     5.0 ns/op\nPASS\n"


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        ("lines", "starting\nqps 5 q/s\n3 rows in 2 s\n"),
        ({"json": {"qps q/s": "all.0.rate"}}, '{"all": [{"rate": 5}]}'),
        ({"json": {"qps q/s": "all.0.rate"}}, '{"all": [{"rate": "5.0"}]}'),
        ("lines", "qps 5 q/s\nqps 5 q/s\n"),
        ({"regex": {"qps q/s": r"rate: ([\d]+)\."}}, "rate: 5.9, 7\n"),
        ({"regex": {"qps q/s": r"rate: (\d+)"}}, "rate: 5, or more.\n"),
        ({"regex": {"qps q/s": r"^rate: ([\d.]+)"}}, "warm\nrate: 5.0 a second\n"),
    ],
)
def test_number_is_found(rule, text):
    """A unit that is a rate tells the direction."""
    assert [QPS] == numbers_of(rule, text)


def test_direction_may_be_said():
    """Of a unit that nobody knows it is none otherwise."""
    said = numbers_of("lines", "depth 3 levels\nscore 4 points higher\n")

    assert ["none", "higher"] == [number.direction for number in said]


def test_format_that_import_knows():
    """Named by its step and metric."""
    [number, *_] = numbers_of({"format": "any"}, GO)

    assert ("Sort", 5.0) == (number.name.split(".")[0], number.value)


@pytest.mark.parametrize(
    ("rule", "text", "sentence"),
    [
        ("lines", "nothing\n", "it printed no number"),
        ("lines", "qps nan q/s\n", "qps is nan, which is no figure"),
        ({"json": {"qps": "a.b"}}, "{}", "it printed no a.b"),
        ({"json": {"qps": "a"}}, "oops", "it printed no JSON"),
        ({"json": {"qps": "a"}}, '{"a": true}', "a is 'True', which is no number"),
        ({"regex": {"qps": "x=(.*)"}}, "y=1", r"nothing it printed fits x=\(.\*\)"),
        ({"regex": {"qps": "x=(.*)"}}, "x=1a", "'1a' of"),
        ("lines", "qps 1 q/s\nqps 3 q/s\n", "it printed qps as 1 q/s and as 3 q/s"),
        ("lines", "t 1 ms\nt 1 s\n", "it printed t as 1 ms and as 1 s"),
        ({"regex": {"qps": r"x: ([\d.]+)"}}, "x: 1,100", "longer number: 1,100"),
        ({"regex": {"qps": r"x: ([\d.]+)"}}, "x: 1.2e+03", r"longer number: 1.2e\+03"),
        ({"regex": {"qps": r"([\d.]+) q/s"}}, "1,100 q/s", "longer number: 100"),
        ({"format": "any"}, "hello\n", "is of no format that `import` knows"),
    ],
)
def test_missing_number_is_one_sentence(rule, text, sentence):
    with pytest.raises(ValueError, match=sentence):
        numbers_of(rule, text)


@pytest.mark.parametrize(
    ("rule", "sentence"),
    [
        ({"regex": {"qps": "x=.*"}}, "here: qps: needs one group in parentheses"),
        ({"regex": {"qps": "x=("}}, "here: qps: missing"),
        ({"json": {"p99 us": "a"}}, "here: p99 us: p99 is measured already"),
        ({"json": {"a us down": "a"}}, "write a name, a unit, and higher or lower"),
        ({"json": {"9": "a"}}, "write a name in letters"),
    ],
)
def test_rule_that_finds_nothing_is_refused(rule, sentence):
    with pytest.raises(UserError, match=sentence):
        check_rule(rule, "here")
