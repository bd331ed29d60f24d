"""Figures of one test in one unit: 1.65 ms beside 1500 us is 1650 us.

Units of one kind convert (times, bytes, counts, and rates of them); a test that has
units of several kinds, or several directions, is left out by name, so that it does not
keep the others from being answered.
"""

import re
from typing import NamedTuple

import numpy as np
import pandas as pd

from benchmath.frames import measurement_of
from benchmath.prose import listed

_TIMES = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0, "min": 60.0, "h": 3600.0}
_PREFIXES = {"k": 1, "m": 2, "g": 3, "t": 4}
_SAME = {
    "µs": "us", "μs": "us", "nsec": "ns", "usec": "us", "msec": "ms", "sec": "s",
    "secs": "s", "second": "s", "seconds": "s", "minute": "min", "minutes": "min",
    "hour": "h", "hours": "h", "byte": "b", "bytes": "b", "op": "ops",
}  # fmt: skip
_COUNTED = re.compile(r"([kmg])(rows|ops|queries|transactions|inserts|reads|writes)")
_BYTES = re.compile(r"([kmgt])(i?)(?:b|bytes?)")
_NAMED = 3  # tests that a note lists


class OneUnit(NamedTuple):
    """A metric frame whose tests have one unit each; what was left out of it; notes."""

    frame: pd.DataFrame
    left_out: pd.DataFrame
    notes: tuple[str, ...] = ()


def scale_of(unit: str) -> tuple[str, float]:
    """The kind of a unit, and how many of its kind's plain one it is.

    KB, MB and GB are powers of 1000, KiB, MiB and GiB of 1024; krows are 1000 rows.

    >>> scale_of("ms"), scale_of("KiB/s"), scale_of("ops/ms"), scale_of("widgets")
    (('s', 0.001), ('b/s', 1024.0), ('ops/s', 1000.0), ('widgets', 1.0))
    """
    above, slash, below = unit.partition("/")
    kind, factor = _plain(above)
    if not slash:
        return kind, factor
    of, by = _plain(below)
    return f"{kind}/{of}", factor / by


def _plain(word: str) -> tuple[str, float]:
    name = word.strip()
    if re.fullmatch(r"[KMGT]b", name):  # bits, to those who write them so
        return name, 1.0
    name = _SAME.get(name.lower(), name.lower())
    if name in _TIMES:
        return "s", _TIMES[name]
    if match := _BYTES.fullmatch(name):
        return "b", float((1024 if match[2] else 1000) ** _PREFIXES[match[1]])
    if match := _COUNTED.fullmatch(name):
        return match[2], float(1000 ** _PREFIXES[match[1]])
    return name, 1.0


def in_one_unit(frame: pd.DataFrame) -> OneUnit:
    """A metric frame whose tests have one unit and direction each, and what to say of it.

    A test is step, op, clock and metric. Its unit is that of its first row.
    """
    if frame.empty or not {"unit", "direction", "value"} <= set(frame.columns):
        return OneUnit(frame, frame[:0])
    keys = measurement_of(frame)
    kinds = frame[[*keys, "unit", "direction"]].drop_duplicates()
    if not kinds.duplicated(keys).any():
        return OneUnit(frame, frame[:0])
    scales = {unit: scale_of(str(unit)) for unit in kinds["unit"].unique()}
    kinds = kinds.assign(kind=[scales[unit][0] for unit in kinds["unit"]])
    tests = kinds.groupby(keys, sort=False, dropna=False)
    several = tests[["unit", "direction", "kind"]].nunique(dropna=False)
    several["first"] = tests["unit"].first()
    of_row = frame[keys].merge(several.reset_index(), on=keys, how="left")
    apart = ((of_row["kind"] > 1) | (of_row["direction"] > 1)).to_numpy()
    factors = {unit: scale for unit, (_, scale) in scales.items()}
    ratio = frame["unit"].map(factors).to_numpy(float) / of_row["first"].map(
        factors
    ).to_numpy(float)
    converts = (of_row["unit"] > 1).to_numpy() & ~apart
    value = np.where(converts, frame["value"].to_numpy(float) * ratio, frame["value"])
    unit = np.where(converts, of_row["first"], frame["unit"])
    notes = []
    if converts.any():
        notes.append(f"converted to one unit: {_tests(frame[converts])}")
    if apart.any():
        left = _tests(frame[apart])
        notes.append(f"left out, with units or directions of several kinds: {left}")
    kept = frame.assign(value=value, unit=unit)[~apart]
    return OneUnit(kept, frame[apart], tuple(notes))


def _tests(rows: pd.DataFrame) -> str:
    """``scan real_time (us, ms)``: the tests with the units that they have."""
    names = []
    for key, test in rows.groupby(["step", "metric"], sort=False):
        units = listed(sorted(dict.fromkeys(map(str, test["unit"]))))
        ways = sorted(dict.fromkeys(map(str, test["direction"])))
        better = f"; better {listed(ways)}" if len(ways) > 1 else ""
        names.append(f"{' '.join(map(str, key))} ({units or 'no unit'}{better})")
    more = len(names) - _NAMED
    return listed([*names[:_NAMED], *([f"{more} more"] if more > 0 else [])])
