"""A Lua script of the user's own for the driver `sysbench`: where it is, its digest."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchbook.digests import short_digest
from benchbook.study.cell import OF_A_SERVER, TAKEN
from benchmath.errors import UserError

CAME_WITH_IT = Path("/usr/share/sysbench")  # where packages of sysbench keep theirs
COMMANDS = ("load", "cleanup")  # steps that are its commands prepare and cleanup
# What the driver does not take for an option of the script.
NO_OPTIONS = ("prepare", *OF_A_SERVER, "script")


@dataclass(frozen=True)
class Script:
    """What a study must know of a script: its name in tables, its file and content."""

    name: str
    file: Path
    digest: str


def find_script(named: str, study_file: Path) -> Script:
    """The file that a study's `script:` names: below the post's folder, or sysbench's."""
    post = study_file.resolve().parent
    own = (post / named).resolve()
    if own.is_relative_to(post) and own.is_file():
        return _script(own.name, own)
    usual = CAME_WITH_IT / f"{named}.lua"
    if re.fullmatch(r"[a-z_]+", named) and usual.is_file():
        return _script(named, usual)
    raise UserError(
        f"{study_file}: no script {named!r}: name a Lua file below the post's folder, "
        f"such as my.lua, or one that came with sysbench, such as oltp_read_only"
    )


def check_script_options(
    dims: Mapping[str, Any], dimensions: Iterable[str], where: str
) -> None:
    """Refuse a dimension that can be no option of a script.

    Which ones the script has it alone knows: sysbench refuses others.
    """
    for name in dims.keys() - set(dimensions):
        if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_-]*", name) or name in TAKEN:
            raise UserError(
                f"{where}: {name!r} is the name of a column of the results, or none that "
                "an option can have: set it in the script"
            )


def _script(name: str, file: Path) -> Script:
    return Script(name, file, short_digest(file.read_bytes()))
