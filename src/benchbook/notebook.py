"""Every name that a notebook uses: `import benchbook as bb`, then `bb.collect(...)`."""

from __future__ import annotations

from benchbook.findings.beside import beside_section
from benchbook.findings.busy import rule_finding
from benchbook.findings.costs import costs_finding
from benchbook.findings.explanation import explain, explanation_finding
from benchbook.findings.jobs import jobs_finding
from benchbook.findings.moves import moves_finding
from benchbook.findings.premises import on_premises
from benchbook.findings.profiles import profile_finding, weights_finding
from benchbook.findings.published import NO_INTERVAL, SOURCE_UNITS, published_finding
from benchbook.findings.releases import releases_finding
from benchbook.findings.sawtooth import sawtooth_finding
from benchbook.findings.scaling import scaling_finding
from benchbook.findings.setups import (
    BUILD_UNITS,
    PAIR_UNITS,
    STEP_UNITS,
    chance_columns,
    chosen_setups,
    paired_columns,
    paired_finding,
    pooled_columns,
    reach_of_cov,
    setups_finding,
    steadiest_finding,
    step_columns,
)
from benchbook.findings.stalls import stalls_finding
from benchbook.findings.tails import tails_finding
from benchbook.findings.variation import (
    drift_finding,
    gains_finding,
    instructions_finding,
    variation_finding,
)
from benchbook.findings.verdicts import (
    aa_finding,
    changes_finding,
    old_to_new_finding,
    planning_finding,
    verdict_finding,
)
from benchbook.findings.workload import workload_finding
from benchbook.published.claims import checked_claims
from benchbook.published.figures import published_figures
from benchbook.results.beside import beside_published
from benchbook.results.causes import what_changed
from benchbook.results.collect import collect
from benchbook.results.db_bench import (
    TREE_UNITS,
    tree_costs,
    version_to_version,
    with_dop_of_run,
    without_left_out,
)
from benchbook.results.engines import (
    COSTS,
    ENGINE_BUILD_UNITS,
    HARDWARE_UNITS,
    STALL_UNITS,
    calibration,
    comparable,
    cost_summary,
    engine_builds,
    engine_changes,
    hardware,
    hazards_of,
    judged_cost,
    main_rates,
    main_response_times,
    missing_costs,
    plan_changes,
    response_hazards,
    response_histograms,
    response_times,
    size_summary,
    stalls,
    version_boundaries,
)
from benchbook.results.in_turns import per_cpu_second, turns_section
from benchbook.results.jobs import (
    job_pairs,
    job_rates,
    job_results,
    job_stalls,
    job_tails,
    job_threads,
    named_by_jobs,
    shared_cpus,
    stall_names,
)
from benchbook.results.lsm import (
    ARRIVAL_NAMES,
    ARRIVAL_UNITS,
    CHECK_UNITS,
    LEVEL_NAMES,
    LEVEL_UNITS,
    STALLS_NAMES,
    STALLS_UNITS,
    stalls_of_runs,
    tree_moves,
)
from benchbook.results.machine import hazards_of_machine, machine_section
from benchbook.results.noise import (
    FLOOR_UNITS,
    NOISE_UNITS,
    POOLED_UNITS,
    STEADY_UNITS,
    floor_facts,
    noise_used,
    planning_facts,
    pooled_facts,
    unsteady,
)
from benchbook.results.other_posts import measured_beside, published_summaries
from benchbook.results.over_time import response_times_over_time
from benchbook.results.premises import premise_facts, premises_checked
from benchbook.results.profiles import (
    CAPTURE_UNITS,
    captures,
    costs_of_frames,
    explained_frames,
    flame_change_of,
    flame_of,
    profile_costs,
    profiled_ends,
)
from benchbook.results.results import Results
from benchbook.results.sawtooth import (
    BESIDE_NAMES,
    BESIDE_UNITS,
    CYCLE_NAMES,
    CYCLE_UNITS,
    SECONDS_NAMES,
    SECONDS_UNITS,
    sawtooth,
)
from benchbook.results.scaling import (
    efficiency_by_clients,
    more_cpus,
    scaling_laws,
)
from benchbook.results.sections import (
    COV_UNITS,
    INSTRUCTION_UNITS,
    TIGHT_LOOP,
    builds_of,
    caveats,
    commands,
    gaps,
    instructions,
    machine_facts,
)
from benchbook.results.settings import engine_settings
from benchbook.results.turns import turn_blocks
from benchbook.results.workloads import (
    PRE_POST_UNITS,
    before_and_after,
    downloads,
    with_groups,
    workload_results,
    workload_suite,
    workload_summary,
)
from benchmath.changes.agreement import (
    AGREEMENT_UNITS,
    agreement,
    method_agreement,
)
from benchmath.changes.boundaries import (
    OUTLIER_UNITS,
    boundaries,
    outlying_versions,
    version_changes,
)
from benchmath.changes.changepoints import Changepoint
from benchmath.changes.moved_with import moved_with
from benchmath.changes.points import first_and_last
from benchmath.changes.series import series_count
from benchmath.costs.by_cell import IO_COSTS, cell_costs, cpu_costs
from benchmath.costs.causes import (
    changed_settings,
    differences,
    hazards_of_causes,
)
from benchmath.costs.cpu import cpu_parts, split
from benchmath.costs.explanation import (
    costs,
    explanation,
    of_step,
    slower,
)
from benchmath.costs.io import (
    CACHED_UNITS,
    SIZE_UNITS,
    WRITE_UNITS,
    cached_check,
    size_costs,
    write_costs,
)
from benchmath.costs.waits import wait_shares
from benchmath.hazards.machine import machine_hazards
from benchmath.hazards.odd_base import odd_base_run
from benchmath.hazards.runs import (
    closed_loops,
    different_durability,
    missed_targets,
    short_steps,
)
from benchmath.hazards.scaling import growing_databases
from benchmath.hazards.writers import service_level
from benchmath.latency.histogram import percentiles
from benchmath.latency.tails import tails_beside
from benchmath.profiles.checks import validation, weighted_against_not
from benchmath.profiles.functions import explained, frame_costs
from benchmath.profiles.paths import flame_change, flame_paths
from benchmath.published import published_ratios, published_sources, ratio_checks
from benchmath.ratios.floor import noise_floor
from benchmath.ratios.groups import (
    SYSBENCH_GROUP_TITLES,
    SYSBENCH_GROUPS,
    SYSBENCH_TITLED,
    group_means,
    group_summary,
    summaries_beside,
)
from benchmath.ratios.instructions import counted_instructions
from benchmath.ratios.relative import neighbours, relative, summary
from benchmath.ratios.suite import suite
from benchmath.ratios.verdicts import family, verdicts
from benchmath.variation.cov import (
    coefficient_of_variation,
    cov_summary,
    pooled_cov,
    worst_cov,
)
from benchmath.variation.planning import power_curve, runs_table
from benchmath.variation.setups import (
    agreement_with_published,
    builds_of_setups,
    chance_of_setups,
    chance_to_pass,
    choose_setups,
    kept_limits,
    named_setups,
    paired_cov,
    pooled_setups,
    repeated,
    runs_of_setups,
    setup_cov,
    without_steps,
)
from benchmath.variation.spread import (
    deviations,
    drift,
    rates,
    spread,
    within_runs,
)
from benchmath.variation.steady import steady_state

__all__ = [
    "AGREEMENT_UNITS",
    "ARRIVAL_NAMES",
    "ARRIVAL_UNITS",
    "BESIDE_NAMES",
    "BESIDE_UNITS",
    "BUILD_UNITS",
    "CACHED_UNITS",
    "CAPTURE_UNITS",
    "CHECK_UNITS",
    "COSTS",
    "COV_UNITS",
    "CYCLE_NAMES",
    "CYCLE_UNITS",
    "ENGINE_BUILD_UNITS",
    "FLOOR_UNITS",
    "HARDWARE_UNITS",
    "INSTRUCTION_UNITS",
    "IO_COSTS",
    "LEVEL_NAMES",
    "LEVEL_UNITS",
    "NOISE_UNITS",
    "NO_INTERVAL",
    "OUTLIER_UNITS",
    "PAIR_UNITS",
    "POOLED_UNITS",
    "PRE_POST_UNITS",
    "SECONDS_NAMES",
    "SECONDS_UNITS",
    "SIZE_UNITS",
    "SOURCE_UNITS",
    "STALLS_NAMES",
    "STALLS_UNITS",
    "STALL_UNITS",
    "STEADY_UNITS",
    "STEP_UNITS",
    "SYSBENCH_GROUPS",
    "SYSBENCH_GROUP_TITLES",
    "SYSBENCH_TITLED",
    "TIGHT_LOOP",
    "TREE_UNITS",
    "WRITE_UNITS",
    "Changepoint",
    "Results",
    "aa_finding",
    "agreement",
    "agreement_with_published",
    "before_and_after",
    "beside_published",
    "beside_section",
    "boundaries",
    "builds_of",
    "builds_of_setups",
    "cached_check",
    "calibration",
    "captures",
    "caveats",
    "cell_costs",
    "chance_columns",
    "chance_of_setups",
    "chance_to_pass",
    "changed_settings",
    "changes_finding",
    "checked_claims",
    "choose_setups",
    "chosen_setups",
    "closed_loops",
    "coefficient_of_variation",
    "collect",
    "commands",
    "comparable",
    "cost_summary",
    "costs",
    "costs_finding",
    "costs_of_frames",
    "counted_instructions",
    "cov_summary",
    "cpu_costs",
    "cpu_parts",
    "deviations",
    "differences",
    "different_durability",
    "downloads",
    "drift",
    "drift_finding",
    "efficiency_by_clients",
    "engine_builds",
    "engine_changes",
    "engine_settings",
    "explain",
    "explained",
    "explained_frames",
    "explanation",
    "explanation_finding",
    "family",
    "first_and_last",
    "flame_change",
    "flame_change_of",
    "flame_of",
    "flame_paths",
    "floor_facts",
    "frame_costs",
    "gains_finding",
    "gaps",
    "group_means",
    "group_summary",
    "growing_databases",
    "hardware",
    "hazards_of",
    "hazards_of_causes",
    "hazards_of_machine",
    "instructions",
    "instructions_finding",
    "job_pairs",
    "job_rates",
    "job_results",
    "job_stalls",
    "job_tails",
    "job_threads",
    "jobs_finding",
    "judged_cost",
    "kept_limits",
    "machine_facts",
    "machine_hazards",
    "machine_section",
    "main_rates",
    "main_response_times",
    "measured_beside",
    "method_agreement",
    "missed_targets",
    "missing_costs",
    "more_cpus",
    "moved_with",
    "moves_finding",
    "named_by_jobs",
    "named_setups",
    "neighbours",
    "noise_floor",
    "noise_used",
    "odd_base_run",
    "of_step",
    "old_to_new_finding",
    "on_premises",
    "outlying_versions",
    "paired_columns",
    "paired_cov",
    "paired_finding",
    "per_cpu_second",
    "percentiles",
    "plan_changes",
    "planning_facts",
    "planning_finding",
    "pooled_columns",
    "pooled_cov",
    "pooled_facts",
    "pooled_setups",
    "power_curve",
    "premise_facts",
    "premises_checked",
    "profile_costs",
    "profile_finding",
    "profiled_ends",
    "published_figures",
    "published_finding",
    "published_ratios",
    "published_sources",
    "published_summaries",
    "rates",
    "ratio_checks",
    "reach_of_cov",
    "relative",
    "releases_finding",
    "repeated",
    "response_hazards",
    "response_histograms",
    "response_times",
    "response_times_over_time",
    "rule_finding",
    "runs_of_setups",
    "runs_table",
    "sawtooth",
    "sawtooth_finding",
    "scaling_finding",
    "scaling_laws",
    "series_count",
    "service_level",
    "setup_cov",
    "setups_finding",
    "shared_cpus",
    "short_steps",
    "size_costs",
    "size_summary",
    "slower",
    "split",
    "spread",
    "stall_names",
    "stalls",
    "stalls_finding",
    "stalls_of_runs",
    "steadiest_finding",
    "steady_state",
    "step_columns",
    "suite",
    "summaries_beside",
    "summary",
    "tails_beside",
    "tails_finding",
    "tree_costs",
    "tree_moves",
    "turn_blocks",
    "turns_section",
    "unsteady",
    "validation",
    "variation_finding",
    "verdict_finding",
    "verdicts",
    "version_boundaries",
    "version_changes",
    "version_to_version",
    "wait_shares",
    "weighted_against_not",
    "weights_finding",
    "what_changed",
    "with_dop_of_run",
    "with_groups",
    "within_runs",
    "without_left_out",
    "without_steps",
    "workload_finding",
    "workload_results",
    "workload_suite",
    "workload_summary",
    "worst_cov",
    "write_costs",
]
