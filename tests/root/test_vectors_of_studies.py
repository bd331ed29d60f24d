"""The vectors of a study: named sets, files of the user's own, what is refused."""

from __future__ import annotations

import hashlib
import platform
import re

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from places import ROOT
from vector_files import random_rows, write_fvecs

from benchbook.project import Project
from benchbook.study.check import check_steps
from benchbook.study.study import load_study
from benchbook.vectors import find_vectors, make_vectors, vectors_line
from benchmath.errors import UserError

pytestmark = pytest.mark.unit

STUDY = """\
title: Which finds more?
template: vectors
driver: sql
workload: vectors
vectors: {vectors}
base: {{engine: mariadb}}
engines:
  - {{engine: {engine}, version: "17", source: trixie}}
  - {{engine: mariadb, version: "11.8", source: trixie}}
steps: [load, index, "ef40:seconds=1"]
"""


@pytest.fixture
def post(tmp_path):
    """A folder of a post in a project that has the drivers' files."""
    (tmp_path / "_quarto.yml").write_text("project: {}\n")
    (tmp_path / "bench").symlink_to(ROOT / "bench")
    (tmp_path / "notebooks").symlink_to(ROOT / "notebooks")
    folder = tmp_path / "posts" / "mine"
    folder.mkdir(parents=True)
    return folder


def study_in(post, vectors="source-text", engine="postgres"):
    (post / "study.yml").write_text(STUDY.format(vectors=vectors, engine=engine))
    return load_study(post)


@pytest.mark.parametrize(
    ("distance", "why"),
    [
        ("ip", "mariadb has no distance ip; it has l2, cosine"),
        ("hamming", "distance 'hamming': workload vectors searches by l2, cosine, ip"),
    ],
)
def test_a_distance_that_is_not_there_is_refused_before_anything_runs(
    post, distance, why
):
    """One that the workload has no words for, and one that an engine lacks."""
    lines = f"options: {{distance: {distance}}}\n"
    (post / "study.yml").write_text(
        STUDY.format(vectors="source-text", engine="postgres") + lines
    )

    with pytest.raises(UserError, match=why):
        load_study(post)


def test_a_group_of_two_words_stands_for_its_steps(post):
    """As the workload pgvector calls the settings of each of its indexes."""
    text = STUDY.format(vectors="source-text", engine="postgres")
    text = (
        text.replace("workload: vectors", "workload: pgvector")
        .replace('"ef40:seconds=1"', '"group:search bits:seconds=1"')
        .replace("base: {engine: mariadb}", "base: {engine: postgres}")
    )
    (post / "study.yml").write_text(re.sub(r"  - {engine: mariadb.*\n", "", text))

    names = [step.step for step in load_study(post).cells[0].steps]
    assert ["bits100", "bits400", "bits1000"] == names[-3:]


def test_a_named_set_is_known_before_it_is_made(post):
    """Its folder is named by what makes it; the line for other hosts makes it there."""
    vectors = study_in(post).vectors

    assert "source-text" == vectors.name
    line = f"bench/vectors.sh source-text data/vectors/{vectors.folder}"
    assert line == vectors_line(vectors)


def rows_of(file):
    words = np.fromfile(file, dtype="<i4")
    return words.reshape(-1, words[0] + 1)[:, 1:].view("<f4")


WRITERS = {
    ".fvecs": write_fvecs,
    ".npy": lambda file, rows: np.save(file, rows),
    ".parquet": lambda file, rows: pq.write_table(
        pa.table({"id": range(len(rows)), "v": list(rows)}), file
    ),
}


@pytest.mark.parametrize("end", WRITERS)
def test_files_of_the_users_own_become_a_set(post, end):
    """fvecs, npy and Parquet: the same numbers arrive."""
    own = post / "own"
    own.mkdir()
    base, queries = random_rows(20, 4, 1), random_rows(3, 4, 2)
    WRITERS[end](own / f"base{end}", base)
    WRITERS[end](own / f"queries{end}", queries)
    vectors, project = study_in(post, "own").vectors, Project.find(post)
    make_vectors(vectors, project, lambda text: None)
    made = project.data / "vectors" / vectors.folder

    assert vectors.is_made(project)
    np.testing.assert_array_equal(base, rows_of(made / "base.fvecs"))
    np.testing.assert_array_equal(queries, rows_of(made / "queries.fvecs"))
    assert ["base.fvecs", "queries.fvecs"] == sorted(f.name for f in made.iterdir())


def test_other_numbers_are_another_set(post):
    """The content decides the cell's identity."""
    own = post / "own"
    own.mkdir()
    for name in ("base", "queries"):
        write_fvecs(own / f"{name}.fvecs", random_rows(5, 4, 1))
    first = find_vectors("own", post / "study.yml")
    write_fvecs(own / "base.fvecs", random_rows(5, 4, 9))

    assert first.folder != find_vectors("own", post / "study.yml").folder


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (np.array([[1.0, np.nan]]), "row 1 holds what is no finite 32-bit number"),
        (np.array([1.0, 2.0]), "not rows of numbers that are equally long"),
        (np.array([["a", "b"]]), "not rows of numbers that are equally long"),
    ],
    ids=["nan", "flat", "text"],
)
def test_numbers_that_no_index_holds_are_refused(post, rows, said):
    """One sentence with the file; nothing is left behind."""
    own = post / "own"
    own.mkdir()
    np.save(own / "base.npy", rows)
    np.save(own / "queries.npy", np.ones((1, 2)))
    vectors, project = find_vectors("own", post / "study.yml"), Project.find(post)

    with pytest.raises(UserError, match=said):
        make_vectors(vectors, project, lambda text: None)
    assert [] == list((project.data / "vectors").iterdir())


def test_a_folder_without_its_files_is_named(post):
    """What is available, and which files it takes."""
    with pytest.raises(UserError, match="no vectors 'nowhere'; available: source-text"):
        find_vectors("nowhere", post / "study.yml")
    (post / "own").mkdir()
    with pytest.raises(UserError, match="no file called base: one of base"):
        find_vectors("own", post / "study.yml")


def test_vectors_and_workload_go_together(post):
    """A workload that searches names some; no other does."""
    text = STUDY.format(vectors="source-text", engine="postgres")
    (post / "study.yml").write_text(text.replace("vectors: source-text\n", ""))
    with pytest.raises(UserError, match="searches vectors: name them"):
        load_study(post)
    steps = text.replace("workload: vectors", "workload: tpcb").replace(
        "ef40", "select-only"
    )
    (post / "study.yml").write_text(steps)
    with pytest.raises(UserError, match="'vectors' has no meaning here"):
        load_study(post)


def test_an_engine_without_vectors_is_refused_by_the_plan(post):
    """MySQL 9.7 has the type and no index."""
    study = study_in(post, engine="mysql")
    with pytest.raises(UserError, match="workload vectors says nothing to mysql"):
        check_steps(study.cells[0], study.driver, study.path, study.workload)


@pytest.mark.engine
def test_the_named_set_is_made_of_sqlites_source(post):
    """240,000 vectors of 100 numbers of length 1 and 1,000 queries, always the same."""
    vectors, project = study_in(post).vectors, Project.find(post)
    try:
        make_vectors(vectors, project, lambda text: None)
    except UserError as error:  # what gets the source is not here, or the network
        pytest.skip(str(error))
    folder = project.data / "vectors" / vectors.folder
    files = [folder / f"{part}.fvecs" for part in ("base", "queries")]
    base, queries = map(rows_of, files)

    assert ((240000, 100), (1000, 100)) == (base.shape, queries.shape)
    np.testing.assert_allclose(1, np.linalg.norm(base, axis=1), atol=1e-5)
    if platform.machine() == "x86_64":  # others join a product and a sum into one step
        whole = hashlib.sha256(b"".join(file.read_bytes() for file in files))
        assert whole.hexdigest().startswith("db493ebc5561f9a25a1f72338a19d030")
