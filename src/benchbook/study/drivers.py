"""The drivers in bench/ as data: how each is built, called and pinned to CPUs.

Adding a driver is an entry in DRIVERS.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from benchbook.study.cell import OF_A_SERVER
from benchmath.errors import UserError

Values = tuple[str, ...] | range


@dataclass(frozen=True)
class Driver:
    """What the library must know of a program in bench/."""

    name: str
    program: str  # file in the build folder
    sources: tuple[str, ...]  # globs below bench/ that decide the build digest
    target: str  # goal of bench/Makefile
    placement: str = "none"  # default where a study does not say
    dimensions: tuple[str, ...] = ()  # matrix keys passed on as --key value
    options: tuple[str, ...] = ()  # what else may be said of all cells alike
    # What dimensions, options and dop may be, where not all values are taken.
    values: Mapping[str, Values] = field(default_factory=dict, hash=False)
    writes: bool = True  # syncs to disk: fdatasync is probed around each run
    libraries: bool = False  # the engine is a fetched library compiled into the program
    tool: bool = False  # runs a tool of the system instead of a program of ours
    # Shared libraries of the system that an engine without an install tree comes from.
    system_libraries: tuple[tuple[str, str], ...] = ()
    tree_program: str = ""  # what it runs out of an install tree
    calculates: tuple[str, ...] = ()  # steps that leave the disk alone
    reads: tuple[str, ...] = ()  # steps that leave the database as they found it
    indexed: tuple[str, ...] = ()  # steps that read what only l.x makes
    tried: bool = False  # its --dry-run refuses what it would refuse later
    servers: tuple[str, ...] = ()  # engines that are processes of their own
    server_sources: tuple[str, ...] = ()  # globs that decide how a server is set up
    # Built beside the program.
    helpers: tuple[str, ...] = ("now", "probe", "quiet", "uncache", "sampler")
    # What it runs: steps by engine, as its --list prints them, which a test holds.
    steps: Mapping[str, tuple[str, ...]] = field(default_factory=dict, hash=False)
    # What may be said of a step; nothing: the driver decides how long it takes.
    sizes: tuple[str, ...] = ("rows", "seconds", "queries", "rows_per_commit")
    # Of these, what is a whole number.
    whole: tuple[str, ...] = ("rows", "queries", "events", "rows_per_commit", "rate")
    workload: bool = False  # its steps and further dimensions are those of a file
    commands: bool = False  # its steps are a user's own commands
    scripts: bool = False  # a study may name a script that it runs instead of its tests
    beside: bool = False  # published figures may stand beside its steps
    whole_seconds: bool = False  # its tests take whole seconds or events, others nothing
    compiler: str = "cc"
    flags: str = "-O2"

    @property
    def takes_trees(self) -> bool:
        """Do engines come as install trees: own ones, or from the catalogue?"""
        return bool(self.servers or self.tree_program)

    def usual_placement(self, engine: str, connect: str, steps: Sequence[str]) -> str:
        """Where a study does not say: a server here shares one CPU with its client.

        So does a driver all of whose steps only calculate.
        """
        if connect:
            return "none"
        if engine in self.servers or (self.calculates and self.only_calculates(steps)):
            return "same"
        return self.placement

    def only_calculates(self, steps: Sequence[str]) -> bool:
        """Do these steps leave the disk alone?"""
        return not self.writes or set(steps) <= set(self.calculates)


PUBLISHED = "published"
COMMON = (
    "Makefile",
    "common/*",
    "tools/now.c",
    "tools/probe.c",
    "tools/quiet.c",
    "tools/uncache.c",
)
TURNS = ("tools/keeper.c", "referee/*")
SQL = ("sql/*", "vectors/exact.*", "vectors/fvecs.*")
INGEST = (
    "indexes", "index_set", "tables", "contend", "prepare", "price", *OF_A_SERVER,
)  # fmt: skip
INGEST_STEPS = (
    "l.i0", "l", "l.x", "l.i1", "l.i2", "cleanup",
    "qr100.L1", "qp100.L2", "qr500.L3", "qp500.L4", "qr1000.L5", "qp1000.L6",
    "q100.1", "q100.2", "q200.1", "q200.2", "q400.1", "q400.2", "q500.1",
    "q600.1", "q600.2", "q800.1", "q800.2", "q1000.1", "q1000.2",
    "scan.q1", "scan.q2", "scan.q3", "scan.q4", "scan.q5", "scan",
)  # fmt: skip
INGEST_SCANS = tuple(step for step in INGEST_STEPS if step.startswith("scan"))
INGEST_RANGES = tuple(s for s in INGEST_STEPS if s[0] == "q" and s[1] != "p")
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
DB_BENCH_STEPS = (
    "fillseq", "revrange", "readrandom", "fwdrange", "multireadrandom", "overwritesome",
    "flush_mt_l0", "revrangewhilewriting", "fwdrangewhilewriting", "readwhilewriting",
    "overwrite", "overwriteandwait",
)  # fmt: skip
DB_BENCH_CALCULATIONS = (
    "crc32c", "xxhash", "xxhash64", "xxh3", "compress", "uncompress",
)  # fmt: skip
DB_BENCH_FLAGS = (
    "key_size", "value_size", "block_size", "compression_ratio",
    "compression_max_dict_bytes", "cache_type", "cache_numshardbits", "bloom_bits",
    "verify_checksum", "memtablerep", "open_files", "num_levels",
    "level_compaction_dynamic_level_bytes", "pin_l0_filter_and_index_blocks_in_cache",
    "cache_index_and_filter_blocks", "cache_high_pri_pool_ratio",
    "max_write_buffer_number", "level0_file_num_compaction_trigger",
    "level0_slowdown_writes_trigger", "level0_stop_writes_trigger",
    "max_bytes_for_level_multiplier", "subcompactions", "sync", "disable_wal",
    "bytes_per_sync", "min_level_to_compress", "statistics", "num", "cache_size",
    "write_buffer_size", "target_file_size_base", "max_bytes_for_level_base",
    "max_background_jobs", "compression_type", "bottommost_compression_type",
    "prepopulate_block_cache", "use_direct_reads",
    "use_direct_io_for_flush_and_compaction", "stats_interval_seconds",
    "rate_limiter_bytes_per_sec", "compaction_style", "compaction_readahead_size",
    "compression_level", "format_version", "soft_pending_compaction_bytes_limit",
    "hard_pending_compaction_bytes_limit", "enable_pipelined_write", "unordered_write",
    "partition_index_and_filters", "async_io", "seek_nexts", "batch_size",
    "benchmark_write_rate_limit",
)  # fmt: skip
SWITCH = ("0", "1")
CLIENTS = range(1, 65)
AMOUNT = range(1, 10**9)
SERVERS = ("postgres", "mysql", "mariadb", "myrocks")
SERVER_SOURCES = ("server.sh", "servers/*.sh")
ENGINES = ("null", "sqlite", "duckdb", "rocksdb", *SERVERS)
SYSTEM_LIBRARIES = (
    ("sqlite", "libsqlite3.so.0"),
    ("duckdb", "libduckdb.so"),
    ("rocksdb", "librocksdb.so"),
    ("hnswlib", "libbenchhnsw.so"),
)
# Steps that the driver sql has beside a file's own. A file may have its own of the last.
OF_EACH_WORKLOAD = ("load", "index", "analyze")

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
            options=("no_delete",),
            values={
                "indexes": ("0", "3"),
                "index_set": ("2023", "older"),
                "tables": ("1", "dop"),
                "price": ("int", "real"),
                **dict.fromkeys(("contend", "no_delete", "prepare"), SWITCH),
                "dop": CLIENTS,
            },
            system_libraries=SYSTEM_LIBRARIES,
            servers=SERVERS,
            server_sources=SERVER_SOURCES,
            helpers=("now", "probe", "quiet", "keeper", "uncache", "referee", "sampler"),
            steps=dict.fromkeys(ENGINES, INGEST_STEPS),
            reads=INGEST_SCANS,
            indexed=(*INGEST_RANGES, "scan", "scan.q2", "scan.q3", "scan.q4"),
        ),
        Driver(
            name="sql",
            program="sql",
            sources=(*COMMON, *TURNS, *SQL, "client/*", "engines/**/*"),
            target="sql",
            placement="none",
            dimensions=("prepare", *OF_A_SERVER),
            options=("contend",),
            values={"prepare": SWITCH, "contend": SWITCH, "dop": CLIENTS},
            system_libraries=SYSTEM_LIBRARIES,
            servers=SERVERS,
            server_sources=SERVER_SOURCES,
            helpers=("now", "probe", "quiet", "keeper", "uncache", "referee", "sampler"),
            steps=dict.fromkeys((*ENGINES, "hnswlib"), OF_EACH_WORKLOAD),
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
            values={
                "block_size": range(1, 2**26 + 1),
                "data": ("x", "half", "random"),
                "dop": range(1, 1025),
            },
            sizes=("rows", "seconds"),
            helpers=("now", "probe", "quiet", "keeper", "uncache", "referee", "sampler"),
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
            beside=True,
            sources=(*COMMON, "tools/keeper.c", "tool.sh", "db_bench.sh", "db_bench/*"),
            target="db_bench",
            dimensions=("workload", "compression", *DB_BENCH_FLAGS),
            tool=True,
            tree_program="db_bench",
            calculates=DB_BENCH_CALCULATIONS,
            tried=True,
            helpers=("now", "probe", "quiet", "keeper", "uncache", "sampler"),
            steps={"rocksdb": (*DB_BENCH_STEPS, *DB_BENCH_CALCULATIONS)},
            sizes=("seconds",),
        ),
        Driver(
            name="sysbench",
            program="sysbench.sh",
            sources=(*COMMON, "tools/keeper.c", "tool.sh", "sysbench.sh", "sysbench/*"),
            target="sysbench",
            placement="none",
            dimensions=("table_size", "tables", "pk", "prepare", *OF_A_SERVER),
            values={
                **dict.fromkeys(("table_size", "tables"), AMOUNT),
                **dict.fromkeys(("pk", "prepare"), SWITCH),
            },
            tool=True,
            servers=SERVERS,
            server_sources=("server.sh", "servers/*.sh"),
            helpers=("now", "probe", "quiet", "keeper", "uncache", "sampler"),
            steps=dict.fromkeys(SERVERS, ("load", "index", *SYSBENCH_STEPS)),
            scripts=True,
            whole_seconds=True,
            sizes=("seconds", "events", "warmup", "rate"),
            whole=("seconds", "events", "warmup", "rate"),
        ),
        Driver(
            name="command",
            program="command",
            sources=(*COMMON, *TURNS, "command/*"),
            target="command",
            values={"dop": range(1, 2)},
            writes=False,
            helpers=("now", "probe", "quiet", "keeper", "uncache", "referee", "sampler"),
            steps={"shell": ()},
            sizes=("seconds", "events", "warmup"),
            commands=True,
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
