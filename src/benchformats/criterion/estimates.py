"""criterion's estimates.json: median, mean, slope and their spreads, in nanoseconds.

The benchmark stands in the names of the folders, ``criterion/GROUP/NAME/new``; what is
``change/`` compares two runs and has no times. Before criterion 0.3 the names began with
capitals, ``MedianAbsDev``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from benchformats.json_file import Document, Entry, dict_of, figures, has_keys, text_of
from benchformats.json_format import Figure, JsonFormat, Said
from benchformats.parsed import Problem, TextFile
from benchformats.units import direction_of

NAME = "criterion_estimates"

TYPICAL = ("median", "mean", "slope")
SPREADS = ("std_dev", "median_abs_dev")
_KEYS = ("mean.point_estimate", "mean.confidence_interval", "median.point_estimate")
_OLD_KEYS = tuple(key.capitalize() for key in _KEYS)
_WORD = re.compile(r"(?<=[a-z])(?=[A-Z])")


def place_of(path: str) -> dict[str, str]:
    """Benchmark and baseline of ``target/criterion/GROUP/NAME/new/estimates.json``.

    The baseline (``new``, ``base`` or a name of --save-baseline) is what criterion calls
    the version that was measured.
    """
    folders = path.split("/")[:-1]
    if "criterion" in folders:
        folders = folders[folders.index("criterion") + 1 :]
    last = text_of(folders[-1]) if folders else ""
    return {"step": text_of("/".join(folders[:-1])) or last, "version": last}


def estimates(said: Said, unit: str, main: bool) -> Iterator[Figure]:
    """Median, mean, slope and spreads; the median is the step's figure if any is."""
    for name in (*TYPICAL, *SPREADS):
        one = dict_of(said.get(name))
        own = text_of(one.get("unit")) or unit
        value = one.get("point_estimate", one.get("estimate"))
        direction = "none" if name in SPREADS else direction_of(own)
        yield Figure(name, value, own, direction, main=main and name == "median")


def per_iteration(iterations: object, times: object) -> list[float]:
    """The time of an iteration in each sample; [] where they do not all fit."""
    counts, measured = figures(iterations), figures(times)
    each = [time / n for n, time in zip(counts, measured, strict=False)
            if n is not None and time is not None and n > 0 and time >= 0]  # fmt: skip
    return each if len(each) == len(counts) == len(measured) else []


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
