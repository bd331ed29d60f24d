"""What the formats of perf, of stack samplers and their names share."""

from __future__ import annotations

import re
from collections.abc import Mapping

from benchformats.names import decode_path

LONGEST = 20_000  # characters of a line; longer ones are damage, and slow to match

# what perf stat prints beside a counter -> metric, unit, which is better
RATIOS = {
    "GHz": ("ghz", "GHz", "none"),
    "insn per cycle": ("ipc", "ratio", "higher"),
    "insns per cycle": ("ipc", "ratio", "higher"),
    "stalled cycles per insn": ("stalled_cycles_per_insn", "ratio", "lower"),
    "CPUs utilized": ("cpus_utilized", "count", "none"),
    "% of all branches": ("branch_miss_pct", "%", "lower"),
    "% of all cache refs": ("cache_miss_pct", "%", "lower"),
    "% frontend cycles idle": ("frontend_idle_pct", "%", "lower"),
    "% backend cycles idle": ("backend_idle_pct", "%", "lower"),
    "% of all L1-dcache": ("l1_dcache_load_miss_pct", "%", "lower"),
    "% of all L1-icache": ("l1_icache_load_miss_pct", "%", "lower"),
    "% of all dTLB cache": ("dtlb_load_miss_pct", "%", "lower"),
    "% of all iTLB cache": ("itlb_load_miss_pct", "%", "lower"),
    "% of all LL-cache": ("llc_load_miss_pct", "%", "lower"),
    # since perf 6.19, with the unit before the name
    "GHz cycles_frequency": ("ghz", "GHz", "none"),
    "instructions insn_per_cycle": ("ipc", "ratio", "higher"),
    "CPUs CPUs_utilized": ("cpus_utilized", "count", "none"),
    "% branch_miss_rate": ("branch_miss_pct", "%", "lower"),
    "% l1d_miss_rate": ("l1_dcache_load_miss_pct", "%", "lower"),
    "% l1i_miss_rate": ("l1_icache_load_miss_pct", "%", "lower"),
    "% dtlb_miss_rate": ("dtlb_load_miss_pct", "%", "lower"),
    "% itlb_miss_rate": ("itlb_load_miss_pct", "%", "lower"),
    "% llc_miss_rate": ("llc_load_miss_pct", "%", "lower"),
}
_TOPDOWN = re.compile(r"% (tma_\w{1,60})", re.ASCII)  # shares of a pipeline's slots
_LOOP = re.compile(r"\.pk[01]\.(\d{1,6})(?:\.(?:raw|sorted))?$", re.ASCII)
_GROUPED = re.compile(
    r"(?:\d{1,18}|[1-9]\d{0,2}(?:,\d{3}){1,6})(?:\.\d{1,18})?", re.ASCII
)


def step_of(path: str, default: str) -> str:
    """The step that the file's name says, else ``default``."""
    return decode_path(path).step or default


def loop_of(name: str) -> Mapping[str, str]:
    """The dimension ``loop`` of names like sb.perf.hw.scan.range100.pk1.2.raw.

    Loops are windows within one run, not trials of it.
    """
    match = _LOOP.search(name)
    return {"loop": match[1]} if match else {}


def grouped(text: str) -> float | None:
    """A number as perf prints it, 27,504,023,459 or 27504023459; None for others.

    Groups of another length and other separators are refused, not repaired.
    """
    return float(text.replace(",", "")) if _GROUPED.fullmatch(text) else None


def ratio_of(words: str) -> tuple[str, str, str] | None:
    """Metric, unit and direction of a ratio by its words; None for rates and others.

    "accesses" was once "hits"; the blank after the percent sign comes and goes.
    """
    text = re.sub(r"^% ?", "% ", words)
    if topdown := _TOPDOWN.fullmatch(text):
        return f"{topdown[1]}_pct", "%", "none"
    return RATIOS.get(re.sub(r" (?:accesses|hits)$", "", text))
