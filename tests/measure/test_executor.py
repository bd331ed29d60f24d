"""Executors take specs alone: what is local they find themselves."""

import json

import pytest
from studies import NULL_STUDY

from benchbook.measure.execute import Local
from benchbook.measure.plan import make_plan
from benchbook.measure.run import RunOptions, begin, measure
from benchbook.study.study import load_study
from benchmath.errors import UserError

pytestmark = pytest.mark.engine


@pytest.fixture
def two_hosts(make_checkout, monkeypatch):
    """Two checkouts with the same study; only the first has measured it."""
    monkeypatch.setenv("BENCHBOOK_MACHINE", "testbox")
    first, second = make_checkout("first"), make_checkout("second")
    for checkout in (first, second):
        checkout.study("s")
    first.ok("run", "s", "--trials", "1")
    return first, second


def executor(checkout):
    """The executor of a host, prepared for the study `s`."""
    plan = make_plan(load_study(checkout.root / "posts" / "s"), checkout.project)
    return Local(plan.machine, checkout.project, plan.cells)


@pytest.mark.slow
def test_a_spec_of_one_host_runs_on_another(two_hosts):
    """spec.json of a run here is all that a host with the same build needs."""
    first, second = two_hosts
    spec = json.loads((first.runs("s")[0] / "spec.json").read_text())
    [finished] = executor(second).map([spec])

    assert ("ok", [finished.folder]) == (finished.status, second.runs("s"))
    assert spec == json.loads((finished.folder / "spec.json").read_text())


def test_a_host_without_the_build_says_so(two_hosts):
    """A cell id that this host's plan does not have is refused before anything runs."""
    first, second = two_hosts
    spec = json.loads((first.runs("s")[0] / "spec.json").read_text())

    with pytest.raises(UserError, match="is another build or has other settings than"):
        list(executor(second).map([spec | {"cell_id": "0"}]))
    assert [] == second.runs("s")


@pytest.mark.slow
def test_a_campaign_tells_what_is_left(checkout, monkeypatch):
    """Of 4 runs --only leaves 2; nothing is made by planning, all of it by measuring."""
    for name in ("BENCHBOOK_LOCK", "BENCHBOOK_MACHINE"):
        monkeypatch.setenv(name, checkout.environ[name])
    study = load_study(checkout.study("s", NULL_STUDY))
    some = RunOptions(only={"indexes": "3"})
    campaign = begin(study, checkout.project, some)
    outcome = measure(study, checkout.project, some, print)
    after = begin(study, checkout.project, RunOptions())

    assert (2, 0, 2) == (len(campaign.left), campaign.made, campaign.progress().left)
    assert (2, 0, 0) == (outcome.made, outcome.failed, outcome.left)
    assert (2, 2) == (after.plan.done, len(after.left))
