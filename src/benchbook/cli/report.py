"""What a verb found, and its forms: text, Markdown, CSV, JSON and JUnit's XML.

A report is sections for people, a frame and a document for programs, cases for CI. What
a verb has not got, nobody can ask it for; how a form is written is said here once.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from io import StringIO
from typing import Any, Protocol
from xml.etree import ElementTree

import pandas as pd

from benchbook.escaped import markdown_cell, markdown_code, markdown_text, xml_text
from benchbook.escaped import printable as seen

_FORMULA = re.compile(r"[=+\-@\t\r]")
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
_LONGEST_NOTE = 1000


class Column(Enum):
    """What a column of a table holds."""

    NAME = "names of others"
    WORD = "words of ours"
    NUMBER = "numbers"
    FIGURE = "numbers below a name of others"

    @property
    def right(self) -> bool:
        """Are its cells aligned to the right?"""
        return self in (Column.NUMBER, Column.FIGURE)

    @property
    def below_name(self) -> bool:
        """Is its head a name of others?"""
        return self in (Column.NAME, Column.FIGURE)


@dataclass(frozen=True)
class Table:
    """Rows of texts below their heads, if it has any; title: the line above it."""

    columns: Sequence[tuple[str, Column]]
    rows: Sequence[Sequence[str]]
    title: str = ""

    @classmethod
    def of_words(
        cls, heads: Sequence[str], rows: Sequence[Sequence[str]], title: str = ""
    ) -> Table:
        """One whose columns are all words of ours."""
        return cls([(head, Column.WORD) for head in heads], rows, title)


@dataclass(frozen=True)
class Notes:
    """Lines that belong together, a list in Markdown."""

    lines: Iterable[str]


@dataclass(frozen=True)
class Fold:
    """Sections that are shown when asked for, below their summary."""

    summary: str
    sections: Sequence[Section]


Section = str | Notes | Table | Fold


@dataclass(frozen=True)
class Case:
    """A test of JUnit's; kind: failure, error, skipped, or nothing."""

    name: str
    kind: str = ""
    message: str = ""


class Report:
    """What a verb found; of the forms below it has those that its options name."""

    name: str
    exit_code = 0


class Spoken(Protocol):
    """For the terminal."""

    def sections(self) -> Iterable[Section]: ...


class Paged(Protocol):
    """For Markdown; names in its paragraphs are escaped."""

    def page(self) -> Iterable[Section]: ...


class Documented(Protocol):
    """For JSON; what is no number becomes null."""

    def document(self) -> Mapping[str, Any]: ...


class Framed(Protocol):
    """For CSV; its index is written if it has a name."""

    def frame(self) -> pd.DataFrame: ...


class Judging(Protocol):
    """For JUnit: the name of the suite, and its cases."""

    name: str

    def cases(self) -> tuple[str, Sequence[Case]]: ...


def as_text(report: Spoken) -> str:
    """Paragraphs and aligned tables; nothing in them is obeyed by a terminal."""
    return "\n\n".join(filter(None, map(_text_of, report.sections()))) + "\n"


def _text_of(section: Section) -> str:
    if isinstance(section, Table):
        heads = [head for head, _ in section.columns]
        rows = [list(map(seen, row)) for row in (heads, *section.rows) if any(row)]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        right = [kind.right for _, kind in section.columns]
        lines = [
            "  ".join(
                cell.rjust(width) if is_right else cell.ljust(width)
                for cell, width, is_right in zip(row, widths, right, strict=True)
            ).rstrip()
            for row in rows
        ]
        return "\n".join([*filter(None, [seen(section.title)]), *lines])
    if isinstance(section, Fold):
        return "\n\n".join([section.summary, *map(_text_of, section.sections)])
    if isinstance(section, Notes):
        return "\n".join(map(seen, section.lines))
    return "\n".join(map(seen, section.split("\n")))


def as_markdown(report: Paged) -> str:
    """Paragraphs, tables and lists; no name in them is markup."""
    return markdown_of(report.page()) + "\n"


def markdown_of(sections: Iterable[Section]) -> str:
    """Sections, a blank line between them; without those that are empty."""
    return "\n\n".join(filter(None, map(_markdown_of, sections)))


def _markdown_of(section: Section) -> str:
    if isinstance(section, Table):
        kinds = [kind for _, kind in section.columns]
        heads = [markdown_cell(head) if kind.below_name else head
                 for head, kind in section.columns]  # fmt: skip
        marks = ["---:" if kind.right else "---" for kind in kinds]
        cells = [
            markdown_cell if kind is Column.NAME else markdown_text for kind in kinds
        ]
        rows = [[cell(text) for cell, text in zip(cells, row, strict=True)]
                for row in section.rows]  # fmt: skip
        gap = " " if Column.NAME in kinds else ""
        return "\n".join(
            f"|{gap}{f'{gap}|{gap}'.join(row)}{gap}|" for row in (heads, marks, *rows)
        )
    if isinstance(section, Fold):
        summary = f"<summary>{section.summary}</summary>"
        inside = markdown_of(section.sections)
        return f"<details>\n{summary}\n\n{inside}\n\n</details>"
    return "\n".join(_listed(section.lines)) if isinstance(section, Notes) else section


def _listed(notes: Iterable[str]) -> list[str]:
    """Each as a line of a list; they hold names, so they are code where they do."""
    return [
        f"- {markdown_code(note, _LONGEST_NOTE) if _is_odd(note) else note}"
        for note in notes
    ]


def _is_odd(note: str) -> bool:
    """Would Markdown make something of it, but for the mark of a footnote before it?"""
    bare = re.sub(r"^\[\d+\] ", "", note)
    odd = re.search(r"^[-+=0-9]|[`*_<>&|#@\\!~[]|://|www\.", bare)
    return bool(odd) or not bare.isprintable()


def as_csv(report: Framed) -> str:
    """Comma-separated values that a spreadsheet may open."""
    frame = report.frame()
    out = StringIO()
    index = bool(frame.index.name)
    inert_frame(frame).to_csv(out, lineterminator="\n", index=index)
    return out.getvalue()


def inert(text: object) -> object:
    """A text that would be a formula behind an apostrophe; all else as it is.

    >>> inert("=1+1"), inert("-0.5"), inert("scan"), inert(3)
    ("'=1+1", '-0.5', 'scan', 3)
    """
    if isinstance(text, str) and _FORMULA.match(text) and not _NUMBER.fullmatch(text):
        return f"'{text}"
    return text


def inert_frame(frame: pd.DataFrame) -> pd.DataFrame:
    """The frame with no formula in its texts, its index and the names of its columns."""
    texts = frame.select_dtypes(exclude="number").columns
    safe = frame.assign(**{name: frame[name].map(inert) for name in texts})
    safe.index = safe.index.map(inert)
    return safe.rename(columns=inert)


def as_json(report: Documented) -> str:
    """Numbers as they are, null where there is none."""
    return json.dumps(_plain(report.document()), indent=1, allow_nan=False) + "\n"


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _plain(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(inner) for inner in value]
    value = value.item() if hasattr(value, "item") else value
    missing = value is pd.NA or (isinstance(value, float) and not math.isfinite(value))
    return None if missing else value


def as_junit(report: Judging) -> str:
    """A suite with a case per test."""
    name, cases = report.cases()
    kinds = {"failures": "failure", "errors": "error", "skipped": "skipped"}
    counts = {n: str(sum(c.kind == kind for c in cases)) for n, kind in kinds.items()}
    suite = ElementTree.Element(
        "testsuite", {"name": xml_text(name), "tests": str(len(cases)), **counts}
    )
    for case in cases:
        names = {"classname": xml_text(f"benchbook.{report.name}"),
                 "name": xml_text(case.name)}  # fmt: skip
        element = ElementTree.SubElement(suite, "testcase", names)
        if case.kind:
            ElementTree.SubElement(element, case.kind, message=xml_text(case.message))
    ElementTree.indent(suite)
    text = ElementTree.tostring(suite, encoding="unicode", xml_declaration=False)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'


WRITERS: Mapping[str, Callable[[Any], str]] = {
    "text": as_text, "csv": as_csv, "json": as_json, "markdown": as_markdown,
    "junit": as_junit,
}  # fmt: skip
