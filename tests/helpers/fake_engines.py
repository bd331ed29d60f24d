"""A copy of bench/install.sh with a catalogue of its own, whose archives need no network.

The server in them is `true`: it starts, and says its version.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import tarfile
import zipfile
from dataclasses import dataclass
from pathlib import Path

from places import BENCH

from benchbook.project import Project

SCRIPTS = ("install.sh", "fetch.sh", "build_sqlite.sh")
HEAD = (
    "engine", "version", "source", "series", "label", "kind", "package", "release",
    "archive", "sha256", "mb",
)  # fmt: skip
# A database of it is a folder with the one line of the log that install.sh reads.
ROCKSDB = """
#include <stdio.h>
#include <sys/stat.h>
void *rocksdb_options_create(void) { return "options"; }
void rocksdb_options_set_create_if_missing(void *options, unsigned char on) {}
void *rocksdb_open(void *options, const char *path, char **error) {
	char name[4096];
	mkdir(path, 0777);
	snprintf(name, sizeof(name), "%s/LOG", path);
	FILE *log = fopen(name, "w");
	fputs("2026/11/23-16:00:00 RocksDB version: VERSION\\n", log);
	fclose(log);
	return log;
}
"""
LIBRARY = 'const char *sqlite3_libversion(void) { return "3.1.0"; }\n'


@dataclass(frozen=True)
class FakeEngines:
    """A folder bench/ and a cache beside it."""

    root: Path

    @property
    def project(self) -> Project:
        return Project(self.root)

    @property
    def script(self) -> Path:
        return self.root / "bench" / "install.sh"

    @property
    def cache(self) -> Path:
        return self.root / "cache" / "engines"

    @property
    def environ(self) -> dict[str, str]:
        return os.environ | {"BENCHBOOK_CACHE": str(self.root / "cache")}

    def left(self) -> list[str]:
        """What is in the cache besides archives and locks."""
        there = [p.name for p in self.cache.iterdir() if p.suffix != ".jar"]
        partial = [p.name for p in self.cache.glob(".partial/*") if p.suffix != ".lock"]
        return sorted({*there, *partial} - {".partial", ".apt"})

    def call(self, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [str(self.script), *words], capture_output=True, text=True, check=False,
            env=self.environ | more,
        )  # fmt: skip

    def refused(self, *words: str, **more: str) -> str:
        """The one sentence of a call that fails."""
        done = self.call(*words, **more)
        told = [x for x in done.stderr.splitlines() if ": fetching " not in x]
        assert (1, "", 1) == (done.returncode, done.stdout, len(told)), done.stderr
        return told[0]

    def pin(self, *rows: list[str]) -> None:
        """Write the catalogue."""
        lines = ["# a comment", "\t".join(HEAD), *("\t".join(row) for row in rows)]
        (self.root / "bench" / "engines.tsv").write_text("\n".join(lines) + "\n")

    def jar(self, version: str, server: str = "true") -> list[str]:
        """The line of a Postgres whose archive is in the cache already."""
        tree = self.root / "tree"
        (tree / "bin").mkdir(parents=True, exist_ok=True)
        shutil.copy(shutil.which(server) or server, tree / "bin" / "postgres")
        with tarfile.open(self.root / "postgres.txz", "w:xz") as archive:
            archive.add(tree / "bin", "bin")
        jar = self.cache / f"postgres-{version}.jar"
        with zipfile.ZipFile(jar, "w") as archive:
            archive.write(self.root / "postgres.txz", "postgres.txz")
        return self.line(version, "maven", jar.name, sha256_of(jar))

    def line(self, version: str, kind: str, archive: str, sha256: str) -> list[str]:
        return ["postgres", version, "jar", "fake", "gcc 7.5 -Os", kind,
                "org.example:postgres", version, archive, sha256, "1"]  # fmt: skip

    def duckdb(self, version: str, inside: str) -> list[str]:
        """The line of a DuckDB whose archive is in the cache; its library is a text."""
        package = self.root / "package"
        package.mkdir()
        (package / "libduckdb.so").write_text(f"DuckDB v{inside}")
        (package / "duckdb.node").write_text("the bindings, which nobody needs")
        archive = self.cache / f"duckdb-{version}.tgz"
        with tarfile.open(archive, "w:gz") as tar:
            tar.add(package, "package")
        return ["duckdb", version, "npm", "fake", "gcc 14.2.1", "npm", "@duckdb/bindings",
                f"{version}-r.1", archive.name, sha256_of(archive), "1"]  # fmt: skip

    def rocksdb(self, version: str, inside: str) -> list[str]:
        """The line of a RocksDB in a jar, whose library says a version and no more."""
        source = self.root / "rocksdb.c"
        source.write_text(ROCKSDB.replace("VERSION", inside))
        library = self.root / "librocksdbjni-linux64.so"
        subprocess.run(["cc", "-shared", "-o", library, source], check=True)
        jar = self.cache / f"rocksdbjni-{version}.jar"
        with zipfile.ZipFile(jar, "w") as archive:
            archive.write(library, library.name)
            archive.writestr("org/rocksdb/RocksDB.class", "for Java")
        return ["rocksdb", version, "jar", "fake", "gcc 7.3.1", "maven",
                "org.rocksdb:jni", version, jar.name, sha256_of(jar), "1"]  # fmt: skip

    def sqlite(self) -> list[str]:
        """The line of an SQLite of one function, whose source is in the cache already."""
        tree = self.root / "crate-1.0" / "sqlite3"
        tree.mkdir(parents=True)
        (tree / "sqlite3.c").write_text(LIBRARY)
        (tree / "sqlite3.h").write_text("")
        sources = self.root / "cache" / "sources"
        sources.mkdir()
        with tarfile.open(sources / "crate-1.0.crate", "w:gz") as archive:
            archive.add(tree.parent, "crate-1.0")
        sha256 = sha256_of(sources / "crate-1.0.crate")
        row = ["sqlite", "3.1.0", "crate", "crate", "1.0", "crate-1.0.crate", sha256,
               "crate-1.0/sqlite3", "*"]  # fmt: skip
        (self.root / "bench" / "sources.tsv").write_text("\t".join(row) + "\n")
        return ["sqlite", "3.1.0", "built", "built", "built here", "built", "crate",
                "1.0", "-", "-", "1"]  # fmt: skip


def make_engines(root: Path) -> FakeEngines:
    """Postgres 1.5 and 2.0, each in a jar that is in the cache already."""
    (root / "bench").mkdir(parents=True)
    for name in SCRIPTS:
        shutil.copy(BENCH / name, root / "bench")
    made = FakeEngines(root)
    made.cache.mkdir(parents=True)
    made.pin(made.jar("1.5"), made.jar("2.0"))
    return made


def sha256_of(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()
