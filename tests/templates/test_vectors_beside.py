"""The template `vectors`: figures of others beside a post's own."""

from __future__ import annotations

from dataclasses import replace

import pytest
from places import ROOT

from benchbook.results.collect import collect
from benchbook.results.results import Results
from benchbook.templates.vectors.analysis import search_frontiers
from benchbook.templates.vectors.beside import recalls_beside, with_theirs
from benchbook.views.engines import comparable
from benchmath.errors import UserError

pytestmark = pytest.mark.unit
POST = "mariadb-or-pgvector"


@pytest.fixture(scope="module")
def results() -> Results:
    """The post that has a published table beside its own figures."""
    return comparable(collect(ROOT / "posts" / POST / "study.yml", measure=False))


def asked(results: Results, **changes: object) -> Results:
    """The same, its one table asked for otherwise."""
    [one] = results.study.beside
    study = replace(results.study, beside=(replace(one, **changes),))
    return replace(results, study=study)


def test_theirs_stand_under_ours_as_runs_without_interval(results: Results):
    """Of m 16 the settings that no other beats: the fastest of pgvector finds .961."""
    ours = search_frontiers(results)
    theirs = with_theirs(results, ours)[len(ours) :]
    fastest = theirs.loc[theirs.groupby("cell")["qps"].idxmax()].set_index("cell")
    name = "pgvector (vectors_fashion_mnist_2025)"

    assert [0.961, 3043.7] == fastest.loc[name, ["recall", "qps"]].tolist()
    assert "m=16" in fastest.loc[name, "step"]
    assert theirs[["qps_low", "recall_low"]].isna().all(axis=None)


def test_ratios_at_a_recall_stand_beside_ours(results: Results):
    """All of theirs of m 16 find more than .9, so the fastest count: 4273.9 / 3043.7."""
    [compared] = recalls_beside(results)
    row = compared.rows.set_index("step").loc["recall 0.9"]

    assert ("mariadb", "pgvector", "m=16") == (
        row["theirs"],
        row["theirs_base"],
        compared.there,
    )
    assert 4273.9 / 3043.7 == pytest.approx(row["published"])
    assert row["low"] < row["relative"] < row["high"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"table": "sysbench_mysql_2024", "there": {}}, "has no recall"),
        ({"cells": {"postgres": "pgvector", "mariadb": "maria"}}, "has no maria; "),
        ({"there": {"m": "17"}}, "has no m 17"),
        ({"table": "nothing"}, "no import and no published table 'nothing'"),
    ],
    ids=["no recall", "no engine", "no value", "no table"],
)  # fmt: skip
def test_what_a_table_lacks_is_one_sentence(results: Results, changes: dict, said: str):
    """With what there is instead."""
    with pytest.raises(UserError, match=said):
        recalls_beside(asked(results, **changes))
