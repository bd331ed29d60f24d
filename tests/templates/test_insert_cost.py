"""The template `insert-cost`: what tells the cells of its sentences apart."""

from __future__ import annotations

from types import SimpleNamespace

import pandas as pd
import pytest

from benchbook.templates.insert_cost.analysis import named
from benchbook.templates.insert_cost.published import published_costs
from benchmath.errors import UserError

pytestmark = pytest.mark.unit
CELLS = pd.DataFrame({
    "engine": ["a", "a", "b", "b"], "indexes": ["0", "3", "0", "3"], "step": "l.i0",
    "value": 1.0,
})  # fmt: skip


def test_names_of_several_dimensions_stand_in_a_row():
    names = named(CELLS, "engine indexes")["engine indexes"]

    assert ["a 0", "a 3", "b 0", "b 3"] == list(names)


def test_a_dimension_that_no_name_tells_is_refused():
    """Two costs of `a` in one sentence would be anybody's."""
    with pytest.raises(
        UserError, match=r"varies indexes too; .*compared: engine indexes"
    ):
        named(CELLS, "engine")


def study_at(root, **tables):
    """A study in a project with these published tables, each a list of (step, reads)."""
    (root / "data/published").mkdir(parents=True)
    for engine, rows in tables.items():
        (root / f"data/published/{engine}.csv").write_text(
            "machine,engine,version,config,step,metric,value,unit,direction,source,date\n"
            + "".join(
                f"m,{engine},{version},c,{step},r_o,{reads},reads,lower,a post,2024\n"
                for version, step, reads in rows
            )
        )
    return SimpleNamespace(path=root / "posts/a/study.yml")


def test_published_costs_have_the_steps_that_all_tables_have(tmp_path):
    """Nobody else's `scan` would be beside the one of `old`."""
    old = [("1", "update", "0.5"), ("1", "scan", "3"), ("2", "update", "0")]
    study = study_at(tmp_path, old=old, new=[("9", "update", "0.25")])

    costs = published_costs(study, "old new", "r_o")

    assert ["1", "2", "9"] == list(costs["version"])
    assert [0.5, 0.0, 0.25] == list(costs["update"])
    assert "scan" not in costs


def test_a_published_cost_that_no_table_has_is_refused(tmp_path):
    study = study_at(tmp_path, old=[("1", "update", "0.5")])

    with pytest.raises(UserError, match="old has no w_o"):
        published_costs(study, "old", "w_o")


def test_published_tables_without_a_common_step_are_refused(tmp_path):
    study = study_at(tmp_path, old=[("1", "a", "1")], new=[("1", "b", "1")])

    with pytest.raises(UserError, match="old new share no step"):
        published_costs(study, "old new", "r_o")


def test_a_published_cell_with_several_figures_of_a_step_is_refused(tmp_path):
    """Which of the two is meant, nobody has said."""
    study = study_at(tmp_path, old=[("1", "a", "1"), ("1", "a", "2")])

    with pytest.raises(UserError, match="old has several figures"):
        published_costs(study, "old", "r_o")
