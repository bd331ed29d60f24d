"""Why is it slower, and where does the time go?"""

from benchbook.findings.profiles import profile_finding
from benchbook.templates.explain.finding import explain, explanation_finding
from benchbook.templates.explain.table import (
    changed_settings_table,
    costs_table,
    cpu_parts_table,
    split_table,
)
from benchbook.templates.explain.waiting import waiting_section
from benchbook.views.profiles import explained_frames, flame_change_of, profiled_ends
