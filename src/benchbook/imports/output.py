"""The files of a set: written beside the old ones, then renamed over them."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from benchbook.files import sync
from benchbook.imports.manifest import Manifest, manifest_text, read_manifest
from benchbook.imports.rows import GENERATION, ParsedWriter, write_metric
from benchbook.imports.series import SeriesWriter


@dataclass(frozen=True)
class Places:
    """Where a set lies below data/imported."""

    folder: Path
    set: str

    @property
    def manifest(self) -> Path:
        return self.folder / f"{self.set}.manifest.json"

    @property
    def metric(self) -> Path:
        """What `load` reads: the columns of the view metric."""
        return self.folder / f"{self.set}.parquet"

    @property
    def parsed(self) -> Path:
        """Figures as the formats gave them: what a later import of the set adds to."""
        return self.folder / "parsed" / f"{self.set}.parquet"

    def series(self, name: str) -> Path:
        return self.folder / "series" / f"{self.set}.{name}.parquet"

    @property
    def partial(self) -> Path:
        """Unfinished files; whatever lies there was left by an import that died."""
        return self.folder / f".partial-{self.set}"


def usable_manifest(places: Places) -> Manifest | None:
    """The manifest of an import that can be added to: all of its files are of it."""
    manifest = read_manifest(places.manifest)
    if manifest is None or not places.metric.is_file():
        return None
    carriers = [places.parsed, *map(places.series, manifest.series)]
    generation = manifest.generation.encode()
    return manifest if all(_generation(path) == generation for path in carriers) else None


def _generation(path: Path) -> bytes:
    try:
        return dict(pq.read_metadata(path).metadata or {}).get(GENERATION.encode(), b"")
    except (OSError, pa.ArrowException):
        return b""


class Output:
    """What an import writes; nothing is touched before commit()."""

    def __init__(self, places: Places) -> None:
        self._places = places
        self._parsed: ParsedWriter | None = None
        self._series: dict[str, SeriesWriter] = {}

    def add_rows(self, table: pa.Table) -> None:
        """Append figures as rows.table_of gives them."""
        self._parsed_writer().add(table)

    def add_series(self, name: str, table: pa.Table) -> None:
        """Append a piece of the series."""
        self._series_writer(name).add(table)

    def commit(
        self, manifest: Manifest, paths: Sequence[str], ranks: Mapping[str, int]
    ) -> Manifest:
        """Write the set: what was added, and what earlier imports read from ``paths``.

        Returns the manifest as written.
        """
        before = usable_manifest(self._places)
        if before and paths:
            self._parsed_writer().keep(self._places.parsed, paths)
            for name in before.series:
                self._series_writer(name).keep(self._places.series(name), paths)
        self._parsed_writer().close(manifest.generation)
        counts = {n: w.close(manifest.generation) for n, w in self._series.items()}
        series = {name: count for name, count in sorted(counts.items()) if count}
        temporary = Places(self._places.partial, self._places.set)
        named = [source.path for source in manifest.sources if source.says_trial]
        runs = {source.path: source.run for source in manifest.sources if source.run}
        conflicts = write_metric(
            temporary.parsed, temporary.metric, manifest.set, ranks, named, runs
        )
        manifest = replace(manifest, conflicts=conflicts, series=series)
        temporary.manifest.write_text(manifest_text(manifest), "utf-8")
        self._rename(temporary, series)
        for name in before.series if before else []:
            if name not in series:
                self._places.series(name).unlink(missing_ok=True)
        return manifest

    def _rename(self, temporary: Places, names: Iterable[str]) -> None:
        """All files into place; the manifest last: until then the old one is believed."""
        moves = [(temporary.series(n), self._places.series(n)) for n in names]
        moves += [(temporary.parsed, self._places.parsed)]
        moves += [(temporary.metric, self._places.metric)]
        moves += [(temporary.manifest, self._places.manifest)]
        for source, _ in moves:
            sync(source)
        for source, target in moves:
            target.parent.mkdir(parents=True, exist_ok=True)
            source.replace(target)
        sync(self._places.folder)

    def _parsed_writer(self) -> ParsedWriter:
        if self._parsed is None:
            path = Places(self._places.partial, self._places.set).parsed
            path.parent.mkdir(parents=True, exist_ok=True)
            self._parsed = ParsedWriter(path)
        return self._parsed

    def _series_writer(self, name: str) -> SeriesWriter:
        if name not in self._series:
            path = Places(self._places.partial, self._places.set).series(name)
            path.parent.mkdir(parents=True, exist_ok=True)
            self._series[name] = SeriesWriter(path)
        return self._series[name]


def clear_partial(places: Places) -> None:
    """Remove what an import that died, or gave up, left unfinished."""
    shutil.rmtree(places.partial, ignore_errors=True)
