"""Frames of a made-up tree, as the store's views have them: MB are 2^20 bytes."""

from __future__ import annotations

from typing import Any

import pandas as pd

MB = 2**20
GB = 2**30


def job(kind: str, level: int, at: float, mb: float = 1, **more: Any) -> dict[str, Any]:
    """A job of one file that began and ended ``at`` seconds of the step."""
    bytes_out = int(mb * MB)
    row = {
        "run_id": "r1", "step": "fillseq", "kind": kind, "second": at, "seconds": 0.0,
        "start_ns": int(at * 1e9), "end_ns": int(at * 1e9), "level": level,
        "input_levels": [], "files_in": 0 if kind == "flush" else 1,
        "bytes_in": bytes_out, "files_out": 1, "bytes_out": bytes_out,
        "compression": "", "lsm_state": [], "line": int(at * 1000),
    }  # fmt: skip
    return row | more


def compaction(source: int, level: int, at: float, **more: Any) -> dict[str, Any]:
    return job("compaction", level, at, input_levels=[source], compression="LZ4", **more)


def jobs(*rows: dict[str, Any]) -> pd.DataFrame:
    return pd.DataFrame(rows)


def writes(**levels: tuple[float, float]) -> pd.DataFrame:
    """``L1=(0.0, 1.5)``: GB written to and moved to a level."""
    rows = [
        {"run_id": "r1", "step": "fillseq", "level": int(name[1:]),
         "written_bytes": w * GB if w else None, "moved_bytes": m * GB if m else None}
        for name, (w, m) in levels.items()
    ]  # fmt: skip
    return pd.DataFrame(rows)


def tables(final: bool = True, **levels: tuple[float, float]) -> pd.DataFrame:
    """The last compaction table of the step, with a line for each of the levels."""
    rows = [
        {"run_id": "r1", "step": "fillseq", "final": final, "level": name,
         "write_gb": w, "moved_gb": m}
        for name, (w, m) in levels.items()
    ]  # fmt: skip
    total = {"run_id": "r1", "step": "fillseq", "final": final, "level": "Sum"}
    return pd.DataFrame([*rows, total | {"write_gb": 9.0, "moved_gb": 9.0}])
