"""What changed over the commits, and since when?"""

from benchbook.templates.history.analysis import histories
from benchbook.templates.history.chart import sparklines
from benchbook.templates.history.finding import history_finding
from benchbook.templates.history.table import history_table
