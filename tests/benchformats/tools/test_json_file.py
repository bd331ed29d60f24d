"""JSON files: entries with their lines, numbers that are numbers, names on one line."""

from __future__ import annotations

import pytest
from tool_files import text_file

from benchformats.json_file import (
    entries_of,
    figure,
    has_keys,
    json_lines,
    read_json,
    text_of,
)
from benchformats.units import direction_of

pytestmark = pytest.mark.unit

TEXT = '{"v": 1,\n "list": [\n  {"a": 1},\n  {"a": 2}\n ],\n "w": {"x": 3}}\n'


def test_entries_have_lines():
    """Of a list, and of an object, whose members are pairs."""
    of_list = read_json(text_file(TEXT), "list")
    of_object = read_json(text_file(TEXT), "w")

    assert [(3, {"a": 1}), (4, {"a": 2})] == [(e.line, e.value) for e in of_list.entries]
    assert {"v": 1, "w": {"x": 3}} == of_list.frame
    assert [(6, ("x", 3))] == [(e.line, e.value) for e in of_object.entries]


def test_entries_of_an_entry_have_lines():
    """Of a pair's list, and of a member that is a list."""
    file = text_file('{"a": {\n"x": [{"k": 0, "of": [\n5,\n6]}]}}')
    [pair] = read_json(file, "a").entries
    [element] = entries_of(file, pair)

    assert (2, {"k": 0, "of": [5, 6]}) == (element.line, element.value)
    assert [(3, 5), (4, 6)] == [
        (e.line, e.value) for e in entries_of(file, element, "of")
    ]
    assert [] == entries_of(file, element, "none")


def test_a_list_may_be_outermost():
    """With lines of something else above it."""
    document = read_json(text_file("warning: x\n[\n1,\n2]\n"))

    assert [(3, 1), (4, 2)] == [(e.line, e.value) for e in document.entries]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("no", 0), ('{"a": [1,\n2', 2), ('{"a" 1}', 1), ('{"a": 1}\nmore', 2),
        ('{"a": 1,\n}', 2), ('{"list":', 1), ("[1 2]", 1), ("{", 1), ("[", 1),
        ('{"a": "' + "x\ty" + '"}', 1),
    ],
)  # fmt: skip
def test_broken_files_are_told_with_their_line(text, line):
    """And nothing of them is given."""
    document = read_json(text_file(text), "list")

    assert ([], {}, line) == (document.entries, document.frame, document.problem.line)


@pytest.mark.parametrize("value", [True, None, "1", float("inf"), float("nan"), [], {}])
def test_what_is_no_figure(value):
    """Only finite numbers are."""
    assert figure(value) is None


def test_huge_numbers_are_no_figures():
    """An integer of 5000 digits, an exponent that no double has."""
    document = read_json(text_file('{"a": %s, "b": 1e400, "c": NaN}' % ("9" * 5000)))

    assert [None] * 3 == [figure(document.frame[key]) for key in "abc"]


def test_keys_are_found_in_a_cut_file():
    """Braces in texts are none; keys are told by where they stand."""
    text = '{"a": "}{[", "b": [{"c": 1, "d": [[{"e": 2}]]}, {"f'

    assert has_keys(text_file(text), ("a", "b", "b[].c", "b[].d", "b[].d[][].e"))
    assert not has_keys(text_file(text), ("c",))
    assert not has_keys(text_file(text), ("b[].f",))


def test_lines_of_json():
    """One broken line does not take the others with it."""
    first, second, third = json_lines(text_file('{"a": 1}\n{"a": \ntext\n{"b": 2}\n'))

    assert [(1, {"a": 1}), (4, {"b": 2})] == [(e.line, e.value) for e in (first, third)]
    assert (2, "broken JSON: not read") == (second.line, second.text)


def test_names_are_one_line():
    """Numbers, booleans and nested values are text as JSON writes them."""
    assert ["a b", "1.5", "true", "", '{"x": 1}'] == [
        text_of(value) for value in (" a\n\tb ", 1.5, True, None, {"x": 1})
    ]


@pytest.mark.parametrize(
    ("unit", "direction"),
    [
        ("ns/op", "lower"), ("B/op", "lower"), ("allocs/op", "lower"), ("MB/s", "higher"),
        ("req/s", "higher"), ("items_per_second", "higher"), ("p99-ns", "lower"),
        ("text-bytes", "lower"), ("sec", "lower"), ("widgets", "none"), ("", "none"),
        ("ratio", "none"), ("ns", "lower"), ("bytes/s", "higher"),
    ],
)  # fmt: skip
def test_units_carry_their_direction(unit, direction):
    """Rates up, costs down, of the rest nobody knows."""
    assert direction == direction_of(unit)
