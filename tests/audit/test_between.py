"""Posts against posts: ratios that exclude each other, and what explains them."""

from dataclasses import replace

import pytest
from places import ROOT

from benchbook.audit.between import apart, between_posts
from benchbook.sets.measured import Measured, measured_by
from benchbook.study.published import Explains
from benchbook.study.study import load_study

pytestmark = pytest.mark.unit


def ratio(post, low, high, me="db 2", base="db 1", test="l.i0"):
    return Measured(post, me, base, test, (low + high) / 2, low, high)


def said(*measured, entries=()):
    found = between_posts(apart(measured), entries, [one.post for one in measured])
    return [str(one) for one in found]


HERE, THERE = ratio("here", 1.0, 1.1), ratio("there", 1.2, 1.4)


def test_intervals_that_exclude_each_other_need_an_entry():
    """1.05 and 1.3 of the same pair and step."""
    assert [
        "posts/here and posts/there: db 2 over db 1, l.i0: says 1.05 [1, 1.1]; the data "
        "give 1.3 [1.2, 1.4]; no `explains:` of either study.yml says why"
    ] == said(HERE, THERE)


def test_the_pace_of_the_machine_is_said_with_them():
    """6 and 9 ms for the same piece of work: half as long again."""
    pair = [replace(HERE, pace_ms=9.0), replace(THERE, pace_ms=6.0)]

    assert said(*pair)[0].endswith("; the machine was 1.50 times as slow for here")


@pytest.mark.parametrize(
    "other",
    [
        ratio("there", 1.05, 1.4),
        ratio("there", 1.2, 1.4, test="l.i1"),
        ratio("there", 1.2, 1.4, me="db 3"),
        ratio("here", 1.2, 1.4),
    ],
    ids=["overlaps", "other step", "other version", "same post"],
)
def test_others_do_not(other):
    assert [] == said(HERE, other)


@pytest.mark.parametrize("names", [("here", "there"), ("there", "here")])
def test_an_entry_of_either_post_explains(names):
    assert [] == said(HERE, THERE, entries=[Explains(*names, "size", "Larger.")])


def test_an_entry_that_explains_nothing_is_named():
    entry = Explains("here", "there", "size", "Larger.")

    assert [
        "posts/here/study.yml: explains: there: says size; the data give no ratios that "
        "exclude each other"
    ] == said(HERE, ratio("there", 1.05, 1.2), entries=[entry])


def test_a_pair_counts_once_in_either_direction():
    """Both posts have both versions as a base."""
    turned = [ratio("here", 0.9, 1, "db 1", "db 2"), ratio("there", 0.7, 0.8, "db 1",
                                                           "db 2")]  # fmt: skip

    assert 1 == len(apart([HERE, THERE, *turned]))


@pytest.mark.slow
def test_posts_with_other_bases_share_a_pair():
    """One compares with 11.22, the other with 13.23; both have 18.6 and 13.23."""
    slugs = ("postgres-jars", "postgres-old-to-new")
    studies = [load_study(ROOT / "posts" / slug) for slug in slugs]
    pair = ("postgres 18.6", "postgres 13.23")
    tests = {
        slug: {m.test.split(" of ")[0] for m in measured_by(studies)
               if (m.post, m.me, m.base) == (slug, *pair)}
        for slug in slugs
    }  # fmt: skip

    assert "l.i1" in tests[slugs[0]] & tests[slugs[1]]
