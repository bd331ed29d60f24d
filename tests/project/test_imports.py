"""What every notebook and command pays for before it does anything."""

import subprocess
import sys

import pytest

DEAR = ("matplotlib", "scipy.stats", "rfc3987_syntax")


@pytest.mark.slow
@pytest.mark.engine
def test_charts_import_nothing_that_few_charts_need():
    """Neither matplotlib nor SciPy nor a grammar of IRIs: four seconds of each kernel."""
    asked = f"print([name for name in {DEAR} if sys.modules.get(name)])"
    done = subprocess.run(
        [sys.executable, "-c", f"import sys, benchbook.charts; {asked}"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip

    assert "[]\n" == done.stdout
