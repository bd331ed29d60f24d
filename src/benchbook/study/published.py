"""Figures of others in a study.yml: `sources:` of a post, `beside:` our own, and of
other posts that its intervals exclude (`explains:`)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchbook.study.file import read_study_file
from benchmath.errors import UserError

MOST_WORDS = 30
_SENTENCE = re.compile(r"(?<=[.!?:])\s+")


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


@dataclass(frozen=True)
class Beside:
    """A table of data/published, and which of its cells stands beside which of ours.

    cells: our name, as the post's tables have it, to theirs, engine and version. The
    first pair is what the others are relative to, ours and theirs. here, there: the
    dimensions that choose among our rows and among theirs where there are several of a
    step. note: what else is different there, in words.
    """

    table: str
    cells: Mapping[str, str]
    here: Mapping[str, str] = field(default_factory=dict)
    there: Mapping[str, str] = field(default_factory=dict)
    note: str = ""


def besides_of(raw: Mapping[str, Any], file: Path) -> tuple[Beside, ...]:
    """What a study.yml puts beside its figures; UserError where nothing is compared."""
    besides = tuple(Beside(**entry) for entry in raw.get("beside", ()))
    for one in besides:
        if len(one.cells) < 2:
            raise UserError(
                f"{file}: beside: the cells of {one.table} need two pairs or more; all "
                'are relative to the first, as in {"5.6.24": "mysql 5.6.51", '
                '"8.0.12": "mysql 8.0.13"}'
            )
    return besides


@dataclass(frozen=True)
class Explains:
    """Why the post measured something else than the other one did."""

    post: str
    other: str
    because: str
    text: str


def read_explains(
    entries: Iterable[Mapping[str, Any]], file: Path
) -> tuple[Explains, ...]:
    """The entries of a study.yml; UserError for a post that is not there."""
    own = file.resolve().parent
    every = tuple(
        Explains(own.name, e["post"], e["because"], e["text"].strip()) for e in entries
    )
    for one in every:
        if one.other == one.post or not (own.parent / one.other / "study.yml").is_file():
            raise UserError(
                f"{file}: explains: there is no other post {one.other!r} in "
                f"{own.parent}; write the name of its folder"
            )
        longest = max(_SENTENCE.split(one.text), key=lambda s: len(s.split()))
        if len(longest.split()) > MOST_WORDS:
            raise UserError(
                f"{file}: explains: a sentence on {one.other} has "
                f"{len(longest.split())} words; write {MOST_WORDS} at most"
            )
    return every


def explained_with(slug: str, own: Iterable[Explains], posts: Path) -> list[Explains]:
    """The entries that a post's page shows: its own, and those of others about it."""
    entries = list(own)
    for file in sorted(posts.glob("*/study.yml")):
        said = file.read_text("utf-8")
        if file.parent.name == slug or not ("explains:" in said and slug in said):
            continue
        named = read_explains(read_study_file(file).get("explains", ()), file)
        entries += [one for one in named if one.other == slug]
    return entries
