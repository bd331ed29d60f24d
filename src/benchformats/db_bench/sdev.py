"""Lines that sum up a block of db_bench rows, and how to check them.

``mean=973679  stddev=6144.4  sdev/mean=0.006``: of ops_sec over the rows of the block.
The mean is printed by awk (an integer as one, else %.6g), the others as %.1f and %.3f.
The standard deviation divides by n. Files of two runs have ``0.985`` instead: ops_sec of
the second row over that of the first, which says nothing new.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from benchformats.db_bench.figures import ENGINE, dop_of, op_of
from benchformats.parsed import Problem, Row
from benchformats.printed import number

_LINE = re.compile(r"mean=(\S+)\tstddev=(\S+)\tsdev/mean=(\S+)")
_RATIO = re.compile(r"\d{1,6}\.\d{3}", re.ASCII)
_FIGURES = (
    ("ops_sec_mean", "operations/s", "higher"),
    ("ops_sec_stddev", "operations/s", "lower"),
    ("ops_sec_cov", "ratio", "lower"),
)


def is_sdev(line: str) -> bool:
    """The line summarises the block above it."""
    return line.startswith("mean=")


def is_ratio(line: str) -> bool:
    """The line compares the two rows above it."""
    return bool(_RATIO.fullmatch(line.strip()))


def ratio_problem(line_no: int, line: str, results: Sequence[float]) -> list[Problem]:
    """What is wrong with the ratio of two rows, whose ops_sec are ``results``."""
    ratio = [f"{results[1] / results[0]:.3f}"] if len(results) == 2 and results[0] else []
    if ratio == [line.strip()]:
        return []
    why = f"the rows above give {' '.join(ratio) or 'nothing'}"
    return [Problem(line_no, f"{line.strip()!r}: {why}")]


def printed_sdev(results: Sequence[float]) -> tuple[str, str, str]:
    """Mean, population stddev and their ratio as the archives print them.

    >>> printed_sdev([981140, 966091, 973806])
    ('973679', '6144.4', '0.006')
    """
    mean = sum(results) / len(results)
    stddev = math.sqrt(sum((r - mean) ** 2 for r in results) / len(results))
    mean_text = f"{mean:.0f}" if mean == int(mean) else f"{mean:.6g}"
    return mean_text, f"{stddev:.1f}", f"{stddev / mean if mean else 0:.3f}"


def sdev_rows(
    line_no: int, line: str, texts: Sequence[dict[str, str]], results: Sequence[float]
) -> tuple[list[Row], list[Problem]]:
    """The figures of the line as rows of the block's step, and what is wrong with them.

    ``texts`` are the texts of the block's rows, ``results`` their ops_sec.
    """
    match = _LINE.fullmatch(line.rstrip())
    values = [number(text) for text in match.groups()] if match else [None]
    if match is None or None in values:
        return [], [Problem(line_no, "not mean=, stddev=, sdev/mean= and numbers")]
    steps = {text["test"] for text in texts}
    versions = {text["version"] for text in texts}
    if len(steps) != 1:
        return [], [Problem(line_no, "a mean of no step, or of several: not read")]
    step, version = steps.pop(), versions.pop() if len(versions) == 1 else ""
    rows = [
        Row(line_no, step, metric, value, unit, direction, op=op_of(step),
            dop=dop_of(step), version=version, engine=ENGINE)
        for (metric, unit, direction), value in zip(_FIGURES, values, strict=True)
        if value is not None
    ]  # fmt: skip
    expected = printed_sdev(results) if results else ()
    if match.groups() == expected:
        return rows, []
    why = f"the rows above give {' '.join(expected) or 'nothing'}"
    return rows, [Problem(line_no, f"{line.strip()[:60]!r}: {why}")]
