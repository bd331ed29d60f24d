"""A measured post shown in another one, for figures that were published elsewhere."""

from __future__ import annotations

from typing import Any

import pandas as pd

from benchbook.finding import Said, names_as_data
from benchbook.project import Project
from benchbook.published.figures import figures
from benchbook.results.collect import collected
from benchbook.results.results import Results
from benchbook.study.find import find_study
from benchbook.study.study import load_study
from benchbook.tables.comparison import relative_table
from benchmath.ratios.groups import summaries_beside


def measured_beside(slug: str | None) -> list[Any]:
    """What a published post of this project measured, to display: a sentence and ratios.

    Reads the post's evidence and measures nothing. Nothing is shown without a slug.
    """
    if not slug:
        return []
    other = load_study(find_study(f"posts/{slug}/study.yml"))
    results = collected(other, measure=False)
    machines = list(results.own["machine"].unique())
    head = _head(slug, results.study.title, machines)
    return [head, relative_table(results.judged())]


@names_as_data
def _head(slug: str, title: str, machines: list[str]) -> Said:
    return Said(
        f"On {', '.join(machines)}, from the post "
        f"[{title}](../{slug}/index.html): repeated runs, with intervals."
    )


def published_summaries(results: Results, name: str) -> pd.DataFrame:
    """``summaries_beside`` with the table ``name`` of data/published/."""
    project = Project(results.study.path.parents[2])
    return summaries_beside(results.metric, figures(name, project))
