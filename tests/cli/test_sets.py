"""`benchbook sets`, and published tables as sets of the store."""

from __future__ import annotations

from pathlib import Path

import fake_formats
import pytest
from click.testing import CliRunner
from make_runs import make_run

from benchbook.cli.main import main
from benchbook.cli.query import sets_text
from benchbook.imports import importer
from benchbook.imports.importer import import_dir
from benchbook.project import Project
from benchbook.store.load import load
from benchbook.store.query import query

pytestmark = pytest.mark.unit

HEADER = "machine,engine,version,step,metric,value,unit,direction,source,date"
TABLE = f"""{HEADER},config
bee,mysql,5.6.51,scan,qps,10,queries/s,higher,a.tsv,2024-02,z1
bee,mysql,8.0.36,scan,qps,8,queries/s,higher,a.tsv,2024-02,z1
"""


@pytest.fixture(autouse=True)
def fake(monkeypatch):
    monkeypatch.setattr(importer, "formats", lambda: fake_formats.ALL)


@pytest.fixture
def project(tmp_path: Path) -> Project:
    (tmp_path / "data" / "published").mkdir(parents=True)
    (tmp_path / "bench").mkdir()
    (tmp_path / "_quarto.yml").touch()
    return Project(tmp_path)


def publish(project: Project, text: str, name: str = "table_2024") -> None:
    (project.data / "published" / f"{name}.csv").write_text(text)


def folder(tmp_path: Path, text: str, name: str) -> Path:
    path = tmp_path / name
    path.mkdir()
    (path / "a").write_text(text)
    return path


def lines(project: Project) -> list[str]:
    """The table's lines, words one blank apart."""
    return [" ".join(line.split()) for line in sets_text(project).splitlines()]


def test_every_kind_of_set(project, tmp_path):
    """A study, an import and its series, a published table: rows, versions, metrics."""
    make_run(project.raw, "s", engine="sqlite", version="3.46.1")
    publish(project, TABLE)
    text = "figures\nscan qps 1 my5651\nscan qps 2 my8036\nscan qps 3 ma110401\n"
    old = folder(tmp_path, text, "old")
    (old / "b").write_text("seconds i\n1\n2\n")
    import_dir(old, project)
    header, imported, study, table, seconds = lines(project)

    assert "set kind rows engines versions metrics source" == header
    assert (
        "old import 3 mariadb, mysql mariadb 11.4.1, mysql 5.6.51..8.0.36 (2) qps "
        "data/imported/old.parquet"
    ) == imported
    assert study.startswith("s study ")
    assert (
        "table_2024 published table 2 mysql 5.6.51..8.0.36 (2) qps "
        "data/published/table_2024.csv"
    ) == table
    assert "old series 2 seconds data/imported/series/old.seconds.parquet" == seconds


def test_many_metrics_are_counted(project):
    """Four are named."""
    rows = [
        f"bee,mysql,8.0.36,scan,{name},10,us,lower,a.tsv,2024-02" for name in "edcbaf"
    ]
    publish(project, "\n".join([HEADER, *rows]))
    load(project)

    assert "a, b, c, d and 2 more" in sets_text(project)


def test_published_tables_are_sets(project):
    """Figures of data/published are rows of the view, columns beyond it dimensions."""
    publish(project, TABLE.replace("config", "size"))
    load(project)
    found = query("FROM metric ORDER BY value", project)

    assert [("table_2024", "published", "8.0.36", 8.0, True, {"size": "z1"}, 1, 2),
            ("table_2024", "published", "5.6.51", 10.0, True, {"size": "z1"}, 1, 1)] == (
        list(found[["set", "origin", "version", "value", "main", "dims", "seq",
                    "position"]].itertuples(index=False, name=None))
    )  # fmt: skip


def test_published_tables_can_be_compared(project, monkeypatch):
    """`benchbook compare --set` works on them at once."""
    publish(project, TABLE)
    load(project)
    monkeypatch.setenv("BENCHBOOK_ROOT", str(project.root))
    result = CliRunner().invoke(
        main,
        ["compare", "--set", "table_2024", "--csv", "--compatible", "5.6.51", "8.0.36"],
    )

    assert "test,8.0.36\nscan,0.80\n" == result.stdout
    assert result.stderr.startswith("compatible: the archives' digits")


def test_a_set_that_is_not_there(project, monkeypatch):
    """The error names the sets there are, and the command that brings in another."""
    publish(project, TABLE)
    load(project)
    monkeypatch.setenv("BENCHBOOK_ROOT", str(project.root))
    result = CliRunner().invoke(main, ["compare", "--set", "none", "5.6.51"])

    assert 2 == result.exit_code
    assert "no set 'none': `benchbook sets` lists table_2024; " in result.output
    assert "`benchbook import PATH` brings in results of others" in result.output


def test_a_table_without_its_columns_is_refused(project):
    """A published file that lacks columns is named and not passed over in silence."""
    publish(project, "workload,cov\nbyrx,0.1\n")
    [refused] = load(project).refused

    assert refused.startswith("published/table_2024.csv: ")
    assert "no column machine, engine, version, step" in refused
    assert query("metric", project).empty


def test_a_damaged_table_is_refused(project):
    """A figure that is no number is named with its line."""
    publish(project, TABLE.replace(",8,", ",eight,"))
    [refused] = load(project).refused

    assert refused.startswith("published/table_2024.csv: ")
    assert "table_2024.csv:3: 'eight' is not a number" in refused


def test_an_import_takes_the_place_of_its_table(project, tmp_path):
    """The import of the same name counts; without it the table is back."""
    publish(project, TABLE)
    text = "figures\nscan qps 1 my5651\n"
    import_dir(folder(tmp_path, text, "table_2024"), project)
    imported = list(query("metric", project)["value"])
    (project.imported / "table_2024.parquet").unlink()
    load(project)

    assert ([1.0], [10.0, 8.0]) == (imported, list(query("metric", project)["value"]))


def test_a_changed_table_is_read_again(project):
    """The next load has its new figures."""
    publish(project, TABLE)
    load(project)
    publish(project, TABLE.replace(",10,", ",12345,"))
    load(project)

    assert [12345.0, 8.0] == list(query("metric", project)["value"])


def test_import_and_sets_at_the_terminal(project, tmp_path, monkeypatch):
    """The command imports, lists, and fails only if there is nothing at all."""
    monkeypatch.setenv("BENCHBOOK_ROOT", str(project.root))
    old = folder(tmp_path, "figures\nscan qps 1 my5651\n!\n", "old")
    empty = folder(tmp_path, "?", "empty")
    good = CliRunner().invoke(main, ["import", str(old), "--as", "new"])
    bad = CliRunner().invoke(main, ["import", str(empty)])
    none = CliRunner().invoke(main, ["import", str(tmp_path / "none")])
    listed = CliRunner().invoke(main, ["sets"])

    assert [0, 2, 2, 0] == [x.exit_code for x in (good, bad, none, listed)]
    assert "new: 1 new file" in good.output
    assert "new" in listed.output
    assert "no such file or folder to import" in none.output


def test_figures_that_do_not_belong_together_are_one_sentence(project, monkeypatch):
    """A set whose scan is in rows for one version and in thousands for the other."""
    publish(project, TABLE.replace("8,queries/s", "8,krows/s"))
    load(project)
    monkeypatch.setenv("BENCHBOOK_ROOT", str(project.root))
    done = CliRunner().invoke(main, ["compare", "--set", "table_2024", "5.6.51"])

    assert 2 == done.exit_code
    assert (
        "table_2024: left out, with units or directions of several kinds: scan qps"
        in done.output
    )
