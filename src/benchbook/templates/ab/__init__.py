"""Is B slower than A?"""

from benchbook.views.noise import STEADY_UNITS, unsteady
from benchmath.variation.steady import steady_state
