"""Figures and stacks of the archives, as the formats of profiles read them."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest
from corpus import corpus, corpus_file
from folded_stacks import folded
from profile_files import MODULES

from benchformats import (
    formats,
)
from benchformats.ann import builds as ann_builds
from benchformats.ann import plot as ann_plot
from benchformats.ann import recall as ann
from benchformats.parsed import Parsed
from benchformats.profilers import perf_counters, perf_script, perf_stat, pmp
from benchmath.frames import ordered
from benchmath.recall import recall_and_qps

pytestmark = pytest.mark.unit

# The last sample of these has no empty line after it, so nothing says that it is whole.
CUT = {"perf-dd-stacks-01": 1, "perf-numa-stacks-01": 1}
ENGINES = ["pgvector", "pgvector_halfvec", "mariadb"]
PARAMETERS = ["m", "ef_construction", "ef_search"]
BEST = [  # published: best queries/s of each engine with at least this recall
    (1.000, 920.0, 991.1, 3226.1),
    (0.99, 2337.0, 2558.3, 4745.0),
    (0.98, 2383.3, 2607.7, 5351.4),
    (0.97, 3032.7, 3184.8, 5351.4),
    (0.96, 3043.7, 3250.1, 5690.8),
    (0.95, 3043.7, 3250.1, 5690.8),
]


def read(path: Path, module) -> Parsed:
    """A file of the corpus that the module recognises."""
    file = corpus_file(path)
    assert module.recognises(file), path
    return module.read(file)


def runs(parsed: Parsed) -> pd.DataFrame:
    """Recall and rate per index."""
    rows = [
        {"engine": row.engine, "metric": row.metric, "value": row.value, **row.dims}
        for row in parsed.rows
    ]
    keys = ["engine", *PARAMETERS]
    return recall_and_qps(pd.DataFrame(rows, columns=[*keys, "metric", "value"]), keys)


@pytest.mark.parametrize(
    "name",
    ["perf-cycles-instructions-01", "perf-dd-stacks-01", "perf-numa-stacks-01",
     "perf-rust-Yamakaky-dcpu"],
)  # fmt: skip
def test_folded_stacks_are_those_of_other_tools(name: str):
    """Byte for byte, with all annotations and with process ids; first event only."""
    folder = corpus("perf_script")
    parsed = read(folder / f"{name}.txt", perf_script)
    stacks = parsed.series["stacks"].to_pandas()
    event = stacks["event"].iloc[0]
    expected = [
        (folder / f"{name}.collapsed-{kind}.txt").read_text() for kind in ("all", "pid")
    ]

    assert CUT.get(name, 0) == len(parsed.problems)
    assert expected == [
        folded(stacks, event, annotate=True), folded(stacks, event, name="pid"),
    ]  # fmt: skip


def test_counters_equal_the_lists_made_of_them():
    """360 figures of 12 lists, and two of each report that the lists leave out."""
    folder = corpus("sysbench_postgres_raw_2025")
    figures = 0
    for path in sorted(folder.glob("*/sb.perf.hw.*.pk1.[0-9]")):
        report = read(path, perf_stat)
        assert [] == report.problems
        shown = {row.metric: row.value for row in report.rows}
        for suffix in (".raw", ".sorted"):
            made = read(path.with_name(path.name + suffix), perf_counters)
            listed = {row.metric: row.value for row in made.rows}
            left = {k: v for k, v in shown.items() if k not in listed}
            assert ([], {"cpu_clock", "cpus_utilized"}) == (made.problems, set(left))
            assert {k: shown[k] for k in listed} == listed
            figures += len(listed)

    assert 360 == figures


def test_threads_of_pmp():
    """Every line is a stack; samples add up to what awk sums."""
    folder = corpus("pmp_mariadb_2024")
    parsed = [read(path, pmp) for path in sorted(folder.glob("*/*"))]

    assert [829, 1657, 470, 1751] == [one.rows[0].value for one in parsed]
    assert [142, 124, 146, 136] == [one.rows[1].value for one in parsed]
    assert [] == [problem for one in parsed for problem in one.problems]


def lists() -> pd.DataFrame:
    """All runs of the three lists."""
    folder = corpus("ann_fashion_mnist_2025")
    names = ("pgvector", "pgvector_halfvec", "maria")
    return pd.concat([runs(read(folder / f"qr.{name}", ann)) for name in names])


def best_at_recall(count: int) -> pd.DataFrame:
    """The runs of each engine with most queries/s of at least each published recall.

    Of equal rates the higher recall comes first.
    """
    ranked = lists().sort_values(["qps", "recall"], ascending=False, kind="stable")
    parts = []
    for recall, *_ in BEST:
        rows = ranked[ranked["recall"] >= recall].groupby("engine").head(count)
        rank = rows.groupby("engine").cumcount() + 1
        parts.append(rows.assign(at_recall=recall, rank=rank))
    top = ordered(
        pd.concat(parts), {"at_recall": [b[0] for b in BEST], "engine": ENGINES}
    )
    return top[["at_recall", "engine", "rank", "recall", "qps"]]


@pytest.mark.parametrize("best, rows", [(1, 18), (3, 54)])
def test_the_best_at_each_recall(best: int, rows: int):
    """Line for line what the lists of the best say."""
    path = corpus("ann_fashion_mnist_2025") / f"qr.topN.{best}"
    listed = read(path, ann).series["ann_best"].to_pandas()
    found = best_at_recall(best)

    assert rows == len(listed)
    assert listed[[*found.columns]].to_dict("records") == found.to_dict("records")


def test_the_published_best():
    """18 golden figures."""
    found = best_at_recall(1).set_index(["at_recall", "engine"])["qps"]

    assert BEST == [
        (recall, *(found[recall, engine] for engine in ENGINES))
        for recall in found.index.levels[0][::-1]
    ]


def test_lists_are_the_output_rounded():
    """376 runs with one decimal; 9 more runs were made later."""
    path = corpus("ann_fashion_mnist_2025") / "o.plot.3"
    keys = ["engine", *PARAMETERS]
    both = runs(read(path, ann_plot)).merge(lists(), how="left", on=keys)
    known = both.dropna()

    assert (385, 376) == (len(both), len(known))
    assert [f"{qps:.1f}" for qps in known["qps_x"]] == [
        f"{q:.1f}" for q in known["qps_y"]
    ]
    assert list(known["recall_x"]) == list(known["recall_y"])


def test_builds():
    """47 indexes, nothing told."""
    parsed = read(corpus("ann_fashion_mnist_2025") / "build.txt", ann_builds)

    assert (47 * 2, []) == (len(parsed.rows), parsed.problems)


@pytest.mark.parametrize(
    "folder, pattern",
    [
        ("perf_script", "*"), ("pmp_mariadb_2024", "*/*"),
        ("ann_fashion_mnist_2025", "*"), ("sysbench_postgres_raw_2025", "*/sb.perf.*"),
    ],
)  # fmt: skip
def test_every_profile_has_one_format(folder: str, pattern: str):
    """Recognised by one module, and by none of the others."""
    everyone = {f.name: f.recognises for f in formats()}
    everyone |= {module.NAME: module.recognises for module in MODULES}
    for path in sorted(corpus(folder).glob(pattern)):
        file = corpus_file(path)
        claims = [name for name, recognises in everyone.items() if recognises(file)]
        assert 1 == len(claims), (path, claims)


@pytest.mark.parametrize(
    "folder",
    ["sysbench_postgres_raw_2025", "sysbench_mysql_2024", "rocksdb_releases_2023"],
)
def test_no_other_file_is_claimed(folder: str):
    """What is no profile is left to others."""
    for path in sorted(corpus(folder).rglob("*")):
        if path.is_file() and "sb.perf." not in path.name:
            file = corpus_file(path)
            assert [] == [m.NAME for m in MODULES if m.recognises(file)], path
