"""Tools that do their work and then wait, so that a test can kill who called them."""

from __future__ import annotations

import shutil
from pathlib import Path


def make_slow_tar(folder: Path) -> None:
    """A folder for PATH with a tar that unpacks, makes folder/unpacked, and waits."""
    folder.mkdir()
    (folder / "tar").write_text(
        f'#!/bin/sh\n{shutil.which("tar")} "$@" && touch {folder}/unpacked && sleep 60\n'
    )
    (folder / "tar").chmod(0o755)
