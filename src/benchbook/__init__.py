"""Benchbook: a laboratory for storage-engine and DBMS performance.

A notebook needs this module, `benchbook.tables` and `benchbook.charts`.  Names are
imported when they are first used, so that the command starts quickly.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

_HOME = {
    "analysis.agreement": ("AGREEMENT_UNITS", "agreement", "method_agreement"),
    "analysis.boundaries": (
        "OUTLIER_UNITS", "boundaries", "outlying_versions", "version_changes",
    ),
    "analysis.changepoints": ("Changepoint",),
    "analysis.cov": (
        "coefficient_of_variation", "cov_summary", "pooled_cov", "worst_cov",
    ),
    "analysis.families": ("family",),
    "analysis.floor": ("noise_floor",),
    "analysis.groups": ("group_summary",),
    "analysis.hazards": (
        "changed_together", "closed_loops", "different_durability", "missed_targets",
        "short_steps",
    ),
    "analysis.neighbours": ("neighbours",),
    "analysis.odd_base": ("odd_base_run",),
    "analysis.percentiles": ("percentiles",),
    "analysis.planning": ("power_curve", "runs_table"),
    "analysis.relative": ("relative", "summary"),
    "analysis.sla": ("service_level",),
    "analysis.spread": ("deviations", "drift", "rates", "spread", "within_runs"),
    "analysis.steady": ("steady_state",),
    "analysis.suite": ("suite",),
    "analysis.verdicts": ("verdicts",),
    "analysis.version_series": ("series_count",),
    "claims": ("checked_claims",),
    "result_frames": ("Results",),
    "results": ("collect",),
    "conclusions": (
        "drift_finding", "gains_finding", "instructions_finding", "variation_finding",
    ),
    "verdict_words": (
        "aa_finding", "changes_finding", "planning_finding", "verdict_finding",
    ),
    "noise_facts": (
        "FLOOR_UNITS", "NOISE_UNITS", "POOLED_UNITS", "STEADY_UNITS", "floor_facts",
        "noise_used", "planning_facts", "pooled_facts", "unsteady",
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
