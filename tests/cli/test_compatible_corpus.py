"""Archives, imported and compared: their relative tables come out to the byte."""

from __future__ import annotations

import csv
from io import StringIO
from pathlib import Path

import pandas as pd
import pytest
from click.testing import CliRunner
from comparisons import compared
from corpus import corpus

from benchbook.cli.main import main
from benchbook.imports.importer import import_dir
from benchbook.project import Project
from benchbook.store.query import expand_dims, query
from benchformats.parsed import TextFile
from benchformats.sysbench import met_tables

pytestmark = pytest.mark.unit

SET = "sysbench_mysql_2024"
# Relative tables: name, and how many cells they have.
TABLES = {"my56": 126, "my57": 126, "my80": 210, "my678": 546}
METRICS = {"my56": 645, "my57": 645, "my80": 1075, "my678": 2795}

COLUMNS = ["cpu_o", "r_o", "rkb_o", "wkb_o", "o_s"]

Frame = pd.DataFrame
Cells = dict[tuple[str, str], dict[str, str]]  # (metric, step) -> tag -> text


@pytest.fixture(scope="module")
def project(tmp_path_factory) -> Project:
    """A store with the archive of 14 MySQL versions."""
    project = Project(tmp_path_factory.mktemp("archive"))
    import_dir(corpus(SET), project)
    (project.root / "bench").mkdir()
    (project.root / "_quarto.yml").touch()
    return project


@pytest.fixture(scope="module")
def frame(project) -> Frame:
    return expand_dims(query("metric_of_set", project, set=SET))


def inputs(name: str) -> list[str]:
    """The tags of a relative table: the base, then its columns."""
    lines = (corpus(SET) / f"qps.rel.{name}.tsv").read_text().splitlines()
    heads = ("Relative to: ", "col-")
    return [line.split(" ")[-1] for line in lines if line.startswith(heads)
            and ": " in line]  # fmt: skip


@pytest.mark.parametrize("name", TABLES)
def test_relative_throughput_to_the_byte(project, monkeypatch, name):
    """What the command prints below its header is the archive's csv of ratios."""
    monkeypatch.setenv("BENCHBOOK_ROOT", str(project.root))
    base, *others = inputs(name)
    command = ["compare", "--set", SET, "--metric", "qps", "--csv", "--compatible"]
    result = CliRunner().invoke(main, [*command, base, *others])
    header, _, table = result.stdout_bytes.partition(b"\n")

    assert ",".join(["test", *others]) == header.decode()
    assert (corpus(SET) / f"qps.rel.{name}.csv").read_bytes() == table
    assert TABLES[name] == table.count(b",")
    assert result.stderr.startswith("compatible: ")


@pytest.mark.parametrize("name", METRICS)
def test_relative_metrics_per_operation(frame, name):
    """Every relative figure of met.*.txt, as a text: 1 for 0/0, inf over 0, %.2f."""
    path = corpus(SET) / f"met.{name}.txt"
    base, *others = inputs(name)
    printed = relative_cells(path, base)
    found: Cells = {}
    for metric in COLUMNS:
        text = compared(frame, base, others, metric=metric, csv=True, compatible=True)
        table = csv.DictReader(StringIO(text))
        found |= {(metric, row.pop("test")): row for row in table}

    assert printed == found
    assert METRICS[name] == sum(map(len, printed.values()))


def relative_cells(path: Path, base: str) -> Cells:
    """The texts of the second part of all blocks, which are relative to ``base``."""
    lines = path.read_text().splitlines()
    found: Cells = {}
    for row in met_tables.read(TextFile(path.name, path.read_text())).rows:
        if row.metric.startswith("rel_"):
            assert base == row.dims["relative_to"]
            metric = row.metric.removeprefix("rel_")
            line = [cell for cell in lines[row.line - 1].split("\t") if cell]
            text = line[COLUMNS.index(metric)]
            found.setdefault((metric, row.step), {})[row.tag] = text
    return found


def test_every_ratio_has_its_interval_otherwise(frame):
    """Without --compatible: ratios as they are, with intervals of assumed noise."""
    text = compared(frame, "5.6.51", ["8.0.36"], metric="qps", csv=True)
    table = pd.read_csv(StringIO(text), index_col="test")

    assert 42 == len(table)
    assert {"assumed"} == set(table["8.0.36 noise"])
    assert (table["8.0.36 low"] < table["8.0.36"]).all()
    assert (table["8.0.36"] < table["8.0.36 high"]).all()
    assert 0.488 == round(table.loc["delete_range=100", "8.0.36"], 3)
