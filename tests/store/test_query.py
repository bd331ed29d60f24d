"""Reading the store: names, parameters, dimensions, and errors for people."""

from __future__ import annotations

import re
from pathlib import Path

import pandas as pd
import pytest
from make_runs import make_run
from places import ROOT

from benchbook.project import Project
from benchbook.runs.records import STEP
from benchbook.sql import SQL, VIEWS
from benchbook.store.load import load
from benchbook.store.query import expand_dims, query, rows_of_set
from benchmath.errors import UserError
from benchmath.frames import dimensions_of

pytestmark = pytest.mark.unit


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """Two trials of one cell, one of a cell with a dimension more."""
    found = Project(tmp_path_factory.mktemp("checkout"))
    make_run(found.raw, trial=1)
    make_run(found.raw, trial=2)
    make_run(found.raw, study="t", dims={"block_size": "4096"})
    load(found)
    return found


def refusal(text: str, project: Project, **params: object) -> str:
    with pytest.raises(UserError) as error:
        query(text, project, **params)
    return str(error.value)


def test_sql_text_takes_named_parameters(project: Project):
    """$names in the text are filled from keyword arguments."""
    found = query("SELECT trial FROM runs WHERE study = $s ORDER BY 1", project, s="s")

    assert [1, 2] == list(found["trial"])


@pytest.mark.slow
def test_every_view_can_be_asked_for_by_name(project: Project):
    """The bare name of a view gives all of it."""
    for name in VIEWS:
        assert len(query(name, project).columns) > 3, name


def test_a_query_of_the_library_is_asked_for_by_name(project: Project):
    """A name that is a file of src/benchbook/sql/ runs that file."""
    found = query("metric_of_set", project, set="t")

    assert {"t"} == set(found["set"])


def test_every_column_of_the_metric_view_is_a_dimension_or_listed(project: Project):
    """A new column of the view is one of METRIC, unless it is to tell cells apart."""
    frame = expand_dims(query("metric_of_set", project, set="t"))

    vocabulary = {"machine", "engine", "version", "build", "config", "arm", "placement"}
    assert {*vocabulary, "dop", "block_size"} == set(dimensions_of(frame))


def test_noise_on_record_is_every_run_of_a_driver_on_a_machine(project: Project):
    """The main metric of each run, with its build and load; of no other machine."""
    [machine_id] = query("SELECT DISTINCT machine_id FROM runs", project)["machine_id"]
    asked = {"driver": "ingest", "machine_id": machine_id}

    found = query("noise_on_record", project, machine="m", **asked)

    columns = ["set", "step", "metric", "trial", "value", "build_no", "load_no"]
    assert [("s", 1), ("s", 2), ("t", 1)] == sorted(
        found[["set", "trial"]].itertuples(index=False, name=None)
    )
    assert ["l.i0", "ips", 1, 500.0, 1, 1] == found[columns].iloc[0].tolist()[1:]
    assert query("noise_on_record", project, machine="other", **asked).empty


def test_an_unknown_name_lists_what_there_is(project: Project):
    """A misspelt view is answered with the names of all."""
    message = refusal("metrics", project)

    assert message.startswith(
        "there is no view and no query 'metrics'; views: runs, steps, samples, "
    )
    assert "metric_of_set" in message


def test_a_mistake_in_sql_is_one_line(project: Project):
    """The first line of DuckDB's message, without its copy of the statement."""
    message = refusal("SELECT nothing FROM runs", project)

    assert message.startswith("the query failed: Binder Error: Referenced column")
    assert 1 == len(message.splitlines())


def test_a_missing_parameter_is_one_line(project: Project):
    """A query without its parameter says which one."""
    assert 1 == len(refusal("metric_of_set", project).splitlines())


def test_queries_cannot_write(project: Project):
    """The store is opened read-only."""
    assert "read-only" in refusal("DELETE FROM run", project)


def test_a_missing_store_says_how_to_make_it(tmp_path: Path):
    """Before the first load there is nothing to read."""
    message = refusal("runs", Project(tmp_path))

    assert message.endswith("benchbook.duckdb: make it with `benchbook load`")


def test_dims_become_columns(project: Project):
    """A dimension is a column; runs without it have '' there."""
    found = expand_dims(query("SELECT * FROM runs ORDER BY study", project))

    assert ["", "", "4096"] == list(found["block_size"])
    assert "dims" not in found


@pytest.mark.parametrize("name", ["s", "t", "nobody"])
def test_rows_of_a_set_are_those_with_its_dims_taken_apart(project: Project, name: str):
    """The same columns in the same order, the same values."""
    mine = rows_of_set(name, project)
    whole = expand_dims(query("metric_of_set", project, set=name))

    pd.testing.assert_frame_equal(whole, mine, check_dtype=bool(len(whole)))


def test_a_dimension_may_have_any_name(tmp_path: Path):
    """Quotes of SQL are letters of a name; that of a column takes its place."""
    project = Project(tmp_path)
    dims = {"it's": "a", 'a "b"': "c", "compiler": "gcc"}
    make_run(project.raw, dims=dims)
    load(project)
    [row] = rows_of_set("s", project).head(1).to_dict("records")

    assert dims == {name: row[name] for name in dims}


def test_a_dimension_replaces_a_column_of_its_name():
    """What a study calls the compiler, not what the compiler calls itself."""
    frame = pd.DataFrame({"compiler": ["gcc (Debian) 12"], "dims": [{"compiler": "gcc"}]})

    assert ["gcc"] == list(expand_dims(frame)["compiler"])


def test_a_frame_without_dims_stays_as_it_is():
    """Samples and histograms carry no dimensions."""
    frame = pd.DataFrame({"rows": [1]})

    assert frame.equals(expand_dims(frame))


def test_every_statement_says_its_grain():
    """The first line of every SQL file is a comment that says what a row is."""
    for path in SQL.glob("*.sql"):
        first = path.read_text().splitlines()[0]

        assert first.startswith("-- "), path.name


@pytest.mark.parametrize("view", VIEWS)
def test_every_column_is_documented(project: Project, view: str):
    """data/README.md names each column of each view in the view's section."""
    text = (ROOT / "data" / "README.md").read_text()
    section = text.split(f"\n### {view}: ")[1].split("\n### ")[0]
    words = set(re.findall(r"\w+", section))
    if view == "steps":
        words |= set(STEP) - {"kind"}
    columns = query(view, project).columns

    assert [] == [column for column in columns if column not in words]


BEGUN = (  # version, trial, planned position, minutes: a failure, and a resume in a row
    ("2", 2, 3, 5), ("1", 1, 1, 1), ("1", 2, 4, 2), ("2", 1, 2, 4),
)  # fmt: skip
MINUTE = 60_000_000_000


def test_positions_are_those_of_the_beginnings(tmp_path: Path):
    """Planned 1 2 2 1, really begun 1 1 2 2: the views count what happened."""
    project = Project(tmp_path)
    for version, trial, planned, minute in BEGUN:
        clocks = {"mono_ns": minute * MINUTE, "real_ns": 10**18 + minute * MINUTE}
        make_run(project.raw, version=version, trial=trial, position=planned,
                 clocks=clocks)  # fmt: skip
    load(project)

    found = query("SELECT version, planned FROM runs ORDER BY position", project=project)
    assert [("1", 1), ("1", 4), ("2", 2), ("2", 3)] == list(found.itertuples(index=False))
    rows = query("FROM metric WHERE main ORDER BY position", project=project)
    assert ["1", "1", "2", "2"] == list(rows["version"])
    assert [1, 2, 3, 4] == list(rows["position"])


def test_a_wall_clock_that_was_set_moves_no_run(tmp_path: Path):
    """Within a boot the monotonic clock tells the order, between boots the wall's."""
    project = Project(tmp_path)
    clocks = (("a", 5, 900), ("a", 6, 100), ("b", 1, 950))  # boot, monotonic, wall clock
    for trial, (boot, mono, real) in enumerate(clocks, 1):
        make_run(project.raw, trial=trial, position=4 - trial,
                 clocks={"boot_id": boot, "mono_ns": mono, "real_ns": real})  # fmt: skip
    load(project)

    found = query("SELECT trial FROM runs ORDER BY position", project=project)
    assert [1, 2, 3] == list(found["trial"])
