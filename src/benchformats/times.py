"""Points in time as tools and people write them, as ISO 8601."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, timezone

_EPOCH = re.compile(r"\d{9,10}(?:\.\d+)?|\d{12,13}", re.ASCII)  # seconds, milliseconds
_DATE = re.compile(
    r"(\d{4})([-./])(\d{1,2})\2(\d{1,2})"
    r"(?:[T ](\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?)?"
    r"\s?(?:(Z|UTC)|([+-])(\d{2}):?(\d{2}))?",
    re.ASCII,
)


def is_time(text: str) -> bool:
    """A date, or seconds or milliseconds since 1970."""
    return bool(time_of(text))


def time_of(text: str) -> str:
    """A point in time as ISO 8601, in UTC where its zone is said; '' where it is none.

    >>> time_of("2026.01.01 3:00:00 +0100"), time_of("1609466400"), time_of("2026-02-30")
    ('2026-01-01T02:00:00Z', '2021-01-01T02:00:00Z', '')
    """
    cell = text.strip()
    try:
        if _EPOCH.fullmatch(cell):
            seconds = float(cell) / (1000 if len(cell.partition(".")[0]) > 10 else 1)
            return _written(datetime.fromtimestamp(seconds, UTC))
        match = _DATE.fullmatch(cell)
        if not match:
            return ""
        year, _, month, day, hour, minute, second, utc, sign, hours, minutes = (
            match.groups()
        )
        moment = datetime(int(year), int(month), int(day), int(hour or 0),
                          int(minute or 0), int(second or 0))  # fmt: skip
        if utc:
            return _written(moment.replace(tzinfo=UTC))
        if sign:
            shift = timedelta(hours=int(hours), minutes=int(minutes))
            zone = timezone(shift if sign == "+" else -shift)
            return _written(moment.replace(tzinfo=zone).astimezone(UTC))
        return moment.isoformat() if hour else moment.date().isoformat()
    except (ValueError, OverflowError):
        return ""


def _written(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")
