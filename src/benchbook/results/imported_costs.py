"""Costs per operation of an imported set: its iostat and vmstat beside its rates.

A run is the files of one folder whose names differ in the tool alone: sb.io.X, sb.vm.X,
sb.o.X and sb.met.X of sysbench, o.io.X, o.vm.X and o.res.X of the insert benchmark.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd
import pyarrow.compute as pc
import pyarrow.parquet as pq

from benchbook.analysis.costs.from_samples import FIGURES, both_modes, since_boot
from benchbook.errors import UserError
from benchbook.imports.output import Places
from benchbook.project import Project
from benchbook.store.load import load_files
from benchbook.store.query import query

_TOOL = re.compile(
    r"^(?P<family>sb|o)\.(?P<tool>io|vm|o|met|res)\.(?P<rest>.+?)(?:\.gz)?$"
)
_SERIES = {"iostat": "io", "iostat_cpu": "io", "vmstat": "vm"}
_NEEDED = ("line", "report", "device", "r_s", "w_s", "rkb_s", "wkb_s", "rmb_s", "wmb_s",
           "header", "sample", "us", "sy", "id", "wa", "cs", "pct_user", "pct_nice",
           "pct_system", "pct_iowait", "pct_idle")  # fmt: skip
_NAMES = ("machine", "engine", "version", "build", "config", "tag", "step", "dop")
_FIGURES = """
SELECT machine, engine, version, build, config, tag, step, dop, op, main, metric, value,
  regexp_replace(source, ':[0-9]+$', '') AS path
FROM metric WHERE "set" = $set AND origin = 'published'
"""


@dataclass(frozen=True)
class _Run:
    """What there is of one run of a set."""

    key: str  # folder and name without the tool
    paths: Mapping[str, str]  # series -> its file
    figures: pd.DataFrame  # rows of the view metric from files of the same key

    @property
    def machine(self) -> str:
        return str(self.figures["machine"].iloc[0])


def operation_costs(
    set_name: str,
    project: Project | None = None,
    device: str | None = None,
    ncpu: int = 0,
) -> pd.DataFrame:
    """Both modes of ``analysis.per_operation`` for every run of an imported set.

    One row per run and metric: machine, engine, version, build, config, tag, step, dop,
    run (the files' common name), device, then the columns of ``both_modes`` and
    ``published``, the figure that the set itself has (NaN where it has none).

    ``device`` is the one that the database lies on; without it, the only one of a machine
    from which the published figures of its runs follow. ``ncpu`` is by default what
    the tool's output says. Runs without iostat, vmstat or a rate are left out.

    Raises UserError for a set that has no such run, and where the device is not clear.
    """
    project = project or Project.find()
    load_files(project)
    places = Places(project.imported, set_name)
    runs = _runs(set_name, project)
    machines = list(dict.fromkeys(run.machine for run in runs))
    chosen = {
        machine: device or _device([r for r in runs if r.machine == machine], places)
        for machine in machines
    }
    tables = [
        _costs(run, samples, chosen[run.machine], ncpu)
        for run in runs
        if _long_enough(samples := _samples(run, places))
    ]
    if not tables:
        raise UserError(f"set {set_name!r}: vmstat has no sample but those since boot")
    return pd.concat(tables, ignore_index=True)


def _runs(set_name: str, project: Project) -> list[_Run]:
    """The runs of a set that have all three, by name."""
    figures = query(_FIGURES, project, set=set_name)
    figures = figures.assign(run=[_key(path)[0] for path in figures["path"]])
    by_run = dict(iter(figures.groupby("run")))
    paths: dict[str, dict[str, str]] = {}
    for name, tool in _SERIES.items():
        for path in _files(Places(project.imported, set_name).series(name)):
            key, of = _key(path)
            if of == tool:
                paths.setdefault(key, {})[name] = path
    runs = [
        _Run(key, files, by_run[key])
        for key, files in sorted(paths.items())
        if {"iostat", "vmstat"} <= set(files) and _rate(by_run.get(key)) is not None
    ]
    if not runs:
        raise UserError(
            f"set {set_name!r}: no run with samples of iostat and of vmstat and a rate; "
            "import the folder that has its sb.io, sb.vm and sb.o files"
        )
    return runs


def _key(path: str) -> tuple[str, str]:
    """What the files of a run have in common, and the tool; '' for other files."""
    folder, _, name = path.rpartition("/")
    parts = _TOOL.match(name)
    if not parts:
        return "", ""
    return f"{folder}/{parts['family']}.{parts['rest']}".lstrip("/"), parts["tool"]


def _files(series: Path) -> Sequence[str]:
    if not series.is_file():
        return []
    column = pq.read_table(series, columns=["path"])["path"]
    return pc.unique(column.cast("string")).to_pylist()


def _samples(run: _Run, places: Places) -> dict[str, pd.DataFrame]:
    """The samples of a run, by series."""
    tables = {}
    for name, path in run.paths.items():
        series = places.series(name)
        present = pq.read_schema(series).names
        columns = [column for column in _NEEDED if column in present]
        table = pq.read_table(series, columns=columns, filters=[("path", "=", path)])
        tables[name] = table.to_pandas()
    return tables


def _long_enough(samples: Mapping[str, pd.DataFrame]) -> bool:
    """vmstat has a sample after the one since boot."""
    return bool(samples["vmstat"]["sample"].max() > 1)


def _device(runs: Sequence[_Run], places: Places) -> str:
    """The one device that a machine's iostat has, or that gives the published figures."""
    left: list[str] | None = None
    for run in runs:
        samples = _samples(run, places)
        there = list(dict.fromkeys(samples["iostat"]["device"]))
        left = there if left is None else [name for name in left if name in there]
        checkable = "samp_io" in _values(run.figures) and _long_enough(samples)
        if len(left) != 1 and checkable:
            left = [name for name in left if _agrees(_costs(run, samples, name, 0))]
        if len(left) < 2:
            break
    if left and len(left) == 1:
        return left[0]
    problem = f"{', '.join(left)} give the same figures" if left else (
        "no device of iostat gives the published figures"
    )  # fmt: skip
    where = f"machine {runs[0].machine!r}: " if runs[0].machine else ""
    raise UserError(f"{where}{problem}: say which holds the database, with device=...")


def _rate(figures: pd.DataFrame | None) -> str | float | None:
    """Operations per second, of a scan thousands of rows, as the archives print it."""
    if figures is None:
        return None
    values = _values(figures)
    main = [v for v, of in zip(figures["value"], figures["main"], strict=True) if of]
    rate = main[0] if len(main) == 1 else 0.0
    if "o_s" in values:
        rate = values["o_s"]
    elif "scans_s" in values:
        rate = values["scans_s"] * values.get("table_size", 0.0) / 1000
    if not rate > 0:
        return None
    return f"{rate:.2f}" if rate == values.get("qps") and "tps" in values else rate


def _values(figures: pd.DataFrame) -> dict[str, float]:
    """Figures by metric, of the op that the run's throughput counts."""
    main = figures.loc[figures["main"].astype(bool), "op"]
    mine = figures[figures["op"].isin(main)] if len(main) else figures
    return dict(zip(mine["metric"], mine["value"], strict=True))


def _costs(
    run: _Run, samples: Mapping[str, pd.DataFrame], device: str, ncpu: int
) -> pd.DataFrame:
    """The rows of one run and device."""
    values = _values(run.figures)
    rate = _rate(run.figures)
    assert rate is not None  # _runs left out those without
    boot = False
    if "iostat_cpu" in samples:
        boot = since_boot(samples["iostat_cpu"], samples["vmstat"]) or False
    cpus = ncpu or int(values.get("cpus", 0))
    table = both_modes(samples["iostat"], samples["vmstat"], rate, device, cpus, boot)
    published = [values.get(metric, float("nan")) for metric in table["metric"]]
    said = run.figures[list(_NAMES)].iloc[0].to_dict()
    front = pd.DataFrame([said | {"run": run.key, "device": device}] * len(table))
    return pd.concat([front, table.assign(published=published)], axis=1)


def _agrees(table: pd.DataFrame) -> bool:
    """Whether all published figures are the compatible ones; False without any."""
    published = table[table["published"].notna() & table["metric"].isin(list(FIGURES))]
    printed = published["compatible_printed"].astype(float)
    return bool(len(published)) and bool((printed == published["published"]).all())
