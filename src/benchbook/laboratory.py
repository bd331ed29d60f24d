"""A laboratory of one's own: the folders and settings that studies and posts need."""

from __future__ import annotations

import shutil
from pathlib import Path

from benchbook.files import replace_text
from benchbook.project import shipped
from benchmath.errors import UserError

# What pyproject.toml packs into a wheel, but for the drivers: these stay there.
FOLDERS = ("notebooks", "site", "library")
FILES = (
    "_quarto.yml", "index.qmd", "all.qmd", "versions.qmd", "explore.qmd", "api.qmd",
    "about.qmd", "404.qmd", "METHODS.md", "posts/_metadata.yml", ".gitignore",
)  # fmt: skip
# There is no Makefile with a set-up to run first.
_MAKE = {"make -s vega": "python3 -m benchbook.posts.vega",
         "make -s explore": "python3 -m benchbook.explore.files"}  # fmt: skip
_MADE = shutil.ignore_patterns("vega.js", "explore", "__pycache__", ".ipynb_checkpoints")


def make_laboratory(folder: Path) -> list[str]:
    """Write what a laboratory consists of into a folder, and say what.

    Nothing that is there is changed: UserError names what is in the way, before anything
    is written. The settings file, which makes it a laboratory, comes last.
    """
    source, places = shipped(), [*FOLDERS, *reversed(FILES)]
    if there := [place for place in places if (folder / place).exists()]:
        raise UserError(
            f"{folder / there[0]} is there already: choose another folder, or move it"
        )
    for place in places:
        target = folder / place
        target.parent.mkdir(parents=True, exist_ok=True)
        if place in FOLDERS:
            shutil.copytree(source / place, target, ignore=_MADE)
        else:
            text = (source / place).read_text(encoding="utf-8")
            for ours, theirs in _MAKE.items():
                text = text.replace(ours, theirs)
            replace_text(target, text)
    return places
