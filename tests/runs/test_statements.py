"""Statements of a workload: from driver.jsonl to the view, and what cannot have been."""

import json

import pytest
from make_runs import make_records, make_run, write_manifest
from make_statements import INDEX, statement, with_statements

from benchbook.project import Project
from benchbook.runs.driver_file import read_records
from benchbook.runs.records import RecordError
from benchbook.store.load import load
from benchbook.store.query import query

pytestmark = pytest.mark.unit

SPEC = {
    "driver": "sql", "engine": "null", "version": "1", "dop": 1, "seed": 42,
    "build": {"compiler": "gcc"},
}  # fmt: skip
STEPS = [("pair", "query", 12, 2.0), ("pair", "transaction", 4, 2.0)]
PAIR = (
    statement("pair", "begin"),
    statement("pair", "point", [[100, 2], [300, 2]], plan=INDEX),
    statement("pair", "commit"),
)


@pytest.fixture
def refusal(tmp_path):
    """A function: why a file with these statements is refused."""

    def said(*statements):
        path = tmp_path / "driver.jsonl"
        lines = with_statements(make_records(SPEC, STEPS), *statements)
        path.write_text("".join(json.dumps(line) + "\n" for line in lines))
        with pytest.raises(RecordError) as error:
            read_records(path)
        return str(error.value)

    return said


@pytest.fixture
def loaded(tmp_path):
    """The store of one run of a transaction of three statements."""
    project = Project(tmp_path)
    lines = with_statements(make_records(SPEC, STEPS), *PAIR)
    make_run(project.raw, driver="sql", records=lines)
    assert [] == load(project).refused
    return project


def test_statement_has_its_times_in_microseconds(loaded):
    """Two of 100 ns, two in bucket 300, of 344 and 345: ranks, not means."""
    [point] = query("FROM statements WHERE name = 'point'", loaded).to_dict("records")

    assert (4, 4, INDEX) == (point["sent"], point["rows"], point["plan"])
    assert (1.0, 0.1, 0.9) == (point["mean_us"], point["p50_us"], point["max_us"])
    # index 300 = 128 + 1 * 128 + 44: shifted by 1, it begins at (44 + 128) * 2
    assert 0.3445 == point["p95_us"] == point["p99_us"]


def test_transactions_have_a_rate_beside_the_queries(loaded):
    """4 transactions of 3 statements in 2 s; the throughput of the step is queries/s."""
    rates = query("SELECT metric, value, main FROM metric WHERE metric IN ('qps', 'tps')"
                  " ORDER BY metric", loaded)  # fmt: skip

    assert [("qps", 6.0, True), ("tps", 2.0, False)] == list(
        rates.itertuples(index=False, name=None)
    )


def test_statement_that_was_not_sent_has_no_times(tmp_path):
    """A weight may be so small that nobody draws it."""
    project = Project(tmp_path)
    rare = statement("pair", "rare", ())
    lines = with_statements(make_records(SPEC, STEPS), *PAIR, rare)
    make_run(project.raw, driver="sql", records=lines)
    load(project)
    [row] = query("FROM statements WHERE sent = 0", project).to_dict("records")

    assert "rare" == row["name"]
    assert query("FROM statements WHERE sent = 0 AND max_us IS NULL AND p50_us IS NULL "
                 "AND mean_us IS NULL", project).shape[0] == 1  # fmt: skip


def test_sent_adds_up_to_the_queries_of_the_step(refusal):
    """Without the commit 8 of 12 are told of."""
    text = refusal(*PAIR[:2])

    assert "the statements of step pair were sent 8 times, its step has 12" in text


def test_statements_take_no_longer_than_the_clients_have(refusal):
    """2 s of one client."""
    text = refusal(*PAIR[:2], PAIR[2] | {"total_ns": 3_000_000_000})

    assert "the statements of step pair took 3" in text
    assert "its clients had 2000000000" in text


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"step": "pear"}, "a statement record of step pear, which has no record"),
        ({"sent": 5}, "counts of statement commit of step pair are 4, it was sent 5"),
        ({"name": "begin"}, "a second statement record of step pair, begin"),
        ({"max_ns": 4001}, "statement commit of step pair took longer once than in all"),
        ({"errors": 5}, "statement commit of step pair has more errors than it was sent"),
        ({"plan": 1}, "plan of a statement record is 1, not a string or null"),
        ({"cost": 1}, "unknown key 'cost' in a statement record"),
        ({"sub_bits": 0}, "a statement in 'ns' with sub_bits 0"),
    ],
)
def test_statement_that_cannot_be_is_refused_by_line(refusal, change, said):
    """As every other record is."""
    text = refusal(*PAIR[:2], PAIR[2] | change)

    assert said in text and "driver.jsonl line 11" in text


def test_workload_that_was_not_planned_is_refused(tmp_path):
    """The file in the run folder is another than spec.json was written for."""
    project = Project(tmp_path)
    folder = make_run(project.raw, outputs={"workload": "workload tiny\n"})
    spec = json.loads((folder / "spec.json").read_text())
    (folder / "spec.json").write_text(json.dumps(spec | {"workload": "0" * 16}))
    write_manifest(folder)
    [refused] = load(project).refused

    assert "workload is not the file that spec.json was written for" in refused


def test_settings_that_were_not_planned_are_refused(tmp_path):
    """A settings file that was rewritten after the run is no longer what it ran with."""
    project = Project(tmp_path)
    folder = make_run(project.raw, config="fast")
    (folder / "config").write_text("# slow\n")
    write_manifest(folder)
    [refused] = load(project).refused

    assert "config is not the file that spec.json was written for" in refused
