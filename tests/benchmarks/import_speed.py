"""How fast are other people's files and our own records read, and in how much memory?

Per-second text as printed, against DuckDB and pandas reading the same rows as clean CSV
with declared types; our JSON lines against pandas.read_json(lines=True); gz against the
decompressor alone. All end in a DuckDB table. The reference runs in the same process, by
turns with ours: a ratio is that of the best times, its range that of the single turns;
"cpu" is the ratio of the processors' time, which other work on the machine hardly moves
but which does not see that DuckDB and our readers use several.
--series is the rows of a file; memory is measured at 5 and 50 times that.
"""

import gzip
import json
import subprocess
import sys
import tempfile
import time
import zlib
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import duckdb
import import_files
import pandas as pd
import pyarrow as pa
import pyarrow.csv
from import_files import KINDS
from script import arguments, show

from benchbook.imports.read import recognised
from benchbook.project import Project
from benchbook.store.database import row_groups
from benchbook.store.load import load
from benchformats import formats
from benchformats.text.file import open_text

sys.path.append(str(Path(__file__).parents[1] / "helpers"))

from make_runs import make_run, write_manifest

TURNS = 5
ROWS = 200_000
MEMORY_OF = ("sysbench_output", "iibench_seconds")
OURS_ALONE = ("line", "run", "report", "sample", "header", "interval_qps_correct")
# What a child does before it prints its samples and its peak memory. That is of this
# process alone: getrusage's ru_maxrss begins with that of the parent.
IMPORT = """
from benchbook.imports.importer import import_dir
found = import_dir(Path(source), Project(Path(root)), "big").manifest.sources
samples = sum(source.samples for source in found)
"""
LOAD = """
from benchbook.store.load import load
from benchbook.store.query import query
load(Project(Path(root)))
samples = query("SELECT count(*) AS n FROM sample", Project(Path(root))).n.item()
"""
CHILD = """
import sys
from pathlib import Path
from benchbook.project import Project
_, source, root = sys.argv
{work}
status = Path("/proc/self/status").read_text()
kib = next(x.split()[1] for x in status.splitlines() if x.startswith("VmHWM"))
print(samples, kib)
"""
Seconds = dict[str, list[tuple[float, float]]]  # of the clock, of all processors


def by_turns(calls: dict[str, Callable[[], object]], turns: int = TURNS) -> Seconds:
    """Seconds of each call, one after the other, after a turn that does not count."""
    seconds: Seconds = {name: [] for name in calls}
    for turn in range(turns + 1):
        for name, call in calls.items():
            start, used = time.perf_counter(), time.process_time()
            call()
            if turn:
                taken = time.perf_counter() - start, time.process_time() - used
                seconds[name].append(taken)
    return seconds


def ratio(seconds: Seconds, over: str, under: str) -> dict[str, str]:
    """Best time over best time, lowest and highest single turn, the same of the CPUs."""
    pairs = zip(seconds[over], seconds[under], strict=True)
    single = [a / b for (a, _), (b, _) in pairs]
    clock = min(a for a, _ in seconds[over]) / min(b for b, _ in seconds[under])
    cpu = min(a for _, a in seconds[over]) / min(b for _, b in seconds[under])
    return {
        f"{under}/{over}": f"{clock:.2f}",
        f"range/{over}": f"{min(single):.2f}-{max(single):.2f}",
        f"cpu/{over}": f"{cpu:.2f}",
    }


def milliseconds(seconds: Seconds) -> dict[str, float]:
    """The best time of each, by the clock."""
    return {
        f"{name} ms": 1000 * min(a for a, _ in taken) for name, taken in seconds.items()
    }


def texts(folder: Path, seed: int, rows: int, turns: int = TURNS) -> pd.DataFrame:
    """Per format: milliseconds, and our speed over that of DuckDB and of pandas."""
    table = []
    for name, kind in KINDS.items():
        path = import_files.write(folder, kind, seed, rows)
        clean = _clean(path, name, rows)
        types = {field.name: _sql_type(field.type) for field in clean.schema}
        csv = folder / "clean.csv"
        pyarrow.csv.write_csv(clean, csv)
        seconds = by_turns(_readers(path, name, csv, types), turns)
        size = {"format": name, "rows": rows, "MB": path.stat().st_size / 1e6}
        shares = ratio(seconds, "DuckDB", "ours") | ratio(seconds, "pandas", "ours")
        table.append(size | milliseconds(seconds) | shares)
    return pd.DataFrame(table)


def _readers(
    path: Path, name: str, csv: Path, types: dict[str, str]
) -> dict[str, Callable[[], object]]:
    duck = "CREATE TABLE t AS SELECT * FROM read_csv(?, header = true, columns = ?)"
    kinds = {"BIGINT": "int64", "DOUBLE": "float64", "VARCHAR": "str"}
    dtypes = {column: kinds[kind] for column, kind in types.items()}
    return {
        "ours": lambda: _into_duckdb(_series(path, name)),
        "DuckDB": lambda: duckdb.connect().execute(duck, [str(csv), types]),
        "pandas": lambda: _into_duckdb(pd.read_csv(csv, dtype=dtypes)),
    }


def _series(path: Path, name: str) -> pa.Table:
    """What the importer makes of a file: recognised, then read block by block."""
    opened = open_text(path, path.name)
    assert opened.file is not None
    chosen = recognised(opened.file, formats())
    assert chosen and chosen.name == name and chosen.stream is not None
    parts = chosen.stream(opened.file)
    found = [piece.series.get(KINDS[name].series) for piece in parts]
    assert opened.fingerprint
    return pa.concat_tables(table for table in found if table is not None)


def _clean(path: Path, name: str, rows: int) -> pa.Table:
    """The columns that the file prints; no row may be missing."""
    table = _series(path, name)
    assert table.num_rows == rows
    ours = [c for c in table.column_names if c in OURS_ALONE or _empty(table[c])]
    return table.drop_columns(ours)


def _empty(column: pa.ChunkedArray) -> bool:
    return bool(column.null_count == len(column))


def _sql_type(type_: pa.DataType) -> str:
    if pa.types.is_integer(type_):
        return "BIGINT"
    return "DOUBLE" if pa.types.is_floating(type_) else "VARCHAR"


def _into_duckdb(found: pa.Table | pd.DataFrame) -> None:
    if isinstance(found, pa.Table):
        found = row_groups(found)
    connection = duckdb.connect()
    connection.register("found", found)
    connection.execute("CREATE TABLE t AS SELECT * FROM found")


def json_lines(folder: Path, seed: int, rows: int, turns: int = TURNS) -> pd.DataFrame:
    """A run of so many samples, checked and loaded, against pandas: one row."""
    project = Project(folder)
    driver = _sampled_run(project, seed, rows)
    calls: dict[str, Callable[[], object]] = {
        "ours": lambda: load(project, rebuild=True),
        "pandas": lambda: _pandas_json(driver, folder / "pandas.duckdb"),
    }
    seconds = by_turns(calls, turns)
    counted = duckdb.connect(project.store, read_only=True).table("sample").shape[0]
    assert counted == rows
    size = {"samples": rows, "MB": driver.stat().st_size / 1e6}
    times = milliseconds(seconds) | ratio(seconds, "pandas", "ours")
    return pd.DataFrame([size | times])


def _sampled_run(project: Project, seed: int, rows: int) -> Path:
    """The driver.jsonl of a run with so many samples."""
    run = make_run(project.raw, dop=4)
    driver = run / "driver.jsonl"
    lines = [json.loads(line) for line in driver.read_text().splitlines()]
    others = {line["kind"]: line for line in lines}
    end_ns, total = others["step"]["start_ns"], 0
    with driver.open("w") as file:
        file.write(_line(others["run"]))
        for start in range(0, rows, ROWS):
            count = min(ROWS, rows - start)
            text, end_ns, ops = import_files.samples(seed + start, count, end_ns)
            file.write(text)
            total += ops
        file.write(
            _line(others["step"] | {"end_ns": end_ns, "ops": total, "rows": total})
        )
        clocks = {"mono_ns": end_ns, "real_ns": end_ns}
        file.write(_line(others["size"]) + _line(others["end"] | clocks))
    write_manifest(run)
    return driver


def _line(record: dict[str, object]) -> str:
    return json.dumps(record, separators=(",", ":")) + "\n"


def _pandas_json(driver: Path, store: Path) -> None:
    store.unlink(missing_ok=True)
    with duckdb.connect(store) as connection:
        connection.register("found", pd.read_json(driver, lines=True))
        connection.execute("CREATE TABLE t AS SELECT * FROM found")


def packed(folder: Path, seed: int, rows: int, turns: int = TURNS) -> pd.DataFrame:
    """Per format: a gz as text against zlib alone, and all of its reading."""
    table = []
    for name in MEMORY_OF:
        plain = import_files.write(folder, KINDS[name], seed, rows)
        path = folder / f"{plain.name}.gz"
        path.write_bytes(gzip.compress(plain.read_bytes(), 6))
        calls: dict[str, Callable[[], object]] = {
            "zlib": partial(_unpacked, path),
            "text": partial(_text, path),
            "read": partial(_series, path, name),
        }
        seconds = by_turns(calls, turns)
        size = {"format": name, "MB": plain.stat().st_size / 1e6}
        shares = ratio(seconds, "zlib", "text")
        table.append(size | milliseconds(seconds) | shares)
    return pd.DataFrame(table)


def _unpacked(path: Path) -> bytes:
    return zlib.decompress(path.read_bytes(), 31)


def _text(path: Path) -> int:
    opened = open_text(path, path.name)
    assert opened.file is not None and opened.fingerprint
    return sum(len(block.data) for block in opened.file.blocks())


def memory(folder: Path, seed: int, counts: Sequence[int]) -> pd.DataFrame:
    """Peak memory of a process that imports or loads so many rows, and its seconds."""
    table = []
    for name in (*MEMORY_OF, "json lines"):
        for rows in counts:
            source, root = folder / "source", folder / f"{name}{rows}"
            if name in MEMORY_OF:
                path = import_files.write(source, KINDS[name], seed, rows)
            else:
                path = _sampled_run(Project(root), seed, rows)
            work = IMPORT if name in MEMORY_OF else LOAD
            command = [sys.executable, "-c", CHILD.format(work=work), source, root]
            start = time.perf_counter()
            done = subprocess.run(command, check=True, capture_output=True, text=True)
            taken = time.perf_counter() - start
            samples, kib = map(int, done.stdout.split())
            assert samples == rows
            size = {"format": name, "rows": rows, "MB": path.stat().st_size / 1e6}
            table.append(size | {"seconds": taken, "peak MiB": kib / 1024})
            path.unlink()
    return pd.DataFrame(table)


def main() -> None:
    """Print the tables."""
    asked = arguments(__doc__, series=ROWS)
    seed, rows = asked.seed, asked.series
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        read = texts(folder / "text", seed, rows)
        show("Per-second text; ours/DuckDB: goal 0.33, ours/pandas: goal 1", read)
        small = json_lines(folder / "json", seed, 2 * rows)
        large = json_lines(folder / "more", seed, 10 * rows, turns=2)
        loaded = pd.concat([small, large])
        show("JSON lines of a run; ours/pandas: goal 10", loaded)
        show("gz as text; text/zlib: goal 1", packed(folder / "gz", seed, rows))
        peaks = memory(folder / "big", seed, (5 * rows, 50 * rows))
        show("Peak memory of an import or a load; goal 1024 MiB", peaks)


if __name__ == "__main__":
    main()
