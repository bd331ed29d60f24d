"""criterion's estimates.json: median, mean, slope and their spreads, in nanoseconds.

The benchmark stands in the names of the folders, ``criterion/GROUP/NAME/new``; what is
``change/`` compares two runs and has no times. Before criterion 0.3 the names began with
capitals, ``MedianAbsDev``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from benchformats.criterion.figures import estimates, place_of
from benchformats.json_file import Document, Entry, has_keys
from benchformats.json_format import JsonFormat
from benchformats.parsed import Problem, TextFile

NAME = "criterion_estimates"

_KEYS = ("mean.point_estimate", "mean.confidence_interval", "median.point_estimate")
_OLD_KEYS = tuple(key.capitalize() for key in _KEYS)
_WORD = re.compile(r"(?<=[a-z])(?=[A-Z])")


def recognises(file: TextFile) -> bool:
    """Estimates with a point and its confidence interval."""
    return has_keys(file, _KEYS) or has_keys(file, _OLD_KEYS)


def _estimates(file: TextFile, document: Document) -> Iterator[Entry | Problem]:
    """The point estimates; none of a comparison of two runs."""
    said = {_WORD.sub("_", name).lower(): one for name, one in document.frame.items()}
    if "std_dev" in said:
        yield Entry(document.line, said | place_of(file.path))
    else:
        yield Problem(
            0, "criterion's change between two runs, no times of a run: not read"
        )


FORMAT = JsonFormat(
    keys=_KEYS,
    prepared=_estimates,
    step=("step",),
    version="version",
    figures=lambda test: estimates(test.said, "ns", main=True),
    empty="no estimate is a time",
)
read = FORMAT.read
