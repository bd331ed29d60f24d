"""What the notebooks of several templates call."""

from benchbook.findings.beside import beside_section
from benchbook.findings.insert_steps import insert_steps
from benchbook.findings.premises import on_premises
from benchbook.findings.setups import chance_columns, pooled_columns, reach_of_cov
from benchbook.findings.variation import drift_finding
from benchbook.findings.verdicts import changes_finding, verdict_finding
from benchbook.published.claims import checked_claims
from benchbook.templates.closing import (
    builds,
    caveats,
    gaps,
    machine,
    premises,
    run_again,
    server_builds,
    settings,
)
from benchbook.views.beside import beside_published
from benchbook.views.causes import what_changed
from benchbook.views.db_bench import without_left_out
from benchbook.views.engines import (
    COSTS,
    comparable,
    cost_summary,
    engine_changes,
    hardware,
    hazards_of,
    in_one_placement,
    judged_cost,
    main_rates,
    missing_costs,
    reached_rates,
    response_hazards,
    response_times,
    stalls,
    version_boundaries,
)
from benchbook.views.in_turns import placements_section, turns_section
from benchbook.views.insert_files import insert_downloads
from benchbook.views.machine import hazards_of_machine
from benchbook.views.noise import noise_used, planning_facts, pooled_facts
from benchbook.views.profiles import captures, flame_of
from benchmath.changes.boundaries import outlying_versions
from benchmath.changes.moved_with import moved_with
from benchmath.changes.points import first_and_last
from benchmath.costs.causes import hazards_of_causes
from benchmath.costs.io import cached_check, size_costs
from benchmath.hazards.runs import missed_targets, short_steps
from benchmath.hazards.writers import service_level
from benchmath.profiles.checks import validation
from benchmath.ratios.instructions import counted_instructions
from benchmath.ratios.relative import summary
from benchmath.variation.cov import coefficient_of_variation, pooled_cov
from benchmath.variation.setups import pooled_setups, setup_cov
from benchmath.variation.spread import drift, rates
