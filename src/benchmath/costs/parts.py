"""Whose CPU time an operation takes: the names of the parts, in the order of a table."""

from __future__ import annotations

WHOLE, REST = "whole", "rest"
PARTS = (
    "server", "server user", "server system", "client", "client user", "client system",
    "interrupts", REST, WHOLE,
)  # fmt: skip
