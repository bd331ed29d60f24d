"""Sidecars that cannot be believed are told and left out; their runs count."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import zstandard
from make_runs import make_run
from make_sidecars import STEPS, Shelf, capture, disk, end, head, line, sampled, text_of

from benchbook.project import Project
from benchbook.store.load import load
from benchbook.store.query import query

pytestmark = pytest.mark.unit

SHELF = Shelf()
run = SHELF.add


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Shelf:
    report = SHELF.load(tmp_path_factory.mktemp("checkout"))

    assert (len(SHELF.wanted), []) == (report.loaded, report.refused)
    return SHELF


CUT = text_of(head(), line(0), line(1, user=3)) + '{"kind":"os","t_ns":12'
KILLED = run({"sampler.jsonl": CUT})


def test_a_last_line_that_was_cut_is_tolerated(shelf: Shelf):
    """A kill leaves half a line and no end: the samples before it are there."""
    assert [] == shelf.warnings(KILLED)
    assert [(3_000_000,)] == shelf.rows(KILLED, "os_samples", "user_ns")
    assert [(None, None)] == shelf.rows(KILLED, "samplers", "samples, wall_ns")


def damaged(at: int, record: Any) -> str:
    """A run whose sampler has this in place of a line, from 0."""
    lines = [head(), line(0), line(1), line(2), end(3)]
    lines[at] = record
    texts = [one if isinstance(one, str) else json.dumps(one) for one in lines]
    return run({"sampler.jsonl": "\n".join(texts) + "\n"})


DAMAGED = {
    damaged(2, '{"kind":"os","t_ns'): "line 3: not a whole JSON object",
    damaged(2, line(1) | {"new": 1}): "line 3: unknown key 'new' in a os record",
    damaged(2, line(1) | {"cpu_ns": [1]}): "line 3: cpu_ns of a os record is [1], not a",
    damaged(2, line(1, dev=[[1, 2]])): "line 3: dev of a os record is [[1, 2]], not a",
    damaged(2, line(0)): "line 3: t_ns is not later than in the line before",
    damaged(2, head()): "line 3: a file has one first line",
    damaged(2, end(1)): "line 3: nothing follows the end of a file",
    damaged(0, line(0)): "line 1: the first line is not of the kind sampler",
    damaged(
        0, head(schema=2)
    ): "line 1: schema 2 is newer than 1, the newest known here: update Benchbook",
    damaged(4, end(9)): "has 3 samples, its end says 9",
    damaged(4, end(3) | {"boot_id": "other"}): "ended after another boot than it began",
    damaged(0, head(cpus=8)): "is of 8 CPUs, the machine has 2",
    damaged(0, head(mono_ns=10**15)): "began when the run had ended",
}


@pytest.mark.slow
@pytest.mark.parametrize("study", DAMAGED)
def test_damage_is_named_and_costs_the_sidecar_only(shelf: Shelf, study: str):
    """File and line are told; the run counts without its samples."""
    [warning] = shelf.warnings(study)

    assert warning.startswith(f"sampler.jsonl {DAMAGED[study]}")
    assert warning.endswith("; the run counts without it")
    assert [] == shelf.rows(study, "os_samples") + shelf.rows(study, "samplers")
    assert 100.0 == shelf.values(study)["ips"]


OTHER = {"boot_id": "other"}
BOOTED = run({"sampler.jsonl": text_of(head(**OTHER), line(0), end(1) | OTHER)})
ELSEWHERE = run(
    {"sampler.jsonl": text_of(head(offset_ns=5, **OTHER), line(0), end(1) | OTHER)}
)


def test_a_sampler_of_another_boot_did_not_watch_the_run(shelf: Shelf):
    """But of a server on another host, whose clock is shifted, it did."""
    told = "sampler.jsonl is of another boot than the run; the run counts without it"

    assert [told] == shelf.warnings(BOOTED)
    assert [] == shelf.warnings(ELSEWHERE)


EMPTY = run({"sampler.jsonl": ""})


def test_an_empty_file_of_the_sampler_is_told(shelf: Shelf):
    """It could not start."""
    assert ["sampler.jsonl is empty; the run counts without it"] == shelf.warnings(EMPTY)


LONG = sampled(*(line(t, user=t * t) for t in range(500)))["sampler.jsonl.zst"]
CUT_ZST = run({"sampler.jsonl.zst": LONG[:-40]})


def test_a_compressed_file_that_is_cut_is_told(shelf: Shelf):
    """What zstd cannot unpack to its end is not believed."""
    [warning] = shelf.warnings(CUT_ZST)

    assert warning.startswith("sampler.jsonl.zst ")
    assert [] == shelf.rows(CUT_ZST, "os_samples")


BLANKS = zstandard.compress(b" " * (1 << 26)) * 2
BOMB = run({"sampler.jsonl.zst": BLANKS})
PACKED = run(
    {"profile.jsonl": text_of(capture()), "profile-l.i0-client.script.zst": BLANKS}
)


@pytest.mark.parametrize("study", [BOMB, PACKED])
def test_what_unpacks_to_too_much_is_not_unpacked(shelf: Shelf, study: str):
    """128 MiB of blanks in a few kilobytes: told, and the run counts."""
    [warning, *_] = shelf.warnings(study)

    assert "the file unpacks to more than 250 times its size" in warning
    assert 100.0 == shelf.values(study)["ips"]


HALF_A_COUNT = run({"callgrind.json": '{"kind":"callgrind"'}, arm="instructions")


def test_a_damaged_count_is_told(shelf: Shelf):
    """callgrind.json of half a line."""
    [warning] = shelf.warnings(HALF_A_COUNT)

    assert warning.startswith("callgrind.json: not a whole JSON object")


def test_a_warning_is_told_at_each_load(shelf: Shelf):
    """Nobody reads the first one."""
    assert shelf.report.warnings == load(shelf.project).warnings


@pytest.mark.slow
def test_runs_come_and_go_with_all_their_samples(tmp_path: Path):
    """Loaded one by one or at once the samples are the same, never subtracted from those
    of another run; of a folder that is gone no table keeps a row."""
    project = Project(tmp_path)
    for trial in (1, 2):
        lines = [line(t, user=10 * t * trial, dev=[disk(1, reads=t)]) for t in range(4)]
        make_run(project.raw, trial=trial, steps=STEPS, outputs=sampled(*lines))
        load(project)
    ask = "SELECT * FROM os_sample ORDER BY ALL"
    one_by_one = query(ask, project)
    load(project, rebuild=True)

    assert 6 == len(one_by_one)
    assert one_by_one.equals(query(ask, project))
    assert [100.0, 200.0] == sorted(
        query("SELECT value FROM metric WHERE metric = 'user_o'", project)["value"]
    )

    for manifest in project.raw.rglob("manifest.json"):
        manifest.unlink()
    load(project)
    tables = query(
        "SELECT table_name FROM duckdb_tables() WHERE database_name = 'store'", project
    )["table_name"]

    counts = " UNION ALL ".join(f"SELECT '{t}' AS name FROM {t}" for t in tables)

    assert ["stamp"] == list(query(counts, project)["name"])
