"""The data behind a post: what is kept of it when the raw runs are not.

A folder holds one Parquet file per frame, the configs as text, and a manifest with the
digest of each file, written last.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Collection, Mapping
from math import nan
from pathlib import Path
from typing import Any

import pandas as pd

from benchmath.errors import UserError
from benchmath.hazards.pace import pace_ms, probed

MANIFEST = "manifest.json"


def exists(folder: Path) -> bool:
    return (folder / MANIFEST).is_file()


def write(
    folder: Path,
    frames: Mapping[str, pd.DataFrame],
    texts: Mapping[str, str] | None = None,
    **facts: str | int,
) -> dict[str, Any]:
    """Write frames and text files in place of the folder; returns the manifest."""
    partial = folder.with_name(f".partial-{folder.name}")
    shutil.rmtree(partial, ignore_errors=True)
    encoded: dict[str, list[str]] = {}
    for name, frame in frames.items():
        columns = [c for c in frame.columns if _holds_dicts(frame[c])]
        path = _made(partial / f"{name}.parquet")
        _compact(_as_text(frame, columns), path)
        encoded |= {name: columns} if columns else {}
    for name, text in (texts or {}).items():
        _made(partial / name).write_text(text, encoding="utf-8")
    written = sorted(p for p in partial.rglob("*") if p.is_file())
    files = {p.relative_to(partial).as_posix(): _facts(p) for p in written}
    manifest = {"schema": 1, **facts, "json": encoded, "files": files}
    text = json.dumps(manifest, indent=1, sort_keys=True) + "\n"
    (partial / MANIFEST).write_text(text, encoding="utf-8")
    shutil.rmtree(folder, ignore_errors=True)
    partial.rename(folder)
    return manifest


def _compact(frame: pd.DataFrame, path: Path) -> None:
    """Counts and times byte by byte: their high bytes repeat, which saves a fifth."""
    whole = [c for c in frame.columns if pd.api.types.is_integer_dtype(frame[c].dtype)]
    frame.to_parquet(
        path, compression="zstd", index=False,
        column_encoding=dict.fromkeys(whole, "BYTE_STREAM_SPLIT"),
        use_dictionary=[str(c) for c in frame.columns if c not in whole],
    )  # fmt: skip


def read(folder: Path, only: Collection[str] | None = None) -> dict[str, pd.DataFrame]:
    """The frames by name, after checking that the files are those of the manifest.

    With ``only`` these frames, as far as the evidence has them, and no other file.
    """
    if not exists(folder):
        raise UserError(f"{folder}: no evidence here (there is no {MANIFEST})")
    manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    frames = {}
    for name, facts in manifest["files"].items():
        path = folder / name
        if only is not None and not (path.suffix == ".parquet" and path.stem in only):
            continue
        if not path.is_file() or _facts(path) != facts:
            raise UserError(
                f"{path}: not the file that was published; "
                f"bring it back with `git checkout -- {path}`"
            )
        if path.suffix == ".parquet":
            frames[path.stem] = _read_frame(path, manifest["json"].get(path.stem, []))
    return frames


def pace_of(folder: Path) -> float:
    """``pace_ms`` of a post's machine; NaN without evidence, or where it tells none."""
    if not exists(folder):
        return nan
    frames = read(folder, ("runs", "probes"))
    return pace_ms(probed(frames["runs"], frames.get("probes", pd.DataFrame())))


def texts(folder: Path) -> dict[str, str]:
    """The settings files that were kept, as <engine>/<name>."""
    configs = (folder / "configs").glob("*/*")
    files = sorted(path for path in configs if path.is_file())
    return {
        path.relative_to(folder / "configs").as_posix(): path.read_text(encoding="utf-8")
        for path in files
    }


def thinned(samples: pd.DataFrame, seconds: int) -> pd.DataFrame:
    """Samples of ``seconds`` seconds: counts add up, the longest response time stays."""
    keys = [*(k for k in ("run_id", "step", "op") if k in samples.columns)]
    ordered = samples.sort_values([*keys, "t_ns"], kind="stable")
    block = ordered.groupby(keys).cumcount() // seconds
    how: dict[str, Any] = dict.fromkeys(ordered.columns.difference(keys), "first")
    how |= {c: "sum" for c in ("interval_ns", "ops", "rows") if c in how}
    how |= {c: "last" for c in ("t_ns", "second") if c in how}
    how |= {c: "max" for c in ("max_ns",) if c in how}
    how |= {c: _added for c in ("clients",) if c in how}
    merged = ordered.assign(_block=block).groupby([*keys, "_block"], sort=False).agg(how)
    return merged.reset_index()[list(samples.columns)]


def thinned_times(
    times: pd.DataFrame, samples: pd.DataFrame, seconds: int
) -> pd.DataFrame:
    """Response times in the seconds of the ``thinned`` samples."""
    if times.empty:
        return times
    keys = ["run_id", "step", "op"]
    ordered = samples[[*keys, "t_ns", "second"]].sort_values([*keys, "t_ns"])
    block = ordered.groupby(keys).cumcount() // seconds
    ends = ordered.assign(_block=block).groupby([*keys, "_block"])["second"]
    merged = times.merge(ordered.assign(end=ends.transform("last")), on=[*keys, "second"])
    named = merged.assign(second=merged["end"])[[*times.columns]]
    same = [column for column in times.columns if column != "count"]
    return named.groupby(same, sort=False)["count"].sum().reset_index()


def _added(clients: pd.Series) -> list[int]:
    return [sum(values) for values in zip(*clients, strict=False)]


def _holds_dicts(column: pd.Series) -> bool:
    values = column.dropna() if column.dtype == object else column.iloc[:0]
    return len(values) > 0 and isinstance(values.iloc[0], dict)


def _as_text(frame: pd.DataFrame, columns: list[str]) -> pd.DataFrame:
    """Dicts as JSON: Parquet would give every row the keys of all."""

    def text(value: object) -> str | None:
        return json.dumps(value, sort_keys=True) if isinstance(value, dict) else None

    return frame.assign(**{c: [text(v) for v in frame[c]] for c in columns})


def _read_frame(path: Path, columns: list[str]) -> pd.DataFrame:
    # As pandas.read_parquet, which imports what reads whole folders of such files too.
    from pyarrow.parquet import ParquetFile

    with ParquetFile(path) as file:
        frame = file.read().to_pandas()
    for column in columns:
        frame[column] = [
            json.loads(v) if isinstance(v, str) else None for v in frame[column]
        ]
    return frame


def _made(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


def _facts(path: Path) -> dict[str, Any]:
    content = path.read_bytes()
    return {"sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content)}
