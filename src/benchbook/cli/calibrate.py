"""What `benchbook calibrate` prints: the noise that A/A runs show."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan
from typing import TYPE_CHECKING

from benchbook.machine.facts import local_machine
from benchbook.project import Project
from benchbook.prose import aligned
from benchbook.study.study import Study

if TYPE_CHECKING:
    import pandas as pd


def noise_text(aa: Study, project: Project) -> str:
    """Load what was measured; the noise of each step of an A/A study on this machine."""
    from benchbook.analysis.ratios.floor import noise_floor
    from benchbook.store.load import load
    from benchbook.store.query import expand_dims, query

    load(project)
    machine = local_machine(project)
    frame = query("collect_aa", project=project, sets=[aa.slug], machine_ids=[])
    own = expand_dims(frame[frame["machine_id"] == machine.machine_id])
    if own.empty:
        return f"noise: not known, no run of {aa.slug} on {machine.name} is finished"
    levels = ("run", "build", "load") if aa.driver.writes else ("run", "build")
    adds = " or ".join(levels[1:])
    return (
        f"noise on {machine.name}: stddev of one run, and what another {adds} adds\n"
        f"{_table(noise_floor(own), levels)}"
    )


def _table(floor: pd.DataFrame, levels: Sequence[str]) -> str:
    varying = [c for c in ("engine", "dop", "placement") if floor[c].nunique() > 1]
    rows: list[tuple[str, ...]] = [(*varying, "step", "runs", *levels)]
    for row in floor.to_dict("records"):
        spread = (row[f"{level}_sd"] for level in levels)
        texts = ("not measured" if isnan(sd) else f"{sd:.2%}" for sd in spread)
        rows.append((*(str(row[c]) for c in varying), row["step"], str(row["n"]), *texts))
    return aligned(rows)
