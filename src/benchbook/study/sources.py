"""`sources:` of study.yml: whose figures a post of published figures shows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmath.errors import UserError


@dataclass(frozen=True)
class Source:
    """A public page or archive: who wrote it, what it is called, where it is, its day."""

    author: str
    title: str
    url: str
    date: str


def sources_of(raw: Mapping[str, Any], file: Path) -> tuple[Source, ...]:
    """What a study.yml names as its sources; the post has the date of the newest."""
    sources = tuple(Source(**entry) for entry in raw.get("sources", ()))
    if sources and "data" not in raw:
        raise UserError(
            f"{file}: sources are of published figures: `data:` is missing beside them"
        )
    newest = max((source.date for source in sources), default="")
    if sources and raw.get("date") != newest:
        raise UserError(
            f"{file}: date: published figures have the date of their newest source, "
            f'"{newest}"'
        )
    return sources
