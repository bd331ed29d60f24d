"""What lists of posts show besides title and date: fields of the front matter."""

from __future__ import annotations

import pandas as pd
from nbformat import NotebookNode

from benchbook.posts import thumbnail
from benchbook.posts.freshness import is_frozen
from benchbook.results.collect import collect
from benchbook.study.drivers import PUBLISHED
from benchbook.study.study import Study
from benchbook.views.newest import newest
from benchmath.prose import ratio_format, unsure, with_interval
from benchmath.ratios.verdicts import CHANGES, announced

METHOD = "method"  # the category of posts about measuring itself
FASTER, SLOWER, _ = CHANGES
NO_BREAK = "\N{NO-BREAK SPACE}"


def listed_fields(study: Study, notebook: NotebookNode) -> dict[str, str]:
    """Kind, scale, picture, and of posts on versions what the newest gained and lost."""
    fields = {"kind": kind(study)}
    if study.label:
        fields["scale"] = study.label.partition(". ")[0].rstrip(".").replace("`", "")
    if chart := thumbnail.first_chart(notebook):
        fields |= {"image": thumbnail.NAME, "image-alt": chart[0]}
    if "version" not in study.base or study.driver.name == PUBLISHED:
        return fields
    return fields | of_newest(newest(collect(study.path, measure=False)), study)


def kind(study: Study) -> str:
    """The list that a post stands in: finding, published, method or live."""
    if METHOD in study.categories:
        return METHOD
    if study.driver.name == PUBLISHED:
        return "published"
    return "finding" if is_frozen(study) else "live"


def of_newest(rows: pd.DataFrame, study: Study) -> dict[str, str]:
    """One line of the table across posts; ``rows`` is the frame of ``newest``."""
    if rows.empty:
        return {}
    verdicts = announced(rows)
    slower, faster = int((verdicts == SLOWER).sum()), int((verdicts == FASTER).sum())
    return {
        "dbms": _as_written(str(rows["engine"].iloc[0]), study.categories),
        "versions": f"{study.base['version']} to {rows['version'].iloc[0]}",
        "worst-step": _change(rows.loc[rows["relative"].idxmin()]),
        "best-step": _change(rows.loc[rows["relative"].idxmax()]),
        "steps": f"{slower} slower, {faster} faster of {len(rows)}",
    }


def _change(row: pd.Series) -> str:
    """`l.i1 0.43 [0.40, 0.46]`."""
    show = ratio_format(row["low"], row["high"])
    ratio = unsure(show(row["relative"]), bool(row["detected"]))
    figures = with_interval(ratio, row["low"], row["high"], show)
    return f"{row['step']} {figures.replace(' ', NO_BREAK)}"


def _as_written(engine: str, categories: tuple[str, ...]) -> str:
    """The engine as the post's categories write it: MySQL for mysql."""
    return next((name for name in categories if name.lower() == engine), engine)
