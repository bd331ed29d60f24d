"""DBMS tags of the archives in the vocabulary.

A tag is ``[x.][20m.]<dbms><version>[_<build>][.<config>][.pk<0|1>[.<word>]]``, for
example ``x.ma110401_rel.z11b_bee.pk1``: MariaDB 11.4.1, build ``rel``, config
``z11b_bee`` on hardware ``bee``, tables with a primary key. What is done again another
way has a word at the end (``pk1.v2``), which is kept as part of the config. What does not
decode stays raw: a version is never guessed.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

_TAG = re.compile(
    r"""^(?:[xr]\.)?
    (?:(?P<size>\d+[kmgb])\.)?
    (?P<dbms>fbmy|pgo|my|ma|pg|rx|in|mo)
    (?P<digits>\d{2,6}(?:(?:alpha|beta|rc)\d+)?)
    (?:_(?P<build>[A-Za-z0-9_+-]+))?
    (?:\.(?!pk[01](?:\.|$))(?P<config>.+?))?
    (?:\.pk(?P<pk>[01])(?:\.(?P<word>\w+))?)?$""",
    re.VERBOSE | re.ASCII,
)
_HARDWARE = re.compile(
    r"(?:^|_)(bee|ser4|ser7|pn53|nuc|dell32|socket2|hetz|c\d+r\d+|gcp_c\d\w+"
    r"|\d+gram_\d+kiops)$",
    re.ASCII,
)


@dataclass(frozen=True)
class Tag:
    """A DBMS tag; all but ``raw`` are '' where it does not say or does not decode."""

    raw: str
    engine: str = ""
    version: str = ""
    build: str = ""
    config: str = ""
    pk: str = ""  # 1: tables have a primary key, 0: a secondary index instead
    machine: str = ""  # hardware class: the end of the config's name
    size: str = ""  # leading "20m.": rows


@lru_cache(maxsize=4096)
def decode_tag(raw: str) -> Tag:
    """A DBMS tag in the vocabulary; only ``raw`` where any part is not as documented."""
    match = _TAG.match(raw.strip())
    if not match:
        return Tag(raw)
    dbms, config = match["dbms"], match["config"] or ""
    version = _VERSIONS[dbms](match["digits"])
    if not version and dbms != "pgo":
        return Tag(raw)
    hardware = _HARDWARE.search(config)
    return Tag(
        raw=raw,
        engine=_engine(dbms, config),
        version=version,
        build=match["build"] or "",
        config=".".join(filter(None, (config, match["word"]))),
        pk=match["pk"] or "",
        machine=hardware[1] if hardware else "",
        size=match["size"] or "",
    )


def _mysql(digits: str) -> str:
    """8036 is 8.0.36, 8406 is 8.4.6, 56 is 5.6."""
    if not re.fullmatch(r"[3-9]\d{1,3}", digits):
        return ""
    patch = f".{int(digits[2:])}" if digits[2:] else ""
    return f"{digits[0]}.{digits[1]}{patch}"


def _mariadb(digits: str) -> str:
    """110401 is 11.4.1, 101107 is 10.11.7, 1011 is 10.11, 5568 is 5.5.68."""
    if digits.startswith("5"):
        return _mysql(digits)
    if not re.fullmatch(r"1\d(?:\d\d){1,2}", digits):
        return ""
    return ".".join(str(int(digits[i : i + 2])) for i in range(0, len(digits), 2))


def _postgres(digits: str) -> str:
    """182 is 18.2, 1222 is 12.22, 18 and 18beta1 are themselves, 9623 is 9.6.23."""
    number = re.match(r"\d+", digits)[0]  # type: ignore[index]
    pre = digits[len(number) :]
    if number[0] == "9" and number[1] in "0123456":
        parts = [number[0], number[1], number[2:]]
    elif number[0] in "12" and len(number) <= 4:
        parts = [number[:2], number[2:]]
    else:
        return ""
    if pre and parts[-1]:
        return ""
    return ".".join(str(int(part)) for part in parts if part) + pre


_VERSIONS: dict[str, Callable[[str], str]] = {
    "my": _mysql, "fbmy": _mysql, "rx": _mysql, "in": _mysql, "mo": _mysql,
    "ma": _mariadb, "pg": _postgres,
    "pgo": lambda digits: "",  # how its versions are glued together is not documented
}  # fmt: skip
_ENGINES = {
    "my": "mysql", "ma": "mariadb", "pg": "postgres", "rx": "myrocks", "in": "innodb",
    "fbmy": "myrocks", "mo": "mongodb", "pgo": "orioledb",
}  # fmt: skip

# As people write them; the values of _ENGINES stand for themselves.
_OTHER_NAMES = {"postgresql": "postgres", "pgsql": "postgres", "sqlite3": "sqlite",
                "mongo": "mongodb"}  # fmt: skip


def engine_name(text: str) -> str:
    """An engine as the vocabulary has it: pg and PostgreSQL are postgres."""
    lower = text.lower()
    return _ENGINES.get(lower) or _OTHER_NAMES.get(lower, lower)


def _engine(dbms: str, config: str) -> str:
    """Facebook MySQL runs MyRocks, but InnoDB where its config is one of ia, ib, ..."""
    if dbms == "fbmy" and re.match(r"i[a-z]", config):
        return "innodb"
    return _ENGINES[dbms]
