"""What a changepoint detector reports of one change, whatever the shape of the series."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Shift:
    """A change of level.

    ``position`` is the index of the new level's first point; ``p`` is adjusted for all
    the positions that the detector could have chosen in its series.
    """

    position: int
    p: float
