"""Rules that hold for every reader, tried on the files that fuzzing starts from."""

from __future__ import annotations

import pytest
import reader_rules
from places import ROOT

from benchformats import formats

pytestmark = pytest.mark.unit
READ = reader_rules.readings()
OWN_UNITS = ("benchmark_action_custom",)  # people name them: import tells what it is told


@pytest.mark.parametrize("name", [f.name for f in formats()])
def test_every_reader_has_a_file(name):
    """So that no rule below is kept by having nothing to look at."""
    assert READ[name]


@pytest.mark.parametrize("name", [f.name for f in formats()])
def test_the_figure_of_a_step_is_one(name):
    """At most one metric of a step means its throughput, whatever else is read."""
    for parsed in READ[name]:
        mains: dict[object, set[str]] = {}
        for row in parsed.rows:
            if row.main:
                cell = (row.step, row.op, row.version, row.dop, tuple(row.dims.items()))
                mains.setdefault(cell, set()).add(row.metric)

        assert [] == [cell for cell, metrics in mains.items() if len(metrics) > 1]


@pytest.mark.parametrize("name", [f.name for f in formats()])
def test_the_figure_has_a_direction(name):
    """A tool's figure is better higher or lower; of a made-up unit it is told."""
    rows = [row for parsed in READ[name] for row in parsed.rows if row.main]

    unknown = {row.unit for row in rows if row.direction == "none"}
    assert set() == unknown or name in OWN_UNITS


def test_the_table_of_rules_is_true():
    """data/README.md has what the readers do, without a gap."""
    text = (ROOT / "data/README.md").read_text()

    assert reader_rules.table() in text
