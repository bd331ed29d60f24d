"""A cell: one combination of a study's matrix, and the steps that its runs go through."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

# Dimensions whose values need no name beside them.
SPEAK_FOR_THEMSELVES = (
    "engine", "version", "source", "connect", "build", "compiler", "flags", "config",
    "tag", "workload", "script",
)  # fmt: skip
# Columns of the view `metric`: no dimension may be called so.
RESERVED = {
    "study", "set", "machine", "machine_id", "engine", "version", "build", "config",
    "tag", "arm", "dop", "placement", "dims", "run_id", "cell_id", "trial", "position",
    "step", "seq", "op", "main", "metric", "clock", "value", "unit", "direction",
    "origin", "source",
}  # fmt: skip
# A number of this name would hide a counter of the steps where frames have both.
COUNTERS = {"rows", "ops", "errors", "retries", "bytes", "clients", "count", "affected"}
# Columns that the analysis adds to frames, where a dimension of the name would be two.
ADDED = frozenset({
    "arrow", "attempt", "autocorrelation", "base", "better", "between", "between_high",
    "between_low", "build_no", "build_series", "build_source", "compiler_line",
    "config_text", "cov", "cov_published", "cov_unbiased", "covers", "declared_id",
    "detected", "deviation_pct", "df", "diff", "diff_detected", "diff_high", "diff_low",
    "difference", "difference_high", "difference_low", "doctor", "driver", "elapsed_s",
    "env", "expected_between", "field", "flags_used", "floor_sd", "folder",
    "further_runs", "group", "head", "head_base", "high", "is_server", "limit",
    "load_no", "log_deviation", "low", "margin", "max", "me", "mean", "mean_base",
    "measure", "min", "missing", "n", "n_base", "n_effective", "noise", "note",
    "overridden", "p", "paired", "part", "planned", "q", "reason", "relative", "rest",
    "robust", "rounds", "run_sd", "se", "seconds", "sessions", "settings", "spec",
    "started", "status", "stddev", "steps", "stopped", "subject", "title", "value_base",
    "verdict", "whole", "within",
})  # fmt: skip
TAKEN = COUNTERS | RESERVED | ADDED

# Dimensions of a server that is started here, in bytes: its driver is not told.
OF_A_SERVER = ("memory", "log_device", "log_sector")

GROUP = "group"  # group:NAME stands for the steps of a workload's group
BESIDE_SIZE = ("rows_per_commit", "warmup", "rate")  # settings of a step, no size


@dataclass(frozen=True)
class Step:
    """A named phase of a run and its size, where it has one: rows, seconds, queries."""

    step: str
    size: str = ""  # "rows", "seconds", "queries" or "events"
    amount: str = ""
    rows_per_commit: str = ""  # of its writers; empty: the step's own
    warmup: str = ""  # seconds before it is measured
    rate: str = ""  # events a second of all clients together; empty: as fast as they can

    @classmethod
    def parse(cls, text: str) -> Step:
        name, *settings = text.split(":")
        if name == GROUP and settings:
            name = f"{GROUP}:{settings.pop(0)}"
        values = dict(setting.split("=", 1) for setting in settings)
        others = {key: values.pop(key, "") for key in BESIDE_SIZE}
        size, amount = next(iter(values.items()), ("", ""))
        return cls(name, size, amount, **others)

    def __str__(self) -> str:
        return ":".join([self.step, *(f"{k}={v}" for k, v in self.settings.items())])

    def record(self) -> dict[str, str]:
        return {"step": self.step, **self.settings}

    @property
    def settings(self) -> dict[str, str]:
        """What is said of it, by name, as the driver takes it behind the step's name."""
        values = {self.size: self.amount}
        values |= {key: getattr(self, key) for key in BESIDE_SIZE}
        return {k: v for k, v in values.items() if k and v}


@dataclass(frozen=True)
class Cell:
    """One combination of the matrix, as the study declares it (nothing is built yet)."""

    engine: str
    steps: tuple[Step, ...]
    version: str = ""
    compiler: str = ""
    flags: str = ""
    build_notes: str = ""
    source: str = ""  # of the catalogue: jar, debian, built, ...
    basedir: str = ""
    connect: str = ""  # ${NAME}: the variable that tells where a server runs
    ssh: str = ""  # ${NAME}: that which tells how ssh reaches its host, for the sampler
    pid_file: str = ""  # of the server, there
    config: str = ""
    tag: str = ""
    dop: int = 1
    placement: str = "none"
    arm: str = "main"
    tree: str = ""  # of its revision: what git calls all the files of one
    dims: tuple[tuple[str, str], ...] = ()

    def dimensions(self) -> dict[str, str]:
        """Every declared dimension by name; what `--only` and `base:` may name."""
        named = {
            "engine": self.engine,
            "version": self.version,
            "source": self.source,
            "connect": self.connect,
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
            v if k in SPEAK_FOR_THEMSELVES else f"{k}={v}"
            for k, v in parts.items()
            if (k, v) not in hidden
        )

    @property
    def variable(self) -> str:
        """The name of the variable that `connect` names."""
        return self.connect.removeprefix("${").removesuffix("}")
