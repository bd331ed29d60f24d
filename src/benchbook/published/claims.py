"""What a publication says against its own figures: posts/<slug>/claims.yml.

A claim that can be checked carries a query over the tables of data/published/ and the
condition under which it holds.  The verdict stands in the file, so that a change of the
data that turns it fails by the claim's name.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from decimal import Decimal
from importlib import resources
from typing import Any

import duckdb
import pandas as pd

from benchbook.project import Project
from benchbook.published.figures import DIGITS, figures, published_names
from benchbook.sql import first_line
from benchbook.study.study import Study
from benchbook.study.yaml_file import line_of, plain, read_yaml, require_schema
from benchmath.errors import UserError

FILE = "claims.yml"
SCHEMA: dict[str, Any] = json.loads(
    resources.files("benchbook.published").joinpath("schema.json").read_text()
)
COLUMNS = ("claim", "said", "figures", "verdict", "note")


@dataclass(frozen=True)
class Claim:
    """One claim as it stands in the file; without ``sql`` nobody can check it."""

    where: str  # file and line
    claim: str  # in our own words
    verdict: str  # holds, differs, or cannot be checked
    said: str = ""  # the figure as the source prints it
    sql: str = ""  # one row of named figures
    holds: str = ""  # a condition on those names
    note: str = ""


def read_claims(study: Study) -> list[Claim]:
    """The claims of a study, none where it has no claims.yml."""
    path = study.folder / FILE
    if not path.is_file():
        return []
    document = read_yaml(path)
    require_schema(path, document, SCHEMA)
    return [
        Claim(where=f"{path}:{line_of(document, [i])}", **entry)
        for i, entry in enumerate(plain(document))
    ]


def checked_claims(study: Study, project: Project | None = None) -> pd.DataFrame:
    """The claims of a study with the figures behind them.

    Columns: claim, said, figures ("i3 8.30, i5 4.49"), verdict, note.  Errors: a query
    that fails or does not give one full row; a verdict that the figures contradict.
    """
    claims = read_claims(study)
    if not claims:
        return pd.DataFrame(columns=list(COLUMNS))
    with _tables(project or Project(study.path.parents[2])) as connection:
        rows = [_checked(claim, connection) for claim in claims]
    return pd.DataFrame(rows, columns=list(COLUMNS))


def _tables(project: Project) -> duckdb.DuckDBPyConnection:
    """Each published table under its own name, and nothing else of this machine."""
    connection = duckdb.connect()
    for name in published_names(project):
        connection.register(name, figures(name, project).drop(columns=[*DIGITS]))
    connection.execute("SET enable_external_access = false")
    return connection


def _checked(claim: Claim, connection: duckdb.DuckDBPyConnection) -> tuple[str, ...]:
    if not claim.sql:
        return (claim.claim, claim.said, "", claim.verdict, claim.note)
    query = f"SELECT *, ({claim.holds}) AS holds FROM ({claim.sql.rstrip().rstrip(';')})"
    try:
        done = connection.execute(query)
        names, rows = [column[0] for column in done.description], done.fetchall()
    except duckdb.Error as error:
        raise UserError(f"{claim.where}: the query fails: {first_line(error)}") from None
    if len(rows) != 1 or any(pd.isna(value) for value in rows[0]):
        raise UserError(
            f"{claim.where}: the query gives {len(rows)} rows"
            f"{' with a gap' if len(rows) == 1 else ''}, not one with all its figures"
        )
    row = dict(zip(names, rows[0], strict=True))
    verdict = "holds" if row.pop("holds") else "differs"
    text = ", ".join(f"{name} {_printed(value)}" for name, value in row.items())
    if verdict != claim.verdict:
        raise UserError(
            f"{claim.where}: claim {claim.claim!r} is marked {claim.verdict!r} but "
            f"{verdict} by the data ({text})"
        )
    return (claim.claim, claim.said, text, verdict, claim.note)


def _printed(value: Any) -> str:
    """Counts and words as they are, other numbers to three significant digits."""
    if isinstance(value, Decimal):
        value = float(value)
    if not isinstance(value, float):
        return str(value)
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:#.3g}".rstrip(".")
