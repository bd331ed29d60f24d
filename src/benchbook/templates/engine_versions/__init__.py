"""Did it get slower from version to version?"""

from benchbook.findings.verdicts import old_to_new_finding
from benchbook.views.engines import calibration, size_summary
