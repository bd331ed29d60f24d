"""Benchbook: a laboratory for storage-engine and DBMS performance.

A notebook needs this module, `benchbook.tables` and `benchbook.charts`.  Names are
imported when they are first used, so that the command starts quickly.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

_HOME = {
    "analysis.changepoints": ("Changepoint", "LevelShifts", "changepoints"),
    "analysis.cov": ("coefficient_of_variation", "cov_summary", "worst_cov"),
    "analysis.groups": ("group_summary",),
    "analysis.hazards": (
        "changed_together", "closed_loops", "different_durability", "missed_targets",
        "short_steps",
    ),
    "analysis.percentiles": ("percentiles",),
    "analysis.relative": ("relative", "summary"),
    "analysis.sla": ("service_level",),
    "analysis.spread": ("deviations", "drift", "rates", "spread", "within_runs"),
    "results": ("Results", "collect"),
    "conclusions": (
        "drift_finding", "gains_finding", "instructions_finding", "relative_finding",
        "variation_finding",
    ),
    "describe": (
        "COV_UNITS", "DRIFT_UNITS", "INSTRUCTION_UNITS", "TIGHT_LOOP", "builds_of",
        "caveats",
        "commands", "configurations", "gaps", "instructions",
        "machine_drift", "machine_facts",
    ),
}  # fmt: skip
_MODULE = {name: module for module, names in _HOME.items() for name in names}

__all__ = sorted(_MODULE)


def __getattr__(name: str) -> Any:
    """Import the module that a public name lives in."""
    if name not in _MODULE:
        raise AttributeError(f"module 'benchbook' has no attribute {name!r}")
    return getattr(import_module(f"benchbook.{_MODULE[name]}"), name)


def __dir__() -> list[str]:
    return [*__all__, "charts", "tables"]
