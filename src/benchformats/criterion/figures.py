"""What the formats of criterion share: names in its folders, and what they measure."""

from __future__ import annotations

from collections.abc import Iterator

from benchformats.json_file import dict_of, figures, text_of
from benchformats.json_format import Figure, Said
from benchformats.units import direction_of

TYPICAL = ("median", "mean", "slope")
SPREADS = ("std_dev", "median_abs_dev")


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
