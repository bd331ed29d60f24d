"""The fuzzing harness without its engine: what it starts from, and that it judges."""

import pytest

from benchformats import Format, formats
from benchformats.parsed import Parsed, Problem, Row
from fuzz.fuzz_formats import check, damaged, file_of, seeds

pytestmark = pytest.mark.unit

SEEDS = seeds()


def format_that_gives(*rows, problems=()):
    parsed = Parsed(list(rows), problems=list(problems))
    return (Format("made", lambda file: True, lambda file: parsed),)


@pytest.mark.parametrize("name", SEEDS)
def test_an_undamaged_file_is_recognised(name):
    """Fuzzing starts within a format, not before its first line."""
    assert check(SEEDS[name]) != []


def test_every_format_is_fuzzed():
    """Each format has an undamaged file to begin with."""
    files = [file_of(data) for data in SEEDS.values()]
    reached = {next(f.name for f in formats() if f.recognises(file)) for file in files}

    assert {f.name for f in formats()} == reached


def test_an_input_is_a_path_and_a_text():
    """Line ends are those that a format gets; bytes that are no UTF-8 are U+FFFD."""
    file = file_of(b"a/sum.txt\n1\r\n\xff\n")

    assert ("a/sum.txt", ["1", "\ufffd"]) == (file.path, file.lines)


@pytest.mark.parametrize(
    ("row", "said"),
    [
        (Row(3, "scan", "qps", 1.0, "", "higher"), "line 3"),
        (Row(1, "scan", "qps", 1.0, "", "up"), "direction"),
        (Row(1, "scan", "qps", float("nan"), "", "none"), "NaN"),
        (Row(1, "scan", "", 1.0, "", "none"), "metric=''"),
    ],
)
def test_a_row_out_of_contract_is_told(row, said):
    """A line that is not there, no direction, no number, no name."""
    with pytest.raises(AssertionError, match=said):
        check(b"x\n1\n2\n", format_that_gives(row))


def test_a_problem_of_a_line_that_is_not_there_is_told():
    """A file of two lines has no fourth."""
    with pytest.raises(AssertionError, match="line=4"):
        check(b"x\n1\n2\n", format_that_gives(problems=[Problem(4, "cut")]))


def test_the_same_seed_damages_alike():
    """A failure can be repeated."""
    text = b"x\n" + b"\n".join(b"%d\t%d\tscan" % (n, n * n) for n in range(20))

    assert damaged(text, 7) == damaged(text, 7)
    assert 1 < len({damaged(text, seed) for seed in range(20)})
