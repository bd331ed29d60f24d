"""The answer of `benchbook check`: what its text, comment, JSON and JUnit's XML hold."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pandas as pd

from benchbook.cli.compare import (
    document_of,
    footnotes,
    page_columns,
    page_row,
    ratio_text,
    runs_text,
)
from benchbook.cli.options import margin_of
from benchbook.cli.report import WRITERS, Case, Fold, Notes, Report, Section, Table
from benchbook.cli.report import markdown_of as in_markdown
from benchbook.escaped import markdown_code
from benchbook.files import replace_text
from benchbook.sets.files import set_and_cells
from benchbook.sets.gate import FAILS, MISSING, NEW, OPEN, Gate, gate
from benchbook.sets.pairs import (
    Pairs,
    across_notes,
    judged_pairs,
    pairs_of,
    settings_notes,
    unclear_notes,
)
from benchmath.errors import UserError
from benchmath.prose import counted, number
from benchmath.ratios.gate import FAILED, FINE, UNDECIDED

COMMENT_LIMIT = 65_536  # characters that a comment of GitHub holds
_ORDER = {FAILED: 0, UNDECIDED: 1, NEW: 2, FINE: 3}
_MARKS = {FAILS: ":x:", OPEN: ":warning:", 0: ":white_check_mark:"}
_METHOD = (
    "fine: the 95% interval of the ratio ends before the margin; {bad}: it excludes 1, "
    "its estimate is beyond the margin, and that stands after Holm's correction at 5% "
    "over all tests; undecided: neither; where a run is 0, the difference stands for the "
    "ratio, against the margin of the base's mean"
)


def check_text(
    cells: Sequence[str], fail_on: str, margin: str | None, metric: str,
    files: Mapping[str, Path | None], across: Sequence[str] = (),
    pattern: str | None = None,
) -> tuple[int, str]:  # fmt: skip
    """Exit code and text of the gate; its files are written before anything is said.

    ``cells``: the name of a set, base and new; or the files of base and new.
    """
    chosen, (base, *others) = set_and_cells(cells, pattern)
    if len(others) != 1:
        raise UserError(
            f"{len(others) + 1} cells: write STUDY or SET, BASE and NEW, or two files or "
            "folders"
        )
    new = others[0]
    with chosen.belonging_together("checked"):
        pairs = pairs_of(chosen.metric, base, [new], metric, across)
        judged = judged_pairs(chosen, pairs, margin_of(margin))
        answer = gate(chosen, pairs, judged, new, fail_on)
    hints = (*across_notes(judged), *unclear_notes(chosen.metric, pairs))
    hints += settings_notes(chosen.metric, pairs)
    notes = (*chosen.notes, *hints, _METHOD.format(bad=fail_on))
    report = Checked(chosen.name, answer, pairs, notes)
    for form, path in files.items():
        if path:
            replace_text(path, WRITERS[form](report))
    return report.exit_code, WRITERS["text"](report)


@dataclass(frozen=True)
class Checked(Report):
    """What the gate says of each test, and what its words mean."""

    name: str
    answer: Gate
    pairs: Pairs
    notes: tuple[str, ...]

    @property
    def exit_code(self) -> int:  # type: ignore[override]
        """Of the verb."""
        return self.answer.exit_code

    def _rows(self) -> list[tuple[str, dict[str, Any]]]:
        """Tests with their rows: what failed, is open, is new, and what is fine."""
        records = self.answer.table.to_dict("records")
        rows = zip(self.answer.tests, records, strict=True)
        return sorted(rows, key=lambda row: _ORDER[row[1]["outcome"]])

    def _word(self, row: Mapping[str, Any]) -> str:
        """The outcome, with what it would take to decide."""
        if row["outcome"] == FAILED:
            return self.answer.fail_on
        if row["outcome"] == UNDECIDED and pd.notna(row["further"]):
            return f"undecided +{row['further']}"
        return str(row["outcome"])

    def sections(self) -> Iterator[Section]:
        """The sentence, the table, and what the words mean."""
        answer = self.answer
        heads = ("test", answer.base, answer.new, "ratio", "runs", "outcome")
        lines = [
            [test, number(row["value_base"]), number(row["value"]), ratio_text(row),
             runs_text(row), self._word(row)]
            for test, row in self._rows()
        ]  # fmt: skip
        lines += [[test, "", "", "", "", MISSING] for test in answer.absent]
        ahead = [f"to decide: {answer.further}"] if answer.further else []
        yield f"{answer.verdict}: {answer.sentence()}"
        yield Table.of_words(heads, lines)
        yield Notes([*ahead, *self.notes])

    def page(self) -> Iterable[Section]:
        """A comment: the verdict, what failed or is open, and the rest in a fold.

        Cut by whole rows to what a comment holds, with a sentence that says so: fine
        rows go first, then notes, then the others.
        """
        keys, answer = self.pairs.keys, self.answer
        numbers: dict[str, int] = {}
        urgent: list[list[str]] = []
        calm: list[list[str]] = []
        for _, row in self._rows():
            line = page_row(row, keys, numbers, self._word(row))
            (calm if row["outcome"] in (FINE, NEW) else urgent).append(line)
        feet = footnotes(numbers)
        feet += [f"missing in the new runs: {test}" for test in answer.absent]
        table = Table(page_columns(self.pairs, answer.new, "outcome"), [])
        what = (
            f"{markdown_code(self.pairs.metric)} of {markdown_code(self.name)}, "
            f"{markdown_code(answer.new)} against {markdown_code(answer.base)}, "
            f"margin {100 * answer.margin:.3g}%"
        )

        def comment(shown: int, folded: int, footed: int) -> Iterator[Section]:
            left = len(urgent) - shown + len(calm) - folded
            unnoted = len(feet) - footed
            said = answer.sentence(markdown_code)
            yield f"{_MARKS[answer.exit_code]} **{answer.verdict}**: {said}"
            yield f"To decide: {answer.further}." if answer.further else ""
            yield replace(table, rows=urgent[:shown]) if shown else ""
            inside = [replace(table, rows=calm[:folded])] if folded else []
            notes = Notes([*feet[:footed], *self.notes])
            summary = counted(len(calm), "other test") if calm else "details"
            yield Fold(summary, [*inside, what, notes])
            if left or unnoted:
                yield (
                    f"Cut to fit a comment: {counted(left, 'row')} of "
                    f"{len(urgent) + len(calm)} and {counted(unnoted, 'note')} are not "
                    "here; the JSON file has all."
                )

        return _fitting(comment, len(urgent), len(calm), len(feet))

    def document(self) -> Mapping[str, Any]:
        """All that is known of each test."""
        answer, table = self.answer, self.answer.table
        return document_of(
            self.name, self.pairs, table.assign(test=list(answer.tests)), self.notes,
            ("test",), ("outcome", "holm", "further", "why"),
            verdict=answer.verdict, exit_code=answer.exit_code,
            sentence=answer.sentence(), fail_on=answer.fail_on, missing=answer.absent,
        )  # fmt: skip

    def cases(self) -> tuple[str, Sequence[Case]]:
        """A case per test: failed ones fail, undecided and missing ones are errors."""
        kinds = {FAILED: "failure", UNDECIDED: "error", NEW: "skipped", FINE: ""}
        cases = []
        for test, row in self._rows():
            kind = kinds[row["outcome"]]
            said = f"{self._word(row)}: ratio {ratio_text(row)}"
            if row["outcome"] == UNDECIDED:
                more = row["why"] or f"{row['further']} further runs of each side"
                said = f"{said}; {more}"
            elif row["outcome"] == NEW:
                said = row["note"] or "the base has no such test"
            cases.append(Case(test, kind, said))
        absent = [Case(test, "error", "missing in the new runs")
                  for test in self.answer.absent]  # fmt: skip
        suite = f"{self.name}: {self.answer.new} against {self.answer.base}"
        return suite, [*cases, *absent]


def _fitting(
    comment: Callable[[int, int, int], Iterable[Section]],
    urgent: int, calm: int, feet: int,
) -> list[Section]:  # fmt: skip
    """The longest comment that fits, of so many rows shown, folded, and notes."""

    def fitting(*cut: int) -> list[Section]:
        sections = [*comment(*cut)]
        return sections if len(in_markdown(sections)) < COMMENT_LIMIT else []

    phases: tuple[tuple[int, Callable[[int], tuple[int, int, int]]], ...] = (
        (calm, lambda n: (urgent, n, feet)),
        (feet, lambda n: (urgent, 0, n)),
        (urgent, lambda n: (n, 0, 0)),
    )
    for most, cut in phases:
        if whole := fitting(*cut(most)):
            return whole
        if not fitting(*cut(0)):
            continue
        low, high = 0, most
        while low < high:
            middle = (low + high + 1) // 2
            fits = fitting(*cut(middle))
            low, high = (middle, high) if fits else (low, middle - 1)
        return fitting(*cut(low))
    raise ValueError("the head of the comment alone does not fit")
