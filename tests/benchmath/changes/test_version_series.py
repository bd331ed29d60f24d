"""Metric frames as series over the versions."""

import numpy as np
import pandas as pd
import pytest
from version_frames import frame, versions

from benchmath.changes.series import series_count, settings_note, version_series
from benchmath.errors import UserError

pytestmark = pytest.mark.unit


def only(tests):
    assert 1 == len(tests)
    return tests[0]


def test_runs_stand_by_version_then_trial():
    """However the rows lie: versions as first named, their runs in order of trials."""
    rows = frame(versions([100, 200], runs=2))
    shuffled = rows.iloc[[1, 3, 2, 0]]

    series = only(version_series(shuffled))

    assert ("1", "2") == series.versions
    assert [0, 0, 1, 1] == list(series.groups)
    assert list(rows["value"]) == list(series.values)


def test_order_of_the_frame_is_the_order_of_versions():
    """10 comes after 9 when the frame says so: nothing is sorted."""
    rows = pd.concat(
        [
            frame(versions([100], version="9")),
            frame(versions([100], version="10")),
        ]
    )

    assert ("9", "10") == only(version_series(rows)).versions


def test_each_step_and_machine_is_a_test():
    """Two steps on two machines are four series, named by what tells them apart."""
    rows = frame(
        *(
            versions([1, 2], step=step, machine=machine)
            for step in ("scan", "insert")
            for machine in ("m1", "m2")
        )
    )

    tests = version_series(rows)

    assert ["scan m1", "scan m2", "insert m1", "insert m2"] == [t.test for t in tests]
    assert 4 == series_count(rows)
    assert "m2" == tests[1].labels["machine"]


def test_dimension_within_a_version_tells_tests_apart():
    """Runs with 1 and with 8 clients are two tests."""
    rows = frame(versions([1, 2], dop="1"), versions([1, 2], dop="8"))

    assert ["scan dop=1", "scan dop=8"] == [t.test for t in version_series(rows)]


def test_what_changes_with_the_version_does_not():
    """A config of its own for each version leaves one test."""
    rows = frame(versions([1, 2]))
    rows["config"] = "for-" + rows["version"]

    assert "scan" == only(version_series(rows)).test


def test_clients_never_follow_from_the_version():
    """1 client in two versions, 8 in the next two: none is compared across."""
    rows = frame(versions([1, 2, 3, 4]))
    rows["dop"] = rows["version"].map({"1": "1", "2": "1", "3": "8", "4": "8"})

    tests = {one.test: one.versions for one in version_series(rows)}

    assert {"scan dop=1": ("1", "2"), "scan dop=8": ("3", "4")} == tests


def test_clients_of_a_version_each_leave_no_test():
    """A version with 1 client, one with 8: there is nothing to compare."""
    rows = frame(versions([1, 2]))
    rows["dop"] = rows["version"].map({"1": "1", "2": "8"})

    assert [] == version_series(rows)


def test_settings_that_versions_share_tell_tests_apart():
    """Other settings from the third version on are no change by it."""
    rows = frame(versions([1, 2, 3]))
    rows["config"] = rows["version"].map({"1": "a", "2": "a", "3": "b"})

    assert {"scan a": ("1", "2")} == {t.test: t.versions for t in version_series(rows)}


def test_no_settings_are_no_part_of_a_name():
    """Two versions without a settings file, two with one."""
    rows = frame(versions([1, 2, 3, 4]))
    rows["config"] = rows["version"].map({"1": "", "2": "", "3": "a", "4": "a"})

    assert ["scan", "scan a"] == [one.test for one in version_series(rows)]


@pytest.mark.parametrize(
    ("configs", "words"),
    [("aaa", ""), ("aab", "told apart by config"), ("abc", "has a config of its own")],
)
def test_settings_that_change_are_said(configs, words):
    """Whether they tell tests apart or are a part of each version."""
    rows = frame(versions([1, 2, 3]))
    rows["config"] = [configs[int(version) - 1] for version in rows["version"]]
    said = settings_note(rows, "version", "throughput")

    assert bool(words) == bool(said)
    assert words in said


def test_pooling_what_varies_raises():
    """With `by` given, runs that differ in another dimension are not mixed."""
    rows = frame(versions([1, 2], dop="1"), versions([1, 2], dop="8"))

    with pytest.raises(ValueError, match="mixes dop"):
        version_series(rows, by=("machine", "step"))


def test_test_with_one_version_is_left_out():
    """A step that only one version ran has no series."""
    rows = frame(versions([1, 2]), versions([1], step="new"))

    assert ["scan"] == [t.test for t in version_series(rows)]


def test_missing_version_keeps_the_places_of_the_others():
    """A step that version 2 lacks has versions 1 and 3, third of the frame."""
    rows = frame(versions([1, 1, 1]), versions([5, 5, 5], step="insert"))
    rows = rows[(rows["step"] != "insert") | (rows["version"] != "2")]

    _, insert = version_series(rows)

    assert (("1", "3"), (0, 2)) == (insert.versions, insert.places)
    assert [0, 0, 0, 1, 1, 1] == list(insert.groups)


def test_another_metric_is_chosen_by_name():
    """The main rate is the default; others are asked for."""
    rows = frame(versions([1, 2]), versions([7, 7], metric="cpu/o", main=False))

    series = only(version_series(rows, metric="cpu/o"))

    assert 7 == np.round(np.median(series.values))
    with pytest.raises(UserError, match="no row has the metric"):
        version_series(rows, metric="rss")


def test_another_dimension_can_be_the_order():
    """Compilers instead of versions: any dimension whose values have an order."""
    rows = frame(versions([1], compiler="gcc-12"), versions([1], compiler="gcc-13"))

    assert ("gcc-12", "gcc-13") == only(version_series(rows, "compiler")).versions


def test_noise_floor_of_the_step_is_taken():
    """build_sd 3% and load_sd 4% of this step make 5%; other steps have theirs."""
    rows = frame(versions([1, 2]), versions([1, 2], step="insert"))
    floor = pd.DataFrame(
        {
            "machine": "m1",
            "step": ["scan", "insert"],
            "build_sd": [0.03, np.nan],
            "load_sd": [0.04, 0.01],
        }
    )

    scan, insert = version_series(rows, floor=floor)

    assert (0.05, 0.01) == (pytest.approx(scan.floor_sd), insert.floor_sd)
    assert 0 == version_series(rows, floor=floor.iloc[1:])[0].floor_sd
