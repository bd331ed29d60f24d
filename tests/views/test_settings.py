"""All settings of a study as one table."""

import pandas as pd

from benchbook.tables.settings import settings_section
from benchbook.views.settings import engine_settings


def runs(*rows):
    usual = {
        "engine": "postgres",
        "config": "a",
        "config_text": "fsync = on",
        "version": "11",
    }
    return pd.DataFrame([usual | row for row in rows])


def test_nothing_is_left_out_but_noise():
    """What differs comes first, then what the file names, then what is alike."""
    table = engine_settings(runs(
        {"settings": {"same": 1, "fsync": "on", "jit": "off", "port": "1"}},
        {"settings": {"same": 1, "fsync": "on", "jit": "on"}, "version": "12"},
    ))  # fmt: skip

    assert [
        ["jit", "default", "off → on", True],
        ["fsync", "settings file", "on", False],
        ["same", "", "1", False],
    ] == table.to_numpy().tolist()


def test_two_files_stand_side_by_side():
    """One setting differs between them, whatever its name; what one lacks is empty."""
    table = engine_settings(runs(
        {"settings": {"odd_name": "1073741824"}, "config_text": "odd_name=1G"},
        {"settings": {"odd_name": "4294967296"}, "config_text": "odd_name=4G\nmore=1",
         "config": "b"},
    ))  # fmt: skip

    assert ["setting", "from", "postgres a", "postgres b", "differs"] == list(table)
    assert [
        ["odd_name", "settings file", "1G", "4G", True],
        ["more", "settings file", "", "1", False],
    ] == table.to_numpy().tolist()


def test_defaults_that_are_alike_are_folded():
    """What differs or is set is in sight; the rest opens on a click."""
    made = engine_settings(runs({"settings": {"fsync": "on", "plain_default": "1"}}))

    html = settings_section(made).data

    assert html.index("fsync") < html.index("<details") < html.index("plain_<wbr>default")
    assert "1 further setting, the same everywhere" in html


def test_engine_without_settings_says_so():
    """A driver that has none to record."""
    none = runs({"settings": None, "config": "", "config_text": ""})

    assert (
        "No run has recorded a setting." in settings_section(engine_settings(none)).data
    )
