"""criterion's sample.json: how long each sample of so many iterations took.

``{"sampling_mode": "Linear", "iters": [1, 2, ...], "times": [820, 1650, ...]}``; the
benchmark stands in the names of the folders, as beside it in estimates.json. Before
criterion 0.3 the file was the two lists alone, and only its name says whose they are.
"""

from __future__ import annotations

import re

from benchformats.criterion.figures import place_of
from benchformats.json_file import figures, has_keys, read_json
from benchformats.parsed import Parsed, Problem, Row, TextFile

NAME = "criterion_samples"

_OLD = re.compile(r"\s*\[\s*\[[-+.\deE,\s]+\]\s*,\s*\[[-+.\deE,\s]")


def recognises(file: TextFile) -> bool:
    """How it sampled, iterations and times."""
    if has_keys(file, ("sampling_mode", "iters", "times")):
        return True
    return file.name == "sample.json" and bool(_OLD.match(file.text))


def read(file: TextFile) -> Parsed:
    """``time`` per iteration of each sample, in nanoseconds."""
    document = read_json(file)
    if document.problem:
        return document.refused
    step, version = place_of(file.path)
    said = [document.frame.get("iters"), document.frame.get("times")]
    if not document.frame:
        said = [entry.value for entry in document.entries]
    iters, times = map(figures, said) if len(said) == 2 else ([], [])
    values = [time / n for n, time in zip(iters, times, strict=False)
              if n is not None and time is not None and n > 0 and time >= 0]  # fmt: skip
    if not values or not len(values) == len(iters) == len(times):
        return Parsed(problems=[Problem(0, "iterations and times do not fit: not read")])
    return Parsed([
        Row(document.line, step, "time", value, "ns", "lower", main=True, trial=trial,
            version=version)
        for trial, value in enumerate(values, 1)
    ])  # fmt: skip
