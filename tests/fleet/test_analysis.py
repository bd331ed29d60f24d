"""An archive analysed study by study: what each has at home, to the last digit."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pandas as pd
import pytest
from checkouts import Checkout
from distributed import Client, LocalCluster
from make_runs import make_run, write_manifest
from make_turns import took_turns
from studies import NULL_STUDY

from benchbook.digests import declared_id
from benchbook.fleet.archive import Archive, open_archive, push
from benchbook.fleet.cluster import packed
from benchbook.measure.spec import declaration
from benchbook.project import Project
from benchbook.results.archived import Task, analyse, joined, verdicts_of
from benchbook.results.collect import collect
from benchbook.study.study import load_study
from benchmath.errors import UserError

pytestmark = pytest.mark.engine

STUDIES = {
    "alone": NULL_STUDY + "margin: 0.01\n",
    "beside": NULL_STUDY.replace("20000", "30000") + "also: [alone]\n",
    "reusing": NULL_STUDY.replace("trials: 2", "trials: 3") + "reuse: true\n",
    "turns": NULL_STUDY + "order: turns\n",
}


def measure(checkout: Checkout, slug: str, text: str) -> None:
    """Run folders of all cells of a study, as `benchbook run` would file them."""
    study = load_study(checkout.study(slug, text))
    chance = random.Random(slug)
    for trial in range(1, study.trials + 1):
        for arm, cell in enumerate(study.cells, start=1):
            steps = [("l.i0", "insert", 20000, chance.uniform(2, 2.3))]
            dims = {"indexes": cell.dimensions()["indexes"]}
            run = make_run(
                checkout.project.raw, slug, trial=trial, steps=steps, dims=dims
            )
            declare(run, declared_id(declaration(cell, study)))
            if study.order == "turns":
                took_turns(run, arm, f"{slug}{trial}")


def declare(run: Path, identity: str) -> None:
    """Make it a run of the cell with that identity."""
    spec = json.loads((run / "spec.json").read_text())
    (run / "spec.json").write_text(json.dumps(spec | {"declared_id": identity}))
    write_manifest(run)


def repeat(project: Project, slug: str, machine: str = "m") -> None:
    """A/A runs of a study."""
    chance = random.Random(slug + machine)
    for arm in ("main", "again", "reloaded1"):
        for trial in (1, 2, 3):
            steps = [("l.i0", "insert", 20000, chance.uniform(2, 2.1))]
            make_run(project.raw, f"{slug}.aa", machine, arm=arm, trial=trial,
                     steps=steps, dims={"indexes": "0"})  # fmt: skip


@pytest.fixture
def lab(make_checkout) -> Checkout:
    """Several studies, A/A runs of one, and runs that have no study.yml."""
    checkout = make_checkout()
    for slug, text in STUDIES.items():
        measure(checkout, slug, text)
    repeat(checkout.project, "alone")
    repeat(checkout.project, "turns")
    repeat(checkout.project, "gone")
    repeat(checkout.project, "gone", "elsewhere")
    return checkout


@pytest.fixture
def url(lab: Checkout, tmp_path: Path) -> str:
    """An archive of all its runs."""
    place = str(tmp_path / "archive")
    push(open_archive(place), lab.project, "", silent)
    return place


@contextmanager
def workers(number: int) -> Iterator[Client]:
    with (
        LocalCluster(n_workers=number, threads_per_worker=1, dashboard_address=":0",
                     silence_logs=50) as cluster,
        Client(cluster, set_as_default=False) as client,
    ):  # fmt: skip
        yield client


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    """Of a cluster of two workers that are processes of their own."""
    with workers(2) as client:
        yield client


def silent(line: str) -> None:
    """Nobody reads it."""


def at_home(lab: Checkout) -> pd.DataFrame:
    """What the laboratory that has all runs says of each study."""
    return joined(
        {slug: collect(lab.project.posts / slug, False).judged() for slug in STUDIES}
    )


def same(expected: pd.DataFrame, found: pd.DataFrame) -> None:
    """Every value, type, column and row."""
    pd.testing.assert_frame_equal(expected, found, check_exact=True)


def damage(url: str, study: str) -> None:
    """A byte of it fell over."""
    file = next(Path(url, study).rglob("driver.jsonl"))
    file.write_bytes(file.read_bytes().replace(b"1", b"2", 1))


@pytest.mark.slow
@pytest.mark.parametrize("on", ["here", "workers"])
def test_verdicts_are_those_of_the_laboratory_that_has_all_runs(
    lab: Checkout, url: str, on: str, client: Client
):
    """With also, reuse, turns, own A/A runs and those of its machines; none are kept."""
    expected = at_home(lab)
    shutil.rmtree(lab.project.data)

    there = client if on == "workers" else None
    found = analyse(url, lab.project, silent, client=there)

    assert ((), ("gone",)) == (found.refused, found.unknown)
    assert {"alone", "turns"} < set(expected["study"])
    assert {0.01, 0.02} == set(expected["margin"])
    assert expected["low"].notna().all()
    same(expected, found.table)
    assert not lab.project.data.exists()


@pytest.mark.slow
def test_an_object_store_is_analysed(lab: Checkout, bucket: Archive):
    """Its workers reach it with their own keys."""
    push(bucket, lab.project, "", silent)
    expected = at_home(lab)
    shutil.rmtree(lab.project.data)
    with workers(1) as client:
        found = analyse("s3://lab/runs", lab.project, silent, client=client)

    assert () == found.refused
    same(expected, found.table)


@pytest.mark.slow
@pytest.mark.parametrize("on", ["here", "workers"])
def test_a_damaged_run_refuses_its_study_alone(
    lab: Checkout, url: str, on: str, client: Client
):
    """Named with its file; the others are as they were."""
    expected = at_home(lab)
    damage(url, "turns")

    found = analyse(url, lab.project, silent, client=client if on == "workers" else None)

    [refused] = found.refused
    assert refused.startswith("turns: turns/m/")
    assert "driver.jsonl was changed" in refused
    assert ["alone", "beside", "reusing"] == list(found.verdicts)
    rest = expected[expected["study"] != "turns"].reset_index(drop=True)
    pd.testing.assert_frame_equal(rest[found.table.columns], found.table,
                                  check_exact=True, check_dtype=False)  # fmt: skip


def test_a_study_without_runs_there_is_one_sentence(lab: Checkout, url: str):
    """Whether it is named, or no study of the archive is known here."""
    lab.study("nothing")
    with pytest.raises(UserError, match=r"^no run of nothing in .*archive$"):
        analyse(url, lab.project, silent, "nothing")
    with pytest.raises(UserError, match=r"^no study 'gone' in "):
        analyse(url, lab.project, silent, "gone")
    shutil.rmtree(lab.project.posts)
    with pytest.raises(UserError, match=r"^no run that has a study.yml here in "):
        analyse(url, lab.project, silent)


def test_a_worker_of_other_versions_is_refused(lab: Checkout, url: str):
    """Its last digits may be others."""
    task = Task(url, packed({}), "throughput", ("pandas 1.0",))

    with pytest.raises(UserError, match=r"a worker has .* and here is pandas 1.0: "):
        verdicts_of("alone", task)


def test_no_log_has_the_address():
    """A worker that fails writes down what it was asked."""
    assert "pass" not in repr(Task("s3://k:pass@x", b"", "throughput", ()))


@pytest.mark.slow
def test_command_prints_the_same_here_and_on_workers(
    lab: Checkout, url: str, client: Client
):
    """Every digit of the CSV; what rests on a damaged run is told, and exit code 1."""
    expected = at_home(lab)
    words = ("compare", "--archive", url, "--csv")
    on = ("--on", client.scheduler.address)
    shutil.rmtree(lab.project.data)

    printed = lab.ok(*words)
    assert expected.to_csv(index=False) == printed == lab.ok(*words, *on)
    assert "alone: throughput" in lab.ok("compare", "--archive", url, "--study", "alone")

    damage(url, "alone.aa")
    done = lab.call(*words, *on)
    assert 1 == done.returncode
    assert "refused: alone: alone.aa/m/" in done.stderr
    assert "without a study.yml here: gone" in done.stderr
    assert {"turns"} == {line.split(",")[0] for line in done.stdout.splitlines()[1:]}


@pytest.mark.slow
def test_what_the_command_cannot_do_is_one_sentence(lab: Checkout, url: str):
    """A scheduler that does not answer, other options, and --on alone."""
    said = {
        ("--archive", url, "--on", "tcp://127.0.0.1:1"): "no scheduler of Dask at tcp://",
        ("--archive", url, "--margin", "3%"): "each study says its own base and margin",
        ("--on", "tcp://127.0.0.1:1", "a", "b"): "name it with --archive",
        (): "Missing argument 'BASE'",
    }
    for words, sentence in said.items():
        done = lab.call("compare", *words)
        assert 2 == done.returncode
        assert sentence in done.stderr
        assert "Traceback" not in done.stderr
