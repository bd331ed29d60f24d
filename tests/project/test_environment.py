"""Set-up: the lock, the conda environment, setup.sh, the Makefile."""

from __future__ import annotations

import re
import subprocess
import tomllib
from importlib import metadata

import pytest
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name
from places import ROOT
from ruamel.yaml import YAML

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
LOCK = (ROOT / "requirements.lock").read_text()
LOCKED = dict(re.findall(r"^([a-z0-9._-]+)==(\S+)", LOCK, re.M))
BUILD_FILES = (
    "Makefile", "setup.sh", "environment.yml", "pyproject.toml", "requirements.lock",
    ".ci/run", "bench/Makefile",
)  # fmt: skip
# Packages that conda-forge has under another name.
CONDA_NAMES = {
    "duckdb": "python-duckdb",
    "great-tables": "great_tables",
    "matplotlib": "matplotlib-base",
    "playwright": "playwright-python",
    "pypandoc-binary": "pypandoc",
    "zlib-ng": "python-zlib-ng",
}
# What Debian or pip's own bootstrap brings where there is no conda.
CONDA_ALONE = {
    "binutils", "clang", "clangxx", "gcc", "git", "gxx", "lld", "make", "rsync",
    "shellcheck", "sqlite", "tk", "xz", "zstd", "pandoc", "quarto", "pip", "python",
    "libpq", "mariadb-connector-c", "gdb", "valgrind",
}  # fmt: skip


def requirements():
    """All that the project and its extras ask for; an extra may name another one."""
    extras = PROJECT["optional-dependencies"].values()
    lines = [*PROJECT["dependencies"], *(line for extra in extras for line in extra)]
    asked = [Requirement(line) for line in lines]
    return [r for r in asked if r.name != PROJECT["name"]]


def conda():
    """Package name and version specifier of each line of environment.yml."""
    listed = YAML(typ="safe").load(ROOT / "environment.yml")["dependencies"]
    (by_pip,) = (entry["pip"] for entry in listed if not isinstance(entry, str))
    lines = [*(entry for entry in listed if isinstance(entry, str)), *by_pip]
    return {line.partition(" ")[0]: line.partition(" ")[2] for line in lines}


def setup(script):
    """Run shell text with the functions of setup.sh."""
    return subprocess.run(
        ["bash", "-c", f"source ./setup.sh; {script}"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )


def test_conda_has_what_pyproject_asks_for():
    """environment.yml names each dependency, with the versions of pyproject.toml."""
    expected = {
        CONDA_NAMES.get(r.name, r.name): SpecifierSet(str(r.specifier))
        for r in requirements()
    }
    there = {k: SpecifierSet(v) for k, v in conda().items() if k not in CONDA_ALONE}

    assert expected == there


def test_conda_python_is_the_projects():
    """Both set-ups start at the same Python."""
    lowest = str(SpecifierSet(PROJECT["requires-python"]))

    assert conda()["python"].startswith(lowest)


def test_lock_has_every_dependency():
    """Each dependency is locked at a version that pyproject.toml allows."""
    outside = [
        str(r)
        for r in requirements()
        if not r.specifier.contains(LOCKED.get(canonicalize_name(r.name), "0.dev0"))
    ]
    assert [] == outside


def test_lock_hashes_everything():
    """Each locked package has a sha256, so that nothing unknown is installed."""
    blocks = re.split(r"\n(?=\S)", LOCK.strip())

    assert [] == [block for block in blocks if "--hash=sha256:" not in block]


def test_lock_installs_on_the_oldest_python():
    """No locked package needs a newer Python than requires-python promises."""
    oldest = PROJECT["requires-python"].removeprefix(">=") + ".0"
    newer = [
        name
        for name in LOCKED
        if not SpecifierSet(metadata.metadata(name).get("Requires-Python", "")).contains(
            oldest
        )
    ]
    assert [] == newer


@pytest.mark.parametrize("name", BUILD_FILES)
def test_no_addresses_in_build_files(name):
    """Packages come from whatever registry the user's tools are set to."""
    assert "://" not in (ROOT / name).read_text()


@pytest.mark.slow
def test_no_absolute_paths():
    """No source knows the folder it was written in."""
    home = re.compile(r"(?<![\w.}\"'])/(?:work|root|home)/")
    folders = ("src", "bench", "tests", "notebooks", "posts", "site", "data/published")
    files = [p for folder in folders for p in (ROOT / folder).rglob("*") if p.is_file()]
    text = (".c", ".cc", ".h", ".py", ".sh", ".sql", ".md", ".yml", ".tsv", ".json", "")
    ours = [p for p in files if p.suffix in text and "bin" not in p.parts]

    assert [] == [str(p) for p in ours if home.search(p.read_text(errors="replace"))]


def test_makefile_explains_each_target():
    """`make` prints every target, and each is phony."""
    makefile = (ROOT / "Makefile").read_text()
    explained = re.findall(r"^([a-z-]+):\s*## \S", makefile, re.M)
    phony = re.search(r"^\.PHONY: (.*)$", makefile, re.M)[1].split()

    assert phony == explained


@pytest.mark.engine
def test_setup_names_all_missing_packages_at_once():
    """Without root there is one apt line with all that is missing."""
    done = setup("""
        is_root() { false; }
        present() { [[ $1 == apt-get || $1 == gcc ]]; }
        system_packages "gcc gcc" "g++ g++" "/usr/include/sqlite3.h libsqlite3-dev"
    """)
    line = "sudo apt-get install -y --no-install-recommends g++ libsqlite3-dev"

    assert (1, True) == (done.returncode, done.stderr.rstrip().endswith(line))


@pytest.mark.engine
def test_setup_where_there_is_no_apt():
    """Other distributions get the names of what is missing."""
    done = setup("present() { false; }; system_packages 'ld.lld-19 lld-19'")

    assert (1, True) == (done.returncode, "missing: lld-19" in done.stderr)


@pytest.mark.engine
def test_setup_while_another_apt_is_at_work():
    """dpkg does not wait for its lock, apt-get does: only that it fails would tell."""
    done = setup("""
        dpkg() { echo 'dpkg: error: frontend lock was locked' >&2; return 2; }
        apt-get() { echo "$@" >&2; }
        apt_install zstd
    """)
    assert (0, "") == (done.returncode, done.stderr)


@pytest.mark.engine
def test_setup_usage():
    """An unknown word is bad usage and touches nothing."""
    done = subprocess.run(
        ["./setup.sh", "all"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (2, "setup: usage: ./setup.sh python|report|test|test-all\n") == (
        done.returncode,
        done.stderr,
    )


@pytest.mark.engine
def test_setup_takes_uv_from_the_lock():
    """Where there is no uv, the pinned one with its hashes is what pip gets."""
    done = setup("sed -n '/^uv==/,/[^\\\\]$/p' requirements.lock")
    lines = done.stdout.splitlines()

    assert f"uv=={LOCKED['uv']} \\" == lines[0]
    assert len(lines) > 1
    assert all("--hash=sha256:" in line for line in lines[1:])


@pytest.mark.engine
def test_shell_scripts_pass_shellcheck():
    """No finding in any script, and no file turns a check off for all of it."""
    scripts = [ROOT / "setup.sh", ROOT / ".ci/run", *(ROOT / "bench").rglob("*.sh")]
    done = subprocess.run(
        ["shellcheck", "-x", *scripts],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "" == done.stdout
