"""Flame graphs: what each path of calls costs per operation, and what changed.

The root is at the top, so that a page is read from the first line down and a phone shows
where the time begins; the widest child is at the left. A graph is an inline SVG whose
frames are placed in percent: it fits any width without a script, with a tooltip on each
frame. site/flame.js adds zoom, search and keys. Nothing has an id, and equal frames give
equal text.

A frame is an ``svg`` inside the SVG, because that clips its label.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any, Literal

import pandas as pd

from benchbook.charts.look import FONT, INK
from benchmath.frames import require

ROW, BAR, AXIS = 20, 19, 22  # px: from row to row, of a frame, above the first
_LETTER, _PAGE = 6.3, 800  # px of a letter of a label; of a wide page
_LONGEST = 100  # letters of a name in a tooltip
_DARK = "#1b232b"

# Tints of Okabe and Ito's colours, all light enough for dark text; the labels repeat the
# kind for those who do not see them.
KINDS: Mapping[str, tuple[str, str, str]] = {  # colour, mark of a label, legend
    "user": ("#F1DDAE", "", "user code"),
    "kernel": ("#9FCBEA", " [k]", "kernel [k]"),
    "inlined": ("#A9DCC8", " [i]", "inlined [i]"),
    "jit": ("#E4B3D1", " [j]", "compiled at run time [j]"),
    "unknown": ("#CDD2D7", " [?]", "without a symbol [?]"),
    "merged": ("#E9ECEF", "", ""),
    "process": ("#E1E5E9", "", ""),
    "all": ("#E1E5E9", "", ""),
}
LESS, SAME, MORE = (0x4D, 0xAE, 0xE8), (0xEC, 0xEE, 0xF0), (0xF2, 0x8E, 0x2B)
_NOISE = "#D5D9DD"


@dataclass(frozen=True)
class FlameGraph:
    """What a notebook shows: HTML that needs neither script nor style sheet."""

    html: str
    frames: int

    def _repr_html_(self) -> str:
        return self.html

    def __repr__(self) -> str:
        return f"<flame graph of {self.frames} frames>"


def flame(tree: pd.DataFrame, title: str = "", subtitle: str = "") -> FlameGraph:
    """Where the cost of an operation goes: width is cost, colour the kind of code.

    Takes the frame of ``flame_paths``.
    """
    require(tree, ("node", "parent", "depth", "frame", "kind", "inclusive", "self"))
    rows = _placed(tree, "inclusive")
    unit = _unit(tree)
    for row in rows:
        row["fill"] = KINDS[row["kind"]][0]
        row["label"] = _label(row)
        row["tip"] = _tip(row, unit)
    heading = title or _heading("Where an operation's time goes", unit)
    notes = [subtitle, _pruned(tree), _means(tree)]
    return _drawn(rows, heading, notes, _kinds_legend(tree), unit)


def flame_difference(
    tree: pd.DataFrame,
    title: str = "",
    subtitle: str = "",
    width: Literal["me", "base"] = "me",
) -> FlameGraph:
    """What changed per operation: width is the cost of one version, colour the change.

    Takes the frame of ``flame_change``. The colour is the change of the frame's
    own code, without its callees; grey is within noise. ``width="base"`` shows the old
    version, and so the frames that the new one has not.
    """
    require(tree, ("inclusive", "inclusive_base", "difference", "detected", "gone", "by"))
    rows = _placed(tree, "inclusive" if width == "me" else "inclusive_base")
    unit = _unit(tree)
    most = max((abs(row["difference"]) for row in rows if row["detected"]), default=0.0)
    for row in rows:
        sure = bool(row["detected"]) and most > 0
        row["fill"] = _diverging(row["difference"] / most) if sure else _NOISE
        sign = ("▲ " if row["difference"] > 0 else "▼ ") if sure else ""
        row["label"] = sign + _label(row)
        row["tip"] = _change_tip(row, unit)
    me, base = str(tree["me"].iloc[0]), str(tree["base"].iloc[0])
    heading = title or _heading(f"{me} against {base}: what an operation costs", unit)
    which = f"Width: {me if width == 'me' else base}."
    notes = [subtitle, which, _gone(tree, width), _pruned(tree), _profiles(tree)]
    return _drawn(rows, heading, notes, _change_legend(most, unit), unit)


def _placed(tree: pd.DataFrame, size: str) -> list[dict[str, Any]]:
    """Rows with x and width in percent, those that have a width; parents come first."""
    whole = float(tree[size].iloc[0])
    least = float(tree["least"].iloc[0])
    if not whole > 0:
        raise ValueError("the profile holds nothing: there is no flame to draw")
    free: dict[int, float] = {-1: 0.0}
    rows = []
    for row in tree.to_dict("records"):
        share = row[size] / whole
        if share < least or row["parent"] not in free:
            continue
        x = free[row["parent"]]
        free[row["parent"]] = x + share
        free[row["node"]] = x
        rows.append({**row, "x": 100 * x, "width": 100 * share, "size": row[size]})
    return rows


def _drawn(
    rows: Sequence[Mapping[str, Any]],
    heading: str,
    notes: Sequence[str],
    legend: str,
    unit: str,
) -> FlameGraph:
    depth = max(row["depth"] for row in rows)
    height = AXIS + ROW * (depth + 1)
    whole = rows[0]["size"]
    note = " ".join(text for text in notes if text)
    frames = "\n".join(_frame(row) for row in rows)
    html = f"""<figure class="bb-flame" style="margin:1.25rem 0;position:relative">
<div class="flame-title" style="font:600 17px {FONT};color:{INK}">{_safe(heading)}</div>
<div class="flame-note" style="font:14px/1.4 {FONT};color:{INK}">{_safe(note)}</div>
{legend}
<svg class="flame" role="img" aria-label="{_safe(heading)}" width="100%" \
height="{height}" data-whole="{whole:.6g}" data-unit="{_safe(unit)}" \
font-family="{FONT}" font-size="12" style="display:block">
<g class="flame-axis" fill="{INK}">{_axis(whole, unit)}</g>
<g class="flame-frames" fill="{_DARK}">
{frames}
</g></svg>
</figure>"""
    return FlameGraph(html, len(rows))


def _frame(row: Mapping[str, Any]) -> str:
    y = AXIS + ROW * row["depth"]
    letters = int((row["width"] / 100 * _PAGE - 6) / _LETTER)
    label = f'<text x="3" y="14">{_safe(row["label"][:letters])}</text>'
    return (
        f'<svg x="{row["x"]:.5g}%" y="{y}" width="{row["width"]:.4g}%" height="{BAR}">'
        f"<title>{_safe(row['tip'])}</title>"
        f'<rect width="100%" height="100%" fill="{row["fill"]}" stroke="#fff" '
        f'stroke-width=".7"/>{label if letters > 2 else ""}</svg>'
    )


def _axis(whole: float, unit: str) -> str:
    """Round numbers from 0 on, the last with the unit."""
    step = 10 ** math.floor(math.log10(whole / 3))
    step = next(step * k for k in (1, 2, 5, 10) if whole / (step * k) <= 5)
    ticks = []
    for at in range(int(whole / step) + 1):
        share = 100 * at * step / whole
        if share <= 88 or not at:
            anchor = ' text-anchor="middle"' if at else ""
            text = f"{at * step:.4g}"
            ticks.append(f'<text x="{share:.2f}%" y="14"{anchor}>{text}</text>')
    return (
        "".join(ticks) + f'<text x="100%" y="14" text-anchor="end">{_safe(unit)}</text>'
    )


def _tip(row: Mapping[str, Any], unit: str) -> str:
    own = "" if row["kind"] == "merged" else f", itself {_number(row['self'])}"
    share = f"{100 * row['share']:.1f}%"
    cost = "" if unit == "%" else f"{_number(row['inclusive'])} {unit}, "
    return f"{row['label']}\n{cost}{share} of all{own}"


def _change_tip(row: Mapping[str, Any], unit: str) -> str:
    change = row["inclusive"] - row["inclusive_base"]
    sides = f"{_number(row['inclusive_base'])} → {_number(row['inclusive'])}"
    lines = [row["label"], f"{sides} {unit} ({_signed(change)})"]
    if row["kind"] != "merged":
        lines.append(f"itself {_number(row['self_base'])} → {_number(row['self'])}")
    if not pd.isna(row["difference"]):
        bounds = f"{_signed(row['low'])} to {_signed(row['high'])}"
        sure = "" if row["detected"] else ", within noise"
        what = "function itself, all calls" if row["by"] == "function" else "this path"
        lines.append(f"{what}: {_signed(row['difference'])} ({bounds}){sure}")
    return "\n".join(lines)


def _label(row: Mapping[str, Any]) -> str:
    name = str(row["frame"])
    short = name if len(name) <= _LONGEST else name[: _LONGEST - 1] + "…"
    return short + KINDS[row["kind"]][1]


def _kinds_legend(tree: pd.DataFrame) -> str:
    there = set(tree["kind"])
    parts = [
        f'<span style="white-space:nowrap"><span style="{_swatch(colour)}"></span>'
        f"{words}</span>"
        for kind, (colour, _, words) in KINDS.items()
        if words and kind in there
    ]
    return _legend(parts)


def _change_legend(most: float, unit: str) -> str:
    if not most:
        return _legend(["No frame's own change is told from noise."])
    ends = ",".join(_diverging(at) for at in (-1, 0, 1))
    ramp = (
        "display:inline-block;width:7em;height:.8em;margin:0 .4em;"
        f"background:linear-gradient(90deg,{ends})"
    )
    scale = (
        f'<span style="white-space:nowrap">{_signed(-most)}<span style="{ramp}"></span>'
        f"{_signed(most)} {_safe(unit)}</span>"
    )
    noise = f'<span style="{_swatch(_NOISE)}"></span>within noise'
    words = "change of the frame itself: ▼ less, ▲ more"
    return _legend([scale, words, f'<span style="white-space:nowrap">{noise}</span>'])


def _legend(parts: Sequence[str]) -> str:
    style = f"font:14px/1.6 {FONT};color:{INK};display:flex;flex-wrap:wrap;gap:0 1em"
    inside = "".join(f"<span>{part}</span>" for part in parts)
    return f'<div class="flame-legend" style="{style}">{inside}</div>'


def _swatch(colour: str) -> str:
    return (
        "display:inline-block;width:.9em;height:.9em;margin-right:.35em;"
        f"vertical-align:-.1em;background:{colour}"
    )


def _diverging(at: float) -> str:
    """From LESS at -1 through SAME to MORE at 1."""
    end = MORE if at > 0 else LESS
    part = min(abs(at), 1.0) ** 0.7  # a fifth of the largest is still seen as coloured
    mixed = (round(s + part * (e - s)) for s, e in zip(SAME, end, strict=True))
    return "#" + "".join(f"{value:02X}" for value in mixed)


def _unit(tree: pd.DataFrame) -> str:
    unit = str(tree["unit"].iloc[0])
    return "%" if unit == "%" else f"{'µs' if unit == 'us' else unit}/op"


def _heading(words: str, unit: str) -> str:
    return f"{words} ({'share' if unit == '%' else unit})"


def _pruned(tree: pd.DataFrame) -> str:
    return (
        f"Frames below {100 * float(tree['least'].iloc[0]):.2g}% are merged or left out."
    )


def _means(tree: pd.DataFrame) -> str:
    profiles = int(tree["profiles"].iloc[0])
    counted = f"Mean of {profiles} profiles" if profiles > 1 else "One profile"
    return f"{counted}{_setting(tree)}."


def _profiles(tree: pd.DataFrame) -> str:
    return f"{int(tree['profiles'].iloc[0])} profiles{_setting(tree)}."


def _setting(tree: pd.DataFrame) -> str:
    """Which of several settings was profiled: ` of placement=same`."""
    setting = str(tree["setting"].iloc[0]) if "setting" in tree else ""
    return f" of {setting}" if setting else ""


def _gone(tree: pd.DataFrame, width: str) -> str:
    gone = float(tree["gone"].iloc[0])
    if width != "me" or not gone > 0:
        return ""
    spent = f"{_number(gone)} {_unit(tree)}"
    what = f"{tree['by'].iloc[0]}s"
    return f"Not drawn: {spent} that {tree['base'].iloc[0]} spends in {what} of its own."


def _number(value: float) -> str:
    return f"{value:.3g}" if abs(value) < 1000 else f"{value:,.0f}"


def _signed(value: float) -> str:
    return f"{'−' if value < 0 else '+'}{_number(abs(value))}"


def _safe(value: object) -> str:
    return escape(str(value), quote=True)
