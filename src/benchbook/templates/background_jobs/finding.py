"""How many background jobs RocksDB needs, in sentences.

What is claimed from are frames with numbers of jobs and clients as numbers, under names
of their own: a number that is a dimension's value would be taken for a name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pandas as pd

from benchbook.finding import Claim, Finding, names_as_data, tally
from benchbook.findings.verdict_sentences import NOT_SIGNIFICANT, announced, more_runs
from benchbook.templates.background_jobs.one_ratio import (
    Row,
    given,
    ratio_claim,
    ratio_text,
)
from benchmath.prose import counted, listed
from benchmath.ratios.averaged import (
    ENOUGH,
    MORE,
    NEEDED,
    OPEN,
    AveragedFrame,
    fewest_enough,
)
from benchmath.ratios.verdicts import Family, VerdictFrame, family

NO_PAIR = (
    "No step was measured with two numbers of background jobs: nothing can be said yet."
)
_CHANGES = ("improved", "regressed")
_CHANCE = " (not significant after Benjamini-Hochberg)"
_OF_PAIR = ("step", "more", "fewer")


@names_as_data
def jobs_finding(pairs: AveragedFrame, judged: VerdictFrame) -> Finding:
    """How many background jobs each step needs, then what single numbers of clients say.

    ``pairs`` is the frame of ``averaged_pairs``, more jobs over fewer and over all
    clients; ``judged`` that of ``verdicts``, each cell to the base.
    """
    rows = _pairs(pairs)
    if rows.empty:
        return Finding(NO_PAIR)
    needs = _numbers(fewest_enough(_as_said(pairs)), "fewest", "most", "needed", "best")
    place = {answer: i for i, answer in enumerate(_ANSWERS)}  # what is answered first
    needs = needs.sort_values("answer", key=lambda a: a.map(place), kind="stable")
    cells = cells_of(judged)
    sentences, claims = [], []
    for need in needs.to_dict("records"):
        text, mine = _need(need, rows[rows["step"] == need["step"]])
        sentences.append(text)
        claims += mine
    text, mine = _single(cells)
    every = family(rows, among=" over all clients")
    claims += [
        *mine, *_of_family(every, "pairs"), *_of_family(family(cells), "cells"),
        Claim("margin", "given", 100 * float(rows["margin"].iloc[0]), unit="%"),
    ]  # fmt: skip
    frames = {"pairs": rows, "needs": needs, "cells": cells}
    parts = [*sentences, text, every.text]
    return Finding(" ".join(part for part in parts if part), claims, frames)


def _as_said(pairs: AveragedFrame) -> pd.DataFrame:
    """With the verdicts that are said, after Benjamini-Hochberg."""
    kept = pairs[pairs["relative"].notna()]
    return kept.assign(verdict=announced(kept)) if len(kept) else kept


def _pairs(pairs: AveragedFrame) -> pd.DataFrame:
    """What is said of pairs: who is more and who fewer, as numbers."""
    rows = _as_said(pairs).rename(columns={"me": "more", "base": "fewer"})
    names = [*_OF_PAIR, "metric", "relative", "low", "high", "verdict", "further_runs",
             "p", "q", "margin", "over", "n_over", "n", "n_base"]  # fmt: skip
    return _numbers(rows[names], "more", "fewer", "n_over")


def cells_of(judged: VerdictFrame) -> pd.DataFrame:
    """Ratios at single numbers of clients, with jobs and clients as numbers."""
    rows = judged[judged["relative"].notna()]
    if rows.empty:
        return pd.DataFrame(columns=[*_OF_PAIR, "clients", "verdict", "p", "q"])
    jobs = {
        "more": rows["me"].astype(str).str.rpartition("=")[2],
        "fewer": rows["base"].astype(str).str.rpartition("=")[2],
    }
    rows = rows.assign(**jobs, clients=rows["dop"], verdict=announced(rows))
    changed = rows["verdict"].isin(_CHANGES).astype(str)
    names = [*_OF_PAIR, "clients", "relative", "low", "high", "verdict", "p", "q"]
    return _numbers(rows[names], "more", "fewer", "clients").assign(changed=changed)


def _numbers(frame: pd.DataFrame, *names: str) -> pd.DataFrame:
    return frame.astype(dict.fromkeys(names, int)).reset_index(drop=True)


# --- A step ---


def _need(need: Row, of_step: pd.DataFrame) -> tuple[str, list[Claim]]:
    """What one step needs: with the ratios that say so, or what would decide it."""
    answer, told = _ANSWERS[need["answer"]](need, of_step)
    over, claims = _over(of_step)
    claims += [ratio_claim(row, "pairs", _OF_PAIR) for row in told]
    claims += [
        Claim(f"{need['step']} {name}", "is", need[name], frame="needs", column=name,
              rows={"step": str(need["step"])})
        for name in ("fewest", "most", "needed", "best")
    ]  # fmt: skip
    ratios = " and ".join(
        f"{'its rate' * (i == 0)}{'it' * (i > 0)} with {row['more']} is {_times(row)}"
        for i, row in enumerate(told)
    )
    decides, of_deciding = _decides(need, of_step)
    return f"{answer}: {over} {ratios}{decides}.", [*claims, *of_deciding]


def _enough(need: Row, of_step: pd.DataFrame) -> tuple[str, list[Row]]:
    answer = f"**{need['step']}** needs no more than {_jobs(need['fewest'])}"
    return answer, [_pair(of_step, need["most"], need["fewest"])]


def _needed(need: Row, of_step: pd.DataFrame) -> tuple[str, list[Row]]:
    answer = f"**{need['step']}** needs {_jobs(need['needed'])}"
    rows = [_pair(of_step, need["needed"], need["fewest"])]
    if need["needed"] == need["most"]:
        return f"{answer}, the most measured, or more", rows
    return answer, [*rows, _pair(of_step, need["most"], need["needed"])]


def _more(need: Row, of_step: pd.DataFrame) -> tuple[str, list[Row]]:
    answer = (
        f"**{need['step']}** gains from more than {_jobs(need['fewest'])}, but how many "
        "it needs is not decided"
    )
    return answer, [_pair(of_step, need["best"], need["fewest"])]


def _open(need: Row, of_step: pd.DataFrame) -> tuple[str, list[Row]]:
    answer = f"How many background jobs **{need['step']}** needs is not decided"
    return answer, [_pair(of_step, need["most"], need["fewest"])]


_ANSWERS: Mapping[str, Callable[[Row, pd.DataFrame], tuple[str, list[Row]]]] = {
    ENOUGH: _enough, NEEDED: _needed, MORE: _more, OPEN: _open,
}  # fmt: skip


def _decides(need: Row, of_step: pd.DataFrame) -> tuple[str, list[Claim]]:
    """Which runs would decide: those of the pairs with the fewest that may be enough."""
    if need["answer"] in (ENOUGH, NEEDED):
        return "", []
    asked = of_step[of_step["fewer"] == need["needed"]]
    undecided = asked[asked["verdict"] == "undecided"]
    if asked["low"].isna().all():
        return "; a single run has no interval, so more trials would decide it", []
    text = more_runs(undecided).strip(" ()") if len(undecided) else ""
    if not text:
        return "", []
    where = {"step": str(need["step"]), "fewer": str(need["needed"])}
    where |= {"verdict": "undecided"}
    few = undecided["further_runs"].dropna()
    few = few[few > 0]
    claims = [
        Claim(f"{need['step']} further runs", relation, int(runs), unit="runs",
              frame="pairs", column="further_runs", where=where)
        for relation, runs in (("smallest", few.min()), ("largest", few.max()))
        if len(few)
    ]  # fmt: skip
    return f"; {text}", claims


def _pair(rows: pd.DataFrame, more: int, fewer: int) -> Row:
    chosen = rows[(rows["more"] == more) & (rows["fewer"] == fewer)]
    (row,) = chosen.to_dict("records")
    return row


def _jobs(n: int) -> str:
    return counted(int(n), "background job")


def _times(row: Row) -> str:
    """`1.20 times that with 2 [1.10, 1.31]`"""
    text = ratio_text(row, f"times that with {row['fewer']}")
    return text + _CHANCE * (row["verdict"] == NOT_SIGNIFICANT)


def _over(of_step: pd.DataFrame) -> tuple[str, list[Claim]]:
    """`over 1, 2 and 4 clients`, which all pairs of a step have in common."""
    clients = [int(n) for n in str(of_step["over"].iloc[0]).split(", ") if n]
    claims = [Claim("clients", "given", n) for n in clients]
    if len(clients) == 1:
        return f"at {counted(clients[0], 'client')}", claims
    return f"over {listed([str(n) for n in clients])} clients", claims


# --- Single numbers of clients ---


def _single(cells: pd.DataFrame) -> tuple[str, list[Claim]]:
    """How many ratios at one number of clients are detectably faster or slower."""
    if cells.empty or cells["clients"].nunique() < 2:
        return "", []
    bases = sorted(set(cells["fewer"]))
    of = f"{counted(len(cells), 'ratio')} to {listed([str(b) for b in bases])} jobs"
    claims = [Claim("base", "given", base) for base in bases]
    claims.append(tally(cells, "cells", {"changed": "True"}, subject="changed",
                        quantifier="" if _changed(cells).any() else "none"))  # fmt: skip
    if not _changed(cells).any():
        text = f"Of {of} at one number of clients none differs detectably from 1."
        return text, claims
    parts = []
    for verdict, word, pick in (
        ("improved", "faster", "idxmax"), ("regressed", "slower", "idxmin"),
    ):  # fmt: skip
        side = cells[cells["verdict"] == verdict]
        claims.append(tally(cells, "cells", {"verdict": verdict}, subject=verdict))
        if side.empty:
            continue
        row = side.loc[getattr(side["relative"], pick)()].to_dict()
        where = f"{row['step']}, {row['more']} jobs, {counted(row['clients'], 'client')}"
        most = "at most " if len(side) > 1 and verdict == "improved" else ""
        most = "down to " if len(side) > 1 and verdict == "regressed" else most
        are = "is" if len(side) == 1 else "are"
        parts.append(f"{len(side)} {are} {word} ({most}{ratio_text(row)}: {where})")
        claims.append(ratio_claim(row, "cells", (*_OF_PAIR, "clients")))
        claims += given(row, "more", "clients")
    return f"Of {of} at one number of clients {listed(parts)}.", claims


def _changed(cells: pd.DataFrame) -> pd.Series:
    return cells["verdict"].isin(_CHANGES)


def _of_family(every: Family, frame: str) -> list[Claim]:
    """What is said of a family of comparisons, be it that none has an interval."""
    if not every.tests:
        return [Claim(f"all {frame}", "given", count=0, of=0, quantifier="none")]
    return [
        Claim(f"all {frame}", "significant", every.expected_false, count=every.flagged,
              of=every.tests, frame=frame, quantifier="" if every.flagged else "none"),
        Claim("all", "given", 100 * every.alpha, unit="%"),
        Claim("no difference", "given", 1, unit="ratio"),
    ]  # fmt: skip
