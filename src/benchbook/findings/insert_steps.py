"""What the steps of the insert benchmark do, of those that a study has."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from benchbook.finding import Said, names_as_data
from benchbook.study.study import Study
from benchmath.prose import listed

# Rows per transaction where the study says nothing, as in bench/ingest/steps.c.
COMMITS = {"l.i0": "100", "l": "100", "l.i1": "50", "l.i2": "5"}
_QUERIES = re.compile(r"(?P<kind>qr|qp|q)\d+\.L?\d")
_SCANS = re.compile(r"scan(\.q\d)?")


@names_as_data
def insert_steps(study: Study) -> Said:
    """A sentence for each kind of step that its cells have, by what they are told."""
    names = list(dict.fromkeys(step.step for cell in study.cells for step in cell.steps))
    deletes = study.options.get("no_delete") != "1"
    sentences = [
        "The steps are those of the insert benchmark.",
        *_loads(study, names, deletes),
        *_queries(names, deletes),
        *_scans(names),
    ]
    return Said(" ".join(sentences))


def _loads(study: Study, names: Sequence[str], deletes: bool) -> Iterable[str]:
    new = {"l.i0": "a primary key alone", "l": "all their indexes"}
    for name, keys in new.items():
        if name in names:
            into = f"in key order into new tables that have {keys}"
            yield f"`{name}` inserts {into}{_by(study, [name])}."
    if "l.x" in names:
        yield "`l.x` creates the secondary indexes."
    later = [name for name in ("l.i1", "l.i2") if name in names]
    if later:
        many = len(later) > 1
        also = f"delete{'s' * (not many)} as many of the oldest rows"
        what = f"insert{'s' * (not many)}{f' and {also}' if deletes else ''}"
        which = listed([f"`{name}`" for name in later])
        alone = "" if deletes else "; nothing is deleted"
        yield f"{which} {what}{_by(study, later)}{alone}."


def _by(study: Study, names: Sequence[str]) -> str:
    """`, 50 and 5 rows per transaction`; nothing where cells differ."""
    said = [
        {
            step.rows_per_commit or COMMITS[name]
            for cell in study.cells for step in cell.steps if step.step == name
        }
        for name in names
    ]  # fmt: skip
    if any(len(values) > 1 for values in said):
        return ""
    return f", {listed([next(iter(values)) for values in said])} rows per transaction"


def _queries(names: Sequence[str], deletes: bool) -> Iterable[str]:
    """`q100.1` deletes nothing, whatever the study says of deletes."""
    found = [match for match in map(_QUERIES.fullmatch, names) if match]
    kinds = dict.fromkeys(match["kind"] for match in found)
    own = {"qr": "range", "qp": "point", "q": "range"}
    for inserts_alone in (False, True):
        of = [k for k in kinds if (k == "q" or not deletes) is inserts_alone]
        if of:
            which = listed([f"`{kind}`" for kind in of])
            what = listed(list(dict.fromkeys(own[kind] for kind in of)))
            does = "insert" if inserts_alone else "insert and delete"
            yield (
                f"{which} are {what} queries while writers {does} at a rate: the "
                "number is rows per second of each client."
            )


def _scans(names: Sequence[str]) -> Iterable[str]:
    scans = [name for name in names if _SCANS.fullmatch(name)]
    if scans:
        ends = " to ".join(f"`{name}`" for name in dict.fromkeys((scans[0], scans[-1])))
        yield f"{ends} read one index each, whole."
