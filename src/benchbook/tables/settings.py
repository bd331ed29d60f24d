"""All settings of a study: those that differ in sight, the rest opens on a click."""

from __future__ import annotations

import pandas as pd
from great_tables import GT
from IPython.display import HTML

from benchbook.raw_html import own_ids
from benchbook.tables.look import Column, table
from benchmath.frames import require
from benchmath.prose import counted

TITLE = "Settings that differ, or that a settings file names"
NONE = "No run has recorded a setting."
_NOTE = (
    "In effect, as the engine reports them, else as the file says; from: who decides. "
    "Paths, ids and versions are left out."
)


def settings_section(settings: pd.DataFrame) -> HTML:
    """Takes the frame of ``views.settings.engine_settings``.

    In sight are the settings that differ and those that a settings file names; defaults
    that are alike everywhere are in a closed `<details>`, without any script.
    """
    require(settings, ("setting", "from", "differs"))
    open_rows = settings["differs"] | (settings["from"] != "")
    parts = [_html(settings_table(settings[open_rows], TITLE), "settings")]
    rest = settings[~open_rows]
    if len(rest):
        words = f"{counted(len(rest), 'further setting')}, the same everywhere"
        line = f'<summary style="cursor:pointer">{words}</summary>'
        folded = _html(settings_table(rest), "alike")
        parts += ['<details class="bb-settings">', line, folded, "</details>"]
    return HTML("\n".join(parts))


def settings_table(settings: pd.DataFrame, title: str | None = None) -> GT:
    """One row per setting, one column per engine and config."""
    names = [str(c) for c in settings.columns if c != "differs"]
    return table(settings, [*map(Column, names)], title, [_NOTE], empty=NONE)


def _html(shown: GT, prefix: str) -> str:
    return own_ids(shown.as_raw_html(), prefix)
