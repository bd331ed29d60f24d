"""What the formats of criterion share: names in its folders, and estimates as rows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from benchformats.json_file import dict_of, figure, text_of
from benchformats.parsed import Row
from benchformats.units import direction_of

TYPICAL = ("median", "mean", "slope")
SPREADS = ("std_dev", "median_abs_dev")


def place_of(path: str) -> tuple[str, str]:
    """Benchmark and baseline of ``target/criterion/GROUP/NAME/new/estimates.json``.

    The baseline (``new``, ``base`` or a name of --save-baseline) is what criterion calls
    the version that was measured.
    """
    folders = path.split("/")[:-1]
    if "criterion" in folders:
        folders = folders[folders.index("criterion") + 1 :]
    if not folders:
        return "", ""
    return text_of("/".join(folders[:-1])) or text_of(folders[-1]), text_of(folders[-1])


def estimates(
    line: int, step: str, version: str, said: Mapping[str, Any], unit: str, main: bool
) -> list[Row]:
    """Median, mean, slope and spreads; the median is the step's figure if any is."""
    rows = []
    for name in (*TYPICAL, *SPREADS):
        one = dict_of(said.get(name))
        value = figure(one.get("point_estimate", one.get("estimate")))
        if value is None or value < 0:
            continue
        its_unit = text_of(one.get("unit")) or unit
        direction = "none" if name in SPREADS else direction_of(its_unit)
        rows.append(Row(line, step, name, value, its_unit, direction, version=version,
                        main=main and name == "median"))  # fmt: skip
    return rows
