"""Folded stacks and shares of samples."""

from __future__ import annotations

import pandas as pd
import pytest
from folded_stacks import folded, leaf_shares, shares
from profile_files import PMP, SCRIPT, text_file

from benchformats.profilers import perf_script, pmp

pytestmark = pytest.mark.unit


def samples() -> pd.DataFrame:
    """Three stacks with periods 1, 1 and 2."""
    return perf_script.read(text_file(SCRIPT)).series["stacks"].to_pandas()


def test_shares_are_weighted_by_the_period():
    """Weights 1, 1 and 2 are 25%, 25% and 50%; counting samples would say 33% each."""
    table = shares(samples())

    assert [0.50, 0.25, 0.25] == list(table["share"])
    assert [2, 1, 1] == list(table["weight"])


def test_shares_of_leaves():
    """What perf report prints as overhead."""
    table = leaf_shares(samples())

    assert {"i": 0.50, "c": 0.25, "f": 0.25} == dict(
        zip(table["leaf"], table["share"], strict=True)
    )


def test_folded_by_comm():
    """Sorted; blanks of comm are underscores; arguments go."""
    assert folded(samples()) == "io_worker;g;[prog];i 2\nprog;a;b;c 1\nprog;d;e;f 1\n"


def test_folded_by_process():
    """pid, and "?" where only the thread is printed."""
    table = samples().assign(pid=[77, None, 77])

    assert folded(table, name="pid") == (
        "io_worker-77;g;[prog];i 2\nprog-77;a;b;c 1\nprog-?;d;e;f 1\n"
    )


def test_folded_by_thread():
    """pid and tid."""
    assert folded(samples().tail(1), name="tid") == "io_worker-77/79;g;[prog];i 2\n"


def test_annotated():
    """Frames of the kernel are marked."""
    assert folded(samples().tail(1), annotate=True) == "io_worker;g;[prog];i_[k] 2\n"


def test_equal_stacks_are_one_line():
    """Their weights add up, over 2**31 too."""
    table = pd.concat([samples().head(1).assign(weight=3_000_000_000)] * 2)

    assert folded(table) == "prog;a;b;c 6000000000\n"


@pytest.mark.parametrize(
    "frame, comm, shown",
    [
        ("f(int, char const*)", "p", "f"),
        ("(anonymous namespace)::f(int)", "p", "(anonymous namespace)::f"),
        ("net/http.(*Client).Do", "p", "net/http.(*Client).Do"),
        ("RegExp:[&<>\"']", "p", "RegExp:[&<>]"),
        ("Lorg/js/Box:.<init>(Ljava/lang)V", "java", "org/js/Box:.<init>"),
        ("Lorg/js/Box", "p", "Lorg/js/Box"),
    ],
)
def test_names_as_flame_graphs_show_them(frame: str, comm: str, shown: str):
    """Without arguments, quotes and the L of Java's types; Go's methods stay."""
    table = pd.DataFrame({"frames": [frame], "weight": [1], "comm": [comm]})

    assert folded(table) == f"{comm};{shown} 1\n"


def test_stacks_without_frames():
    """A sample without a stack is its comm."""
    table = pd.DataFrame({"frames": [""], "weight": [5], "comm": ["p"]})

    assert folded(table) == "p 5\n"


def test_stacks_of_pmp():
    """No comm; a thread without frames is left out."""
    table = pmp.read(text_file(PMP)).series["pmp"].to_pandas()

    assert folded(table) == (
        "clone3;start_thread;do_command;vio_write;send 130\n"
        "clone3;worker;Pool::wait;wait_until<duration<long, 19\n"
        "main;log<4u,;CIterate<Release>::operator 1\n"
    )


def test_several_events_do_not_add_up():
    """One must be chosen; one that is not there is refused."""
    table = samples().assign(event=["cycles", "faults", "cycles"])

    assert folded(table, event="faults") == "prog;d;e;f 1\n"
    with pytest.raises(ValueError, match="cycles, faults: choose one event"):
        folded(table)
    with pytest.raises(ValueError, match="no samples of 'branches', only of cycles"):
        shares(table, event="branches")


def test_nothing_sampled():
    """No lines."""
    assert folded(samples().head(0)) == ""
