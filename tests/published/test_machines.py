"""Kinds of servers as what is compared, in published figures."""

import pytest
from published_figures import line, read

from benchbook.templates.published.machines import between_machines, machine_ratios
from benchmath.errors import UserError

pytestmark = pytest.mark.unit

PAIRS = {"arm.big": "x86.big.ht0", "arm.small": "x86.small"}


def test_each_size_is_over_its_pair(tmp_path):
    """119 us over 58, and 30 over 60; a machine that no pair names takes no part."""
    lines = [
        line("db", "q", us, "cpupq", machine, unit="us")
        for machine, us in (("arm.big", 119), ("x86.big.ht0", 58), ("arm.small", 30),
                            ("x86.small", 60), ("x86.big.ht1", 1))
    ]  # fmt: skip
    ratios = machine_ratios(read(tmp_path, *lines), PAIRS)

    assert {"arm"} == set(ratios["me"]) and {"x86"} == set(ratios["base"])
    assert {"big": "2.05", "small": "0.50"} == dict(
        zip(ratios["size"], ratios["relative_text"], strict=True)
    )


def test_nothing_is_shown_without_pairs(tmp_path):
    """Most posts of published figures compare engines."""
    assert [] == between_machines(read(tmp_path, line("db", "q", 1)), None)


@pytest.mark.parametrize(
    ("pairs", "why"),
    [
        (PAIRS | {"mips.big": "x86.big.ht0"}, "more than two kinds"),
        ({"arm.huge": "x86.huge"}, "no figure is of both"),
        ({"arm.big": "x86.small"}, "no figure is of both"),
    ],
)
def test_pairs_that_cannot_be_compared_are_refused(tmp_path, pairs, why):
    """By a sentence that says why."""
    figures = read(tmp_path, line("db", "q", 1, machine="arm.big"))

    with pytest.raises(UserError, match=why):
        machine_ratios(figures, pairs)
