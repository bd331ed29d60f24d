"""What the figures of one file have in each column: for a preview that writes nothing."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc

COLUMNS = ("engine", "version", "build", "config", "machine", "step", "dop", "trial")


class Seen:
    """Takes figures as an Output does, and keeps only which values there are."""

    def __init__(self) -> None:
        self._values: dict[str, dict[str, None]] = {}
        self.mains: dict[str, str] = {}  # what throughput means, with its direction

    def add_rows(self, table: pa.Table) -> None:
        """Note the columns of figures as imports.rows.table_of gives them."""
        for name in COLUMNS:
            said = table["said_trial" if name == "trial" else name]
            unsaid = (None,) if name == "trial" else ("", 0)
            for value in pc.unique(said).to_pylist():
                self._note(name, "" if value in unsaid else str(value))
        main = table.filter(table["main"]).select(["metric", "direction"])
        self.mains |= {r["metric"]: r["direction"] for r in main.to_pylist()}
        for dims in table["dims"].to_pylist():
            for name, value in dims:
                self._note(name, value)

    def add_series(self, name: str, table: pa.Table) -> None:
        """Series are counted by who reads them."""

    def values(self) -> dict[str, tuple[str, ...]]:
        """Of each column and dimension the values, in order; none that is empty."""
        return {name: tuple(values) for name, values in self._values.items() if values}

    def _note(self, name: str, value: str) -> None:
        values = self._values.setdefault(name, {})
        if value:
            values[value] = None
