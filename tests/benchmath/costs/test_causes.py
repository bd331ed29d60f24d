"""What else changed besides what is compared, and who changed it."""

import pandas as pd
import pytest

from benchmath.costs.causes import (
    between,
    changed_settings,
    confounded,
    differences,
    hazards_of_causes,
    named_too,
)

BASE = {"version": "15.19"}
SMALL, LARGE = "shared_buffers = 1GB\n", "shared_buffers = 4GB\n"


def run(version, **more):
    usual = {
        "run_id": version, "engine": "postgres", "version": version, "config": "a",
        "config_text": SMALL, "build": "gcc", "build_series": "", "env": {},
        "settings": {"shared_buffers": "1GB"},
    }  # fmt: skip
    return usual | more


def told(runs, base=BASE, metric=None):
    found = differences(pd.DataFrame(runs), base, metric)
    return found.drop(columns="me").to_numpy().tolist()


def test_setting_of_another_file_is_the_users():
    """Two versions with two files: the one setting that differs is the user's."""
    large = run("16.15", config_text=LARGE, settings={"shared_buffers": "4GB"})

    expected = [["setting", "shared_buffers", "4GB", "set"]]
    found = [[kind, n, v, o] for kind, n, _, v, o in told([run("15.19"), large])]
    assert expected == found


def test_setting_that_no_engine_reports_is_read_from_the_files():
    """The driver records what it records; the file's text is compared too."""
    runs = [run("15.19"), run("16.15", config_text=SMALL + "work_mem = 64MB")]

    assert [["setting", "work_mem", "not set", "64MB", "set"]] == told(runs)


def test_default_that_came_with_the_version_is_the_versions():
    """The same file, another value in effect: nobody set it, and it confounds nothing."""
    runs = [
        run("15.19", settings={"jit": "off"}), run("16.15", settings={"jit": "on"})
    ]  # fmt: skip

    found = differences(pd.DataFrame(runs), BASE)

    assert ["default"] == found["origin"].tolist()
    assert confounded(found).empty


def test_value_that_the_file_only_spells_otherwise():
    """1024MB is 1GB: files differ, what is in effect does not."""
    assert [] == told([run("15.19"), run("16.15", config_text="shared_buffers=1024MB")])


def test_same_version_set_otherwise_without_a_file():
    """One version cannot have two defaults: somebody set it, by hand or by a switch."""
    runs = [run("15.19", arm="a"), run("15.19", arm="b", settings={"jit": "off"})]

    assert [["setting", "jit", "not set", "off", "set"]] == told(runs, {"arm": "a"})


def test_file_that_is_lost_leaves_the_origin_unknown():
    """Without the text nobody can tell a default from what was set; it confounds."""
    runs = [
        run("15.19", config_text="", settings={"jit": "off"}),
        run("16.15", config_text="", settings={"jit": "on"}),
    ]

    assert [["setting", "jit", "off", "on", "unknown"]] == told(runs)


def test_setting_that_only_another_version_knows_is_no_difference():
    """Versions come with new settings by the dozen; the files are alike."""
    assert [] == told([run("15.19"), run("16.15", settings={"new": "1"})])


def test_what_the_base_names_is_asked_and_no_difference():
    """A study of configs compares them; one of engines their own settings."""
    large = {"config": "b", "config_text": LARGE, "settings": {"shared_buffers": "4GB"}}
    runs = [run("15.19"), run("15.19", **large)]

    found = changed_settings(pd.DataFrame(runs), {"config": "a"})

    assert [] == told(runs, {"config": "a"})
    assert ["shared_buffers"] == found["setting"].tolist()


def test_build_of_another_series():
    """Versions by two publishers: the build is named; within one series it is not."""
    other = {"build": "gcc 12", "build_series": "debian12"}
    ours = {"build_series": "debian12"}

    assert [["build", "build", "gcc", "gcc 12", "set"]] == told(
        [run("15.19"), run("16.15", **other)]
    )
    assert [] == told([run("15.19", **ours), run("16.15", **other)])
    assert [] == told([run("15.19"), run("15.19", **other)], {"build": "gcc"})


def test_fact_of_the_machine_that_is_not_the_same():
    """Another kernel is said; when a run began and a KiB more of memory are not."""
    before = {"kernel": "6.1", "started_utc": "1", "mem_kib": 4000, "before": {"x": 1}}
    after = {"kernel": "6.5", "started_utc": "2", "mem_kib": 4001, "before": {"x": 2}}

    found = told([run("15.19", env=before), run("16.15", env=after)])

    assert [["machine", "kernel", "6.1", "6.5", "set"]] == found


def test_commits_of_engines_that_wait_or_not():
    """Each engine has settings of its own; whether a commit is synced they share."""
    runs = [
        run("15", settings={"synchronous_commit": "off", "fsync": "on"}),
        run("10", engine="mariadb", settings={"innodb_flush_log_at_trx_commit": "1"}),
        run("3", engine="sqlite", settings={"synchronous": "1", "journal_mode": "wal"}),
        run("9", engine="duckdb"),
    ]

    found = differences(pd.DataFrame(runs), {"engine": "postgres"})

    assert [["mariadb", "durability", "a commit", "not synced", "synced", "set"]] == (
        found.to_numpy().tolist()
    )


def shares(run_id, others):
    """An insert step whose machine spent 100 us, `others` of them on somebody else."""
    uses = {"machine_cpu_o": 100.0, "server_user_o": 100.0 - others}
    uses |= {"client_user_o": 0.0, "client_system_o": 0.0, "ips": 1.0}
    at = {"run_id": run_id, "step": "l.i0", "op": "insert"}
    return [at | {"metric": m, "main": m == "ips", "value": v} for m, v in uses.items()]


def test_load_by_others_that_one_side_had():
    """3% against 45% of the CPU is a difference, 3% against 9% is not."""
    runs = [run("15.19"), run("16.15"), run("17.1")]
    metric = pd.DataFrame(
        [*shares("15.19", 3.0), *shares("16.15", 45.0), *shares("17.1", 9.0)]
    )

    found = told(runs, metric=metric)

    assert [["load", "CPU time taken by others", "3%", "45%", "set"]] == found


def test_boundaries_are_compared_one_by_one():
    """What changed between the two versions of each, and the name of it says so."""
    runs = pd.DataFrame([
        run("15"), run("16", config_text=LARGE, settings={"shared_buffers": "4GB"}),
        run("17", config_text=LARGE, settings={"shared_buffers": "4GB"}, build="clang"),
    ])  # fmt: skip
    pairs = [("15", "16"), ("16", "17"), ("17", "18")]

    found = between(runs, "version", pairs)
    changes = pd.DataFrame(
        [(a, b, f"{a}→{b}") for a, b in pairs], columns=["after", "at", "boundary"]
    )

    assert [["15→16", "setting"], ["16→17", "build"]] == (
        found[["me", "kind"]].to_numpy().tolist()
    )
    assert ["15→16 (config too)", "16→17 (build too)", "17→18"] == (
        named_too(changes, runs)["boundary"].tolist()
    )


def test_hazard_of_what_changed_too():
    """One per me, without the build, which has its own."""
    large = run("16.15", config_text=LARGE, settings={"shared_buffers": "4GB"})
    found = differences(pd.DataFrame([run("15.19"), large | {"build": "clang"}]), BASE)

    (hazard,) = hazards_of_causes(found)

    assert ("changed too: shared_buffers 1GB → 4GB", {"me": "16.15"}) == (
        hazard.text, hazard.where,
    )  # fmt: skip


@pytest.mark.parametrize("runs", [[], [run("15.19")]])
def test_nothing_to_compare(runs):
    """No run, or the base alone: an empty frame with all its columns."""
    found = differences(pd.DataFrame(runs), BASE)

    assert [] == found.to_numpy().tolist()
    assert ["me", "kind", "name", "base", "value", "origin"] == list(found.columns)


def test_settings_without_a_file_on_record():
    """Both sides tell them and they differ; what one side does not know is left out."""
    runs = pd.DataFrame({
        "version": ["15.19", "2", "2"],
        "settings": [{"a": 1, "old": "1"}, {"a": 1, "new": 1}, '{"a": 2}'],
    })  # fmt: skip

    assert [["2", "a", "1", "1 / 2", "unknown"]] == (
        changed_settings(runs, BASE).to_numpy().tolist()
    )
