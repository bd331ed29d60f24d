"""Folders of text files into data/imported: what is new, all of it or nothing, told."""

from __future__ import annotations

import gzip
import json
import os
from dataclasses import replace
from pathlib import Path

import duckdb
import fake_formats
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from text_blocks import reader

from benchbook.cli.imports import import_text
from benchbook.imports import importer
from benchbook.imports import read as importread
from benchbook.imports.importer import ImportReport, import_dir, preview_dir
from benchbook.imports.read import IMPORTER
from benchbook.imports.series import SeriesWriter
from benchbook.project import Project
from benchbook.store.query import query
from benchformats import Format
from benchformats.parsed import Parsed, TextFile
from benchformats.text import file as textfile
from benchmath.errors import UserError

pytestmark = pytest.mark.unit

ONE = "figures\nscan qps 10 my8036\nscan cpu 2.5 my8036\n"


@pytest.fixture(autouse=True)
def fake(monkeypatch):
    monkeypatch.setattr(importer, "formats", lambda: fake_formats.ALL)


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path / "checkout")


@pytest.fixture
def folder(tmp_path: Path):
    """A function that writes files below a folder and returns it."""

    def write(files: dict[str, str | bytes], name: str = "old") -> Path:
        for file, text in files.items():
            path = tmp_path / name / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text if isinstance(text, bytes) else text.encode())
        (tmp_path / name).mkdir(exist_ok=True)
        return tmp_path / name

    return write


def values(project: Project, columns: str) -> list[tuple[object, ...]]:
    """Columns of the view metric, in order of source."""
    frame = query(f"SELECT {columns} FROM metric ORDER BY source, metric", project)
    return list(frame.itertuples(index=False, name=None))


def contents(project: Project) -> dict[str, bytes]:
    files = [p for p in project.imported.rglob("*") if p.is_file()]
    return {str(p.relative_to(project.imported)): p.read_bytes() for p in files}


def told(report: ImportReport) -> list[tuple[str, int, str]]:
    return [
        (source.path, problem.line, problem.text)
        for source in report.manifest.sources
        for problem in source.problems
    ]


# --- rows ------------------------------------------------------------------------------


def test_figures_join_the_view(project, folder):
    """A folder is a set; each figure has its source file and line."""
    import_dir(folder({"a/one.txt": ONE}), project)

    assert [
        ("old", "mysql", "8.0.36", "scan", "qps", 10.0, True, "a/one.txt:2", "published"),
        ("old", "mysql", "8.0.36", "scan", "cpu", 2.5, False, "a/one.txt:3", "published"),
    ] == values(
        project, '"set", engine, version, step, metric, value, main, source, origin'
    )


def test_what_the_file_does_not_say_comes_from_names(project, folder):
    """Machine, dop, workload, tag and primary key from folders; a raw tag is kept."""
    path = "m5.2x.ht0/x.my8036_rel.z11a_bee.pk1/sum.byrx.dop4.txt"
    import_dir(folder({path: "figures\nscan qps 10\n"}), project)

    assert [
        ("m5.2xl.ht0", "8.0.36", "rel", "z11a_bee", "x.my8036_rel.z11a_bee.pk1", 4,
         {"pk": "1", "workload": "byrx"}),
    ] == values(project, "machine, version, build, config, tag, dop, dims")  # fmt: skip


def test_the_user_names_the_machine(project, folder):
    """--machine wins over what names say."""
    import_dir(folder({"pn53/a": ONE}), project, machine="desk")

    assert {("desk",)} == set(values(project, "machine"))


def test_hardware_class_of_the_tag(project, folder):
    """Where no folder names a machine, the tag's hardware class does."""
    import_dir(folder({"a": "figures\nscan qps 1 my8036.z1_c8r32\n"}), project)

    assert [("c8r32",)] == values(project, "machine")


def test_rows_of_one_run_share_its_name(project, folder):
    """All steps and metrics of one tag are one run and one cell; a range is no cell."""
    text = "figures\na_range=10 qps 1 my8036\na_range=100 qps 2 my8036\nb qps 3 my5651\n"
    import_dir(folder({"a": text}), project)
    found = values(project, "run_id, cell_id, seq, position, dims")

    assert "old||mysql|8.0.36|||||dop0|t1" == found[0][0] == found[1][0]
    assert found[0][1] == found[1][1] != found[2][1]
    assert [(1, 1), (2, 1), (3, 2)] == [row[2:4] for row in found]
    assert [{"range": "10"}, {"range": "100"}, {}] == [row[4] for row in found]


def test_repeated_lines_are_trials(project, folder):
    """Three rows of one step and tag are trials 1 to 3."""
    text = """figures
scan qps 10 my8036
scan qps 11 my8036
scan qps 12 my8036
"""
    import_dir(folder({"a": text}), project)

    assert [(10.0, 1), (11.0, 2), (12.0, 3)] == values(project, "value, trial")


def test_metrics_on_several_lines_are_one_trial(project, folder):
    """Lines of different metrics do not repeat each other."""
    import_dir(folder({"a": ONE}), project)

    assert {(1,)} == set(values(project, "trial"))


def test_unknown_tags_are_cells_of_their_own(project, folder):
    """What does not decode is told apart by its raw tag."""
    import_dir(folder({"a": "figures\ns qps 1 foo\ns qps 2 bar\n"}), project)

    assert [("", "foo", 1), ("", "bar", 1)] == values(project, "version, tag, trial")


def test_copies_of_a_table_count_once(project, folder):
    """The same figures in two files of one format are one trial, from the first file."""
    more = ONE + "scan qps 30 my5651\n"
    import_dir(folder({"b": more, "a": ONE}), project)

    assert [("a:2", 1), ("a:3", 1), ("b:4", 1)] == values(project, "source, trial")


def test_raw_output_before_tables_of_it(project, folder):
    """Of a figure in two formats the one nearer to the raw output stays, and is main."""
    report = import_dir(
        folder({"a": "table\nscan qps 10.4 my8036\nscan p95 3 my8036\n", "b": ONE}),
        project,
    )

    assert [("p95", "a:3", False), ("qps", "b:2", True), ("cpu", "b:3", False)] == values(
        project, "metric, source, main"
    )
    assert ["a:2: qps 10.4 is left out: b:2 has 10"] == report.manifest.conflicts


def test_a_rounded_copy_is_no_conflict(project, folder):
    """10.004 in a table and 10 in the raw output are the same figure."""
    report = import_dir(
        folder({"a": "table\nscan qps 10.004 my8036\n", "b": ONE}), project
    )

    assert [] == report.manifest.conflicts


def test_files_that_differ_without_saying_in_what(project, folder):
    """Two tables with other figures of the same cell are told apart by file."""
    import_dir(folder({"a": ONE, "b": "figures\nscan qps 20 my8036\n"}), project)

    assert [
        (10.0, 1, {"file": "a"}), (2.5, 1, {"file": "a"}), (20.0, 1, {"file": "b"}),
    ] == values(project, "value, trial, dims")  # fmt: skip


def test_folders_without_meaning_are_a_dimension(project, folder):
    """Figures of two folders are not repetitions of each other."""
    import_dir(folder({"x/a": ONE, "y/a": ONE}), project)

    assert [{"folder": "x"}, {"folder": "x"}, {"folder": "y"}, {"folder": "y"}] == [
        dims for (dims,) in values(project, "dims")
    ]


def test_the_base_of_a_ratio_is_a_dimension(project, folder):
    """Comparisons have a column base of their own, so it has another name."""
    import_dir(folder({"a": "figures\ns rel_qps 0.9 my8036 base=my5651\n"}), project)

    assert [({"relative_to": "my5651"},)] == values(project, "dims")


def test_one_rate_is_the_throughput_of_a_step(project, folder):
    """Two formats with a main metric each: only the first format's is main."""
    other = "table\nscan qps 99 my8036 x=1\nscan qps 10 my8036\n"
    import_dir(folder({"a": ONE, "b": other}), project)

    assert [("a:2", True), ("a:3", False), ("b:2", True)] == values(
        project, "source, main"
    )


# --- series ----------------------------------------------------------------------------


def series(project: Project) -> list[dict[str, object]]:
    return pq.read_table(project.imported / "series" / "old.seconds.parquet").to_pylist()


def test_series_carry_source_and_names(project, folder):
    """Columns of the file and its lines, with what the names say."""
    import_dir(folder({"fbmy8028.z1/l.i0/o.ib.dop2.1": "seconds ips\n5\n7\n"}), project)
    first, second = series(project)

    assert {
        "path": "fbmy8028.z1/l.i0/o.ib.dop2.1", "set": "old", "machine": "",
        "engine": "myrocks", "version": "8.0.28", "build": "", "config": "z1",
        "tag": "fbmy8028.z1", "step": "l.i0", "dop": 2, "client": "1", "ips": 5,
        "line": 2,
    } == first  # fmt: skip
    assert (7, 3) == (second["ips"], second["line"])


def test_series_of_different_columns_are_one(project, folder):
    """12 and 17 columns: absent ones are NULL."""
    import_dir(folder({"a": "seconds i\n1\n", "b": "seconds i q\n2 3\n"}), project)

    assert [(1, None), (2, 3)] == [(row["i"], row["q"]) for row in series(project)]


def test_series_whose_types_differ(tmp_path):
    """Whole and broken numbers are broken numbers; what has nothing in common is text."""
    writer = SeriesWriter(tmp_path / "s.parquet")
    for values_ in ([1], [2.5]):
        writer.add(pa.table({"v": values_}))
    count = writer.close("g")
    mixed = SeriesWriter(tmp_path / "m.parquet")
    for values_ in ([1], ["md2"]):
        mixed.add(pa.table({"v": values_}))
    mixed.close("g")

    assert (2, [1.0, 2.5]) == (
        count, pq.read_table(tmp_path / "s.parquet")["v"].to_pylist(),
    )  # fmt: skip
    assert ["1", "md2"] == pq.read_table(tmp_path / "m.parquet")["v"].to_pylist()


def test_a_large_file_is_streamed(project, folder, monkeypatch):
    """Blocks of a file are parsed and written one by one; lines stay the file's."""
    monkeypatch.setattr(textfile, "SMALL", 20)
    monkeypatch.setattr(textfile, "BLOCK", 50)
    text = "seconds i\n" + "".join(f"{n}\n" for n in range(100, 300))
    report = import_dir(folder({"a": text}), project)

    assert [(n, n - 98) for n in range(100, 300)] == [
        (row["i"], row["line"]) for row in series(project)
    ]
    assert {"seconds": 200} == report.manifest.series


@pytest.mark.parametrize(
    ("text", "expected"),
    [("b\n" * 9 + "a\n", "second"), ("?\n" * 9 + "a\n", "first"), ("?\n" * 9, "")],
)
def test_a_large_file_is_recognised_by_its_beginning(text, expected):
    """By more of it where no format knows the beginning; the first format wins."""
    known = [
        Format("first", lambda file: "a" in file.lines, lambda file: Parsed()),
        Format("second", lambda file: "b" in file.lines, lambda file: Parsed()),
    ]
    file = TextFile("x", text[:8], reader([text]))
    found = importread.recognised(file, known)

    assert expected == (found.name if found else "")


# --- again -----------------------------------------------------------------------------


def test_importing_twice_changes_nothing(project, folder):
    """Nothing is read, nothing is written, and the report says so."""
    old = folder({"a": ONE, "b": "seconds i\n1\n", "c": "?"})
    import_dir(old, project)
    before = contents(project)
    report = import_dir(old, project)

    assert before == contents(project)
    assert (0, 0) == (report.new, report.changed)
    assert import_text(report).startswith("old: nothing new; 2 files as before")


def test_the_same_folder_gives_the_same_bytes(project, folder, tmp_path):
    """Two checkouts that import a folder have equal Parquet files and manifests."""
    old = folder({"a": ONE, "b": "seconds i\n1\n"})
    import_dir(old, project)
    other = Project(tmp_path / "other")
    import_dir(old, other)

    assert contents(project) == contents(other)


@pytest.mark.slow
def test_a_grown_folder_adds_what_is_new(project, folder, tmp_path, monkeypatch):
    """Files that are there are not read again; the result is that of one import."""
    old = folder({"b": ONE, "s": "seconds i\n1\n"})
    import_dir(old, project)
    folder({"a": "figures\nscan qps 5 my5651\n", "t": "seconds i\n2\n"})
    read = []
    figures = replace(
        fake_formats.FIGURES,
        read=lambda f: read.append(f.path) or fake_formats.read_figures(f),
    )
    monkeypatch.setattr(importer, "formats", lambda: (figures, *fake_formats.ALL[1:]))
    report = import_dir(old, project)
    other = Project(tmp_path / "other")
    import_dir(old, other)

    assert (["a"], 2, 0) == (read[:1], report.new, report.changed)
    assert contents(other)["old.parquet"] == contents(project)["old.parquet"]
    assert [1, 2] == sorted(row["i"] for row in series(project))


@pytest.mark.slow
def test_a_changed_file_replaces_its_rows(project, folder):
    """The old rows of the file are gone."""
    old = folder({"a": ONE, "b": "seconds i\n1\n"})
    import_dir(old, project)
    folder({"a": "figures\nscan qps 11 my8036\n", "b": "seconds i\n2\n3\n"})
    report = import_dir(old, project)

    assert [(11.0,)] == values(project, "value")
    assert [2, 3] == [row["i"] for row in series(project)]
    assert (0, 2) == (report.new, report.changed)


@pytest.mark.slow
def test_a_new_version_of_a_parser_reads_again(project, folder, monkeypatch):
    """Only the files of that format."""
    old = folder({"a": ONE, "b": "table\nx qps 1 my5651\n"})
    import_dir(old, project)
    newer = replace(fake_formats.FIGURES, version=2)
    monkeypatch.setattr(importer, "formats", lambda: (newer, *fake_formats.ALL[1:]))

    report = import_dir(old, project)
    importers = [source.importer for source in report.manifest.sources]

    assert (0, 1) == (report.new, report.changed)
    assert [f"{IMPORTER}.2", f"{IMPORTER}.1"] == importers


@pytest.mark.slow
def test_a_file_that_is_gone_keeps_its_rows(project, folder):
    """A folder may be imported piece by piece; --prune drops what is gone."""
    old = folder({"a": ONE, "b": "table\nx qps 1 my5651\n"})
    import_dir(old, project)
    (old / "b").unlink()
    kept = import_dir(old, project)
    rows = len(values(project, "value"))
    pruned = import_dir(old, project, prune=True)

    assert (3, ("b",), 2) == (rows, kept.gone, len(values(project, "value")))
    assert "1 file of before not there any more, their rows dropped" in (
        import_text(pruned)
    )


@pytest.mark.slow
def test_another_machine_reads_again(project, folder):
    """What the user says is part of what a file was read as."""
    old = folder({"a": ONE})
    import_dir(old, project)
    import_dir(old, project, machine="desk")

    assert {("desk",)} == set(values(project, "machine"))


@pytest.mark.slow
def test_deleted_output_is_made_again(project, folder):
    """Deleting the Parquet file of a set deletes the set; the next import makes it."""
    old = folder({"a": ONE})
    import_dir(old, project)
    (project.imported / "old.parquet").unlink()
    report = import_dir(old, project)

    assert (1, 2) == (report.new, len(values(project, "value")))


def test_the_store_is_made_again_from_imported_files(project, folder):
    """load --rebuild needs nothing of the imported folder."""
    from benchbook.store.load import load

    old = folder({"a": ONE})
    import_dir(old, project)
    (old / "a").unlink()
    project.store.unlink()
    load(project, rebuild=True)

    assert 2 == len(values(project, "value"))


@pytest.mark.slow
@pytest.mark.parametrize("step", range(5))
def test_a_killed_import_is_done_again(project, folder, monkeypatch, step: int):
    """Killed before any of its renames, the next import gives what one would have."""
    old = folder({"a": ONE, "s": "seconds i\n1\n"})
    import_dir(old, project)
    folder({"a": "figures\nscan qps 11 my8036\n", "s": "seconds i\n2\n"})
    rename = Path.replace
    done = []

    def killed(self, target):
        if (
            ".partial" in str(self)
            and "old" in Path(target).name
            and (".partial" not in str(target))
        ):
            done.append(target)
            if len(done) > step:
                raise KeyboardInterrupt
        return rename(self, target)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", killed)
        if step < 4:
            with pytest.raises(KeyboardInterrupt):
                import_dir(old, project)
        else:
            import_dir(old, project)
    folder({"a": ONE})
    import_dir(old, project)

    assert [(10.0,), (2.5,)] == values(project, "value")
    assert [2] == [row["i"] for row in series(project)]
    assert not list(project.imported.glob(".partial*"))


# --- what cannot be read ---------------------------------------------------------------


def test_unknown_files_are_told_with_a_reason(project, folder):
    """Unknown, empty, binary, pictures, pages, links and junk; the rest is imported."""
    old = folder(
        {"a": ONE, "sb.ps.x": "what is this", "e": "", "b": bytes(range(256)) * 4,
         "p.svg": '<?xml version="1.0"?>\n<svg width="1">', "all.html": "<!DOCTYPE html>",
         ".DS_Store": "junk", "._a": "junk", ".git/x": "junk", "c.gz": b"\x1f\x8b\x08",
         "cut.gz": gzip.compress(b"what\nis this\n" * 9)[:-3],
         "README": f"So it prints:\n```\n{ONE}```\n", "a.md": ONE, "a.sh": ONE}
    )  # fmt: skip
    (old / "link").symlink_to(old / "a")
    (old / "up").symlink_to(old.parent)
    os.mkfifo(old / "pipe")
    report = import_dir(old, project)

    assert {
        "sb.ps.x": "not a known format", "e": "empty", "b": "binary",
        "p.svg": "SVG picture", "all.html": "HTML page", "link": "a link", "up": "a link",
        "cut.gz": "not a known format; damaged gz (it ends early): not read from here on",
        "README": "Markdown page", "a.md": "Markdown page", "a.sh": "program",
        ".DS_Store": "hidden or an editor's copy", "._a": "hidden or an editor's copy",
        ".git": "hidden or an editor's copy", "c.gz": "damaged gz",
        "pipe": "not a regular file",
    } == {one.path: one.reason for one in report.manifest.skipped}  # fmt: skip
    assert ["a"] == [source.path for source in report.manifest.sources]


def test_damage_is_told_and_the_rest_is_read(project, folder):
    """A row short of columns, a damaged gz, zeros and other encodings."""
    good = b"figures\n" + b"".join(b"s%d qps %d my8036\n" % (n, n) for n in range(5000))
    old = folder(
        {"a": "figures\nscan qps\nscan qps 1 my8036\n", "b.gz": gzip.compress(good)[:-99],
         "c": b"figures\nx qps 3\0\0\ny qps 4 my8036\n",
         "d": b"figures\nz qps 5 my8036\n\xe4\xf6\n"}
    )  # fmt: skip
    report = import_dir(old, project)
    problems = told(report)

    assert ("a", 2, "not a figure: 'scan qps'") == problems[0]
    assert "damaged gz (it ends early): not read from here on" == problems[1][2]
    assert ("c", 2, "NUL bytes: line not read") in problems
    assert ("d", 3, "bytes that are not UTF-8") in problems
    assert {("scan", 1.0), ("y", 4.0), ("z", 5.0), ("s100", 100.0)} <= set(
        values(project, "step, value")
    )


def test_a_parser_that_fails_stops_nothing(project, folder):
    """Its file is told, the others are read."""
    report = import_dir(folder({"a": ONE, "b": "broken\n"}), project)

    assert [
        ("b", "the parser of broken failed (ZeroDivisionError: oops): "
         "not read from there on"),
    ] == [(one.path, one.reason) for one in report.manifest.skipped]  # fmt: skip
    assert 2 == len(values(project, "value"))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("figures\ns qps nan my8036\n", "qps: not a number"),
        ("figures\ns qps -5 my8036\n", "qps: -5 is below 0: not read"),
        ("figures\ns qps 1 my8036\n", ""),
    ],
)
def test_a_figure_that_is_none_is_told(project, folder, text: str, problem: str):
    """Not a number, or a rate below 0, is a problem and no row."""
    report = import_dir(folder({"a": text, "b": ONE}), project)

    assert ([("a", 2, problem)] if problem else []) == told(report)


def test_unreadable_files_are_told(project, folder, monkeypatch):
    """A file that the system does not let us read is skipped with its reason."""
    old = folder({"a": ONE, "b": ONE})
    opened = Path.open

    def refuse(self, *args, **kwargs):
        if self.name == "b":
            raise PermissionError(13, "Permission denied")
        return opened(self, *args, **kwargs)

    monkeypatch.setattr(Path, "open", refuse)
    report = import_dir(old, project)

    assert [("b", "cannot be read: Permission denied")] == [
        (one.path, one.reason) for one in report.manifest.skipped
    ]


def test_a_source_that_cannot_be_read_any_more_keeps_its_rows(
    project, folder, monkeypatch
):
    """A folder that is away for a while costs nothing."""
    old = folder({"a": ONE, "b": "table\nx qps 1 my5651\n"})
    import_dir(old, project)
    opened = Path.open

    def refuse(self, *args, **kwargs):
        if self.name == "b" and self.parent == old:
            raise OSError(5, "Input/output error")
        return opened(self, *args, **kwargs)

    monkeypatch.setattr(Path, "open", refuse)
    report = import_dir(old, project)

    assert ["b"] == [one.path for one in report.manifest.skipped]
    assert 3 == len(values(project, "value"))


def test_names_that_are_not_utf8(project, folder):
    """A file's name is text in the store whatever its bytes are."""
    old = folder({"a": ONE})
    (old / "a").rename(os.fsdecode(os.fsencode(old) + b"/a\xff"))
    import_dir(old, project)

    assert [("a\ufffd:2",), ("a\ufffd:3",)] == values(project, "source")


def test_a_folder_with_nothing_to_import(project, folder):
    """It leaves no set; the report says why each file was skipped."""
    report = import_dir(folder({"a": "?"}), project)

    assert report.empty
    assert {".import.lock"} == set(contents(project))
    assert "old: nothing that could be imported" in import_text(report)


def test_one_file_is_a_folder_of_one(project, folder):
    """The set is called like the file without its ending, the source like the file."""
    file = folder({"feb.24.txt.gz": gzip.compress(ONE.encode()), "other": ONE}) / (
        "feb.24.txt.gz"
    )
    report = import_dir(file, project)

    assert ("feb.24", ["feb.24.txt.gz"]) == (
        report.manifest.set, [source.path for source in report.manifest.sources],
    )  # fmt: skip
    assert [("feb.24.txt.gz:2",), ("feb.24.txt.gz:3",)] == values(project, "source")
    assert ["feb.24.txt.gz"] == [one.path for one in preview_dir(file)]


def test_a_table_that_nearly_tells_has_a_hint(project, folder):
    """Its columns, and what to say of them; the example can be copied."""
    table = "version;test;Zeit (ms)\n1.0;load;2,5\n2.0;load;2,9\n"
    report = import_dir(folder({"t.csv": table}), project)

    assert [
        "a table with the columns version, test, Zeit (ms): say which hold what, e.g. "
        "--columns step=test,version=version,decimal=comma"
    ] == [one.reason for one in report.manifest.skipped]
    said = "step=test,version=version,decimal=comma"
    import_dir(folder({}), project, columns=said)
    assert [(2.5, "ms"), (2.9, "ms")] == values(project, "value, unit")


def test_a_format_can_be_forced(project, folder):
    """--format reads files that are not recognised."""
    old = folder({"a": "?\nscan qps 10 my8036\n"})
    import_dir(old, project, format="figures")

    assert [(10.0,)] == values(project, "value")


@pytest.mark.parametrize(
    ("name", "options", "complaint"),
    [
        ("none", {}, "none: no such file or folder to import"),
        ("old", {"format": "x"}, "no format 'x'; available: broken, figures"),
        ("old", {"set_name": "a b"}, "'a b' cannot be the name of a set"),
        ("a b", {}, "'a b' cannot be the name of a set: use letters, digits, dots, "
         "dashes and underscores, with --as"),
        ("old", {"set_name": "study"}, "'study' is a study of this checkout"),
    ],
)  # fmt: skip
def test_what_cannot_be_asked_for(project, folder, name, options, complaint):
    """A missing folder, an unknown format, a name that is no set's or a study's."""
    folder({"a": ONE})
    folder({"a": ONE}, "a b")
    (project.raw / "study").mkdir(parents=True)
    with pytest.raises(UserError) as error:
        import_dir(folder({}, "old").parent / name, project, **options)

    assert complaint in str(error.value)


# --- the report ------------------------------------------------------------------------


def test_the_report(project, folder):
    """Counts by format, what was skipped by kind, problems, and where all of it is."""
    old = folder(
        {"a": ONE, "b": "seconds i\n1\n2\n", "c": "figures\n!\n",
         **{f"x/sb.ps.{n}": "?" for n in range(3)}}
    )  # fmt: skip
    text = import_text(import_dir(old, project))

    assert (
        f"""old: 3 new files, 0 read again, 0 as before

format   files  rows  samples  problems
figures  2      2     0        1
seconds  1      0     2        0

not imported:
files  why                        for example
3      not a known format: sb.ps  x/sb.ps.0

1 problem:
c:2: not a figure: '!'

every file, skipped file and problem: {project.imported / "old.manifest.json"}"""
        == text
    )


def test_the_manifest(project, folder):
    """Path, sha256, size, format and importer version of every source, in JSON."""
    import_dir(folder({"a": ONE}), project)
    manifest = json.loads((project.imported / "old.manifest.json").read_text())

    assert 1 == manifest["schema"]
    assert ("a", len(ONE), "figures", f"{IMPORTER}.1", 2) == tuple(
        manifest["sources"][0][key]
        for key in ("path", "bytes", "format", "importer", "rows")
    )
    assert 64 == len(manifest["sources"][0]["sha256"])


def test_the_parquet_file_fits_the_view(project, folder):
    """Exactly the columns of the view metric, without origin."""
    import_dir(folder({"a": ONE}), project)
    file = str(project.imported / "old.parquet")
    with duckdb.connect() as connection:
        found = connection.execute("DESCRIBE FROM read_parquet($f)", {"f": file})
        columns = [row[0] for row in found.fetchall()]
    view = query("DESCRIBE metric", project)["column_name"]

    assert [name for name in view if name != "origin"] == columns
