"""The one look of all tables: what a column is, how numbers and footnotes print.

Tables arrange what analysis computed; there is no arithmetic here. They use no
JavaScript, take colours and font from the page, fit it by smaller type where they must,
and scroll inside their container on a phone, where the first column stays in view.
"""

import hashlib
import html
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import pandas as pd
from great_tables import GT, loc
from great_tables import html as raw_html

from benchbook.tables.columns import Column as Column
from benchbook.tables.columns import Type, fitting, narrowed
from benchmath.hazard import Hazard
from benchmath.prose import number

# Blue and vermilion of Okabe and Ito, the latter darkened to be legible as text; a page
# may have others for a dark background. What is coloured is decided, never likely.
_CSS = """
#ID .gt_table, #ID .gt_table * { color: inherit; background-color: transparent; }
#ID .gt_row, #ID .gt_col_heading { padding: ABOVEpx BESIDEpx; vertical-align: baseline;
  white-space: nowrap; }
#ID .gt_row.gt_left { white-space: normal; }
#ID .bb-long { display: inline-block; white-space: normal; min-width: min(11em, 45vw);
  vertical-align: top; }
#ID .bb-wrap, #ID .bb-verdict { display: inline-block; white-space: normal;
  vertical-align: top; }
#ID .bb-wrap { min-width: min(8em, 35vw); }
#ID .gt_col_heading { font-weight: 600; vertical-align: bottom; white-space: normal; }
#ID .gt_right { font-variant-numeric: tabular-nums; }
#ID .gt_table { margin-left: 0; }
#ID .gt_footnote, #ID .gt_sourcenote { font-size: 0.85rem; text-align: left; }
#ID .bb-note { display: inline-block; max-width: min(56em, 80vw); vertical-align: top; }
#ID .bb-word { white-space: nowrap; }
#ID .bb-small { font-size: SMALLem; font-weight: 400; color: var(--bb-soft, #5a6672); }
#ID .bb-none { opacity: 0.8; }
#ID .bb-strong { font-weight: 600; }
#ID .bb-better { color: var(--bb-better, #0072B2); font-weight: 600; }
#ID .bb-worse { color: var(--bb-worse, #B84E00); font-weight: 600; }
#ID .gt_row:first-child,
#ID .gt_col_headings > .gt_col_heading:first-child { position: sticky; left: 0;
  z-index: 1; background-color: var(--bb-paper, var(--jp-layout-color0, #fff)); }
#ID .gt_spanner_row + .gt_col_headings > .gt_col_heading:first-child {
  position: static; }
@media (max-width: 40rem) {
#ID .gt_row:first-child { max-width: 38vw; }
#ID .gt_row:first-child > .bb-long { min-width: 0; }
}
"""

LONG = 30  # characters: a longer text of several words has a least width
_WORD = 12  # characters: a longer word may break where its parts do
_PARTS = re.compile(r"(?<=\w)([._=,/(]|::|-(?=[a-z]))(?=[A-Za-z~])")
_NIL = 1e-4  # in a table: nothing to tell from 0, unless all of its column is so small
_UNITS = {"us": "µs", "% s": "CPU % × s", "1/s": "per s"}


@dataclass(frozen=True)
class Footnote:
    """A text and the body cell that it is attached to."""

    text: str
    row: int
    column: str


def nothing(
    sentence: str, title: str | None, name: str = "step", head: str = "step"
) -> GT:
    """A table without rows: why there are none, and no headings over nothing."""
    none = pd.DataFrame({name: []})
    return styled(none, [Column(name, head)], title, notes=[sentence])


def styled(
    cells: pd.DataFrame,
    columns: Sequence[Column],
    title: str | None = None,
    footnotes: Iterable[Footnote] = (),
    notes: Iterable[str] = (),
) -> GT:
    """A table of finished cells (HTML strings) in the project's look."""
    names = [c.name for c in columns]
    body = cells[names].astype(object).reset_index(drop=True)
    body = narrowed(body, columns)
    ident = "bb-" + hashlib.sha256(body.to_csv().encode()).hexdigest()[:10]
    table = GT(body, id=ident).fmt_passthrough(columns=names, escape=False)
    table = table.cols_label({c.name: raw_html(_header(c)) for c in columns})
    for side in ("left", "right"):
        aligned = [c.name for c in columns if c.right == (side == "right")]
        if aligned:
            table = table.cols_align(side, columns=aligned)
    for spanner in dict.fromkeys(c.spanner for c in columns if c.spanner):
        under = [c.name for c in columns if c.spanner == spanner]
        table = table.tab_spanner(raw_html(text(spanner)), columns=under)
    if title:
        table = table.tab_header(title).opt_align_table_header("left")
    table = _with_footnotes(table, columns, list(footnotes), len(body))
    sentences = list(notes)
    for note in sentences:
        table = table.tab_source_note(raw_html(_note(note)))
    if sentences and body.empty:
        table = table.tab_options(column_labels_hidden=True)
    kind = fitting(body, columns)
    return _with_options(table, kind).opt_css(_style(ident, kind), add=True)


def text(value: object) -> str:
    """Any value as escaped text; nothing for a missing one."""
    if value is None or (not isinstance(value, str) and pd.isna(value)):
        return ""
    words = broken(str(value))
    prose = len(str(value)) > LONG and " " in str(value).strip()
    return f'<span class="bb-long">{words}</span>' if prose else words


def broken(value: str) -> str:
    """Escaped text whose long words may break where their parts do."""
    return re.sub(r"\S+", lambda word: _word(word[0]), html.escape(value, quote=False))


def figure(value: float) -> str:
    """A number of a table: ``number``, but ≈0 for what is too small to tell from 0."""
    return "≈0" if isinstance(value, float) and 0 < abs(value) < _NIL else number(value)


def figures(values: pd.Series) -> list[str]:
    """The numbers of a column; all their digits where the largest of them is small."""
    largest = values.abs().max()
    form = figure if pd.notna(largest) and largest >= 100 * _NIL else number
    return [form(value) for value in values]


def shown_unit(unit: str) -> str:
    """A unit as a reader knows it."""
    return _UNITS.get(unit, unit)


def cost_name(metric: str) -> str:
    """A cost per operation as it is published: ``client cpu/o``, ``server rKB/o``."""
    if not metric.endswith("_o"):
        return metric
    words = metric.removesuffix("_o").split("_")
    return " ".join(re.sub(r"^([rwd])kb$", r"\1KB", word) for word in words) + "/o"


def small(value: str) -> str:
    """HTML of secondary text beside a number."""
    return f'<span class="bb-small">{text(value)}</span>' if value else ""


def marked(value: str, kind: str) -> str:
    """HTML of a value in one of the classes better, worse, none."""
    return f'<span class="bb-{kind}">{value}</span>'


def varying(frame: pd.DataFrame, names: Iterable[str]) -> list[str]:
    """Those of the named columns that the frame has with more than one value."""
    present = [n for n in names if n in frame.columns]
    return [n for n in present if frame[n].nunique(dropna=False) > 1]


def hazard_notes(
    rows: Sequence[Mapping[str, object]], hazards: Iterable[Hazard], column: str
) -> list[Footnote]:
    """A footnote in ``column`` for each row that a hazard concerns."""
    return [
        Footnote(hazard.text, index, column)
        for hazard in hazards
        for index, row in enumerate(rows)
        if hazard.concerns(row)
    ]


def _note(words: str) -> str:
    return f'<span class="bb-note">{html.escape(words, quote=False)}</span>'


def _word(word: str) -> str:
    """A long name may break between its parts, a flag like -O2 never after its dash."""
    if re.match("-+[A-Za-z]", word):
        parts = _PARTS.sub("\\1\n", word) if len(word) > _WORD else word
        return "<wbr>".join(
            f'<span class="bb-word">{part}</span>' for part in parts.split("\n")
        )
    return _PARTS.sub(r"\1<wbr>", word) if len(word) > _WORD else word


def _header(column: Column) -> str:
    """Title and unit; a short name like gcc-12 is not broken after its dash."""
    words = []
    for word in html.escape(column.title, quote=False).split(" "):
        whole = "-" in word and len(word) <= _WORD
        words.append(f'<span class="bb-word">{word}</span>' if whole else _word(word))
    unit = text(shown_unit(column.unit))
    below = f'<br><span class="bb-small">{unit}</span>' if unit else ""
    return " ".join(words) + below


def _style(ident: str, kind: Type) -> str:
    sizes = {"ABOVE": kind.above, "BESIDE": kind.beside, "SMALL": kind.small}
    style = _CSS.replace("#ID", f"#{ident}")
    for name, size in sizes.items():
        style = style.replace(name, f"{size:g}")
    return style


def _with_footnotes(
    table: GT, columns: Sequence[Column], footnotes: list[Footnote], rows: int
) -> GT:
    """One mark per text; what holds for every row of a column marks its header."""
    right = {c.name for c in columns if c.right}
    for words in dict.fromkeys(f.text for f in footnotes):
        places: dict[str, list[int]] = {}
        for note in footnotes:
            if note.text == words:
                places.setdefault(note.column, []).append(note.row)
        for name, marked_rows in places.items():
            chosen = sorted(set(marked_rows))
            text_of_note = raw_html(_note(words))
            if rows > 1 and len(chosen) == rows:
                head = loc.column_labels(columns=name)
                table = table.tab_footnote(text_of_note, head, placement="right")
                continue
            body = loc.body(columns=name, rows=chosen)
            side: Literal["left", "right"] = "left" if name in right else "right"
            table = table.tab_footnote(text_of_note, body, placement=side)
    return table


def _with_options(table: GT, kind: Type) -> GT:
    return table.opt_footnote_marks("letters").tab_options(
        table_font_names=["system-ui", "sans-serif"],
        table_font_size=f"{kind.size:g}em",
        table_width="auto",
        container_overflow_x="auto",
        container_overflow_y="hidden",
        container_padding_y="0px",
        column_labels_border_top_style="none",
        table_border_top_style="none",
        table_border_bottom_style="none",
        table_body_hlines_color="#8883",
    )
