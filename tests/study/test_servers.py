"""Servers in study.yml: what may be said together, and what it means."""

import pytest
from server_studies import complaint, study_of

from benchbook.study.check import amount_bytes, is_version

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        ("{engine: mysql}", "say which: version (of the catalogue), basedir"),
        ("{engine: mysql, source: jar}", "source jar needs a version"),
        ('{engine: mysql, version: "8", source: jar, basedir: /x}',
         "source and basedir are two places"),
        ('{engine: sqlite, connect: "${X}"}', "connect is for servers (postgres, mysql"),
        ('{engine: mysql, connect: "${X}", config: a}', "config has no effect"),
        ("{engine: sqlite, dims: {memory: 1G}}", "memory is of a server"),
        ("{engine: sqlite, dims: {log_device: 1G}}", "log_device is of a server"),
        ('{engine: mysql, connect: "${X}", dims: {memory: 1G}}', "memory is of a server"),
        ("{engine: mysql, basedir: /x, dims: {memory: lots}}", "write bytes or"),
        ("{engine: mysql, basedir: /x, dims: {memory: 0}}", "write bytes or"),
        ("{engine: mysql, basedir: /x, dims: {log_device: 1T}}", "'1T': write bytes"),
        ("{engine: mysql, basedir: /x, dims: {log_sector: 512}}", "and there is none"),
        ("{engine: mysql, basedir: /x, dims: {prepare: 2}}", "'2'; available: 0, 1"),
        ("{engine: mysql, basedir: /x, dims: {price: big}}", "available: int, real"),
    ],
)  # fmt: skip
def test_what_cannot_be_meant_is_one_sentence(tmp_path, entry, expected):
    """The sentence names file, engine and what to do."""
    said = complaint(tmp_path, entry)

    assert expected in said
    assert "old-to-new/study.yml: engine " in said


@pytest.mark.parametrize("where", ["host=db1 password=hush", "x${X}", "{a: hush}", "$X"])
def test_a_literal_connection_is_refused_and_not_repeated(tmp_path, where):
    """Only the name of a variable may stand in a study; the sentence holds no secret."""
    said = complaint(tmp_path, f"engine: mysql\n    connect: {where}")

    assert "study.yml:7: connect must be the name of a variable" in said
    assert "hush" not in said


def test_driver_without_servers_takes_nothing_from_the_catalogue(tmp_path):
    """micro compiles its libraries itself."""
    said = complaint(tmp_path, '{engine: lz4, version: "1.9", source: jar}',
                     driver="micro")  # fmt: skip

    assert "driver micro takes no engine from the catalogue" in said


@pytest.mark.parametrize(
    ("entry", "expected"),
    [("{engine: sqlite}", "none"), ("{engine: mysql, basedir: /x}", "same"),
     ('{engine: mysql, connect: "${X}"}', "none")],
)  # fmt: skip
def test_a_server_shares_one_cpu_with_its_client_unless_told(tmp_path, entry, expected):
    """The default placement is that of the engine; a study may say another."""
    assert {expected} == {c.placement for c in study_of(tmp_path, entry).cells}
    split = study_of(tmp_path, entry, placement="split")
    assert {"split"} == {c.placement for c in split.cells}


def test_base_of_a_moving_version_is_refused(tmp_path):
    """Runs will say 15.20, so no run would be the base 15."""
    entry = '{engine: postgres, version: "15", source: debian}'
    said = complaint(tmp_path, entry, base='{version: "15"}')

    assert "15 turns into 15.20" in said


def test_base_is_not_named_by_its_source(tmp_path):
    """Frames know builds, not where they were got."""
    entry = '{engine: postgres, version: "15.19", source: jar}'

    assert "by version or config" in complaint(tmp_path, entry, base="{source: jar}")


def test_source_may_be_a_dimension_of_the_matrix(tmp_path):
    """The same version from two sources: the calibration pair."""
    study = study_of(
        tmp_path, '{engine: postgres, version: "17.11"}',
        matrix="{source: [jar, trixie]}", base="{engine: postgres}",
    )  # fmt: skip

    assert ["jar", "trixie"] == [c.source for c in study.cells]


def test_memory_is_no_option(tmp_path):
    """An option goes to the driver, and the limit is the server's."""
    said = complaint(tmp_path, "{engine: mysql, basedir: /x}", options="{memory: 1G}")

    assert "memory is a dimension" in said


def test_memory_is_read_in_powers_of_1024():
    """256M is 268435456; nonsense is 0."""
    assert [268435456, 2**30, 4096, 512, 0] == [
        amount_bytes(t) for t in ("256M", "1G", "4K", "512", "1.5G")
    ]


@pytest.mark.parametrize(
    ("declared", "found", "moving", "expected"),
    [("15.19", "15.19", False, True), ("15", "15.20", True, True),
     ("15", "15.20", False, False), ("1", "15.20", True, False),
     ("15.20", "15.20", True, True)],
)  # fmt: skip
def test_prefix_is_enough_for_moving_versions(declared, found, moving, expected):
    """15 is 15.20 where a package is replaced by newer ones, and nowhere else."""
    assert expected == is_version(declared, found, moving)


def test_commit_size_of_a_step(tmp_path):
    """It follows the size, and is recorded and passed on."""
    study = study_of(tmp_path, "{engine: sqlite}",
                     steps='["l.i1:rows=9:rows_per_commit=3", "l.x"]')  # fmt: skip
    step, other = study.cells[0].steps

    assert {"step": "l.i1", "rows": "9", "rows_per_commit": "3"} == step.record()
    assert ("l.i1:rows=9:rows_per_commit=3", "l.x") == (str(step), str(other))
