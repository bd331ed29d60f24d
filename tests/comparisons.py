"""What tests of comparisons look at: their text."""

from typing import Any

from benchbook.compare import compare


def compared(*given: Any, **named: Any) -> str:
    """The text of ``benchbook.compare.compare``."""
    return compare(*given, **named).text
