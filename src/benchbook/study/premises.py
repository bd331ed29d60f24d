"""What a study presumes: names of premises, and how quiet its machine is to be.

Every measured study presumes the usual ones, which ``hazards.premises`` checks. A
template's question may presume more, and so may a study's, with the key `premises` of
study.yml in place of the template's. `quiet:` says what others may take of the machine.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchbook.study.until import seconds_of, share_of
from benchmath.errors import UserError

USUAL = ("long_enough", "paced", "alone", "clock", "together", "pace")
OF_TEMPLATE: Mapping[str, tuple[str, ...]] = {
    "io-bound": ("larger_than_memory", "reads"),
}
VARIABLE = "BENCHBOOK_QUIET"  # in place of study.yml's, for tests and `make report`
OFF = "off"
USUAL_QUIET = "5%"
PATIENCE_S = 1800.0


def premises_of_study(template: str, named: Sequence[str] | None) -> tuple[str, ...]:
    """Those of the question first: named ones, else the template's; then the usual."""
    premises = OF_TEMPLATE.get(template, ()) if named is None else tuple(named)
    return tuple(dict.fromkeys([*premises, *USUAL]))


@dataclass(frozen=True)
class Quiet:
    """What others may take; ``limit`` None: nobody looks."""

    limit: float | None  # of one CPU before a run, of the busy CPU time of a round in it
    patience_s: float = PATIENCE_S  # to wait for it

    @property
    def permille(self) -> int:
        """As the referee is told; 0: nothing is left out."""
        return round(1000 * self.limit) if self.limit else 0


NOBODY_LOOKS = Quiet(None)


def quiet_of(said: Any, what: str) -> Quiet:
    """`off`, or a share and how long to wait for it: `5%`, `5%, 2h`."""
    if said is False or said == OFF:  # YAML reads a bare off as false
        return NOBODY_LOOKS
    share, _, patience = str(said).partition(",")
    if said is True or not share.strip():
        raise UserError(f"{what} {said!r}: write off, 5%, or 5%, 2h (how long to wait)")
    seconds = seconds_of(patience.strip(), what) if patience else PATIENCE_S
    return Quiet(share_of(share, what, "what others may take"), seconds)


def quiet_of_study(raw: dict[str, Any], file: Path) -> Quiet:
    """What study.yml says, unless the environment says otherwise."""
    asked = quiet_of(raw.get("quiet", USUAL_QUIET), f"{file}: quiet")
    ours = os.environ.get(VARIABLE)
    return quiet_of(ours, VARIABLE) if ours else asked
