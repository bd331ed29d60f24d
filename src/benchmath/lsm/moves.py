"""Which levels of a tree RocksDB writes and which it only moves files to.

Two witnesses say so, and are read apart: the compaction table that db_bench prints at the
end of a step, in GB with one decimal, and the database's own LOG, whose flushes,
compactions and moves have sizes in bytes. Levels count over all steps of a run: what a
load leaves to be compacted is compacted in the next step.
"""

from collections.abc import Iterable, Mapping
from typing import Any

import pandas as pd

from benchmath.frames import ordered, require

GIB = 2**30  # RocksDB's GB
WRITTEN, MOVED, BOTH, NOTHING = "written", "moved", "both", "nothing"
AGREE, TOO_SMALL, LEFT_OUT, DIFFER = "agree", "too small", "left out", "differ"
LOWEST = 0.05  # GB that the table rounds to 0.0
_KEYS = ("run_id", "step", "level")
_BYTES = ("written_bytes", "moved_bytes")
_TABLE = ("table_written_gb", "table_moved_gb")
RUN_COLUMNS = (
    "case",
    "run_id",
    "level",
    *_BYTES,
    "how",
    *_TABLE,
    "table_how",
    "witnesses",
)
LEVEL_COLUMNS = ("case", "level", "n", "written_gb", "moved_gb", "how", *_TABLE,
                 "table_how", "witnesses")  # fmt: skip
COST_COLUMNS = ("case", "n", "ingested_gb", "w_amp", "w_amp_low", "w_amp_high",
                "moved_pct", "moved_pct_low", "moved_pct_high")  # fmt: skip


def level_moves(
    writes: pd.DataFrame, levels: pd.DataFrame, cases: pd.DataFrame
) -> pd.DataFrame:
    """Per run and level what the LOG and what the tables say, and how they agree.

    ``writes`` are rows of the view lsm_writes, ``levels`` of lsm_levels, ``cases`` has
    run_id and case. how: written (nothing moved there), moved (nothing written), both or
    nothing. witnesses: ``agree``; ``too small`` (what the table does not show is under
    .05 GB); ``left out`` (the table has no line for a level that holds nothing at the end
    and was never compacted into); ``differ``.
    """
    if writes.empty:
        return pd.DataFrame(columns=[*RUN_COLUMNS])
    log = writes.groupby(list(_KEYS))[list(_BYTES)].sum()
    steps = log.join(_tables(levels), how="outer")
    steps[list(_BYTES)] = steps[list(_BYTES)].fillna(0.0)
    steps["witnesses"] = [_agreement(row) for row in steps.to_dict("records")]
    grouped = steps.reset_index().groupby(["run_id", "level"])
    runs = grouped[[*_BYTES, *_TABLE]].sum(min_count=1)
    runs["witnesses"] = grouped["witnesses"].agg(lambda words: max(words, key=_rank))
    # A level that was never flushed, compacted or moved to is told of by neither.
    runs = runs[(runs[[*_BYTES, *_TABLE]].fillna(0.0) > 0).any(axis=1)]
    runs["how"] = [said(w, m) for w, m in runs[list(_BYTES)].to_numpy()]
    runs["table_how"] = [said(w, m) for w, m in runs[list(_TABLE)].fillna(0).to_numpy()]
    runs.loc[runs["how"] == runs["table_how"], "witnesses"] = AGREE
    table = cases[["run_id", "case"]].merge(runs.reset_index(), on="run_id")
    return table.sort_values("level", kind="stable")[[*RUN_COLUMNS]]


def said(written: float, moved: float) -> str:
    """The verdict of two amounts."""
    if written > 0:
        return BOTH if moved > 0 else WRITTEN
    return MOVED if moved > 0 else NOTHING


def by_case(moves: pd.DataFrame) -> pd.DataFrame:
    """``level_moves`` by case and level: means of the runs; words of all of them.

    witnesses is that of the run in which they agree least.
    """
    if moves.empty:
        return pd.DataFrame(columns=[*LEVEL_COLUMNS])
    grouped = moves.groupby(["case", "level"], sort=False)
    table = grouped.agg(
        n=("run_id", "size"),
        written_gb=("written_bytes", lambda b: b.mean() / GIB),
        moved_gb=("moved_bytes", lambda b: b.mean() / GIB),
        how=("how", _words),
        table_written_gb=("table_written_gb", "mean"),
        table_moved_gb=("table_moved_gb", "mean"),
        table_how=("table_how", _words),
        witnesses=("witnesses", lambda words: max(words, key=_rank)),
    ).reset_index()
    table = table.sort_values("level", kind="stable")[[*LEVEL_COLUMNS]]
    return ordered(table, {"case": moves["case"]}).reset_index(drop=True)


def move_costs(moves: pd.DataFrame, cases: pd.DataFrame) -> pd.DataFrame:
    """Per case the bytes written for a byte that was put in, and the share moved.

    ``cases`` has run_id, case and ingested_bytes (keys and values; missing: no w_amp).
    moved_pct is of the bytes that got to a level below L0. low and high are the least and
    the most of the runs.
    """
    if moves.empty:
        return pd.DataFrame(columns=[*COST_COLUMNS])
    require(cases, ("run_id", "case", "ingested_bytes"))
    per_run = cases.set_index("run_id")[["case", "ingested_bytes"]].astype(
        {"ingested_bytes": float}
    )
    below = moves[moves["level"] > 0].groupby("run_id")[list(_BYTES)].sum()
    written = moves.groupby("run_id")["written_bytes"].sum()
    per_run["w_amp"] = written / per_run["ingested_bytes"]
    per_run["moved_pct"] = 100 * below["moved_bytes"] / below.sum(axis=1)
    grouped = per_run.loc[written.index].groupby("case", sort=False)
    table = grouped.agg(
        n=("w_amp", "size"),
        ingested_gb=("ingested_bytes", lambda b: b.mean() / GIB),
        **{
            f"{name}{end}": (name, how)
            for name in ("w_amp", "moved_pct")
            for end, how in (("", "mean"), ("_low", "min"), ("_high", "max"))
        },
    )
    order = [c for c in dict.fromkeys(cases["case"]) if c in table.index]
    return table.loc[order].reset_index()[[*COST_COLUMNS]]


def _tables(levels: pd.DataFrame) -> pd.DataFrame:
    """Write and moved GB of the last dump of each step."""
    if levels.empty:
        index = pd.MultiIndex.from_arrays([[], [], []], names=_KEYS)
        return pd.DataFrame(columns=[*_TABLE], index=index, dtype=float)
    last = levels[levels["final"].astype(bool) & levels["level"].str.match(r"L\d+$")]
    last = last.assign(level=last["level"].str[1:].astype(int))
    renamed = last.rename(
        columns=dict(zip(("write_gb", "moved_gb"), _TABLE, strict=True))
    )
    return renamed.groupby(list(_KEYS))[list(_TABLE)].sum(min_count=1)


def _agreement(row: Mapping[str, Any]) -> str:
    """How the table of a step goes with its LOG, for one level."""
    in_log = said(*(row[name] for name in _BYTES))
    in_table = [0.0 if pd.isna(row[name]) else float(row[name]) for name in _TABLE]
    if in_log == said(*in_table):
        return AGREE
    if all(pd.isna(row[name]) for name in _TABLE) and in_log == MOVED:
        return LEFT_OUT
    hidden = [
        row[log] / GIB
        for log, shown in zip(_BYTES, in_table, strict=True)
        if (row[log] > 0) != (shown > 0)
    ]
    return TOO_SMALL if all(0 < amount < LOWEST for amount in hidden) else DIFFER


def _rank(word: str) -> int:
    return (AGREE, TOO_SMALL, LEFT_OUT, DIFFER).index(word)


def _words(values: Iterable[str]) -> str:
    """``moved``, or of runs that differ ``both or moved``."""
    return " or ".join(sorted(set(values)))
