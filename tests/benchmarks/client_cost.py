"""What does ingest's client cost, beside a plain loop in C and one in Python?

CPU microseconds of the client alone, per row inserted (100 a statement), per range query
of 10 rows and per query for 10 primary keys. ingest is given 1, 2, 4 and 8 clients; the
loops are one client, on the same client library, server, tables and statements. The three
take turns on one CPU, the server's too; figures are medians, with the least and the most.
Goals: at most 1.2 times the loop in C, an eighth of that in Python, the same at each dop.
Two things take the second goal out of reach: SQLite has its engine in the client, and the
half of a query's cost is the kernel's, which passes its messages for whatever client.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

import pandas as pd
from script import show

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
BENCH = ROOT / "bench"
PACKAGES = ROOT / "build" / "client-cost"
LOOPS = {"postgres": "postgres", "mariadb": "mysql", "myrocks": "mysql",
         "sqlite": "sqlite"}  # fmt: skip
INSTALLS = {"postgres": ("postgres", "15"), "mariadb": ("mariadb", "10.11"),
            "myrocks": ("mariadb", "10.11")}  # fmt: skip
MODULES = {"postgres": "psycopg", "mysql": "MySQLdb"}
STORAGE = {"mariadb": " storage=InnoDB", "myrocks": " storage=ROCKSDB"}
STEPS = {"l.i0": "insert", "qr100.L1": "range", "qp100.L2": "point"}
PER = {"insert": "row", "range": "range query", "point": "point query"}
DOPS = (1, 2, 4, 8)
WAL = BENCH / "configs" / "sqlite" / "wal_normal_4k"


def arguments() -> argparse.Namespace:
    """What is measured; --inside and --target are for the call within a server's life."""
    about = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=about)
    parser.add_argument("--engine", action="append", choices=LOOPS, help="default: all")
    parser.add_argument("--turns", type=int, default=7, help="default 7")
    parser.add_argument("--rows", type=int, default=100_000, help="default 100000")
    parser.add_argument("--queries", type=int, default=5_000, help="default 5000")
    parser.add_argument("--bin", type=Path, help="compiled already; default: compile")
    parser.add_argument("--inside", help=argparse.SUPPRESS)
    parser.add_argument("--target", default="", help=argparse.SUPPRESS)
    return parser.parse_args()


def printed(*words: object, **environ: str) -> str:
    """The standard output of a command that has to succeed."""
    done = subprocess.run(
        [str(word) for word in words], stdout=subprocess.PIPE, text=True, check=False,
        env=os.environ | environ,
    )  # fmt: skip
    if done.returncode:
        sys.exit(f"client_cost: {words[0]} failed with exit code {done.returncode}")
    return done.stdout


def need_packages(engines: Iterable[str]) -> None:
    """End with a sentence if the loops in Python lack their client library."""
    needed = {MODULES[LOOPS[engine]] for engine in engines if LOOPS[engine] in MODULES}
    for name in sorted(needed):
        if not (PACKAGES / name).is_dir():
            sys.exit(
                f"client_cost: {name} is not in build/client-cost: "
                "run `make client-cost`, which installs it there"
            )


def compile_all(out: Path) -> Path:
    """ingest and the loops, by the same compiler with the same flags."""
    make = ("make", "-s", "-C", BENCH, "-f", "Makefile", "-f", "cost/loops/loops.mk")
    printed(*make, f"OUT={out}", "ingest", "keeper", "loops")
    return out


def loads(
    engine: str, target: str, dop: int, asked: argparse.Namespace
) -> Iterator[dict[str, object]]:
    """What a row of a load costs ingest; one client makes the indexes too."""
    steps = [f"l.i0:rows={asked.rows // dop}", *(["l.x"] if dop == 1 else [])]
    yield from of_ingest(engine, target, dop, asked, *steps)


def of_ingest(
    engine: str, target: str, dop: int, asked: argparse.Namespace, *steps: str
) -> Iterator[dict[str, object]]:
    """The cost of the main operation of each step."""
    words = [word for step in steps for word in ("--step", step)]
    config = ("--config", WAL) if engine == "sqlite" else ()
    text = printed(asked.bin / "ingest", "--engine", engine, "--target", target,
                   "--dop", dop, *config, *words)  # fmt: skip
    for line in text.splitlines():
        record = json.loads(line)
        if record["kind"] != "step" or not record["main"] or record["step"] not in STEPS:
            continue
        what = STEPS[record["step"]]
        count = record["rows"] if what == "insert" else record["ops"]
        yield {"client": "ingest", "dop": dop, "what": what,
               "us": record["cpu_ns"] / count / 1000}  # fmt: skip


def of_loop(
    engine: str, target: str, client: str, whats: Iterable[str], asked: argparse.Namespace
) -> Iterator[dict[str, object]]:
    """The same by a plain loop."""
    for what in whats:
        statements = asked.rows // 100 if what == "insert" else asked.queries
        if client == "C":
            loop = [asked.bin / f"loop_{LOOPS[engine]}", target]
        else:
            loop = [sys.executable, HERE / "client_loops.py", engine, target]
        told = json.loads(printed(*loop, what, statements, PYTHONPATH=str(PACKAGES)))
        count = told["rows"] if what == "insert" else statements
        if told["rows"] < 9 * statements:  # Postgres leaves gaps between its keys
            sys.exit(f"client_cost: {what} by {client}: rows are missing")
        yield {"client": client, "dop": 1, "what": what,
               "us": told["cpu_ns"] / count / 1000}  # fmt: skip


def turns(engine: str, target: str, asked: argparse.Namespace) -> None:
    """Print the costs of each turn as JSON lines; the first turn does not count."""
    for turn in range(asked.turns + 1):
        for client in _rotated(turn):
            _tell(engine, turn, _inserts(engine, target, client, asked))
        for client in _rotated(turn):
            _tell(engine, turn, _queries(engine, target, client, asked))


def _inserts(
    engine: str, target: str, client: str, asked: argparse.Namespace
) -> Iterator[dict[str, object]]:
    if client == "ingest":
        for dop in DOPS[::-1]:  # the queries find what one client left
            yield from loads(engine, target, dop, asked)
    elif engine == "sqlite":
        with tempfile.TemporaryDirectory(dir=target) as new:
            yield from of_loop(engine, f"{new}/loop.db", client, ["insert"], asked)
    else:
        target += STORAGE.get(engine, "")
        yield from of_loop(engine, target, client, ["insert"], asked)


def _queries(
    engine: str, target: str, client: str, asked: argparse.Namespace
) -> Iterator[dict[str, object]]:
    if client == "ingest":
        steps = ("qr100.L1:seconds=2", "qp100.L2:seconds=2")
        yield from of_ingest(engine, target, 1, asked, *steps)
    else:
        target += "/benchbook.db" if engine == "sqlite" else ""
        yield from of_loop(engine, target, client, ["range", "point"], asked)


def _rotated(turn: int) -> list[str]:
    """Each client begins, and follows on each other one, in turn."""
    clients = ["ingest", "C", "Python"]
    return clients[turn % 3 :] + clients[: turn % 3]


def _tell(engine: str, turn: int, costs: Iterator[dict[str, object]]) -> None:
    for cost in costs:
        if turn:
            line = json.dumps({"engine": engine, "turn": turn} | cost)
            print(line, flush=True)  # noqa: T201


def measure(engine: str, asked: argparse.Namespace, folder: Path) -> pd.DataFrame:
    """The turns on one engine; a server is started for them."""
    inside = [sys.executable, __file__, "--inside", engine, "--bin", asked.bin,
              "--turns", asked.turns, "--rows", asked.rows,
              "--queries", asked.queries]  # fmt: skip
    if engine in INSTALLS:
        tree = printed(BENCH / "install.sh", *INSTALLS[engine], "debian").strip()
        server = [BENCH / "server.sh", "run", "--engine", engine, "--basedir", tree,
                  "--dir", folder, "--bin", asked.bin, "--"]  # fmt: skip
        text = printed(*server, *inside, "--target", "{server}")
    else:
        text = printed(*inside, "--target", folder)
    return pd.DataFrame([json.loads(line) for line in text.splitlines()])


def table(costs: pd.DataFrame) -> pd.DataFrame:
    """A row per engine and operation: microseconds of each client, and our ratios."""
    rows = []
    for (engine, what), part in costs.groupby(["engine", "what"], sort=False):
        row: dict[str, object] = {"engine": engine, "per": PER[str(what)]}
        one = part[part["dop"] == 1].set_index("turn")
        by = {name: found["us"] for name, found in one.groupby("client")}
        for name in ("ingest", "C", "Python"):
            row[f"{name} µs"] = _spread(by[name])
        for name in ("C", "Python"):
            ratios = by["ingest"] / by[name]
            row[f"ingest/{name}"] = (
                f"{by['ingest'].median() / by[name].median():.3f} "
                f"({ratios.min():.3f}-{ratios.max():.3f})"
            )
        rows.append(row)
    return pd.DataFrame(rows)


def by_dop(costs: pd.DataFrame) -> pd.DataFrame:
    """Microseconds of ingest per row, by the number of clients."""
    loads = costs[(costs["client"] == "ingest") & (costs["what"] == "insert")]
    rows = []
    for engine, part in loads.groupby("engine", sort=False):
        row: dict[str, object] = {"engine": engine}
        for dop in DOPS:
            row[f"dop {dop}"] = _spread(part[part["dop"] == dop]["us"])
        rows.append(row)
    return pd.DataFrame(rows)


def _spread(us: pd.Series) -> str:
    return f"{us.median():.2f} ({us.min():.2f}-{us.max():.2f})"


def main() -> None:
    """Print the tables."""
    asked = arguments()
    if asked.inside:
        turns(asked.inside, asked.target, asked)
        return
    engines = asked.engine or list(LOOPS)
    need_packages(engines)
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    with tempfile.TemporaryDirectory(prefix="client-cost-") as work:
        Path(work).chmod(0o755)  # the server is another user
        asked.bin = asked.bin or compile_all(Path(work) / "bin")
        found = []
        for engine in engines:
            folder = Path(work) / engine
            folder.mkdir()
            folder.chmod(0o755)
            found.append(measure(engine, asked, folder))
    costs = pd.concat(found)
    size = f"median (least-most) of {asked.turns} turns"
    show(f"CPU time of one client: {size}", table(costs))
    show(f"CPU time per row of a load by ingest, µs: {size}", by_dop(costs))


if __name__ == "__main__":
    main()
