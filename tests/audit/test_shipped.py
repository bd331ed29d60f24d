"""Every shipped post says what its data give."""

import pytest
from places import ROOT

from benchbook.audit.contradiction import Audit
from benchbook.posts.audit import audit
from benchbook.project import Project
from benchbook.study.study import load_study

pytestmark = pytest.mark.engine  # a minute of CPU time, without a kernel
PUBLISHED = sorted(path.parent.name for path in ROOT.glob("posts/*/published.json"))
FIRST = ("sqlite-compilers", "what-recall-costs")  # the others take ten minutes of CPU


@pytest.mark.parametrize(
    "slug",
    [pytest.param(slug, marks=() if slug in FIRST else pytest.mark.slow)
     for slug in PUBLISHED],
)  # fmt: skip
def test_shipped_post_says_what_its_data_give(slug):
    """No sentence, table, chart or run of it is contradicted."""
    verdict = audit(load_study(ROOT / "posts" / slug), Project(ROOT))

    assert isinstance(verdict, Audit)
    assert [] == [str(one) for one in verdict.contradictions]
