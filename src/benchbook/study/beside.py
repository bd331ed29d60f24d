"""`beside:` of study.yml: published figures that stand beside the study's own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmath.errors import UserError


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
