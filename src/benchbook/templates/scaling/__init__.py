"""How far does it scale?"""

from benchbook.tables.scaling import by_clients_table, scaling_table
from benchbook.templates.scaling.chart import scaling_curves
from benchbook.templates.scaling.finding import scaling_finding
from benchbook.views.scaling import efficiency_by_clients, more_cpus, scaling_laws
from benchmath.hazards.scaling import growing_databases
