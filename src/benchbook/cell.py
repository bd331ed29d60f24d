"""A cell: one combination of a study's matrix, and the steps that its runs go through."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Step:
    """A named phase of a run and its size: rows, seconds, or the driver's own default."""

    step: str
    size: str = ""  # "rows" or "seconds"
    amount: str = ""

    @classmethod
    def parse(cls, text: str) -> Step:
        name, _, size = text.partition(":")
        kind, _, amount = size.partition("=")
        return cls(name, kind, amount)

    def __str__(self) -> str:
        return f"{self.step}:{self.size}={self.amount}" if self.size else self.step

    def record(self) -> dict[str, str]:
        return {"step": self.step, **({self.size: self.amount} if self.size else {})}


@dataclass(frozen=True)
class Cell:
    """One combination of the matrix, as the study declares it (nothing is built yet)."""

    engine: str
    steps: tuple[Step, ...]
    version: str = ""
    compiler: str = ""
    flags: str = ""
    build_notes: str = ""
    basedir: str = ""
    config: str = ""
    tag: str = ""
    dop: int = 1
    placement: str = "none"
    arm: str = "main"
    dims: tuple[tuple[str, str], ...] = ()

    def dimensions(self) -> dict[str, str]:
        """Every declared dimension by name; what `--only` and `base:` may name."""
        named = {
            "engine": self.engine,
            "version": self.version,
            "build": self.build_notes,
            "compiler": self.compiler,
            "flags": self.flags,
            "config": Path(self.config).name,
            "tag": self.tag,
            "dop": str(self.dop),
            "placement": self.placement,
            "arm": self.arm,
        }
        return {k: v for k, v in (named | dict(self.dims)).items() if v != ""}

    def label(self) -> str:
        """Short text for progress lines: the values in a fixed order."""
        parts = self.dimensions()
        hidden = {("placement", "none"), ("arm", "main"), ("dop", "1")}
        return " ".join(
            v
            if k in ("engine", "version", "build", "compiler", "flags", "config", "tag")
            else f"{k}={v}"
            for k, v in parts.items()
            if (k, v) not in hidden
        )
