"""How far it scales, in sentences: the peak of a law, or why none can be said."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

import pandas as pd

from benchbook.finding import Draft, Finding, Row, chosen, names_as_data
from benchmath.frames import names_of_tests
from benchmath.prose import Show, counted, listed, number
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
    law = law.assign(test=names_of_tests(law, SCALING, []))
    said = Draft(**_frames(law, efficiency))
    rows, sentences = law.to_dict("records"), []
    if len(rows) > 1 and law["answer"].eq(REFUSED).all() and law["note"].nunique() == 1:
        sentences, rows = [f"The law is not fitted: {law['note'].iloc[0]}."], []
    if len(rows) > MOST:
        sentences.append(_counts(said))
        rows = _extremes(law, said.frames["speedup"]).to_dict("records")
    sentences += [_SAYS[row["answer"]](said, row) for row in rows]
    sentences.append(_queued(said, law, efficiency))
    said.given("interval", 95, unit="%")
    text = " ".join(sentences).rstrip()
    if cores is not None and not cores.empty:
        said.frames["cores"] = cores
        text = f"{_cores(said, cores)}\n\n{text}"
    return said.finding(text)


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


def _peaks(said: Draft, row: Row) -> str:
    peak, rate = _of_law(said, row, "peak", number), _peak_rate(said, row)
    return (
        f"**{row['test']}** peaks at {peak} clients{_cpus(said, row)}: {rate}, "
        f"{_of_law(said, row, 'gain')} times one client's."
    )


def _beyond(said: Draft, row: Row) -> str:
    text, peak = _at_most(said, row), _of_law(said, row, "peak", number)
    text += f". By its law it peaks at {peak} clients with {_peak_rate(said, row)}"
    if row["peak_low"] > row["most"]:
        return f"{text}, which nobody has measured."
    return f"{text}, so {_decides(said, row)}."


def _open(said: Draft, row: Row) -> str:
    text, limit = _at_most(said, row), ""
    if math.isfinite(row["peak_rate_high"]):
        most = _figure(said, row, "peak_rate_high", number, f" {row['unit']}")
        limit = f", with at most {most}"
    low = _figure(said, row, "peak_low", number)
    return (
        f"{text}. It may peak at {low} clients, later, or never{limit}: "
        f"{_decides(said, row)}."
    )


def _proportional(said: Draft, row: Row) -> str:
    return (
        f"{_at(said, row, row['most'], 'scales in proportion to')}. No contention is "
        f"detected (sigma is at most {_figure(said, row, 'sigma_high', number)}), so "
        f"nothing says where that ends: {_decides(said, row)}."
    )


def _flat(said: Draft, row: Row) -> str:
    text = _at(said, row, row["most"], "gains nothing detectable up to")
    gain = _of_law(said, row, "gain")
    return f"{text}. By its law the most is {gain} times one client's."


def _noisy(said: Draft, row: Row) -> str:
    varies = _figure(said, row, "run_sd", "{:.0%}".format)
    return (
        f"**{row['test']}** cannot be judged: a run varies by {varies}, which "
        "hides whether more clients gain anything; longer steps or more trials would "
        "decide it."
    )


def _misfit(said: Draft, row: Row) -> str:
    text = _at(said, row, row["fastest"], "is fastest with")
    alike = [int(n) for n in str(row["like_fastest"]).split(", ") if n]
    if alike:
        text += f", where {said.given('clients', *alike)} cannot be told from it"
    off = _figure(said, row, "worst", lambda worst: f"{abs(worst):.0%}")
    side = "above" if row["worst"] > 0 else "below"
    where = said.counted(row["worst_dop"], "client")
    return (
        f"{text}. The law does not describe it: at {where} the mean is {off} {side} its "
        "curve, more than the runs' noise explains, so no peak is said."
    )


def _refused(said: Draft, row: Row) -> str:
    return f"**{row['test']}** has no law: {row['note']}."


_SAYS: Mapping[str, Callable[[Draft, Row], str]] = {
    PEAKS: _peaks, BEYOND: _beyond, OPEN: _open, PROPORTIONAL: _proportional,
    MISFIT: _misfit, REFUSED: _refused, FLAT: _flat, NOISY: _noisy,
}  # fmt: skip


def _at_most(said: Draft, row: Row) -> str:
    """What the most clients measured have."""
    gains = row["peak_low"] > row["most"]
    return _at(said, row, row["most"], "still gains at" if gains else "levels off by")


def _at(said: Draft, row: Row, dop: int, verb: str) -> str:
    """`**q** levels off by 16 clients on 2 CPUs: 100 rows/s [..], 2 times [..] one's`."""
    parts, subject = [], f"{row['test']} {dop}"
    for name, show, unit in (("rate", number, f" {row['unit']}"), ("speedup", None, "")):
        where = _rows(row, said.frames[name]) | {"clients": str(dop)}
        (one,) = chosen(said.frames[name], where).to_dict("records")
        if not pd.isna(one["value"]):
            value = said.value(
                name, one, "value", show, after=unit, keys=where, subject=subject
            )
            parts.append(value + " times one client's" * (name == "speedup"))
    clients = said.counted(dop, "client")
    return f"**{row['test']}** {verb} {clients}{_cpus(said, row)}: {', '.join(parts)}"


def _decides(said: Draft, row: Row) -> str:
    """Which further runs would say whether it peaks."""
    most = int(row["most"])
    return (
        f"runs with {said.given('decides', 2 * most, 4 * most)} clients would decide it"
    )


def _of_law(
    said: Draft, row: Row, name: str, show: Show | None = None, unit: str = ""
) -> str:
    """A parameter of one law with its interval."""
    frame = said.frames["estimates"]
    where = _rows(row, frame) | {"parameter": name}
    (one,) = chosen(frame, where).to_dict("records")
    return said.value("estimates", one, "value", show, after=unit, keys=where,
                      subject=f"{row['test']} {name}")  # fmt: skip


def _peak_rate(said: Draft, row: Row) -> str:
    """`61,200 queries/s [59,000, 63,400]`"""
    return _of_law(said, row, "peak_rate", number, f" {row['unit']}")


def _figure(said: Draft, row: Row, column: str, show: Show, unit: str = "") -> str:
    """One figure of the law's own row."""
    return said.value("law", row, column, show, after=unit, ends=(),
                      keys=_rows(row, said.frames["law"]),
                      subject=f"{row['test']} {column}")  # fmt: skip


def _queued(said: Draft, law: ScalingFrame, efficiency: EfficiencyFrame) -> str:
    """That clients wait for CPUs too where there are more of them, from how many on."""
    fitted = law[law["answer"] != REFUSED]
    cpus = sorted(fitted["cpus"].dropna().unique())
    dops = sorted(set(efficiency["dop"].astype(int)))
    more = [n for n in dops if cpus and n > cpus[0]]
    if not more:
        return ""
    if len(cpus) > 1:
        return "Where clients are more than CPUs, waiting for one is contention too."
    said.given("clients", more[0], int(cpus[0]))
    return (
        f"From {more[0]} clients on they are more than the {counted(int(cpus[0]), 'CPU')}"
        ", and waiting for one counts as contention."
    )


def _counts(said: Draft) -> str:
    """How many of many tests have which answer."""
    law = said.frames["law"]
    parts = [
        counted(said.count("law", {"answer": answer}), one, many)
        for answer, many, one in _KINDS
        if (law["answer"] == answer).any()
    ]
    return f"Of {counted(len(law), 'test')} {listed(parts)}."


def _extremes(law: pd.DataFrame, speedup: pd.DataFrame) -> pd.DataFrame:
    """The tests that gain most and least over one client.

    By their laws where some peak, else by what was measured with the best number.
    """
    peaks = law[law["answer"] == PEAKS]
    gains = peaks["gain"]
    if peaks.empty:
        best = [
            chosen(speedup, _rows(row, speedup))["value"].max()
            for row in law.to_dict("records")
        ]
        gains = pd.Series(best, index=law.index, dtype=float).dropna()
    if gains.empty:
        return law.head(1)
    return law.loc[list(dict.fromkeys([gains.idxmax(), gains.idxmin()]))]


def _cores(said: Draft, cores: SuiteFrame) -> str:
    """What the most CPUs bring: as many clients as they are, the fewest and most."""
    most = cores[cores["cpus"] == cores["cpus"].max()]
    most = most[most["relative"].notna()].assign(clients=most["dop"].astype(int))
    cpus, few = int(most["cpus"].iloc[0]), int(most["cpus_base"].iloc[0])
    dops = sorted(set(most["clients"]))
    lead = next((n for n in dops if n >= cpus), dops[-1])
    together = most[most["step"] == SUITE].set_index("clients", drop=False)
    said.given("CPUs", cpus, few)
    said.given("clients", *dops)
    tests = said.value("cores", together.loc[lead], "steps",
                       lambda n: counted(int(n), "test"), "tests", ends=())  # fmt: skip
    with_lead = f"With {counted(lead, 'client')}"
    text = (
        f"{with_lead} {counted(cpus, 'CPU')} do {_times(said, together.loc[lead])} times "
        f"the work of {few} in the geometric mean of {tests}"
    )
    for n in (dops[0], dops[-1]):
        if n != lead:
            text += f", with {counted(n, 'client')} {_times(said, together.loc[n])} times"
    single = most[(most["step"] != SUITE) & (most["clients"] == lead)]
    if len(single) < 2:
        return f"{text}."
    least, greatest = (
        f"in {row['step']}, {_times(said, row)} times"
        for row in (single.loc[single["relative"].idxmin()],
                    single.loc[single["relative"].idxmax()])
    )  # fmt: skip
    return f"{text}. {with_lead} it is least {least}, and most {greatest}."


def _times(said: Draft, row: Row) -> str:
    """`**1.80** [1.70, 1.90]`"""
    value, _, bounds = said.ratio("cores", row).partition(" ")
    return f"**{value}** {bounds}".rstrip()


def _rows(row: Row, frame: pd.DataFrame) -> dict[str, str]:
    """The values that tell the row's test from the others of a frame."""
    names = [c for c in SCALING.keys(frame) if c in row and c not in EFFICIENCY.columns]
    names = [c for c in names if c not in ("test", "value", "low", "high", "parameter")]
    return {c: str(row[c]) for c in names if len(frame[c].astype(str).unique()) > 1}


def _cpus(said: Draft, row: Row) -> str:
    return "" if pd.isna(row["cpus"]) else f" on {said.counted(row['cpus'], 'CPU')}"
