"""Names as people give them, and fixed dimensions: what they say, and what is refused."""

from __future__ import annotations

from pathlib import Path

import fake_formats
import pytest
import sysbench_files as sysbench
from click.testing import CliRunner

from benchbook.cli.imports import fixed, import_, preview_text
from benchbook.imports import importer
from benchbook.imports.importer import import_dir, preview_dir
from benchbook.imports.naming import Unnamed, naming_of
from benchbook.project import Project
from benchbook.store.query import query
from benchmath.errors import UserError

pytestmark = pytest.mark.unit

PATTERN = "{step}.{engine}{version}.t{trial}.txt"
RUN = sysbench.RUN.split("\n", 2)[2]  # without the command line: nothing says the test


def said(pattern: str, name: str, *pairs: tuple[str, str]) -> dict[str, str]:
    return naming_of(pattern, pairs).said_of(name)


@pytest.fixture
def figures(monkeypatch, tmp_path):
    """A function that writes files of the fake formats and returns their folder."""
    monkeypatch.setattr(importer, "formats", lambda: fake_formats.ALL)

    def write(**files: str) -> Path:
        (tmp_path / "new").mkdir(exist_ok=True)
        for name, text in files.items():
            (tmp_path / "new" / name.replace("__", ".")).write_text(text)
        return tmp_path / "new"

    return write


# --- patterns ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("a_b.pg15.t1.txt", {"step": "a_b", "engine": "postgres", "version": "15"}),
        ("a.b.pg15.4.t1.txt", {"step": "a.b", "engine": "postgres", "version": "15.4"}),
        ("a.my8036.t1.txt", {"step": "a", "engine": "mysql", "version": "8.0.36"}),
        ("a.duckdb1.2rc1.t1.txt", {"step": "a", "engine": "duckdb", "version": "1.2rc1"}),
    ],
)
def test_a_name_says_step_engine_and_version(name, expected):
    """Engines by their short names too; glued digits as the archives glue them."""
    assert expected | {"trial": "1"} == said(PATTERN, name)


def test_a_pattern_with_a_slash_is_that_of_the_end_of_the_path():
    """Folders are placeholders as names are."""
    assert {"commit": "abc123", "step": "scan"} == said(
        "{commit}/{step}.txt", "x/abc123/scan.txt"
    )


def test_a_name_that_can_be_read_in_two_ways_is_refused():
    """Both readings are told, and what to do."""
    with pytest.raises(Unnamed) as error:
        said("{step}.{config}.txt", "a.b.c.txt")

    assert (
        "the name can be read in two ways, as step a.b, config c or as step a, "
        "config b.c: "
        "put another text between them in --name"
    ) == str(error.value)


@pytest.mark.parametrize(
    ("pattern", "name", "expected"),
    [
        ("v{version}/*", "v1.2/pgbench_log.4711", {"version": "1.2"}),
        ("{step}_*.t{trial}.*", "scan_a.b.t1.txt", {"step": "scan", "trial": "1"}),
        ("*/{version}/*/x.csv", "a/b/15/c/x.csv", {"version": "15"}),
    ],
)
def test_a_star_passes_over_what_is_no_dimension(pattern, name, expected):
    """Of one folder's or file's name: it says nothing."""
    assert expected == said(pattern, name)


def test_a_star_that_can_be_two_texts_is_refused():
    """Also where its longest and its shortest leave the same for the placeholder."""
    with pytest.raises(Unnamed) as error:
        said("*-{config}-*", "p-x-q-x-r")

    assert "two ways, as * p-x-q, * r or as * p, " in str(error.value)


def test_a_name_of_another_kind_is_refused():
    """A pattern is of the whole name."""
    with pytest.raises(Unnamed, match="is not like --name"):
        said(PATTERN, "README.txt")


@pytest.mark.parametrize(
    ("pattern", "told"),
    [
        ("scan.txt", "write placeholders as {step}"),
        ("*.txt", "write placeholders as {step}"),
        ("{step}*", r"where {step} ends and \* begins"),
        ("{step", "write placeholders as {step}"),
        ("{step}{config}", "nothing tells where {step} ends"),
        ("{step}.{step}", "stands there twice"),
        ("{verison}", "version is: write that"),
        ("{value}", "a column that Benchbook fills"),
        ("{n}", "a column that Benchbook fills"),
        ("{Step}", "lower-case"),
    ],
)
def test_a_pattern_that_cannot_be_is_refused(pattern, told):
    """Before any file is looked at."""
    with pytest.raises(UserError, match=told):
        naming_of(pattern, [])


# --- fixed dimensions -------------------------------------------------------------------


def test_a_fixed_version_may_say_more_than_the_name():
    """15 of the name and 15.19 of the command agree: the longer one holds."""
    assert "15.19" == said(PATTERN, "a.pg15.t1.txt", ("version", "15.19"))["version"]


def test_a_fixed_value_and_the_name_that_differ_are_refused():
    """15 is not 16.2."""
    with pytest.raises(Unnamed, match="name says version 15, the command"):
        said(PATTERN, "a.pg15.t1.txt", ("version", "16.2"))


@pytest.mark.parametrize(
    ("pairs", "told"),
    [
        ([("commit", "a"), ("commit", "b")], "twice"),
        ([("commit", " ")], "no value"),
        ([("dop", "many")], "no count"),
        ([("run_id", "x")], "a column that Benchbook fills"),
    ],
)
def test_a_dimension_that_cannot_be_is_refused(pairs, told):
    """Said twice, empty, no number, or not the user's to say."""
    with pytest.raises(UserError, match=told):
        naming_of(None, pairs)


def test_a_dim_needs_an_equals_sign():
    """--dim commit says nothing."""
    with pytest.raises(UserError, match="write KEY=VALUE"):
        fixed(None, None, ["commit"])


# --- imports ----------------------------------------------------------------------------


def test_twelve_sysbench_files_have_engine_version_test_and_trial(tmp_path):
    """Named as people do; the tool's own name is no test where the name has one."""
    folder = tmp_path / "runs"
    folder.mkdir()
    for number in range(12):
        test = ("oltp_point_select", "oltp_read_only")[number % 2]
        name = f"{test}.pg{15 + number // 2 % 2}.t{number // 4 + 1}.txt"
        (folder / name).write_text(RUN.replace("812.40", f"{800 + number}.40"))
    project = Project(tmp_path / "checkout")
    import_dir(folder, project, naming=naming_of(PATTERN, []))
    rows = query(
        "SELECT DISTINCT engine, version, step, trial, dims FROM metric", project
    )

    assert {"postgres"} == set(rows["engine"])
    assert 12 == len(rows) == len(rows[["version", "step", "trial"]].drop_duplicates())
    assert {"15", "16"} == set(rows["version"])
    assert {"oltp_point_select", "oltp_read_only"} == set(rows["step"])
    assert {1, 2, 3} == set(rows["trial"])
    assert all(dims == {} for dims in rows["dims"])


def test_equal_figures_of_two_named_trials_are_two(figures, tmp_path):
    """What looks like a copy is none where the names say two trials."""
    text = "figures\nscan qps 10\n"
    folder = figures(scan__t1=text, scan__t2=text)
    import_dir(folder, Project(tmp_path / "c"), naming=naming_of("{step}.t{trial}", []))
    rows = query(
        "SELECT trial, value FROM metric ORDER BY trial", Project(tmp_path / "c")
    )

    assert [(1, 10.0), (2, 10.0)] == list(rows.itertuples(index=False, name=None))


def test_a_file_that_says_something_else_is_not_imported(figures, tmp_path):
    """One sentence: what the file says where, what the command says, what to do."""
    folder = figures(one="figures\nscan qps 10 my8036\n", two="figures\nscan qps 1\n")
    report = import_dir(
        folder, Project(tmp_path / "c"), naming=naming_of(None, [("engine", "postgres")])
    )

    assert ["two"] == [source.path for source in report.manifest.sources]
    assert (
        "engine is mysql in line 2 of the file, but postgres by its name or the command: "
        "nothing of it is imported; leave engine out, or say what the file says"
    ) == report.manifest.skipped[0].reason


@pytest.mark.slow
def test_other_words_of_the_user_are_another_import(figures, tmp_path):
    """The same words: nothing new. Others: the file is read again."""
    folder, project = figures(one="figures\nscan qps 10\n"), Project(tmp_path / "c")
    reports = [
        import_dir(folder, project, naming=naming_of(None, [("commit", value)]))
        for value in ("a", "a", "b")
    ]

    assert [(1, 0), (0, 0), (0, 1)] == [(r.new, r.changed) for r in reports]
    assert [{"commit": "b"}] == list(query("SELECT dims FROM metric", project)["dims"])


def test_a_preview_shows_each_file_and_changes_nothing(figures, tmp_path):
    """Format, figures, dimensions of what would be imported; why the rest would not."""
    folder = figures(
        scan__t1="figures\nscan qps 10 my8036\n", other="figures\nscan qps 1\n"
    )
    before = sorted(tmp_path.rglob("*"))
    text = preview_text(preview_dir(folder, naming=naming_of("{step}.t{trial}", [])))

    assert before == sorted(tmp_path.rglob("*"))
    assert [
        "file     format   figures  samples  problems  engine  version  step  trial",
        "scan.t1  figures  1        0        0         mysql   8.0.36   scan  1",
    ] == [line.rstrip() for line in text.splitlines()[:2]]
    assert "other: the name is not like --name {step}.t{trial}" in text
    assert text.endswith("1 file of 2 would be imported; nothing was changed")


def test_a_preview_of_nothing_fails(tmp_path):
    """So that a script notices."""
    (tmp_path / "x").write_text("what is this?\n")

    assert 2 == CliRunner().invoke(import_, [str(tmp_path), "--dry-run"]).exit_code


def test_a_control_character_in_a_name_is_a_blank():
    """Nothing that a terminal or a table obeys comes from a file's name."""
    assert {"step": "a [2Jb"} == said("{step}.txt", "a\x1b[2Jb.txt")
