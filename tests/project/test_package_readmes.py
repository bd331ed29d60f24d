"""The example of each package does what its page says, without a study."""

from __future__ import annotations

import json
import re
import subprocess
import sys

import pytest
from places import ROOT

pytestmark = pytest.mark.engine
RESULTS = {"results": [{"command": "sort x", "user": 0.1, "system": 0.1, "mean": 0.2,
                        "times": [0.2, 0.21]}]}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(
    ("package", "said"),
    [("benchformats", "sort x time 0.2 s lower"), ("benchmath", "regressed")],
)
def test_the_example_runs(package, said, tmp_path):
    """In an empty folder, as somebody would paste it."""
    page = (ROOT / "src" / package / "README.md").read_text()
    [example] = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    (tmp_path / "results.json").write_text(json.dumps(RESULTS))
    done = subprocess.run(
        [sys.executable, "-c", example], cwd=tmp_path, capture_output=True, text=True,
        check=False,
    )  # fmt: skip

    assert "" == done.stderr
    assert said in done.stdout
