"""Small sets of vectors, and what is true of them by numpy."""

from __future__ import annotations

from pathlib import Path

import numpy as np


def write_fvecs(path: Path, rows: np.ndarray) -> Path:
    """Rows as an fvecs file."""
    floats = rows.astype("<f4")
    dims = np.full((len(rows), 1), rows.shape[1], dtype="<i4")
    path.write_bytes(np.hstack([dims, floats.view("<i4")]).tobytes())
    return path


def write_set(folder: Path, base: np.ndarray, queries: np.ndarray) -> Path:
    """A folder as `--vectors` takes it."""
    folder.mkdir(parents=True, exist_ok=True)
    write_fvecs(folder / "base.fvecs", base)
    write_fvecs(folder / "queries.fvecs", queries)
    return folder


def nearest_ids(
    base: np.ndarray, queries: np.ndarray, k: int, distance: str = "l2"
) -> list[set[int]]:
    """The rows, from 1, of the k nearest of each query."""
    rows, asked = base.astype(float), queries.astype(float)
    if distance == "l2":
        apart = ((asked[:, None] - rows[None]) ** 2).sum(axis=2)
    else:
        apart = -asked @ rows.T
    if distance == "cosine":
        apart = apart / np.linalg.norm(rows, axis=1)
    order = np.argsort(apart, axis=1, kind="stable")
    return [set(map(int, row[:k] + 1)) for row in order]


def random_rows(rows: int, dim: int, seed: int) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(rows, dim)).astype("<f4")
