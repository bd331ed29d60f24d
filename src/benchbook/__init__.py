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
    "analysis.changes.agreement": ("AGREEMENT_UNITS", "agreement", "method_agreement"),
    "analysis.changes.boundaries": (
        "OUTLIER_UNITS", "boundaries", "outlying_versions", "version_changes",
    ),
    "analysis.changes.changepoints": ("Changepoint",),
    "analysis.costs.by_cell": ("IO_COSTS", "cell_costs", "cpu_costs"),
    "analysis.ratios.instructions": ("counted_instructions",),
    "analysis.variation.cov": (
        "coefficient_of_variation", "cov_summary", "pooled_cov", "worst_cov",
    ),
    "analysis.costs.explanation": (
        "changed_settings", "costs", "explanation", "field_ratio", "of_step", "slower",
    ),
    "analysis.costs.cpu": ("cpu_parts", "split"),
    "analysis.ratios.families": ("family",),
    "analysis.changes.first_and_last": ("first_and_last",),
    "analysis.ratios.floor": ("noise_floor",),
    "analysis.ratios.group_means": ("group_means", "summaries_beside"),
    "analysis.ratios.groups": (
        "SYSBENCH_GROUPS", "SYSBENCH_GROUP_TITLES", "group_summary",
    ),
    "analysis.hazards.runs": (
        "changed_together", "closed_loops", "different_durability", "missed_targets",
        "short_steps",
    ),
    "analysis.costs.io": (
        "CACHED_UNITS", "SIZE_UNITS", "WRITE_UNITS", "cached_check", "size_costs",
        "write_costs",
    ),
    "analysis.changes.moved_with": ("moved_with",),
    "analysis.ratios.neighbours": ("neighbours",),
    "analysis.hazards.odd_base": ("odd_base_run",),
    "analysis.hazards.machine": ("machine_hazards",),
    "analysis.latency.percentiles": ("percentiles",),
    "analysis.variation.planning": ("power_curve", "runs_table"),
    "analysis.profiles.checks": ("validation", "weighted_against_not"),
    "analysis.profiles.paths": ("flame_change", "flame_paths"),
    "analysis.profiles.functions": ("explained", "frame_costs"),
    "analysis.published": ("published_ratios", "published_sources", "ratio_checks"),
    "analysis.ratios.relative": ("relative", "summary"),
    "analysis.variation.setups": (
        "agreement_with_published", "builds_of_setups", "chance_to_pass",
        "choose_setups", "paired_cov", "pooled_setups", "setup_cov", "without_steps",
    ),
    "analysis.hazards.writers": ("service_level",),
    "analysis.variation.spread": (
        "deviations", "drift", "rates", "spread", "within_runs",
    ),
    "analysis.variation.steady": ("steady_state",),
    "analysis.ratios.suite": ("suite",),
    "analysis.ratios.verdicts": ("verdicts",),
    "analysis.costs.waits": ("wait_shares",),
    "analysis.changes.series": ("series_count",),
    "results.other_posts": ("measured_beside", "published_summaries"),
    "published.claims": ("checked_claims",),
    "findings.costs": ("costs_finding",),
    "results.engines": (
        "COSTS", "ENGINE_BUILD_UNITS", "HARDWARE_UNITS", "STALL_UNITS", "calibration",
        "comparable", "cost_summary", "engine_builds", "engine_changes",
        "engine_settings", "hardware",
        "hazards_of", "judged_cost", "main_rates", "main_response_times",
        "missing_costs", "response_hazards",
        "response_histograms", "response_times", "size_summary", "stalls",
        "version_boundaries",
    ),
    "findings.explanation": ("explain", "explanation_finding"),
    "results.machine": ("hazards_of_machine", "machine_section"),
    "results.profiles": (
        "CAPTURE_UNITS", "captures", "costs_of_frames", "explained_frames",
        "flame_change_of", "flame_of", "profile_costs", "profiled_ends",
    ),
    "findings.profiles": ("profile_finding", "weights_finding"),
    "published.figures": ("published_figures",),
    "findings.published": ("NO_INTERVAL", "SOURCE_UNITS", "published_finding"),
    "results.imported_costs": ("operation_costs",),
    "results.results": ("Results",),
    "results.collect": ("collect",),
    "findings.setups": (
        "BUILD_UNITS", "PAIR_UNITS", "STEP_UNITS", "chance_shown", "chosen_setups",
        "paired_finding", "paired_shown", "pooled_shown", "reach_of_cov",
        "setups_finding", "steps_shown",
    ),
    "findings.variation": (
        "drift_finding", "gains_finding", "instructions_finding", "variation_finding",
    ),
    "findings.verdicts": (
        "aa_finding", "changes_finding", "old_to_new_finding", "planning_finding",
        "verdict_finding",
    ),
    "results.noise": (
        "FLOOR_UNITS", "NOISE_UNITS", "POOLED_UNITS", "STEADY_UNITS", "floor_facts",
        "noise_used", "planning_facts", "pooled_facts", "unsteady",
    ),
    "results.sections": (
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
