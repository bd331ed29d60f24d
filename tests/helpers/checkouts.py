"""Folders that look like a clone and keep their data to themselves."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from places import ROOT, SITE_PAGES
from studies import NULL_STUDY

from benchbook.project import Project


@dataclass(frozen=True)
class Checkout:
    """A folder that looks like a clone and keeps its data to itself."""

    root: Path
    environ: dict[str, str]

    @property
    def project(self) -> Project:
        return Project(self.root)

    def study(self, slug: str, text: str = NULL_STUDY) -> Path:
        """Write posts/<slug>/study.yml."""
        file = self.root / "posts" / slug / "study.yml"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        return file

    def call(self, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
        """Run `benchbook` in this checkout, as a user would."""
        return subprocess.run(
            [sys.executable, "-m", "benchbook", *words],
            cwd=self.root, env=self.environ | more, capture_output=True, text=True,
            check=False,
        )  # fmt: skip

    def ok(self, *words: str, **more: str) -> str:
        """Run `benchbook`, insist on success, return its standard output."""
        done = self.call(*words, **more)
        assert 0 == done.returncode, done.stdout + done.stderr
        return done.stdout

    def runs(self, slug: str) -> list[Path]:
        """The finished run folders of a study."""
        found = (self.root / "data" / "raw" / slug).glob("*/*/*/manifest.json")
        return sorted(p.parent for p in found)


def checkout_below(folder: Path, builds: Path, name: str, machine: str) -> Checkout:
    """A checkout that shares programs with others, and nothing else."""
    root = folder / name
    (root / "posts").mkdir(parents=True)
    (root / "data").mkdir()
    builds.mkdir(parents=True, exist_ok=True)
    (root / "build").symlink_to(builds)
    for shared in ("bench", "notebooks", "site", *SITE_PAGES,
                   "requirements.lock"):  # fmt: skip
        if (ROOT / shared).exists():
            (root / shared).symlink_to(ROOT / shared)
    environ = os.environ | {
        "BENCHBOOK_ROOT": str(root),
        "BENCHBOOK_LOCK": str(folder / "lock"),
        "BENCHBOOK_MACHINE": machine,
    }
    return Checkout(root, environ)


def parts_below(folder: Path) -> dict[int, str]:
    """The processes that name a folder or are in it, by what they are."""
    found = {}
    for place in Path("/proc").glob("[0-9]*"):
        try:
            words = (place / "cmdline").read_bytes().split(b"\0")
            inside = (place / "cwd").readlink().is_relative_to(folder)
        except OSError:
            continue
        pid = int(place.name)
        if pid != os.getpid() and (inside or str(folder).encode() in b" ".join(words)):
            found[pid] = Path(os.fsdecode(words[0])).name or "none"
    return found
