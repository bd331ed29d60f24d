"""`import benchbook as bb`: the dozen names that a person needs."""

from __future__ import annotations

import inspect

import pytest

import benchbook as bb
from benchmath.errors import UserError

pytestmark = pytest.mark.unit

FUNCTIONS = [name for name in dir(bb) if not inspect.ismodule(getattr(bb, name))]


def test_names_are_few():
    """What templates call is in submodules."""
    assert 15 >= len(dir(bb))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_public_name_has_an_example(name: str):
    """Its docstring shows one call."""
    assert f"bb.{name}(" in str(inspect.getdoc(getattr(bb, name)))


def test_a_published_post_compares():
    """Each other version over the base, as `benchbook compare` has it."""
    table = bb.compare("postgres-old-to-new", "13.23", "18.6")

    assert {"18.6"} == set(table["me"])
    assert (table["low"] <= table["relative"]).all()


def test_a_published_post_is_checked():
    """The gate's exit code follows its table."""
    answer = bb.check("postgres-old-to-new", "13.23", "18.6", margin=0.99)

    assert (0, "fine") == (answer.exit_code, answer.table["outcome"].iloc[0])


def test_changes_are_those_of_the_versions():
    """A row per test and boundary, with its ratio."""
    assert {"test", "ratio", "low", "high"} <= set(bb.changes("postgres-old-to-new"))


@pytest.mark.slow
def test_an_unknown_name_is_said():
    """With what there is."""
    with pytest.raises(UserError, match="no-such-post"):
        bb.load("no-such-post")
