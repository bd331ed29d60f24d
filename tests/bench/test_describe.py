"""`sql --describe`: what a study must know of a workload file."""

import json
import subprocess

import pytest
from places import BENCH
from workload_descriptions import FILE_OF_ALL, descriptions

pytest_plugins = ("sql_fixtures",)
pytestmark = pytest.mark.engine

FILE = """\
workload w
let size 10
counter newest 1
table t
  create CREATE TABLE {t} (id INTEGER)
  index CREATE INDEX t_id ON {t} (id)
table u
  create CREATE TABLE {u} (id INTEGER)
statement one
  sql SELECT id FROM {t} WHERE id = :id
  sql@rocksdb GET {t} :id
  bind id int uniform 1, 10
  rows 1
statement lock
  sql SELECT id FROM {t} WHERE id = 1 FOR NO  KEY UPDATE
statement put
  sql INSERT INTO {t} VALUES (1)
statement change
  sql SELECT put(1)
  affected 1
statement odd
  sql SELECT id FROM {t}
  sql@mysql CALL f()
statement hint
  sql /* a hint */ SELECT id FROM {t}
statement newest
  sql SELECT id FROM {t} WHERE id = :id
  bind id int next newest
statement copy
  sql@postgres SELECT id into {u} FROM {t}
  sql insert into log VALUES (1)
statement make
  sql Create Table IF NOT EXISTS {t} (id INTEGER)
transaction reads
  do one 3
transaction counts
  bind n1 bigint next newest
  do one
transaction part
  begin none
  do put
transaction mixed
  do one
  do part
"""


@pytest.fixture
def steps(sql, tmp_path):
    """A function: what is said of the steps of such lines, by their name."""

    def said(*steps):
        file = tmp_path / "workload"
        file.write_text(FILE + "".join(f"step {step}\n" for step in steps))
        words = [sql, "--describe", file]
        done = subprocess.run(words, capture_output=True, text=True, check=True)
        return {step["name"]: step for step in json.loads(done.stdout)["steps"]}

    return said


def reading(steps):
    return {name for name, step in steps.items() if step["reads"]}


def test_reads_and_transactions_of_reads(steps):
    """Also of kind scan, and where a step has no line of its kind."""
    found = steps("a\n  do one", "b\n  kind read\n  do reads", "c\n  kind scan\n  do one")

    assert {"a", "b", "c"} == reading(found)


@pytest.mark.parametrize(
    "name",
    ["put", "mixed", "lock", "change", "odd", "hint", "newest", "counts", "copy", "make"],
)
def test_whatever_may_write_is_no_read(steps, name):
    """Its kind says read, as that of every step that says nothing."""
    assert {"a"} == reading(steps("a\n  do one", f"b\n  do one\n  do {name}"))


def test_a_step_of_another_kind_is_none(steps):
    """Though it sends reads alone."""
    assert set() == reading(steps("a\n  kind write\n  do one", "b\n  kind cleanup"))


def test_tables_that_a_step_needs_and_makes(steps):
    """One that it makes it does not need, and what makes one may read another."""
    found = steps("a\n  do reads", "b\n  do one\n  do make", "c\n  do copy\n  do one")
    tables = {name: (step["needs"], step["makes"]) for name, step in found.items()}

    assert {"a": (["t"], []), "b": ([], ["t"]), "c": ([], ["t", "u"])} == tables


def test_what_is_said_of_a_workload(sql, tmp_path):
    """Its name, lets, and tables that `index` does something to; then its own steps."""
    file = tmp_path / "workload"
    file.write_text(FILE + 'step a\n  about "so"\n  group g\n  kind scan\n  do one\n')
    words = [sql, "--describe", file]
    done = subprocess.run(words, capture_output=True, text=True, check=True)

    assert {
        "name": "w", "distances": {}, "lets": ["size"], "engines": [], "indexed": ["t"],
        "steps": [{"name": "a", "kind": "scan", "group": "g", "about": '"so"',
                   "reads": True, "needs": ["t"], "makes": []}],
    } == json.loads(done.stdout)  # fmt: skip


def test_engines_that_lack_a_distance_are_told(sql, tmp_path):
    """Those whose own line has no part for it."""
    file = tmp_path / "workload"
    file.write_text(
        "workload w\nvectors ip, l2\ntable t\n  rows 1\n"
        "  create CREATE TABLE {t} (id INT)\n"
        "  create@mariadb,mysql CREATE TABLE {t} (id INT) {distance: | a}\n"
        "  create@duckdb CREATE TABLE {t} (id INT) {distance: b | }\n"
        "  column id int sequence 1\n"
        "statement one\n  sql SELECT 1\nstep a\n  do one\n"
    )
    words = [sql, "--describe", file]
    done = subprocess.run(words, capture_output=True, text=True, check=True)

    said = json.loads(done.stdout)["distances"]
    assert {name: set(said[name]) for name in said} == {
        "ip": {"mysql", "mariadb"},
        "l2": {"duckdb"},
    }


def test_what_is_kept_of_our_own_is_what_the_driver_says(sql):
    """Else: python tests/helpers/workload_descriptions.py"""
    assert FILE_OF_ALL.read_text() == descriptions(sql)


@pytest.mark.parametrize("file", sorted((BENCH / "workloads").glob("*/workload")))
def test_our_own_workloads_do_what_their_kinds_say(sql, file):
    """No step of kind read or scan writes."""
    words = [sql, "--describe", file]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    steps = json.loads(done.stdout)["steps"]
    kinds = {step["name"] for step in steps if step["kind"] in ("read", "scan")}

    assert kinds == {step["name"] for step in steps if step["reads"]}
