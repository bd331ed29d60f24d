"""Cells of tables that people write: numbers, each in one notation only."""

from __future__ import annotations

import math
import re

NO_VALUE = frozenset(("na", "n/a", "nan", "null", "none", "-", "inf", "-inf", "infinity"))
DECIMALS = ("dot", "comma")

_PLAIN = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,3})?", re.ASCII)
_GROUPED = {
    "dot": re.compile(r"[+-]?\d{1,3}(?:([, '_])\d{3})(?:\1\d{3})*(?:\.\d+)?", re.ASCII),
    "comma": re.compile(r"[+-]?\d{1,3}(?:([. '_])\d{3})(?:\1\d{3})*(?:,\d+)?", re.ASCII),
}
_BLANKS = str.maketrans("\u00a0\u202f\u2009\u2019", "   '")


def number_or_why(text: str, decimal: str = "") -> float | str:
    """A cell's number, or why it is none.

    Without ``decimal`` only digits with a dot count: 1,234 may be a thousand or little
    more than one, and nobody can tell.

    >>> number_or_why("1.5"), number_or_why("1.234,5", "comma")
    (1.5, 1234.5)
    >>> number_or_why("1,234", "dot")
    1234.0
    """
    cell = text.translate(_BLANKS).strip()
    if not cell:
        return "no value"
    if is_gap(cell):
        return f"{cell!r} is no value"
    if _PLAIN.fullmatch(cell) and decimal != "comma":
        return _finite(cell)
    if decimal and (plain := _without_groups(cell, decimal)):
        return _finite(plain)
    if not decimal and any(p.fullmatch(cell) for p in _GROUPED.values()):
        told = f"{cell!r} may be read in two ways"
        return f"{told}: say decimal=dot or decimal=comma in --columns"
    if not decimal and re.fullmatch(r"[+-]?\d*,\d+", cell, re.ASCII):
        return f"{cell!r} has a comma: say decimal=comma in --columns"
    return f"{cell[:40]!r} is not a number"


def is_gap(cell: str) -> bool:
    """A word for no value."""
    return cell.lower().lstrip("+") in NO_VALUE


def _without_groups(cell: str, decimal: str) -> str:
    """The number with a dot and without separators; '' where it is none."""
    match = _GROUPED[decimal].fullmatch(cell)
    plain = cell.replace(match[1], "") if match else cell
    plain = plain.replace(",", ".") if decimal == "comma" and "." not in plain else plain
    return plain if _PLAIN.fullmatch(plain) else ""


def _finite(plain: str) -> float | str:
    value = float(plain)
    return value if math.isfinite(value) else f"{plain[:40]!r} is too large"
