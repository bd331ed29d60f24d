"""How far does it scale?"""

from benchbook.results.scaling import efficiency_by_clients, more_cpus, scaling_laws
from benchbook.templates.scaling.chart import scaling_curves
from benchbook.templates.scaling.finding import scaling_finding
from benchbook.templates.scaling.table import by_clients_table, scaling_table
from benchmath.hazards.scaling import growing_databases
