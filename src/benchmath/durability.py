"""Whether a commit waits for the disk, in the words of no engine."""

import json
from collections.abc import Callable, Mapping

import pandas as pd

from benchmath.settings import normal

SYNCED, UNSYNCED = "synced", "not synced"
_Reads = Callable[[Mapping[str, str]], bool | None]


def commits(runs: pd.DataFrame) -> tuple[str, ...]:
    """`synced` or `not synced`, as the runs have it; nothing where nobody can tell."""
    if not {"engine", "settings"} <= {*runs.columns}:
        return ()
    kinds: dict[str, None] = {}
    for run in runs[["engine", "settings"]].to_dict("records"):
        recorded = run["settings"]
        settings = json.loads(recorded) if isinstance(recorded, str) else recorded
        reads = _READ.get(str(run["engine"]))
        if reads and isinstance(settings, Mapping):
            synced = reads({str(k): normal(str(v)) for k, v in settings.items()})
            if synced is not None:
                kinds[SYNCED if synced else UNSYNCED] = None
    return tuple(kinds)


def _one(name: str) -> _Reads:
    """A setting that syncs at every commit when it is 1."""
    return lambda settings: settings[name] == "1" if name in settings else None


def _postgres(settings: Mapping[str, str]) -> bool | None:
    if "synchronous_commit" not in settings and "fsync" not in settings:
        return None  # recorded are those that are not the default, which syncs
    return settings.get("synchronous_commit", "1") != "0" and (
        settings.get("fsync", "1") == "1"
    )


def _sqlite(settings: Mapping[str, str]) -> bool | None:
    """In WAL mode NORMAL (1) syncs at checkpoints only; elsewhere at every commit."""
    level = {"normal": "1", "full": "2", "extra": "3"}.get(
        settings.get("synchronous", ""), settings.get("synchronous", "")
    )
    if not level.isdigit():
        return None
    return int(level) >= (2 if settings.get("journal_mode") == "wal" else 1)


_READ: Mapping[str, _Reads] = {
    "postgres": _postgres,
    "sqlite": _sqlite,
    "mysql": _one("innodb_flush_log_at_trx_commit"),
    "mariadb": _one("innodb_flush_log_at_trx_commit"),
    "myrocks": _one("rocksdb_flush_log_at_trx_commit"),
    "rocksdb": _one("write.sync"),
}
