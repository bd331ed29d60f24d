"""The story the project is for, end to end, with two SQLite builds on two machines."""

import json
import shutil
import subprocess

import pytest
from places import ROOT

pytestmark = pytest.mark.engine

STUDY = """\
title: Is the new build slower?
template: inserts
driver: ingest
base: {tag: sq3401_old}
engines:
  - {tag: sq3401_old, engine: sqlite, version: "3.40.1", basedir: OLD, config: mine,
     build: gcc -O1}
  - {tag: sq3401_new, engine: sqlite, version: "3.40.1", basedir: NEW, config: mine,
     build: gcc -O0}
matrix: {indexes: [3]}
steps: ["l.i0:rows=5000", "l.x", "l.i1:rows=1000", "qp100.L2:seconds=1"]
trials: 2
"""


@pytest.fixture(scope="session")
def trees(builds):
    """Two install trees of one SQLite: optimised, and not."""
    made = []
    for name, flags in (("sq-O1", "-O1"), ("sq-O0", "-O0")):
        tree = builds / "trees" / name
        if not list(tree.glob("lib/*.so*")):
            done = subprocess.run(
                [ROOT / "bench" / "build_sqlite.sh", tree, "3.40.1", "gcc", flags],
                capture_output=True, text=True, check=False,
            )  # fmt: skip
            if done.returncode != 0:
                pytest.skip(
                    f"SQLite's sources cannot be had: {done.stderr.strip()[-200:]}"
                )
        made.append(tree)
    return made


@pytest.mark.slow  # compiles SQLite twice
def test_two_builds_from_server_to_published_post(make_checkout, trees):
    """plan, detached run, rsync home, post, an edited sentence, publish."""
    server, home = make_checkout("server", "bigbox"), make_checkout("home", "laptop")
    text = STUDY.replace("OLD", str(trees[0])).replace("NEW", str(trees[1]))
    for checkout in (server, home):
        configs = checkout.study("ab", text).parent / "configs"
        configs.mkdir()
        (configs / "mine").write_text("journal_mode = wal\nsynchronous = off\n")
    plan = server.ok("plan", "ab")
    assert "2 cells x 2 trials = 4 runs: 0 done, 0 failed, 4 to make" in plan
    server.ok("run", "ab")
    assert 4 == len(server.runs("ab"))

    raw = "data/raw/"
    (home.root / raw).mkdir(parents=True)
    subprocess.run(
        ["rsync", "-a", f"{server.root}/{raw}", f"{home.root}/{raw}"], check=True
    )
    study = home.root / "posts" / "ab" / "study.yml"
    study.write_text(text.replace(str(trees[0]), "/gone").replace(str(trees[1]), "/gone"))
    home.ok("post", "ab", "--no-measure")
    _edit(home.root / "posts" / "ab" / "index.ipynb", "We will look at page size next.")
    home.ok("post", "ab", "--no-measure", "--force")
    home.ok("publish", "ab")
    page = (home.root / "posts" / "ab" / "index.ipynb").read_text()

    assert "We will look at page size next." in page
    assert "sq3401_new" in page
    assert "bigbox" in page
    assert "benchbook run ab" in page

    clone = make_checkout("clone", "elsewhere")
    shutil.copytree(home.root / "posts" / "ab", clone.root / "posts" / "ab")
    clone.ok("post", "ab", "--force")
    again = (clone.root / "posts" / "ab" / "index.ipynb").read_text()

    assert not (clone.root / "data" / "raw").exists()
    assert _tables(page) == _tables(again)


def _edit(notebook, sentence):
    """What a person does in the editor: another sentence in a hand-written cell."""
    content = json.loads(notebook.read_text())
    cell = next(
        c for c in content["cells"] if "hand-written" in c["metadata"].get("tags", [])
    )
    cell["source"] = sentence
    notebook.write_text(json.dumps(content))


def _tables(text):
    """Every HTML table of a notebook, without the ids that make pages unique."""
    cells = json.loads(text)["cells"]
    outputs = [o for c in cells for o in c.get("outputs", [])]
    shown = ["".join(o.get("data", {}).get("text/markdown", "")) for o in outputs]
    return [s for s in shown if "<table" in s]
