"""The template `servers`: hosts as instances of types, and what it says of them."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
import server_frames

from benchbook.charts.look import distinct
from benchbook.study.study import ServerType, load_study
from benchbook.templates.servers import (
    costs_of_servers,
    instances_of_servers,
    instances_table,
    laws_of_servers,
    rates_of_instances,
    server_laws,
    with_servers,
)
from benchmath.errors import UserError

pytestmark = pytest.mark.unit
STUDY = """\
title: Which server varies least?
template: servers
driver: ingest
base: {engine: "null"}
engines: [{engine: "null"}]
steps: ["l.i0:rows=10"]
servers:
"""


def results(types):
    """Of hosts that belong to two types, one of which has a price."""
    frame = server_frames.rows(types).drop(columns="server")
    servers = {"bee": ServerType(("bee1", "bee2", "bee3"), 0.36),
               "wasp": ServerType(("wasp1", "wasp2", "wasp3"))}  # fmt: skip
    return SimpleNamespace(metric=frame, study=SimpleNamespace(servers=servers))


def study(tmp_path, servers: str):
    folder = tmp_path / "posts" / "s"
    folder.mkdir(parents=True)
    (folder / "study.yml").write_text(STUDY + servers)
    return load_study(folder)


def test_a_study_names_the_hosts_of_a_type(tmp_path):
    """With and without a price."""
    found = study(tmp_path, "  bee: {hosts: [a, b], price: 0.5}\n  wasp: {hosts: [c]}\n")

    bee, wasp = ServerType(("a", "b"), 0.5), ServerType(("c",))
    assert {"bee": bee, "wasp": wasp} == found.servers


@pytest.mark.parametrize(
    ("servers", "said"),
    [
        ("  bee: {hosts: [a]}\n  wasp: {hosts: [a]}\n", "a is a host of two types"),
        ("  bee: [a]\n", "write {hosts: "),
        ("  bee: {hosts: [a], price: 0}\n", "price"),
    ],
)
def test_what_is_no_type_is_refused(tmp_path, servers, said):
    """In a sentence with the file."""
    with pytest.raises(UserError, match=r"study\.yml") as error:
        study(tmp_path, servers)
    assert said in str(error.value)


def test_a_host_of_no_type_is_one_of_its_own():
    """Its name is that of the type."""
    found = with_servers(results({"x": {"bee1": (0.0,), "ant": (0.0,)}}))

    assert ["bee", "ant"] == list(found["server"])


def test_the_steadiest_type_leads():
    """Instances of bee are half a percent apart, those of wasp 40."""
    said = server_frames.finding(server_frames.CASES["two types"]).data

    assert said.startswith("**bee** varies least: its instances differ by ")
    assert " Those of wasp differ by 40.7%" in said
    assert "To find a difference of 3% between two types takes up to " in said


def test_intervals_that_overlap_do_not_lead():
    """Two instances each tell little."""
    said = server_frames.finding(server_frames.CASES["two alike"]).data

    assert " shows the least: " in said
    assert "The intervals do not tell it from " in said


def test_one_instance_of_each_says_what_is_missing():
    """Two instances, and two runs on one."""
    said = server_frames.finding(server_frames.CASES["one instance each"]).data

    assert said.startswith("No server type has two instances")


def test_an_instance_is_off_its_type():
    """Logarithms .00 and .10 lie .05 from their middle."""
    rates = rates_of_instances(server_frames.rows({"a": {"a1": (0.0,), "a2": (0.1,)}}))

    assert np.exp([-0.05, 0.05]) - 1 == pytest.approx(list(rates["off"]))


def test_what_varies_beside_the_type_has_rows_of_its_own():
    """Two instances with two settings each."""
    one = server_frames.rows({"a": {"a1": (0.0,), "a2": (0.1,)}})
    rates = rates_of_instances(
        pd.concat([one.assign(config="small"), one.assign(config="large")])
    )

    assert ["a small", "a large"] == distinct(rates["row"])


def test_what_has_a_price_has_a_cost():
    """Of two types the one with a price; a rate of e^7 at .36 an hour."""
    found = results(server_frames.CASES["two types"])
    costs = costs_of_servers(instances_of_servers(with_servers(found)), found)
    [row] = costs.to_dict("records")

    middle = (7.005 + 7.01 + 7.015) / 3
    assert "bee" == row["server"]
    assert 100 / np.exp(middle) == pytest.approx(row["cost"])


def test_the_table_has_a_row_per_type():
    """Shares in percent, with their intervals."""
    rows = instances_of_servers(server_frames.rows(server_frames.CASES["two types"]))
    page = instances_table(rows).as_raw_html()

    assert "bee" in page
    assert "wasp" in page
    assert "to find a difference of 3%" in page


def test_each_type_scales_by_its_own_law():
    """An instance of bee is one value per number of clients; runs of wasp are its own."""
    types = {
        "bee": {"bee1": (0.0, 0.02), "bee2": (0.1, 0.12)},
        "wasp": {"wasp1": (0, 0.1)},
    }
    frames = [
        server_frames.rows(types).assign(dop=str(n), value=lambda r, n=n: n * r["value"])
        for n in (1, 2, 4, 8, 16)
    ]
    law = laws_of_servers(pd.concat(frames), SimpleNamespace(runs=pd.DataFrame()))

    assert {"bee": 10, "wasp": 10} == dict(zip(law["machine"], law["runs"], strict=True))
    assert {"in proportion"} == set(law["answer"])
    assert law.set_index("machine").loc["bee", "lambda"] == pytest.approx(np.exp(0.06))


def test_one_number_of_clients_has_no_law():
    """And no section on the page."""
    law = laws_of_servers(
        server_frames.rows(server_frames.NEAR).assign(dop="1"), SimpleNamespace()
    )

    assert [] == server_laws(law)
