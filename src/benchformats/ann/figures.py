"""What the formats of ann-benchmarks share: an index with its parameters, and figures."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from benchformats.parsed import Row

STEP = "knn"
# Qdrant's name is printed with a second bracket that nothing closes.
PARAMETERS = (
    r"(?P<engine>[A-Za-z]\w{0,60})\({1,2}(?P<parameters>[a-zA-Z_]\w*=[^()]{1,200})\)"
)

_PARAMETER = re.compile(r"([A-Za-z_]\w*)=([\w.]+)", re.ASCII)


@dataclass(frozen=True)
class Search:
    """What a search of a vector index gave."""

    engine: str  # MariaDB, PGVector_halfvec, ... in lower case
    dims: Mapping[str, str]  # m, ef_construction, ef_search, as its maker names them
    recall: float  # share of the true neighbours that it gave
    qps: float


def search_of(line: re.Match[str] | None) -> Search | None:
    """What a line says; None where a parameter has no value, or recall is above 1."""
    if not line or float(line["recall"]) > 1:
        return None
    matches = [_PARAMETER.fullmatch(one.strip()) for one in line["parameters"].split(",")]
    dims = {one[1]: one[2] for one in matches if one}
    if len(dims) < len(matches):
        return None
    return Search(line["engine"].lower(), dims, float(line["recall"]), float(line["qps"]))


def rows_of(line_no: int, search: Search) -> list[Row]:
    """Recall and queries per second."""
    return [
        Row(line_no, STEP, "recall", search.recall, "ratio", "higher",
            engine=search.engine, dims=search.dims),
        Row(line_no, STEP, "qps", search.qps, "queries/s", "higher",
            engine=search.engine, main=True, dims=search.dims),
    ]  # fmt: skip
