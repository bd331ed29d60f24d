"""Is B slower than A?"""

from benchbook.results.noise import unsteady
from benchmath.variation.steady import steady_state
