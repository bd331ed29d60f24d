"""What readers of tools' output take and give."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchbook.runs.records import Record

Row = dict[str, Any]


@dataclass(frozen=True)
class Output:
    """A file in which a tool says what it did, and the run that it is of."""

    text: str
    name: str = ""
    folder: Path | None = None
    run: Record = field(default_factory=dict)
    scripted: bool = False  # the steps are those of a script of the user's

    def beside(self, suffix: str) -> str | None:
        """The text of the file that is called as this one, and what is behind it."""
        file = self.folder / f"{self.name}{suffix}" if self.folder else None
        if file is None or not file.is_file():
            return None
        return file.read_text(encoding="utf-8", errors="replace")

    def beside_named(self, name: str) -> str | None:
        """The text of another file of the run's folder; None where it is not there."""
        file = self.folder / name if self.folder else None
        return file.read_text(encoding="utf-8") if file and file.is_file() else None

    def mono_ns(self, real_ns: int) -> int:
        """A moment of the wall clock on the run's other clock."""
        return int(self.run["mono_ns"] + real_ns - self.run["real_ns"])


@dataclass(frozen=True)
class ToolResult:
    """Of one step: what its records lack, by op, and records that the driver has not.

    ``tables`` has rows of further tables of the store.
    """

    counted: Mapping[str, Row]
    hists: list[Row] = field(default_factory=list)
    samples: list[Row] = field(default_factory=list)
    tables: Mapping[str, list[Row]] = field(default_factory=dict)
