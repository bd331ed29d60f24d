"""How do plan and load grow with cells, and an import with its files?

Each size is a laboratory: of one study of so many tiny cells, two runs of each; of a
folder with so many outputs of sysbench. Every line is a process of its own with its time,
the CPU's and the most memory it had. `x` is the ratio of the CPU times to that of the
smallest size: linear is the ratio of the sizes, and memory is to be flat.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from itertools import product
from pathlib import Path

import pandas as pd
from script import show
from volume import called

sys.path.append(str(Path(__file__).parents[1] / "helpers"))

from make_runs import make_run
from sysbench_files import RUN

ROOT = Path(__file__).parents[2]
STUDY = """\
title: Which size of block is fastest?
template: ab
driver: micro
base: {{data: x}}
engines:
  - {{engine: rocksdb, version: "7.8.3"}}
steps: ["crc32c:seconds=0.001"]
matrix:
  data: [x, random]
  block_size: [{}]
trials: 2
live: false
"""


def of_cells(root: Path, cells: int) -> pd.DataFrame:
    """A row for each thing that is done with so many cells."""
    for name in ("notebooks", "bench"):
        (root / name).symlink_to(ROOT / name)
    study = root / "posts" / "many" / "study.yml"
    study.parent.mkdir(parents=True)
    sizes = [str(n) for n in range(1, cells // 2 + 1)]
    study.write_text(STUDY.format(", ".join(sizes)))
    for data, size, trial in product(("x", "random"), sizes, (1, 2)):
        make_run(
            root / "data/raw", study="many", driver="micro", engine="rocksdb",
            version="7.8.3", steps=[("crc32c", "bytes", 1000, 0.001)],
            dims={"data": data, "block_size": size}, trial=trial,
        )  # fmt: skip
    calls = {"plan": ["plan", "many"], "load": ["load"], "load, nothing new": ["load"]}
    return _called(root, "cells", cells, calls)


def of_files(root: Path, files: int) -> pd.DataFrame:
    """A row for each thing that is done with so many files."""
    folder = root / "files"
    for n in range(files):
        one = folder / f"run{n // 1000}"
        one.mkdir(parents=True, exist_ok=True)
        (one / f"step{n}.txt").write_text(RUN.replace("48342", str(40000 + n % 9999)))
    words = ["import", str(folder), "--as", "many"]
    return _called(root, "files", files, {"import": words, "import, nothing new": words})


def _called(root: Path, of: str, many: int, calls: dict[str, list[str]]) -> pd.DataFrame:
    rows = [{"of": of, "many": many, "what": n} | called(root, *calls[n]) for n in calls]
    return pd.DataFrame(rows)


def main() -> None:
    """One table for all sizes."""
    about = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=about)
    parser.add_argument("--cells", type=int, nargs="*", default=[100, 1000])
    parser.add_argument("--files", type=int, nargs="*", default=[500, 5000])
    asked = parser.parse_args()
    parts = []
    for measured, sizes in ((of_cells, asked.cells), (of_files, asked.files)):
        for size in sorted(sizes):
            with tempfile.TemporaryDirectory() as name:
                parts.append(measured(Path(name), size))
    table = pd.concat(parts)
    first = table.groupby(["of", "what"], sort=False)["CPU ms"].transform("first")
    show(
        "Many small things; goal: linear, memory flat",
        table.assign(x=table["CPU ms"] / first),
    )


if __name__ == "__main__":
    main()
