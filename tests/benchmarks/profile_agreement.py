"""Do our weighted stacks say what perf report says, and what would unweighted ones say?

Records programs of ours with profile.sh of bench/profile/, once per event, and compares
the share of each leaf symbol: perf report's own, ours by the samples' periods, and ours
by counting samples. Frequency sampling (-F) varies the period of events that come in
bursts, page faults for one; that of the clock is constant.

    .venv/bin/python tests/benchmarks/profile_agreement.py --seconds 5
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd
import zstandard
from script import show

from benchformats.parsed import TextFile
from benchformats.profilers import perf_report, perf_script
from benchmath.profiles.names import reported_name

sys.path.append(str(Path(__file__).parents[1] / "helpers"))

from folded_stacks import leaf_shares

BENCH = Path(__file__).parents[2] / "bench"
GOAL = 0.5  # points
# A load into SQLite, and for page faults a program that is started again and again.
LOAD = '"$0"/ingest --engine sqlite --target "$1" --dop 1 --step l.i0:rows=100000000'
STARTS = 'while :; do "$0"/now; done'
EVENTS = {"cpu-clock": f"exec {LOAD}", "page-faults": STARTS, "cycles": f"exec {LOAD}"}


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=5, help="of each slice")
    parser.add_argument("--hz", type=int, default=999)
    parser.add_argument("--call-graph", choices=("fp", "dwarf"), default="fp")
    parser.add_argument("--event", action="append", choices=EVENTS, help="default: all")
    return parser.parse_args()


def differences(stacks: pd.DataFrame, report: pd.DataFrame) -> pd.DataFrame:
    """Per leaf symbol its share in percent: ``report`` and ``ours``, and ``printed``.

    ``report`` is of perf report's periods, ``printed`` the sum of its percentages, which
    are rounded per address where a module has no symbols. An inlined function is part of
    the symbol that holds it, as perf report counts.
    """
    whole = [_physical(*pair) for pair in zip(stacks.frames, stacks.kinds, strict=True)]
    ours = leaf_shares(stacks.assign(frames=whole)).set_index("leaf")["share"] * 100
    pairs = zip(report["symbol"], report["shared_object"], strict=True)
    named = report.assign(leaf=[reported_name(*pair) for pair in pairs])
    theirs = named.groupby("leaf")[["period", "overhead_pct"]].sum()
    exact = theirs["period"] / theirs["period"].sum() * 100
    return pd.DataFrame(
        {"report": exact, "ours": ours, "printed": theirs["overhead_pct"]}
    ).fillna(0.0)


def _physical(frames: str, kinds: str) -> str:
    names = frames.split(";")
    while len(names) > 1 and kinds[len(names) - 1 : len(names)] == "i":
        names.pop()
    return ";".join(names)


def build(out: Path) -> Path:
    """The driver with frame pointers, and the clock."""
    make = ["make", "-s", "-C", str(BENCH), f"OUT={out}", "ingest", "now"]
    opt = "OPT=-O2 -fno-omit-frame-pointer -mno-omit-leaf-frame-pointer"
    subprocess.run([*make, opt], check=True)
    return out


def record(out: Path, event: str, asked: argparse.Namespace) -> dict[str, Any]:
    """One profile: the line of profile.jsonl, with its folder."""
    folder = Path(tempfile.mkdtemp(prefix=f"{event}-", dir=out))
    begin = {"kind": "begin", "step": "l.i0", "t_ns": time.monotonic_ns()}
    (folder / "driver.jsonl").write_text(json.dumps(begin, separators=(",", ":")) + "\n")
    nothing = subprocess.DEVNULL
    driver = subprocess.Popen(["bash", "-c", EVENTS[event], out, folder],
                              stdout=nothing, stderr=nothing)  # fmt: skip
    profile = subprocess.Popen(
        [BENCH / "profile/profile.sh", "--run", folder, "--pid", str(driver.pid),
         "--trees", "client", "--steps", "l.i0", "--event", event, "--hz", str(asked.hz),
         "--seconds", str(asked.seconds), "--call-graph", asked.call_graph],
        env=os.environ | {"BENCH_BIN": str(out)})  # fmt: skip
    waited_s = 0.0
    while waited_s < 60 and not list(folder.glob(".profile-*/*.end")):
        if profile.poll() is not None:
            break
        time.sleep(0.2)
        waited_s += 0.2
    driver.terminate()
    driver.wait()
    profile.wait()
    for left in folder.glob("*.db*"):
        left.unlink()
    return json.loads((folder / "profile.jsonl").read_text()) | {"folder": folder}


def text_of(path: Path) -> TextFile:
    """A file that may be compressed."""
    with zstandard.open(path, "rt") if path.suffix == ".zst" else path.open() as file:
        return TextFile(path.name, file.read())


def row_of(line: Mapping[str, Any]) -> dict[str, Any]:
    """What the table says of one capture."""
    row = {"event": line["event"], "samples": line["samples"], "lost": line["lost"]}
    if line["status"] != "ok":
        return row | {"reason": line["reason"]}
    script, report = (text_of(line["folder"] / line[key]) for key in ("script", "report"))
    stacks = perf_script.read(script).series["stacks"].to_pandas()
    table = perf_report.read(report).series["perf_report"].to_pandas()
    weighted = differences(stacks, table)
    counted = differences(stacks.assign(weight=1), table)
    off = (counted["ours"] - counted["report"]).abs()
    return row | {
        "periods": stacks["weight"].nunique(),
        "symbols": len(weighted),
        "weighted": f"{(weighted['ours'] - weighted['report']).abs().max():.4f}",
        "unweighted": f"{off.max():.4f}",
        "printed": f"{(weighted['ours'] - weighted['printed']).abs().max():.4f}",
        "worst unweighted": off.idxmax(),
    }


def main() -> None:
    """Print the table; exit 1 if the goal is missed."""
    asked = arguments()
    with tempfile.TemporaryDirectory(prefix="profile-agreement-") as work:
        out = build(Path(work))
        rows = [row_of(record(out, event, asked)) for event in asked.event or EVENTS]
    table = pd.DataFrame(rows)
    show("Largest difference to perf report's share of a symbol, points", table)
    found = table["weighted"].dropna().astype(float) if "weighted" in table else []
    if any(one > GOAL for one in found):
        sys.exit(f"profile_agreement: weighted shares differ by more than {GOAL} points")


if __name__ == "__main__":
    main()
