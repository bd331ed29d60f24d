"""Writes what the library says into a folder as text, to compare two checkouts.

python tests/helpers/outputs.py FOLDER, in each of them, then diff -r. A file per call of
a verb (compare, check, changepoints and history of published posts, tables, fixtures and
imports, in all their forms), the rows that `import` makes of each folder of the corpus,
and what the executed notebooks show: texts and tables whole, charts as digests. The
checkout is the folder in which it is called; the corpus lies beside that, or where
BENCHBOOK_CORPUS says. Most posts are taken in few forms, to be done in minutes.
"""

from __future__ import annotations

import json
import os
import re
import sys
import tempfile
from hashlib import sha256
from pathlib import Path
from typing import Any

import duckdb
import yaml
from click.testing import CliRunner

from benchbook.cli.main import main

ROOT = Path.cwd()
CORPUS = Path(os.environ.get("BENCHBOOK_CORPUS") or ROOT.parent / "shared/corpus")
WHOLE = {"postgres-old-to-new", "mysql-versions", "sqlite-old-to-new"}  # in all forms
TABLES = {  # published tables: base, metric
    "sysbench_mysql_2024": ("5.6.21", "throughput"),
    "rocksdb_releases_2023": ("4.4.1", "throughput"),
    "mariadb_per_operation_2024": ("10.2.44", "qps"),
    "myrocks_innodb_2017": ("engine=myrocks", "ips"),
    "checksums_2022": ("compiler=gcc-9", "throughput"),
}
IMPORTS = {  # of the corpus: base
    "ibench_2021": "my5649.cx6d",
    "rocksdb_variance_2022": "workload=byrx",
    "sysbench_mysql_2024": "5.6.21",
    "create_index_2023": "dop=1",
}
COMPARE = {
    "text": (), "csv": ("--csv",), "json": ("--json",), "markdown": ("--markdown",),
    "compatible": ("--compatible",), "compatible-csv": ("--compatible", "--csv"),
    "margin": ("--margin", "10%"),
}  # fmt: skip
HISTORY = {
    "text": (), "all": ("--all",), "csv": ("--csv",), "json": ("--json",),
    "markdown": ("--markdown",), "all-markdown": ("--all", "--markdown"),
}  # fmt: skip
FILES = {"markdown": "comment.md", "json": "check.json", "junit": "junit.xml"}


class Outputs:
    """What one checkout says; ``place`` is the folder that its verbs take for it."""

    def __init__(self, out: Path, place: Path) -> None:
        self.out, self.place = out, place
        os.environ["BENCHBOOK_ROOT"] = str(place)
        os.environ["BENCHBOOK_MACHINE"] = "here"

    def write(self, name: str, text: str) -> None:
        """A file without the paths of this machine."""
        file = self.out / name
        file.parent.mkdir(parents=True, exist_ok=True)
        for path, word in ((self.place, "PLACE"), (CORPUS, "CORPUS"), (ROOT, "ROOT")):
            text = text.replace(str(path), word)
        file.write_text(text)

    def call(self, name: str, *words: str) -> str:
        """Call a verb; what it printed, which is written with the rest it did."""
        done = CliRunner().invoke(main, list(words))
        error = f"{type(done.exception).__name__}: {done.exception}\n"
        crashed = done.exception and not isinstance(done.exception, SystemExit)
        parts = [f"$ {' '.join(words)}\n", done.stdout, f"exit {done.exit_code}\n"]
        self.write(name, "".join([*parts, done.stderr, error if crashed else ""]))
        return done.stdout

    def verbs(
        self, name: str, base: str, metric: str, at: str, whole: bool = True
    ) -> None:
        """compare, check, changepoints and history of a set, or some of it."""
        said = ("--metric", metric)
        for form, words in COMPARE.items():
            if not whole and form != "json":
                continue
            text = self.call(
                f"{at}/compare-{form}.txt", "compare", "--set", name, *said, *words, base
            )
            if form == "json":
                others = json.loads(text)["others"] if text else ["none"]
        calls = {
            "last": [others[-1], "--fail-on", "changed"],
            "first": [others[0]],
            "margin": [others[-1], "--margin", "20%"],
        }
        for form, (new, *words) in [*calls.items()][: 3 if whole else 1]:
            files = {option: self.place / file for option, file in FILES.items()}
            named = [w for option, file in files.items() for w in (f"--{option}", file)]
            self.call(f"{at}/check-{form}.txt", "check", name, base, new, *said, *words,
                      *map(str, named))  # fmt: skip
            for file in files.values():
                if file.is_file():
                    self.write(f"{at}/check-{form}-{file.name}", file.read_text())
                    file.unlink()
        if not whole:
            return
        self.call(f"{at}/changepoints.txt", "changepoints", "--set", name, *said)
        for form, options in HISTORY.items():
            self.call(f"{at}/history-{form}.txt", "history", name, *options)

    def studies(self, at: str) -> None:
        """All verbs of each study that has evidence, runs or tables."""
        for file in sorted((self.place / "posts").glob("*/study.yml")):
            base = yaml.safe_load(file.read_text())["base"]
            text = ",".join(f"{key}={value}" for key, value in base.items())
            slug = file.parent.name
            whole = at == "fixtures" or slug in WHOLE
            self.verbs(slug, text, "throughput", f"{at}/{slug}", whole)

    def tables(self, at: str) -> None:
        """All verbs of published tables."""
        self.call(f"{at}/sets.txt", "sets")
        for name, (base, metric) in TABLES.items():
            self.verbs(name, base, metric, f"{at}/{name}")

    def imports(self, at: str) -> None:
        """The rows of each folder of the corpus, and all verbs of some."""
        if not CORPUS.is_dir():
            self.write(f"{at}/none.txt", "no corpus: set BENCHBOOK_CORPUS\n")
            sys.stderr.write(f"no corpus at {CORPUS}: its imports are not compared\n")
            return
        for folder in sorted(path for path in CORPUS.iterdir() if path.is_dir()):
            name = folder.name
            self.call(f"{at}/{name}/preview.txt", "import", "--dry-run", str(folder))
            self.call(f"{at}/{name}/import.txt", "import", str(folder))
            made = self.place / "data/imported"
            for file in sorted([*made.glob(f"{name}.*"), *made.glob(f"*/{name}.*")]):
                text = rows(file) if file.suffix == ".parquet" else file.read_text()
                self.write(f"{at}/{name}/{file.relative_to(made)}.txt", text)
            if base := IMPORTS.get(name):
                self.verbs(name, base, "throughput", f"{at}/{name}")

    def notebooks(self, at: str) -> None:
        """What the executed notebooks show, but not their code."""
        for file in sorted((self.place / "posts").glob("*/index.ipynb")):
            cells = json.loads(file.read_text())["cells"]
            shown = [shape for cell in cells for shape in cell.get("outputs", ())]
            text = "\n\n---\n\n".join(map(shown_text, shown))
            self.write(f"{at}/{file.parent.name}.md", text + "\n")


def rows(file: Path) -> str:
    """A Parquet file as CSV in a fixed order; long ones as digests of their columns."""
    table = duckdb.sql(f"SELECT * FROM '{file}' ORDER BY ALL").df()
    if len(table) <= 20_000:
        return str(table.to_csv(index=False))
    digests = (f"{c}: {digest(table[c].to_csv(index=False))}" for c in table)
    return "\n".join([f"{len(table)} rows", *digests]) + "\n"


def shown_text(output: dict[str, Any]) -> str:
    """An output's text, its ids without numbers of cells, its charts as digests."""
    kinds = output.get("data", {"text": output.get("text", "")})
    parts = [f"{kind}\n{''.join(kinds[kind])}" for kind in sorted(kinds)]
    text = re.sub(r"\bc\d+o\d+-", "cell-", "\n".join(parts))
    script = r'(<script type="application/json">)(.*?)(</script>)'
    text = re.sub(script, lambda m: f"{m[1]}{chart_digests(m[2])}{m[3]}", text,
                  flags=re.DOTALL)  # fmt: skip
    return re.sub(r"<svg.*?</svg>", lambda m: f"svg {digest(m[0])}", text,
                  flags=re.DOTALL)  # fmt: skip


def chart_digests(text: str) -> str:
    """A digest of a chart's data, and of all of it."""
    chart = json.loads(text)
    data = {key: chart.get(key) for key in ("data", "datasets")}
    whole = json.dumps(chart, sort_keys=True)
    return f"data {digest(json.dumps(data, sort_keys=True))} whole {digest(whole)}"


def digest(text: str) -> str:
    """Sixteen letters of a text's sha256."""
    return sha256(text.encode()).hexdigest()[:16]


def place_for(folder: Path, posts: Path, data: Path) -> Path:
    """A checkout whose posts and tables are those; other data it keeps to itself."""
    (folder / "data").mkdir(parents=True)
    for name in ("bench", "notebooks", "_quarto.yml"):
        (folder / name).symlink_to(ROOT / name)
    (folder / "posts").symlink_to(posts)
    for part in ("published", "raw"):
        if (data / part).is_dir():
            (folder / "data" / part).symlink_to(data / part)
    return folder


def write_all(out: Path) -> None:
    """Everything, into ``out``, which must not be there yet."""
    out.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as folder:
        base, fixtures = Path(folder).resolve(), ROOT / "tests/fixtures"
        place = place_for(base / "posts", ROOT / "posts", ROOT / "data")
        here = Outputs(out, place)
        here.notebooks("notebooks")
        here.studies("posts")
        here.tables("tables")
        place = place_for(base / "fixtures", fixtures / "posts", fixtures / "data")
        there = Outputs(out, place)
        there.call("fixtures/load.txt", "load")
        there.studies("fixtures")
        Outputs(out, place_for(base / "corpus", fixtures / "posts", fixtures / "none")
                ).imports("corpus")  # fmt: skip


if __name__ == "__main__":
    write_all(Path(sys.argv[1]))
