"""criterion's estimates.json: median, mean, slope and their spreads, in nanoseconds.

The benchmark stands in the names of the folders, ``criterion/GROUP/NAME/new``; what is
``change/`` compares two runs and has no times. Before criterion 0.3 the names began with
capitals, ``MedianAbsDev``.
"""

from __future__ import annotations

import re

from benchformats.criterion.figures import estimates, place_of
from benchformats.json_file import has_keys, read_json
from benchformats.parsed import Parsed, Problem, TextFile

NAME = "criterion_estimates"

_KEYS = ("mean.point_estimate", "mean.confidence_interval", "median.point_estimate")
_OLD_KEYS = tuple(key.capitalize() for key in _KEYS)
_WORD = re.compile(r"(?<=[a-z])(?=[A-Z])")


def recognises(file: TextFile) -> bool:
    """Estimates with a point and its confidence interval."""
    return has_keys(file, _KEYS) or has_keys(file, _OLD_KEYS)


def read(file: TextFile) -> Parsed:
    """The point estimates; none of a comparison of two runs."""
    document = read_json(file)
    if document.problem:
        return document.refused
    said = {_WORD.sub("_", name).lower(): one for name, one in document.frame.items()}
    if "std_dev" not in said:
        why = "criterion's change between two runs, no times of a run: not read"
        return Parsed(problems=[Problem(0, why)])
    step, version = place_of(file.path)
    rows = estimates(document.line, step, version, said, "ns", main=True)
    if not rows:
        return Parsed(problems=[Problem(0, "no estimate is a time")])
    return Parsed(rows)
