"""What an import was made from: data/imported/<set>.manifest.json, written last."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from benchformats.parsed import Problem

SCHEMA = 1


@dataclass(frozen=True)
class Part:
    """A further file of the run that a source is."""

    path: str
    sha256: str
    bytes: int


@dataclass(frozen=True)
class Source:
    """One file of the imported folder that a format has read, or the files of one run."""

    path: str  # below the imported folder, with /
    sha256: str
    bytes: int
    format: str
    importer: str  # version of importer and parser
    machine: str = ""  # as the user said with --machine
    forced: bool = False  # the user said with --format which format it is
    said: str = ""  # what --name and fixed dimensions say of it, and --columns
    rows: int = 0  # figures
    samples: int = 0  # rows of series
    problems: list[Problem] = field(default_factory=list)
    parts: list[Part] = field(default_factory=list)
    run: str = ""  # its path but for the number of its run: others of it are trials

    @property
    def paths(self) -> list[str]:
        """All of its files."""
        return [self.path, *(part.path for part in self.parts)]

    @property
    def says_trial(self) -> bool:
        """Its name, or a column of it, says which trial each figure is of."""
        words = self.said.split("; ")
        return self.format == "tidy" or any(w.startswith("trial=") for w in words)


@dataclass(frozen=True)
class Skipped:
    """A file that was not imported."""

    path: str
    reason: str


@dataclass(frozen=True)
class Manifest:
    """All sources of a set, sorted by path."""

    set: str
    sources: list[Source] = field(default_factory=list)
    skipped: list[Skipped] = field(default_factory=list)
    conflicts: list[str] = field(default_factory=list)
    series: dict[str, int] = field(default_factory=dict)  # samples of each

    @property
    def generation(self) -> str:
        """Changes with every change of what was read: the Parquet files carry it too."""
        facts = [
            f"{s.path} {s.sha256} {s.importer} {s.machine} {s.format}"
            + (f" {s.said}" if s.said else "")
            + "".join(f" {part.path} {part.sha256}" for part in s.parts)
            for s in self.sources
        ]
        return hashlib.sha256("\n".join(facts).encode()).hexdigest()


def read_manifest(path: Path) -> Manifest | None:
    """The manifest; None where there is none, or none that this version can add to."""
    try:
        fields = json.loads(path.read_text("utf-8"))
        if fields.pop("schema") != SCHEMA:
            return None
        sources = [_source(source) for source in fields.pop("sources")]
        skipped = [Skipped(**one) for one in fields.pop("skipped")]
        fields.pop("generation")
        return Manifest(sources=sources, skipped=skipped, **fields)
    except (OSError, ValueError, KeyError, TypeError):
        return None


def manifest_text(manifest: Manifest) -> str:
    """JSON, one source a line, so that a difference of two manifests can be read."""
    fields = asdict(manifest)
    head = {"schema": SCHEMA, "generation": manifest.generation, "set": fields["set"],
            "series": fields["series"]}  # fmt: skip
    lines = [f"{_json(k)}: {_json(v)}" for k, v in head.items()]
    for key in ("conflicts", "skipped", "sources"):
        lines.append(f"{_json(key)}: {_list(fields[key])}")
    return "{" + ",\n".join(lines) + "}\n"


def _source(fields: dict[str, Any]) -> Source:
    problems = [Problem(**one) for one in fields.pop("problems")]
    parts = [Part(**one) for one in fields.pop("parts", [])]
    return Source(problems=problems, parts=parts, **fields)


def _list(values: Iterable[Any]) -> str:
    return "[\n" + ",\n".join(_json(value) for value in values) + "\n]"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
