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
