"""What a changepoint detector reports of one change, whatever the shape of the series."""

from dataclasses import dataclass

# Whose evidence a change rests on: its own series', or that of the others of a panel.
OWN, SHARED = "own", "shared"


@dataclass(frozen=True)
class Shift:
    """A change of level.

    ``position`` is the index of the new level's first point; ``p`` is adjusted for all
    the positions that the detector could have chosen in its series.
    """

    position: int
    p: float
