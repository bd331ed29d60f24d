"""Every template with a second setting beside what is compared.

The study of each is doubled: the same runs once more with another size of block, and
other rates. Then a sentence says of which of the two its number is, or the study is
refused.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from dataclasses import fields, replace
from typing import Any

import pandas as pd
import pytest
from places import ROOT

import benchbook as bb
from benchbook.finding import Finding
from benchbook.results.collect import collect
from benchbook.results.results import Results
from benchmath.errors import UserError

pytestmark = pytest.mark.slow
SETTING, FIRST, SECOND = "block_size", "b17", "b19"
IDS = ("run_id", "cell_id", "declared_id", "session")
# Of figures that others published, which no study of ours can measure twice; and those
# whose sentences are about all settings together.
LEFT = {"published", "cloud-variance", "history", "sysbench-versions", "versions"}
TEMPLATES = sorted({path.stem for path in (ROOT / "notebooks").glob("*.ipynb")} - LEFT)


def doubled(results: Results) -> Results:
    """The runs, and once more with another setting, at rates between 1 and 1.6 times."""
    frames = {f.name: getattr(results, f.name) for f in fields(results)}
    return replace(results, **{
        name: pd.concat([_set(frame, FIRST), _again(frame)], ignore_index=True)
        for name, frame in frames.items()
        if isinstance(frame, pd.DataFrame) and "run_id" in frame and len(frame)
    })  # fmt: skip


def _set(frame: pd.DataFrame, setting: str) -> pd.DataFrame:
    names = {name: frame[name].astype(str) for name in IDS if name in frame}
    is_of_cells = "engine" in frame or "seq" in frame
    return frame.assign(**names, **({SETTING: setting} if is_of_cells else {}))


def _again(frame: pd.DataFrame) -> pd.DataFrame:
    again = _set(frame, SECOND)
    again = again.assign(**{name: again[name] + "x" for name in IDS if name in again})
    if "cell_id" not in again or "value" not in again:
        return again
    by_cell = pd.util.hash_pandas_object(again["cell_id"], index=False) % 7
    return again.assign(value=again["value"] * (1 + by_cell.astype(float) / 10))


def said(template: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Finding]:
    """The findings of the template's notebook, of its study with two settings."""
    shown: list[Any] = []
    monkeypatch.setattr(bb, "collect", lambda study, _: doubled(collect(study, False)))
    monkeypatch.setattr("IPython.display.display", lambda *what: shown.extend(what))
    monkeypatch.chdir(ROOT)
    notebook = json.loads((ROOT / f"notebooks/{template}.ipynb").read_text())
    names: dict[str, Any] = {}
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code" and len(shown) < 9:
            tree = ast.parse("".join(cell["source"]))
            last = tree.body[-1]
            if isinstance(last, ast.Expr):
                shown_by = ast.Assign([ast.Name("_", ast.Store())], last.value)
                tree.body[-1] = ast.copy_location(shown_by, last)
            exec(compile(ast.fix_missing_locations(tree), template, "exec"), names)
            shown.append(names.get("_"))
        if any(isinstance(one, Finding) for one in shown):
            break  # the answer; what follows are tables
    return (one for one in shown if isinstance(one, Finding))


@pytest.mark.parametrize("template", TEMPLATES)
def test_a_sentence_says_of_which_setting_its_number_is(template, monkeypatch):
    try:
        findings = list(said(template, monkeypatch))
    except UserError as refused:
        assert f"varies {SETTING} too" in str(refused)
        return
    assert findings
    for finding in findings:
        settings = {c.rows[SETTING] for c in finding.claims if SETTING in c.rows}
        assert [s for s in settings if s not in str(finding.data)] == []
