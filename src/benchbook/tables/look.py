"""The one look of all tables: what a column is, how numbers and footnotes print.

Tables arrange what analysis computed; there is no arithmetic here. They use no
JavaScript, take colours and font from the page, fit it by smaller type where they must,
and scroll inside their container on a phone, where the first column stays in view.
"""

import hashlib
import html
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

import pandas as pd
from great_tables import GT, loc
from great_tables import html as raw_html

from benchbook.tables.columns import PAGE, READABLE, Type, fitting, narrowed, width
from benchbook.tables.columns import Column as Column
from benchbook.tables.columns import Numbers as Numbers
from benchbook.tables.columns import Row as Row
from benchmath.hazard import Hazard
from benchmath.prose import Show, number, span, unsure

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
_ACROSS = "across"
Parts = tuple[list[Row], list[Column]]  # rows and columns of a table
_NIL = 1e-4  # in a table: nothing to tell from 0, unless all of its column is so small
_UNITS = {"us": "µs", "% s": "CPU % × s", "1/s": "per s"}


def nothing(
    sentence: str, title: str | None, name: str = "step", head: str = "step"
) -> GT:
    """A table without rows: why there are none, and no headings over nothing."""
    return table([], [Column(name, head)], title, [sentence])


def table(
    rows: pd.DataFrame | Iterable[Row],
    columns: Sequence[Column],
    title: str | None = None,
    notes: Iterable[str] = (),
    hazards: Iterable[Hazard] = (),
    doubted: str = "",
    empty: str = "",
    order: Iterable[str] = (),
) -> GT:
    """A table of rows by its columns, in the project's look.

    A hazard marks the rows that it concerns in the column ``doubted``, else in the first.
    Columns' notes come as they stand in ``order``, others after them. Of no rows the one
    note is ``empty``, where that is given.
    """
    records = records_of(rows)
    marks = [
        (words, column.name, index)
        for index, row in enumerate(records)
        for column in columns
        for words in notes_at(column, row)
    ]
    place = {words: i for i, words in enumerate(dict.fromkeys(order))}
    marks.sort(key=lambda mark: place.get(mark[0], len(place)))
    marks += [
        (hazard.text, doubted or columns[0].name, index)
        for hazard in hazards
        for index, row in enumerate(records)
        if hazard.concerns(row)
    ]
    body = narrowed(cells_of(records, columns).astype(object), columns)
    ident, kind = _ident(body), fitting(body, columns)
    made = _with_heads(GT(body, id=ident), columns, title)
    made = _with_footnotes(made, columns, marks, len(records))
    sentences = [empty] if empty and not records else [*notes]
    for sentence in sentences:
        made = made.tab_source_note(raw_html(_note(sentence)))
    if sentences and not records:
        made = made.tab_options(column_labels_hidden=True)
    return _with_options(made, kind).opt_css(_style(ident, kind), add=True)


def records_of(rows: pd.DataFrame | Iterable[Row]) -> list[Row]:
    """Rows as mappings."""
    return rows.to_dict("records") if isinstance(rows, pd.DataFrame) else [*rows]


def cells_of(rows: Iterable[Row], columns: Iterable[Column]) -> pd.DataFrame:
    """The finished cells of a table, as HTML."""
    records = [*rows]
    return pd.DataFrame({c.name: [_cell(c, row) for row in records] for c in columns})


def notes_at(column: Column, row: Row) -> Iterable[str]:
    """The footnotes of a cell."""
    record = _record(column, row)
    return column.notes(record) if column.notes and record else ()


def _cell(column: Column, row: Row) -> str:
    if not (record := _record(column, row)):
        return ""
    return (
        column.cell(record) if column.cell else (column.show or text)(record[column.name])
    )


def _record(column: Column, row: Row) -> Row | None:
    return row if column.of is None else row[_ACROSS].get(str(column.of))


def across(
    frame: pd.DataFrame | Iterable[Row], keys: Sequence[str], by: str
) -> list[Row]:
    """Rows of a table that has a column per value of ``by``: one per value of ``keys``.

    Each is the first record of its keys, with the records for columns ``of`` a value.
    """
    rows: dict[tuple[str, ...], dict[str, Any]] = {}
    for record in records_of(frame):
        key = tuple(str(record[name]) for name in keys)
        row = rows.setdefault(key, {**record, _ACROSS: {}})
        row[_ACROSS][str(record[by])] = record
    return [*rows.values()]


def records_across(row: Row) -> Mapping[str, Row]:
    """The records of a row of ``across``, by value."""
    return row[_ACROSS]


def turned(
    plain: Parts, first: Column, columns: Callable[[int, Row], Column]
) -> Parts | None:
    """A table with a row per column of numbers, if it is too wide and this one less so.

    A row of it has the old ``column``. ``first`` names it, and has the footnotes that its
    cells share; ``columns`` are the heads of the old rows, whose footnotes they keep.
    """
    rows, old = plain

    def column(index: int, row: Row) -> Column:
        def notes(new: Row) -> list[str]:
            own, shared = notes_at(new["column"], row), notes_at(first, new)
            return [*notes_at(old[0], row), *(n for n in own if n not in shared)]

        def cell(new: Row) -> str:
            return _cell(new["column"], row)

        return replace(columns(index, row), right=True, cell=cell, notes=notes)

    new_rows: list[Row] = [{"column": c} for c in old if c.right]
    new = [first, *(column(index, row) for index, row in enumerate(rows))]
    wide = width(cells_of(*plain), old, READABLE)
    narrower = width(cells_of(new_rows, new), new, READABLE) < wide
    return (new_rows, new) if wide > PAGE and narrower else None


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


def wrapped(value: object) -> str:
    """Escaped text that takes the room that there is."""
    return marked(broken(str(value)), "wrap")


def figure(value: float) -> str:
    """A number of a table: ``number``, but ≈0 for what is too small to tell from 0."""
    return "≈0" if isinstance(value, float) and 0 < abs(value) < _NIL else number(value)


def figures(values: pd.Series) -> Show:
    """How a column's numbers show: all digits where the largest of them is small."""
    largest = values.abs().max()
    return figure if pd.notna(largest) and largest >= 100 * _NIL else number


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


def small_unit(unit: object) -> str:
    """HTML of a unit in a column of its own."""
    return small(shown_unit(str(unit)))


def marked(value: str, kind: str) -> str:
    """HTML of a value in one of the classes better, worse, none; plain in no class."""
    return f'<span class="bb-{kind}">{value}</span>' if kind else value


def warned(value: str, bad: bool) -> str:
    """HTML of a value that is coloured where it is bad."""
    return marked(value, "worse") if bad else value


def decided(value: str, detected: bool, better: bool | None = None) -> str:
    """HTML of a number: with ~ where nothing was detected, else coloured if judged."""
    if not detected:
        return marked(unsure(value, False), "none")
    return value if better is None else marked(value, "better" if better else "worse")


def with_span(
    value: str, low: float, high: float, show: Show = figure, between: str = "<br>"
) -> str:
    """HTML of a number, its interval in small type below; alone where it has none."""
    bounds = "" if pd.isna(low) else small(span(low, high, show))
    return f"{value}{between}{bounds}" if bounds else value


def interval(
    unit: str,
    show: Show = figure,
    low: str = "low",
    high: str = "high",
    spanner: str = "",
) -> Column:
    """A column of intervals, in small type."""
    return Numbers(
        "interval", "95% interval", unit, spanner=spanner,
        cell=lambda row: small(span(row[low], row[high], show)),
    )  # fmt: skip


def fixed(form: str, times: float = 1) -> Callable[[Any], str]:
    """Numbers in one format; nothing for a missing one."""
    return lambda value: "" if pd.isna(value) else form.format(times * value)


def note(row: Row) -> list[str]:
    """The note of a row, as a footnote of a column."""
    words = row.get("note")
    return [] if pd.isna(words) or not words else [str(words)]


def note_parts(row: Row) -> list[str]:
    """The parts of a row's note, each a footnote."""
    return [part for part in str(row.get("note") or "").split("; ") if part]


def varying(frame: pd.DataFrame, names: Iterable[str]) -> list[str]:
    """Those of the named columns that the frame has with more than one value."""
    present = [n for n in names if n in frame.columns]
    return [n for n in present if frame[n].nunique(dropna=False) > 1]


def _ident(body: pd.DataFrame) -> str:
    return "bb-" + hashlib.sha256(body.to_csv().encode()).hexdigest()[:10]


def _with_heads(table: GT, columns: Sequence[Column], title: str | None) -> GT:
    table = table.fmt_passthrough(columns=[c.name for c in columns], escape=False)
    table = table.cols_label({c.name: raw_html(_header(c)) for c in columns})
    for side in ("left", "right"):
        aligned = [c.name for c in columns if c.right == (side == "right")]
        if aligned:
            table = table.cols_align(side, columns=aligned)
    for spanner in dict.fromkeys(c.spanner for c in columns if c.spanner):
        under = [c.name for c in columns if c.spanner == spanner]
        table = table.tab_spanner(raw_html(text(spanner)), columns=under)
    return table.tab_header(title).opt_align_table_header("left") if title else table


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
    for word in html.escape(column.head, quote=False).split(" "):
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
    table: GT, columns: Sequence[Column], marks: Sequence[tuple[str, str, int]], rows: int
) -> GT:
    """One mark per text; what holds for every row of a column marks its header."""
    right = {c.name for c in columns if c.right}
    for words in dict.fromkeys(mark[0] for mark in marks):
        places: dict[str, list[int]] = {}
        for _, name, row in (mark for mark in marks if mark[0] == words):
            places.setdefault(name, []).append(row)
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
