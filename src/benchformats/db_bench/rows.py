"""Figures and series of a db_bench log: see db_bench for what they are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from benchformats.db_bench.figures import (
    before_6,
    clock_of,
    dop_of,
    figure_of,
    op_of,
    usec_of_a_client,
)
from benchformats.db_bench.runs import DEFAULT, Dump, Run
from benchformats.parsed import Row
from benchformats.unlike import differing

# Of the row Sum of the compaction table, under the names of report.tsv.
SUM = {
    "comp_sec": "c_wsecs", "compmergecpu_sec": "c_csecs", "rblob_gb": "b_rgb",
    "wblob_gb": "b_wgb",
}  # fmt: skip
FACTS = ("uptime", "flush_gb", "c_wgb", "c_mbps", "c_rgb", "ingest_gb", "ingest_mbps",
         "stall_s", "stall_pct", "blob_sz")  # fmt: skip
ENOUGH_GB = 1.0  # ingested: below, two decimals are too few for a ratio
# What the banner says, as figures: of no operation, so that they count for no copy.
_SETTINGS = {
    "entries": ("entries", "count"), "keys": ("key_size", "bytes"),
    "values": ("value_size", "bytes"), "write_rate": ("write_rate", "bytes/s"),
    "read_rate": ("read_rate", "operations/s"),
}  # fmt: skip
_OPS = {"read": "query", "seek": "scan", "write": "insert", "delete": "delete",
        "merge": "insert", "update": "insert"}  # fmt: skip


@dataclass(frozen=True)
class Place:
    """Under which step, clients, trial and dimensions the figures of a run are filed."""

    step: str
    dop: int
    trial: int
    dims: tuple[tuple[str, str], ...] = ()


def places(runs: Sequence[Run], file_step: str) -> list[Place]:
    """The place of each run; ``file_step`` is the step that the file is named after.

    That is the step of all of its results if they are of one benchmark: the report of
    that step names it so. Repeats are trials, in order; but not under a title, where
    nothing says what was done between them: dimension ``result`` numbers those.
    """
    names = {run.result.name for run in runs if run.result}
    alone = file_step if len(names) < 2 else ""
    trials: Counter[tuple[object, ...]] = Counter()
    of_runs = []
    of_each = [((run.result and run.result.name, run.version), run.sizes) for run in runs]
    for run, sizes in zip(runs, differing(of_each), strict=True):
        step = alone or (run.result.name if run.result else "")
        dop = dop_of(step) if alone else run.threads
        block_size = run.block_size if op_of(step) == "bytes" else ""
        said = {"after": run.after, "title": run.title, "block_size": block_size,
                **sizes}  # fmt: skip
        dims = tuple((name, value) for name, value in said.items() if value)
        cell = (step, dop, dims, run.version)
        trials[cell] += bool(run.result)
        number = max(trials[cell], 1)
        if run.title:
            number, dims = 1, (*dims, ("result", str(number)))
        of_runs.append(Place(step, dop, number, dims))
    return of_runs


def rows(run: Run, place: Place) -> Iterator[Row]:
    """The figures of a result, of its response times, and of the last dump of its own.

    And what its work was.
    """
    if run.result is None or run.contradiction:
        return
    op = op_of(run.result.name)
    main = "mb_sec" if op == "bytes" and "mb_sec" in run.result.figures else "ops_sec"
    figures = dict(run.result.figures)
    usec, rate = figures.get("usec_op"), figures.get("ops_sec")
    correct = usec_of_a_client(usec, rate, place.dop) if before_6(run.version) else None
    if correct is not None:
        figures["usec_op_correct"] = correct
    for metric, value in figures.items():
        yield _row(run, place, run.result.line, metric, value, op, metric == main)
    for name, text in run.sizes.items():
        setting, unit = _SETTINGS[name]
        yield Row(run.result.line, place.step, setting, float(text), unit, "none", op="",
                  dop=place.dop, trial=place.trial, version=run.version,
                  engine=run.engine, dims=dict(place.dims))  # fmt: skip
    timed = [h for h in run.histograms if not h.kind.startswith("level ")]
    for histogram in timed:
        kind = histogram.kind if len(timed) > 1 else ""
        counted = _OPS.get(kind, op) if kind else op
        for metric, (line, value) in histogram.figures.items():
            yield _row(run, place, line, metric, value, counted, False, kind)
    if run.first:
        for metric, (line, value) in _last_dump(run).items():
            yield _row(run, place, line, metric, value, op)


def _row(
    run: Run,
    place: Place,
    line: int,
    metric: str,
    value: float,
    op: str,
    main: bool = False,
    kind: str = "",
) -> Row:
    unit, direction = figure_of(metric)
    dims = dict(place.dims) | ({"histogram": kind} if kind else {})
    return Row(
        line, place.step, metric, value, unit, direction, op=op, main=main,
        dop=place.dop, clock=clock_of(metric), trial=place.trial, version=run.version,
        engine=run.engine, dims=dims,
    )  # fmt: skip


def _last_dump(run: Run) -> dict[str, tuple[int, float]]:
    """Statistics since the database was opened, under the names of report.tsv."""
    dumps = [d for d in run.dumps if d.family == DEFAULT and not d.by_hand]
    if not dumps:
        return {}
    facts = dumps[-1].facts
    figures = {name: facts[name] for name in FACTS if name in facts}
    stalls = {k: v for k, v in facts.items() if k.startswith("stall_")}
    figures |= _sums(dumps[-1]) | stalls
    written, ingested = facts.get("c_wgb"), facts.get("ingest_gb", (0, 0.0))[1]
    if written and ingested >= ENOUGH_GB:
        figures["w_amp_correct"] = (written[0], written[1] / ingested)
    return figures


def _sums(dump: Dump) -> dict[str, tuple[int, float]]:
    levels = [line for t in dump.tables if t.kind == "level" for line in t.lines]
    for line in levels:
        if line.label == "Sum":
            named = {SUM[k]: v for k, v in line.values.items() if k in SUM}
            named["lsm_sz"] = line.size_mb / 1024
            return {metric: (line.line, value) for metric, value in named.items()}
    return {}
