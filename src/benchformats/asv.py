"""asv's results/MACHINE/COMMIT-ENV.json, its versions 1 and 2: benchmarks at one commit.

The commit is the version, its date the time; Python and the packages of the environment
are dimensions. A benchmark is a step, with its parameters as asv shows them:
``time_sort(1000, 'quick')``. Each recorded sample is a figure, or else the result alone.
The unit follows from the name: time_ in seconds, mem_ and peakmem_ in bytes; what track_
counts no file here says.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

from benchformats.json_file import dict_of, figures, text_of
from benchformats.json_format import Figure, JsonFormat, Said, Test, at, list_of, texts_of

NAME = "asv"
VERSION = 2
ONCE = True

_KINDS = {
    "time": ("time", "s", "lower"), "timeraw": ("time", "s", "lower"),
    "mem": ("mem", "bytes", "lower"), "peakmem": ("peakmem", "bytes", "lower"),
    "track": ("track", "", "none"),
}  # fmt: skip
_MOST = 100_000  # combinations of parameters


def _common(frame: Said) -> dict[str, Any]:
    python = text_of(frame.get("python")).rpartition("/")[2]  # may be a path
    said = {"python": python, **dict_of(frame.get("requirements")),
            **dict_of(frame.get("env_vars"))}  # fmt: skip
    return {
        "version": text_of(frame.get("commit_hash")),
        "machine": text_of(at(frame, "params.machine")),
        "dims": {name: value for name, value in texts_of(said).items() if value},
    }


def _figures(test: Test) -> Iterator[Figure | str]:
    """Every benchmark that has a result; one that failed or was skipped has none."""
    said = _result(test)
    results = said.get("result")
    if results is None:
        return
    results = results if isinstance(results, list) else [results]
    samples = list_of(said.get("samples"))
    combinations = list(_combinations(said.get("params")))
    if not test.step or len(combinations) != len(results):
        why = f"{len(results)} results of {len(combinations)} combinations of parameters"
        yield f"{test.step}: {why}: not read"
        return
    kind = test.step.rpartition(".")[2].partition("_")[0]
    metric, unit, direction = _KINDS.get(kind, ("result", "", "none"))
    for number, (result, combination) in enumerate(
        zip(results, combinations, strict=True)
    ):
        recorded = list_of(samples[number]) if number < len(samples) else []
        values = figures(recorded or [result])
        step = f"{test.step}({combination})" if combination else test.step
        if unit and any(one is not None and one < 0 for one in values):
            yield f"{step}: a negative {metric}: not read"
        else:
            yield Figure(metric, values, unit, direction, main=True, step=step, each=True,
                         signed=True)  # fmt: skip


def _result(test: Test) -> Said:
    """A result by column; version 1 has an object, a list or a number alone."""
    value, columns = test.said["value"], list_of(test.frame.get("result_columns"))
    if isinstance(value, list) and columns:
        return dict(zip(map(text_of, columns), value, strict=False))
    return dict_of(value) or {"result": value}


def _combinations(params: object) -> Iterator[str]:
    """The parameters of each result, in asv's order; '' of one that has none."""
    lists = [one if isinstance(one, list) else [one] for one in list_of(params)]
    for values in itertools.islice(itertools.product(*lists), _MOST):
        yield ", ".join(text_of(value) for value in values)


FORMAT = JsonFormat(
    keys=("commit_hash", "env_name", "results"),
    entries="results",
    prepared=lambda file, document: [
        one for one in document.entries if isinstance(one.value, tuple)
    ],
    figures=_figures,
    empty="no benchmark has a result",
    common=_common,
    when=("date",),
)
recognises, read = FORMAT.recognises, FORMAT.read
