"""Runs of which too many operations failed: their rates are no figures."""

from __future__ import annotations

_MOST = 0.01  # of a run's operations


def too_many_failed(failed: float, done: float) -> str:
    """Why a run's rates are not read; '' where no more failed than may.

    >>> too_many_failed(99000, 1000), too_many_failed(1, 99)
    ('a run of which 99,000 of 100,000 operations failed', '')
    """
    tried = failed + done
    if failed <= _MOST * tried:
        return ""
    return f"a run of which {failed:,.0f} of {tried:,.0f} operations failed"
