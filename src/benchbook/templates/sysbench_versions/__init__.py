"""Which versions changed the sysbench microbenchmarks?"""

from benchbook.views.other_posts import published_summaries
from benchmath.changes.boundaries import version_changes
from benchmath.ratios.groups import SYSBENCH_GROUP_TITLES, SYSBENCH_TITLED, group_means
from benchmath.ratios.suite import suite
