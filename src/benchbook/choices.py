"""What a user calls a base or another cell of a comparison, as dimensions and values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd

from benchbook.analysis.frames import dimensions_of, name_of
from benchbook.errors import UserError
from benchbook.tags import Tag, decode_tag

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
    found = [c for c in columns if (rows[c].astype(str) == choice).any()]
    if len(found) == 1:
        return {found[0]: choice}
    if found:
        ways = " or ".join(f"{c}={choice}" for c in found)
        raise UserError(f"{choice!r} is a value of several dimensions: say {ways}")
    if tag := _spelt_otherwise(rows, choice):
        return {"tag": tag}
    raise UserError(
        f"nothing here is called {choice!r}; dimensions are {', '.join(columns)}"
    )


def names_of_others(
    rows: pd.DataFrame,
    known: Sequence[str],
    base: Mapping[str, str],
    others: Sequence[Choice] | None,
) -> list[str]:
    """The names, of those ``known`` to differ from the base, that ``others`` mean.

    All of them without ``others``. A tag and dimensions stand for one another where they
    mean the same rows.
    """
    if not others:
        return list(known)
    names = []
    for other in others:
        name = other if other in known else name_of(_in_terms_of(base, rows, other))
        if name not in known:
            over = ", ".join(base)
            raise UserError(f"{other}: not a {over} to compare, only {', '.join(known)}")
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
    found = [t for t in dict.fromkeys(rows["tag"].astype(str)) if meant == _decoded(t)]
    return found[0] if len(found) == 1 else ""


def _decoded(text: str) -> tuple[str, ...]:
    """What a tag says but for its spelling; a table with a primary key is the rule."""
    tag: Tag = decode_tag(text)
    if not tag.engine:
        return ()
    return (tag.engine, tag.version, tag.build, tag.config, tag.pk or "1", tag.size)
