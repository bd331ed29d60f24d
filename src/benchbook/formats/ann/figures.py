"""What the formats of ann-benchmarks share: an index with its parameters, and figures."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from benchbook.formats.parsed import Row

STEP = "knn"
# Qdrant's name is printed with a second bracket that nothing closes.
PARAMETERS = (
    r"(?P<engine>[A-Za-z]\w{0,60})\({1,2}(?P<parameters>[a-zA-Z_]\w*=[^()]{1,200})\)"
)

_PARAMETER = re.compile(r"([A-Za-z_]\w*)=([\w.]+)", re.ASCII)


@dataclass(frozen=True)
class Index:
    """A vector index: MariaDB, PGVector_halfvec, ... in lower case, its parameters."""

    engine: str
    dims: Mapping[str, str]  # m, ef_construction, ef_search, as its maker names them


def index_of(engine: str, parameters: str) -> Index | None:
    """The index of ``m=8, ef_search=10``; None where a parameter has no value."""
    found = [_PARAMETER.fullmatch(one.strip()) for one in parameters.split(",")]
    pairs = [(one[1], one[2]) for one in found if one]
    names = {name for name, _ in pairs}
    if not pairs or len(names) < len(found):
        return None
    return Index(engine.lower(), dict(pairs))


def rows_of(line_no: int, index: Index, recall: float, qps: float) -> list[Row]:
    """Recall (share of the true neighbours found) and queries per second of a run."""
    return [
        Row(line_no, STEP, "recall", recall, "ratio", "higher", engine=index.engine,
            dims=index.dims),
        Row(line_no, STEP, "qps", qps, "queries/s", "higher", engine=index.engine,
            main=True, dims=index.dims),
    ]  # fmt: skip
