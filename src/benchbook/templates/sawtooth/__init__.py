"""Does the rate go up and down?"""

from benchbook.templates.sawtooth.analysis import (
    BESIDE_NAMES,
    BESIDE_UNITS,
    CYCLE_NAMES,
    CYCLE_UNITS,
    SECONDS_NAMES,
    SECONDS_UNITS,
    sawtooth,
)
from benchbook.templates.sawtooth.finding import sawtooth_finding
