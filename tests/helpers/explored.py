"""A published study whose names are as hostile as a name can be, and its evidence."""

from __future__ import annotations

import pandas as pd
from sample_site import make_project

from benchbook.project import Project
from benchbook.results import evidence

IMAGE = "<img src=x onerror=window.hurt=1>"
FORMULA = "=cmd()"
SCRIPT = "</script><script>window.hurt=1</script>"
SLUG = "hostile"
STUDY = f"""\
title: "{IMAGE}"
template: sample
driver: ingest
base: {{config: wal}}
engines: [{{engine: sqlite, config: wal}}]
steps: ["l.i0:rows=1000"]
"""
RATES = {"wal": (100, 102, 98), IMAGE: (50, 51, 49), FORMULA: (100, 101, 99)}


def metric_rows() -> pd.DataFrame:
    """Three configs, two steps, three trials: one at half the base's rate."""
    rows = [
        {
            "set": SLUG, "machine": "desk", "machine_id": "m1", "engine": "sqlite",
            "version": "1", "config": config, "run_id": f"{n}-{trial}", "trial": trial,
            "step": step, "op": "insert", "main": True, "dop": 1, "metric": "ips",
            "clock": "", "value": float(value), "unit": "rows/s", "direction": "higher",
        }
        for n, (config, values) in enumerate(RATES.items())
        for step in ("l.i0", SCRIPT)
        for trial, value in enumerate(values, 1)
    ]  # fmt: skip
    return pd.DataFrame(rows)


def freeze_hostile(project: Project, metric: pd.DataFrame | None = None) -> None:
    """Publish it in a checkout."""
    folder = project.posts / SLUG
    (folder / "configs").mkdir(parents=True)
    (folder / "configs" / "wal").write_text("journal_mode = wal\n", encoding="utf-8")
    (folder / "study.yml").write_text(STUDY, encoding="utf-8")
    frame = metric_rows() if metric is None else metric
    evidence.write(folder / "evidence", {"metric": frame}, date="2026-11-19")
    (folder / "published.json").write_text("{}\n", encoding="utf-8")


def hostile_project(root) -> Project:
    project = make_project(root)
    freeze_hostile(project)
    return project
