"""Which published rows stand beside which of ours."""

from dataclasses import replace

import pytest
from places import FIXTURES

from benchbook.results.collect import collect
from benchbook.study.published import Beside
from benchbook.views.beside import beside_published, published_name
from benchbook.views.db_bench import without_left_out
from benchmath.errors import UserError

pytestmark = pytest.mark.unit
CELLS = {"7.8.3": "rocksdb 7.8.3", "9.10.0": "rocksdb 8.8.0"}
DEVICE = {"here": {"workload": "iodir"}, "there": {"workload": "iobuf"}}


@pytest.fixture(scope="module")
def results():
    """A study whose figures are published of two workloads."""
    whole = collect(FIXTURES / "posts" / "db_bench-versions", measure=False)
    return without_left_out(whole, ["overwritesome", "flush_mt_l0"])


def beside(results, **entry):
    one = Beside("tiny_releases_2023", CELLS, **entry)
    return beside_published(replace(results, study=replace(results.study, beside=(one,))))


@pytest.mark.parametrize(
    ("step", "name"),
    [
        ("readrandom", "readrandom.t8"),
        ("fillseq", "fillseq.wal_disabled.v400"),
        ("overwrite", "overwrite_range=100"),  # two of theirs begin so
        ("scan", "scan"),
    ],
)
def test_a_step_has_the_name_that_the_table_gives_it(step, name):
    """What RocksDB's scripts put behind it is said nowhere else."""
    tests = ["readrandom.t8", "fillseq.wal_disabled.v400", "overwrite.t8.s0",
             "overwrite.t1.s0", "scan"]  # fmt: skip

    assert name == published_name(step, tests)


def test_workloads_are_chosen_on_each_side(results):
    """1,185,791 and 1,202,154 are one figure of 1,193,944, over 1,199,078."""
    [compared] = beside(results, **DEVICE, note="8 clients there.")

    rows = compared.rows.set_index("step")
    assert {"fillseq", "readrandom", "overwriteandwait"} == set(rows.index)
    assert 1193944.5 / 1199078 == pytest.approx(rows.at["fillseq", "published"])
    ours = results.judged()
    ours = ours[(ours["workload"] == "iodir") & (ours["me"] == "9.10.0")]
    ours = ours.set_index("step")["relative"]
    assert ours["fillseq"] == rows.at["fillseq", "relative"]
    assert ("iodir", "iobuf", "8 clients there.") == (
        compared.here, compared.there, compared.note
    )  # fmt: skip


@pytest.mark.parametrize(
    ("entry", "why"),
    [
        ({"there": {"workload": "byrx"}}, "say which under `here`"),
        (DEVICE | {"here": {"workload": "iobuf"}}, "available: byrx, iodir"),
        (DEVICE | {"here": {"size": "1"}}, "the study has no size"),
        (DEVICE | {"there": {"workload": "iodir"}}, "available: byrx, iobuf"),
    ],
)
def test_what_is_not_there_is_refused(results, entry, why):
    """With what there is instead."""
    with pytest.raises(UserError, match=why):
        beside(results, **entry)
