"""How far it scales, in sentences: the peak of a law, or why none can be said."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pandas as pd

from benchbook.finding import Claim, Finding, amount, names_as_data, tally
from benchmath.frames import names_of_tests
from benchmath.prose import (
    counted,
    interval,
    listed,
    number,
    ratio_format,
    with_interval,
)
from benchmath.ratios.suite import SUITE, SuiteFrame
from benchmath.scaling import (
    BEYOND,
    EFFICIENCY,
    FLAT,
    MISFIT,
    NOISY,
    OPEN,
    PEAKS,
    PROPORTIONAL,
    REFUSED,
    SCALING,
    EfficiencyFrame,
    ScalingFrame,
    estimates,
)

MOST = 6  # tests that get a sentence each
_KINDS = (  # of many tests, of one
    (PEAKS, "peak within the clients measured", "peaks within the clients measured"),
    (BEYOND, "peak beyond them by their law", "peaks beyond them by its law"),
    (OPEN, "do not show whether they peak", "does not show whether it peaks"),
    (PROPORTIONAL, "scale in proportion", "scales in proportion"),
    (FLAT, "gain nothing detectable", "gains nothing detectable"),
    (NOISY, "are too noisy to say", "is too noisy to say"),
    (MISFIT, "are not described by the law", "is not described by the law"),
    (REFUSED, "have too few clients for a law", "has too few clients for a law"),
)
Row = Mapping[str, Any]


@names_as_data
def scaling_finding(
    law: ScalingFrame, efficiency: EfficiencyFrame, cores: SuiteFrame | None = None
) -> Finding:
    """Where each test peaks, how many times one client's rate that is, or why not.

    ``law`` is the frame of ``scaling``, ``efficiency`` that beside it; ``cores``
    that of ``results.more_cpus``, which comes first where it has rows. Of more than six
    tests counts are said, then the one that gains most and the one that gains least.
    """
    if law.empty:
        return Finding("No run has a rate: nothing can be said of scaling yet.")
    answer = _laws(law, efficiency)
    if cores is None or cores.empty:
        return answer
    text, claims = _cores(cores)
    frames = answer.frames | {"cores": cores}
    return Finding(f"{text}\n\n{answer.data}", [*claims, *answer.claims], frames)


def _laws(law: ScalingFrame, efficiency: EfficiencyFrame) -> Finding:
    law = law.assign(test=names_of_tests(law, SCALING, []))
    frames = _frames(law, efficiency)
    rows = law.to_dict("records")
    sentences, claims = [], []
    if len(rows) > MOST:
        text, counts = _counts(law)
        sentences.append(text)
        claims += counts
        rows = _extremes(law, frames["speedup"]).to_dict("records")
    for row in rows:
        text, mine = _SAYS[row["answer"]](row, frames)
        sentences.append(text)
        claims += mine
    text, mine = _queued(law, efficiency)
    claims += [*mine, Claim("interval", "given", 95, unit="%")]
    return Finding(" ".join([*sentences, text]).rstrip(), claims, frames)


def _frames(law: ScalingFrame, efficiency: EfficiencyFrame) -> dict[str, pd.DataFrame]:
    """What is claimed from: a row per number, with low and high."""
    keys = EFFICIENCY.keys(efficiency)
    tests = law.assign(cpus=law["cpus"].astype(object))
    frames = {"law": tests, "estimates": estimates(law.drop(columns="test"))}
    for name in ("rate", "speedup"):
        bounds = {name: "value", f"{name}_low": "low", f"{name}_high": "high"}
        table = efficiency.rename(columns=bounds)[[*keys, *bounds.values()]]
        # Not dop, whose values would be taken for names and cut out of rates: 1,006.
        frames[name] = table.rename(columns={"dop": "clients"})
    return frames


def _peaks(row: Row, frames: Mapping[str, pd.DataFrame]) -> tuple[str, list[Claim]]:
    rate, gain = _amount(row, "peak_rate", number), _gain(row)
    text = (
        f"**{row['test']}** peaks at {_amount(row, 'peak', number)} clients{_cpus(row)}: "
        f"{_rate(rate, row)}, {gain} times one client's."
    )
    return text, _claims(row, frames, ("peak", "peak_rate", "gain"))


def _beyond(row: Row, frames: Mapping[str, pd.DataFrame]) -> tuple[str, list[Claim]]:
    text, claims = _at_most(row, frames)
    peak, rate = _amount(row, "peak", number), _amount(row, "peak_rate", number)
    text = f"{text} By its law it peaks at {peak} clients with {_rate(rate, row)}"
    claims += _claims(row, frames, ("peak", "peak_rate"))
    if row["peak_low"] > row["most"]:
        return f"{text}, which nobody has measured.", claims
    more, given = _decides(row)
    return f"{text}, so {more}.", claims + given


def _open(row: Row, frames: Mapping[str, pd.DataFrame]) -> tuple[str, list[Claim]]:
    text, claims = _at_most(row, frames)
    more, given = _decides(row)
    claims += [*given, _bound(row, frames, "peak_low")]
    limit = ""
    if math.isfinite(row["peak_rate_high"]):
        limit = f", with at most {_rate(number(row['peak_rate_high']), row)}"
        claims.append(_bound(row, frames, "peak_rate_high"))
    low = number(row["peak_low"])
    text += f" It may peak at {low} clients, later, or never{limit}: {more}."
    return text, claims


def _proportional(
    row: Row, frames: Mapping[str, pd.DataFrame]
) -> tuple[str, list[Claim]]:
    text, claims = _at_most(row, frames, "scales in proportion to")
    more, given = _decides(row)
    text += (
        f" No contention is detected (sigma is at most {number(row['sigma_high'])}), so "
        f"nothing says where that ends: {more}."
    )
    return text, [*claims, *given, _bound(row, frames, "sigma_high")]


def _flat(row: Row, frames: Mapping[str, pd.DataFrame]) -> tuple[str, list[Claim]]:
    text, claims = _at(row, frames, row["most"], "gains nothing detectable up to")
    text += f". By its law the most is {_gain(row)} times one client's."
    return text, claims + _claims(row, frames, ("gain",))


def _noisy(row: Row, frames: Mapping[str, pd.DataFrame]) -> tuple[str, list[Claim]]:
    text = (
        f"**{row['test']}** cannot be judged: a run varies by {row['run_sd']:.0%}, which "
        "hides whether more clients gain anything; longer steps or more trials would "
        "decide it."
    )
    return text, [_bound(row, frames, "run_sd")]


def _misfit(row: Row, frames: Mapping[str, pd.DataFrame]) -> tuple[str, list[Claim]]:
    text, claims = _at(row, frames, row["fastest"], "is fastest with")
    alike = [n for n in str(row["like_fastest"]).split(", ") if n]
    same = f", where {listed(alike)} cannot be told from it" if alike else ""
    off = abs(row["worst"])
    side = "above" if row["worst"] > 0 else "below"
    text = (
        f"{text}{same}. The law does not describe it: at {_clients(row['worst_dop'])} "
        f"the mean is {off:.0%} {side} its curve, more than the runs' noise explains, so "
        "no peak is said."
    )
    claims.append(_bound(row, frames, "worst"))
    dops = [row["worst_dop"], *map(int, alike)]
    return text, [*claims, *(Claim("clients", "given", n) for n in dops)]


def _refused(row: Row, frames: Mapping[str, pd.DataFrame]) -> tuple[str, list[Claim]]:
    return f"**{row['test']}** has no law: {row['note']}.", []


_SAYS: Mapping[
    str, Callable[[Row, Mapping[str, pd.DataFrame]], tuple[str, list[Claim]]]
] = {
    PEAKS: _peaks, BEYOND: _beyond, OPEN: _open, PROPORTIONAL: _proportional,
    MISFIT: _misfit, REFUSED: _refused, FLAT: _flat, NOISY: _noisy,
}  # fmt: skip


def _at_most(
    row: Row, frames: Mapping[str, pd.DataFrame], verb: str = ""
) -> tuple[str, list[Claim]]:
    """What the most clients measured have."""
    gains = row["peak_low"] > row["most"]
    verb = verb or ("still gains at" if gains else "levels off by")
    text, claims = _at(row, frames, row["most"], verb)
    return f"{text}.", claims


def _at(
    row: Row, frames: Mapping[str, pd.DataFrame], dop: int, verb: str
) -> tuple[str, list[Claim]]:
    """`**q** levels off by 16 clients on 2 CPUs: 100 rows/s [..], 2 times [..] one's`."""
    claims, parts = [Claim("clients", "given", int(dop))], []
    for name in ("rate", "speedup"):
        frame = frames[name]
        where = _rows(row, frame) | {"clients": str(dop)}
        (one,) = _chosen(frame, where).to_dict("records")
        if pd.isna(one["value"]):
            continue
        value, low, high = one["value"], one["low"], one["high"]
        show = ratio_format(low, high) if name == "speedup" else number
        amount = with_interval(show(value), low, high, show)
        parts.append(
            _rate(amount, row) if name == "rate" else f"{amount} times one client's"
        )
        claims.append(
            Claim(f"{row['test']} {dop}", "is", value, low, high, frame=name, rows=where,
                  column="value")
        )  # fmt: skip
    claims += _cpu_claims(row)
    head = f"**{row['test']}** {verb} {_clients(dop)}{_cpus(row)}"
    return f"{head}: {', '.join(parts)}", claims


def _decides(row: Row) -> tuple[str, list[Claim]]:
    """Which further runs would say whether it peaks."""
    dops = [2 * int(row["most"]), 4 * int(row["most"])]
    claims = [Claim("decides", "given", dop) for dop in dops]
    return f"runs with {dops[0]} and {dops[1]} clients would decide it", claims


def _claims(
    row: Row, frames: Mapping[str, pd.DataFrame], names: Sequence[str]
) -> list[Claim]:
    """Parameters of one law with their intervals, and its CPUs."""
    where = _rows(row, frames["estimates"])
    claims = [
        Claim(
            f"{row['test']} {name}", "is", row[name], row[f"{name}_low"],
            row[f"{name}_high"], frame="estimates", rows=where | {"parameter": name},
            column="value",
        )
        for name in names
    ]  # fmt: skip
    return claims + _cpu_claims(row)


def _bound(row: Row, frames: Mapping[str, pd.DataFrame], column: str) -> Claim:
    """One figure of the law's own row."""
    law = frames["law"]
    return Claim(
        f"{row['test']} {column}", "is", row[column], frame="law", column=column,
        rows=_rows(row, law),
    )  # fmt: skip


def _cpu_claims(row: Row) -> list[Claim]:
    return [] if pd.isna(row["cpus"]) else [Claim("CPUs", "given", int(row["cpus"]))]


def _queued(law: ScalingFrame, efficiency: EfficiencyFrame) -> tuple[str, list[Claim]]:
    """That clients wait for CPUs too where there are more of them, from how many on."""
    fitted = law[law["answer"] != REFUSED]
    cpus = sorted(fitted["cpus"].dropna().unique())
    dops = sorted(set(efficiency["dop"].astype(int)))
    more = [n for n in dops if cpus and n > cpus[0]]
    if not more:
        return "", []
    if len(cpus) > 1:
        return "Where clients are more than CPUs, waiting for one is contention too.", []
    claims = [Claim("clients", "given", n) for n in (more[0], int(cpus[0]))]
    text = (
        f"From {more[0]} clients on they are more than the {counted(int(cpus[0]), 'CPU')}"
        ", and waiting for one counts as contention."
    )
    return text, claims


def _counts(law: ScalingFrame) -> tuple[str, list[Claim]]:
    """How many of many tests have which answer."""
    parts, claims = [], []
    for answer, many, one in _KINDS:
        n = int((law["answer"] == answer).sum())
        if n:
            parts.append(f"{n} {one if n == 1 else many}")
            claims.append(tally(law, "law", {"answer": answer}))
    return f"Of {counted(len(law), 'test')} {listed(parts)}.", claims


def _extremes(law: pd.DataFrame, speedup: pd.DataFrame) -> pd.DataFrame:
    """The tests that gain most and least over one client.

    By their laws where some peak, else by what was measured with the best number.
    """
    peaks = law[law["answer"] == PEAKS]
    gains = peaks["gain"]
    if peaks.empty:
        best = [
            _chosen(speedup, _rows(row, speedup))["value"].max()
            for row in law.to_dict("records")
        ]
        gains = pd.Series(best, index=law.index, dtype=float).dropna()
    if gains.empty:
        return law.head(1)
    return law.loc[list(dict.fromkeys([gains.idxmax(), gains.idxmin()]))]


def _cores(cores: SuiteFrame) -> tuple[str, list[Claim]]:
    """What the most CPUs bring: as many clients as they are, the fewest and most."""
    most = cores[cores["cpus"] == cores["cpus"].max()]
    most = most[most["relative"].notna()].assign(clients=most["dop"].astype(int))
    cpus, few = int(most["cpus"].iloc[0]), int(most["cpus_base"].iloc[0])
    dops = sorted(set(most["clients"]))
    lead = next((n for n in dops if n >= cpus), dops[-1])
    together = most[most["step"] == SUITE].set_index("clients", drop=False)
    tests = together.loc[lead]
    text = (
        f"With {_clients(lead)} {counted(cpus, 'CPU')} do {_times(tests)} times the work "
        f"of {few} in the geometric mean of {counted(int(tests['steps']), 'test')}"
    )
    claims = [Claim("CPUs", "given", n) for n in (cpus, few)]
    claims += [Claim("clients", "given", n) for n in dops]
    claims.append(amount(cores, tests, "steps", "cores", unit="tests", bounds=("", "")))
    told = [lead, *(n for n in (dops[0], dops[-1]) if n != lead)]
    others = [f"with {_clients(n)} {_times(together.loc[n])} times" for n in told[1:]]
    text = ", ".join([text, *others]) + "."
    rows = [together.loc[n] for n in told]
    single = most[(most["step"] != SUITE) & (most["clients"] == lead)]
    if len(single) > 1:
        least = single.loc[single["relative"].idxmin()]
        greatest = single.loc[single["relative"].idxmax()]
        text += (
            f" With {_clients(lead)} it is least in {least['step']}, {_times(least)} "
            f"times, and most in {greatest['step']}, {_times(greatest)} times."
        )
        rows += [least, greatest]
    return text, claims + [amount(cores, row, "relative", "cores") for row in rows]


def _times(row: pd.Series) -> str:
    """`**1.80** [1.70, 1.90]`"""
    show = ratio_format(row["low"], row["high"])
    return with_interval(f"**{show(row['relative'])}**", row["low"], row["high"], show)


def _rows(row: Row, frame: pd.DataFrame) -> dict[str, str]:
    """The values that tell the row's test from the others of a frame."""
    names = [c for c in SCALING.keys(frame) if c in row and c not in EFFICIENCY.columns]
    names = [c for c in names if c not in ("test", "value", "low", "high", "parameter")]
    return {c: str(row[c]) for c in names if len(frame[c].astype(str).unique()) > 1}


def _chosen(frame: pd.DataFrame, where: Mapping[str, str]) -> pd.DataFrame:
    chosen = pd.Series(True, index=frame.index)
    for name, value in where.items():
        chosen &= frame[name].astype(str) == value
    return frame[chosen]


def _amount(row: Row, name: str, show: Callable[[float], str]) -> str:
    return with_interval(show(row[name]), row[f"{name}_low"], row[f"{name}_high"], show)


def _gain(row: Row) -> str:
    show = ratio_format(row["gain_low"], row["gain_high"])
    return f"{show(row['gain'])} {interval(row['gain_low'], row['gain_high'], show)}"


def _rate(amount: str, row: Row) -> str:
    """`61,200 queries/s [59,000, 63,400]`"""
    value, space, bounds = amount.partition(" ")
    return f"{value} {row['unit']}{space}{bounds}"


def _clients(dop: int) -> str:
    return counted(int(dop), "client")


def _cpus(row: Row) -> str:
    return "" if pd.isna(row["cpus"]) else f" on {counted(int(row['cpus']), 'CPU')}"
