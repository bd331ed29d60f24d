"""The forms of a comparison: text aligned for people, CSV for programs.

``table`` is a frame of ``verdicts`` without the base, ``values`` one of ``summary`` with
a column me, ``keys`` the columns that tell their rows apart, ``said`` what the table has
to tell of itself.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from io import StringIO
from typing import Any

import numpy as np
import pandas as pd

from benchbook.cli.csv_text import inert_frame
from benchbook.escaped import printable
from benchmath.compatible import published_ratio
from benchmath.prose import span, unsure
from benchmath.ratios.cells import codes

Rows = list[list[str]]


@dataclass(frozen=True)
class Names:
    """The names of the base and of what is compared with it, in order."""

    base: str
    others: list[str]


def plain_text(
    table: pd.DataFrame,
    values: pd.DataFrame,
    keys: list[str],
    names: Names,
    head: str,
    said: Iterable[str],
) -> str:
    """Per row the base, each other and their ratio; then what this is and how sure."""
    base, mes = names.base, names.others
    notes: dict[str, int] = {}
    header = [*keys, "unit", base]
    for me in mes:
        header += [me, f"{me} / {base}", "verdict", "runs"]
    rows = [header]
    indexed = {me: part.set_index(keys) for me, part in table.groupby("me")}
    bases = _spans(values[values["me"] == base], keys, notes)
    spans = {me: _spans(values[values["me"] == me], keys, notes) for me in mes}
    for key in dict.fromkeys(table[keys].itertuples(index=False, name=None)):
        at = key if len(keys) > 1 else key[0]
        unit = str(table.set_index(keys).loc[[at], "unit"].iloc[0])
        line = [*map(str, key), unit, bases.get(key, "")]
        for me in mes:
            row = _row(indexed[me], at)
            ratio, runs = _ratio_cells(row, notes)
            line += [spans[me].get(key, ""), ratio, verdict_cell(row), runs]
        rows.append(line)
    rows.append(_geomean(table, keys, mes))
    head += "geometric means ± half of the 95% interval"
    feet = [f"{_mark(n)} {text}" for text, n in notes.items()]
    feet.append("~ no difference detected: the 95% interval of the ratio holds 1")
    feet += said
    return "\n".join([head, "", *_aligned(rows, len(keys) + 1), "", *feet]) + "\n"


def _row(part: pd.DataFrame, at: object) -> Mapping[str, object] | None:
    if at not in part.index:
        return None
    return part.loc[[at]].iloc[0].to_dict()


def verdict_cell(row: Mapping[str, Any] | None) -> str:
    """The verdict, with further runs where undecided, or the side where equivalent."""
    if row is None or row["verdict"] == "no interval":
        return ""
    more = row["further_runs"]
    runs = f" +{more}" if pd.notna(more) and more > 0 else ""
    side = f" ({row['arrow']})" if row["arrow"] else ""
    return f"{row['verdict']}{runs}{side}"


def _ratio_cells(row: Mapping[str, Any] | None, notes: dict[str, int]) -> list[str]:
    if row is None:
        return ["", ""]
    runs = f"{row['n_base']}+{row['n']}"
    marks = "".join(_noted(notes, part) for part in str(row["note"]).split("; ") if part)
    return [f"{ratio_text(row)} {marks}".strip(), runs]


def ratio_text(row: Mapping[str, Any]) -> str:
    """``0.912 (0.890 to 0.934)``, with a tilde where no difference was detected.

    Of a row without a ratio its difference, with a sign: ``+2 (+2 to +2)``.
    """
    if pd.isna(row["relative"]):
        return difference_text(row)
    ratio = f"{row['relative']:.3f}"
    if pd.isna(row["detected"]):
        return ratio
    return unsure(
        f"{ratio} ({span(row['low'], row['high'], '{:.3f}'.format)})", row["detected"]
    )


def difference_text(row: Mapping[str, Any]) -> str:
    """``+2 (+1.4 to +2.6)``; - where there is none."""
    if pd.isna(row["difference"]):
        return "-"
    text = _signed(row["difference"])
    if pd.isna(row["difference_low"]):
        return text
    bounds = span(row["difference_low"], row["difference_high"], _signed)
    return unsure(f"{text} ({bounds})", row["detected"])


def _signed(value: float) -> str:
    return f"{value:+.4g}" if value else "0"


def _spans(
    values: pd.DataFrame, keys: list[str], notes: dict[str, int]
) -> dict[tuple, str]:
    """Each cell's geometric mean with the half width of its interval in percent."""
    spans = {}
    for row in values.to_dict("records"):
        if pd.isna(row["low"]) or row["value"] == 0:
            few = "need >= 2 runs for an interval" if row["n"] < 2 else ""
            spread = "± ?" + (f" {_noted(notes, few)}" if few else "")
        else:
            half = 50 * (row["high"] - row["low"]) / row["value"]
            spread = f"± {half:.0f}%" if half >= 9.5 else f"± {half:.1f}%"
        spans[tuple(row[k] for k in keys)] = f"{_number(row['value'])} {spread}"
    return spans


def _geomean(table: pd.DataFrame, keys: list[str], mes: list[str]) -> list[str]:
    """The suite's geometric mean of ratios, over the rows that every other has."""
    towards, name = table["relative"], "geomean"
    directions = set(table["direction"])
    if {"higher", "lower"} <= directions:  # else what is gained here is lost there
        towards = towards.where(table["direction"] != "lower", 1 / towards)
        name = "geomean, above 1 is better"
    wide = table.assign(towards=towards)
    wide = wide.pivot(index=keys, columns="me", values="towards").dropna()
    line = [name, *([""] * (len(keys) + 1))]
    mixed = len(directions) > 1 and not directions <= {"higher", "lower"}
    for me in mes:
        mean = "" if mixed or wide.empty else _geometric(wide[me])
        line += ["", mean, "", f"{len(wide)} rows"]
    return line


def _geometric(ratios: pd.Series) -> str:
    return f"{ratios.prod() ** (1 / len(ratios)):.3f}"


def csv_text(table: pd.DataFrame, keys: list[str], names: Names) -> str:
    """Ratios with six digits, then intervals, where their noise is from, and verdicts."""
    wide = _wide(table, keys)
    columns = {me: _digits(wide["relative"][me]) for me in names.others}
    for me in names.others:
        columns[f"{me} low"] = _digits(wide["low"][me])
        columns[f"{me} high"] = _digits(wide["high"][me])
        columns[f"{me} noise"] = wide["noise"][me].fillna("")
        verdict = wide["verdict"][me].fillna("")
        columns[f"{me} verdict"] = verdict.replace("no interval", "")
    return _written(pd.DataFrame(columns))


def compatible_csv(values: pd.DataFrame, keys: list[str], names: Names) -> str:
    """Header and ratios, as the archives' csv have them below it."""
    return _written(_published(values, keys, names)[names.others])


def compatible_text(
    values: pd.DataFrame, keys: list[str], names: Names, head: str, said: Iterable[str]
) -> str:
    """The base's printed figures and the ratios of the others, and what this is."""
    published = _published(values, keys, names)
    header = ["test", "unit", names.base, *names.others]
    rows = [header, *([*row] for row in published.itertuples(name=None))]
    head += "the base's printed figures and the ratios of the others to them"
    return "\n".join([head, "", *_aligned(rows, 2), "", *said]) + "\n"


def _published(values: pd.DataFrame, keys: list[str], names: Names) -> pd.DataFrame:
    """unit, the base's figure and the others' ratios as texts, '' where not measured.

    Whatever else differs between base and other: the archives divide column by column.
    """
    wide = _wide(values, keys)
    figures = wide["value"]
    base = figures[names.base]
    texts = {
        "unit": wide["unit"].bfill(axis="columns").iloc[:, 0],
        names.base: ["" if pd.isna(value) else _printed(value) for value in base],
    }
    for me in names.others:
        pairs = zip(figures[me], base, strict=True)
        texts[me] = ["" if pd.isna([m, b]).any() else published_ratio(m, b)
                     for m, b in pairs]  # fmt: skip
    return pd.DataFrame(texts)[figures[names.others].notna().any(axis="columns")]


def _wide(rows: pd.DataFrame, keys: list[str]) -> pd.DataFrame:
    """A row per combination of ``keys``, in their order; columns (column, me).

    The index is the test's name: the step, and what else tells rows apart.
    """
    keys_of_tests = rows[keys].drop_duplicates().itertuples(index=False, name=None)
    tests = [".".join(part for part in map(str, key) if part) for key in keys_of_tests]
    wide = rows.assign(row=codes(rows, keys)).pivot(index="row", columns="me")
    return wide.set_axis(tests).rename_axis("test")


def _digits(ratios: pd.Series) -> pd.Series:
    return ratios.map(lambda ratio: "" if pd.isna(ratio) else f"{ratio:.6g}")


def _written(wide: pd.DataFrame) -> str:
    """As CSV whose names no spreadsheet takes for formulas."""
    out = StringIO()
    inert_frame(wide).to_csv(out, lineterminator="\n")
    return out.getvalue()


def _printed(value: float) -> str:
    """A figure as it was printed, as far as a float tells: 0.00017, 22192, 3.875."""
    return np.format_float_positional(value, 10, fractional=False, trim="-")


def _aligned(rows: Rows, left: int) -> Iterable[str]:
    """Columns two blanks apart; the first ``left`` to the left, numbers to the right."""
    rows = [list(map(printable, row)) for row in rows]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = [
            value.ljust(width) if i < left else value.rjust(width)
            for i, (value, width) in enumerate(zip(row, widths, strict=True))
        ]
        yield "  ".join(cells).rstrip()


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 1000 else f"{value:.4g}"


def _noted(notes: dict[str, int], text: str) -> str:
    return _mark(notes.setdefault(text, len(notes) + 1))


def _mark(number: int) -> str:
    return f"[{number}]"
