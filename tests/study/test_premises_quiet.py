"""`quiet:` of study.yml."""

from __future__ import annotations

import pytest

from benchbook.study.premises import Quiet, quiet_of
from benchmath.errors import UserError

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("5%", Quiet(0.05)), (5, Quiet(0.05)), (0.02, Quiet(0.02)),
        ("5%, 2h", Quiet(0.05, 7200)), ("off", Quiet(None)), (False, Quiet(None)),
    ],
)  # fmt: skip
def test_what_is_said(said, meant):
    assert meant == quiet_of(said, "quiet")


@pytest.mark.parametrize("said", [True, "", "loud", "5%, soon", "200%"])
def test_what_means_nothing_is_refused(said):
    with pytest.raises(UserError, match="quiet"):
        quiet_of(said, "quiet")
