"""Which host gets which job, and what becomes of one that is not ended."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from benchbook.fleet.coordinator import Queue
from benchbook.fleet.hosts import Fleet, Host
from benchbook.fleet.jobs import Job, homes_of
from benchbook.runs.inventory import Filed

pytestmark = pytest.mark.unit


def job(name: str, group: str = "g", hosts: tuple[str, ...] = ("bee", "wasp")) -> Job:
    return Job(name, name, "true", group, hosts, 1)


def test_group_stays_on_its_host():
    """Trials of the same cells are compared: on one machine."""
    queue = Queue([job("g.t1"), job("g.t2"), job("h.t1", "h")])

    assert "g.t1" == queue.take("bee").name
    assert "h.t1" == queue.take("wasp").name
    assert queue.take("wasp") is None
    assert "g.t2" == queue.take("bee").name


def test_job_goes_only_where_it_may():
    queue = Queue([job("a", hosts=("wasp",))])

    assert queue.take("bee") is None
    assert not queue.open_for("bee")
    assert "a" == queue.take("wasp").name


def test_what_a_lost_host_had_goes_to_another():
    queue = Queue([job("g.t1"), job("g.t2")])
    first = queue.take("bee")
    queue.leave("bee")

    assert "g.t1" == queue.take("wasp").name
    assert not queue.end(first, "bee")  # comes back too late: another has it
    assert queue.end(first, "wasp")


def test_job_that_fails_twice_is_not_tried_again():
    queue = Queue([job("a")])
    for again in (True, False):
        assert again == queue.give_back(queue.take("bee"), "bee", failed=True)

    assert queue.take("bee") is None


def test_job_of_an_earlier_call_is_taken_up_where_it_is():
    queue = Queue([job("g.t1"), job("g.t2")])

    assert queue.adopt("other", "wasp") is None
    assert "g.t2" == queue.adopt("g.t2", "wasp").name
    assert queue.take("bee") is None  # the group is at home on the other
    assert "g.t1" == queue.take("wasp").name


def test_nobody_waits_for_what_only_a_lost_host_may_run():
    queue = Queue([job("a", hosts=("bee",))])
    queue.take("bee")
    queue.leave("bee")

    assert not queue.open_for("wasp")
    assert [queue.jobs[0].name] == ["a"]  # left for another call


def test_what_a_host_has_decided_is_made_no_more():
    """Jobs of other hosts, and of groups that are nowhere yet, stay."""
    jobs = [
        replace(job(f"{g}.t{n}", g), cells=frozenset({g})) for g in "gh" for n in (1, 2)
    ]
    queue = Queue(jobs, {"g": "bee"})

    assert 0 == queue.end_decided("wasp", {"g", "h"}.issuperset)
    assert 2 == queue.end_decided("bee", {"g", "h"}.issuperset)
    assert ["h.t1", "h.t2"] == [left.name for left in queue.jobs]


def test_groups_are_at_home_where_their_runs_are():
    """Of one host of the fleet; where there are two, nobody knows."""
    runs = [
        Filed(Path(), {"declared_id": cell, "machine": host}, "ok", "")
        for cell, host in (("g", "bee"), ("h", "bee"), ("h", "wasp"), ("i", "gone"))
    ]
    jobs = [replace(job(name, name), cells=frozenset({name})) for name in "ghi"]
    fleet = Fleet((Host("bee", "bee"), Host("wasp", "wasp")))

    assert {"g": "bee"} == homes_of(jobs, runs, fleet)
