"""A small checkout with one study whose evidence is there: nothing is measured."""

from __future__ import annotations

import io
import os
import shutil
from dataclasses import fields
from pathlib import Path

import altair as alt
import great_tables as gt
import nbformat
import pandas as pd
from matplotlib.figure import Figure
from nbformat import NotebookNode
from nbformat.v4 import new_markdown_cell, new_output
from places import ROOT, SITE_PAGES

from benchbook.posts.clean import Head, cleaned, framed
from benchbook.posts.site import build_site
from benchbook.project import Project
from benchbook.results import evidence
from benchbook.results.results import Results

HEAD = Head("Does the sample show every kind of output?", "It does.", "2026-11-20",
            ("sample",), "Demo: shows the method, not the engines.",
            {"kind": "finding"})  # fmt: skip
BY_HAND = f"""\
## By hand

| setting |{" it |" * 12}
|---|{"---|" * 12}
| `a_setting` |{" of_some_length |" * 12}

A path is long: `data/published/{"a_name_without_a_blank_" * 4}.tsv`.
"""
STUDY = """\
title: "Does the sample show every kind of output?"
template: sample
categories: [sample, test]
label: "Demo: shows the method, not the engines."
driver: ingest
base: {engine: sqlite}
engines: [{engine: sqlite, config: wal}]
steps: ["l.i0:rows=1000"]
parameters: {unit: "rows/s"}
"""


def frames() -> dict[str, pd.DataFrame]:
    """Evidence of two engines, two steps, three trials."""
    rows = [
        {
            "engine": engine, "step": step, "trial": trial, "run_id": f"{engine}{trial}",
            "metric": "qps", "value": 1000.0 * factor + 10 * trial, "unit": "queries/s",
            "direction": "higher", "main": True,
        }
        for engine, factor in (("one", 2), ("two", 3))
        for step in ("point-query", "range-query")
        for trial in (1, 2, 3)
    ]  # fmt: skip
    started = pd.to_datetime(["2026-11-19T10:00:00"] * 2)
    runs = pd.DataFrame({"run_id": ["one1", "two1"], "started": started})
    runs = runs.assign(engine=["one", "two"], trial=1)
    empty = pd.DataFrame({"run_id": pd.Series([], dtype=str)})
    names = [f.name for f in fields(Results) if f.name != "study"]
    made = dict.fromkeys(names, empty)
    return made | {"metric": pd.DataFrame(rows), "runs": runs}


def make_project(root: Path) -> Project:
    """A checkout with the real site files, the sample template and its study."""
    folder = root / "posts" / "sample"
    folder.mkdir(parents=True)
    (root / "bench").mkdir()
    for name in (*SITE_PAGES, "posts/_metadata.yml"):
        shutil.copy(ROOT / name, root / name)
    shutil.copytree(ROOT / "site", root / "site")
    shutil.copytree(ROOT / "tests" / "notebooks", root / "notebooks")
    (folder / "study.yml").write_text(STUDY, encoding="utf-8")
    (folder / "configs").mkdir()
    (folder / "configs" / "wal").write_text("journal_mode = wal\n", encoding="utf-8")
    return Project(root)


def freeze(project: Project) -> Path:
    """Give the sample its evidence; returns its folder."""
    folder = project.posts / "sample"
    texts = {"configs/sqlite/wal": "journal_mode = wal\n"}
    evidence.write(folder / "evidence", frames(), texts, date="2026-11-19")
    return folder


def chart() -> alt.Chart:
    """A line per engine, with a title and tooltips."""
    drawn = alt.Chart(frames()["metric"], title="Rate per trial", width=600, height=200)
    return drawn.mark_line(clip=True).encode(
        x="trial:O", y="value:Q", color="engine:N", tooltip=["engine:N", "value:Q"]
    )


def executed() -> NotebookNode:
    """The template as a kernel leaves it, made without one."""
    notebook = nbformat.read(ROOT / "tests" / "notebooks" / "sample.ipynb", as_version=4)
    dots = io.StringIO()
    figure = Figure(figsize=(7, 2.5))
    figure.subplots().plot([1, 2, 3], ".")
    figure.savefig(dots, format="svg")
    table = gt.GT(frames()["metric"][["engine", "step", "value"]])
    outputs = {
        "finding": {"text/markdown": "Engine *two* answers **1.50** times as many."},
        "table": {"text/html": table.as_raw_html(), "text/plain": "GT(…)"},
        "chart": {"application/vnd.vegalite.v5+json": chart().to_dict()},
        "dense": {"image/svg+xml": dots.getvalue(), "image/png": "aGk="},
    }
    for cell in notebook.cells:
        if cell.id in outputs:
            cell.outputs = [new_output("display_data", data=outputs[cell.id])]
        if cell.id == "text":
            cell.outputs = [new_output("stream", name="stdout", text="one 2020.0\n")]
    return notebook


def make_site(root: Path, renderer: str = "preview") -> Path:
    """The site to check: BENCHBOOK_SITE, else the sample's."""
    if "BENCHBOOK_SITE" in os.environ:
        return Path(os.environ["BENCHBOOK_SITE"])
    project = make_project(root)
    folder = freeze(project)
    data = "## Data\n\n[study.yml](study.yml), [runs](evidence/runs.parquet)"
    shown = executed()
    shown.cells.append(new_markdown_cell(BY_HAND, id="by-hand"))
    notebook = framed(cleaned(shown), HEAD, data)
    nbformat.write(notebook, folder / "index.ipynb")
    return build_site(project, renderer=renderer).parent
