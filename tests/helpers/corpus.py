"""Real result files of other people's runs, which are never part of the project."""

import os
from pathlib import Path

import pytest

from benchformats.parsed import TextFile

BESIDE = Path(__file__).parents[3] / "shared/corpus"  # beside the checkout


def corpus(*names: str) -> Path:
    """A folder or file of the corpus; the test is skipped where there is none."""
    path = Path(os.environ.get("BENCHBOOK_CORPUS") or BESIDE).joinpath(*names)
    if not path.exists():
        pytest.skip(f"no {'/'.join(names)} in the corpus: set BENCHBOOK_CORPUS")
    return path


def corpus_file(path: Path) -> TextFile:
    """A plain text file of the corpus."""
    return TextFile("/".join(path.parts[-2:]), path.read_text())
