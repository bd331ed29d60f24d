"""What a name means to `compare`, `changepoints` and the other verbs that take a set."""

from __future__ import annotations

import shutil
from pathlib import Path

import pandas as pd
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner
from make_runs import make_run
from places import ROOT

from benchbook.cli.main import main
from benchbook.project import Project
from benchbook.published.sets import metric_table
from benchbook.results import evidence
from benchbook.store.load import load
from benchbook.store.query import expand_dims, query

pytestmark = pytest.mark.unit

HEADER = "machine,engine,version,step,metric,value,unit,direction,source,date"
STUDY = """\
title: Which versions changed?
template: versions
driver: published
data: [table]
base: {version: '5.6'}
"""
MEASURED = """\
title: Which versions changed?
template: versions
driver: ingest
base: {version: '5.6'}
engines:
  - {engine: "null", version: "5.6"}
  - {engine: "null", version: "8.0"}
steps: ["l.i0:rows=1000"]
"""
VERBS = (["compare", "5.6", "8.0"], ["changepoints"])


@pytest.fixture
def project(tmp_path: Path, monkeypatch) -> Project:
    for folder in ("data/published", "data/imported", "posts"):
        (tmp_path / folder).mkdir(parents=True)
    monkeypatch.setenv("BENCHBOOK_ROOT", str(tmp_path))
    return Project(tmp_path)


def table(project: Project, name: str = "table", second: float = 50) -> None:
    """A published table of two versions; the second has so many rows per second."""
    rows = [f"bee,mysql,{v},scan,qps,{q},rows/s,higher,a,2026" for v, q in
            (("5.6", 100), ("8.0", second))]  # fmt: skip
    text = "\n".join([HEADER, *rows]) + "\n"
    (project.data / "published" / f"{name}.csv").write_text(text)


def imported(project: Project, name: str, second: float) -> None:
    """An import of that name: data/imported/<name>.parquet, like a published table."""
    table(project, name, second)
    pq.write_table(metric_table(name, project), project.imported / f"{name}.parquet")
    (project.data / "published" / f"{name}.csv").unlink()


def study(project: Project, slug: str, text: str) -> None:
    (project.posts / slug).mkdir()
    (project.posts / slug / "study.yml").write_text(text)


def measured(project: Project, slug: str, second: int) -> None:
    for version, rows in (("5.6", 100), ("8.0", second)):
        steps = [("l.i0", "insert", rows, 1.0)]
        make_run(project.raw, study=slug, version=version, steps=steps)


def call(*words: str):
    return CliRunner().invoke(main, words)


def ratio_of(*chosen: str) -> str:
    """Version 8.0 over 5.6 by `compare`; the other verb has to take the set as well."""
    done = call("changepoints", *chosen)
    assert 0 == done.exit_code, done.output
    assert "1 test on" in done.output
    done = call("compare", *chosen, "5.6", "8.0", "--csv")
    assert 0 == done.exit_code, done.output
    return done.stdout.splitlines()[1].split(",")[1]


def test_a_published_table(project):
    """Its file counts, and needs no store."""
    table(project)

    assert "0.5" == ratio_of("--set", "table")
    assert not project.store.exists()


@pytest.mark.slow
def test_a_study_of_published_tables(project):
    """`data:` names the tables that it is."""
    table(project)
    study(project, "halves", STUDY)

    assert "0.5" == ratio_of("--study", "halves")
    assert "0.5" == ratio_of("--set", "halves")


@pytest.mark.parametrize("verb", VERBS, ids=lambda verb: verb[0])
def test_tables_that_do_not_belong_together(project, verb):
    """Figures and their ratios: one sentence names the tables to take alone."""
    table(project)
    table(project, "ratios", 0.5)
    file = project.data / "published" / "ratios.csv"
    file.write_text(file.read_text().replace("rows/s", "ratio"))
    study(project, "halves", STUDY.replace("[table]", "[table, ratios]"))
    done = call(verb[0], "--study", "halves", *verb[1:])

    assert 2 == done.exit_code
    assert "several kinds: scan qps (ratio and rows/s); take one of its" in done.output
    assert done.output.endswith("--set table, ratios\n")


@pytest.mark.slow
def test_an_import(project):
    """It is loaded by who asks for it."""
    imported(project, "old", 60)

    assert "0.6" == ratio_of("--set", "old")


@pytest.mark.slow
@pytest.mark.parametrize("named", ["s", "posts/s", "posts/s/study.yml"])
def test_measured_runs_of_a_study(project, named):
    """By name, folder or file."""
    study(project, "s", MEASURED)
    measured(project, "s", 70)
    load(project)

    assert "0.7" == ratio_of("--study", named)


def test_evidence_of_a_published_post(project):
    """What was published counts, whatever is measured after it, and needs no store."""
    study(project, "s", MEASURED)
    measured(project, "s", 70)
    load(project)
    metric = expand_dims(query("metric_of_set", project=project, set="s"))
    evidence.write(project.posts / "s" / "evidence", {"metric": metric})
    shutil.rmtree(project.raw)
    project.store.unlink()

    assert "0.7" == ratio_of("--study", "s")
    assert not project.store.exists()


@pytest.mark.slow
def test_a_shipped_post_in_a_fresh_clone(project):
    """sqlite-old-to-new from its evidence: nothing was measured or loaded here."""
    slug = "sqlite-old-to-new"
    shutil.copytree(ROOT / "posts" / slug, project.posts / slug)
    versions = pd.read_parquet(project.posts / slug / "evidence" / "metric.parquet")[
        "version"
    ].unique()
    compared = call("compare", "--study", slug, versions[0], versions[1])
    changes = call("changepoints", "--study", slug)

    assert (0, 0) == (compared.exit_code, changes.exit_code)
    assert "tests on" in changes.output.splitlines()[0]


@pytest.mark.parametrize("verb", VERBS, ids=lambda verb: verb[0])
@pytest.mark.parametrize(
    ("other", "where"),
    [
        (table, "the published table data/published/s.csv"),
        (imported, "the import data/imported/s.parquet"),
    ],
)
def test_a_name_of_two_is_refused(project, verb, other, where):
    """A study and a table, or an import: one sentence names both."""
    study(project, "s", MEASURED)
    other(project, "s", 50)
    done = call(verb[0], "--set", "s", *verb[1:])

    assert (
        2,
        "benchbook: 's' is the name of the study posts/s/study.yml and "
        f"{where}: rename one of them\n",
    ) == (done.exit_code, done.output)


@pytest.mark.slow
def test_an_import_counts_before_its_table(project):
    """Everywhere, and each verb says so."""
    imported(project, "both", 60)
    table(project, "both")
    note = "both is the import data/imported/both.parquet, which counts before data/publ"

    assert "0.6" == ratio_of("--set", "both")
    assert note in call("compare", "--set", "both", "5.6", "8.0").stderr
    assert note in call("changepoints", "--set", "both").output
    assert "before data/published/both.csv" in call("sets").output


@pytest.mark.slow
def test_a_new_table_is_seen_by_all(project):
    """Written or changed after the last load: no verb asks for another one."""
    table(project, "before")
    load(project)
    table(project)
    values = "SELECT value FROM metric WHERE \"set\" = 'table' ORDER BY value"

    assert "value\n50.0\n100.0\n" == call("sql", values, "--csv").stdout
    assert "table  " in call("sets").stdout
    assert "0.5" == ratio_of("--set", "table")
    table(project, second=120)
    assert "1.2" == ratio_of("--set", "table")
    assert "value\n100.0\n120.0\n" == call("sql", values, "--csv").stdout


def test_a_table_that_cannot_be_read_is_told_and_keeps_nobody(project):
    """`sets` names the file; the store is not written again for it each time."""
    table(project)
    table(project, "bad")
    load(project)
    (project.data / "published" / "bad.csv").write_text("a\n1\n")
    first = call("sets")
    written = project.store.stat().st_mtime_ns
    second = call("sets")

    assert "refused: published/bad.csv: " in first.stderr
    assert first.output == second.output
    assert "bad" not in first.stdout
    assert written == project.store.stat().st_mtime_ns


@pytest.mark.slow
def test_runs_that_only_the_store_has(project):
    """A store that was brought along without data/raw and without study.yml."""
    measured(project, "s", 70)
    load(project)
    shutil.rmtree(project.raw)

    assert "0.7" == ratio_of("--set", "s")


def test_an_import_that_cannot_be_loaded_says_why(project):
    """The file and the reason, not that there is no such set."""
    (project.imported / "old.parquet").write_text("no Parquet")
    done = call("changepoints", "--set", "old")

    assert 2 == done.exit_code
    assert done.output.startswith("benchbook: imported/old.parquet: ")


@pytest.mark.parametrize("verb", VERBS, ids=lambda verb: verb[0])
def test_a_study_without_runs(project, verb):
    """It is a study, and nothing of it is loaded."""
    study(project, "s", MEASURED)
    table(project)
    done = call(verb[0], "--study", "s", *verb[1:])

    assert 2 == done.exit_code
    assert "no runs of 's' in the store: `benchbook run s` measures" in done.output


@pytest.mark.parametrize("verb", VERBS, ids=lambda verb: verb[0])
def test_a_name_that_nothing_has(project, verb):
    """The sentence names sets and studies, store or not."""
    study(project, "s", MEASURED)
    done = call(verb[0], "--set", "none", *verb[1:])

    assert 2 == done.exit_code
    assert "no set 'none': `benchbook sets` lists none; studies: s;" in done.output


@pytest.mark.slow
def test_a_file_of_the_folder_is_no_study(project, tmp_path, monkeypatch):
    """A set called like a file where the command is given is still the set."""
    imported(project, "old", 60)
    (tmp_path / "old").write_text("not a study")
    monkeypatch.chdir(tmp_path)

    assert "0.6" == ratio_of("--set", "old")


@pytest.mark.slow
def test_a_study_of_imports(project):
    """`data:` may name an import, which counts before a table of that name."""
    imported(project, "theirs", 40)
    study(project, "shown", STUDY.replace("[table]", "[theirs]"))

    assert "0.4" == ratio_of("--study", "shown")


def test_data_that_is_not_there_is_named(project):
    imported(project, "theirs", 40)
    study(project, "shown", STUDY.replace("[table]", "[hers]"))
    done = call("compare", "--study", "shown", "5.6")

    assert 2 == done.exit_code
    assert "no import and no published table 'hers'; imports: theirs" in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    ("slug", "base", "other"),
    [
        ("crc32c-compilers", "gcc-12", "gcc-11"),
        ("mariadb-old-to-new", "10.1.23", "10.2.11"),
    ],
)
def test_shipped_evidence_is_compared_in_a_clone(
    monkeypatch, tmp_path, slug, base, other
):
    """A published post is all it takes: no run, no import, no store."""
    shutil.copytree(ROOT / "posts" / slug, tmp_path / "posts" / slug)
    monkeypatch.setenv("BENCHBOOK_ROOT", str(tmp_path))
    done = call("compare", "--study", slug, base, other)

    assert 0 == done.exit_code, done.output
    assert "regressed" in done.stdout or "improved" in done.stdout
    assert not (tmp_path / "data").exists()
