"""How far does it scale?"""

from benchbook.charts.scaling import scaling_curves
from benchbook.findings.scaling import scaling_finding
from benchbook.tables.scaling import by_clients_table, scaling_table
from benchbook.views.scaling import efficiency_by_clients, more_cpus, scaling_laws
from benchmath.hazards.scaling import growing_databases
