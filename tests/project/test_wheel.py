"""The library as a wheel, outside any checkout: files compared, a laboratory, a post."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from places import ROOT

pytestmark = pytest.mark.engine
# What the extras bring, and so the core may not need.
EXTRAS = (
    "IPython", "altair", "great_tables", "ipykernel", "jinja2", "matplotlib", "nbformat",
    "numba", "papermill", "pypandoc", "ruptures", "vl_convert", "yaml",
)  # fmt: skip


def output(words: list[str], folder: Path, **env: str) -> str:
    done = subprocess.run(
        words, cwd=folder, env=env, capture_output=True, text=True, check=False
    )
    assert 0 == done.returncode, done.stderr[-2000:]
    return done.stdout


@pytest.fixture(scope="module")
def benchbook(tmp_path_factory):
    """The command of a wheel, built and installed here, called from another folder."""
    away = tmp_path_factory.mktemp("away")
    env = {"PATH": os.environ["PATH"], "HOME": str(away / "home")}
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(away)]
    output(build, ROOT, **env)
    (wheel,) = away.glob("*.whl")
    uv = Path(sys.executable).with_name("uv")
    install = [str(uv), "pip", "install", "-q", "--offline", "--no-deps", "--target"]
    output([*install, str(away / "library"), str(wheel)], away, **env)
    for name in EXTRAS:
        (away / "core").mkdir(exist_ok=True)
        missing = f"raise ModuleNotFoundError('No module named {name}', name='{name}')\n"
        (away / "core" / f"{name}.py").write_text(missing)

    def call(*words: str, folder: Path = away, core: bool = True) -> str:
        places = [*([away / "core"] if core else []), away / "library"]
        path = {"PYTHONPATH": os.pathsep.join(map(str, places))}
        words = (sys.executable, "-m", "benchbook", *words)
        return output([*words], folder, **env, **path)

    return call


@pytest.mark.slow
def test_files_are_compared_in_any_folder(benchbook, tmp_path):
    for side, ns in (("old", 100), ("new", 150)):
        (tmp_path / side).mkdir()
        for run in (1, 2):
            text = f"BenchmarkGet-8 100 {ns + run} ns/op\n"
            (tmp_path / side / f"run{run}.txt").write_text(text)
    said = benchbook("compare", "old", "new", "--name", "run{trial}.txt", folder=tmp_path)

    assert "1.493" in said
    assert {"old", "new"} == {path.name for path in tmp_path.iterdir()}

    benchbook("import", ".", "--as", "mine", "--name", "{folder}/run{trial}.txt",
              folder=tmp_path)  # fmt: skip
    words = ("compare", "imported/mine.parquet", "folder=old", "folder=new")
    assert "1.493" in benchbook(*words, folder=tmp_path)


@pytest.mark.slow
def test_laboratory_measures_and_publishes(benchbook, tmp_path):
    """Drivers are compiled from the wheel's sources; its templates make the post."""
    lab = tmp_path / "lab"
    benchbook("init", str(lab))
    benchbook("new", "sorting", "--from", "command", folder=lab)
    study = lab / "posts" / "sorting" / "study.yml"
    text = study.read_text().replace("until: decided", "trials: 2")
    text = text.replace("budget: 3m\n", "").replace("seconds: 2", "seconds: 1")
    study.write_text(text)
    benchbook("run", "sorting", "--quiet", "off", folder=lab)
    benchbook("post", "sorting", folder=lab, core=False)
    benchbook("site", folder=lab, core=False)

    page = (lab / "_site" / "posts" / "sorting" / "index.html").read_text()
    assert "What does sorting twice as many numbers cost?" in page
    assert not (lab / "bench").exists()


@pytest.mark.slow
def test_missing_extra_is_one_sentence(benchbook, tmp_path):
    for n in range(1, 61):  # so many commits take the compiled detector
        (tmp_path / f"1.{n}.txt").write_text(f"BenchmarkGet-8 100 {100 + n % 3} ns/op\n")
    words = ("history", ".", "--name", "{version}.txt")
    with pytest.raises(
        AssertionError, match=r"needs \w+: install 'benchbook\[changes\]'"
    ):
        benchbook(*words, folder=tmp_path)
    assert "1 did not" in benchbook(*words, folder=tmp_path, core=False)
