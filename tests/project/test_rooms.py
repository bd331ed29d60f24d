"""The library is laid out as the path that data takes: imports run downwards only."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from places import ROOT

pytestmark = pytest.mark.unit

SRC = ROOT / "src/benchbook"
LAYERS = (  # from the ground up; neighbours on a storey do not see each other
    ("errors", "escaped", "secret", "metric_names", "prose", "raw_html", "versions"),
    ("project", "files", "finding"),
    ("digests", "sql"),
    ("study", "machine", "formats", "analysis"),
    ("engines", "runs", "published"),
    ("store", "measure"),
    ("imports",),
    ("charts", "tables"),
    ("results",),
    ("findings", "audit", "explore"),
    ("posts",),
    ("cli", "notebook"),
    ("__init__", "__main__"),
)
ANALYSIS = (
    ("compatible", "distributions", "frames", "hazard", "settings"),
    ("intervals",),
    ("durability", "plans", "published", "recall", "scaling", "units"),
    ("ratios",),
    ("changes", "costs", "latency", "lsm", "profiles", "turns", "variation"),
    ("hazards",),
)
FORMATS = (
    ("clean", "lines", "printed", "tags", "times", "units"),
    ("names",),
    ("parsed",),
    ("agreement", "text"),
    ("json_file", "tprocc"),
    ("ann", "asv", "benchmark_action", "criterion", "db_bench", "fio", "go_bench",
     "google_benchmark", "hammerdb", "hyperfine", "iibench", "jmh", "notes_2017",
     "pgbench", "profilers", "pytest_benchmark", "sysbench", "system", "tidy", "tpcc",
     "ycsb"),
    ("__init__",),
)  # fmt: skip
PURE = ("analysis", "audit", "charts", "findings", "tables")
OUTSIDE = {"os", "pathlib", "subprocess", "shutil", "duckdb"}


def imports_of(folder: Path) -> Iterator[tuple[str, str, str]]:
    """(file, its module, a module it imports), dotted, below benchbook."""
    for file in sorted(folder.rglob("*.py")):
        path = file.relative_to(SRC)
        module = ".".join(path.with_suffix("").parts)
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                yield from ((str(path), module, alias.name) for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                source = node.module or ""
                names = [alias.name for alias in node.names]
                for name in names if _is_package(source) else [""]:
                    yield str(path), module, f"{source}.{name}".rstrip(".")


def _is_package(module: str) -> bool:
    """Does the module hold modules, so that a name imported from it may be one?"""
    _, *parts = module.split(".")
    return module.startswith("benchbook") and SRC.joinpath(*parts).is_dir()


def upwards(layers: tuple[tuple[str, ...], ...], folder: str) -> list[str]:
    """Imports inside a folder that do not lead to a lower storey of ``layers``."""
    storey = {room: n for n, rooms in enumerate(layers) for room in rooms}
    prefix = "benchbook." + (f"{folder}." if folder else "")
    wrong = []
    for file, module, other in imports_of(SRC / folder):
        if not other.startswith(prefix):
            continue
        room = module.split(".")[prefix.count(".") - 1]
        target = other.removeprefix(prefix).split(".")[0]
        if target != room and storey[target] >= storey[room]:
            wrong.append(f"{file}: {room} imports {target}")
    return wrong


def test_no_import_runs_up():
    """A module imports from its own room and from lower storeys only."""
    assert [] == upwards(LAYERS, "")


def test_no_import_runs_up_in_analysis():
    """Ratios know nothing of what is made of them."""
    assert [] == upwards(ANALYSIS, "analysis")


def test_no_import_runs_up_in_formats():
    """A tool's parsers know the contract and the text, not one another."""
    assert [] == upwards(FORMATS, "formats")


def test_every_module_is_in_a_room():
    """Nothing new lies flat: a module or folder that no storey names has no place."""
    rooms = {room for layer in LAYERS for room in layer}
    names = {
        p.stem for p in SRC.iterdir() if p.suffix == ".py" or (p / "__init__.py").exists()
    }

    assert set() == names - rooms


@pytest.mark.parametrize("room", PURE)
def test_room_touches_nothing_outside(room: str):
    """Statistics, tables, charts and sentences see no file, process or database."""
    wrong = [
        f"{file} imports {other}"
        for file, _, other in imports_of(SRC / room)
        if other.split(".")[0] in OUTSIDE
    ]

    assert [] == wrong
