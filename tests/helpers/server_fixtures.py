"""What tests of servers need, made once: compiled helpers and install trees."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from servers import compiled, install_tree


@pytest.fixture(scope="session")
def helpers(builds) -> Path:
    """A folder that holds keeper and no driver."""
    out = builds / "keeper"
    out.mkdir(parents=True, exist_ok=True)
    # Renamed over the old one, which another worker's tests may be running.
    mine = builds / f"keeper.{os.getpid()}"
    shutil.copy2(compiled(builds, "keeper") / "keeper", mine)
    mine.replace(out / "keeper")
    return out


@pytest.fixture(scope="session")
def drivers(builds) -> Path:
    """The folder of keeper, ingest and the other compiled helpers."""
    for goal in ("ingest", "keeper", "now", "probe"):
        out = compiled(builds, goal)
    return out


@pytest.fixture(scope="session")
def postgres() -> Path:
    """Debian's PostgreSQL 15."""
    return install_tree("postgres", "15", "debian")


@pytest.fixture(scope="session")
def mariadb() -> Path:
    """Debian's MariaDB 10.11, with MyRocks."""
    return install_tree("mariadb", "10.11", "debian")
