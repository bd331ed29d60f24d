"""Does the rate go up and down?"""

from benchbook.templates.sawtooth.analysis import sawtooth
from benchbook.templates.sawtooth.finding import sawtooth_finding
