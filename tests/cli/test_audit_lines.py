"""What `benchbook audit` prints of a post."""

import pytest

from benchbook.audit.contradiction import Audit, Contradiction, summed
from benchbook.cli.posts import lines
from benchbook.study.study import load_study

pytestmark = pytest.mark.unit
STUDY = """\
title: Why?
template: ab
driver: ingest
base: {engine: sqlite}
engines: [{engine: sqlite}]
steps: ["l.i0:rows=1000"]
"""


def test_contradictions_and_long_sentences_have_a_line_each(tmp_path):
    """Of one post and of several together."""
    (tmp_path / "study.yml").write_text(STUDY)
    audit = Audit((Contradiction("cell 1", "2", "3"),), ("description: 31 words",))

    said = lines(load_study(tmp_path), summed([audit]))
    assert ["says 2; the data give 3", "31 words"] == [s.split(": ", 2)[2] for s in said]
