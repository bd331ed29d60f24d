"""Every engine of the catalogue starts, runs each kind of step, stops, leaves nothing."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from servers import BENCH, install_tree, naming

pytest_plugins = ("server_fixtures",)
pytestmark = pytest.mark.engine

STEPS = [
    "l.i0:rows=10000",
    "l.x",
    "l.i1",
    "l.i2",
    "cleanup",
    "qr100.L1",
    "qp100.L2",
    "scan",
]
# What `make test` runs; all else of the catalogue takes minutes.
QUICK = {
    ("postgres", "15", "debian"), ("mariadb", "10.11", "debian"),
    ("duckdb", "1.5.6", "npm"),
}  # fmt: skip
CONFIGS = {"postgres": "x10a", "mysql": "z11a", "mariadb": "z11a", "myrocks": "zr"}

EMBEDDED = ("sqlite", "duckdb", "rocksdb")


@dataclass(frozen=True)
class Line:
    """One line of engines.tsv, and the engine to use of its tree."""

    engine: str
    tree: str  # the catalogue's name: MyRocks is a part of MariaDB
    version: str
    source: str

    @property
    def quick(self) -> bool:
        return (self.tree, self.version, self.source) in QUICK

    def __str__(self) -> str:
        return f"{self.engine}-{self.version}-{self.source}"


def catalogue(names: Collection[str]) -> Iterator[Line]:
    """The lines of those engines; of MyRocks those whose packages bring it."""
    rows = (BENCH / "engines.tsv").read_text().splitlines()
    keys, *lines = [row.split("\t") for row in rows if row and not row.startswith("#")]
    for line in lines:
        facts = dict(zip(keys, line, strict=True))
        name, version, source = facts["engine"], facts["version"], facts["source"]
        if name in names:
            yield Line(name, name, version, source)
        if "myrocks" in names and "mariadb-plugin-rocksdb" in facts["package"]:
            yield Line("myrocks", name, version, source)


def parameters(*names: str) -> list[object]:
    return [
        pytest.param(line, id=str(line), marks=[] if line.quick else pytest.mark.slow)
        for line in catalogue(names)
    ]


def run(
    drivers: Path, folder: Path, engine: str, seconds: float, *options: object
) -> Path:
    """The folder of a finished run of all steps; insists on success."""
    steps = [
        s if re.search(":|^l.x|^scan", s) else f"{s}:seconds={seconds}" for s in STEPS
    ]
    target = ["{target}", "--config", "{config}"] if engine in EMBEDDED else ["{server}"]
    words = [BENCH / "run.sh", "--bin", drivers, *options, '{"schema":1}']
    words += [folder / "data/raw/study/machine" / engine / "dop2.t1", "ingest"]
    words += ["--engine", engine, "--dop", "2", "--target", *target]
    words += [word for step in steps for word in ("--step", step)]
    done = subprocess.run(
        [*map(str, words)], capture_output=True, text=True, check=False, timeout=900
    )
    made = Path(done.stdout.strip())
    assert 0 == done.returncode, done.stderr + (made / "manifest.json").read_text()
    return made


def records_of(made: Path) -> list[dict]:
    text = subprocess.run(
        ["zstd", "-dcf", made / "driver.jsonl.zst"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    return [json.loads(line) for line in text.splitlines()]


def check_steps(records: list[dict]) -> None:
    """Each step has one main op that did something, and no error."""
    main = {r["step"]: r for r in records if r["kind"] == "step" and r["main"]}

    assert [s.split(":")[0] for s in STEPS] == list(main)
    assert 20000 == main["l.i0"]["rows"]
    assert all(step["ops"] > 0 for step in main.values())
    assert not any(r.get("errors") for r in records if r["kind"] == "step")


@pytest.mark.parametrize("line", parameters(*CONFIGS))
def test_engine_runs_every_step_and_leaves_nothing(line, drivers, tmp_path):
    """It says its version, every step does something, no process and no file is left."""
    tree = install_tree(line.tree, line.version, line.source)
    seconds, size = (0.3, "256m") if line.quick else (1, "1g")
    config = BENCH / "configs" / line.engine / f"{CONFIGS[line.engine]}_{size}"
    options = ["--server", line.engine, "--basedir", tree, "--config", config]
    made = run(drivers, tmp_path, line.engine, seconds, *options)
    records = records_of(made)
    conf = (made / "server.conf").read_text()

    check_steps(records)
    assert f"{records[0]['version']}.".startswith(f"{line.version}.")
    assert [] == list((tmp_path / "data" / "scratch").iterdir())
    assert [] == naming(tmp_path)
    sockets = re.findall(r"\bbb-[\w-]+", conf)
    assert not any(Path("/tmp", name).exists() for name in sockets)


@pytest.mark.slow
def test_sqlite_runs_every_step_and_leaves_nothing(drivers, tmp_path):
    """The embedded engine the same way, without a server."""
    config = BENCH / "configs" / "sqlite" / "wal_normal_4k"
    made = run(drivers, tmp_path, "sqlite", 0.2, "--config", config)

    check_steps(records_of(made))
    assert [] == list((tmp_path / "data" / "scratch").iterdir())


@pytest.mark.slow
@pytest.mark.parametrize("line", parameters("duckdb"))
def test_duckdb_runs_every_step_and_leaves_nothing(line, drivers, tmp_path):
    """Its library is the tree's, and says the catalogue's version."""
    tree = install_tree(line.tree, line.version, line.source)
    config = BENCH / "configs" / "duckdb" / "t1_1g"
    options = ["--lib", tree / "lib", "--config", config]
    made = run(drivers, tmp_path, "duckdb", 0.2 if line.quick else 1, *options)
    records = records_of(made)

    check_steps(records)
    assert (line.version, "1") == (
        records[0]["version"], records[0]["settings"]["threads"]
    )  # fmt: skip
    assert [] == list((tmp_path / "data" / "scratch").iterdir())


@pytest.mark.parametrize("line", parameters("rocksdb"))
def test_rocksdb_runs_every_step_and_leaves_nothing(line, drivers, tmp_path, monkeypatch):
    """Its library is the tree's, and says the catalogue's version."""
    tree = install_tree(line.tree, line.version, line.source)
    config = BENCH / "configs" / "rocksdb" / "lz4_64m"
    options = ["--lib", tree / "lib", "--config", config]
    tried = tmp_path / "tried"
    tried.mkdir()
    monkeypatch.setenv("TMPDIR", str(tried))
    made = run(drivers, tmp_path, "rocksdb", 0.5, *options)
    records = records_of(made)

    check_steps(records)
    assert f"{records[0]['version']}.".startswith(f"{line.version}.")
    assert [] == list((tmp_path / "data" / "scratch").iterdir())
    assert [] == list(tried.iterdir())
