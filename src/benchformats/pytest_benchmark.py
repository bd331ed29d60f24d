"""pytest-benchmark's JSON: each round of each test, or what the tool made of them.

``--benchmark-json`` and ``--benchmark-autosave``. A test is a step by its full name, the
commit that it ran at is the version ("+dirty" with changes that were not committed). With
--benchmark-save-data every round is there; otherwise median, mean and the like. Seconds.
"""

from __future__ import annotations

from collections.abc import Iterator

from benchformats.json_file import dict_of, figures, text_of
from benchformats.json_format import Figure, JsonFormat, Said, Test, at, whole_texts

NAME = "pytest_benchmark"
VERSION = 2
ONCE = True

_SUMMARY = ("median", "mean", "min", "max", "stddev", "iqr")
_SPREADS = ("stddev", "iqr")


def _version(frame: Said) -> dict[str, str]:
    commit = text_of(at(frame, "commit_info.id"))
    if commit in ("", "unversioned"):
        return {}
    dirty = at(frame, "commit_info.dirty") is True
    return {"version": f"{commit}+dirty" if dirty else commit}


def _figures(test: Test) -> Iterator[Figure | str]:
    """``time`` of each round, or the summary; extra_info that is a number beside it."""
    stats = dict_of(test.said["stats"])
    rounds = figures(stats.get("data"))
    if rounds and all(one is not None and one >= 0 for one in rounds):
        yield Figure("time", rounds, "s", "lower", main=True, each=True)
    else:
        if rounds:
            yield f"{test.step}: rounds that are no times"
        for name in _SUMMARY:
            direction = "none" if name in _SPREADS else "lower"
            yield Figure(name, stats.get(name), "s", direction, main=name == "median")
    for name, value in dict_of(test.said.get("extra_info")).items():
        if text_of(name):
            yield Figure(text_of(name), value, signed=True)


FORMAT = JsonFormat(
    keys=("benchmarks[].stats.rounds", "benchmarks[].stats.stddev"),
    entries="benchmarks",
    step=("fullname", "name"),
    dims=lambda said: whole_texts(group=text_of(said.get("group"))),
    check=lambda test: (
        "" if test.step and dict_of(test.said.get("stats"))
        else f"{test.name}: no statistics"
    ),
    figures=_figures,
    nothing="no rounds and no median",
    common=_version,
    when=("commit_info.time", "datetime"),
)  # fmt: skip
recognises, read = FORMAT.recognises, FORMAT.read
