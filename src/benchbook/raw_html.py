"""HTML that a notebook carries in its markdown, apart from the rest of the page."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Mapping
from typing import Any

VEGALITE_VERSION = "5.20"  # Altair's; site.py writes the same one
DIGITS = 10  # of a chart's figures: the last of 17 depend on the processor's arithmetic

# An id where it is pointed at: url(#x), href="#x", or a selector; a colour is none.
REFERENCE = r"""(url\(["']?|href="|^\s*|[},]\s*|<style>)#([A-Za-z][\w-]*)"""

# What Vega says of the parts of a picture, which is read as a whole.
PART = r' (?:role="graphics-[a-z]+"|aria-[a-z]+="[^"]*")'

# Where a picture's attributes place something, and what there is below .01 px.
_PLACED = re.compile(
    r' (?:d|transform|points|[xy][12]?|c[xy]|r|width|height)="[^"]*\.\d{3}[^"]*"'
)
_FINE = re.compile(r"-?\d*\.\d{3,}(?:e[-+]?\d+)?")

_UNSEEN = re.compile(
    r'<path class="foreground" d=""[^>]*display="none"/>|'
    r'<text [^>]*opacity="0"[^>]*>[^<]*</text>|'  # of an axis: labels without room
    r' (?:opacity="1"|font-weight="normal"|font-style="normal")'
)

_FONT = re.compile(r' font-family="[^"]*"')

# A table's rules, in the container whose id they are for.
_LOOK = re.compile(r'<div id="([^"]+)"([^>]*)>\s*<style>(.*?)</style>', re.DOTALL)

# A class that Quarto takes for a place of its page layout, on whatever element it is.
LAID_OUT = re.compile(r"(column|page|panel|margin)-|(aside|fullcontent|slimcontent)$")


def fenced(text: str, attributes: str) -> str:
    """A markdown block that holds ``text`` as it is, whatever it holds."""
    fence = "`" * max([3, *(len(run) + 1 for run in re.findall("`+", text))])
    return f"{fence}{attributes}\n{text}\n{fence}"


def own_ids(text: str, prefix: str) -> str:
    """The same HTML with ids that no other output of the page has."""
    new: dict[str, str] = {}
    for old in re.findall(r'\sid="([^"]+)"', text):
        new.setdefault(old, f"{prefix}-{len(new) + 1}")

    def renamed(match: re.Match[str]) -> str:
        names = [new.get(name, name) for name in match[2].split()]
        return f'{match[1]}"{" ".join(names)}"'

    def pointed(match: re.Match[str]) -> str:
        return f"{match[1]}#{new.get(match[2], match[2])}"

    text = re.sub(r'(\s(?:id|headers|for|aria-labelledby)=)"([^"]*)"', renamed, text)
    return re.sub(REFERENCE, pointed, text, flags=re.MULTILINE)


def shared_looks(text: str, known: dict[str, str]) -> str:
    """The same tables with each look said once on a page, by the first that has it.

    ``known`` is the page's: classes by their rules. A table brings 10 KB of rules that
    hold for its id; those of a class weigh as much beside the id of nothing.
    """

    def shared(match: re.Match[str]) -> str:
        ident, further, style = match.groups()
        rules = re.sub(rf"#{re.escape(ident)}(?![\w-])", "#ID", style)
        first = rules not in known
        name = known.setdefault(rules, f"bb-look-{len(known) + 1}")
        said = rules.replace("#ID", f":is(#bb-none, .{name})")
        style = f"\n<style>{said}</style>" if first else ""
        return f'<div id="{ident}" class="{name}"{further}>{style}'

    return _LOOK.sub(shared, text)


def own_classes(text: str) -> str:
    """The same HTML with no class of Quarto's layout: Vega makes some of marks' names."""

    def renamed(match: re.Match[str]) -> str:
        names = match[1].split()
        own = (f"bb-{name}" if LAID_OUT.match(name) else name for name in names)
        return f' class="{" ".join(own)}"'

    return re.sub(r'\sclass="([^"]*)"', renamed, text)


def lean_picture(svg: str) -> str:
    """The same picture, placed to .01 px, without what nobody sees.

    Vega writes 17 digits, a path for the foreground of each group, what is usual, and at
    each text the font of all.
    """

    def rounded(match: re.Match[str]) -> str:
        return f"{float(match[0]):.2f}".rstrip("0").rstrip(".")

    coarse = _PLACED.sub(lambda match: _FINE.sub(rounded, match[0]), svg)
    lean = _UNSEEN.sub("", coarse)
    fonts = set(_FONT.findall(lean))
    if len(fonts) != 1:
        return lean
    return _FONT.sub("", lean).replace("<svg", f"<svg{fonts.pop()}", 1)


def chart_block(spec: Mapping[str, Any], prefix: str, caption: str = "") -> str:
    """A chart to see without JavaScript, and the spec that makes it interactive."""
    import vl_convert

    spec = portable(spec)
    name = html.escape(_chart_name(spec) or caption or "Chart", quote=True)
    svg = vl_convert.vegalite_to_svg(spec, vl_version=VEGALITE_VERSION)
    svg = lean_picture(re.sub(PART, "", own_classes(own_ids(svg, prefix)))).replace(
        "<svg ", f'<svg role="img" aria-label="{name}" ', 1
    )
    source = json.dumps(spec, separators=(",", ":"), ensure_ascii=False)
    source = source.replace("<", "\\u003c")
    script = f'<script type="application/json">{source}</script>'
    view = f'<div class="bb-view">{svg}</div>'
    return f'<figure class="bb-chart">\n{view}\n{script}\n</figure>'


def portable(spec: Mapping[str, Any]) -> dict[str, Any]:
    """The same chart whichever processor computed its figures.

    They have ten digits, and data sets are numbered: Altair names them by their digits.
    """
    numbers = {name: f"data-{i}" for i, name in enumerate(spec.get("datasets", {}), 1)}

    def same(value: Any) -> Any:
        if isinstance(value, float):
            return float(f"{value:.{DIGITS}g}")
        if isinstance(value, Mapping):
            return {numbers.get(key, key): same(inner) for key, inner in value.items()}
        if isinstance(value, list):
            return [same(inner) for inner in value]
        return numbers.get(value, value) if isinstance(value, str) else value

    chart: dict[str, Any] = same(spec)
    return chart


def _chart_name(spec: Mapping[str, Any]) -> str:
    title = spec.get("title", "")
    text = title.get("text", "") if isinstance(title, Mapping) else title
    lines = text if isinstance(text, list) else [text]
    return str(spec.get("description") or " ".join(lines))
