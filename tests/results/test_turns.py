"""Turns of a study: from its runs, and from the evidence of a published post."""

import shutil
from pathlib import Path

import pytest
from make_turns import took_turns
from places import FIXTURES

from benchbook.posts.execute import frames_of
from benchbook.results import evidence
from benchbook.results.collect import collect
from benchbook.results.results import Results
from benchbook.study.study import load_study

STUDY = "posts/inserts/study.yml"


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The study `inserts`, whose two first trials took turns with each other."""
    copy = tmp_path_factory.mktemp("turns") / "copy"
    shutil.copytree(FIXTURES / "posts/inserts", copy / "posts/inserts")
    shutil.copytree(FIXTURES / "data/raw/inserts", copy / "data/raw/inserts")
    first = sorted((copy / "data/raw/inserts").glob("*/*/dop1.t1-*"))
    for arm, folder in enumerate(first, 1):
        took_turns(folder, arm)
    return copy


@pytest.fixture(scope="module")
def results(root: Path) -> Results:
    return collect(root / STUDY, measure=False)


def test_turns_are_those_of_the_chosen_runs(results: Results):
    """Two of four runs took turns; each names its session and its arm."""
    arms = results.turns[["run_id", "session", "arm"]].drop_duplicates()

    assert [("x", 1), ("x", 2)] == sorted(zip(arms["session"], arms["arm"], strict=True))
    assert set(arms["run_id"]) == set(
        results.runs.loc[results.runs["trial"] == 1, "run_id"]
    )


def test_a_session_is_no_dimension(results: Results):
    """Runs that took turns and runs that did not may be of one cell."""
    assert not {"session", "turn_ms"} & set(results.dimensions)


def test_main_turns_are_those_of_the_main_op(results: Results):
    """Background writers are left out."""
    both = results.turns[results.turns["step"].str.startswith("q")]
    main = results.main_turns[results.main_turns["step"].str.startswith("q")]

    assert ({"delete", "insert", "query"}, {"query"}) == (
        set(both["op"]),
        set(main["op"]),
    )


def test_evidence_holds_the_turns(root: Path, results: Results):
    """A published post has them when its runs are gone."""
    frozen = root / "posts/inserts/evidence"
    evidence.write(frozen, frames_of(load_study(root / STUDY)))
    again = collect(root / STUDY)
    shutil.rmtree(frozen)

    assert results.turns.equals(again.turns)
