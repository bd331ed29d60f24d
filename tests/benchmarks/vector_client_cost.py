"""What does the client of `sql` cost where it searches vectors, beside a plain loop in C?

CPU microseconds of the client alone per search of the 10 nearest, in a Postgres with
pgvector; both ask the same queries of the same index, by binary parameters of a prepared
statement. They take turns on one CPU, the server's too; figures are medians with the
least and the most. Goal: at most 1.2 times the loop.
"""

import argparse
import json
import os
import sys
import tempfile
from pathlib import Path

import pandas as pd
from client_cost import BENCH, printed
from script import show

SERVER = ("postgres", "17", "trixie")


def arguments() -> argparse.Namespace:
    """What is measured; --inside is for the call within the server's life."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=7, help="default 7")
    parser.add_argument("--vectors", type=int, default=10_000, help="default 10000")
    parser.add_argument("--queries", type=int, default=5_000, help="default 5000")
    parser.add_argument("--inside", nargs=3, metavar=("BIN", "FOLDER", "TARGET"))
    return parser.parse_args()


def of_sql(asked: argparse.Namespace, *steps: str) -> list[dict[str, float]]:
    """Searches and the client's microseconds per search, of each step that searches."""
    folder, binaries, target = asked.inside[1], asked.inside[0], asked.inside[2]
    words = [word for step in steps for word in ("--step", step)]
    workload = BENCH / "workloads" / "vectors" / "workload"
    text = printed(f"{binaries}/sql", "--engine", "postgres", "--target", target,
                   "--workload", workload, "--vectors", folder,
                   "--set", f"vectors={asked.vectors}", *words)  # fmt: skip
    records = [json.loads(line) for line in text.splitlines()]
    found = [r for r in records if r["kind"] == "step" and r["step"] == "ef10"]
    return [{"us": r["cpu_ns"] / r["ops"] / 1000} for r in found if r["main"]]


def of_loop(asked: argparse.Namespace) -> dict[str, float]:
    """The same by the loop."""
    binaries, folder, target = asked.inside
    told = json.loads(printed(f"{binaries}/loop_nearest", target, folder, asked.queries))
    if told["rows"] != 10 * asked.queries:
        sys.exit(f"vector_client_cost: the loop had {told['rows']} rows")
    return {"us": told["cpu_ns"] / asked.queries / 1000}


def turns(asked: argparse.Namespace) -> None:
    """Print the costs of each turn as JSON lines; the first turn does not count."""
    of_sql(asked, "load", "index")
    step = f"ef10:events={asked.queries}"
    for turn in range(asked.turns + 1):
        costs = {"sql": lambda: of_sql(asked, step)[0], "loop": lambda: of_loop(asked)}
        for client in sorted(costs, reverse=turn % 2 == 0):
            line = {"turn": turn, "client": client} | costs[client]()
            if turn:
                print(json.dumps(line), flush=True)  # noqa: T201


def table(costs: pd.DataFrame) -> pd.DataFrame:
    """One row: microseconds of both clients, and their ratio within the turns."""
    by = costs.pivot(index="turn", columns="client", values="us")
    ratio = by["sql"] / by["loop"]
    row = {f"{name} µs": _spread(by[name], ".2f") for name in by}
    return pd.DataFrame([row | {"sql/loop": _spread(ratio, ".3f")}])


def _spread(values: pd.Series, form: str) -> str:
    ends = f"{values.min():{form}}-{values.max():{form}}"
    return f"{values.median():{form}} ({ends})"


def main() -> None:
    """Start the server, let both take turns, print the table."""
    asked = arguments()
    if asked.inside:
        turns(asked)
        return
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    with tempfile.TemporaryDirectory(prefix="vector-client-") as work:
        Path(work).chmod(0o755)  # the server is another user
        out, folder = Path(work) / "bin", Path(work) / "vectors"
        make = ("make", "-s", "-C", BENCH, "-f", "Makefile", "-f", "cost/loops/loops.mk")
        printed(*make, f"OUT={out}", "sql", "keeper", "loop_nearest")
        printed(BENCH / "vectors.sh", "source-text", folder)
        tree = printed(BENCH / "install.sh", *SERVER).strip()
        inside = [sys.executable, __file__, "--turns", asked.turns, "--vectors",
                  asked.vectors, "--queries", asked.queries]  # fmt: skip
        config = BENCH / "configs" / "postgres" / "vectors_1g"
        server = [BENCH / "server.sh", "run", "--engine", "postgres", "--basedir", tree,
                  "--dir", f"{work}/data", "--bin", out, "--config", config,
                  "--"]  # fmt: skip
        text = printed(*server, *inside, "--inside", out, folder, "{server}")
    costs = pd.DataFrame([json.loads(line) for line in text.splitlines()])
    size = f"median (least-most) of {asked.turns} turns"
    show(f"CPU time of one client per search: {size}", table(costs))


if __name__ == "__main__":
    main()
