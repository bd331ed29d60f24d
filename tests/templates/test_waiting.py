"""Flame graphs of what waits: one for each event that was recorded, and no other."""

from dataclasses import replace

import pandas as pd
import pytest
from places import ROOT

from benchbook.results.collect import collect
from benchbook.templates.explain.waiting import (
    STOPPED,
    place,
    waiting_graphs,
    waiting_section,
)
from benchbook.views.profiles import PMP, one_setting, profiled_ends

pytestmark = pytest.mark.engine


@pytest.fixture(scope="module")
def results():
    return collect(ROOT / "tests/fixtures/posts/explain/study.yml", False)


def test_nothing_that_waits_was_recorded(results):
    assert [] == list(waiting_section(results, "l.i0", profiled_ends(results)))


@pytest.mark.parametrize(
    ("frames", "kinds", "expected"),
    [
        ("clone3;main;lock_wait;pthread_cond_wait@@GLIBC_2;futex_wait;schedule", "uuuukk",
         "lock_wait"),
        ("start_thread;[libuv];__poll;do_syscall_64", "uuuk", "__poll"),
        ("main;lock_wait;futex_wait;ptrace_stop;schedule", "uukkk", STOPPED),
        ("kthread;schedule", "kk", "schedule"),
    ],
)  # fmt: skip
def test_place_of_a_wait_is_the_nearest_name_above_it(frames, kinds, expected):
    """No function of the C library, which says how it waits; what a debugger stopped."""
    assert expected == place(frames, kinds)


def test_looks_of_gdb_are_shares_of_threads(results):
    """The same stacks, as gdb would have seen them once each."""
    looks = results.stacks.assign(event=PMP, weight=1, samples=1)
    both = replace(results, stacks=pd.concat([results.stacks, looks]))
    (graph,) = waiting_graphs(both, "l.i0", profiled_ends(results)[1])

    assert "all threads, as gdb saw them (%)" in graph.html
    assert "µs/op" not in graph.html


def test_graphs_are_of_one_setting(results):
    """The first of two placements, which the tree names; a side without it stays."""
    runs = results.profile_runs
    split = runs.assign(placement="split", run_id=runs["run_id"] + "s")
    both = replace(
        results, profile_runs=pd.concat([runs.assign(placement="same"), split])
    )

    found, setting = one_setting(both)

    assert list(runs["run_id"]) == list(found["run_id"])
    assert "placement=same" == setting
    assert "" == one_setting(results)[1]
