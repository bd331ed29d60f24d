"""Where things lie in a laboratory: a checkout, or what `benchbook init` makes."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from benchmath.errors import UserError


@dataclass(frozen=True)
class Project:
    """A laboratory; every path that the library uses is a property of it."""

    root: Path

    @property
    def posts(self) -> Path:
        return self.root / "posts"

    @property
    def notebooks(self) -> Path:
        return self.root / "notebooks"

    @property
    def bench(self) -> Path:
        """The drivers: its own, else those that came with the library."""
        own = self.root / "bench"
        there = own.is_dir() or not own.is_absolute()  # on another host: by_hand.py
        return own if there else shipped() / "bench"

    @property
    def data(self) -> Path:
        return self.root / "data"

    @property
    def raw(self) -> Path:
        return self.data / "raw"

    @property
    def imported(self) -> Path:
        return self.data / "imported"

    @property
    def store(self) -> Path:
        return self.data / "benchbook.duckdb"

    @property
    def build(self) -> Path:
        """Compiled drivers, one folder per build digest."""
        return self.root / "build"

    @property
    def status(self) -> Path:
        """Progress of measuring processes, one file per study."""
        return self.data / "status"

    @property
    def site(self) -> Path:
        return self.root / "_site"

    @classmethod
    def find(cls, start: Path | None = None) -> Project:
        """The laboratory around ``start`` (default: BENCHBOOK_ROOT, else this folder)."""
        named = os.environ.get("BENCHBOOK_ROOT")
        if start is None and named:
            return cls(Path(named).resolve())
        here = (start or Path.cwd()).resolve()
        for folder in (here, *here.parents):
            parts = (folder / "bench", folder / "notebooks")
            if (folder / "_quarto.yml").is_file() and any(p.is_dir() for p in parts):
                return cls(folder)
        raise UserError(
            f"no laboratory of Benchbook at or above {here}: change into one, set "
            "BENCHBOOK_ROOT to it, or make one with `benchbook init FOLDER`"
        )


def shipped() -> Path:
    """What a laboratory is made of: a wheel's copy, else the checkout around it."""
    packed = Path(__file__).parent / "shipped"
    return packed if packed.is_dir() else Path(__file__).parents[2]


def here() -> Project | None:
    """The laboratory around this folder, if there is one."""
    try:
        return Project.find()
    except UserError:
        return None


def user_cache(part: str) -> Path:
    """A part of it, as bench/install.sh and bench/fetch.sh place theirs."""
    if named := os.environ.get("BENCHBOOK_CACHE"):
        return Path(named) / part
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(home) / "benchbook" / part
