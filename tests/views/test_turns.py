"""Turns of a study: from its runs, and from the evidence of a published post."""

import shutil
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest
from make_turns import took_turns
from places import FIXTURES

from benchbook.posts.execute import frames_of
from benchbook.results import evidence
from benchbook.results.collect import _whole_sessions_first, collect
from benchbook.results.results import Results
from benchbook.study.study import load_study
from benchbook.views.in_turns import per_cpu_second, turns_section
from benchbook.views.turns import turn_blocks

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


@pytest.mark.slow
def test_evidence_holds_the_turns(root: Path, results: Results):
    """A published post has them when its runs are gone."""
    frozen = root / "posts/inserts/evidence"
    evidence.write(frozen, frames_of(load_study(root / STUDY)))
    again = collect(root / STUDY)
    shutil.rmtree(frozen)

    assert results.turns.equals(again.turns)


def with_turns(results: Results, ops: dict[str, list[int]]) -> Results:
    """The study with these turns of a second in a step q, by the indexes of the arm."""
    runs = results.runs[results.runs["trial"] == 1]
    names = dict(zip(runs["indexes"], runs["run_id"], strict=True))
    turns = [
        {"run_id": names[indexes], "session": "x", "step": "q", "seq": 1, "op": "query",
         "round": i + 1, "ops": n, "active_ns": 10**9}
        for indexes, counts in ops.items() for i, n in enumerate(counts)
    ]  # fmt: skip
    main = [
        {"run_id": r, "step": "q", "op": "query", "main": True} for r in names.values()
    ]
    return replace(results, turns=pd.DataFrame(turns), steps=pd.DataFrame(main))


BASE, ARM = [9, *[10] * 16, 1], [5, *[10] * 8, *[20] * 8, 40]  # of 18 rounds


def test_blocks_are_ratios_of_the_rounds_between_the_first_and_the_last(results: Results):
    """Sixteen rounds in two blocks: as many as the base, then twice as many."""
    blocks = turn_blocks(with_turns(results, {"0": BASE, "3": ARM}), blocks=2)

    assert [1.0, 2.0] == list(blocks["ratio"])
    assert [1.0, 1.5] == pytest.approx(list(blocks["so_far"]))
    assert ([9, 17], [8, 8]) == (list(blocks["round"]), list(blocks["rounds"]))
    assert {("q", "indexes=3", "indexes=0")} == set(
        zip(blocks["test"], blocks["me"], blocks["base"], strict=True)
    )


def test_a_round_counts_where_both_had_a_turn(results: Results):
    """The base had 15 rounds: its last is left out, and what came after it."""
    blocks = turn_blocks(with_turns(results, {"0": BASE[:15], "3": ARM}), blocks=1)

    assert [13] == list(blocks["rounds"])


def test_a_base_that_did_nothing_has_no_ratio(results: Results):
    """Not an infinite one."""
    blocks = turn_blocks(with_turns(results, {"0": [0] * 18, "3": ARM}), blocks=1)

    assert blocks["ratio"].isna().all()


def test_few_rounds_are_no_series(results: Results):
    """Thirteen rounds have eleven between the first and the last."""
    blocks = turn_blocks(with_turns(results, {"0": BASE[:13], "3": ARM[:13]}))

    assert (0, True) == (len(blocks), "ratio" in blocks)


def test_ratios_per_cpu_second_of_the_main_ops(results: Results):
    """Each arm beside its base; the base has the operations of its CPU seconds."""
    ratios, base = per_cpu_second(results)
    turns = results.main_turns.merge(results.runs[["run_id", "indexes"]], on="run_id")
    mine = turns[(turns["indexes"] == "0") & (turns["step"] == base["step"].iloc[0])]
    cpu_ns = mine["client_cpu_ns"].sum() + mine["server_cpu_ns"].sum()

    assert set(ratios["step"]) == set(base["step"])
    assert set(ratios["me"]) == {"indexes=3"}
    assert "queries/CPU s" == base["unit"].iloc[0]
    assert pytest.approx(1e9 * mine["ops"].sum() / cpu_ns) == base["value"].iloc[0]


def test_a_study_without_turns_has_no_section_of_them(results: Results):
    """Nothing is displayed where runs were made one after the other."""
    alone = replace(results, turns=results.turns.head(0))

    assert [] == turns_section(alone, alone.judged())


def test_the_section_says_how_long_turns_were(results: Results):
    """Text first, then the table per CPU second."""
    text, _, *_ = turns_section(results, results.judged())

    assert "took turns of 100 ms" in text.data


def chosen(*rows: tuple[str, str]) -> list[str]:
    """Names of runs as they are preferred, from (name, session) in order of start."""
    runs = pd.DataFrame({"name": [name for name, _ in rows]})
    session = pd.Series([session for _, session in rows], dtype=object)
    return list(_whole_sessions_first(runs, session)["name"])


def test_a_session_made_again_counts_as_a_whole():
    """The first lacks an arm, which had failed: its other arm has no partner."""
    assert ["a2", "b2"] == sorted(chosen(("a1", "1"), ("a2", "2"), ("b2", "2"))[:2])


def test_of_whole_sessions_the_last_counts():
    """As long as both are there."""
    assert "2" == chosen(("1", "x"), ("2", "y"))[0]


def test_runs_that_took_no_turns_stay_in_their_order():
    """The first good run of a trial counts, as ever."""
    assert ["1", "2"] == chosen(("1", ""), ("2", ""))
