"""The one look of all tables: what a column is, how numbers and footnotes print.

Tables arrange what analysis computed; there is no arithmetic here. They use no
JavaScript, take colours and font from the page, and scroll inside their container.
"""

import hashlib
import html
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import pandas as pd
from great_tables import GT, loc
from great_tables import html as raw_html

from benchbook.analysis.hazard import Hazard

# Blue and vermilion of Okabe and Ito, the latter darkened to be legible as text.
_CSS = """
#ID .gt_table, #ID .gt_table * { color: inherit; background-color: transparent; }
#ID .gt_row, #ID .gt_col_heading { padding: 4px 9px; vertical-align: baseline;
  white-space: nowrap; }
#ID .bb-long { display: inline-block; white-space: normal; min-width: 16em;
  vertical-align: top; }
#ID .bb-wrap, #ID .bb-verdict { display: inline-block; white-space: normal;
  vertical-align: top; }
#ID .bb-wrap { min-width: 8em; }
#ID .gt_col_heading { font-weight: 600; vertical-align: bottom; white-space: normal; }
#ID .gt_right { font-variant-numeric: tabular-nums; }
#ID .gt_table { margin-left: 0; }
#ID .gt_footnote, #ID .gt_sourcenote { font-size: 0.85em; text-align: left; }
#ID .bb-note { display: inline-block; max-width: min(56em, 80vw); vertical-align: top; }
#ID .bb-word { white-space: nowrap; }
#ID .bb-small { font-size: 0.8em; font-weight: 400; opacity: 0.8; }
#ID .bb-none { opacity: 0.75; }
#ID .bb-better { color: #0072B2; font-weight: 600; }
#ID .bb-worse { color: #B84E00; font-weight: 600; }
"""

LONG = 30  # characters: a longer text may break between words


@dataclass(frozen=True)
class Column:
    """A column of a finished table: header, unit under it, side it aligns to."""

    name: str
    title: str
    unit: str = ""
    right: bool = False
    spanner: str = ""


@dataclass(frozen=True)
class Footnote:
    """A text and the body cell that it is attached to."""

    text: str
    row: int
    column: str


def nothing(
    sentence: str, title: str | None, name: str = "step", head: str = "step"
) -> GT:
    """A table without rows: the heading of its first column, and why there are none."""
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
    for note in notes:
        table = table.tab_source_note(raw_html(_note(note)))
    return _with_options(table).opt_css(_CSS.replace("#ID", f"#{ident}"), add=True)


def text(value: object) -> str:
    """Any value as escaped text; nothing for a missing one."""
    if value is None or (not isinstance(value, str) and pd.isna(value)):
        return ""
    escaped = html.escape(str(value), quote=False)
    return f'<span class="bb-long">{escaped}</span>' if len(escaped) > LONG else escaped


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


def _header(column: Column) -> str:
    """Title and unit; a flag like -O2 is not broken after its dash."""
    words = [
        f'<span class="bb-word">{text(word)}</span>' if "-" in word else text(word)
        for word in column.title.split(" ")
    ]
    unit = f'<br><span class="bb-small">{text(column.unit)}</span>' if column.unit else ""
    return " ".join(words) + unit


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


def _with_options(table: GT) -> GT:
    return table.opt_footnote_marks("letters").tab_options(
        table_font_names=["system-ui", "sans-serif"],
        table_font_size="0.95em",
        table_width="auto",
        container_overflow_x="auto",
        container_overflow_y="hidden",
        container_padding_y="0px",
        column_labels_border_top_style="none",
        table_border_top_style="none",
        table_border_bottom_style="none",
        table_body_hlines_color="#8883",
    )
