"""Run folders in an archive: sent, brought home, verified on both ways, never changed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from make_runs import make_run, write_manifest

from benchbook.fleet.archive import Archive, Moved, open_archive, pull, push, sentence
from benchbook.project import Project
from benchbook.store.load import load
from benchbook.store.query import query
from benchmath.errors import UserError

pytestmark = pytest.mark.unit


@pytest.fixture
def mine(tmp_path: Path) -> Project:
    """A checkout with two runs of one study and one of another."""
    project = Project(tmp_path / "mine")
    make_run(project.raw, trial=1)
    make_run(project.raw, trial=2)
    make_run(project.raw, study="t")
    return project


@pytest.fixture
def theirs(tmp_path: Path) -> Project:
    return Project(tmp_path / "theirs")


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    return open_archive(str(tmp_path / "archive"))


def silent(line: str) -> None:
    """Nobody reads it."""


def files(folder: Path) -> dict[str, bytes]:
    """What lies below a folder, by its path there."""
    found = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}


def test_what_was_sent_is_brought_home_as_it_was(
    mine: Project, theirs: Project, archive: Archive
):
    """Every byte of every file; the store is made of it as at home."""
    assert Moved(3) == push(archive, mine, "", silent)
    assert Moved(3) == pull(archive, theirs, "", silent)

    assert files(mine.raw) == files(theirs.raw)
    assert not load(theirs).refused
    assert 3 == len(query("runs", theirs))


def test_an_object_store_is_an_archive(mine: Project, theirs: Project, bucket: Archive):
    """The same by S3."""
    assert Moved(3) == push(bucket, mine, "", silent)
    assert Moved(0, 3) == push(bucket, mine, "", silent)
    assert Moved(3) == pull(bucket, theirs, "", silent)

    assert files(mine.raw) == files(theirs.raw)


def test_a_bucket_that_is_not_there_is_one_sentence(mine: Project, bucket: Archive):
    """What the service says, and the archive's name."""
    other = open_archive("s3://nobody/runs")

    with pytest.raises(UserError, match=r"^s3://nobody/runs: ") as error:
        push(other, mine, "", silent)
    assert 1 == len(str(error.value).splitlines())
    assert ["lab"] == bucket.files.ls("")


def test_a_study_is_sent_alone(mine: Project, archive: Archive):
    """Of two studies the one that is named."""
    assert Moved(1) == push(archive, mine, "t", silent)
    assert ["t"] == sorted({name.split("/")[0] for name in archive.manifests("")})


def test_what_is_there_stays_as_it_is(mine: Project, archive: Archive):
    """A run edited at home is refused by name, its archived copy untouched."""
    push(archive, mine, "", silent)
    before = files(Path(archive.root))
    run = next(mine.raw.glob("t/*/*/*"))
    (run / "stderr.log").write_text("edited")
    write_manifest(run)

    done = push(archive, mine, "", silent)

    assert (0, 2, 1) == (done.moved, done.there, len(done.refused))
    assert "another run of this name" in done.refused[0]
    assert before == files(Path(archive.root))
    with pytest.raises(UserError, match="1 refused") as error:
        sentence(done, "sent")
    assert 1 == error.value.exit_code


def test_a_damaged_run_is_not_sent(mine: Project, archive: Archive):
    """Its file is named; the others go."""
    run = next(mine.raw.glob("t/*/*/*"))
    (run / "driver.jsonl").write_text("")

    done = push(archive, mine, "", silent)

    assert 2 == done.moved
    assert "driver.jsonl has 0 bytes" in done.refused[0]


def test_a_run_without_its_manifest_does_not_count(mine: Project, archive: Archive):
    """As a killed push leaves it: the next one sends it again."""
    push(archive, mine, "", silent)
    run = next(mine.raw.glob("t/*/*/*"))
    place = Path(archive.root, run.relative_to(mine.raw), "manifest.json")
    place.unlink()

    assert 2 == len(archive.manifests(""))
    assert Moved(1, 2) == push(archive, mine, "", silent)


def test_what_was_damaged_there_is_not_taken(
    mine: Project, theirs: Project, archive: Archive
):
    """A byte that fell over in the archive: refused, and nothing of it is kept."""
    push(archive, mine, "t", silent)
    file = next(Path(archive.root).rglob("driver.jsonl"))
    file.write_bytes(file.read_bytes().replace(b"1", b"2", 1))

    done = pull(archive, theirs, "", silent)

    assert "driver.jsonl was changed" in done.refused[0]
    assert {} == files(theirs.raw)


def test_a_file_that_is_missing_there_is_named(
    mine: Project, theirs: Project, archive: Archive
):
    """Deleted by somebody."""
    push(archive, mine, "t", silent)
    next(Path(archive.root).rglob("env.json")).unlink()

    assert pull(archive, theirs, "", silent).refused[0].endswith("env.json is not there")


def test_a_manifest_cannot_lead_out_of_its_folder(
    mine: Project, theirs: Project, archive: Archive
):
    """Refused before a file of it is fetched."""
    push(archive, mine, "t", silent)
    file = next(Path(archive.root).rglob("manifest.json"))
    manifest = json.loads(file.read_text())
    manifest["files"]["../../../../../out"] = {"sha256": "", "bytes": 0}
    file.write_text(json.dumps(manifest))

    [refused] = pull(archive, theirs, "", silent).refused

    assert refused.endswith("names ../../../../../out, which lies outside the folder")
    assert {} == files(theirs.raw)


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("nowhere://x", "nowhere://x: Protocol not known"),
        ("s3://k:pass@x", "s3://k:***@x"),
    ],
)
def test_what_cannot_be_opened_is_one_sentence(url: str, said: str, mine: Project):
    """Without the password of the address."""
    with pytest.raises(UserError) as error:
        push(open_archive(url), mine, "", silent)

    assert said in str(error.value)
    assert "pass@" not in str(error.value)


def test_an_empty_archive_is_told(theirs: Project, archive: Archive):
    """Nothing to bring, and whose."""
    with pytest.raises(UserError, match=r"no run of s in .*archive"):
        pull(archive, theirs, "s", silent)
