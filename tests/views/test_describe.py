"""The closing sections: what the runs themselves say."""

import pandas as pd

from benchbook.views.sections import (
    caveats,
    gaps,
    instructions,
    machine_facts,
)
from benchmath.hazard import Hazard


def run(**more):
    """One row of the runs frame."""
    env = {
        "kernel": "6.1", "clock_ticks_per_s": 100,
        "before": {"load1": 0.5, "steal_ticks": 100, "probe": {"fdatasync_per_s": 300}},
        "after": {"load1": 0.6, "steal_ticks": 150},
    }  # fmt: skip
    return {
        "run_id": "r1", "machine": "box", "machine_id": "ab", "engine": "sqlite",
        "version": "3", "build": "gcc -O2", "config": "wal",
        "settings": {"page_size": "4096"}, "env": env,
    } | more  # fmt: skip


def test_changed_fact_shows_both_values():
    """A kernel that changed inside a study is seen."""
    newer = run() | {"env": {"kernel": "6.2"}}
    facts = machine_facts(pd.DataFrame([run(), newer]))

    assert "6.1 → 6.2" == facts.set_index("fact").loc["kernel", "value"]


def test_pace_of_the_machine_is_one_of_its_facts():
    """The median, and between what nine of ten probes lie; two arms share them."""
    each = pd.DataFrame({"probe": ["a", "b", "c"], "work_ns": [5.0e6, 5.2e6, 8.0e6]})
    probes = pd.concat([each.assign(run_id=name) for name in ("r1", "r2")])
    runs = pd.DataFrame([run(), run(run_id="r2")])

    facts = machine_facts(runs, probes).set_index("fact")["value"]

    assert "5.20 ms (3 probes; 5 to 95%: 5.02 to 7.72)" == facts["fixed piece of work"]


def test_instructions_are_those_of_the_function_that_works():
    """crc32c_3way is preferred; other functions of the program do not count."""
    counts = pd.DataFrame(
        [("r1", "ns::crc32c_3way(int)", "crc32", 3), ("r1", "other", "crc32", 4),
         ("r1", "ns::crc32c_3way(int)", "xmm", 2), ("r1", "ns::Extend(int)", "zmm", 9)],
        columns=["run_id", "function", "mnemonic_class", "count"],
    )  # fmt: skip
    frame = instructions(counts, pd.DataFrame([run(engine="rocksdb")]))

    assert [
        ["crc32c", "gcc -O2", "crc32c_3way", 3, 0, 2, 0, 0, 5]
    ] == frame.values.tolist()


def test_hazards_of_one_kind_share_a_line():
    """Each kind is one item of the list."""
    found = caveats([Hazard("short step", "a"), Hazard("short step", "b")]).data

    assert "- **short step**: a; b" == found


def test_missing_and_failed_runs_are_told():
    """A post says what it does not have, and why."""
    missing = pd.DataFrame({"cell": ["x", "x"], "trial": [1, 2]})
    failed = pd.DataFrame({"tag": ["y"], "trial": [3], "reason": ["disk full"]})

    assert (
        "- missing: x, trial 1, 2\n- failed: y trial 3: disk full"
        == gaps(missing, failed).data
    )
