"""The list of formats is complete, and each says what it is."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest

import benchformats
from benchformats import MODULES, formats
from benchformats.parsed import Parsed, TextFile

pytestmark = pytest.mark.unit

FOLDER = Path(benchformats.__file__).parent


def test_every_format_is_listed():
    """A module with a name to recognise files by is a format, and no other module."""
    files = (p.relative_to(FOLDER) for p in FOLDER.rglob("*.py"))
    names = [".".join(p.with_suffix("").parts) for p in files if p.stem != "__init__"]
    modules = {name: import_module(f"benchformats.{name}") for name in names}
    named = {name for name, module in modules.items() if hasattr(module, "NAME")}

    assert set(MODULES) == named


def test_names_are_unique_and_said():
    """A name stands for one format; each has a line that says what it is."""
    names = [format_.name for format_ in formats()]

    assert len(names) == len(set(names))
    assert all(format_.doc for format_ in formats())


@pytest.mark.parametrize("name", MODULES)
@pytest.mark.parametrize("text", ["", "\n", "what is this?\n", "1\t2\t3\n", "\x01\ufffd"])
def test_unknown_text_is_not_recognised(name: str, text: str):
    """No format claims a file of which it knows nothing; forced to, it finds nothing."""
    module = import_module(f"benchformats.{name}")
    found = module.read(TextFile("notes", text))

    assert not module.recognises(TextFile("notes", text))
    assert (Parsed, []) == (type(found), found.rows)
