"""Each verb that asks something of a set takes each kind of set, and says the same."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner
from make_runs import make_run
from version_frames import WOBBLE

from benchbook.cli.main import main
from benchbook.imports.importer import import_dir
from benchbook.project import Project
from benchbook.results import evidence
from benchbook.sets.sets import metric_set
from benchbook.store.load import load

pytestmark = pytest.mark.unit

STUDY = (
    "title: Which versions changed?\ntemplate: inserts\ndriver: ingest\n"
    'base: {version: "1"}\nsteps: ["l.i0:rows=1000"]\nplacement: none\ntrials: 2\n'
    "engines:\n"
)
VERSIONS = [str(n) for n in range(1, 13)]
# Version by version two runs: a fifth slower from the seventh on.
RATES = [
    (
        version,
        trial,
        round((1000 if place < 6 else 800) * WOBBLE[(2 * place + trial) % 8]),
    )
    for place, version in enumerate(VERSIONS)
    for trial in (0, 1)
]
TABLE = "".join(f"l.i0,{v},{t + 1},{rate},rows/s,higher\n" for v, t, rate in RATES)
HEADER = "machine,engine,version,step,metric,value,unit,direction,source,date,trial"
PUBLISHED = "".join(
    f"bee,null,{v},l.i0,ips,{rate},rows/s,higher,a.tsv,2024,{t + 1}\n"
    for v, t, rate in RATES
)
VERBS = {
    "compare": (["1", "12"], 0),
    "check": (["1", "12"], 1),
    "changepoints": ([], 0),
    "history": ([], 0),
}


def measured(project: Project) -> str:
    for place, (version, trial, rate) in enumerate(RATES):
        make_run(
            project.raw, version=version, trial=trial + 1, position=place + 1,
            steps=[("l.i0", "insert", 2 * rate, 2.0)],
        )  # fmt: skip
    load(project)
    study = project.posts / "s" / "study.yml"
    study.parent.mkdir(parents=True)
    engines = "".join(f'  - {{engine: "null", version: "{v}"}}\n' for v in VERSIONS)
    study.write_text(STUDY + engines)
    return "s"


def table(folder: Path) -> Path:
    file = folder / "mine.csv"
    file.write_text(f"step,version,trial,value,unit,better\n{TABLE}")
    return file


def imported(project: Project) -> str:
    import_dir(table(project.root), project, "mine")
    return "mine"


def published(project: Project) -> str:
    folder = project.data / "published"
    folder.mkdir(parents=True)
    (folder / "t.csv").write_text(f"{HEADER}\n{PUBLISHED}")
    return "t"


def frozen(project: Project) -> str:
    """A published post: its evidence, and no run of it in the store."""
    metric = metric_set(measured(project), project).metric
    folder = project.posts / "s"
    evidence.write(folder / "evidence", {"metric": metric}, date="2026-11-19")
    (folder / "published.json").write_text("{}\n")
    project.store.unlink()
    return "s"


def files(project: Project) -> str:
    return str(table(project.root))


@pytest.fixture(params=[measured, imported, published, frozen, files])
def source(request, tmp_path, monkeypatch) -> str:
    (tmp_path / "bench").mkdir()
    (tmp_path / "_quarto.yml").touch()
    monkeypatch.setenv("BENCHBOOK_ROOT", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    return request.param(Project(tmp_path))


def words_of(verb: str, source: str) -> list[str]:
    cells, _ = VERBS[verb]
    named = [source] if verb in ("check", "history") else ["--set", source]
    return [verb, *named, *cells]


@pytest.mark.slow
@pytest.mark.parametrize("verb", VERBS)
def test_verb_takes_the_source(verb, source):
    done = CliRunner().invoke(main, words_of(verb, source))

    assert VERBS[verb][1] == done.exit_code, done.output
    said = {"compare": "0.80", "check": "regressed", "changepoints": "6→7",
            "history": "6..7"}  # fmt: skip
    assert said[verb] in done.output
