"""SQL statements, one a file, and what is said of them when they fail."""

from __future__ import annotations

from pathlib import Path

SQL = Path(__file__).parent


VIEWS = (
    "runs", "steps", "samples", "sample_times", "turns", "probes", "hists", "percentiles",
    "statements", "instructions", "metric", "cov", "relative", "samplers", "os_samples",
    "device_samples", "tree_samples", "counter_samples", "profiles", "stacks",
    "leaf_reports", "wait_states", "instruction_counts", "tool_figures", "stalls",
    "lsm_levels", "lsm_jobs", "lsm_writes",
)  # fmt: skip
# In this order they take the lines of a sampler to the tables made of them.
SAMPLED_BY = (
    "sampled_lines", "insert_os_samples", "insert_device_samples",
    "insert_tree_samples", "insert_counter_samples", "insert_step_costs",
)  # fmt: skip


def statement(name: str) -> str:
    """The SQL text of src/benchbook/sql/<name>.sql."""
    return (SQL / f"{name}.sql").read_text(encoding="utf-8")


def first_line(error: BaseException) -> str:
    """What a DuckDB error says, without the copy of the statement below it."""
    return str(error).strip().partition("\n")[0]
