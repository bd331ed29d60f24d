"""Builds of the rows of a db_bench sum, from the list of reports that it was made of."""

from __future__ import annotations

import re
from collections.abc import Sequence

_BUILD = re.compile(r"(?P<version>\d+\.\d+(?:\.\d+)?)(?:[._-](?P<build>.+))?", re.ASCII)


def builds_of(reports: Sequence[str], versions: Sequence[str]) -> list[str] | None:
    """What the name of each row's report says besides its version: ``clang.lto``.

    ``reports`` are folders as 6.29.clang.lto, ``versions`` those of the rows of a block.
    None where rows repeat a version and the list does not tell them apart.
    """
    repeats = len(set(versions)) < len(versions)
    if len(reports) != len(versions):
        return None if reports and repeats else [""] * len(versions)
    builds = []
    for folder, version in zip(reports, versions, strict=True):
        found = _BUILD.fullmatch(folder)
        if not found or not f"{version}.".startswith(f"{found['version']}."):
            return None if repeats else [""] * len(versions)
        builds.append(found["build"] or "")
    return builds
