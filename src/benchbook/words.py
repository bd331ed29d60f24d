"""Small words of sentences: numbers with their noun, lists with their `and`."""

from collections.abc import Sequence


def counted(n: int, noun: str, plural: str = "") -> str:
    """``1 test``, ``3 tests``, ``2 boundaries``."""
    return f"{n} {noun if n == 1 else plural or noun + 's'}"


def rest_in_table(n: int) -> str:
    """Where those are that got no sentence of their own."""
    return f"The other {'one is' if n == 1 else f'{n} are'} in the table."


def listed(parts: Sequence[str]) -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    return ", ".join(parts[:-1]) + (" and " if len(parts) > 1 else "") + parts[-1]
