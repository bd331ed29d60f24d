"""Published tables of a few lines, read as a study reads them."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from benchbook.project import Project
from benchbook.published.figures import published_figures
from benchbook.study.study import load_study

HEADER = (
    "machine,engine,version,build,step,metric,value,unit,direction,source,date,raw,"
    "remark,relative_to\n"
)
BASE = {"engine": "a"}
STUDY = (
    "{title: Does it?, template: published, driver: published, data: [small], "
    "base: {engine: a}}"
)


def line(engine, step, value, metric="ips", machine="m", **more):
    unit = more.get("unit", "rows/s" if metric == "ips" else "KB/row")
    better = "higher" if metric == "ips" else "lower"
    build, raw = more.get("build", ""), more.get("raw", "")
    tail = f"{raw},{more.get('remark', '')},{more.get('relative_to', '')}"
    return (
        f"{machine},{engine},,{build},{step},{metric},{value},{unit},{better},"
        f"a.txt,2017-11,{tail}\n"
    )


def read(root: Path, *lines: str) -> pd.DataFrame:
    """The lines as the published table of a study below ``root``."""
    folder = root / "data" / "published"
    folder.mkdir(parents=True)
    (folder / "small.csv").write_text(HEADER + "".join(lines))
    path = root / "posts" / "small" / "study.yml"
    path.parent.mkdir(parents=True)
    path.write_text(STUDY)
    return published_figures(load_study(path), Project(root))
