"""Where things lie in a checkout."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from benchmath.errors import UserError


@dataclass(frozen=True)
class Project:
    """A checkout; every path that the library uses is a property of it."""

    root: Path

    @property
    def posts(self) -> Path:
        return self.root / "posts"

    @property
    def notebooks(self) -> Path:
        return self.root / "notebooks"

    @property
    def bench(self) -> Path:
        return self.root / "bench"

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
        """The checkout around ``start`` (default: BENCHBOOK_ROOT, else this folder)."""
        named = os.environ.get("BENCHBOOK_ROOT")
        if start is None and named:
            return cls(Path(named).resolve())
        here = (start or Path.cwd()).resolve()
        for folder in (here, *here.parents):
            if (folder / "_quarto.yml").is_file() and (folder / "bench").is_dir():
                return cls(folder)
        raise UserError(
            f"no Benchbook checkout at or above {here}: "
            "change into one, or set BENCHBOOK_ROOT to it"
        )


def user_cache(part: str) -> Path:
    """A part of it, as bench/install.sh and bench/fetch.sh place theirs."""
    if named := os.environ.get("BENCHBOOK_CACHE"):
        return Path(named) / part
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(home) / "benchbook" / part
