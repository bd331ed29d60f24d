"""Names of the archives in the vocabulary; what is not documented stays raw."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchformats.names import Place, Tag, decode_path, decode_tag, split_range

pytestmark = pytest.mark.unit


def test_a_full_tag():
    """MariaDB 11.4.1, build rel, config z11b_bee on hardware bee, with primary keys."""
    raw = "x.ma110401_rel.z11b_bee.pk1"

    assert Tag(raw, "mariadb", "11.4.1", "rel", "z11b_bee", "1", "bee") == decode_tag(raw)


@pytest.mark.parametrize(
    ("tag", "engine", "version"),
    [
        ("my8036", "mysql", "8.0.36"),
        ("my5651", "mysql", "5.6.51"),
        ("my8406_rel_o2nofp", "mysql", "8.4.6"),
        ("my9500_rel", "mysql", "9.5.0"),
        ("my56", "mysql", "5.6"),
        ("ma101107", "mariadb", "10.11.7"),
        ("ma100244", "mariadb", "10.2.44"),
        ("ma120101", "mariadb", "12.1.1"),
        ("pg182", "postgres", "18.2"),
        ("pg1222", "postgres", "12.22"),
        ("pg1110.cx5", "postgres", "11.10"),
        ("pg180_o2nofp", "postgres", "18.0"),
        ("pg18beta1", "postgres", "18beta1"),
        ("pg18rc1", "postgres", "18rc1"),
        ("pg9623", "postgres", "9.6.23"),
        ("rx56.cx6a", "myrocks", "5.6"),
        ("rx80.cx6a", "myrocks", "8.0"),
        ("fbmy8028", "myrocks", "8.0.28"),
        ("fbmy8032_rel.za4_c32r128", "myrocks", "8.0.32"),
        ("fbmy8032_rel.ia1_c32r128", "innodb", "8.0.32"),
        ("in8032", "innodb", "8.0.32"),
        ("mo425", "mongodb", "4.2.5"),
    ],
)
def test_glued_versions(tag: str, engine: str, version: str):
    """Each DBMS glues the digits of its versions in its own way."""
    assert (engine, version) == (decode_tag(tag).engine, decode_tag(tag).version)


@pytest.mark.parametrize(
    "raw",
    [
        "innodb", "my8", "my80361", "ma1102041", "ma11024", "pg", "pg300", "pg182beta1",
        "postgres-18", "x.pg_oriole_patches17_5_o2nofp.x10a_oriole_c32r128.pk1", "", "x.",
        "mysql8036", "MY8036",
    ],
)  # fmt: skip
def test_what_does_not_decode_stays_raw(raw: str):
    """Nothing is guessed: engine and version stay empty, the tag is kept."""
    assert Tag(raw) == decode_tag(raw)


def test_versions_of_orioledb_are_not_documented():
    """The engine is known, the version is not."""
    found = decode_tag("pgo1612")

    assert ("orioledb", "") == (found.engine, found.version)


@pytest.mark.parametrize(
    ("tag", "build", "config", "machine"),
    [
        ("my8036_rel_withdbg.z12a_gtid_c32r128", "rel_withdbg", "z12a_gtid_c32r128",
         "c32r128"),
        ("pg1023_o2nofp.x10a_c32r128.pk1", "o2nofp", "x10a_c32r128", "c32r128"),
        ("pg151_def.x7a_gcp_c2s60", "def", "x7a_gcp_c2s60", "gcp_c2s60"),
        ("my8040.z11e_128gram_64kiops.pk0", "", "z11e_128gram_64kiops",
         "128gram_64kiops"),
        ("20m.my5649.cx6d.badcnf", "", "cx6d.badcnf", ""),
        ("my8036.pk1", "", "", ""),
        ("x.ma110803_ent.z12b_c32r128.pk1.v2", "ent", "z12b_c32r128.v2", "c32r128"),
        ("my8036.pk1.v2", "", "v2", ""),
    ],
)  # fmt: skip
def test_build_config_and_hardware(tag: str, build: str, config: str, machine: str):
    """The build follows the version, the hardware class ends the config's name."""
    found = decode_tag(tag)

    assert (build, config, machine) == (found.build, found.config, found.machine)


def test_size_and_keys():
    """A leading 20m is the number of rows, pk0 a secondary index instead of a key."""
    assert ("20m", "0") == (
        decode_tag("20m.my5649.cx6d").size, decode_tag("my8036.z1.pk0").pk,
    )  # fmt: skip
    assert "1" == decode_tag("x.ma110803_ent.z12b_c32r128.pk1.v2").pk


@pytest.mark.parametrize(
    ("path", "place"),
    [
        (
            "x.pg1023_o2nofp.x10a_c32r128.pk1/sb.o.scan.range100.pk1.dop40",
            Place("scan_range=100", 40, tag="x.pg1023_o2nofp.x10a_c32r128.pk1",
                  dims={"range": "100", "pk": "1"}),
        ),
        (
            "sb.perf.hw.points-covered-pk.range100.pk1.1.raw",
            Place("points-covered-pk_range=100", dims={"range": "100", "pk": "1"}),
        ),
        (
            "sb.r.qps.random-points.pre.range10.pk0",
            Place("random-points.pre_range=10", dims={"range": "10", "pk": "0"}),
        ),
        (
            "sb.prepare.met.point-query.warm.range100.pk1.dop8",
            Place("prepare", 8, dims={"range": "100", "pk": "1"}),
        ),
        ("m5.2x.ht0/sum.byrx.dop1.txt", Place("", 1, "m5.2xl.ht0", "byrx")),
        ("c6i.4xlarge.ht0.nt4/sum.iobuf.txt", Place("", 4, "c6i.4xl.ht0", "iobuf")),
        ("m5d.2xlarge.ht0.io2/a", Place(machine="m5d.2xl.ht0.io2")),
        ("c7g.16xl/a", Place(machine="c7g.16xl")),
        ("c6i.metal.ht1/a", Place(machine="c6i.metal.ht1")),
        ("dell32/dop1/iodir_zstd/a", Place("", 1, "dell32", "iodir_zstd")),
        ("hetz.2/a", Place(machine="hetz", folder="2")),
        ("feb24.bee.sysbench.my/a", Place(machine="bee", folder="feb24.sysbench.my")),
        ("nov23.c2.db_bench/a", Place(folder="nov23.c2.db_bench")),
        ("c2/a", Place(machine="c2")),
        ("dop_12/a", Place(dop=12)),
        ("sum.nt10.txt", Place(dop=10)),
        ("o.met.dop4", Place()),
        ("dop20/o.met.pgo.dop1.prep0", Place(dop=20, workload="prep0")),
        ("qps.abs.cached.all.dop2.tsv", Place(dop=2, workload="cached")),
        ("o.met.cached.all.dop2", Place(workload="cached")),
        ("o.res.cached", Place()),
        ("1u.1tno/l.i0/o.res.dop2", Place("l.i0", 2, folder="1tno")),
        ("q.L1.ips100/o.ib.dop8.3", Place("q100.1", 8, dims={"client": "3"})),
        ("q.L1.ips100/o.ib.dop8.ns3.1", Place("q100.1", 8, dims={"client": "1"})),
        ("q.L2.ips100/a", Place("q100.2")),
        ("q.L12.ips1000/a", Place("q1000.2")),
        ("mrg.q.L2.ips500.rt.query", Place("q500.1")),
        ("mrg.q.L3.ips1000.rt.insert.some", Place("q1000.1")),
        ("q.L2.ips50/a", Place("q.L2.ips50")),
        ("mrg.q100.1.some", Place("q100.1")),
        ("100m/res.a/mrg.q1000.1",
         Place("q1000.1", folder="res.a", dims={"size": "100m"})),
        ("rel.qr100.L1", Place("qr100.L1")),
        ("mrg.l.i0.rt.insert", Place("l.i0")),
        ("mrg.some", Place()),
        ("o.sum.t.20m.my5649.cx6d.badcnf", Place(tag="20m.my5649.cx6d.badcnf")),
        ("fbmy56/a", Place(tag="fbmy56")),
        ("a/b/c", Place(folder="a/b")),
    ],
)  # fmt: skip
def test_names_of_files_and_folders(path: str, place: Place):
    """Step, dop, machine, workload, tag and dimensions; what is left is the folder."""
    assert place == decode_path(path)


def test_deeper_names_win():
    """A file's own dop is nearer than its folder's."""
    assert 4 == decode_path("x.dop1/sum.byrx.dop4.txt").dop


def test_the_imported_folder_says_something_too():
    """The imported folder may be an instance or a tag; its other words tell nothing."""
    assert Place("", 4, "c6i.4xl.ht0") == decode_path("a", "c6i.4xlarge.ht0.nt4")
    assert Place() == decode_path("a", "results of march")


def test_range_of_a_step():
    """The range at the end of a step's name."""
    assert [("update-index", "100"), ("l.i0", "")] == [
        split_range("update-index_range=100"), split_range("l.i0"),
    ]  # fmt: skip


WORDS = st.sampled_from(
    ["x", "my8036", "pk1", "ht0", "m5d", "2x", "2xlarge", "dop4", "range100", "sb", "o",
     "met", "scan", "20m", "l", "i0", "q100", "pg18beta1", "z1_bee", "_rel", "", "nt9"]
)  # fmt: skip
NAMES = st.one_of(st.text(), st.lists(WORDS, max_size=8).map(".".join))


@given(NAMES)
def test_any_tag_is_taken(raw: str):
    """No text fails; the raw tag is kept, and a version comes with an engine."""
    found = decode_tag(raw)

    assert raw == found.raw
    assert found.engine or Tag(raw) == found


@pytest.mark.slow
@given(st.lists(NAMES, min_size=1, max_size=4).map("/".join))
def test_any_path_is_taken(path: str):
    """No path fails; dop is a small number."""
    assert 0 <= decode_path(path, "root").dop < 10**6
