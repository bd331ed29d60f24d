"""What the documents say to type exists."""

from __future__ import annotations

import ctypes
import re
import shutil

import pytest
from click.testing import CliRunner
from places import ROOT

from benchbook.cli.main import main
from benchbook.engines.builds import system_library
from benchbook.results.collect import collect
from benchbook.study.derived import companions
from benchbook.study.file import read_study_file
from benchbook.study.study import load_study
from benchbook.views.engines import comparable, cost_summary

DOCUMENTS = ("README.md", "GUIDE.md", "CONTRIBUTING.md", "data/README.md")


def code(document):
    """Indented and fenced lines and `inline code` of a document."""
    path = ROOT / document
    text = path.read_text() if path.exists() else ""
    blocks = re.findall(r"^```.*?^```|^    .*$", text, re.M | re.S)
    return "\n".join([*blocks, *re.findall(r"`([^`\n]+)`", text)])


def named(pattern):
    """(document, name) for each name the documents use."""
    found = {(d, name) for d in DOCUMENTS for name in re.findall(pattern, code(d), re.M)}
    return sorted(found)


def test_documents_exist():
    """README, CONTRIBUTING and the description of the data are there."""
    assert [] == [name for name in DOCUMENTS if not (ROOT / name).exists()]


@pytest.mark.parametrize(
    ("document", "verb"), named(r"(?<!import )\bbenchbook ([a-z]+)\b")
)
def test_command_exists(document, verb):
    """Each `benchbook VERB` of a document explains itself."""
    result = CliRunner().invoke(main, [verb, "--help"])

    assert 0 == result.exit_code


@pytest.mark.parametrize(
    ("document", "target"), named(r"(?:^|`)\s*make ([a-z][a-z-]*)\b")
)
def test_make_target_exists(document, target):
    """Each `make TARGET` of a document is in the Makefile."""
    assert re.search(rf"^{target}:", (ROOT / "Makefile").read_text(), re.M)


def test_every_verb_is_documented():
    """README or CONTRIBUTING show each verb of the command."""
    shown = {verb for _, verb in named(r"\bbenchbook ([a-z]+)\b")}

    assert set() == set(main.commands) - shown


@pytest.mark.parametrize(
    ("document", "path"),
    named(r"(?:^|[\s`(])((?:bench|src|tests|data)/[a-z_/]+\.[a-z]+)\b"),
)
def test_file_exists(document, path):
    """Each source file that a document names is there, placeholders aside."""
    assert path == "data/benchbook.duckdb" or (ROOT / path).exists()


def block(document, language):
    """The first block of a language that a document shows."""
    text = (ROOT / document).read_text()
    return re.search(rf"```{language}\n(.*?)```", text, re.S)[1]


def study_in_guide():
    return block("GUIDE.md", "yaml")


@pytest.mark.slow
def test_lines_for_a_notebook_work(tmp_path, monkeypatch):
    """Those of README, on files in a folder and on the published posts."""
    (tmp_path / "old").mkdir()
    (tmp_path / "old" / "run1.txt").write_text("BenchmarkGet-8 100 101 ns/op\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("BENCHBOOK_ROOT", str(ROOT))

    for line in block("README.md", "python").splitlines():
        exec(line, globals())


def test_readme_is_short():
    """What a newcomer reads; the rest is in the pages that it links."""
    assert len((ROOT / "README.md").read_text().splitlines()) <= 150


def test_study_in_guide_is_valid(tmp_path):
    """The study that the guide shows passes the schema."""
    file = tmp_path / "study.yml"
    file.write_text(study_in_guide())

    assert "inserts" == read_study_file(file)["template"]


def test_study_in_guide_has_the_parts_that_its_commands_name(tmp_path):
    """`run --count-instructions` and `--profiles` below it find such runs to make."""
    file = tmp_path / "sqlite-346" / "study.yml"
    file.parent.mkdir()
    file.write_text(study_in_guide())
    parts = {one.slug for one in companions(load_study(file))}

    assert "benchbook run sqlite-346 --count-instructions" in code("GUIDE.md")
    assert {"sqlite-346.profile", "sqlite-346.instructions"} == parts


@pytest.mark.slow
@pytest.mark.engine
def test_instructions_of_the_study_in_guide_are_counted(checkout):
    """Its own command makes the runs, on two trees that hold the system's library."""
    library = system_library("libsqlite3.so.0")
    if not (library and shutil.which("valgrind")):
        pytest.skip("needs libsqlite3 and valgrind")
    tell = ctypes.CDLL(str(library)).sqlite3_libversion
    tell.restype = ctypes.c_char_p
    text = study_in_guide().replace('"3.46.1",', '"3.40.1", build: second,')
    text = text.replace('3.40.1"', f'{tell().decode()}"').replace("20000", "500")
    for tree in ("sqlite-3.40.1", "sqlite-3.46.1"):
        (checkout.root / tree / "lib").mkdir(parents=True)
        shutil.copy(library, checkout.root / tree / "lib" / "libsqlite3.so.0")
    checkout.study("sqlite-346", text.replace("~/", f"{checkout.root}/"))
    words = ("run", "sqlite-346", "--count-instructions", "--only", "dop=1")

    assert "2 runs made, 0 failed, 0 left" in checkout.ok(*words)


def test_readme_begins_with_the_essentials():
    """A table of a real run and both commands stand in the first 30 lines."""
    head = "\n".join((ROOT / "README.md").read_text().splitlines()[:30])

    assert all(word in head for word in ("table:begin", "make report", "make test"))


def test_contributing_is_short():
    """CONTRIBUTING stays under 80 lines."""
    assert len((ROOT / "CONTRIBUTING.md").read_text().splitlines()) < 80


def test_the_table_of_postgres_is_that_of_its_post():
    """Rates of the base, ratios and intervals of the other versions, to the digit.

    Of the placement that answers: client and server on CPUs of their own.
    """
    results = comparable(collect(ROOT / "posts" / "postgres-old-to-new"))
    judged = results.judged()
    values = cost_summary(results, "throughput").set_index(["version", "step"])["value"]
    steps = list(dict.fromkeys(judged["step"]))

    expected = ["13.23 | " + " | ".join(f"{values['13.23', s]:,.0f}" for s in steps)]
    for me, rows in judged.groupby("me", sort=False):
        cells = rows.set_index("step").loc[steps].to_dict("records")
        expected.append(f"{me} | " + " | ".join(map(cell_of, cells)))
    there = (ROOT / "GUIDE.md").read_text()
    assert [] == [row for row in expected if f"| {row} |" not in there]


def cell_of(row):
    """`~1.01 [0.86, 1.17]`, the tilde where nothing is detected."""
    tilde = "" if row["detected"] else "~"
    return f"{tilde}{row['relative']:.2f} [{row['low']:.2f}, {row['high']:.2f}]"


def rows(table):
    lines = (ROOT / "bench" / table).read_text().splitlines()
    lines = [line.split("\t") for line in lines if not line.startswith("#")]
    return [dict(zip(lines[0], line, strict=False)) for line in lines[1:]]


def test_prerequisites_name_what_engines_are_got_with():
    """Each client of the two catalogues, and which SQLite comes without cargo."""
    text = (ROOT / "README.md").read_text()
    install = text.partition("## Install")[2].partition("\n## ")[0]
    clients = {"crate": "cargo", "debsrc": "apt-get", "deb": "apt-get", "pypi": "pip",
               "wheel": "pip", "maven": "mvn", "npm": "npm"}  # fmt: skip
    kinds = {row["kind"] for row in (*rows("sources.tsv"), *rows("engines.tsv"))}

    assert [] == [k for k in kinds & clients.keys() if clients[k] not in install]
    assert kinds <= {*clients, "built", "linked"}
    for row in rows("sources.tsv"):
        if row["name"] == "sqlite":
            assert (row["version"] in install) == (row["kind"] == "debsrc"), row
