"""Steps of workload files that send nothing but reads."""

from pathlib import Path

import pytest
from places import ROOT

from benchbook.study.workload import read_workload

pytestmark = pytest.mark.unit

FILE = """\
workload w
counter newest 1
table t
  create CREATE TABLE {t} (id INTEGER)
statement one
  sql SELECT id FROM {t} WHERE id = :id
  sql@rocksdb GET {t} :id
  bind id int uniform 1, 10
  rows 1
statement lock
  sql SELECT id FROM {t} WHERE id = 1 FOR UPDATE
statement put
  sql INSERT INTO {t} VALUES (1)
statement change
  sql SELECT put(1)
  affected 1
statement odd
  sql SELECT id FROM {t}
  sql@mysql CALL f()
statement newest
  sql SELECT id FROM {t} WHERE id = :id
  bind id int next newest
transaction reads
  do one 3
transaction mixed
  do one
  do reads
  do put
"""


def reading(tmp_path: Path, *steps: str) -> set[str]:
    """Which steps of such lines only read."""
    file = tmp_path / "workload"
    file.write_text(FILE + "".join(f"step {step}\n" for step in steps))
    return set(read_workload(file).reading)


def test_reads_and_transactions_of_reads(tmp_path):
    """Also of kind scan, and where a step has no line of its kind."""
    steps = ("a\n  do one", "b\n  kind read\n  do reads", "c\n  kind scan\n  do one")

    assert {"a", "b", "c"} == reading(tmp_path, *steps)


@pytest.mark.parametrize("name", ["put", "mixed", "lock", "change", "odd", "newest"])
def test_whatever_may_write_is_no_read(tmp_path, name):
    """Its kind says read, as that of every step that says nothing."""
    assert {"a"} == reading(tmp_path, "a\n  do one", f"b\n  do one\n  do {name}")


def test_a_step_of_another_kind_is_none(tmp_path):
    """Though it sends reads alone."""
    assert set() == reading(tmp_path, "a\n  kind write\n  do one", "b\n  kind cleanup")


@pytest.mark.parametrize("file", sorted((ROOT / "bench/workloads").glob("*/workload")))
def test_our_own_workloads_do_what_their_kinds_say(file):
    """No step of kind read or scan writes."""
    workload = read_workload(file)
    kinds = {step.name for step in workload.steps if step.kind in ("read", "scan")}

    assert kinds == workload.reading
