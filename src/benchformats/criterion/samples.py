"""criterion's sample.json: how long each sample of so many iterations took.

``{"sampling_mode": "Linear", "iters": [1, 2, ...], "times": [820, 1650, ...]}``; the
benchmark stands in the names of the folders, as beside it in estimates.json. Before
criterion 0.3 the file was the two lists alone, and only its name says whose they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from benchformats.criterion.estimates import per_iteration, place_of
from benchformats.json_file import Document, Entry, has_keys
from benchformats.json_format import Figure, JsonFormat
from benchformats.parsed import TextFile

NAME = "criterion_samples"

_KEYS = ("sampling_mode", "iters", "times")
_OLD = re.compile(r"\s*\[\s*\[[-+.\deE,\s]+\]\s*,\s*\[[-+.\deE,\s]")


def recognises(file: TextFile) -> bool:
    """How it sampled, iterations and times."""
    old = file.name == "sample.json" and bool(_OLD.match(file.text))
    return old or has_keys(file, _KEYS)


def _samples(file: TextFile, document: Document) -> Iterator[Entry]:
    """The file as one entry, with the ``time`` per iteration of each sample."""
    said = [document.frame.get("iters"), document.frame.get("times")]
    if not document.frame:
        said = [entry.value for entry in document.entries]
    times = per_iteration(*said) if len(said) == 2 else []
    yield Entry(document.line, {"times": times, **place_of(file.path)})


FORMAT = JsonFormat(
    keys=_KEYS,
    prepared=_samples,
    step=("step",),
    version="version",
    figures=lambda test: [
        Figure("time", test.said["times"], "ns", "lower", main=True, each=True)
    ],
    empty="iterations and times do not fit: not read",
)
read = FORMAT.read
