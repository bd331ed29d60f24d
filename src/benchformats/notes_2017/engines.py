"""Names of engines as the notes of 2017 write them."""

from __future__ import annotations

import re

from benchformats.tags import decode_tag

_MYROCKS = re.compile(
    r"myrocks\.(?P<date>[a-z]{3}\d\d)(?P<first>\.no_NDEBUG)?"
    r"(?:\.(?P<compression>none|zstd))?(?P<ra>\.ra)?(?P<last>\.no_NDEBUG)?",
    re.ASCII,
)
_UPSTREAM = re.compile(
    r"(?P<engine>inno|toku|myisam|mysiam)(?P<digits>\d{3,4})", re.ASCII
)
_ENGINES = {
    "inno": "innodb", "toku": "tokudb", "myisam": "myisam",
    "mysiam": "myisam",  # a slip of the pen
}  # fmt: skip


def engine_of(name: str) -> tuple[str, str, dict[str, str]]:
    """Engine, version and dimensions of ``inno5635`` and ``myrocks.jun16.zstd.ra``.

    MyRocks has the date of its sources for a version; ``no_NDEBUG`` is built with
    assertions, ``ra`` reads ahead in scans. '' where a name does not say.
    """
    if match := _UPSTREAM.fullmatch(name):
        version = decode_tag(f"my{match['digits']}").version
        return _ENGINES[match["engine"]], version, {}
    if match := _MYROCKS.fullmatch(name):
        dims = {
            "compression": match["compression"] or "",
            "readahead": "yes" if match["ra"] else "",
            "assertions": "yes" if match["first"] or match["last"] else "",
        }
        return "myrocks", match["date"], {k: v for k, v in dims.items() if v}
    return "", "", {}
