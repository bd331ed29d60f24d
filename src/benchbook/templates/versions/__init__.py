"""Which versions changed?"""

from benchmath.changes.agreement import AGREEMENT_UNITS, method_agreement
