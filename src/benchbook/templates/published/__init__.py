"""Do the published figures follow from their data?"""

from benchbook.published.figures import published_figures
from benchbook.templates.published.chart import published_dots, server_dots
from benchbook.templates.published.finding import NO_INTERVAL, published_finding
from benchbook.templates.published.machines import between_machines
from benchbook.templates.published.table import published_ratio_tables, published_tables
from benchbook.views.other_posts import measured_beside
from benchmath.published import published_ratios, published_sources, ratio_checks
