"""What an engine was set to: the values in effect, and what its settings file says.

Values are compared by what they mean (``1G`` is 1073741824, ``on`` is 1). What tells
where or who a server is, and not how it is set, is left out by its kind: paths, ids,
versions, and values of which every run has one of its own.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import pandas as pd

OWN_VALUES = 3  # runs from which on a value of its own in each means nothing
MOST_CHARACTERS = 60  # of a value in a sentence or a cell
NOT_SET = "not set"
_WORDS = {"on": "1", "true": "1", "yes": "1", "off": "0", "false": "0", "no": "0"}
_SIZE = re.compile(r"(\d+)\s*([kmgt])i?b?", re.IGNORECASE)
_POWER = {"k": 10, "m": 20, "g": 30, "t": 40}
_PATH = re.compile(r"\.{0,2}~?/|[A-Za-z]:\\")
_ID = re.compile(r"\b[0-9a-f]{16,}\b|\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b", re.I)
_IDENTITY = re.compile(  # parts of a name: who and where it is, how it was built
    r"(^|_)(versions?|compile[dr]?|build|revision|source|uuid|pid|hostname|host|port|socket)"
    r"(_|$)"
)
_SECTION = re.compile(r"\[(.+)\]")
_OF_SERIES = re.compile(r"-(\d+(\.\d+)*)$")
_OBEYED = re.compile(r"#\s*(initdb|environment):\s*(.+)")  # comments of server.sh's

Values = tuple[str, ...]


@dataclass(frozen=True)
class Settings:
    """What the runs of one side were set to, each name with its values over the runs.

    in_effect: as the driver asked the engine. written: what the settings file says for
    the version of the run; None where the file is not on record.
    """

    in_effect: Mapping[str, Values] = field(default_factory=dict)
    written: Mapping[str, Values] | None = None
    programs: frozenset[tuple[str, str]] = frozenset()


def settings_of(runs: pd.DataFrame) -> Settings:
    """The settings of some runs: `settings`, a mapping per run or its JSON, and more.

    Where there they are used: `config_text`, engine, version, `spec`.
    """
    records = runs.to_dict("records")
    versions = {str(run.get("version", "")) for run in records}
    effect = _over_runs([_mapping(run.get("settings")) for run in records])
    in_effect = {
        n: v for n, v in effect.items() if not _is_noise(n, v, versions, len(runs))
    }
    texts = [_text(run) for run in records]
    written: dict[str, Values] | None = None
    if not any(text is None for text in texts):
        pairs = zip(texts, records, strict=True)
        files = [of_text(str(t), str(run.get("version", ""))) for t, run in pairs]
        # A run whose file does not name a setting has the value "not set".
        names = dict.fromkeys(name for file in files for name in file)
        whole = _over_runs([{n: f.get(n, NOT_SET) for n in names} for f in files])
        written = {n: v for n, v in whole.items() if not _is_noise(n, v, versions, 0)}
    programs = {(str(r.get("engine", "")), str(r.get("version", ""))) for r in records}
    return Settings(in_effect, written, frozenset(programs))


def of_text(text: str, version: str = "") -> dict[str, str]:
    """What a settings file says for a version: name and value, the last one counts.

    A section such as [mysqld-8.0] holds for versions that begin with 8.0 only. Prefixes
    that change no meaning are dropped: `loose_`, and `skip_x` is x = 0.
    """
    settings: dict[str, str] = {}
    holds = True
    for line in map(str.strip, text.splitlines()):
        section, obeyed = _SECTION.fullmatch(line), _OBEYED.fullmatch(line)
        if section:
            holds = _holds(section[1], version)
        elif obeyed:
            settings[obeyed[1]] = obeyed[2]
        elif holds and line and line[0] not in "#;!" and not line.startswith("--"):
            name, value = _entry(line)
            settings[name] = value
    return settings


def not_taken(run: Mapping) -> dict[str, tuple[str, str]]:
    """What a run's settings file asks for and its engine has otherwise, by name.

    A value that was overridden, or rounded. Of a list of switches those that the file
    names; paths may be written otherwise. Needs what ``settings_of`` uses.
    """
    asked = of_text(_text(run) or "", str(run.get("version", "")))
    values = {_name(str(n)): str(v) for n, v in _mapping(run.get("settings")).items()}
    return {
        name: (value, values[name])
        for name, value in asked.items()
        if name in values
        and not _PATH.match(value)
        and not same([value], [values[name]])
        and not ("=" in value and set(value.split(",")) <= set(values[name].split(",")))
        and not _is_made_by(values[name], value)
    }


def _is_made_by(has: str, asked: str) -> bool:
    """Is it the class of what RocksDB was asked to make, as of `bloomfilter:10:false`?"""
    kind, colon, _ = asked.lower().partition(":")
    return bool(colon) and kind in has.lower()


def normal(value: str) -> str:
    """A value as it is compared: sizes in bytes, switches as 1 and 0, no quotes."""
    bare = value.strip().strip("'\"").lower()
    size = _SIZE.fullmatch(bare)
    if size:
        return str(int(size[1]) << _POWER[size[2]])
    if re.fullmatch(r"-?\d+\.\d*", bare):
        return bare.rstrip("0").rstrip(".")
    return _WORDS.get(bare, bare)


def bytes_of(text: str) -> int:
    """`512M` in bytes; 0 for what is no amount."""
    value = normal(text)
    return int(value) if value.isdigit() else 0


def same(one: Iterable[str], other: Iterable[str]) -> bool:
    """Whether two sides have the same values, however they are written."""
    return {normal(v) for v in one} == {normal(v) for v in other}


def values_text(values: Sequence[str]) -> str:
    """Values as a table shows them: sizes as 1G, long ones cut, several with a slash."""
    return " / ".join(dict.fromkeys(_brief(value) for value in values))


def switches(base: str, me: str) -> tuple[str, str]:
    """Of two lists of switches (`a=on,b=off`) what differs, of other values all."""
    sides = [text.split(",") for text in (base, me)]
    listed = all("=" in part for side in sides for part in side)
    if min(map(len, sides)) < 2 or not listed:
        return base, me
    theirs, mine = (dict(part.split("=", 1) for part in side) for side in sides)
    changed = [k for k in theirs if k in mine and mine[k] != theirs[k]]
    changed = changed or sorted(theirs.keys() ^ mine.keys())
    texts = [",".join(f"{k}={s[k]}" for k in changed if k in s) for s in (theirs, mine)]
    return texts[0] or "without", texts[1] or "without"


def _over_runs(each: Sequence[Mapping[str, object]]) -> dict[str, Values]:
    """Each name with its values over the runs, in the order in which they appear."""
    by_name: dict[str, dict[str, None]] = {}
    for one in each:
        for name, value in one.items():
            by_name.setdefault(_name(str(name)), {})[str(value)] = None
    return {name: tuple(values) for name, values in by_name.items()}


def _is_noise(name: str, values: Values, versions: set[str], runs: int) -> bool:
    """Whether a setting says where or who a server is, and not how it is set."""
    if _IDENTITY.search(name) or (runs >= OWN_VALUES and len(values) == runs):
        return True
    telling = [v for v in versions if "." in v]
    return any(
        _PATH.match(value) or _ID.search(value) or any(v in value for v in telling)
        for value in values
    )


def _text(run: Mapping[object, object]) -> str | None:
    """The settings file of a run; None where there was one that nobody kept.

    A server that was connected to has a file that nobody here has seen.
    """
    text = run.get("config_text")
    if isinstance(text, str) and text:
        return text
    unseen = bool(run.get("config", "?")) or '"env:' in str(run.get("spec", ""))
    return None if unseen else ""


def _holds(section: str, version: str) -> bool:
    series = _OF_SERIES.search(section)
    return series is None or f"{version}.".startswith(f"{series[1]}.")


def _entry(line: str) -> tuple[str, str]:
    """Name and value of a line: `a = b`, `a b` or `a` alone, which turns it on."""
    bare = re.split(r"\s#", line)[0].strip()
    match = re.fullmatch(r"([^\s=]+)\s*(?:=\s*|\s)(.*)", bare)
    name, value = (match[1], match[2]) if match else (bare, "1")
    name = _name(name).removeprefix("loose_")
    if name.startswith("skip_") and match is None:
        return name.removeprefix("skip_"), "0"
    return name, value.strip()


def _name(name: str) -> str:
    return name.strip().lower().replace("-", "_")


def _brief(value: str) -> str:
    """`1073741824` as 1G; a long value cut."""
    if value.isdigit() and int(value) >= 1 << 20:
        for unit, power in reversed(_POWER.items()):
            if int(value) % (1 << power) == 0:
                return f"{int(value) >> power}{unit.upper()}"
    if len(value) > MOST_CHARACTERS:
        return f"{value[: MOST_CHARACTERS - 1]}…"
    return value or "empty"


def _mapping(recorded: object) -> Mapping[str, object]:
    mapping = json.loads(recorded) if isinstance(recorded, str) else recorded
    return mapping if isinstance(mapping, Mapping) else {}
