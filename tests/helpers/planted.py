"""Falsehoods to plant: each a function that makes one place of a true post false.

A page is edited after it was executed (`page`), or a post is made of lying sentences
(`sentence`), of runs that are not what they are taken for (`runs`), or its files or study
changed afterwards (`files`, `study`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pandas as pd
from nbformat import NotebookNode

from benchbook.finding import MIME_KEY, Claim, Finding

VERSIONS, AA = "mysql-old-to-new", "quiet-inserts"
COSTS, GAINS = "insert-cost", "crc32c-compilers"
Edit = Callable[[NotebookNode], None]
Frames = dict[str, pd.DataFrame]


def cell(notebook: NotebookNode, word: str) -> NotebookNode:
    """The cell that has a tag, an id, or a word in its source."""
    for one in notebook.cells:
        if word in (*one.metadata.get("tags", []), one.id):
            return one
    for one in notebook.cells:
        if word in one.source:
            return one
    raise LookupError(word)


def said(word: str, old: str, new: str, output: int = 0, count: int = 1) -> Edit:
    """Another text in an output."""

    def edit(notebook: NotebookNode) -> None:
        data = cell(notebook, word).outputs[output].data
        text = data["text/markdown"]
        assert re.search(old, text, re.DOTALL), f"{old!r} is not in {text[:500]!r}"
        data["text/markdown"] = re.sub(old, new, text, count=count, flags=re.DOTALL)

    return edit


def written(word: str, old: str, new: str) -> Edit:
    """Another text in the source of a cell."""

    def edit(notebook: NotebookNode) -> None:
        one = cell(notebook, word)
        assert re.search(old, one.source), f"{old!r} is not in {one.source!r}"
        one.source = re.sub(old, new, one.source, count=1)

    return edit


def claimed(key: str, change: Callable[[Any], Any], n: int = 0) -> Edit:
    """Another value in the n-th claim that has the key."""

    def edit(notebook: NotebookNode) -> None:
        claims = cell(notebook, "finding").outputs[0].metadata[MIME_KEY]["claims"]
        one = [claim for claim in claims if key in claim][n]
        one[key] = change(one[key])

    return edit


def unclaimed(notebook: NotebookNode) -> None:
    cell(notebook, "finding").outputs[0].metadata.pop(MIME_KEY)


def ends_swapped(notebook: NotebookNode) -> None:
    claims = cell(notebook, "finding").outputs[0].metadata[MIME_KEY]["claims"]
    one = next(claim for claim in claims if "low" in claim)
    one["low"], one["high"] = one["high"], one["low"]


def drawn(word: str, output: int = 0) -> Edit:
    """Another datum in the data of a chart: the first ratio is turned over."""

    def edit(notebook: NotebookNode) -> None:
        data = cell(notebook, word).outputs[output].data
        text = data["text/markdown"]
        match = re.search(r'<script type="application/json">(.*?)</script>', text, re.S)
        spec = json.loads(match[1])
        rows = next(rows for rows in spec["datasets"].values() if "relative" in rows[0])
        row = next(r for r in rows if r["relative"] not in (None, 1))
        row["relative"] = 10 * row["relative"]
        data["text/markdown"] = text.replace(match[1], json.dumps(spec))

    return edit


def cells_swapped(word: str) -> Edit:
    """Two cells of a table's row change places."""

    def edit(notebook: NotebookNode) -> None:
        data = cell(notebook, word).outputs[0].data
        text = data["text/markdown"]
        values = list(re.finditer(r"(>)(\d\.\d\d)([^<]*<)", text))
        a = values[0]
        b = next(v for v in values if v[2] != a[2])
        text = (
            text[: a.start(2)]
            + b[2]
            + text[a.end(2) : b.start(2)]
            + a[2]
            + text[b.end(2) :]
        )
        data["text/markdown"] = text

    return edit


def removed(word: str) -> Edit:
    def edit(notebook: NotebookNode) -> None:
        notebook.cells.remove(cell(notebook, word))

    return edit


def moved(notebook: NotebookNode) -> None:
    notebook.cells[9], notebook.cells[10] = notebook.cells[10], notebook.cells[9]


def output_dropped(word: str) -> Edit:
    def edit(notebook: NotebookNode) -> None:
        cell(notebook, word).outputs.pop()

    return edit


PAGE: dict[str, tuple[str, Edit]] = {
    "a ratio off by one digit": (VERSIONS, said("finding", "−75%", "−76%")),
    "a count off by one": (
        VERSIONS,
        said("finding", "in 2 of 6 tests", "in 3 of 6 tests"),
    ),
    "worse called better": (VERSIONS, said("finding", "and slower in", "and faster in")),
    "ends of an interval swapped": (
        VERSIONS,
        said("finding", r"(−\d+), (−\d+)", r"\2, \1"),
    ),
    "another version named": (VERSIONS, said("finding", r"9\.7\.4", "8.0.12")),
    "another base named": (VERSIONS, said("finding", r"5\.5\.9", "5.6.24")),
    "another step named": (VERSIONS, said("finding", r"l\.i1", "l.i2")),
    "significant called not": (
        VERSIONS,
        said("finding", r"versions \d+ differ from 1", "versions none differs from 1"),
    ),
    "fewer expected false": (
        VERSIONS,
        said("finding", r"at most [\d.]+ of", "at most 0.1 of"),
    ),
    "another level of significance": (VERSIONS, said("finding", "at 5%", "at 1%")),
    "another boundary named": (
        VERSIONS,
        said("finding", "5.6.24→5.7.22", "5.7.22→8.0.12"),
    ),
    "sign of a change flipped": (VERSIONS, said("finding", "−", "+")),
    "one of six called all": (
        VERSIONS,
        said("finding", "5 of 6 tests", "all of 6 tests"),
    ),
    "only one test": (VERSIONS, said("finding", "5 of 6 tests", "only one test")),
    "a cause added": (
        VERSIONS,
        said("finding", r"\.$", ", due to the redo log threads."),
    ),
    "a stale description": (VERSIONS, written("front-matter", r"0\.25", "0.52")),
    "another version in the index": (
        VERSIONS,
        written("front-matter", r"9\.7\.4", "8.0.12"),
    ),
    "an index sentence edited": (
        VERSIONS,
        written("front-matter", "description: .*", 'description: "No change."'),
    ),
    "title of another study": (
        VERSIONS,
        written("front-matter", "MySQL get slower from 5.5", "MariaDB get x"),
    ),
    "a stale open question": (
        GAINS,
        written("reading", "is faster than gcc 12", "reaches 1.234 of gcc 12"),
    ),
    "a bound number edited": (GAINS, written("answer", r"1\.785", "1.786")),
    "a version that was not measured": (
        VERSIONS,
        written("0a977961", r"5\.5\.9", "5.1.73"),
    ),
    "another date": (VERSIONS, written("front-matter", "date: .*", 'date: "2020-01-01"')),
    "another category": (VERSIONS, written("front-matter", "InnoDB", "MyRocks")),
    "another preset's label": (VERSIONS, written("label", "5,000,000", "30,000,000")),
    "a table cell edited": (
        VERSIONS,
        said("tbl-relative", r">0\.(\d)(\d)", r">0.\g<2>5"),
    ),
    "two cells of a table swapped": (VERSIONS, cells_swapped("tbl-relative")),
    "a table's unit changed": (VERSIONS, written("tbl-cpu", "microsec", "millisec")),
    "a table of another step": (VERSIONS, said("tbl-relative", r"l\.i0", "l.i1")),
    "a chart's datum edited": (VERSIONS, drawn("957cb192")),
    "a chart's drawing edited": (
        VERSIONS,
        said("957cb192", r"translate\(0,0\)", "rotate(9)"),
    ),
    "a chart's title edited": (VERSIONS, said("957cb192", "relative to", "beside")),
    "a claimed value edited": (VERSIONS, claimed("value", lambda v: 1.01 * v)),
    "a claimed count edited": (VERSIONS, claimed("count", lambda v: v - 1)),
    "a claimed total edited": (VERSIONS, claimed("of", lambda v: v + 1)),
    "a claimed verdict edited": (
        VERSIONS,
        claimed("where", lambda w: w | {"verdict": "improved"}),
    ),
    "a claim of another row": (VERSIONS, claimed("rows", lambda r: r | {"me": "8.0.12"})),
    "a claim of another subject": (VERSIONS, claimed("subject", lambda s: "8.0.12")),
    "a claimed relation edited": (VERSIONS, claimed("relation", lambda r: "proves")),
    "ends of a claimed interval swapped": (VERSIONS, ends_swapped),
    "claims removed": (VERSIONS, unclaimed),
    "a footnote missing": (
        VERSIONS,
        said("a711fbc4", r"- \*\*build changed\*\*[^\n]*", ""),
    ),
    "all footnotes missing": (VERSIONS, said("a711fbc4", r"^.*$", "None known.")),
    "a footnote's mark missing": (
        VERSIONS,
        said("tbl-relative", r"<tr class=.gt_footnotes.>.*?</tr>", ""),
    ),
    "a missing run denied": (
        VERSIONS,
        said("a711fbc4", "Every planned run is there", "Trial 3 is missing", 1),
    ),
    "another study's command": (
        VERSIONS,
        said("8211face", "run mysql-old-to-new", "run mariadb-old-to-new"),
    ),
    "another config linked": (VERSIONS, written("data", "mysql/z11a_2g", "mysql/other")),
    "evidence not linked": (VERSIONS, written("data", r"\[steps\]\([^)]*\)", "")),
    "a setting edited": (VERSIONS, said("c6a4ed0a", "latin1|utf8|ON|1024", "other", 1)),
    "another processor": (VERSIONS, said("09cf949b", "EPYC|AMD|Intel|Xeon", "Arm")),
    "a writer's rate edited": (VERSIONS, said("41da5c7e", r">(\d+)(\.\d+)?<", ">77<")),
    "another study's parameters": (
        VERSIONS,
        written("injected-parameters", "mysql-old-to-new", "mariadb-old-to-new"),
    ),
    "another metric judged": (
        VERSIONS,
        written("9dd68abd", "judged\\(\\)", "judged('cpu_o')"),
    ),
    "a cell left out": (VERSIONS, removed("41da5c7e")),
    "two cells swapped": (VERSIONS, moved),
    "an output left out": (VERSIONS, output_dropped("tbl-cpu")),
    "the template's text edited": (VERSIONS, written("1cc9cf5b", "95%", "99%")),
    "fewer comparisons of A/A": (AA, said("finding", "Of 18", "Of 17")),
    "a false verdict denied": (AA, said("finding", r"\*\*none\*\*", "**2**")),
    "another widest interval": (AA, said("finding", r"\[(\d)\.(\d)", r"[\1.9\2")),
    "costs of two engines swapped": (
        COSTS,
        said(
            "finding",
            r"\*\*sqlite\*\*(.*?)\*\*mariadb\*\*",
            r"**mariadb**\1**sqlite**",
        ),
    ),
    "microseconds called nanoseconds": (
        COSTS,
        said("finding", "µs", "ns"),
    ),
    "two steps swapped": (COSTS, said("finding", r"In l\.i0", "In l.i1")),
    "a cost's interval widened": (COSTS, said("finding", r"\[(\d+)", r"[0.1\1")),
    "another compiler named": (GAINS, said("finding", r"clang|gcc", "icc")),
    "another margin": (GAINS, said("finding", "2%", "3%")),
}


# Sentences that lie although the page is just what the code gives.


def judged(made: Any) -> Finding:
    return next(
        thing for shown in made.objects.values() for thing in shown
        if isinstance(thing, Finding) and "judged" in thing.frames
    )  # fmt: skip


def reworded(old: str, new: str) -> Callable[[Finding], Finding]:
    def lie(true: Finding) -> Finding:
        text, n = re.subn(old, new, true.data, count=1)
        assert n, f"{old!r} is not in {true.data!r}"
        return Finding(text, true.claims, true.frames)

    return lie


def with_claim(text: str, claim: Claim, **frames: pd.DataFrame) -> Callable:
    def lie(true: Finding) -> Finding:
        return Finding(f"{true.data} {text}", (*true.claims, claim), true.frames | frames)

    return lie


def with_frame(name: str, change: Callable[[pd.DataFrame], pd.DataFrame]) -> Callable:
    def lie(true: Finding) -> Finding:
        frame = change(true.frames[name].copy())
        return Finding(true.data, true.claims, true.frames | {name: frame})

    return lie


def column(name: str, change: Callable[[Any], Any], row: int = 0) -> Callable:
    def lie(frame: pd.DataFrame) -> pd.DataFrame:
        place = frame.index[row]
        frame[name] = frame[name].astype(object)
        frame.at[place, name] = change(frame.at[place, name])
        return frame

    return lie


TWO_SIDES = pd.DataFrame({"version": ["10.1", "11.4"], "config": ["a", "b"]})
MEMORY = pd.DataFrame({"engine": ["myrocks"], "of_memory": [0.71]})
SENTENCE: dict[str, Callable[[Finding], Finding]] = {
    "a cause without isolation": with_claim(
        "The version is the cause.",
        Claim("version", "cause", frame="sides", column="version"),
        sides=TWO_SIDES,
    ),
    "a cause nobody varied": reworded(r"\.$", " because of the version."),
    "a premise unmet": with_claim(
        "The database is larger than memory.",
        Claim(
            "myrocks",
            "premise",
            low=1,
            frame="size",
            column="of_memory",
            rows={"engine": "myrocks"},
        ),
        size=MEMORY,
    ),
    "none where six differ": reworded(r"\d+ differ", "none differ"),
    "most of a third": with_claim(
        "Most of them by one cause.",
        Claim("them", "count", count=2, of=6, quantifier="most"),
    ),
    "all where some": with_claim("All of 9 are slower.", Claim("x", "given", 9)),
    "a number that no claim holds": reworded(r"\.$", ", and 7.31 in another."),
    "a verdict counted wrongly": reworded("in 2 of 6 tests", "in 3 of 6 tests"),
    "a direction reversed": reworded("and slower in", "and faster in"),
    "a claim of a frame that is not there": with_claim(
        "x", Claim("x", "is", 1.0, frame="nowhere")
    ),
    "a verdict that its interval denies": with_frame(
        "judged", column("verdict", lambda v: "equivalent", -1)
    ),
    "a ratio that is not of its means": with_frame(
        "judged", column("relative", lambda v: v + 0.1, -1)
    ),
    "a mean that is not of its runs": with_frame(
        "judged",
        lambda f: f.assign(value=1.1 * f["value"], value_base=1.1 * f["value_base"]),
    ),
    "an interval without its ratio": with_frame(
        "judged", column("high", lambda v: 0.1, -1)
    ),
    "a change that is not reported": with_frame("boundaries", lambda f: f.iloc[:0]),
}


# Runs that are not what the frames take them for, in a post made of just these.


def run(name: str, value: Any, n: int = 0) -> Callable[[Frames], None]:
    def plant(frames: Frames) -> None:
        frames["runs"] = column(name, lambda _: value, n)(frames["runs"])

    return plant


def in_env(key: str, value: Any) -> Callable[[Frames], None]:
    def plant(frames: Frames) -> None:
        env = deepcopy(frames["runs"]["env"].tolist())
        assert key in env[0], sorted(env[0])
        env[0][key] = value
        frames["runs"]["env"] = env

    return plant


def scaled(name: str, column_: str, by: float) -> Callable[[Frames], None]:
    def plant(frames: Frames) -> None:
        frame = frames[name]
        main = frame["main"].astype(bool)
        place = frame.index[main][0]
        frame[column_] = frame[column_].astype(float)
        frame.at[place, column_] *= by

    return plant


def taken_out(*names: str) -> Callable[[Frames], None]:
    def plant(frames: Frames) -> None:
        out = frames["runs"]["run_id"].iloc[3]
        for name in names:
            frames[name] = frames[name][frames[name]["run_id"] != out]

    return plant


def doubled(frames: Frames) -> None:
    again = frames["runs"].iloc[[0]].assign(run_id="0" * 16)
    frames["runs"] = pd.concat([frames["runs"], again], ignore_index=True)


def repeated(frames: Frames) -> None:
    frames["runs"] = pd.concat([frames["runs"], frames["runs"].iloc[[0]]])


def exchanged(frames: Frames) -> None:
    """Two versions' rates change places, in every frame but their specs."""
    ids = frames["runs"].drop_duplicates("version")["run_id"].tolist()[:2]
    other = dict(zip(ids, reversed(ids), strict=True))
    for name in ("metric",):
        frames[name]["run_id"] = frames[name]["run_id"].replace(other)


def of_version(frames: Frames) -> None:
    metric = frames["metric"]
    first = metric["run_id"] == metric["run_id"].iloc[0]
    metric.loc[first, "version"] = "9.7.4"


def stranger(frames: Frames) -> None:
    frames["metric"].loc[frames["metric"].index[0], "run_id"] = "f" * 16


RUNS: dict[str, Callable[[Frames], None]] = {
    "another host's name": run("machine", "laptop"),
    "another host's id": run("machine_id", "0123456789abcdef"),
    "another processor in one run": in_env("cpu_model", "Pentium III"),
    "another memory in one run": in_env("mem_kib", 4_000_000),
    "a run moved to another trial": run("trial", 2),
    "a run moved to another cell": run("version", "9.7.4"),
    "a run of another build": run("build_no", 2),
    "a run of another load": run("load_no", 2),
    "a run of another dop": run("dop", 4),
    "a run placed elsewhere": run("placement", "0,1"),
    "a run of another study": run("study", "mariadb-old-to-new"),
    "a run of another config": run("config", "z11b_8g"),
    "a run begun on another day": run("started", pd.Timestamp("2024-02-29 12:00:00")),
    "a failed run that counts": run("status", "failed"),
    "an overridden run that counts": run("overridden", True),
    "a run left out": taken_out("runs", "steps", "metric", "samples", "hists"),
    "a run left out of the rates": taken_out("metric"),
    "a run under two names": doubled,
    "a run twice": repeated,
    "rates of two cells exchanged": exchanged,
    "rates of another version": of_version,
    "a rate of nobody's run": stranger,
    "a rate off by one digit": scaled("metric", "value", 1.1),
    "a counter off by one digit": scaled("steps", "rows", 1.1),
    "a step made shorter": scaled("steps", "elapsed_ns", 0.5),
}
