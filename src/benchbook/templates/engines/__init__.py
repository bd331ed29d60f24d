"""Which engine loads, and which queries, at what cost?"""

from benchbook.results.engines import main_response_times, response_histograms
