"""A user's own text against a metric frame: numbers, quotients, comparing words."""

from __future__ import annotations

import pandas as pd
import pytest

from benchbook.audit.cells import Cell
from benchbook.audit.draft import proofread

pytestmark = pytest.mark.unit


def frame():
    """CPU per query and queries/s of two engines on two kinds of machine."""
    values = {
        ("postgres", "arm"): (119, 4000), ("postgres", "x86"): (58, 5000),
        ("innodb", "arm"): (160, 3000), ("innodb", "x86"): (100, 3300),
    }  # fmt: skip
    rows = [
        {"engine": engine, "cpu": cpu, "step": "q100", "op": "query", "clock": "",
         "metric": metric, "value": value, "unit": "us",
         "direction": "higher" if metric == "qps" else "lower", "main": metric == "qps",
         "run_id": f"{engine}{cpu}", "trial": 1}
        for (engine, cpu), pair in values.items()
        for metric, value in zip(("cpu_o", "qps"), pair, strict=True)
    ]  # fmt: skip
    return pd.DataFrame(rows)


def read(text, cells=()):
    return proofread(text, cells, frame(), ["postgres", "innodb", "arm", "x86", "q100"])


def test_a_wrong_quotient_is_caught_with_the_right_one():
    """119 / 58 = 2.05, of which a post says 1.3X."""
    [one] = read("Postgres on Arm uses ~1.3X CPU/query than on x86.")

    assert not one.right
    assert "2.05 = 119 / 58 (cpu_o q100, arm / x86)" == one.gives


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("Postgres on Arm uses 2.1X the CPU of x86.", True),
        ("InnoDB on Arm uses 1.6 times the CPU of x86.", True),
        ("InnoDB on Arm uses 2.1 times the CPU of x86.", False),
        ("Postgres on x86 is 25% faster than on Arm.", True),
        ("Postgres on Arm is 20% slower than on x86.", True),
        ("Postgres on Arm is 30% slower than on x86.", False),
        ("Postgres on x86 is faster than on Arm.", True),
        ("Postgres on Arm is faster than on x86.", False),
        ("On x86 InnoDB is slower than Postgres.", True),
        ("Postgres on Arm is 25% faster than on x86.", False),
        ("Postgres on x86 is 20% slower than on Arm.", False),
        ("Postgres on Arm is 1.25X faster than on x86.", False),
        ("Postgres on Arm is 1.25 times slower than on x86.", True),
        ("Postgres on x86 is 1.25 times slower than on Arm.", False),
        ("The CPU of Postgres on x86 is 51% lower than on Arm.", True),
        ("The CPU of Postgres on Arm is 51% lower than on x86.", False),
        ("By its CPU Postgres on x86 is faster than on Arm.", True),
        ("By its CPU Postgres on x86 is slower than on Arm.", False),
        ("By its CPU Postgres on Arm is 2.1 times slower than on x86.", True),
        ("By its CPU Postgres on x86 is 2.1 times slower than on Arm.", False),
        ("Postgres on Arm uses twice the CPU of x86.", True),
        ("Postgres on x86 is twice as fast as on Arm.", False),
        ("Postgres on Arm is half as fast as on x86.", False),
    ],
)
def test_quotients_and_words(text, right):
    """Of the names in the sentence, the one that stands first over the other."""
    [one] = read(text)

    assert right == one.right, str(one)


def test_of_what_is_not_so_nothing_is_said():
    """The data may hold it or not: who writes so has to look."""
    assert [] == read("Postgres on x86 is not faster than on Arm.")


def test_a_metric_is_spoken_of_by_its_name():
    """119 / 58 pages = 2.05; the rates are 0.8 of one another."""
    pages = frame().replace({"cpu_o": "pages"})
    [one] = proofread("Postgres on Arm has 2.1X the pages of x86.", [], pages, ["x86"])

    assert one.right


@pytest.mark.parametrize("text", ["2X as fast as", "twice as fast as", "2% faster than"])
def test_a_factor_is_no_name(text):
    """As where a run has 2 clients: the quotient is 0.8."""
    said = f"Postgres on Arm is {text} on x86 with 2 clients."
    [one] = proofread(said, [], frame(), ["2"])

    assert not one.right


def test_paragraphs_that_begin_alike_have_their_own_lines():
    """The second begins on line 3."""
    text = (
        "The rate of Postgres on Arm is 1 q/s.\n\nThe rate of Postgres on Arm is 2 q/s."
    )

    assert [1, 3] == [one.line for one in read(text)]


@pytest.mark.parametrize(
    ("text", "rates", "right"),
    [
        ("In q100 new is faster than old.", (110, 90, 100), False),
        ("In q100 new is faster than old.", (110,) * 3, True),
        ("In q100 there is no difference of new and old.", (110, 90, 100), True),
        ("In q100 there is no difference of new and old.", (110,) * 3, False),
    ],
)
def test_a_difference_that_the_runs_do_not_show_is_none(text, rates, right):
    """New 110, 90, 100 over old 100 each: the interval holds 1."""
    rows = [
        {"version": version, "step": "q100", "op": "query", "clock": "", "metric": "qps",
         "value": float(rate), "unit": "queries/s", "direction": "higher", "main": True,
         "run_id": f"{version}{trial}", "trial": trial}
        for version, of in {"new": rates, "old": (100, 100, 100)}.items()
        for trial, rate in enumerate(of, 1)
    ]  # fmt: skip
    [one] = proofread(text, [], pd.DataFrame(rows), ["q100"])

    assert right == one.right


def test_a_ratio_that_the_page_claims_is_on_record():
    """One that is no quotient of two cells, as a rate at equal recall."""
    cells = [Cell(2.1123, "innodb recall 0.95", True), Cell(3.3, "innodb q100", True)]
    text = "At recall 0.95 InnoDB answers {} times as many as Postgres."
    said = [read(text.format(n), cells)[1] for n in ("2.11", "3.3")]

    assert [("2.11 times", True), ("3.3 times", False)] == [
        (one.says, one.right) for one in said
    ]


def test_an_amount_stands_on_the_page_or_the_nearest_is_shown():
    """119 is there; 120 is not."""
    cells = [Cell(119.0, "postgres arm, cpu/o"), Cell(58.0, "postgres x86, cpu/o")]
    first, second = read("It takes 119 us.\n\nOr 121 us.", cells)

    assert first.right
    assert (False, 3) == (second.right, second.line)
    assert "nearest 119 (postgres arm, cpu/o)" == second.gives
