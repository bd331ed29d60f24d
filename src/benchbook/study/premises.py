"""What the question of a study presumes, as names; ``hazards.premises`` checks them.

Every measured study presumes the usual ones. A template's question may presume more, and
so may a study's, with the key `premises` of study.yml in place of the template's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

USUAL = ("long_enough", "paced", "alone", "clock")
OF_TEMPLATE: Mapping[str, tuple[str, ...]] = {
    "io-bound": ("larger_than_memory", "reads"),
}


def premises_of_study(template: str, named: Sequence[str] | None) -> tuple[str, ...]:
    """Those of the question first: named ones, else the template's; then the usual."""
    premises = OF_TEMPLATE.get(template, ()) if named is None else tuple(named)
    return tuple(dict.fromkeys([*premises, *USUAL]))
