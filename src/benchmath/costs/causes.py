"""What else changed between the base and what is compared with it, besides the base.

A gain has one cause only where nothing else differs. Everything that could is looked at:
settings, the build, what the machine was, and the CPU time that others took.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np
import pandas as pd

from benchmath.costs.busy import others_share
from benchmath.durability import commits
from benchmath.frames import check_base, label, require
from benchmath.hazard import Hazard
from benchmath.plans import as_causes, changed_plans
from benchmath.ratios.build_series import build_names, series_of
from benchmath.settings import (
    NOT_SET,
    Settings,
    bytes_of,
    same,
    settings_of,
    switches,
    values_text,
)

COLUMNS = ("me", "kind", "name", "base", "value", "origin")
SETTING, BUILD, MACHINE, LOAD = "setting", "build", "machine", "load"
DURABILITY, PLAN = "durability", "plan"
SET, DEFAULT, UNKNOWN = "set", "default", "unknown"
OTHERS_DIFFER = 0.1  # of the busy CPU time, between the means of two sides
_NEAR = 0.01  # two amounts of memory of one machine differ by less
# Base dimensions that a kind of difference belongs to: there it is what is compared.
_ASKED: Mapping[str, frozenset[str]] = {
    SETTING: frozenset({"config", "engine"}),
    BUILD: frozenset({"build", "compiler", "flags", "tag", "engine", "machine"}),
    MACHINE: frozenset({"machine"}),
}
_TOO = {SETTING: "config", BUILD: "build", MACHINE: "machine"}
_PER_RUN = ("_utc", "exit_code", "load")  # of env.json: how the run went
_Row = tuple[str, str, str, str, str]


def differences(
    runs: pd.DataFrame,
    base: Mapping[str, str],
    metric: pd.DataFrame | None = None,
    statements: pd.DataFrame | None = None,
) -> pd.DataFrame:
    """Everything on record that differs from the base's runs: one row each, per me.

    ``runs`` has the base's dimensions and may have `settings`, `config_text`, `build`,
    `env`; ``metric``, the long view, tells what others on the machine took;
    ``statements`` have the plans. What the base names is no difference: it is what is
    asked.

    Columns: me, kind (plan, setting, durability, build, machine, load), name, base, value
    and origin: `default` for a setting that neither side wrote down otherwise and that
    came with another version, `unknown` where nobody knows which of both, `set` for all
    else. Only a `default` belongs to the version.
    """
    rows = [
        (me, PLAN, name, before, after, SET)
        for me, name, before, after in (
            () if statements is None else as_causes(changed_plans(statements, runs, base))
        )
    ]
    rows += [
        (me, *row)
        for me, mine, theirs in _sides(runs, base)
        for row in _of_pair(mine, theirs, base, metric)
    ]
    return pd.DataFrame(rows, columns=list(COLUMNS))


def between(
    runs: pd.DataFrame,
    name: str,
    pairs: Sequence[tuple[str, str]],
    metric: pd.DataFrame | None = None,
    statements: pd.DataFrame | None = None,
) -> pd.DataFrame:
    """``differences`` of each pair of values of a dimension, the earlier as the base.

    me is the name of the boundary between them, `before→after`.
    """
    tables = [pd.DataFrame(columns=list(COLUMNS))]
    for before, after in dict.fromkeys(pairs) if len(runs) else ():
        sides = runs[runs[name].astype(str).isin([before, after])]
        if {before, after} <= set(sides[name].astype(str)):
            changed = differences(sides, {name: before}, metric, statements)
            tables.append(changed.assign(me=f"{before}→{after}"))
    return pd.concat(tables, ignore_index=True)


def named_too(changes: pd.DataFrame, runs: pd.DataFrame) -> pd.DataFrame:
    """The frame of ``version_changes``; a boundary where more changes than the version
    says what: `8.0.12→9.7.4 (config and build too)`.
    """
    require(changes, ("after", "at", "boundary"))
    pairs = list(
        zip(changes["after"].astype(str), changes["at"].astype(str), strict=True)
    )
    changed = confounded(between(runs, "version", pairs))
    names = []
    for boundary, (after, at) in zip(changes["boundary"], pairs, strict=True):
        kinds = set(changed.loc[changed["me"] == f"{after}→{at}", "kind"])
        words = [word for kind, word in _TOO.items() if kind in kinds]
        names.append(
            f"{boundary} ({' and '.join(words)} too)" if words else str(boundary)
        )
    return changes.assign(boundary=np.array(names, dtype=object))


def confounded(changed: pd.DataFrame, me: str | None = None) -> pd.DataFrame:
    """The differences that a version alone did not bring; of one me if it is named."""
    rows = changed[changed["origin"] != DEFAULT]
    return rows if me is None else rows[rows["me"] == str(me)]


def brief(row: Mapping[str, str]) -> str:
    """`innodb_buffer_pool_size 1G → 4G`; its name where a plan differs in words only."""
    if not row["base"] and not row["value"]:
        return row["name"]
    return f"{row['name']} {row['base']} → {row['value']}"


def changed_settings(runs: pd.DataFrame, base: Mapping[str, str]) -> pd.DataFrame:
    """Settings that differ, be they asked or not: me, setting, base, value, origin."""
    require(runs, ("settings",))
    rows = [
        (me, *row[1:])
        for me, mine, theirs in _sides(runs, base)
        for row in _by_engine(_settings, mine, theirs)
    ]
    return pd.DataFrame(rows, columns=["me", "setting", "base", "value", "origin"])


def hazards_of_causes(changed: pd.DataFrame) -> list[Hazard]:
    """One hazard per me for the settings, the machine and the load that changed too."""
    rows = confounded(changed)
    # build_series.changed_series and plans.hazards_of_plans say the others
    rows = rows[~rows["kind"].isin([BUILD, PLAN])]
    return [
        Hazard(
            "changed together",
            "changed too: " + "; ".join(brief(r) for r in part.to_dict("records")),
            {"me": str(me)},
        )
        for me, part in rows.groupby("me", sort=False)
    ]


def _sides(
    runs: pd.DataFrame, base: Mapping[str, str]
) -> Iterator[tuple[str, pd.DataFrame, pd.DataFrame]]:
    """Each me with its runs and those of the base."""
    if runs.empty:
        return
    is_base = check_base(runs, base)
    others = runs[~is_base]
    for me, mine in others.groupby(label(others, list(base)), sort=False):
        yield str(me), mine, runs[is_base]


def _of_pair(
    mine: pd.DataFrame,
    theirs: pd.DataFrame,
    base: Mapping[str, str],
    metric: pd.DataFrame | None,
) -> Iterator[_Row]:
    """kind, name, base, value and origin of everything that differs between two sides."""
    asked = {kind for kind, names in _ASKED.items() if names & set(base)}
    if SETTING not in asked:
        yield from _by_engine(_settings, mine, theirs)
    else:
        yield from _durability(mine, theirs, base)
    if BUILD not in asked:
        yield from _by_engine(_build, mine, theirs)
    if MACHINE not in asked:
        yield from _machine(mine, theirs, base)
    if metric is not None:
        yield from _load(mine, theirs, metric)


def _by_engine(
    look: Callable[[pd.DataFrame, pd.DataFrame], Iterator[_Row]],
    mine: pd.DataFrame,
    theirs: pd.DataFrame,
) -> Iterator[_Row]:
    """What ``look`` finds in the runs of each engine that both sides have."""
    if "engine" not in mine.columns:
        yield from look(mine, theirs)
        return
    for engine in dict.fromkeys(mine["engine"]):
        same_engine = theirs[theirs["engine"] == engine]
        if len(same_engine):
            yield from look(mine[mine["engine"] == engine], same_engine)


def _settings(mine: pd.DataFrame, theirs: pd.DataFrame) -> Iterator[_Row]:
    me, base = settings_of(mine), settings_of(theirs)
    names = dict.fromkeys(
        [*base.in_effect, *me.in_effect, *(base.written or ()), *(me.written or ())]
    )
    for name in names:
        pair = _differing(name, me, base)
        if pair is None:
            continue
        values = [values_text(side) for side in pair]
        if max(map(len, pair)) == 1:
            values = [values_text([v]) for v in switches(pair[0][0], pair[1][0])]
        yield SETTING, name, values[0], values[1], _origin(name, me, base)


def _differing(
    name: str, me: Settings, base: Settings
) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
    """The values of both sides where they differ, as far as both are known.

    What only one side reports is compared where both are one version, or by what the
    files say: versions come with new settings by the dozen.
    """
    theirs, mine = base.in_effect.get(name, ()), me.in_effect.get(name, ())
    one_program = base.programs == me.programs
    if (theirs and mine) or ((theirs or mine) and one_program):
        pair = theirs or _written(base, name), mine or _written(me, name)
        return None if same(*pair) else pair
    if base.written is None or me.written is None:
        return None
    pair = _written(base, name), _written(me, name)
    return None if same(*pair) else pair


def _written(side: Settings, name: str) -> tuple[str, ...]:
    return (side.written or {}).get(name, (NOT_SET,))


def _origin(name: str, me: Settings, base: Settings) -> str:
    """Who made a setting differ: the user, or the version that brought its default."""
    if base.programs == me.programs:
        return SET
    if base.written is None or me.written is None:
        return UNKNOWN
    return DEFAULT if same(_written(base, name), _written(me, name)) else SET


def _durability(
    mine: pd.DataFrame, theirs: pd.DataFrame, base: Mapping[str, str]
) -> Iterator[_Row]:
    """Engines have settings of their own; all may wait for the disk at a commit."""
    me, other = commits(mine), commits(theirs)
    if "config" not in base and me and other and set(me) != set(other):
        yield DURABILITY, "a commit", values_text(other), values_text(me), SET


def _build(mine: pd.DataFrame, theirs: pd.DataFrame) -> Iterator[_Row]:
    """Builds of no common series: another compiler, flags or publisher."""
    if "build" not in mine.columns or set(series_of(mine)) & set(series_of(theirs)):
        return
    names = [
        values_text(list(dict.fromkeys(build_names(side)))) for side in (theirs, mine)
    ]
    yield BUILD, "build", names[0], names[1], SET


def _machine(
    mine: pd.DataFrame, theirs: pd.DataFrame, base: Mapping[str, str]
) -> Iterator[_Row]:
    """Facts of the machine, of env.json, that are not the same on both sides."""
    if "env" not in mine.columns:
        return
    me, other = _facts(mine), _facts(theirs)
    for name in (n for n in other if n in me):
        placed = name == "cpus_allowed" and "placement" in base
        if not placed and not _near(other[name], me[name]):
            yield MACHINE, name, values_text(other[name]), values_text(me[name]), SET


def _facts(runs: pd.DataFrame) -> dict[str, list[str]]:
    """Each fact of env.json with its values; what is of one run only is left out."""
    facts: dict[str, dict[str, None]] = {}
    for env in runs["env"]:
        for name, value in (env if isinstance(env, Mapping) else {}).items():
            of_run = isinstance(value, Mapping) or str(name).endswith(_PER_RUN)
            if not of_run and value not in (None, ""):
                facts.setdefault(str(name), {})[str(value)] = None
    return {name: list(values) for name, values in facts.items()}


def _near(one: Sequence[str], other: Sequence[str]) -> bool:
    """The same values, or amounts that no reader would tell apart."""
    if set(one) == set(other):
        return True
    amounts = [bytes_of(value) for value in (*one, *other)]
    return min(amounts) > 0 and max(amounts) <= (1 + _NEAR) * min(amounts)


def _load(
    mine: pd.DataFrame, theirs: pd.DataFrame, metric: pd.DataFrame
) -> Iterator[_Row]:
    """What others took of the busy CPU time, where it is far from the same."""
    share = others_share(metric)
    if share.empty:
        return
    of_run = share.groupby("run_id")["share"].mean()
    base, me = (of_run.reindex(side["run_id"]).mean() for side in (theirs, mine))
    if abs(me - base) > OTHERS_DIFFER:
        yield LOAD, "CPU time taken by others", _percent(base), _percent(me), SET


def _percent(share: float) -> str:
    return f"{100 * max(share, 0.0):.0f}%"
