"""What `benchbook compare` and `check` are asked to compare, and the judgement of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import pandas as pd

from benchbook.sets.sets import MetricSet
from benchformats.metric_names import metric_name
from benchformats.tags import Tag, decode_tag
from benchformats.unlike import SETTINGS
from benchmath.compatible import table_order
from benchmath.errors import UserError
from benchmath.frames import (
    MetricFrame,
    check_base,
    dimensions_of,
    label,
    measurement_of,
    name_of,
    select,
)
from benchmath.prose import joined
from benchmath.ratios.cells import NO_BASE
from benchmath.ratios.relative import SUMMARY, relative, summary
from benchmath.ratios.verdicts import VerdictFrame, verdicts

Choice = str | Mapping[str, str]


def parse_choice(rows: pd.DataFrame, choice: Choice) -> dict[str, str]:
    """``version=8.0.36``, ``a=1,b=2`` or a bare value, as dimensions and values.

    A bare value is one of a dimension or a DBMS tag of the archives, in any of their
    spellings: with or without ``x.`` before and ``.pk1`` behind it.
    """
    if not isinstance(choice, str):
        return {str(k): str(v) for k, v in choice.items()}
    if "=" in choice and choice.split("=")[0] in rows.columns:
        pairs = (part.partition("=") for part in choice.split(","))
        return {name: value for name, _, value in pairs}
    columns = [*dimensions_of(rows), *(c for c in ("tag",) if c in rows.columns)]
    holders = [c for c in columns if (rows[c].astype(str) == choice).any()]
    telling = [c for c in holders if rows[c].nunique() > 1]  # others have no other side
    if len(holders) == 1 or len(telling) == 1:
        return {(telling or holders)[0]: choice}
    if holders:
        ways = " or ".join(f"{c}={choice}" for c in holders)
        raise UserError(f"{choice!r} is a value of several dimensions: say {ways}")
    if tag := _spelt_otherwise(rows, choice):
        return {"tag": tag}
    raise UserError(
        f"nothing here is called {choice!r}; dimensions are {', '.join(columns)}"
    )


def names_of_others(
    rows: pd.DataFrame,
    candidates: Sequence[str],
    base: Mapping[str, str],
    others: Sequence[Choice] | None,
) -> list[str]:
    """The names, of ``candidates``, that ``others`` mean.

    All of them without ``others``. A tag and dimensions stand for one another where they
    mean the same rows.
    """
    if not others:
        return list(candidates)
    names = []
    for other in others:
        name = other if other in candidates else name_of(_in_terms_of(base, rows, other))
        if name not in candidates:
            over = ", ".join(base)
            raise UserError(
                f"{other}: not a {over} to compare; available: {', '.join(candidates)}"
            )
        names.append(str(name))
    return list(dict.fromkeys(names))


def _in_terms_of(
    base: Mapping[str, str], rows: pd.DataFrame, other: Choice
) -> dict[str, str]:
    """A choice in the base's dimensions; empty where these do not say the same."""
    choice = parse_choice(rows, other)
    if set(choice) == set(base):
        return {name: choice[name] for name in base}
    meant = rows[_matches(rows, choice)]
    if meant.empty or not set(base) <= set(meant.columns):
        return {}
    same = {name: str(meant[name].iloc[0]) for name in base}
    return same if _matches(rows, same).equals(_matches(rows, choice)) else {}


def _matches(rows: pd.DataFrame, choice: Mapping[str, str]) -> pd.Series:
    matches = pd.Series(True, index=rows.index)
    for name, value in choice.items():
        matches &= rows[name].astype(str) == value if name in rows.columns else False
    return matches


def _spelt_otherwise(rows: pd.DataFrame, text: str) -> str:
    """The tag of the rows that decodes as ``text`` does, or '' if it is not one tag."""
    meant = _decoded(text)
    if not meant or "tag" not in rows.columns:
        return ""
    tags = [t for t in dict.fromkeys(rows["tag"].astype(str)) if meant == _decoded(t)]
    return tags[0] if len(tags) == 1 else ""


def _decoded(text: str) -> tuple[str, ...]:
    """What a tag says but for its spelling; a table with a primary key is the rule."""
    tag: Tag = decode_tag(text)
    if not tag.engine:
        return ()
    return (tag.engine, tag.version, tag.build, tag.config, tag.pk or "1", tag.size)


@dataclass(frozen=True)
class Names:
    """The names of the base and of what is compared with it, in order."""

    base: str
    others: list[str]


@dataclass(frozen=True)
class Pairs:
    """What is compared with what, and the rows that say so.

    rows: of the metric, those of all cells; base: its dimensions; names: of base and
    others; dims: all dimensions; values: a row per cell and step (``summary``), with me;
    keys: the columns that tell its rows apart.
    """

    metric: str
    rows: pd.DataFrame
    base: dict[str, str]
    names: Names
    dims: list[str]
    values: pd.DataFrame
    keys: list[str]

    @cached_property
    def compared(self) -> pd.DataFrame:
        """The rows of the base and of the others."""
        me = label(self.rows, list(self.base))
        return self.rows[me.isin([self.names.base, *self.names.others])]


def pairs_of(
    frame: MetricFrame,
    base: Choice,
    others: Sequence[Choice] | None = None,
    metric: str = "throughput",
    across: Sequence[str] = (),
) -> Pairs:
    """What ``base`` and ``others`` mean in a metric frame.

    They are mappings of dimensions to values, or texts: ``version=8.0.36``,
    ``compiler=gcc-12,flags=-O2``, a tag of the archives, or a bare value that occurs in
    one dimension only. Without ``others`` all are taken. Cells that differ in dimensions
    of ``across`` are compared all the same. Two steps can be compared by their names, as
    two commands of a file of hyperfine.
    """
    metric = _metric_name(frame, metric)
    rows = _steps_as_cells(_without_unnamed_dop(select(frame, metric)), base)
    chosen = parse_choice(rows, base)
    check_base(rows, chosen)
    names = label(rows, list(chosen))
    me = Names(name_of(chosen), _others(rows, names, chosen, others))
    dims = list(dimensions_of(rows))
    if unknown := [d for d in across if d not in dims]:
        there = ", ".join(dims)
        raise UserError(f"--across: no dimension {unknown[0]!r}; available: {there}")
    dims = [d for d in dims if d not in across]
    dims += [d for d in chosen if d not in dims]
    compared = rows[names.isin([me.base, *me.others])]
    values = _in_order(summary(compared, metric, dims))
    values = values.assign(me=label(values, list(chosen)))
    return Pairs(metric, rows, chosen, me, dims, values, _keys(values))


def _steps_as_cells(rows: pd.DataFrame, base: Choice) -> pd.DataFrame:
    """The rows with their steps as the dimension `command`, where ``base`` is a step."""
    if not isinstance(base, str) or not (rows["step"] == base).any():
        return rows
    if any((rows[c].astype(str) == base).any() for c in dimensions_of(rows)):
        return rows
    return rows.assign(command=rows["step"], step="all")


def judged_pairs(chosen: MetricSet, pairs: Pairs, margin: float | None) -> VerdictFrame:
    """Each of the others over its base, with the verdict that a post would give.

    Noise is pooled over all cells of the set; the family is what is compared.
    """
    table = relative(
        pairs.rows, pairs.base, pairs.metric, pairs.dims,
        floor=chosen.floor(pairs.metric), turns=chosen.turn_ratios(pairs.base),
    )  # fmt: skip
    table = _in_order(table[table["me"].isin(pairs.names.others)])
    return verdicts(table, chosen.margin if margin is None else margin)


def across_notes(table: pd.DataFrame) -> tuple[str, ...]:
    """How cells are compared that have no base because they differ otherwise too."""
    lacking = table["note"].str.startswith(f"{NO_BASE}:") & (table["n_base"] == 0)
    if not (lacking & table["note"].str.contains(" here and ")).any():
        return ()
    return ("--across DIMENSION compares cells that differ in it all the same",)


def settings_notes(frame: MetricFrame, pairs: Pairs) -> tuple[str, ...]:
    """What else than the base the others did, as far as their files say both."""
    rows = frame[frame["metric"].isin(SETTINGS) & (frame["direction"] == "none")]
    rows = rows[rows["step"].isin(pairs.compared["step"])]
    if rows.empty or not set(pairs.base) <= set(rows.columns):
        return ()
    rows = rows.assign(me=label(rows, list(pairs.base)))
    said: dict[str, None] = {}
    for (_, metric), test in rows.groupby(["step", "metric"], sort=False):
        values = {
            me: joined(f"{value:,.15g}" for value in sorted(set(of_me)))
            for me, of_me in test.groupby("me", sort=False)["value"]
        }
        own = values.get(pairs.names.base, "")
        for me in pairs.names.others if own else ():
            if values.get(me, own) != own:
                told = f"{metric} is {own} in {pairs.names.base} and {values[me]} in {me}"
                said[f"{told}: not the same work"] = None
    return tuple(said)


def unclear_steps(frame: MetricFrame, pairs: Pairs) -> dict[str, str]:
    """Steps that are not compared since nothing says which of their figures is meant.

    The names of these figures, by step. None where a metric was asked for by its name;
    of measured steps those without a rate only prepare others.
    """
    if pairs.metric != "throughput" or "command" in pairs.base:
        return {}
    figures = frame[frame["direction"].isin(["higher", "lower"])]
    rows = figures[~figures["step"].isin(pairs.rows["step"])]
    if "origin" in rows.columns:
        rows = rows[rows["origin"] == "published"]
    return {
        str(step): joined(names)
        for step, names in rows.groupby("step", sort=False)["metric"]
    }


def unclear_notes(frame: MetricFrame, pairs: Pairs) -> tuple[str, ...]:
    """How to compare them, once for all steps of the same figures."""
    alike: dict[str, list[str]] = {}
    for step, names in unclear_steps(frame, pairs).items():
        alike.setdefault(names, []).append(step)
    return tuple(
        f"not compared: {joined(steps)}; --metric says which figure is meant: {names}"
        for names, steps in alike.items()
    )


def _others(
    rows: pd.DataFrame,
    names: pd.Series,
    base: Mapping[str, str],
    others: Sequence[Choice] | None,
) -> list[str]:
    """Names of what is compared with the base."""
    different = [name for name in dict.fromkeys(names) if name != name_of(base)]
    if not different:
        for other in others or ():
            parse_choice(rows, other)
        raise UserError(f"there is nothing but the base {name_of(base)} to compare")
    return names_of_others(rows, different, base, others)


def _metric_name(frame: pd.DataFrame, metric: str) -> str:
    """``cpu/o`` as the archives write it is ``cpu_o`` here."""
    there = {"throughput", *frame["metric"]}
    name = metric if metric in there else metric_name(metric)
    if name.startswith("rel_"):
        of = name.removeprefix("rel_")
        raise UserError(f"{name} is a ratio as published: compare {of} --compatible")
    return name


def _without_unnamed_dop(rows: pd.DataFrame) -> pd.DataFrame:
    """Without figures of dop 0, whose file does not say it, where only others do.

    A folder of sysbench has each rate twice: printed with its dop, and rounded in a
    summary, another file.
    """
    unnamed = rows["dop"].astype(str) == "0" if "dop" in rows.columns else pd.Series()
    if not unnamed.any():
        return rows
    columns = [*dimensions_of(rows), *measurement_of(rows)]
    cell = [column for column in columns if column not in ("dop", "file")]
    known = rows.assign(known_dop=rows["dop"].where(~unnamed))
    twice = known.groupby(cell, dropna=False)["known_dop"].transform("nunique") == 1
    if "source" in rows.columns:  # a table that says it of some rows means others
        known["in_file"] = rows["source"].str.rpartition(":")[0]
        beside = known.groupby(["in_file", "step"], dropna=False)["known_dop"]
        twice &= beside.transform("count") == 0
    return rows[~(unnamed & twice)]


def _in_order(table: pd.DataFrame) -> pd.DataFrame:
    """Sysbench tests as the archives list them, other steps as they were run."""
    return table.sort_values("step", key=lambda s: s.map(table_order), kind="stable")


def _keys(values: pd.DataFrame) -> list[str]:
    """step, then the columns that still tell rows of one me apart."""
    free = [c for c in SUMMARY.dimensions(values) if c != "me"]
    settled = values.groupby(["me", "step"], dropna=False)
    keys = ["step", *(c for c in free if (settled[c].nunique(dropna=False) > 1).any())]
    for name in ("op", "clock", "metric"):
        if name in values.columns and values.duplicated([*keys, "me"]).any():
            keys.append(name)
    return keys


def tests_of(rows: pd.DataFrame, keys: Sequence[str]) -> list[str]:
    """The name of each row: its step, and what else tells rows apart."""
    names = rows[keys].itertuples(index=False, name=None)
    return [".".join(part for part in map(str, key) if part) for key in names]
