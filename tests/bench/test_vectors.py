"""Workloads that search vectors: recall as numpy has it; what is refused, in words."""

from __future__ import annotations

import json
import re
import subprocess

import numpy as np
import pytest
from ingest_answers import kind
from places import BENCH
from servers import held_server, install_tree
from vector_files import nearest_ids, random_rows, write_fvecs, write_set

pytest_plugins = ("sql_fixtures", "server_fixtures")
pytestmark = pytest.mark.engine

VECTORS = BENCH / "workloads" / "vectors" / "workload"
ROWS, DIM, QUERIES, K = 300, 8, 40, 10
INNODB = "innodb_buffer_pool_size = 64M\n"
# Not the nearest but the first rows: what that finds, numpy knows.
FIRST = """\
workload first
vectors l2
let low 1
let every 1
table items
  rows vectors
  create CREATE TABLE {items} (id INTEGER PRIMARY KEY, v BLOB)
  column id int sequence 1
  column v vector base id
statement first
  sql SELECT id FROM {items} WHERE length(:q) = 4 * {dim} ORDER BY id LIMIT 10
  bind q vector query
  nearest 10, low, vectors, every
statement same
  sql SELECT id FROM {items} WHERE v = :w
  bind id int uniform 1, vectors
  bind w vector base id
  rows 1
  value id
step search
  do first
step same
  do same
"""


@pytest.fixture
def data():
    return random_rows(ROWS, DIM, 1), random_rows(QUERIES, DIM, 2)


@pytest.fixture
def folder(tmp_path, data):
    return write_set(tmp_path / "vectors", *data)


def recalls(found):
    return {r["step"]: (r["asked"], r["found"]) for r in kind(found, "recall")}


@pytest.mark.parametrize("options", [[], ["--no-prepare"]], ids=["prepared", "text"])
def test_recall_is_what_numpy_finds(records_of_sql, folder, data, options):
    """The first ten rows as answer to each of 40 queries, which two clients ask."""
    steps = ["load", "search:events=200", "same:events=20"]
    found = records_of_sql(
        "sqlite", FIRST, steps, "--vectors", folder, "--dop", "2", *options
    )
    true = nearest_ids(*data, K)
    mine = sum(len(ids & set(range(1, K + 1))) for ids in true)

    # The clients ask every second query each; 100 events go 5 times round.
    assert {"search": (K * QUERIES, mine)} == recalls(found)


def test_only_rows_of_the_window_that_pass_count(records_of_sql, folder, data):
    """Among the even rows from 101 on the first ten rows are none."""
    sets = ["--set", "low=101", "--set", "every=2"]
    found = records_of_sql(
        "sqlite", FIRST, ["load", "search:events=40"], "--vectors", folder, *sets
    )

    assert {"search": (K * QUERIES, 0)} == recalls(found)


def test_ties_count_by_distance_and_a_row_once(records_of_sql, tmp_path):
    """All rows are the same vector: any ten are the nearest."""
    base, queries = np.ones((50, 4)), np.zeros((5, 4))
    folder = write_set(tmp_path / "vectors", base, queries)
    found = records_of_sql(
        "sqlite", FIRST, ["load", "search:events=5"], "--vectors", folder
    )

    assert {"search": (50, 50)} == recalls(found)


@pytest.mark.parametrize("distance", ["l2", "cosine", "ip"])
def test_nearest_by_another_distance(records_of_sql, folder, data, distance):
    """Lengths differ, so each finds others; the line has the words of the one chosen."""
    text = FIRST.replace("vectors l2", "vectors l2, cosine, ip")
    text = text.replace("length(:q)", "{distance: length | 0 + length | 1 * length}(:q)")
    words = ["--vectors", folder, "--set", f"distance={distance}"]
    found = records_of_sql("sqlite", text, ["load", "search:events=40"], *words)
    true = nearest_ids(*data, K, distance)
    mine = sum(len(ids & set(range(1, K + 1))) for ids in true)

    assert {"search": (K * QUERIES, mine)} == recalls(found)


def test_distance_that_a_workload_has_no_words_for(call_sql, folder):
    """Nor one that nobody knows."""
    words = ["--vectors", folder, "--set"]
    done = call_sql("sqlite", FIRST, ["load"], *words, "distance=ip")
    unknown = call_sql("sqlite", FIRST, ["load"], *words, "distance=l1")

    assert "line 2: --set distance: the workload searches by l2" in done.stderr
    assert "--set distance=l1: expected l2, cosine or ip" in unknown.stderr


def test_parts_of_a_line_are_as_many_as_distances(call_sql, folder):
    text = FIRST.replace("length(:q)", "length({distance: :q | :q})")
    done = call_sql("sqlite", text, ["load"], "--vectors", folder)

    assert "has a part for each of the distances" in done.stderr


def test_what_is_true_is_kept_and_belongs_to_its_vectors(records_of_sql, tmp_path, data):
    """A second run reads it; other vectors in the folder are looked at anew."""
    base, queries = data
    folder = write_set(tmp_path / "vectors", base, queries)
    words = ("sqlite", FIRST, ["load", "search:events=40"], "--vectors", folder)
    first = recalls(records_of_sql(*words))
    [kept] = folder.glob("nearest.*")
    before = kept.stat().st_mtime_ns
    again = recalls(records_of_sql(*words))

    assert first == again
    assert before == kept.stat().st_mtime_ns
    write_fvecs(folder / "base.fvecs", base[::-1])
    turned = sum(
        len(ids & set(range(1, K + 1))) for ids in nearest_ids(base[::-1], queries, K)
    )
    assert {"search": (K * QUERIES, turned)} == recalls(records_of_sql(*words))


@pytest.mark.slow
def test_duckdb_looks_at_all_rows_and_finds_all(records_of_sql, folder, monkeypatch):
    """Without its index a search is exact: recall 1, filtered too."""
    tree = install_tree("duckdb", "1.5.6", "npm")
    monkeypatch.setenv("LD_LIBRARY_PATH", str(tree / "lib"))
    text = re.sub(r"session@duckdb .*\n", "", VECTORS.read_text())
    steps = ["load", "ef40:events=80", "filter10:events=80"]
    found = records_of_sql("duckdb", text, steps, "--vectors", folder)

    assert {"ef40": (400, 400), "filter10": (400, 400)} == recalls(found)


@pytest.mark.slow
def test_after_churn_the_rows_that_are_left_count(records_of_sql, folder, monkeypatch):
    """200 rows are held; 50 old ones go for 50 new ones, and recall stays 1."""
    tree = install_tree("duckdb", "1.5.6", "npm")
    monkeypatch.setenv("LD_LIBRARY_PATH", str(tree / "lib"))
    text = re.sub(r"session@duckdb .*\n", "", VECTORS.read_text())
    steps = ["load", "ef40:events=40", "churn:events=50", "aged40:events=40"]
    found = records_of_sql(
        "duckdb", text, steps, "--vectors", folder, "--set", "held=200"
    )

    assert {"ef40": (400, 400), "aged40": (400, 400)} == recalls(found)


@pytest.mark.slow
@pytest.mark.parametrize("version", ["1.1.3", "1.3.2", "1.5.5"])
def test_index_of_duckdb(records_of_sql, tmp_path, monkeypatch, version):
    """Its extension vss: of 2,000 vectors more are found when it looks further, and rows
    that were replaced are found as well.
    """
    tree = install_tree("duckdb", version, "npm")
    monkeypatch.setenv("LD_LIBRARY_PATH", str(tree / "lib"))
    base, queries = random_rows(2000, 24, 3), random_rows(100, 24, 4)
    folder = write_set(tmp_path / "vectors", base, queries)
    steps = ["load", "index", "ef10:events=100", "ef400:events=100", "churn:events=50",
             "aged200:events=100"]  # fmt: skip
    found = records_of_sql(
        "duckdb", VECTORS, steps, "--vectors", folder, "--set", "held=1900"
    )

    few, many, aged = (recalls(found)[s][1] for s in ("ef10", "ef400", "aged200"))
    assert few < many
    assert min(many, aged) >= 950
    plans = {r["step"]: r["plan"] for r in kind(found, "statement")}
    assert "HNSW_INDEX_SCAN" in plans["ef10"]


@pytest.mark.parametrize("distance", ["l2", "cosine"])
def test_sqlite_looks_at_all_rows_beside_writes(
    records_of_sql, tmp_path, folder, monkeypatch, distance
):
    """sqlite-vec has no index: it finds all, with two clients and vectors that come and
    go beside; of what it found the filter takes half.
    """
    tree = install_tree("sqlite", "3.54.1", "built")
    monkeypatch.setenv("LD_LIBRARY_PATH", str(tree / "lib"))
    # sqlite-vec 0.1.9 itself forgets 32 bytes of each connection.
    monkeypatch.setenv("ASAN_OPTIONS", "detect_leaks=0")
    steps = ["load", "ef40:events=80", "filter50:events=40", "mixed40:events=400"]
    found = records_of_sql(
        "sqlite", VECTORS, steps, "--vectors", folder, "--set", f"distance={distance}",
        "--dop", "2", "--config", BENCH / "configs" / "sqlite" / "vectors_4k",
    )  # fmt: skip
    asked, right = recalls(found)["filter50"]

    assert {"load_extension": "vec0"}.items() <= found[0]["settings"].items()
    assert {(400, 400)} == {recalls(found)[s] for s in ("ef40", "mixed40")}
    assert 0.3 < right / asked < 0.7


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("load_extension = ../vec0", "is no name of an extension"),
        ("load_extension = nothing", "lies no extensions/nothing.so"),
    ],
)
def test_an_extension_that_cannot_be_is_one_sentence(
    call_sql, tmp_path, folder, line, said
):
    """Only what lies beside the library is loaded."""
    (tmp_path / "config").write_text(f"{line}\n")
    done = call_sql(
        "sqlite", VECTORS, ["load"], "--vectors", folder, "--config", tmp_path / "config"
    )

    assert done.returncode
    assert said in done.stderr
    assert 1 == len(done.stderr.splitlines())


def test_null_has_no_recall(records_of_sql, folder):
    """It keeps nothing: its rate is the client's own."""
    found = records_of_sql(
        "null", VECTORS, ["load", "index", "ef40:events=50"], "--vectors", folder
    )

    assert {} == recalls(found)


@pytest.mark.parametrize(
    ("name", "version", "source", "setting"),
    [
        ("postgres", "17", "trixie", "fsync = off\n"),
        ("postgres", "16.2", "wheel", "fsync = off\n"),
        ("postgres", "16.10", "wheel", "fsync = off\n"),
        ("postgres", "16.14", "wheel", "fsync = off\n"),
        ("mariadb", "11.8", "trixie", INNODB),
    ],
    ids=["pgvector", "pgvector-0.6", "pgvector-0.8.1", "pgvector-0.8.5", "mariadb"],
)
@pytest.mark.slow
def test_an_index_on_a_server(sql, helpers, tmp_path, name, version, source, setting):
    """Of 2,000 vectors nearly all are found when it looks far, fewer when it does not."""
    tree = install_tree(name, version, source)
    base, queries = random_rows(2000, 24, 3), random_rows(100, 24, 4)
    folder = write_set(tmp_path / "vectors", base, queries)
    steps = [
        "load",
        "index",
        "ef10:events=100",
        "ef400:events=100",
        "filter10:events=100",
    ]
    steps += ["mixed200:events=400", "churn:events=100", "vacuum", "aged200:events=100"]
    steps += ["rebuild:events=1"]
    words = [word for step in steps for word in ("--step", step)]
    home = tmp_path / "server"
    home.mkdir()
    with held_server(name, tree, home, setting, helpers) as (target, _):
        done = subprocess.run(
            [sql, "--engine", name, "--target", target, "--workload", VECTORS,
             "--vectors", folder, "--set", "held=1800", *words],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
    assert ("", 0) == (done.stderr, done.returncode)
    found = [json.loads(line) for line in done.stdout.splitlines()]
    shares = {step: f / asked for step, (asked, f) in recalls(found).items()}
    plans = {s["step"]: s["plan"] for s in kind(found, "statement") if "plan" in s}

    took = {s["step"]: s["end_ns"] - s["start_ns"] for s in kind(found, "step")}

    assert took["rebuild"] > took["index"] / 4  # not nothing
    assert 1 >= shares["ef400"] > 0.95
    assert shares["ef400"] > shares["ef10"] > 0.3
    assert min(shares["aged200"], shares["mixed200"]) > 0.9
    assert "items_v" in plans["ef10"]


@pytest.mark.parametrize(
    ("name", "version", "source", "setting", "distances"),
    [
        ("postgres", "17", "trixie", "fsync = off\n", ("l2", "cosine", "ip")),
        ("postgres", "16.2", "wheel", "fsync = off\n", ("l2", "cosine", "ip")),
        ("mariadb", "11.8", "trixie", INNODB, ("l2", "cosine")),
    ],
    ids=["pgvector", "pgvector-0.6", "mariadb"],
)
@pytest.mark.slow
def test_distances_of_a_server_are_ours(
    sql, helpers, tmp_path, name, version, source, setting, distances
):
    """Without an index a server sorts all rows by its own distance: of 1,000 queries each
    finds the 10 that ours, which are numpy's, find.
    """
    tree = install_tree(name, version, source)
    base, queries = random_rows(500, 24, 3), random_rows(1000, 24, 4)
    folder = write_set(tmp_path / "vectors", base, queries)
    home = tmp_path / "server"
    home.mkdir()
    with held_server(name, tree, home, setting, helpers) as (target, _):
        for distance in distances:
            done = subprocess.run(
                [sql, "--engine", name, "--target", target, "--workload", VECTORS,
                 "--vectors", folder, "--set", f"distance={distance}", "--step", "load",
                 "--step", "ef10:events=1000"],
                capture_output=True, text=True, check=False,
            )  # fmt: skip
            assert ("", 0) == (done.stderr, done.returncode)
            found = [json.loads(line) for line in done.stdout.splitlines()]
            assert {"ef10": (10_000, 10_000)} == recalls(found), distance


@pytest.mark.slow
def test_an_index_without_a_database(records_of_sql, tmp_path, monkeypatch):
    """hnswlib in the client's process; a row that was removed comes back no more."""
    tree = install_tree("hnswlib", "0.8.0", "built")
    monkeypatch.setenv("LD_LIBRARY_PATH", str(tree / "lib"))
    base, queries = random_rows(2000, 24, 3), random_rows(100, 24, 4)
    folder = write_set(tmp_path / "vectors", base, queries)
    steps = ["load", "index", "ef10:events=100", "ef400:events=100"]
    steps += ["churn:events=100", "aged200:events=100"]
    found = records_of_sql(
        "hnswlib", VECTORS, steps, "--vectors", folder, "--set", "held=1800"
    )
    shares = {step: f / asked for step, (asked, f) in recalls(found).items()}

    assert ("hnswlib", "0.8.0") == (found[0]["engine"], found[0]["version"])
    assert shares["ef400"] > 0.99 > shares["ef10"] > 0.3
    assert shares["aged200"] > 0.95


def without(line):
    return FIRST.replace(line, "")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (without("vectors l2\n").replace("rows vectors", "rows 10"),
         "a line `vectors l2`, `cosine` or `ip` is missing above"),
        (FIRST.replace("vectors l2", "vectors l3"),
         "vectors takes l2, cosine or ip, not l3"),
        (without("  bind q vector query\n"),
         "nearest needs a line `bind NAME vector query`"),
        (FIRST.replace("let low 1", "let dim 3"), "let needs a new name, not dim"),
        (FIRST.replace("column v vector base id", "column v int base id"),
         "base makes vectors"),
        (FIRST.replace("nearest 10,", "nearest 10.5,"), "does not belong here"),
    ],
)  # fmt: skip
def test_a_mistake_in_the_file_is_one_sentence(call_sql, folder, text, said):
    """With the file and the line, before anything runs."""
    done = call_sql("sqlite", text, ["load"], "--vectors", folder)

    assert (2, "") == (done.returncode, done.stdout)
    [sentence] = done.stderr.splitlines()
    assert said in sentence


def test_a_workload_needs_its_vectors_and_no_other_takes_any(call_sql, folder):
    """--vectors belongs to the files that search."""
    missing = call_sql("sqlite", FIRST, ["load"])
    plain = "workload plain\nstatement s\n  sql SELECT 1\nstep s\n  do s\n"
    needless = call_sql("sqlite", plain, ["s:events=1"], "--vectors", folder)

    assert "--vectors is missing" in missing.stderr
    assert "has no line `vectors`" in needless.stderr


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda f: (f / "queries.fvecs").unlink(), "queries.fvecs: it cannot be opened"),
        (lambda f: (f / "base.fvecs").write_bytes(b""), "base.fvecs: it has no rows"),
        (lambda f: write_fvecs(f / "base.fvecs", np.full((3, DIM), np.nan)),
         "a value is not a finite number"),
        (lambda f: write_fvecs(f / "queries.fvecs", np.ones((3, 5))),
         "its vectors have 8 dimensions and its queries 5"),
    ],
    ids=["missing", "empty", "nan", "dimension"],
)  # fmt: skip
def test_vectors_that_cannot_be_are_one_sentence(call_sql, folder, spoil, said):
    """The file and what is wrong with it."""
    spoil(folder)
    done = call_sql("sqlite", FIRST, ["load"], "--vectors", folder)

    assert (2, "") == (done.returncode, done.stdout)
    assert said in done.stderr


def test_more_than_the_folder_has_is_refused(call_sql, folder):
    """Rows, and neighbours."""
    rows = call_sql(
        "sqlite", FIRST, ["load"], "--vectors", folder, "--set", "vectors=301"
    )
    few = call_sql(
        "sqlite", FIRST, ["load", "search:events=1"], "--vectors", folder,
        "--set", "every=50",
    )  # fmt: skip

    assert "--set vectors=301" in rows.stderr
    assert "the 10 nearest are asked for, and only 6 of the rows can be" in few.stderr
