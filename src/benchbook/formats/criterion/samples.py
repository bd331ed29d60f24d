"""criterion's sample.json: how long each sample of so many iterations took.

``{"sampling_mode": "Linear", "iters": [1, 2, ...], "times": [820, 1650, ...]}``; the
benchmark stands in the names of the folders, as beside it in estimates.json.
"""

from __future__ import annotations

from benchbook.formats.criterion.figures import place_of
from benchbook.formats.json_file import figures, has_keys, read_json
from benchbook.formats.parsed import Parsed, Problem, Row, TextFile

NAME = "criterion_samples"


def recognises(file: TextFile) -> bool:
    """How it sampled, iterations and times."""
    return has_keys(file, ("sampling_mode", "iters", "times"))


def read(file: TextFile) -> Parsed:
    """``time`` per iteration of each sample, in nanoseconds."""
    document = read_json(file)
    if document.problem:
        return document.refused
    step, version = place_of(file.path)
    pairs = list(zip(figures(document.frame.get("iters")),
                     figures(document.frame.get("times")), strict=False))  # fmt: skip
    values = [time / n for n, time in pairs
              if n is not None and time is not None and n > 0 and time >= 0]  # fmt: skip
    same = len(figures(document.frame.get("iters"))) == len(
        figures(document.frame.get("times"))
    )
    if not values or len(values) < len(pairs) or not same:
        return Parsed(problems=[Problem(0, "iterations and times do not fit: not read")])
    return Parsed([
        Row(document.line, step, "time", value, "ns", "lower", main=True, trial=trial,
            version=version)
        for trial, value in enumerate(values, 1)
    ])  # fmt: skip
