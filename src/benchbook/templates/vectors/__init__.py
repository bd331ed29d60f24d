"""What does recall cost?"""

from benchbook.templates.vectors.analysis import (
    aged,
    at_everywhere,
    at_recall,
    building,
    filtered,
    hazards_of_search,
    judged_and_built,
    other_searches,
    search_frontiers,
)
from benchbook.templates.vectors.beside import recalls_beside, with_theirs
from benchbook.templates.vectors.chart import frontier_chart
from benchbook.templates.vectors.finding import vectors_finding
from benchbook.templates.vectors.table import aged_table, frontier_table
