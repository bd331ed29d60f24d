"""What tests of comparisons look at: their text."""

from typing import Any

from benchbook.cli.comparison import compare


def compared(*given: Any, **named: Any) -> str:
    """The text of ``benchbook.cli.comparison.compare``."""
    return compare(*given, **named).text
