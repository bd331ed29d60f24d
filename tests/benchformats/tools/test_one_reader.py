"""A file of a tool is told by its content, by one reader alone."""

from __future__ import annotations

import json

import pytest
from tool_files import FILES, PGBENCH_OLD, text_file

from benchbook.imports.read import recognised
from benchformats import formats

pytestmark = pytest.mark.unit

WHOLE = ("hyperfine", "google_benchmark", "pytest_benchmark", "criterion_estimates",
         "criterion_samples", "jmh", "asv", "benchmark_action_custom")  # fmt: skip
BROKEN = ("", "{", '{"results": [', "[[[", '{"a": 1e400, "b": NaN}', "[" * 100_000)


def claimed(text: str, path: str = "x") -> list[str]:
    return [one.name for one in formats() if one.recognises(text_file(text, path))]


@pytest.mark.parametrize("name", FILES)
def test_one_reader_claims_a_file(name):
    """Whatever the file is called."""
    _, text = FILES[name]

    assert [name] == claimed(text)


@pytest.mark.parametrize("name", FILES)
def test_the_importer_chooses_it(name):
    """Nothing that stands before the readers takes the file for something else."""
    path, text = FILES[name]
    chosen = recognised(text_file(text, path), formats())

    assert chosen is not None
    assert name == chosen.name


def test_an_older_pgbench_is_claimed_once():
    """Its print has other words."""
    assert ["pgbench"] == claimed(PGBENCH_OLD)


@pytest.mark.parametrize("name", [*WHOLE, "criterion_messages"])
def test_compact_json_is_the_same(name):
    """Written on one line, or with other spaces; messages are lines anyway."""
    path, text = FILES[name]
    lines = [json.loads(one) for one in text.splitlines()] if name.endswith(
        "messages") else [json.loads(text)]  # fmt: skip
    compact = "\n".join(json.dumps(one, separators=(",", ":")) for one in lines) + "\n"
    [module] = [one for one in formats() if one.name == name]
    rows = [module.read(text_file(one, path)).rows for one in (text, compact)]

    assert [name] == claimed(compact)
    assert [(r.step, r.metric, r.value) for r in rows[0]] == [
        (r.step, r.metric, r.value) for r in rows[1]
    ]


@pytest.mark.parametrize("text", BROKEN)
def test_other_json_is_nobodys(text):
    """Broken, empty, or too deep for anything."""
    assert [] == claimed(text)


@pytest.mark.parametrize("name", WHOLE)
def test_a_cut_file_is_told_not_half_read(name):
    """What of the file was lost cannot be known: no row, one sentence with a line."""
    path, text = FILES[name]
    [module] = [one for one in formats() if one.name == name]
    for end in (len(text) // 2, len(text.rstrip()) - 1):
        parsed = module.read(text_file(text[:end], path))
        assert [] == parsed.rows
        [problem] = parsed.problems
        assert problem.line > 0
        assert "broken JSON" in problem.text


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("instead", ["NaN", "1e400", "-5", '"x"', "9" * 5000, "null"])
def test_no_number_that_is_none(name, instead):
    """A value that is no figure is left out, never stored as something else."""
    path, text = FILES[name]
    [module] = [one for one in formats() if one.name == name]
    for at in range(0, len(text), max(1, len(text) // 60)):
        start = next((i for i in range(at, len(text)) if text[i].isdigit()), None)
        if start is None:
            break
        end = start
        while end < len(text) and (text[end].isdigit() or text[end] == "."):
            end += 1
        parsed = module.read(text_file(text[:start] + instead + text[end:], path))
        assert all(abs(row.value) < 1e300 for row in parsed.rows)
        assert all(row.value >= 0 for row in parsed.rows if row.unit in ("s", "ns", "ms"))


DEEP = '{"results": [{"command": "x", "user": 1, "system": 1, "a": ' + "[" * 100_000


def test_json_that_is_too_deep_is_told():
    """No traceback, whatever somebody nests."""
    [module] = [one for one in formats() if one.name == "hyperfine"]
    parsed = module.read(text_file(DEEP + "]" * 100_000 + "}]}"))

    assert [] == parsed.rows
    assert [1] == [problem.line for problem in parsed.problems]
