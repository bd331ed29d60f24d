"""Published studies with `until: decided`: what stopped is decided on the page."""

import pytest
from places import ROOT

from benchbook.results.collect import collect
from benchmath.ratios.verdicts import NOT_SIGNIFICANT, announced

pytestmark = pytest.mark.unit


@pytest.mark.slow
@pytest.mark.parametrize("slug", ["sqlite-compilers", "microbenchmarks-postgres"])
def test_nothing_stopped_is_taken_back(slug):
    """By its own interval alone it stopped three steps, and one, that q takes back."""
    judged = collect(ROOT / "posts" / slug / "study.yml", measure=False).judged()
    stopped = judged["note"].str.contains("stopped when decided")

    assert stopped.any()
    assert not judged.loc[stopped, "note"].str.contains("Benjamini").any()
    assert NOT_SIGNIFICANT not in set(announced(judged[stopped]))
