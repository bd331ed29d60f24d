"""Numbers that a command printed, run by run, as figures of its step."""

from __future__ import annotations

import json

import pytest

from benchbook.store.said import read_said
from benchbook.store.tool_result import Output

pytestmark = pytest.mark.unit
STEP = {"step": "a", "op": "run", "ops": 2}


def said_in(folder, *texts: str) -> Output:
    """What runs of the command printed, as their driver leaves it."""
    lines = (json.dumps({"run": n, "text": text}) for n, text in enumerate(texts, 1))
    (folder / "a.said").write_text("\n".join(lines) + "\n")
    (folder / "workload").write_text('a\tnumbers\t"lines"\n')
    return Output((folder / "a.said").read_text(), "a.said", folder)


def test_figure_is_the_mean_of_its_runs(tmp_path):
    """Of 1 and 3 s it is 2 s."""
    result = read_said(said_in(tmp_path, "x 1 s\n", "x 3 s\n"), [STEP])

    assert [2] == [row["value"] for row in result.tables["tool_figure"]]


@pytest.mark.parametrize(
    ("texts", "lacks"),
    [
        (("x 1 s\ny 1 s\n", "x 1 s\n"), 2),
        (("x 1 s\n", "x 1 s\ny 1 s\n"), 1),
    ],
)
def test_number_of_some_runs_alone_is_refused(tmp_path, texts, lacks):
    """Whichever run lacks it."""
    with pytest.raises(ValueError, match=f"run {lacks} of the command printed no y"):
        read_said(said_in(tmp_path, *texts), [STEP])
