"""Is B slower than A?"""

from benchbook.views.noise import unsteady
from benchmath.variation.steady import steady_state
