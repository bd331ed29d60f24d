"""The columns of the long view `metric`, of every origin."""

from __future__ import annotations

import pyarrow as pa

_DIMS = pa.map_(pa.string(), pa.string())


METRIC = pa.schema(
    [*((name, pa.string()) for name in ("set", "machine", "machine_id", "engine",
       "version", "build", "config", "arm", "tag", "placement")), ("dims", _DIMS),
     ("cell_id", pa.string()), ("run_id", pa.string()), ("trial", pa.int64()),
     ("position", pa.int64()), ("step", pa.string()), ("seq", pa.int64()),
     ("op", pa.string()), ("main", pa.bool_()), ("dop", pa.int64()),
     ("metric", pa.string()), ("clock", pa.string()), ("value", pa.float64()),
     ("unit", pa.string()), ("direction", pa.string()), ("source", pa.string())]
)  # fmt: skip
