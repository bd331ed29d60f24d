"""A template's own code lies in its folder, and what several need lies in a room."""

from __future__ import annotations

from collections import Counter, defaultdict
from importlib import import_module

import pytest
from places import ROOT
from source_imports import imports_of
from template_names import CALLS, TEMPLATES

pytestmark = pytest.mark.unit

FOLDERS = ROOT / "src" / "benchbook" / "templates"
ROOMS = ("charts", "findings", "results", "tables", "views")
FULLEST = 20  # modules that a folder may hold


def module_of(room: str, name: str, template: str) -> str:
    """Where a name that a notebook calls is defined."""
    rooms = {"bb": "", "common": ".templates.common", "own": f".templates.{template}"}
    value = getattr(import_module("benchbook" + rooms.get(room, f".{room}")), name)
    return str(getattr(value, "__module__", ""))


def users() -> dict[str, set[str]]:
    """The templates that call or reach each module; `other`: so does another room."""
    direct = defaultdict(set)
    for template, calls in CALLS.items():
        for room, name in calls:
            folder = template.replace("-", "_")
            direct[module_of(room, name, folder)].add(template)
    importers = defaultdict(set)
    for _, module, other in imports_of(ROOT / "src" / "benchbook"):
        if not module.endswith(".__init__") and module != "benchbook.templates.common":
            importers[other].add(module)
            importers[other.rpartition(".")[0]].add(module)
    found = {}
    for start in importers.keys() | direct.keys():
        seen, waiting = set(), [start]
        while waiting:
            module = waiting.pop()
            if module not in seen:
                seen.add(module)
                waiting += importers[module]
        found[start] = {t for m in seen for t in direct[m]}
        rooms = {m.split(".")[1] for m in seen if m.count(".")}
        if rooms - {*ROOMS, "templates"}:
            found[start].add("other")
    return found


@pytest.mark.slow
def test_a_templates_code_lies_in_its_folder():
    """No module of a room serves one template only."""
    alone = {
        module: used
        for module, used in users().items()
        if len(used) == 1 and "other" not in used and module.split(".")[1:2][0] in ROOMS
    }

    assert {} == alone


def test_what_several_templates_call_is_common():
    """A name of `common` serves two or more templates."""
    times = Counter(name for calls in CALLS.values() for room, name in calls
                    if room == "common")  # fmt: skip

    assert [] == [name for name, n in times.items() if n < 2]


@pytest.mark.parametrize("template", TEMPLATES)
def test_a_notebook_finds_its_names(template: str):
    """Every name that its cells call is there: AttributeError says which is not."""
    folder = template.replace("-", "_")

    assert all(
        module_of(room, name, folder) is not None for room, name in CALLS[template]
    )


def test_no_folder_is_full():
    """What grows beyond twenty modules is divided."""
    counts = Counter(path.parent for path in (ROOT / "src").rglob("*.py"))

    assert {} == {str(f.relative_to(ROOT)): n for f, n in counts.items() if n > FULLEST}
