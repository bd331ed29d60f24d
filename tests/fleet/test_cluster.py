"""A study on the workers of a cluster of Dask."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from distributed import LocalCluster
from studies import NULL_STUDY

pytestmark = [pytest.mark.engine, pytest.mark.slow]


def cluster_of(folder, **more) -> LocalCluster:
    return LocalCluster(
        n_workers=3, threads_per_worker=1, dashboard_address=":0", silence_logs=50,
        env={"BENCHBOOK_CACHE": str(folder), "BENCHBOOK_MACHINE": "worker"}, **more,
    )  # fmt: skip


@pytest.fixture
def cluster(tmp_path) -> Iterator[LocalCluster]:
    with cluster_of(tmp_path / "cache", resources={"bench": 1}) as cluster:
        yield cluster


def test_study_is_measured_by_the_workers(checkout, cluster):
    """Each run once, whole, in data/raw; a second call finds them there."""
    text = NULL_STUDY.replace("trials: 2", "trials: 3\norder: turns")
    checkout.study("nothing", text.replace("[0, 3]", "[0, 3]\n  dop: [1, 2]"))
    words = ("run", "nothing", "--on", cluster.scheduler_address)

    assert "nothing: 12 runs made, 0 failed, 0 left" in checkout.ok(*words)
    assert {"worker"} == {
        folder.parent.parent.name for folder in checkout.runs("nothing")
    }
    assert "every run is there" in checkout.ok(*words)
    assert "l.i0" in checkout.ok("compare", "nothing", "indexes=0", "indexes=3")


def test_worker_that_dies_loses_its_task_to_another(checkout, cluster):
    checkout.study("nothing", NULL_STUDY.replace("rows=20000", "rows=3000000"))
    dying = next(iter(cluster.workers.values()))
    cluster.loop.call_later(3, dying.kill)
    checkout.ok("run", "nothing", "--on", cluster.scheduler_address)

    assert 4 == len(checkout.runs("nothing"))


def test_worker_must_say_that_it_measures(checkout, tmp_path):
    checkout.study("nothing")
    with cluster_of(tmp_path / "cache") as cluster:
        done = checkout.call("run", "nothing", "--on", cluster.scheduler_address)

    assert 0 != done.returncode
    assert "no worker at" in done.stderr
    assert "--resources bench=1" in done.stderr


def test_nobody_answers(checkout):
    checkout.study("nothing")
    done = checkout.call("run", "nothing", "--on", "tcp://127.0.0.1:1")

    assert "no scheduler of Dask at tcp://127.0.0.1:1" in done.stderr
