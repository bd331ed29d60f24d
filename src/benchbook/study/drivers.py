"""The drivers in bench/ as data: how each is built, called and pinned to CPUs.

Adding a driver is an entry in DRIVERS.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from benchbook.errors import UserError


@dataclass(frozen=True)
class Driver:
    """What the library must know of a program in bench/."""

    name: str
    program: str  # file in the build folder
    sources: tuple[str, ...]  # globs below bench/ that decide the build digest
    target: str  # goal of bench/Makefile
    placement: str = "none"  # default where a study does not say
    dimensions: tuple[str, ...] = ()  # matrix keys passed on as --key value
    writes: bool = True  # syncs to disk: fdatasync is probed around each run
    libraries: bool = False  # the engine is a fetched library compiled into the program
    tool: bool = False  # runs a tool of the system instead of a program of ours
    # Shared libraries of the system that an engine without an install tree comes from.
    system_libraries: tuple[tuple[str, str], ...] = ()
    servers: tuple[str, ...] = ()  # engines that are processes of their own
    server_sources: tuple[str, ...] = ()  # globs that decide how a server is set up
    # Built beside the program.
    helpers: tuple[str, ...] = ("now", "probe", "uncache", "sampler")
    # What it runs: steps by engine, as its --list prints them, which a test holds.
    steps: Mapping[str, tuple[str, ...]] = field(default_factory=dict, hash=False)
    # What may be said of a step; nothing: the driver decides how long it takes.
    sizes: tuple[str, ...] = ("rows", "seconds", "queries", "rows_per_commit")
    workload: bool = False  # its steps and further dimensions are those of a file
    scripts: bool = False  # a study may name a script that it runs instead of its tests
    whole_seconds: bool = False  # its tests take whole seconds or events, others nothing
    compiler: str = "cc"
    flags: str = "-O2"

    @property
    def takes_trees(self) -> bool:
        """Do engines come as install trees: own ones, or from the catalogue?"""
        return bool(self.servers)

    def usual_placement(self, engine: str, connect: str) -> str:
        """Where a study does not say: a server here shares one CPU with its client."""
        if connect:
            return "none"
        return "same" if engine in self.servers else self.placement


PUBLISHED = "published"
COMMON = ("Makefile", "common/*", "tools/now.c", "tools/probe.c", "tools/uncache.c")
TURNS = ("tools/keeper.c", "referee/*")
INGEST = (
    "indexes", "index_set", "tables", "contend", "prepare", "price", "memory",
)  # fmt: skip
INGEST_STEPS = (
    "l.i0", "l", "l.x", "l.i1", "l.i2", "cleanup",
    "qr100.L1", "qp100.L2", "qr500.L3", "qp500.L4", "qr1000.L5", "qp1000.L6",
    "q100.1", "q100.2", "q200.1", "q200.2", "q400.1", "q400.2", "q500.1",
    "q600.1", "q600.2", "q800.1", "q800.2", "q1000.1", "q1000.2",
    "scan.q1", "scan.q2", "scan.q3", "scan.q4", "scan.q5", "scan",
)  # fmt: skip
SYSBENCH_STEPS = (
    "point-query.warm.range100", "postwrite.pre", "point-query.pre.range100",
    "random-points.pre.range10", "random-points.pre.range100",
    "random-points.pre.range1000", "read-only.pre.range10", "read-only.pre.range100",
    "read-only.pre.range10000", "points-covered-pk.pre.range100",
    "points-notcovered-pk.pre.range100", "points-covered-si.pre.range100",
    "points-notcovered-si.pre.range100", "range-covered-pk.pre.range100",
    "range-notcovered-pk.pre.range100", "range-covered-si.pre.range100",
    "range-notcovered-si.pre.range100", "update-inlist.range100", "update-index.range100",
    "update-nonindex.range100", "update-one.range100", "update-zipf.range100",
    "write-only.range10000", "read-write.range10", "read-write.range100", "postwrite",
    "read-only.range10", "read-only.range100", "read-only.range10000",
    "point-query.range100", "random-points.range10", "random-points.range100",
    "random-points.range1000", "hot-points.range100", "points-covered-pk.range100",
    "points-notcovered-pk.range100", "points-covered-si.range100",
    "points-notcovered-si.range100", "range-covered-pk.range100",
    "range-notcovered-pk.range100", "range-covered-si.range100",
    "range-notcovered-si.range100", "scan.range100", "delete.range100", "insert.range100",
    "read-only-simple.range1000", "read-only-sum.range1000", "read-only-order.range1000",
    "read-only-distinct.range1000", "read-only-count.range1000", "scan.warm.range100",
)  # fmt: skip
SERVERS = ("postgres", "mysql", "mariadb", "myrocks")
SERVER_SOURCES = ("server.sh", "servers/*.sh")
ENGINES = ("null", "sqlite", "duckdb", "rocksdb", *SERVERS)
SYSTEM_LIBRARIES = (
    ("sqlite", "libsqlite3.so.0"),
    ("duckdb", "libduckdb.so"),
    ("rocksdb", "librocksdb.so"),
)
OF_EACH_WORKLOAD = ("load", "index")  # steps that the driver sql has beside a file's own

DRIVERS = {
    driver.name: driver
    for driver in (
        Driver(
            name="ingest",
            program="ingest",
            sources=(*COMMON, *TURNS, "client/*", "ingest/*", "engines/**/*"),
            target="ingest",
            placement="none",
            dimensions=INGEST,
            system_libraries=SYSTEM_LIBRARIES,
            servers=SERVERS,
            server_sources=SERVER_SOURCES,
            helpers=("now", "probe", "keeper", "uncache", "referee", "sampler"),
            steps=dict.fromkeys(ENGINES, INGEST_STEPS),
        ),
        Driver(
            name="sql",
            program="sql",
            sources=(*COMMON, *TURNS, "sql/*", "client/*", "engines/**/*"),
            target="sql",
            placement="none",
            dimensions=("prepare", "memory"),
            system_libraries=SYSTEM_LIBRARIES,
            servers=SERVERS,
            server_sources=SERVER_SOURCES,
            helpers=("now", "probe", "keeper", "uncache", "referee", "sampler"),
            steps=dict.fromkeys(ENGINES, OF_EACH_WORKLOAD),
            sizes=("seconds", "events", "warmup", "rate"),
            workload=True,
        ),
        Driver(
            name="micro",
            program="micro",
            sources=(*COMMON, *TURNS, "micro/*", "sources.tsv"),
            target="micro",
            placement="same",
            dimensions=("block_size", "data"),
            helpers=("now", "probe", "keeper", "uncache", "referee", "sampler"),
            writes=False,
            libraries=True,
            steps={
                "ours": ("crc32c-table", "crc32c-1stream"),
                "rocksdb": ("crc32c",),
                "xxhash": ("xxhash", "xxhash64", "xxh3"),
                "lz4": ("lz4-compress", "lz4-uncompress"),
                "zstd": ("zstd-compress", "zstd-uncompress"),
            },
        ),
        Driver(
            name="db_bench",
            program="db_bench.sh",
            sources=(*COMMON, "db_bench.sh"),
            target="now",
            placement="same",
            dimensions=("block_size", "compression"),
            writes=False,
            tool=True,
            steps={
                "rocksdb": (
                    "crc32c",
                    "xxhash",
                    "xxhash64",
                    "xxh3",
                    "compress",
                    "uncompress",
                ),
            },
            sizes=(),
        ),
        Driver(
            name="sysbench",
            program="sysbench.sh",
            sources=(*COMMON, "tools/keeper.c", "sysbench.sh", "sysbench/*"),
            target="sysbench",
            placement="none",
            dimensions=("table_size", "tables", "pk", "prepare", "memory"),
            tool=True,
            servers=SERVERS,
            server_sources=("server.sh", "servers/*.sh"),
            helpers=("now", "probe", "keeper", "uncache", "sampler"),
            steps=dict.fromkeys(SERVERS, ("load", "index", *SYSBENCH_STEPS)),
            scripts=True,
            whole_seconds=True,
            sizes=("seconds", "events", "warmup", "rate"),
        ),
        # Nothing is run: the study reads the published tables that it names.
        Driver(name=PUBLISHED, program="", sources=(), target="", writes=False),
    )
}


def driver_named(name: str, where: Path) -> Driver:
    """The driver of that name; ``where`` is the file that asks for it."""
    if name not in DRIVERS:
        raise UserError(f"{where}: no driver {name!r}; available: {', '.join(DRIVERS)}")
    return DRIVERS[name]
