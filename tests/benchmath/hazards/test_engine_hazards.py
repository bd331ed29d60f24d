"""What makes the numbers of whole engines doubtful, each with the fix that helps."""

import pandas as pd
import pytest
from engine_frames import cell, frames

from benchmath.hazard import Hazard
from benchmath.hazards.engines import (
    DURABLE,
    client_on_host,
    in_effect,
    index_creation,
    missed_together,
    prepared_on_one_side,
    settings_not_taken,
    short_together,
    with_fixes,
    write_debt,
)
from benchmath.hazards.runs import different_durability
from benchmath.hazards.writers import service_level

pytestmark = pytest.mark.unit


def test_fix_stands_behind_the_text():
    """A known kind names its fix; an unknown one stays as it is."""
    known = Hazard("SLA missed", "62% of the rate", {"step": "q1000.1"})
    unknown = Hazard("weather", "it rains")

    fixed, same = with_fixes([known, unknown])

    expected = "62% of the rate (fix: ignore its query rate, or lower the rate)"
    assert Hazard("SLA missed", expected, {"step": "q1000.1"}) == fixed
    assert unknown == same


def test_short_steps_share_one_text():
    """Two steps of 2 and 4 s are one footnote of two columns; 60 s is silent."""
    steps = pd.DataFrame(
        {"step": ["a", "b", "c"], "ops": 1, "elapsed_ns": [2e9, 4e9, 60e9]}
    )

    hazards = short_together(steps)

    assert [{"step": "a"}, {"step": "b"}] == [h.where for h in hazards]
    assert {"shorter than 10 s: a 2 s, b 4 s"} == {h.text for h in hazards}


def test_missed_rate_of_inserts_and_deletes_is_one_hazard():
    """Writers at 80 of 100 a second: one hazard per version and step, with the worst."""
    metric = frames([cell("11.22")], writers=80)["metric"]

    hazards = missed_together(service_level(metric))

    assert ["qr100.L1", "qp100.L2"] == [h.where["step"] for h in hazards]
    assert "at worst 80% in qr100.L1: not comparable" in hazards[0].text


def test_reached_rate_is_no_hazard():
    """99 of 100 is a satisfied target."""
    metric = frames([cell("11.22")], writers=99)["metric"]

    assert [] == missed_together(service_level(metric))


def test_client_beside_its_server_is_said():
    """A server that was started for the run shares this machine with its client."""
    (hazard,) = client_on_host(frames([cell("11.22")])["runs"])

    assert {"placement": "same"} == hazard.where
    assert "cpu/o is the server's own" in hazard.text


@pytest.mark.parametrize(
    "change",
    [{"engine": "sqlite"}, {"spec": '{"command": ["--target", "env:PG_URL"]}'}],
    ids=["embedded", "elsewhere"],
)
def test_embedded_engines_and_servers_elsewhere_are_not(change):
    """There is no second process here, or nobody knows where it runs."""
    runs = frames([cell("11.22")])["runs"].assign(**change)

    assert [] == client_on_host(runs)


def test_syncing_a_binary_log_that_is_off_is_no_difference():
    """sync_binlog 0 and 1 differ in durability only where there is a binary log."""

    def hazards(log_bin):
        settings = [{"sync_binlog": s, "log_bin": log_bin} for s in ("0", "1")]
        runs = pd.DataFrame({"version": ["5.5", "9.7"], "settings": settings})
        return different_durability(in_effect(runs), {"version": "5.5"}, DURABLE)

    assert [] == hazards("OFF")
    assert ["durability differs from the base: sync_binlog 1 against 0"] == [
        h.text for h in hazards("ON")
    ]


def test_statements_prepared_on_one_side_only():
    """Prepared against sent as text is named; prepared on both sides is not."""
    runs = frames([cell("1"), cell("2", prepare="0"), cell("3", prepare="1")])["runs"]
    runs = runs.assign(prepare=runs["prepare"].fillna(""))

    (hazard,) = prepared_on_one_side(runs, {"version": "1"})

    assert ({"me": "2"}, "2 sent as text, the base not so") == (hazard.where, hazard.text)


def test_query_after_writes_pays_their_debt():
    """The first query step after l.i1 is named, not the one after it."""
    steps = frames([cell("11.22")])["steps"]

    (hazard,) = write_debt(steps)

    assert {"step": "qr100.L1"} == hazard.where


def test_cleanup_pays_the_debt():
    """With a cleanup between them nothing is left to pay."""
    stages = (
        ("l.i1", "insert", 10.0, 1), ("cleanup", "bytes", 1.0, 1),
        ("qr100.L1", "query", 10.0, 1),
    )  # fmt: skip
    seq = {"seq": range(3), "main": True}
    steps = pd.DataFrame(stages, columns=["step", "op", "rate", "s"]).assign(**seq)

    assert [] == write_debt(steps)


def test_index_creation_is_not_compared_over_engines():
    """l.x of Postgres against InnoDB is marked, of two versions of one engine not."""
    runs = frames([cell("15"), cell("10.11", engine="mariadb")])["runs"]

    (hazard,) = index_creation(runs, {"engine": "postgres"})

    assert {"step": "l.x"} == hazard.where
    assert [] == index_creation(runs, {"version": "15"})


def test_a_setting_that_the_engine_overrides_is_named_once():
    """Three runs of a cell whose file asks for what the server does not take."""
    run = {
        "engine": "mariadb", "version": "10.11.19", "config": "unbuffered",
        "config_text": "innodb_log_file_buffering = OFF\n",
        "settings": {"innodb_log_file_buffering": "ON"},
    }  # fmt: skip
    (hazard,) = settings_not_taken(pd.DataFrame([run] * 3))

    assert "setting not taken" == hazard.code
    assert hazard.text == (
        "mariadb 10.11.19 has innodb_log_file_buffering at ON, where the settings file "
        "unbuffered asks for OFF"
    )
