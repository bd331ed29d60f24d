"""Findings as sentences: every number in them is a cell of a table beside them.

Frames in, Markdown out.  "No detectable difference" is a finding too.
"""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from benchbook.finding import Claim, Finding, amount, chosen, tally
from benchbook.findings.causes import beside, clause
from benchbook.prose import counted, interval, listed, rest_in_table, with_interval


def relative_finding(
    relative: pd.DataFrame, within: Sequence[str] = (), most: int = 4
) -> Finding:
    """What each compared value did against the base, with its largest changes.

    ``relative`` is the frame of ``analysis.relative``; ``within`` names further
    dimensions that a step needs to be told apart by (block_size).  At most ``most``
    values get a sentence, those that differ most.
    """
    rows = relative[relative["relative"].notna()]
    if rows.empty:
        return Finding("No cell has a base to be compared with: nothing can be said yet.")
    groups = [group for _, group in rows.groupby("me", sort=False)]
    groups.sort(key=lambda g: -float((g["relative"] - 1).abs().max()))
    sentences = [_sentence(group, within) for group in groups[:most]]
    if len(groups) > most:
        sentences.append(rest_in_table(len(groups) - most))
    claims = []
    for group in groups[:most]:
        sure = group[group["detected"].fillna(False).astype(bool)]
        me = str(group["me"].iloc[0])
        for better, relation in (("True", "largest"), ("False", "smallest")):
            where = {"me": me, "better": better}
            claims.append(tally(rows, "relative", where, {"me": me}, me))
            side = chosen(sure, where)
            if len(side):
                pick = (
                    side["relative"].idxmax
                    if better == "True"
                    else side["relative"].idxmin
                )
                extreme = side.loc[pick()]
                said = amount(
                    rows, extreme, "relative", "relative", relation, where=where
                )
                claims.append(said)
        claims.append(Claim(me, "rest", count=len(group) - len(sure), of=len(group)))
    if len(groups) > most:
        claims.append(Claim("others", "rest of me", count=len(groups) - most,
                            of=len(groups), frame="relative"))  # fmt: skip
    return Finding(" ".join(sentences), claims, {"relative": rows})


def _sentence(group: pd.DataFrame, within: Sequence[str]) -> str:
    me, base = group["me"].iloc[0], group["base"].iloc[0]
    known = group[group["detected"].fillna(False).astype(bool)]
    head = f"Against {base}, **{me}**"
    if known.empty:
        return f"{head} shows no detectable difference in {counted(len(group), 'test')}."
    parts = []
    for better, word, pick in ((True, "faster", "idxmax"), (False, "slower", "idxmin")):
        side = known[known["better"] == better]
        if not side.empty:
            extreme = side.loc[getattr(side["relative"], pick)()]
            parts.append(f"{word} in {len(side)} ({_value(extreme, within)})")
    rest = len(group) - len(known)
    if rest:
        parts.append(f"without a detectable difference in {rest}")
    return f"{head} is, of {counted(len(group), 'test')}, {listed(parts)}."


def _value(row: pd.Series, within: Sequence[str]) -> str:
    where = " ".join([str(row["step"]), *(f"{d} {row[d]}" for d in within)])
    ratio = with_interval(f"{row['relative']:.2f}", row["low"], row["high"])
    return f"most in {where}: {ratio}"


def variation_finding(cov: pd.DataFrame, by: Sequence[str]) -> Finding:
    """How much results vary: how many cells are surely under the limit, and the worst.

    ``cov`` is the frame of ``analysis.coefficient_of_variation``; ``by`` names the
    columns that are compared (placement).
    """
    known = cov[cov["cov"].notna()]
    if known.empty:
        return Finding("No cell has two trials yet: nothing can be said of variation.")
    parts = []
    for labels, group in known.groupby(list(by), sort=False):
        under = int(group["verdict"].str.startswith("under").sum())
        over = int(group["verdict"].str.startswith("over").sum())
        worst = group.loc[group["cov"].idxmax()]
        parts.append(
            f"**{' '.join(map(str, labels))}**: of {counted(len(group), 'test')}, "
            f"{under} surely vary by less than {worst['limit']:.0%}, {over} surely by "
            f"more, {len(group) - under - over} cannot be told with so few trials; the "
            f"median CoV is {group['cov'].median():.1%}, the largest {worst['cov']:.1%} "
            f"{interval(worst['low'], worst['high'], '{:.1%}'.format)} ({worst['step']})"
        )
    claims = []
    for labels, group in known.groupby(list(by), sort=False):
        where = dict(zip(by, map(str, labels), strict=True))
        worst = group.loc[group["cov"].idxmax()]
        begins = [group["verdict"].str.startswith(v).sum() for v in ("under", "over")]
        claims += [
            Claim(" ".join(map(str, labels)), "begins with", count=int(n), of=len(group),
                  frame="cov", column="verdict", rows=where, where={"verdict": v})
            for n, v in zip(begins, ("under", "over"), strict=True)
        ]  # fmt: skip
        claims += [
            Claim("rest", "rest", count=len(group) - int(sum(begins)), of=len(group)),
            Claim("median", "median", float(group["cov"].median()), unit="ratio",
                  frame="cov", column="cov", rows=where),
            amount(known, worst, "cov", "cov", "largest", where=where),
            Claim("limit", "given", 100 * float(worst["limit"]), unit="%"),
        ]  # fmt: skip
    return Finding("; ".join(parts) + ".", claims, {"cov": known})


def drift_finding(drift: pd.DataFrame) -> Finding:
    """Whether throughput moved with the position of the run in the study."""
    moved = drift[drift["detected"].fillna(False).astype(bool)]
    if moved.empty:
        text = f"No step of {len(drift)} shows a trend over the position of its runs."
        return Finding(
            text,
            [tally(drift, "drift", {"detected": "True"}, quantifier="none")],
            {"drift": drift},
        )
    worst = moved.loc[moved["change_pct"].abs().idxmax()]
    text = (
        f"{len(moved)} of {counted(len(drift), 'step')} drifted with the position of "
        f"the run, {worst['step']} most: {worst['change_pct']:+.1f}% from first to last."
    )
    claims = [
        tally(drift, "drift", {"detected": "True"}),
        amount(drift, worst, "change_pct", "drift", unit="%"),
    ]
    return Finding(text, claims, {"drift": drift})


def instructions_finding(instructions: pd.DataFrame) -> Finding:
    """Which builds use the CRC instruction, and how wide the vectors of each are.

    ``instructions`` is the frame of ``describe.instructions``.
    """
    if instructions.empty:
        return Finding("No build of these runs carries its disassembly.")
    parts = []
    for step, group in instructions.groupby("step", sort=False):
        if group["crc32"].any():
            using = int((group["crc32"] > 0).sum())
            text = f"{using} of {counted(len(group), 'build')} use the crc32 instruction"
        else:
            text = listed(_widths(group))
        parts.append(f"**{step}**: {text}")
    claims = []
    for step, group in instructions.groupby("step", sort=False):
        uses = int((group["crc32"] > 0).sum())
        claims.append(Claim(str(step), "above 0", count=uses, of=len(group),
                            frame="instructions", column="crc32",
                            rows={"step": str(step)}))  # fmt: skip
        left = group
        for name in ("zmm", "ymm", "xmm"):
            mine, left = left[left[name] > 0], left[left[name] == 0]
            claims.append(Claim(f"{step} {name}", "given", len(mine), unit="builds"))
        claims.append(Claim(f"{step} none", "given", len(left), unit="builds"))
    claims += [Claim("bits", "given", n) for n in (512, 256, 128)]
    return Finding("; ".join(parts) + ".", claims, {"instructions": instructions})


def _widths(group: pd.DataFrame) -> list[str]:
    """How many builds work on vectors of which width, the widest first."""
    left, parts = group, []
    for name, bits in (("zmm", 512), ("ymm", 256), ("xmm", 128)):
        mine = left[left[name] > 0]
        left = left[left[name] == 0]
        if len(mine):
            builds = ", ".join(mine["build"])
            parts.append(
                f"{counted(len(mine), 'build')} on {bits}-bit vectors ({builds})"
            )
    if len(left):
        parts.append(f"{counted(len(left), 'build')} without vectors")
    return parts


def gains_finding(
    relative: pd.DataFrame,
    margin: float,
    changed: pd.DataFrame | None = None,
    most: int = 4,
) -> Finding:
    """For each step the best of the compared values, where it gains more than ``margin``.

    A step counts as gaining when its best interval lies wholly above 1 and the ratio
    above 1 + margin; the others are named as not worth a choice.
    """
    base = relative["base"].iloc[0] if len(relative) else ""
    known = relative[relative["relative"].notna()]
    best = known.loc[known.groupby("step", sort=False)["relative"].idxmax()]
    sure = best["low"] > 1
    gains = best[sure & (best["relative"] > 1 + margin)]
    gains = gains.sort_values("relative", ascending=False)
    shown = [
        f"**{r.step}** {r.relative:.2f} {interval(r.low, r.high)} with {r.me}"
        f"{clause(changed, str(r.me))}"
        for r in gains.head(most).itertuples()
    ]
    rest = [str(s) for s in best["step"] if s not in set(gains["step"])]
    sentences = []
    if shown:
        sentences.append(f"Against {base}, the choice matters most for {listed(shown)}.")
    if len(gains) > most:
        sentences.append(f"{len(gains) - most} more steps gain less.")
    if rest:
        sentences.append(
            f"For {listed(rest)} no build is surely faster than {base} by more than "
            f"{margin:.0%}."
        )
    claims = [
        amount(known, row, "relative", "relative", "largest",
               where={"step": str(row["step"])})
        for _, row in gains.head(most).iterrows()
    ]  # fmt: skip
    claims += [
        Claim(step, "gain more than", 100 * margin, unit="%", count=0,
              of=int((known["step"].astype(str) == step).sum()), quantifier="none",
              frame="relative", rows={"step": step})
        for step in rest
    ]  # fmt: skip
    claims.append(Claim("more", "given", max(len(gains) - most, 0)))
    claims.append(Claim("margin", "given", 100 * margin, unit="%"))
    return beside(Finding(" ".join(sentences), claims, {"relative": known}), changed)
