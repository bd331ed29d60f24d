"""Small words of sentences: numbers with their noun, intervals, lists with `and`."""

import math
from collections.abc import Callable, Iterable, Sequence
from numbers import Real

Show = Callable[[float], str]
_ratio: Show = "{:.2f}".format
_narrow: Show = "{:.3f}".format
_NARROW = 0.04


def counted(n: int, noun: str, plural: str = "") -> str:
    """``1 test``, ``3 tests``, ``2 boundaries``."""
    return f"{n} {noun if n == 1 else plural or noun + 's'}"


def rest_in_table(n: int) -> str:
    """Where those are that got no sentence of their own."""
    return f"The other {'one is' if n == 1 else f'{n} are'} in the table."


def listed(parts: Sequence[str]) -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    return ", ".join(parts[:-1]) + (" and " if len(parts) > 1 else "") + parts[-1]


def joined(values: Iterable[object], by: str = ", ") -> str:
    """The different values as text, in the order in which they are first there."""
    return by.join(dict.fromkeys(map(str, values)))


def unsure(text: str, detected: bool) -> str:
    """``~ 1.00``: the tilde says that no difference was detected."""
    return text if detected else f"~ {text}"


def ratio_format(low: float, high: float) -> Show:
    """Two decimals of a ratio, three where its interval is narrower than they show."""
    return _narrow if high - low < _NARROW else _ratio


def interval(low: float, high: float, show: Show = _ratio) -> str:
    """An interval in a sentence: ``[0.98, 1.02]``; nothing without bounds."""
    if math.isnan(low) or math.isnan(high):
        return ""
    return f"[{show(low)}, {show(high)}]"


def with_interval(text: str, low: float, high: float, show: Show = _ratio) -> str:
    """``1.00 [0.98, 1.02]``; the text alone without bounds."""
    return f"{text} {interval(low, high, show)}".rstrip()


def span(low: float, high: float, show: Show = _ratio) -> str:
    """An interval in a table: ``0.94 to 0.98``; nothing without bounds."""
    if math.isnan(low) or math.isnan(high):
        return ""
    return f"{show(low)} to {'no bound' if high == math.inf else show(high)}"


def aligned(rows: Iterable[Sequence[object]]) -> str:
    """Rows as left-aligned columns, two blanks apart."""
    texts = [[str(value) for value in row] for row in rows]
    widths = [max(len(v) for v in column) for column in zip(*texts, strict=True)]
    return "\n".join(
        "  ".join(v.ljust(w) for v, w in zip(row, widths, strict=True)).rstrip()
        for row in texts
    )


def two_digits(value: float) -> str:
    """Two digits, more of what is 10 and more: 0.28, 3.5, 276, 1,846."""
    return f"{value:,.0f}" if abs(value) >= 10 else f"{value:.2g}"


def signed(value: float) -> str:
    """The same, with a plus."""
    return f"{'+' if value > 0 else ''}{two_digits(value)}"


def number(value: float) -> str:
    """A number at the precision a reader uses: 812,345, 81.2, 8.12, 0.812."""
    if not isinstance(value, Real) or value != value:  # None, pandas' NA and NaN
        return ""
    size = abs(value)
    if size == float("inf"):
        return "no bound"
    if size >= 100 or value == round(value):
        return f"{value:,.0f}"
    if size >= 0.095:
        return f"{value:.{1 if size >= 9.95 else 2 if size >= 0.995 else 3}f}"
    return f"{value:.2g}"
