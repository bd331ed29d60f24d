"""Otava on JSON lines: a series per line in, a list of first indexes per line out.

Run by the interpreter of Otava's own environment, because Otava pins an older NumPy.
Its defaults: windows of 50 points, p-value 0.001, any size of change.
"""

import json
import sys

from otava.analysis import compute_change_points

for line in sys.stdin:
    found, _ = compute_change_points(json.loads(line))
    sys.stdout.write(json.dumps([int(change.index) for change in found]) + "\n")
