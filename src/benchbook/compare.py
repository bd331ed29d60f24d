"""`benchbook compare`: a comparison as aligned text, in the manner of benchstat."""

from collections.abc import Iterable, Mapping, Sequence
from io import StringIO

import pandas as pd

from benchbook.analysis.frames import dimensions_of, label, name_of
from benchbook.analysis.relative import published_ratio, relative, summary
from benchbook.errors import UserError

Rows = list[list[str]]

_RESULTS = {"me", "n", "low", "high", "min", "max", "note"}


def compare(
    frame: pd.DataFrame,
    base: str | Mapping[str, str],
    others: Sequence[str | Mapping[str, str]] | None = None,
    metric: str = "throughput",
    dimensions: Sequence[str] | None = None,
    csv: bool = False,
) -> str:
    """A metric frame as text: per step the base, each other, and their ratio.

    ``base`` and ``others`` are mappings of dimensions to values, or texts:
    ``version=8.0.36``, ``compiler=gcc-12,flags=-O2``, or a bare value that occurs in
    one dimension only. Without ``others`` all are shown. ``csv`` gives the published
    form: ``test,OTHER,...`` and ratios with two decimals.
    """
    chosen = parse_choice(frame, base)
    table = relative(frame, chosen, metric, dimensions)
    if table.empty:
        raise UserError("there is nothing but the base to compare")
    mes = _others(frame, table, chosen, others)
    table = table[table["me"].isin(mes)]
    values = summary(frame, metric, dimensions)
    values = values.assign(me=label(values, list(chosen)))
    values = values[values["me"].isin([*mes, table["base"].iloc[0]])]
    keys = _keys(values)
    if csv:
        return _csv(table, keys, mes)
    return _text(table, values, keys, mes, metric)


def parse_choice(frame: pd.DataFrame, choice: str | Mapping[str, str]) -> dict[str, str]:
    """``version=8.0.36``, ``a=1,b=2`` or a bare value, as dimensions and values."""
    if not isinstance(choice, str):
        return {str(k): str(v) for k, v in choice.items()}
    if "=" in choice and choice.split("=")[0] in frame.columns:
        pairs = (part.partition("=") for part in choice.split(","))
        return {name: value for name, _, value in pairs}
    columns = [*dimensions_of(frame), *(c for c in ("tag",) if c in frame.columns)]
    found = [c for c in columns if (frame[c].astype(str) == choice).any()]
    if len(found) == 1:
        return {found[0]: choice}
    if found:
        ways = " or ".join(f"{c}={choice}" for c in found)
        raise UserError(f"{choice!r} is a value of several dimensions: say {ways}")
    raise UserError(
        f"nothing here is called {choice!r}; dimensions are {', '.join(columns)}"
    )


def _others(
    frame: pd.DataFrame,
    table: pd.DataFrame,
    base: Mapping[str, str],
    others: Sequence[str | Mapping[str, str]] | None,
) -> list[str]:
    known = list(dict.fromkeys(table["me"]))
    if not others:
        return known
    mes = []
    for other in others:
        if isinstance(other, str) and other in known:
            mes.append(other)
            continue
        choice = parse_choice(frame, other)
        me = name_of({d: choice.get(d, "") for d in base})
        if me not in known or set(choice) != set(base):
            over = ", ".join(base)
            raise UserError(f"{other}: not a {over} to compare, only {', '.join(known)}")
        mes.append(me)
    return list(dict.fromkeys(mes))


def _keys(values: pd.DataFrame) -> list[str]:
    """step, then the columns that still tell rows of one me apart."""
    free = [c for c in dimensions_of(values) if c not in _RESULTS]
    settled = values.groupby(["me", "step"], dropna=False)
    keys = ["step", *(c for c in free if (settled[c].nunique(dropna=False) > 1).any())]
    for name in ("op", "clock", "metric"):
        if name in values.columns and values.duplicated([*keys, "me"]).any():
            keys.append(name)
    return keys


def _text(
    table: pd.DataFrame,
    values: pd.DataFrame,
    keys: list[str],
    mes: list[str],
    metric: str,
) -> str:
    base = str(table["base"].iloc[0])
    notes: dict[str, int] = {}
    header = [*keys, "unit", base]
    for me in mes:
        header += [me, f"{me} / {base}", "runs"]
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
            line += [spans[me].get(key, ""), *_ratio_cells(row, notes)]
        rows.append(line)
    rows.append(_geomean(table, keys, mes))
    direction = "/".join(dict.fromkeys(table["direction"]))
    head = f"{metric}, {direction} is better; geometric means ± half of the 95% interval"
    feet = [f"{_mark(n)} {text}" for text, n in notes.items()]
    feet.append("~ no difference detected: the 95% interval of the ratio holds 1")
    return "\n".join([head, "", *_aligned(rows, len(keys) + 1), "", *feet]) + "\n"


def _row(part: pd.DataFrame, at: object) -> Mapping[str, object] | None:
    if at not in part.index:
        return None
    return part.loc[[at]].iloc[0].to_dict()


def _ratio_cells(row: Mapping[str, object] | None, notes: dict[str, int]) -> list[str]:
    if row is None:
        return ["", ""]
    runs = f"{row['n_base']}+{row['n']}"
    marks = "".join(_noted(notes, part) for part in str(row["note"]).split("; ") if part)
    if pd.isna(row["relative"]):
        return [f"- {marks}".strip(), runs]
    ratio = f"{row['relative']:.3f}"
    if pd.notna(row["detected"]):
        tilde = "" if row["detected"] else "~ "
        ratio = f"{tilde}{ratio} ({row['low']:.3f} to {row['high']:.3f})"
    return [f"{ratio} {marks}".strip(), runs]


def _spans(
    values: pd.DataFrame, keys: list[str], notes: dict[str, int]
) -> dict[tuple, str]:
    """Each cell's geometric mean with the half width of its interval in percent."""
    shown = {}
    for row in values.to_dict("records"):
        if pd.isna(row["low"]) or row["value"] == 0:
            few = "need >= 2 runs for an interval" if row["n"] < 2 else ""
            spread = "± ?" + (f" {_noted(notes, few)}" if few else "")
        else:
            half = 50 * (row["high"] - row["low"]) / row["value"]
            spread = f"± {half:.0f}%" if half >= 9.5 else f"± {half:.1f}%"
        shown[tuple(row[k] for k in keys)] = f"{_number(row['value'])} {spread}"
    return shown


def _geomean(table: pd.DataFrame, keys: list[str], mes: list[str]) -> list[str]:
    """The suite's geometric mean of ratios, over the rows that every other has."""
    wide = table.pivot(index=keys, columns="me", values="relative").dropna()
    line = ["geomean", *([""] * (len(keys) + 1))]
    for me in mes:
        mean = _geometric(wide[me]) if len(wide) else ""
        line += ["", mean, f"{len(wide)} rows"]
    return line


def _geometric(ratios: pd.Series) -> str:
    return f"{ratios.prod() ** (1 / len(ratios)):.3f}"


def _csv(table: pd.DataFrame, keys: list[str], mes: list[str]) -> str:
    out = StringIO()
    wide = []
    for key, part in table.groupby(keys, sort=False, dropna=False):
        ratios = {
            row.me: "" if row.n_base == 0 else published_ratio(row.value, row.value_base)
            for row in part.itertuples()
        }
        test = ".".join(str(k) for k in key)
        wide.append([test, *(ratios.get(me, "") for me in mes)])
    pd.DataFrame(wide, columns=["test", *mes]).to_csv(out, index=False)
    return out.getvalue()


def _aligned(rows: Rows, left: int) -> Iterable[str]:
    """Columns two blanks apart; the first ``left`` to the left, numbers to the right."""
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
