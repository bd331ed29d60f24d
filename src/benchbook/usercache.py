"""The folder of what is fetched or built once for all checkouts of a user."""

from __future__ import annotations

import os
from pathlib import Path


def user_cache(part: str) -> Path:
    """A part of it, as bench/install.sh and bench/fetch.sh place theirs."""
    if named := os.environ.get("BENCHBOOK_CACHE"):
        return Path(named) / part
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(home) / "benchbook" / part
