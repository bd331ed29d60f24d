"""Which builds may be compared, and what the same version in two series says."""

import pandas as pd
import pytest
from engine_frames import cell, frames

from benchmath.ratios.build_series import (
    branch,
    calibration,
    changed_series,
    series_of,
    without_twins,
)

pytestmark = pytest.mark.unit

OLD = {"build": "gcc 4.4.7 -O2", "build_series": "zonky44"}
HERE = {"build": "gcc-12 -O2", "build_series": "built", "build_source": "built"}
BASE = {"version": "11.22"}


def test_series_of_own_builds_is_compiler_and_flags():
    """`built` names no compiler: there, and without a name, the build is the series."""
    runs = pd.DataFrame(
        {"build": ["gcc -Os", "clang -O2", "x"], "build_series": ["zonky", "built", ""]}
    )

    assert ["zonky", "clang -O2", "x"] == list(series_of(runs))


@pytest.mark.parametrize(
    ("engine", "version", "expected"),
    [
        ("postgres", "17.11", "17"),
        ("postgres", "9.6.24", "9.6"),
        ("mariadb", "10.11.19", "10.11"),
        ("sqlite", "3.54.1", "3.54"),
    ],
)
def test_branch_is_the_feature_release(engine, version, expected):
    """Postgres counts by one number since 10, all others by two."""
    assert expected == branch(engine, version)


def test_another_series_than_the_base_is_a_hazard():
    """9.6 of the older compiler is named with both builds; 12 of the base's is silent."""
    runs = frames([cell("9.6.24", **OLD), cell("11.22"), cell("12.22")])["runs"]

    (hazard,) = changed_series(runs, BASE)

    assert {"me": "9.6.24"} == hazard.where
    expected = "built otherwise than the base: gcc 4.4.7 -O2 (jar), not gcc 7.5 -Os (jar)"
    assert expected == hazard.text


def test_studies_of_compilers_have_no_such_hazard():
    """Where the base names compiler or flags, the build is what is compared."""
    one = {**HERE, "compiler": "gcc-12", "flags": "-O2"}
    other = {**HERE, "build": "clang", "compiler": "clang-19", "flags": "-O2"}
    runs = frames([cell("17.11", **one), cell("17.11", **other)])["runs"]

    assert [] == changed_series(runs, {"compiler": "gcc-12"})


def test_only_the_twin_of_the_bases_series_is_compared():
    """17.11 as built here leaves the comparison with the jars; 12 and the base stay."""
    made = frames([cell("11.22"), cell("17.11"), cell("17.11", **HERE), cell("12.22")])

    kept = without_twins(made["metric"], made["runs"], BASE)

    builds = kept[["version", "build"]].drop_duplicates()
    assert {
        ("11.22", "gcc 7.5 -Os"),
        ("17.11", "gcc 7.5 -Os"),
        ("12.22", "gcc 7.5 -Os"),
    } == set(builds.itertuples(index=False, name=None))


def test_twins_that_are_both_of_another_series_keep_the_first():
    """Neither is built as the base: the one that the study lists first counts."""
    made = frames([cell("11.22"), cell("17.11", **OLD), cell("17.11", **HERE)])

    kept = without_twins(made["metric"], made["runs"], BASE)

    assert ["gcc 4.4.7 -O2"] == list(
        kept.loc[kept["version"] == "17.11", "build"].unique()
    )


def test_calibration_is_the_ratio_of_two_builds_of_one_version():
    """17.11 built here at 1.1 of the jar's rate: 1.10 in every step."""
    made = frames([cell("11.22"), cell("17.11"), cell("17.11", 1.1, **HERE)])

    pairs = calibration(made["metric"], made["runs"])

    assert ["same version"] == list(pairs["kind"].unique())
    expected = "17.11: gcc-12 -O2 (built) / gcc 7.5 -Os (jar)"
    assert [expected] == list(pairs["pair"].unique())
    assert [1.1] * 5 == pytest.approx(pairs["relative"].tolist())


def test_neighbouring_versions_stand_in_for_a_pair():
    """10.11.5 and 10.11.19 of two series are compared, and called neighbours."""
    debian = {"build_source": "debian", "build_series": "debian12", "build": "gcc 12"}
    made = frames(
        [
            cell("10.11.5", engine="mariadb"),
            cell("10.11.19", 0.9, engine="mariadb", **debian),
            cell("11.4.5", engine="mariadb"),
        ]
    )

    pairs = calibration(made["metric"], made["runs"])

    assert ["neighbouring versions"] == list(pairs["kind"].unique())
    assert "10.11.19 gcc 12 (debian) / 10.11.5 gcc 7.5 -Os (jar)" == pairs["pair"].iloc[0]
    assert [0.9] * 5 == pytest.approx(pairs["relative"].tolist())


def test_one_series_has_no_calibration():
    """Without a second series the frame is empty."""
    made = frames([cell("11.22"), cell("12.22")])

    assert calibration(made["metric"], made["runs"]).empty
