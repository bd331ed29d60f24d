"""How many background jobs RocksDB needs, in sentences.

What is claimed from are frames with numbers of jobs and clients as numbers, under names
of their own: a number that is a dimension's value would be taken for a name.
"""

from __future__ import annotations

import pandas as pd

from benchbook.finding import Draft, Finding, Row, names_as_data
from benchbook.findings.verdict_sentences import (
    farthest,
    more_runs,
    of_family,
    with_verdicts,
)
from benchmath.frames import ordered
from benchmath.prose import counted, listed
from benchmath.ratios.averaged import (
    ENOUGH,
    MORE,
    NEEDED,
    OPEN,
    AveragedFrame,
    fewest_enough,
)
from benchmath.ratios.verdicts import NOT_SIGNIFICANT, VerdictFrame, family

NO_PAIR = (
    "No step was measured with two numbers of background jobs: nothing can be said yet."
)
_CHANGES = ("improved", "regressed")
_CHANCE = " (not significant after Benjamini-Hochberg)"
_OF_PAIR = ("step", "more", "fewer")
_NUMBERS = ("fewest", "most", "needed", "best")
_ANSWERS = {  # what is answered first, and which of its numbers are compared
    ENOUGH: ("**{step}** needs no more than {fewest}", [("most", "fewest")]),
    NEEDED: ("**{step}** needs {needed}", [("needed", "fewest"), ("most", "needed")]),
    MORE: ("**{step}** gains from more than {fewest}, but how many it needs is not "
           "decided", [("best", "fewest")]),
    OPEN: ("How many background jobs **{step}** needs is not decided",
           [("most", "fewest")]),
}  # fmt: skip


@names_as_data
def jobs_finding(pairs: AveragedFrame, judged: VerdictFrame) -> Finding:
    """How many background jobs each step needs, then what single numbers of clients say.

    ``pairs`` is the frame of ``averaged_pairs``, more jobs over fewer and over all
    clients; ``judged`` that of ``verdicts``, each cell to the base.
    """
    rows = _pairs(pairs)
    if rows.empty:
        return Finding(NO_PAIR)
    needs = _numbers(fewest_enough(with_verdicts(pairs)), *_NUMBERS)
    needs = ordered(needs, {"answer": _ANSWERS})
    said = Draft(pairs=rows, needs=needs, cells=cells_of(judged))
    parts = [
        _need(said, need, rows[rows["step"] == need["step"]])
        for need in needs.to_dict("records")
    ]
    parts.append(_single(said, said.frames["cells"]))
    for frame in ("cells", "pairs"):
        every = family(said.frames[frame], among=" over all clients")
        if every.tests:
            of_family(said, every, frame, f" {frame}")
        else:
            said.claim(f"all {frame}", "given", count=0, of=0, quantifier="none")
    said.share("margin", rows["margin"].iloc[0])
    return said.finding(" ".join(part for part in [*parts, every.text] if part))


def _pairs(pairs: AveragedFrame) -> pd.DataFrame:
    """What is said of pairs: who is more and who fewer, as numbers."""
    rows = with_verdicts(pairs).rename(columns={"me": "more", "base": "fewer"})
    names = [*_OF_PAIR, "metric", "relative", "low", "high", "verdict", "further_runs",
             "p", "q", "margin", "over", "n_over", "n", "n_base"]  # fmt: skip
    where = ["placement"] if "placement" in rows else []
    return _numbers(rows[names + where], "more", "fewer", "n_over")


def cells_of(judged: VerdictFrame) -> pd.DataFrame:
    """Ratios at single numbers of clients, with jobs and clients as numbers."""
    rows = with_verdicts(judged)
    if rows.empty:
        return pd.DataFrame(columns=[*_OF_PAIR, "clients", "verdict", "p", "q"])
    jobs = {
        "more": rows["me"].astype(str).str.rpartition("=")[2],
        "fewer": rows["base"].astype(str).str.rpartition("=")[2],
    }
    rows = rows.assign(**jobs, clients=rows["dop"])
    changed = rows["verdict"].isin(_CHANGES).astype(str)
    names = [*_OF_PAIR, "clients", "relative", "low", "high", "verdict", "p", "q"]
    return _numbers(rows[names], "more", "fewer", "clients").assign(changed=changed)


def _numbers(frame: pd.DataFrame, *names: str) -> pd.DataFrame:
    return frame.astype(dict.fromkeys(names, int)).reset_index(drop=True)


def _need(said: Draft, need: Row, of_step: pd.DataFrame) -> str:
    """What one step needs: with the ratios that say so, or what would decide it."""
    words, compared = _ANSWERS[need["answer"]]
    jobs = {
        name: counted(int(said.value("needs", need, name, str, keys=("step",), ends=(),
                                     subject=f"{need['step']} {name}")), "background job")
        for name in _NUMBERS
    }  # fmt: skip
    answer = words.format(step=need["step"], **jobs)
    if need["answer"] == NEEDED and need["needed"] == need["most"]:
        answer += ", the most measured, or more"
    ratios = " and it ".join(
        _times(said, of_step, need[more], need[fewer])
        for more, fewer in compared
        if need[more] != need[fewer]
    )
    decides = _decides(said, need, of_step)
    return f"{answer}: {_over(said, of_step)} its rate {ratios}{decides}."


def _decides(said: Draft, need: Row, of_step: pd.DataFrame) -> str:
    """Which runs would decide: those of the pairs with the fewest that may be enough."""
    if need["answer"] in (ENOUGH, NEEDED):
        return ""
    asked = of_step[of_step["fewer"] == need["needed"]]
    undecided = asked[asked["verdict"] == "undecided"]
    if asked["low"].isna().all():
        return "; a single run has no interval, so more trials would decide it"
    text = more_runs(said, [undecided], "pairs", "step", "fewer").strip(" ()")
    return f"; {text}" if text else ""


def _times(said: Draft, of_step: pd.DataFrame, more: int, fewer: int) -> str:
    """`with 4 is 1.20 times that with 2 [1.10, 1.31]`"""
    chosen = of_step[(of_step["more"] == more) & (of_step["fewer"] == fewer)]
    (row,) = chosen.to_dict("records")
    ratio = said.ratio("pairs", row, after=f" times that with {fewer}", keys=_OF_PAIR)
    return f"with {more} is {ratio}" + _CHANCE * (row["verdict"] == NOT_SIGNIFICANT)


def _over(said: Draft, of_step: pd.DataFrame) -> str:
    """`over 1, 2 and 4 clients`, which all pairs of a step have in common."""
    clients = [int(n) for n in str(of_step["over"].iloc[0]).split(", ") if n]
    if len(clients) == 1:
        return f"at {said.counted(clients[0], 'client')}"
    return f"over {said.given('clients', *clients)} clients"


def _single(said: Draft, cells: pd.DataFrame) -> str:
    """How many ratios at one number of clients are detectably faster or slower."""
    if cells.empty or cells["clients"].nunique() < 2:
        return ""
    bases = said.given("base", *sorted(set(cells["fewer"])))
    of = f"Of {counted(len(cells), 'ratio')} to {bases} jobs at one number of clients"
    if not said.count("cells", {"changed": "True"}, None, "changed", "none"):
        return f"{of} none differs detectably from 1."
    parts = []
    for verdict, word, most in (
        ("improved", "faster", "at most "), ("regressed", "slower", "down to "),
    ):  # fmt: skip
        n = said.count("cells", {"verdict": verdict}, None, verdict)
        if n:
            row = farthest(cells, verdict)
            ratio = said.ratio("cells", row, keys=(*_OF_PAIR, "clients"))
            jobs, clients = said.given("more", row["more"]), row["clients"]
            where = f"{row['step']}, {jobs} jobs, {said.counted(clients, 'client')}"
            are = counted(n, "is", "are")
            parts.append(f"{are} {word} ({most * (n > 1)}{ratio}: {where})")
    return f"{of} {listed(parts)}."
