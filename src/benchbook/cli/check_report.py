"""The answer of `benchbook check` as text, Markdown, JSON and JUnit's XML."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from xml.etree import ElementTree

import pandas as pd

from benchbook.cli.compare_forms import (
    as_json,
    markdown_header,
    markdown_notes,
    markdown_row,
)
from benchbook.cli.compare_text import ratio_text
from benchbook.cli.comparison import (
    Pairs,
    across_notes,
    judged_pairs,
    pairs_of,
    parse_choice,
)
from benchbook.cli.options import margin_of
from benchbook.escaped import markdown_code, printable, xml_text
from benchbook.files import replace_text
from benchbook.project import Project
from benchbook.results.gate import FAILS, MISSING, NEW, OPEN, Gate, gate
from benchbook.results.sets import metric_set
from benchmath.errors import UserError
from benchmath.prose import aligned, counted, number
from benchmath.ratios.gate import FAILED, FINE, UNDECIDED

COMMENT_LIMIT = 65_536  # characters that a comment of GitHub holds
_ORDER = {FAILED: 0, UNDECIDED: 1, NEW: 2, FINE: 3}
_MARKS = {FAILS: ":x:", OPEN: ":warning:", 0: ":white_check_mark:"}
_VALUES = ("value_base", "value")
Comment = Callable[[int, int, int], str]  # of so many rows shown, folded, and notes
_METHOD = (
    "fine: the 95% interval of the ratio ends before the margin; {bad}: it excludes 1, "
    "its estimate is beyond the margin, and that stands after Holm's correction at 5% "
    "over all tests; undecided: neither; where a run is 0, the difference stands for the "
    "ratio, against the margin of the base's mean"
)


def check_text(
    name: str, base: str, new: str, fail_on: str, margin: str | None, metric: str,
    files: Mapping[str, Path | None], across: tuple[str, ...] = (),
) -> tuple[int, str]:  # fmt: skip
    """Exit code and text of the gate; its files are written before anything is said."""
    chosen = metric_set(name, Project.find())
    try:
        pairs = pairs_of(chosen.metric, base, [new], metric, across)
        judged = judged_pairs(chosen, pairs, margin_of(margin)).reset_index(drop=True)
    except ValueError as error:  # figures that do not belong into one table
        raise UserError(
            f"{chosen.name} cannot be checked: {error}{chosen.one_by_one}"
        ) from error
    of_base = pairs.values[pairs.values["me"] == pairs.names.base]
    answer = gate(
        chosen, judged,
        {"judged": _tests(judged, pairs), "base": _tests(of_base, pairs),
         "left_out": _left_out(chosen.left_out, metric)},
        (pairs.names.base, pairs.names.others[0]),
        (pairs.base, parse_choice(pairs.rows, new)), fail_on,
    )  # fmt: skip
    notes = (*chosen.notes, *across_notes(judged), _METHOD.format(bad=fail_on))
    forms = {"markdown": markdown_text, "json": json_text, "junit": junit_text}
    for form, path in files.items():
        if path:
            replace_text(path, forms[form](answer, pairs, chosen.name, notes))
    return answer.exit_code, plain_text(answer, notes)


def _left_out(rows: pd.DataFrame, metric: str) -> tuple[str, ...]:
    """Steps of the metric whose units do not convert."""
    if rows.empty:
        return ()
    main = metric == "throughput"
    mine = rows[rows["main"].astype(bool) if main else rows["metric"] == metric]
    return tuple(dict.fromkeys(map(str, mine["step"])))


def _tests(rows: pd.DataFrame, pairs: Pairs) -> tuple[str, ...]:
    """The name of each row: its step, and what else tells rows apart."""
    names = rows[pairs.keys].itertuples(index=False, name=None)
    return tuple(".".join(part for part in map(str, key) if part) for key in names)


def _rows(answer: Gate) -> list[tuple[str, dict]]:
    """Tests with their rows: what failed, is open, is new, and what is fine."""
    rows = zip(answer.tests, answer.table.to_dict("records"), strict=True)
    return sorted(rows, key=lambda row: _ORDER[row[1]["outcome"]])


def _word(row: Mapping, answer: Gate) -> str:
    """The outcome, with what it would take to decide."""
    if row["outcome"] == FAILED:
        return answer.fail_on
    if row["outcome"] == UNDECIDED and pd.notna(row["further"]):
        return f"undecided +{row['further']}"
    return str(row["outcome"])


def plain_text(answer: Gate, notes: tuple[str, ...]) -> str:
    """The sentence, the table, and what the words mean."""
    lines = [["test", answer.base, answer.new, "ratio", "runs", "outcome"]]
    for test, row in _rows(answer):
        values = [number(row[c]) if pd.notna(row[c]) else "" for c in _VALUES]
        runs = f"{row['n_base']}+{row['n']}"
        lines.append([test, *values, ratio_text(row), runs, _word(row, answer)])
    lines += [[test, "", "", "", "", MISSING] for test in answer.absent]
    table = aligned([list(map(printable, line)) for line in lines])
    head = printable(f"{answer.verdict}: {answer.sentence()}")
    feet = [*([f"to decide: {answer.further}"] if answer.further else []), *notes]
    return "\n".join([head, "", table, "", *map(printable, feet)]) + "\n"


def markdown_text(answer: Gate, pairs: Pairs, name: str, notes: tuple[str, ...]) -> str:
    """A comment: the verdict, what failed or is open, and the rest in a fold.

    Cut by whole rows to what a comment holds, with a sentence that says so.
    """
    said_first = answer.sentence(markdown_code)
    head = f"{_MARKS[answer.exit_code]} **{answer.verdict}**: {said_first}"
    ahead = answer.further
    numbers: dict[str, int] = {}
    urgent: list[str] = []
    calm: list[str] = []
    for _, row in _rows(answer):
        line = markdown_row(row, pairs.keys, numbers, _word(row, answer))
        (calm if row["outcome"] in (FINE, NEW) else urgent).append(line)
    top = markdown_header(pairs.keys, answer.base, answer.new, "outcome")
    feet = [f"[{n}] {text}" for text, n in numbers.items()]
    feet += [f"missing in the new runs: {test}" for test in answer.absent]
    said = [
        f"{markdown_code(pairs.metric)} of {markdown_code(name)}, "
        f"{markdown_code(answer.new)} against {markdown_code(answer.base)}, "
        f"margin {100 * answer.margin:.3g}%",
        *markdown_notes(notes),
    ]

    def comment(shown: int, folded: int, footed: int) -> str:
        left = len(urgent) - shown + len(calm) - folded
        parts = [head, *([f"To decide: {ahead}."] if ahead else [])]
        parts += ["\n".join([*top, *urgent[:shown]])] if shown else []
        inside = ["\n".join([*top, *calm[:folded]])] if folded else []
        inside += ["\n".join([*said[:1], "", *markdown_notes(feet[:footed]), *said[1:]])]
        parts += [_fold(counted(len(calm), "other test") if calm else "details", inside)]
        lines, unnoted = len(urgent) + len(calm), len(feet) - footed
        cut = (
            f"Cut to fit a comment: {counted(left, 'row')} of {lines} and "
            f"{counted(unnoted, 'note')} are not here; the JSON file has all."
        )
        parts += [cut] if left or unnoted else []
        return "\n\n".join(parts) + "\n"

    return _fitting(comment, len(urgent), len(calm), len(feet))


def _fitting(comment: Comment, urgent: int, calm: int, feet: int) -> str:
    """The longest comment that fits: fine rows go first, then notes, then the others."""

    phases: tuple[tuple[int, Callable[[int], tuple[int, int, int]]], ...] = (
        (calm, lambda n: (urgent, n, feet)),
        (feet, lambda n: (urgent, 0, n)),
        (urgent, lambda n: (n, 0, 0)),
    )
    for most, cut in phases:
        if len(comment(*cut(0))) > COMMENT_LIMIT:
            continue
        low, high = 0, most
        while low < high:
            middle = (low + high + 1) // 2
            fits = len(comment(*cut(middle))) <= COMMENT_LIMIT
            low, high = (middle, high) if fits else (low, middle - 1)
        return comment(*cut(low))
    raise ValueError("the head of the comment alone does not fit")


def _fold(summary: str, parts: list[str]) -> str:
    inside = "\n\n".join(parts)
    return f"<details>\n<summary>{summary}</summary>\n\n{inside}\n\n</details>"


def json_text(answer: Gate, pairs: Pairs, name: str, notes: tuple[str, ...]) -> str:
    """All that is known of each test."""
    table = answer.table.assign(test=list(answer.tests))
    return as_json(
        table, ["test", *pairs.keys], pairs.names, name, pairs.metric, notes,
        columns=("outcome", "holm", "further", "why"),
        verdict=answer.verdict, exit_code=answer.exit_code, sentence=answer.sentence(),
        fail_on=answer.fail_on, missing=list(answer.absent),
    )  # fmt: skip


def junit_text(answer: Gate, pairs: Pairs, name: str, notes: tuple[str, ...]) -> str:
    """A case per test: failed ones fail, undecided and missing ones are errors."""
    rows = _rows(answer)
    failures = len(answer.named(FAILED))
    errors = len(answer.named(UNDECIDED)) + len(answer.absent)
    suite = ElementTree.Element("testsuite", {
        "name": xml_text(f"{name}: {answer.new} against {answer.base}"),
        "tests": str(len(rows) + len(answer.absent)), "failures": str(failures),
        "errors": str(errors), "skipped": str(len(answer.named(NEW))),
    })  # fmt: skip
    for test, row in rows:
        case = _case(suite, name, test)
        said = f"{_word(row, answer)}: ratio {ratio_text(row)}"
        if row["outcome"] == FAILED:
            ElementTree.SubElement(case, "failure", message=xml_text(said))
        elif row["outcome"] == UNDECIDED:
            more = row["why"] or f"{row['further']} further runs of each side"
            ElementTree.SubElement(case, "error", message=xml_text(f"{said}; {more}"))
        elif row["outcome"] == NEW:
            ElementTree.SubElement(case, "skipped", message="the base has no such test")
    for test in answer.absent:
        case = _case(suite, name, test)
        ElementTree.SubElement(case, "error", message="missing in the new runs")
    ElementTree.indent(suite)
    text = ElementTree.tostring(suite, encoding="unicode", xml_declaration=False)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'


def _case(suite: ElementTree.Element, name: str, test: str) -> ElementTree.Element:
    names = {"classname": xml_text(f"benchbook.{name}"), "name": xml_text(test)}
    return ElementTree.SubElement(suite, "testcase", names)
