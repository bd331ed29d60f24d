"""Names of the archives in the vocabulary: folders, files, and the DBMS tags in them.

What is no word of the vocabulary is kept as it is, in ``folder``; nothing is guessed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from benchformats.tags import Tag, decode_tag

# What readers call the step where the file does not: the tool's own name.
STAND_INS = frozenset(("sysbench", "pgbench", "ycsb", "perf", "profile", "tpc-c",
                       "tproc-c"))  # fmt: skip

__all__ = ("STAND_INS", "Place", "Tag", "decode_path", "decode_tag", "split_range")

# Words for a machine that may stand anywhere between dots, and those that only mean one
# where they are a folder's whole name.
NICKNAMES = frozenset(("bee", "ser4", "ser7", "pn53", "nuc", "dell32", "socket2", "hetz"))
FOLDER_NICKNAMES = NICKNAMES | {"c2", "amd"}
WORKLOADS = frozenset(
    ("byrx", "byos", "iobuf", "iodir", "iodir_none", "iodir_lz4", "iodir_zstd",
     "iodir_nnl", "iodir_nnz", "iodir_nlz")
)  # fmt: skip
# Words of sysbench's tables: where one is in a folder, it is in the name of each table of
# that run. Not io: tables with and without it are of the same runs.
_TABLE_WORKLOADS = frozenset(("cached", "prep0", "prep1"))

_INSTANCE = re.compile(
    r"(?:^|(?<=[._]))([a-z]\d[a-z]*)\.(?:(\d*)x(?:l|large)?|metal)"
    r"((?:\.ht[01])?(?:\.(?:io1|io2|gp2|gp3|ebs|nvme))?)(?=\.|$)",
    re.ASCII,
)
_STEP = re.compile(
    r"^(?:l|l\.x|l\.i\d|q\.L\d+\.ips\d+|q\d+(?:\.\d+)?|q[rp]\d+(?:\.L\d+)?|scan)$",
    re.ASCII,
)
_SYSBENCH = re.compile(
    r"^sb\.(?P<kind>[\w.]*?)(?P<test>[a-zA-Z][\w-]*(?:\.(?:pre|warm|warmpre))?)"
    r"\.range(?P<range>\d+)\.pk(?P<pk>[01])(?:\.dop(?P<dop>\d{1,6}))?(?:\.|$)",
    re.ASCII,
)
# Until 2020 the number of secondary indexes stood before the client's.
_CLIENT = re.compile(
    r"^o\.[a-z]+\.dop(?P<dop>\d{1,6})(?:\.ns\d{1,3})?(?:\.(?P<client>\d+))?(?:\.|$)",
    re.ASCII,
)
# Their blocks say of which dop they are; one of the name may be another number's.
_METRICS = re.compile(r"^(?:o\.)?met(?:\.|$)")
_TABLE = re.compile(r"^(?:(?:o\.)?met|qps)\.")
_MERGED = re.compile(r"^(?:mrg|rel)\.(?P<step>.+?)(?:\.(?:rt|rate)\.[a-z]+)?(?:\.some)?$")
_LEVEL = re.compile(r"^q\.L(?P<level>\d+)\.ips(?P<rate>\d+)$", re.ASCII)
# Folders count the query steps of a run, tables the rounds at a rate. Until 2021 a run
# had two rounds at each of six rates, in 2022 and 2023 one at each of three.
_ROUNDS = {
    (str(level), str(rate)): round_
    for level, (rate, round_) in enumerate(
        ((r, n) for r in (100, 200, 400, 600, 800, 1000) for n in (1, 2)), 1
    )
} | {("2", "500"): 1, ("3", "1000"): 1}
_DOP = re.compile(r"^(?:dop_?|nt)(\d{1,6})$", re.ASCII)
_USERS = re.compile(r"^(\d{1,6})u$", re.ASCII)
_SIZE = re.compile(r"^\d+[kmgb]$", re.ASCII)
_SUMMED = re.compile(r"^o\.sum\.[tc]\.(.+)$")  # a tag: o.sum.t.20m.my5649.cx6d
_RANGE = re.compile(r"^(.+)_range=(\d+)$", re.ASCII)


@dataclass(frozen=True)
class Place:
    """What the names of a file and its folders say; '' and 0 where they do not."""

    step: str = ""
    dop: int = 0
    machine: str = ""
    workload: str = ""
    tag: str = ""
    folder: str = ""  # what is left of the folders' names: no word of the vocabulary
    dims: dict[str, str] = field(default_factory=dict)  # range, pk, client, size
    # Said by the user, never read from names of the archives: there the tag says them.
    said_step: str = ""
    engine: str = ""
    version: str = ""
    build: str = ""
    config: str = ""
    trial: int | None = None


def decode_path(path: str, root: str = "") -> Place:
    """What the names in a path below the imported folder say; deeper names win.

    ``root`` is the imported folder's own name: it may be an instance or a tag, but tells
    no file from another, so what is left of it is not in ``folder``.
    """
    *folders, name = path.split("/")
    place = _folder(Place(), root) if root else Place()
    place = _changed(place, folder="")
    for folder in folders:
        place = _folder(place, folder)
    return _file(place, name)


def split_range(step: str) -> tuple[str, str]:
    """``update-index_range=100`` as ("update-index", "100"); "" where it has no range."""
    match = _RANGE.match(step)
    return (match[1], match[2]) if match else (step, "")


def _folder(place: Place, name: str) -> Place:
    """The place with what one folder's name says."""
    if _STEP.match(name):
        return _changed(place, step=_step(name))
    tag = decode_tag(name)
    if tag.engine or name.startswith("x."):
        return _changed(place, tag=name)
    if _SIZE.match(name):
        return _changed(place, dims={"size": name})
    left = name
    if instance := _INSTANCE.search(name):
        # The field's short form of 2x, 2xl and 2xlarge is 2xl: m5d.2xl.ht0.io2.
        family, count, rest = instance.groups()
        size = "metal" if count is None else f"{count}xl"
        place = _changed(place, machine=f"{family}.{size}{rest}")
        left = name[: instance.start()] + name[instance.end() :]
    nicknames = FOLDER_NICKNAMES if left == name and "." not in name else NICKNAMES
    rest = []
    for word in filter(None, left.split(".")):
        said = _word(word, nicknames)
        place = _changed(place, **said)
        rest += [] if said else [word]
    folder = "/".join(filter(None, (place.folder, ".".join(rest))))
    return _changed(place, folder=folder)


def _step(name: str) -> str:
    """A step as tables name it: q.L2.ips500 is q500.1, in 2021 q.L2.ips100 q100.2."""
    level = _LEVEL.match(name)
    round_ = _ROUNDS.get((level["level"], level["rate"])) if level else None
    return f"q{level['rate']}.{round_}" if level and round_ else name


def _word(word: str, nicknames: frozenset[str]) -> dict[str, object]:
    """What one word of a name between dots says."""
    if word in nicknames:
        return {"machine": word}
    if word in WORKLOADS:
        return {"workload": word}
    if dop := _DOP.match(word) or _USERS.match(word):
        return {"dop": int(dop[1])}
    return {}


def _file(place: Place, name: str) -> Place:
    """The place with what the file's own name says."""
    if match := _SYSBENCH.match(name):
        dims = {"range": match["range"], "pk": match["pk"]}
        prepare = match["kind"].startswith("prepare.")
        step = "prepare" if prepare else f"{match['test']}_range={match['range']}"
        dop = int(match["dop"] or 0) or place.dop
        return _changed(place, step=step, dop=dop, dims=dims)
    if _TABLE.match(name):
        for word in filter(_TABLE_WORKLOADS.__contains__, name.split(".")):
            place = _changed(place, workload=word)
    if _METRICS.match(name):
        return place
    if match := _CLIENT.match(name):
        client = {"client": match["client"]} if match["client"] else {}
        return _changed(place, dop=int(match["dop"]), dims=client)
    if (match := _MERGED.match(name)) and _STEP.match(match["step"]):
        return _changed(place, step=_step(match["step"]))
    if (match := _SUMMED.match(name)) and decode_tag(match[1]).engine:
        return _changed(place, tag=match[1])
    for word in name.split("."):
        said = _word(word, frozenset())
        place = _changed(place, **said)
    return place


def _changed(place: Place, **said: object) -> Place:
    now = {key: getattr(place, key) for key in Place.__dataclass_fields__}
    dims = place.dims | said.pop("dims", {})  # type: ignore[operator]
    return Place(**(now | said | {"dims": dims}))


_SCAN = re.compile(r"scan(?:\.(?:pre|warm|warmpre))?(?:_range=\d+)?$")


def is_scan(step: str) -> bool:
    """The test whose throughput is in rows, not in queries."""
    return bool(_SCAN.match(step))
