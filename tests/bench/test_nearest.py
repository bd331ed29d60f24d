"""The program nearest against an exact search of its own with numpy."""

from __future__ import annotations

import subprocess
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).parents[2]
FLAGS = "-O1 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined"


@pytest.fixture(scope="module")
def nearest(tmp_path_factory) -> Path:
    """The program, built with sanitizers."""
    out = tmp_path_factory.mktemp("nearest")
    make = ("make", "-s", "-C", ROOT / "bench", f"OUT={out}", f"OPT={FLAGS}", "nearest")
    subprocess.run(make, check=True)
    return out / "nearest"


def write(path: Path, rows: np.ndarray) -> Path:
    """Rows as an fvecs file."""
    floats = rows.astype("<f4")
    dims = np.full((len(rows), 1), rows.shape[1], dtype="<i4")
    path.write_bytes(np.hstack([dims, floats.view("<i4")]).tobytes())
    return path


def ask(nearest, base, queries, distance, k, out) -> subprocess.CompletedProcess[str]:
    """One call with 3 threads, which do not divide the queries evenly."""
    words = [nearest, base, queries, distance, str(k), "3", out]
    return subprocess.run(words, capture_output=True, text=True, check=False)


def distances(distance: str, queries: np.ndarray, base: np.ndarray) -> np.ndarray:
    """All distances, in double precision."""
    inner = queries @ base.T
    if distance == "ip":
        return -inner
    if distance == "cosine":
        norms = np.linalg.norm(queries, axis=1)[:, None] * np.linalg.norm(base, axis=1)
        return 1 - inner / norms
    return ((queries**2).sum(1)[:, None] + (base**2).sum(1)) - 2 * inner


@pytest.mark.engine
@pytest.mark.parametrize("distance", ["l2", "cosine", "ip"])
def test_neighbours_are_those_of_numpy(nearest, tmp_path, distance):
    """1,000 queries: each answer is as near as numpy's, at the id it names."""
    rng = np.random.default_rng(7)
    base = rng.normal(size=(1500, 12)).astype("<f4")
    queries = rng.normal(size=(1000, 12)).astype("<f4")
    files = (write(tmp_path / "base", base), write(tmp_path / "queries", queries))

    done = ask(nearest, *files, distance, 10, tmp_path / "out")

    assert (0, "") == (done.returncode, done.stderr)
    ids = np.fromfile(tmp_path / "out.ivecs", "<i4").reshape(1000, 11)[:, 1:]
    found = np.fromfile(tmp_path / "out.fvecs", "<f4").reshape(1000, 11)[:, 1:]
    all_of_them = distances(distance, queries.astype(float), base.astype(float))
    np.testing.assert_allclose(found, np.sort(all_of_them, axis=1)[:, :10], atol=1e-5)
    np.testing.assert_allclose(found, np.take_along_axis(all_of_them, ids, 1), atol=1e-5)
    assert all(len(set(row)) == 10 for row in ids)


@pytest.mark.engine
def test_of_equal_distances_the_lower_id_comes_first(nearest, tmp_path):
    """Rows 0 and 2 are equally far from the query, row 1 is farther."""
    base = write(tmp_path / "base", np.array([[1.0], [5.0], [-1.0]]))
    queries = write(tmp_path / "queries", np.array([[0.0]]))

    ask(nearest, base, queries, "l2", 3, tmp_path / "out")

    assert [3, 0, 2, 1] == np.fromfile(tmp_path / "out.ivecs", "<i4").tolist()


@pytest.mark.engine
def test_a_dimension_that_does_not_fit_is_one_sentence(nearest, tmp_path):
    """Nothing is written, and the message names the file."""
    base = write(tmp_path / "base", np.ones((3, 2)))
    queries = write(tmp_path / "queries", np.ones((1, 4)))

    done = ask(nearest, base, queries, "l2", 1, tmp_path / "out")

    said = "its dimension is not that of the vectors searched"
    assert (1, f"nearest: {queries}: {said}\n") == (done.returncode, done.stderr)
    assert not list(tmp_path.glob("out*"))


@pytest.mark.engine
def test_a_file_that_is_cut_off_is_refused(nearest, tmp_path):
    """The last row lacks a byte."""
    base = write(tmp_path / "base", np.ones((3, 2)))
    base.write_bytes(base.read_bytes()[:-1])

    done = ask(nearest, base, base, "l2", 1, tmp_path / "out")

    assert (1, f"nearest: {base}: its last row is cut off\n") == (
        done.returncode,
        done.stderr,
    )
