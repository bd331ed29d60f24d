"""The files of bench/ call each other downwards only."""

from __future__ import annotations

import subprocess
from graphlib import TopologicalSorter
from pathlib import Path

import pytest
from places import BENCH
from servers import compiled

pytest_plugins = ("server_fixtures",)
pytestmark = pytest.mark.engine


def symbols(file: Path) -> tuple[set[str], set[str]]:
    """What an object file defines for others, and what it needs of them."""
    words = ["nm", "--extern-only", "--portability", str(file)]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    kinds = [line.split()[:2] for line in done.stdout.splitlines()]
    needed = {name for name, kind in kinds if kind in "Uw"}
    return {name for name, _ in kinds} - needed, needed


@pytest.mark.slow
@pytest.mark.parametrize("program", ["ingest", "sql", "referee"])
def test_no_two_files_need_each_other(builds, program):
    """Not through others either: static_order() raises the circle it finds."""
    objects = compiled(builds, program) / "obj"
    rooms = (program, "client", "engines", "engines/*", "common")
    sources = (file for room in rooms for file in BENCH.glob(f"{room}/*.c"))
    made = (objects / file.relative_to(BENCH).with_suffix(".o") for file in sources)
    files = [file for file in made if file.exists()]
    read = {file: symbols(file) for file in files}
    home = {name: file for file, (own, _) in read.items() for name in own}
    needs = {
        file: {home[name] for name in needed if name in home}
        for file, (_, needed) in read.items()
    }
    assert set(files) == set(TopologicalSorter(needs).static_order())
