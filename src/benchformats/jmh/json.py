"""JMH's JSON (-rf json): the figure of each iteration of each fork of a benchmark.

The metric is JMH's mode: thrpt (operations per time), avgt, sample and ss (time per
operation). Parameters are dimensions, threads the clients. Of mode sample the percentiles
are read; of secondary metrics (gc.alloc.rate.norm, ...) every iteration's figure.
"""

from __future__ import annotations

from collections.abc import Iterator

from benchformats.json_file import dict_of, text_of
from benchformats.json_format import Figure, JsonFormat, Said, Test, at, list_of, texts_of
from benchformats.metric_names import metric_name
from benchformats.units import direction_of

NAME = "jmh"
VERSION = 2
ONCE = True

MODES = {"thrpt": "higher", "avgt": "lower", "sample": "lower", "ss": "lower"}
_PERCENTILES = ("50.0", "90.0", "95.0", "99.0", "99.9", "99.99", "100.0")


def _check(test: Test) -> str:
    known = text_of(test.said.get("mode")) in MODES
    if test.step and known and dict_of(test.said.get("primaryMetric")):
        return ""
    return f"{test.name}: no mode and figure"


def _figures(test: Test) -> Iterator[Figure]:
    """Every iteration that was measured; its mean where there are none."""
    mode, primary = text_of(test.said["mode"]), test.said["primaryMetric"]
    yield _iterations(mode, primary, MODES[mode], main=True)
    for name in _PERCENTILES if mode == "sample" else ():
        value = dict_of(primary.get("scorePercentiles")).get(name)
        metric = metric_name(f"p{name.removesuffix('.0')}")
        yield Figure(metric, value, text_of(primary.get("scoreUnit")), "lower")
    for name, said in dict_of(test.said.get("secondaryMetrics")).items():
        metric, direction = secondary(text_of(name), text_of(at(said, "scoreUnit")))
        if metric:
            yield _iterations(metric, dict_of(said), direction)


def _iterations(metric: str, said: Said, direction: str, main: bool = False) -> Figure:
    forks = list_of(said.get("rawData"))
    values = [value for fork in forks for value in list_of(fork)]
    unit = text_of(said.get("scoreUnit"))
    return Figure(metric, values or [said.get("score")], unit, direction, main, each=True,
                  told=bool(values))  # fmt: skip


def secondary(name: str, unit: str) -> tuple[str, str]:
    """The metric that a secondary result is, and which direction of it is better."""
    direction = direction_of(unit) if unit.endswith("/op") else "none"
    return metric_name(name.lstrip("·+")), direction


FORMAT = JsonFormat(
    keys=("[].benchmark", "[].mode", "[].primaryMetric.scoreUnit"),
    step=("benchmark",),
    dims=lambda said: texts_of(said.get("params")),
    dop="threads",
    check=_check,
    figures=_figures,
    nothing="no figure of an iteration",
)
recognises, read = FORMAT.recognises, FORMAT.read
