"""Studies small enough for tests."""

NULL_STUDY = """\
title: Does nothing cost anything?
template: inserts
driver: ingest
base: {indexes: 0}
engines:
  - {engine: "null"}
matrix:
  indexes: [0, 3]
steps: ["l.i0:rows=20000"]
trials: 2
placement: none
"""
# Arms that are the same, so that a few loads decide it.
EQUAL = """\
title: Is nothing the same as nothing?
template: inserts
driver: ingest
base: {price: int}
engines:
  - {engine: "null"}
matrix:
  price: [int, real]
steps: ["l.i0:rows=20000000"]
order: turns
turn_ms: 10
until: decided
margin: 0.9
placement: none
"""
