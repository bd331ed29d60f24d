"""What an engine was set to: files read, values compared, noise left out by its kind."""

import pandas as pd
import pytest

from benchmath.settings import (
    NOT_SET,
    normal,
    not_taken,
    of_text,
    same,
    settings_of,
    switches,
    values_text,
)


def runs(*rows):
    """A run of Postgres 15.19 per mapping of columns."""
    usual = {
        "engine": "postgres",
        "version": "15.19",
        "config": "a",
        "config_text": "x=1",
    }
    return pd.DataFrame([usual | row for row in rows])


def test_file_is_read_as_servers_read_it():
    """Comments, quotes of a trailing comment, blanks, dashes and prefixes."""
    text = "# a comment\n a = 1G # more\nb-c 5\nloose_d=2\nskip_log_bin\n;e=1\nlone\n\n"

    expected = {"a": "1G", "b_c": "5", "d": "2", "log_bin": "0", "lone": "1"}
    assert expected == of_text(text)


def test_section_of_a_series_holds_for_it_only():
    """[mysqld-8.0] is no word to 5.7, nor to 8.01; [mysqld] is to all."""
    text = "[mysqld]\na=1\n[mysqld-8.0]\na=2\n"

    assert [{"a": "1"}, {"a": "2"}, {"a": "1"}] == [
        of_text(text, version) for version in ("5.7.22", "8.0.12", "8.01")
    ]


@pytest.mark.parametrize("name, value", [("initdb", "-k"), ("environment", "A=1 B=2")])
def test_obeyed_comment_is_a_setting(name, value):
    """What initdb and the environment set stands in comments that server.sh obeys."""
    assert {name: value} == of_text(f"# {name}: {value}\n# other: -k\n")


def test_values_are_compared_by_what_they_mean():
    """1G is its bytes, on is 1, quotes and case are nothing."""
    assert ["1073741824", "1", "0", "a b", "75", "-1"] == [
        normal(v) for v in ("1G", "ON", "off", "'A b'", "75.000", "-1")
    ]
    assert same(["1024M", "2"], ["2", "1G", "1073741824"])
    assert not same(["1G"], ["4G"])


def test_paths_ids_and_versions_are_noise():
    """By the shape of the value or a word of the name, whatever the setting is called."""
    settings = {
        "datadir": "/tmp/x", "socket": "s", "whatever": "/run/y.sock", "server_uuid": "z",
        "made": "0f0f0f0f0f0f0f0f0f", "version_comment": "Debian", "about": "is 15.19-1",
        "compiler": "gcc", "innodb_log_file_size": "1", "fsync": "on",
    }  # fmt: skip

    found = settings_of(runs({"settings": settings}))

    assert {"innodb_log_file_size": ("1",), "fsync": ("on",)} == dict(found.in_effect)


def test_value_of_its_own_in_each_of_three_runs_is_noise():
    """A number that no two runs share; two values of three runs are kept."""
    each = [{"settings": {"seed": n, "work_mem": min(n, 2)}} for n in (1, 2, 3)]

    assert {"work_mem": ("1", "2")} == dict(settings_of(runs(*each)).in_effect)


def test_run_whose_file_does_not_name_a_setting():
    """Of two files one names it: the other's value is `not set`."""
    found = settings_of(runs({"config_text": "a=1\nb=2"}, {"config_text": "a=1"}))

    assert {"a": ("1",), "b": ("2", NOT_SET)} == dict(found.written or {})


def test_file_that_nobody_kept_is_not_an_empty_one():
    """A named config without text is unknown, as is a server that was connected to."""
    lost = settings_of(runs({"config_text": ""}))
    elsewhere = settings_of(
        runs({"config": "", "config_text": "", "spec": '"connect": "env:DB"'})
    )
    none = settings_of(runs({"config": "", "config_text": ""}))

    assert [None, None, {}] == [lost.written, elsewhere.written, none.written]


def test_values_as_they_are_shown():
    """Sizes in their unit, other numbers as they are, long ones cut."""
    assert "1G" == values_text(["1073741824"])
    assert "16M / 4097" == values_text(["16777216", "4097"])
    assert "a" * 59 + "…" == values_text(["a" * 80])


def test_list_of_switches_shows_what_differs():
    """Of a long optimizer_switch the one that was turned on; new ones alone by name."""
    assert ("b=off", "b=on") == switches("a=on,b=off,c=on", "a=on,b=on,c=on")
    assert ("without", "d=on") == switches("a=on,b=off", "a=on,b=off,d=on")
    assert ("1", "2") == switches("1", "2")


def test_what_an_engine_has_otherwise_than_its_file_is_told():
    """Sizes and switches are compared by meaning; what it does not know is nobody's."""
    text = "a = 128M\nbuffering = OFF\nloose_gone = 1\nswitches = x=on\nd = /data\n"
    text += "policy = bloomfilter:10:false\n"
    effect = {"a": "134217728", "buffering": "ON", "switches": "w=on,x=on", "d": "/data/"}
    effect |= {"policy": "rocksdb.BuiltinBloomFilter"}

    assert {"buffering": ("OFF", "ON")} == not_taken(
        {"config": "a", "config_text": text, "version": "1", "settings": effect}
    )
