"""Findings as sentences: every number in them is a cell of a table beside them.

Frames in, Markdown out.  "No detectable difference" is a finding too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd

from benchbook.finding import Claim, Draft, Finding, names_as_data, sure
from benchbook.findings.causes import beside, clause
from benchbook.findings.verdicts import NO_BASE
from benchmath.frames import names_of_tests
from benchmath.prose import counted, listed
from benchmath.variation.cov import VARIATION

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
    said, parts = Draft(cov=covs), []
    for labels, group in covs.groupby(list(by), sort=False):
        where = dict(zip(by, map(str, labels), strict=True))
        median, worst = group["cov"].median(), group.loc[group["cov"].idxmax()]
        test = names_of_tests(group, VARIATION, list(by))[worst.name]
        said.claim("median", "median", float(median), unit="ratio", frame="cov",
                   column="cov", rows=where)  # fmt: skip
        largest = said.value("cov", worst, "cov", "{:.1%}".format, "ratio",
                             relation="largest", where=where)  # fmt: skip
        under, over, rest = by_verdict(said, " ".join(where.values()), group, where)
        said.claim("rest", "rest", count=rest, of=len(group))
        places = (PLACES.get(v, v) if n == "placement" else v for n, v in where.items())
        parts.append(
            f"**{', '.join(places)}**: the median CoV of "
            f"{counted(len(group), 'test')} is {median:.1%}, the largest {largest} "
            f"({test}); by its interval the CoV is below "
            f"{said.share('limit', worst['limit'])} in {under}, above it in "
            f"{over} and undecided in {rest}"
        )
    return said.finding(". ".join(parts) + ".")


def by_verdict(
    said: Draft, name: str, covs: pd.DataFrame, rows: Mapping[str, str] | None = None
) -> tuple[int, int, int]:
    """How many CoVs are under the limit, over it, and undecided."""
    counts = []
    for verdict in ("under", "over"):
        counts.append(int(covs["verdict"].str.startswith(verdict).sum()))
        said.claim(name, "begins with", count=counts[-1], of=len(covs), frame="cov",
                   rows=rows or {}, column="verdict", where={"verdict": verdict}
        )  # fmt: skip
    return counts[0], counts[1], len(covs) - sum(counts)


@names_as_data
def drift_finding(drift: pd.DataFrame) -> Finding:
    """Whether throughput moved with the position of the run in the study."""
    said, steps = Draft(drift=drift), counted(len(drift), "step")
    n = said.count("drift", {"detected": "True"}, None, "", "none")
    if not n:
        return said.finding(f"Of {steps} none drifted with the position of the run.")
    worst = drift.loc[sure(drift)["change_pct"].abs().idxmax()]
    change = said.value("drift", worst, "change_pct", "{:+.1f}%".format, "%", ends=())
    return said.finding(
        f"{n} of {steps} drifted with the position of the run, {worst['step']} most: "
        f"{change} from first to last."
    )


@names_as_data
def instructions_finding(instructions: pd.DataFrame) -> Finding:
    """Which builds use the CRC instruction, and how wide the vectors of each are.

    ``instructions`` is the frame of ``describe.instructions``.
    """
    if instructions.empty:
        none = Claim("disassembly", "given", count=0, of=0, quantifier="none")
        return Finding("No build of these runs carries its disassembly.", [none])
    said, parts = Draft(instructions=instructions), []
    for step, group in instructions.groupby("step", sort=False):
        using, widths = int((group["crc32"] > 0).sum()), _widths(said, str(step), group)
        said.claim(str(step), "above 0", count=using, of=len(group), column="crc32",
                   frame="instructions", rows={"step": str(step)})  # fmt: skip
        builds, verb = counted(len(group), "build"), "uses" if using == 1 else "use"
        uses = f"{using} of {builds} {verb} the crc32 instruction"
        parts.append(f"**{step}**: {uses if using else listed(widths)}")
    said.given("bits", *(bits for _, bits in _VECTORS))
    return said.finding("; ".join(parts) + ".")


_VECTORS = (("zmm", 512), ("ymm", 256), ("xmm", 128))


def _widths(said: Draft, step: str, left: pd.DataFrame) -> list[str]:
    """How many builds work on vectors of which width, the widest first."""
    parts = []
    for name, bits in _VECTORS:
        mine, left = left[left[name] > 0], left[left[name] == 0]
        said.given(f"{step} {name}", len(mine), unit="builds")
        if len(mine):
            builds = f"{counted(len(mine), 'build')} on {bits}-bit vectors"
            parts.append(f"{builds} ({', '.join(mine['build'])})")
    said.given(f"{step} none", len(left), unit="builds")
    if len(left):
        parts.append(f"{counted(len(left), 'build')} without vectors")
    return parts


def _of_blocks(said: Draft, row: pd.Series, ratios: pd.DataFrame) -> str:
    """The size of the blocks, where there are several."""
    if "block_size" not in ratios or ratios["block_size"].nunique() < 2:
        return ""
    said.given("blocks", int(row["block_size"]), unit="bytes")
    return f" and blocks of {row['block_size']} bytes"


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
    gains = best[(best["low"] > 1) & (best["relative"] > 1 + margin)]
    gains = gains.sort_values("relative", ascending=False)
    rest = [str(s) for s in best["step"] if s not in set(gains["step"])]
    said, sentences = Draft(relative=ratios), []
    gaining = [
        said.ratio("relative", row, "{:.2f}".format, after=" times", relation="largest",
                   where={"step": str(row["step"])})
        + f" in **{row['step']}** with {row['me']}{_of_blocks(said, row, ratios)}"
        + clause(changed, str(row["me"]))
        for _, row in gains.head(most).iterrows()
    ]  # fmt: skip
    if gaining:
        sentences.append(f"The throughput of {base} rises to {listed(gaining)}.")
    more = max(len(gains) - most, 0)
    said.given("more", more)
    if more:
        gain = "gains" if more == 1 else "gain"
        sentences.append(f"{counted(more, 'more step')} {gain} less.")
    shown_margin = said.share("margin", margin)
    said.given("no difference", 1, unit="ratio")
    if rest:
        sentences.append(
            f"In {listed(rest)} no build is more than {shown_margin} faster than {base} "
            "with an interval that excludes 1."
        )
    for step in rest:
        said.claim(step, "gain more than", 100 * margin, unit="%", count=0,
                   of=int((ratios["step"].astype(str) == step).sum()), quantifier="none",
                   frame="relative", rows={"step": step})  # fmt: skip
    return beside(said.finding(" ".join(sentences)), changed)
