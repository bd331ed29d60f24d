"""Three packages, each laid out so that imports run downwards only."""

from __future__ import annotations

import pytest
from source_imports import SRC, imports_of

pytestmark = pytest.mark.unit

# Readers and statistics are of use without the laboratory, and without each other.
ALONE = ("benchformats", "benchmath")
# From the ground up; neighbours on a storey do not see each other.
BENCHBOOK = (
    ("escaped", "secret", "raw_html"),
    ("project", "files", "finding", "several"),
    ("digests", "laboratory", "sql"),
    ("commands", "vectors"),
    ("study", "machine"),
    ("engines", "runs", "published"),
    ("store", "measure"),
    ("fleet",),
    ("imports",),
    ("charts", "tables"),
    ("results",),
    ("sets", "views"),
    ("findings", "audit", "explore"),
    ("templates",),
    ("posts",),
    ("cli",),
    ("__init__", "__main__"),
)
BENCHMATH = (
    ("errors", "prose", "special", "versions"),
    ("compatible", "frames", "hazard", "settings"),
    ("intervals",),
    ("durability", "plans", "published", "recall", "scaling", "units"),
    ("ratios",),
    ("changes", "costs", "latency", "lsm", "profiles", "turns", "variation"),
    ("hazards",),
    ("__init__",),
)
BENCHFORMATS = (
    ("clean", "lines", "metric_names", "printed", "tags", "times", "units", "unlike"),
    ("names",),
    ("parsed",),
    ("agreement", "text"),
    ("json_file", "tprocc"),
    ("json_format",),
    ("ann", "asv", "benchmark_action", "criterion", "db_bench", "fio", "go_bench",
     "google_benchmark", "hammerdb", "hyperfine", "iibench", "jmh", "notes_2017",
     "pgbench", "profilers", "pytest_benchmark", "sysbench", "system", "tidy", "tpcc",
     "ycsb"),
    ("__init__",),
)  # fmt: skip
PACKAGES = {
    "benchbook": BENCHBOOK, "benchmath": BENCHMATH, "benchformats": BENCHFORMATS,
}  # fmt: skip
PURE = (
    "benchmath",
    *(f"benchbook/{r}" for r in ("audit", "charts", "findings", "tables", "templates")),
)
OUTSIDE = {"os", "pathlib", "subprocess", "shutil", "duckdb"}


@pytest.mark.parametrize("package", PACKAGES)
def test_no_import_runs_up(package: str):
    """A module imports from its own room and from lower storeys only."""
    storey = {room: n for n, rooms in enumerate(PACKAGES[package]) for room in rooms}
    wrong = []
    for file, module, other in imports_of(SRC / package):
        room, target = module.split(".")[1], [*other.split("."), ""][1]
        inside = other.startswith(f"{package}.") and target not in (room, "")
        if inside and storey[target] >= storey[room]:
            wrong.append(f"{file}: {room} imports {target}")

    assert [] == wrong


@pytest.mark.parametrize("package", ALONE)
def test_a_package_stands_alone(package: str):
    """Whoever wants readers or statistics needs nothing else of the project."""
    others = {name for name in PACKAGES if name != package}
    wrong = [
        f"{file} imports {other}"
        for file, _, other in imports_of(SRC / package)
        if other.split(".")[0] in others
    ]

    assert [] == wrong


@pytest.mark.parametrize("package", PACKAGES)
def test_every_module_is_in_a_room(package: str):
    """Nothing new lies flat: a module or folder that no storey names has no place."""
    rooms = {room for layer in PACKAGES[package] for room in layer}
    names = {
        path.stem
        for path in (SRC / package).iterdir()
        if path.suffix == ".py" or (path / "__init__.py").exists()
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
