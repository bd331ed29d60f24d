"""Group summaries of a study beside those that were published of the same comparison."""

from __future__ import annotations

import pandas as pd

from benchbook.analysis.group_means import summaries_beside
from benchbook.project import Project
from benchbook.published import figures
from benchbook.result_frames import Results


def published_summaries(results: Results, name: str) -> pd.DataFrame:
    """``analysis.summaries_beside`` with the table ``name`` of data/published/."""
    project = Project(results.study.path.parents[2])
    return summaries_beside(results.metric, figures(name, project))
