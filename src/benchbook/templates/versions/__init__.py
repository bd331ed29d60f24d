"""Which versions changed?"""

from benchmath.changes.agreement import method_agreement
