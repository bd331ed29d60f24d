"""Steps of a run that left some out are counted as those of one that made them all.

Its driver knew of no others, but views put the steps of a study in one order.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pyarrow as pa

from benchbook.runs.driver_file import Records
from benchbook.runs.turns import Turns


def with_declared_seq(
    spec: Mapping[str, Any], records: Records, turns: Turns | None
) -> tuple[Records, Turns | None]:
    """Records and turns, checked already, with each step's place among all of its cell.

    Those of a run that made all its steps stay as they are.
    """
    if not spec.get("left_out"):
        return records, turns
    places = {step["step"]: i for i, step in enumerate(spec["steps"], start=1)}
    steps = [step | {"seq": places[step["step"]]} for step in records.steps]
    if turns is not None:
        turns = replace(turns, table=_placed(turns.table, places))
    return replace(records, steps=steps), turns


def _placed(table: pa.Table, places: Mapping[str, int]) -> pa.Table:
    at = table.schema.get_field_index("seq")
    field = table.schema.field(at)
    seq = pa.array([places[name] for name in table["step"].to_pylist()], field.type)
    return table.set_column(at, field, seq)
