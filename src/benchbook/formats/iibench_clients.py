"""What a step's summary says of each client: response times, and rates that it reached.

Pairs of lines ``Insert rt:`` (see iibench_endings), and five lines of rates per client::

    50th, 1801 / 3602 = 100 insert, 0 delete, 5611 query
    99th, 3566 / 3602 = 100 insert, 0 delete, 5355 query

Clients have no number but their place: where one is missing, none is believed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from benchbook.formats.iibench_endings import RT, bucket_rows
from benchbook.formats.iibench_words import METRICS
from benchbook.formats.parsed import Problem, Row

SHARES = (50, 75, 90, 95, 99)
_RATES = "rates"
_SHARE = re.compile(
    r"(50|75|90|95|99)th, \d{1,9} / \d{1,9} = (\d{1,15}|NA) insert, "
    r"(?:(\d{1,15}|NA) delete, )?(\d{1,15}|NA) query",
    re.ASCII,
)


@dataclass
class Clients:
    """Takes in the lines of all clients; rows() says what there is to believe."""

    problems: list[Problem] = field(default_factory=list)
    _found: dict[str, list[Row]] = field(default_factory=dict)  # by op, and of rates
    _counts: dict[str, int] = field(default_factory=dict)
    _labels: dict[str, list[str]] = field(default_factory=dict)
    _expected: int = 0  # place in SHARES of the next line of rates

    def take(self, line_no: int, line: str) -> bool:
        """One line; False where it is none of a client."""
        if times := RT.fullmatch(line):
            self._times(line_no, times[1].lower(), times[2].split())
        elif share := _SHARE.fullmatch(line):
            self._rates(line_no, int(share[1]), share.groups()[1:])
        return bool(times or share)

    def rows(self, dop: int) -> list[Row]:
        """The figures of all ``dop`` clients; those of one kind only if all are there."""
        rows = []
        for kind, found in self._found.items():
            count = self._counts[kind]
            if kind == _RATES and self._expected:
                count = -1
            if count == dop:
                rows += [replace(row, dop=dop) for row in found]
            else:
                told = (
                    f"{kind}: not of all {dop} clients, so not known of which: not read"
                )
                self.problems.append(Problem(found[0].line if found else 0, told))
        return sorted(rows, key=lambda row: row.line)

    def _times(self, line_no: int, op: str, cells: list[str]) -> None:
        if "max" in cells:
            self._labels[op] = cells
            return
        dims = {"client": str(self._next(op))}
        rows, told = bucket_rows(line_no, op, self._labels.pop(op, []), cells, dims)
        self.problems += [Problem(line_no, text) for text in told]
        self._found.setdefault(op, []).extend(rows)

    def _rates(self, line_no: int, share: int, cells: tuple[str | None, ...]) -> None:
        if share != SHARES[self._expected]:
            self.problems.append(
                Problem(line_no, "not the next of a client's five lines")
            )
            self._counts[_RATES] = -1
        client = str(self._next(_RATES) if share == SHARES[0] else self._counts[_RATES])
        self._expected = (SHARES.index(share) + 1) % len(SHARES)
        rows = self._found.setdefault(_RATES, [])
        for op, text in zip(("insert", "delete", "query"), cells, strict=True):
            if text not in (None, "NA"):
                unit, direction = METRICS["qps" if op == "query" else "ips"]
                rows.append(Row(line_no, "", f"rate_p{share}", float(text), unit,
                                direction, op=op, dims={"client": client}))  # fmt: skip

    def _next(self, kind: str) -> int:
        """The number of the next client; stays below 0 once one is missing."""
        count = self._counts.get(kind, 0)
        self._counts[kind] = count + 1 if count >= 0 else count
        return self._counts[kind]
