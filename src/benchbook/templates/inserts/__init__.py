"""What do secondary indexes cost an insert?"""

from benchbook.templates.inserts.analysis import response_times_over_time
from benchbook.templates.inserts.chart import latency_heat_map
from benchmath.hazards.runs import closed_loops, different_durability
from benchmath.latency.histogram import percentiles
