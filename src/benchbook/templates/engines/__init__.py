"""Which engine loads, and which queries, at what cost?"""

from benchbook.views.engines import main_response_times, response_histograms
