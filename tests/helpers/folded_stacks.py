"""Sampled stacks: the folded text that flame graphs are made of, and shares of them.

All take a frame with the columns ``frames`` (root first, joined by ";") and ``weight``,
and where there are any ``event``, ``comm``, ``pid``, ``tid`` and ``kinds`` (a letter per
frame: k kernel, j compiled at run time, i inlined): the series that the formats
perf_script and pmp give.
"""

from __future__ import annotations

import re

import pandas as pd

_ARGUMENTS = re.compile(r"\((?!anonymous namespace\)).*", re.DOTALL)
_GO_METHOD = re.compile(r"\.\([^()]*\)\.")
_MARKS = {"k": "_[k]", "j": "_[j]", "i": "_[i]"}


def folded(
    stacks: pd.DataFrame, event: str = "", name: str = "comm", annotate: bool = False
) -> str:
    """Lines ``comm;root;...;leaf weight``, sorted: what flame graph tools read.

    Weights are sums of the samples' weights (periods), not counts of samples. ``name`` is
    what stands first: ``comm``, ``pid`` (comm-pid, "?" where unknown), ``tid``
    (comm-pid/tid) or ``""``. ``annotate`` marks frames of the kernel ``_[k]``, compiled
    at run time ``_[j]`` and inlined ``_[i]``. Names lose their arguments and quotes.
    Stacks without frames are their name alone, and left out where that is empty.

    Raises ValueError where there are several events and none is chosen: cycles and
    instructions do not add up.
    """
    chosen = of_event(stacks, event)
    if chosen.empty:
        return ""
    whole = _first(chosen, name) + _shown(chosen, annotate)
    totals = chosen.groupby(whole.str.strip(";"), observed=True)["weight"].sum()
    lines = sorted((stack, weight) for stack, weight in totals.items() if stack)
    return "".join(f"{stack} {weight}\n" for stack, weight in lines)


def shares(stacks: pd.DataFrame, event: str = "") -> pd.DataFrame:
    """Columns frames, weight, share (of all weight), largest first."""
    return _shares(of_event(stacks, event), "frames")


def leaf_shares(stacks: pd.DataFrame, event: str = "") -> pd.DataFrame:
    """Columns leaf, weight, share: what perf report lists as overhead without children.

    Where the two disagree, one of them did not weight its samples.
    """
    chosen = of_event(stacks, event)
    leaf = chosen["frames"].astype(str).str.rpartition(";")[2]
    return _shares(chosen.assign(leaf=leaf), "leaf")


def of_event(stacks: pd.DataFrame, event: str = "") -> pd.DataFrame:
    """The samples of one event; ValueError where it must be chosen or is not there."""
    if "event" not in stacks:
        return stacks
    events = [str(found) for found in stacks["event"].unique()]
    if event and event not in events:
        raise ValueError(f"no samples of {event!r}, only of {', '.join(events)}")
    if not event and len(events) > 1:
        raise ValueError(f"samples of {', '.join(events)}: choose one event")
    return stacks[stacks["event"] == event] if event else stacks


def _shares(stacks: pd.DataFrame, column: str) -> pd.DataFrame:
    weights = stacks.groupby(stacks[column].astype(str))["weight"].sum()
    found = weights.sort_values(ascending=False, kind="stable").reset_index()
    return found.assign(share=found["weight"] / found["weight"].sum())


def _first(stacks: pd.DataFrame, name: str) -> pd.Series:
    """What stands before the frames, with its semicolon."""
    if name not in ("", "comm", "pid", "tid"):
        raise ValueError(f"name is 'comm', 'pid', 'tid' or '', not {name!r}")
    if not name or "comm" not in stacks:
        return pd.Series("", index=stacks.index)
    comm = stacks["comm"].astype(str)
    if name != "comm":
        pid = stacks["pid"].astype("Int64").astype("string").fillna("?")
        comm = comm + "-" + pid
    if name == "tid":
        comm = comm + "/" + stacks["tid"].astype(str)
    return comm.str.replace(" ", "_", regex=False) + ";"


def _shown(stacks: pd.DataFrame, annotate: bool) -> pd.Series:
    """The frames' names as flame graphs show them."""
    frames = stacks["frames"].astype(str)
    marked = annotate and "kinds" in stacks
    kinds = stacks["kinds"].astype(str) if marked else frames.map(lambda _: "")
    java = _first(stacks, "comm").str.startswith("java")
    keys = list(zip(frames, kinds, java, strict=True))
    shown = {key: _stack(*key) for key in set(keys)}
    return pd.Series([shown[key] for key in keys], index=stacks.index)


def _stack(frames: str, kinds: str, java: bool) -> str:
    names = [_tidy(frame, java) for frame in frames.split(";")]
    marks = [_MARKS.get(kind, "") for kind in kinds] or [""] * len(names)
    return ";".join(n + mark for n, mark in zip(names, marks, strict=True))


def _tidy(name: str, java: bool) -> str:
    """Without arguments, quotes and the L of Java's types; Go's (*T) stays."""
    if not _GO_METHOD.search(name):
        name = _ARGUMENTS.sub("", name, count=1)
    name = name.replace('"', "").replace("'", "")
    return name.removeprefix("L") if java and "/" in name else name
