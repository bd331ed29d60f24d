"""Benchbook: a laboratory for storage-engine and DBMS performance.

A notebook needs this module, `benchbook.tables` and `benchbook.charts`.  Names are
imported when they are first used, so that the command starts quickly.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any

# jsonschema imports it where it is installed (JupyterLab brings it): two seconds of every
# command and notebook, to check IRIs, of which there are none here. None: not to be had.
sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]

_HOME = {
    "analysis.agreement": ("AGREEMENT_UNITS", "agreement", "method_agreement"),
    "analysis.boundaries": (
        "OUTLIER_UNITS", "boundaries", "outlying_versions", "version_changes",
    ),
    "analysis.changepoints": ("Changepoint",),
    "analysis.cell_costs": ("IO_COSTS", "cell_costs", "cpu_costs"),
    "analysis.counted": ("counted_instructions",),
    "analysis.cov": (
        "coefficient_of_variation", "cov_summary", "pooled_cov", "worst_cov",
    ),
    "analysis.explanation": (
        "changed_settings", "costs", "explanation", "field_ratio", "of_step", "slower",
    ),
    "analysis.explanation_cpu": ("cpu_parts", "split"),
    "analysis.families": ("family",),
    "analysis.first_and_last": ("first_and_last",),
    "analysis.floor": ("noise_floor",),
    "analysis.group_means": ("group_means", "summaries_beside"),
    "analysis.groups": (
        "SYSBENCH_GROUPS", "SYSBENCH_GROUP_TITLES", "group_summary",
    ),
    "analysis.hazards": (
        "changed_together", "closed_loops", "different_durability", "missed_targets",
        "short_steps",
    ),
    "analysis.io_costs": (
        "CACHED_UNITS", "SIZE_UNITS", "WRITE_UNITS", "cached_check", "size_costs",
        "write_costs",
    ),
    "analysis.moved_with": ("moved_with",),
    "analysis.neighbours": ("neighbours",),
    "analysis.odd_base": ("odd_base_run",),
    "analysis.os_hazards": ("machine_hazards",),
    "analysis.percentiles": ("percentiles",),
    "analysis.planning": ("power_curve", "runs_table"),
    "analysis.profile_checks": ("validation", "weighted_against_not"),
    "analysis.profile_paths": ("flame_change", "flame_paths"),
    "analysis.profiles": ("explained", "frame_costs"),
    "analysis.published": ("published_ratios", "published_sources", "ratio_checks"),
    "analysis.relative": ("relative", "summary"),
    "analysis.setups": (
        "agreement_with_published", "builds_of_setups", "chance_to_pass",
        "choose_setups", "paired_cov", "pooled_setups", "setup_cov", "without_steps",
    ),
    "analysis.sla": ("service_level",),
    "analysis.spread": ("deviations", "drift", "rates", "spread", "within_runs"),
    "analysis.steady": ("steady_state",),
    "analysis.suite": ("suite",),
    "analysis.verdicts": ("verdicts",),
    "analysis.waits": ("wait_shares",),
    "analysis.version_series": ("series_count",),
    "beside": ("measured_beside",),
    "claims": ("checked_claims",),
    "cost_words": ("costs_finding",),
    "engine_results": (
        "COSTS", "ENGINE_BUILD_UNITS", "HARDWARE_UNITS", "STALL_UNITS", "calibration",
        "comparable", "cost_summary", "engine_builds", "engine_changes",
        "engine_settings", "hardware",
        "hazards_of", "judged_cost", "main_rates", "main_response_times",
        "missing_costs", "old_to_new_finding", "response_hazards",
        "response_histograms", "response_times", "size_summary", "stalls",
        "version_boundaries",
    ),
    "explain_words": ("explain", "explanation_finding"),
    "health": ("hazards_of_machine", "machine_section"),
    "profile_results": (
        "CAPTURE_UNITS", "captures", "costs_of_frames", "explained_frames",
        "flame_change_of", "flame_of", "profile_costs", "profiled_ends",
    ),
    "profile_words": ("profile_finding", "weights_finding"),
    "published": ("published_figures",),
    "published_words": ("NO_INTERVAL", "SOURCE_UNITS", "published_finding"),
    "operation_costs": ("operation_costs",),
    "result_frames": ("Results",),
    "results": ("collect",),
    "summaries": ("published_summaries",),
    "setup_words": (
        "BUILD_UNITS", "PAIR_UNITS", "STEP_UNITS", "chance_shown", "chosen_setups",
        "paired_finding", "paired_shown", "pooled_shown", "reach_of_cov",
        "setups_finding", "steps_shown",
    ),
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
        "COV_UNITS", "INSTRUCTION_UNITS", "TIGHT_LOOP", "builds_of",
        "caveats",
        "commands", "configurations", "gaps", "instructions",
        "machine_facts",
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
