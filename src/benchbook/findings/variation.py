"""Findings as sentences: every number in them is a cell of a table beside them.

Frames in, Markdown out.  "No detectable difference" is a finding too.
"""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from benchbook.finding import Claim, Finding, amount, names_as_data, tally
from benchbook.findings.causes import beside, clause
from benchbook.findings.verdicts import NO_BASE
from benchmath.prose import counted, interval, listed

PLACES = {
    "none": "not pinned", "same": "pinned to one CPU",
    "split": "client and server on CPUs of their own",
}  # fmt: skip


@names_as_data
def variation_finding(cov: pd.DataFrame, by: Sequence[str]) -> Finding:
    """How much results vary: how many cells are under the limit, and the worst.

    ``cov`` is the frame of ``coefficient_of_variation``; ``by`` names the
    columns that are compared (placement).
    """
    covs = cov[cov["cov"].notna()]
    if covs.empty:
        return Finding("No cell has two trials yet: nothing can be said of variation.")
    parts = []
    for labels, group in covs.groupby(list(by), sort=False):
        under = int(group["verdict"].str.startswith("under").sum())
        over = int(group["verdict"].str.startswith("over").sum())
        worst = group.loc[group["cov"].idxmax()]
        parts.append(
            f"**{_named(by, labels)}**: the median CoV of "
            f"{counted(len(group), 'test')} is {group['cov'].median():.1%}, the largest "
            f"{worst['cov']:.1%} "
            f"{interval(worst['low'], worst['high'], '{:.1%}'.format)} "
            f"({worst['step']}); by its interval the CoV is below {worst['limit']:.0%} "
            f"in {under}, above it in {over} and undecided in {len(group) - under - over}"
        )
    claims = []
    for labels, group in covs.groupby(list(by), sort=False):
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
            amount(covs, worst, "cov", "cov", "largest", where=where),
            Claim("limit", "given", 100 * float(worst["limit"]), unit="%"),
        ]  # fmt: skip
    return Finding(". ".join(parts) + ".", claims, {"cov": covs})


def _named(by: Sequence[str], labels: Sequence[object]) -> str:
    """What is compared, in words where it is where clients run."""
    pairs = zip(by, map(str, labels), strict=True)
    return ", ".join(PLACES.get(v, v) if n == "placement" else v for n, v in pairs)


@names_as_data
def drift_finding(drift: pd.DataFrame) -> Finding:
    """Whether throughput moved with the position of the run in the study."""
    moved = drift[drift["detected"].fillna(False).astype(bool)]
    if moved.empty:
        steps = counted(len(drift), "step")
        text = f"Of {steps} none drifted with the position of the run."
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


@names_as_data
def instructions_finding(instructions: pd.DataFrame) -> Finding:
    """Which builds use the CRC instruction, and how wide the vectors of each are.

    ``instructions`` is the frame of ``describe.instructions``.
    """
    if instructions.empty:
        none = Claim("disassembly", "given", count=0, of=0, quantifier="none")
        return Finding("No build of these runs carries its disassembly.", [none])
    parts = []
    for step, group in instructions.groupby("step", sort=False):
        if group["crc32"].any():
            using = int((group["crc32"] > 0).sum())
            verb = "uses" if using == 1 else "use"
            builds = counted(len(group), "build")
            text = f"{using} of {builds} {verb} the crc32 instruction"
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


@names_as_data
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
    ratios = relative[relative["relative"].notna()]
    known = ratios[ratios["low"].notna()]
    ratios = known if len(known) else ratios  # a single run may be far off
    if ratios.empty:
        return Finding(NO_BASE)
    base = ratios["base"].iloc[0]
    best = ratios.loc[ratios.groupby("step", sort=False)["relative"].idxmax()]
    sure = best["low"] > 1
    gains = best[sure & (best["relative"] > 1 + margin)]
    gains = gains.sort_values("relative", ascending=False)
    gaining = [
        f"{r.relative:.2f} times {interval(r.low, r.high)} in **{r.step}** with {r.me}"
        f"{clause(changed, str(r.me))}"
        for r in gains.head(most).itertuples()
    ]
    rest = [str(s) for s in best["step"] if s not in set(gains["step"])]
    sentences = []
    if gaining:
        sentences.append(f"The throughput of {base} rises to {listed(gaining)}.")
    if len(gains) > most:
        more = counted(len(gains) - most, "more step")
        gain = "gains" if len(gains) - most == 1 else "gain"
        sentences.append(f"{more} {gain} less.")
    if rest:
        sentences.append(
            f"In {listed(rest)} no build is more than {margin:.0%} faster than {base} "
            "with an interval that excludes 1."
        )
    claims = [
        amount(ratios, row, "relative", "relative", "largest",
               where={"step": str(row["step"])})
        for _, row in gains.head(most).iterrows()
    ]  # fmt: skip
    claims += [
        Claim(step, "gain more than", 100 * margin, unit="%", count=0,
              of=int((ratios["step"].astype(str) == step).sum()), quantifier="none",
              frame="relative", rows={"step": step})
        for step in rest
    ]  # fmt: skip
    claims.append(Claim("more", "given", max(len(gains) - most, 0)))
    claims.append(Claim("margin", "given", 100 * margin, unit="%"))
    claims.append(Claim("no difference", "given", 1, unit="ratio"))
    return beside(Finding(" ".join(sentences), claims, {"relative": ratios}), changed)
