"""How well do changepoint detectors find known changes, and only those?

Series of commits and of versions in nine kinds of noise, with and without changes. A
change counts as found within a margin of 0 or 2 points, one find per change.
"""

import time
from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd
import peers
from noise_kinds import KINDS, Series, commits, each_kind, versions
from script import arguments, show

from benchmath.changes.changepoints import changepoints

Finds = list[list[int]]
Z_BINS = {"z<3": (0, 3), "z3-5": (3, 5), "z5-10": (5, 10), "z>10": (10, np.inf)}


def ours(series: Sequence[Series]) -> Finds:
    """benchbook's front, groups included."""
    return [[c.position for c in changepoints(s.values, s.groups)] for s in series]


def otava(series: Sequence[Series]) -> Finds | None:
    """Otava, its defaults."""
    return peers.otava([s.values for s in series])


def kernel_cpd(series: Sequence[Series]) -> Finds:
    """ruptures' KernelCPD; cuts inside a version count at its end."""
    return [_between_versions(peers.kernel_cpd(s.values), s) for s in series]


def pelt(series: Sequence[Series]) -> Finds:
    """ruptures' Pelt; cuts inside a version count at its end."""
    return [_between_versions(peers.pelt(s.values), s) for s in series]


DETECTORS: dict[str, Callable[[Sequence[Series]], Finds | None]] = {
    "benchbook": ours,
    "KernelCPD rbf": kernel_cpd,
    "Pelt l2": pelt,
    "Otava": otava,
}


def matched(truth: Sequence[int], found: Sequence[int], margin: int) -> list[int]:
    """The true changes that were found, each find used once, the closest first."""
    pairs = sorted((abs(t - f), t, f) for t in truth for f in found)
    used: set[int] = set()
    hit: list[int] = []
    for distance, t, f in pairs:
        if distance <= margin and t not in hit and f not in used:
            hit.append(t)
            used.add(f)
    return sorted(hit)


def scores(series: Sequence[Series], finds: Finds) -> dict[str, float]:
    """Precision, recall and F1 in %, and recall within 2 points by z."""
    made = sum(map(len, finds))
    true = sum(len(s.changes) for s in series)
    row: dict[str, float] = {}
    for margin in (0, 2):
        hits = sum(
            len(matched(s.changes, f, margin)) for s, f in zip(series, finds, strict=True)
        )
        row[f"F1@{margin}"] = 100 * 2 * hits / max(made + true, 1)
    row["precision"] = 100 * hits / max(made, 1)
    row["recall"] = 100 * hits / max(true, 1)
    return row | _recall_by_z(series, finds)


def alarmed(finds: Finds) -> float:
    """Share of series with a find, in %."""
    return 100 * float(np.mean([len(f) > 0 for f in finds]))


def table(
    make: Callable[..., Series],
    seed: int,
    count: int,
    detectors: Sequence[str],
    kinds: Sequence[str] = tuple(KINDS),
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """All scores per detector, and F1 within 2 points and alarms per kind of noise."""
    changing = list(each_kind(make, seed, count, kinds=kinds))
    flat = list(each_kind(make, seed, count, changing=False, kinds=kinds))
    overall, by_kind = [], []
    for name in detectors:
        started = time.perf_counter()
        finds, alarms = DETECTORS[name](changing), DETECTORS[name](flat)
        if finds is None or alarms is None:
            continue
        elapsed = 1000 * (time.perf_counter() - started) / (2 * count)
        row = {"detector": name, **scores(changing, finds), "alarmed": alarmed(alarms)}
        overall.append(row | {"ms": elapsed})
        by_kind += _by_kind(name, changing, finds, flat, alarms)
    return pd.DataFrame(overall), pd.DataFrame(by_kind)


def ratio_intervals(make: Callable[..., Series], seed: int, count: int) -> pd.DataFrame:
    """Do the 95% intervals of the ratios hold the truth, where all changes were found?

    Only series of which benchbook found exactly the changes made. One row per kind of
    noise: changes with an interval, share of the intervals that hold the true ratio and
    their mean half-width in %.
    """
    rows = []
    for series in each_kind(make, seed, count):
        found = changepoints(series.values, series.groups)
        if [change.position for change in found] == list(series.changes):
            for change, truth in zip(found, series.ratios, strict=True):
                rows.append((series.kind, change.low, change.high, truth))
    table = pd.DataFrame(rows, columns=["kind", "low", "high", "truth"])
    held = (table["low"] <= table["truth"]) & (table["high"] >= table["truth"])
    half = 50 * (table["high"] - table["low"])
    known = table.assign(held=100.0 * held, half_width=half)[table["low"].notna()]
    measures = {"changes": ("held", "size"), "held": ("held", "mean")}
    measures["half_width"] = ("half_width", "mean")
    parts = [
        part.groupby("kind", sort=False).agg(**measures)
        for part in (known, known.assign(kind="all"))
    ]
    return pd.concat(parts).reset_index()


def _between_versions(found: list[int], series: Series) -> list[int]:
    if series.groups is None:
        return found
    starts = np.flatnonzero(np.diff(series.groups)) + 1
    return sorted({int(starts[np.argmin(np.abs(starts - f))]) for f in found})


def _recall_by_z(series: Sequence[Series], finds: Finds) -> dict[str, float]:
    found, z = [], []
    for s, f in zip(series, finds, strict=True):
        hit = matched(s.changes, f, 2)
        found += [change in hit for change in s.changes]
        z += s.z
    known, size = np.array(found, dtype=bool), np.array(z)
    row = {}
    for name, (low, high) in Z_BINS.items():
        inside = (size >= low) & (size < high)
        row[name] = 100 * float(known[inside].mean()) if inside.any() else np.nan
    row["z>5"] = 100 * float(known[size >= 5].mean()) if (size >= 5).any() else np.nan
    return row


def _by_kind(
    name: str, changing: list[Series], finds: Finds, flat: list[Series], alarms: Finds
) -> list[dict[str, object]]:
    rows: list[dict[str, object]] = []
    for kind in dict.fromkeys(s.kind for s in changing):
        pairs = [(s, f) for s, f in zip(changing, finds, strict=True) if s.kind == kind]
        quiet = [f for s, f in zip(flat, alarms, strict=True) if s.kind == kind]
        if not pairs or not quiet:
            continue
        score = scores([s for s, _ in pairs], [f for _, f in pairs])
        row = {"detector": name, "kind": kind, "F1@2": score["F1@2"]}
        rows.append(row | {"alarmed": alarmed(quiet)})
    return rows


def wide(by_kind: pd.DataFrame) -> pd.DataFrame:
    """A row per kind of noise: F1@2 and share alarmed of each detector."""
    texts = by_kind.assign(
        text=[f"{r['F1@2']:.0f} {r['alarmed']:.0f}" for _, r in by_kind.iterrows()]
    )
    wide = texts.pivot(index="kind", columns="detector", values="text")
    order = [list(dict.fromkeys(by_kind[c])) for c in ("kind", "detector")]
    return wide.loc[order[0], order[1]].reset_index()


def main() -> None:
    """Print the tables."""
    asked = arguments(__doc__, series=180)
    size = f"{asked.series} series with changes and as many without, seed {asked.seed}"
    for name, make in (("Commits", commits), ("Versions", versions)):
        overall, by_kind = table(make, asked.seed, asked.series, list(DETECTORS))
        show(f"{name}, all in % but ms a series: {size}\n{peers.versions()}", overall)
        show(f"{name}: F1@2 and series alarmed, per kind of noise", wide(by_kind))
        show(
            f"{name}: 95% intervals of benchbook's ratios, in series with exact finds",
            ratio_intervals(make, asked.seed, asked.series),
        )
    peers.hint()


if __name__ == "__main__":
    main()
