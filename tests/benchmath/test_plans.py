"""Plans of statements: which are not the base's, what they do, where it is said."""

import pandas as pd
import pytest
from make_statements import INDEX, SCAN

from benchbook.findings.causes import clause
from benchmath.costs.causes import differences, hazards_of_causes
from benchmath.plans import (
    access_of,
    changed_plans,
    difference,
    hazards_of_plans,
)

pytestmark = pytest.mark.unit


def runs_of(**dims):
    """Two runs: version 1 is the base."""
    frame = pd.DataFrame(
        {"run_id": ["a", "b"], "engine": "postgres", "version": ["1", "2"]}
    )
    return frame.assign(settings=[{}, {}], **dims)


def statements_of(*plans, step="point", name="get"):
    return pd.DataFrame(
        {"run_id": ["a", "b"], "step": step, "name": name, "plan": list(plans)}
    )


def test_dropped_index_is_named():
    """What is no longer used, and what is read instead."""
    [row] = changed_plans(
        statements_of(INDEX, SCAN), runs_of(), {"version": "1"}
    ).to_dict("records")

    assert ("2", "point", "get") == (row["me"], row["step"], row["statement"])
    assert "index k_1 no longer used, reads the whole table" == row["what"]
    assert (INDEX, SCAN) == (row["base_plan"], row["plan"])


def test_same_plan_is_no_change():
    """Nor is the wording of an older SQLite."""
    older = statements_of(
        "SEARCH TABLE t USING INDEX k_1 (k=?)", "SEARCH t USING INDEX k_1 (k=?)"
    )

    assert changed_plans(statements_of(INDEX, INDEX), runs_of(), {"version": "1"}).empty
    assert changed_plans(older, runs_of(), {"version": "1"}).empty


def test_the_list_of_an_in_is_no_table_that_is_read_whole():
    """MariaDB makes one of it; the table itself is read by its key as before."""
    before = "table=sbtest1 type=range key=PRIMARY"
    after = (
        "table=<subquery2> type=ALL\n"
        "table=sbtest1 type=eq_ref key=PRIMARY ref=tvc_0._col_1\n"
        "select_type=MATERIALIZED table=<derived3> type=ALL"
    )

    assert not access_of(after).whole
    assert "makes a table for the statement" == difference(before, after)
    assert "no longer makes a table for the statement" == difference(after, before)


def test_a_list_that_only_an_older_sqlite_mentions_is_no_change():
    """Both make it; later ones do not say so."""
    older = "SEARCH TABLE t USING INTEGER PRIMARY KEY (rowid=?)\nEXECUTE LIST SUBQUERY 1"
    newer = "SEARCH t USING INTEGER PRIMARY KEY (rowid=?)"

    plans = statements_of(older, newer)
    assert changed_plans(plans, runs_of(), {"version": "1"}).empty


@pytest.mark.parametrize(
    ("base", "me", "what"),
    [
        ([INDEX, INDEX], [INDEX, SCAN],
         "in 1 of 2 samples index k_1 no longer used, reads the whole table"),
        ([INDEX, SCAN], [INDEX, INDEX],
         "never the base's other plan (index k_1 no longer used, reads the whole table)"),
    ],
)  # fmt: skip
def test_a_plan_that_is_seen_at_times_says_how_often(base, me, what):
    """The optimizer of one sample decides otherwise."""
    plans = pd.concat([statements_of(*pair) for pair in zip(base, me, strict=True)])
    [row] = changed_plans(plans, runs_of(), {"version": "1"}).to_dict("records")

    assert what == row["what"]


def test_unknown_plan_is_compared_with_nothing():
    """An engine that does not say one, or did not say it then."""
    assert changed_plans(statements_of(INDEX, None), runs_of(), {"version": "1"}).empty
    assert changed_plans(pd.DataFrame(), runs_of(), {"version": "1"}).empty


def test_plans_of_two_engines_have_nothing_in_common():
    """Their wording differs in all statements."""
    runs = runs_of(engine=["postgres", "sqlite"])

    assert changed_plans(statements_of(INDEX, SCAN), runs, {"engine": "postgres"}).empty


def test_sides_are_alike_in_other_dimensions():
    """A larger table may be read otherwise: of two sizes each has its own base."""
    one = runs_of(size="10")
    runs = pd.concat([one, runs_of(size="99").assign(run_id=["c", "d"])])
    plans = pd.concat(
        [
            statements_of(SCAN, SCAN),
            statements_of(INDEX, SCAN).assign(run_id=["c", "d"]),
        ]
    )
    changes = changed_plans(plans, runs.reset_index(drop=True), {"version": "1"})

    assert ["size=99"] == list(changes["where"])


@pytest.mark.parametrize(
    ("plan", "indexes", "whole"),
    [
        (INDEX, ("k_1",), False),
        (SCAN, (), True),
        ("Bitmap Heap Scan on t\n  ->  Bitmap Index Scan on k_2", ("k_2",), False),
        ("Aggregate\n  ->  Index Only Scan using t_pkey on t", ("t_pkey",), False),
        ("SEARCH t USING INTEGER PRIMARY KEY (rowid=?)", ("PRIMARY",), False),
        ("SEARCH t USING COVERING INDEX k_1 (k=?)", ("k_1",), False),
        ("SCAN t", (), True),
        ("SCAN t USING COVERING INDEX k_1", ("k_1",), False),
        ("table=t type=ref key=k_1 Extra=Using where; Using filesort", ("k_1",), False),
        ("table=t type=ALL key=NULL Extra=Using where", (), True),
        ("-> Index range scan on t using k_1 over (1 <= k)", ("k_1",), False),
        ("-> Filter: (k = 1)\n    -> Table scan on t", (), True),
        ("SEQ_SCAN\n  Table: t", (), True),
    ],
)
def test_access_is_read_from_the_plan_of_each_engine(plan, indexes, whole):
    """Postgres, SQLite, MySQL in both forms, DuckDB."""
    access = access_of(plan)

    assert (indexes, whole) == (access.indexes, access.whole)


def test_other_differences_are_shown_by_their_first_lines():
    """Both read the same index."""
    words = difference(f"Sort\n{INDEX}", f"Incremental Sort\n{INDEX}")

    assert "`Incremental Sort` in place of `Sort`" == words


def test_long_lines_are_told_apart_by_the_words_that_differ():
    """Cut at their 60th character both would read the same."""
    line = "select_type=SIMPLE table=sbtest1 type=range possible_keys=k_1,PRIMARY key=k_1"

    words = difference(f"{line} extra=where", f"{line} extra=index")

    assert "`extra=index` in place of `extra=where`" == words


def test_an_index_condition_is_no_index():
    """MySQL pushes a condition down to the index that it reads anyhow."""
    plan = "type=range key=k_1 Extra=Using index condition"

    assert ("k_1",) == access_of(plan).indexes


def test_one_index_in_place_of_another():
    """The one that is read now stands first."""
    assert "index k_2 in place of k_1" == difference(INDEX, INDEX.replace("k_1", "k_2"))


def test_footnote_is_on_the_numbers_that_the_plan_touches():
    """Those of that version and step, and no others."""
    changes = changed_plans(statements_of(INDEX, SCAN), runs_of(), {"version": "1"})
    [hazard] = hazards_of_plans(changes)

    text = "another plan: get, index k_1 no longer used, reads the whole table"
    assert text == hazard.text
    assert hazard.concerns({"me": "2", "step": "point"})
    assert not hazard.concerns({"me": "2", "step": "update"})


def test_footnote_is_on_no_number_of_another_engine():
    """Two engines, each with a base: the plan of one of them changed."""
    same = statements_of(INDEX, INDEX).replace({"a": "c", "b": "d"})
    other = runs_of().replace({"a": "c", "b": "d", "postgres": "mysql"})
    changes = changed_plans(
        pd.concat([statements_of(INDEX, SCAN), same]),
        pd.concat([runs_of(), other], ignore_index=True), {"version": "1"},
    )  # fmt: skip
    [hazard] = hazards_of_plans(changes)

    assert ["postgres"] == list(changes["where"])
    assert hazard.concerns({"me": "2", "step": "point", "engine": "postgres"})
    assert not hazard.concerns({"me": "2", "step": "point", "engine": "mysql"})


def test_finding_names_the_plan_as_what_else_changed():
    """Once, though two steps send the statement; it is no footnote of all steps."""
    plans = pd.concat(
        [statements_of(INDEX, SCAN), statements_of(INDEX, SCAN, step="again")]
    )
    changed = differences(runs_of(), {"version": "1"}, statements=plans)

    words = " (with other plans: get index k_1 → whole table)"
    assert words == clause(changed, "2")
    assert [] == hazards_of_causes(changed)
