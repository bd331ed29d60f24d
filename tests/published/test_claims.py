"""Claims of a source against its figures: verdicts, gaps, mistakes in the file."""

import pytest

from benchbook.project import Project
from benchbook.published.claims import checked_claims, read_claims
from benchbook.study.study import load_study
from benchbook.tables.lists import claims_table
from benchmath.errors import UserError

pytestmark = pytest.mark.unit

HEADER = "machine,engine,version,step,metric,value,unit,direction,source,date,raw\n"
STUDY = """\
title: Halved?
template: versions
driver: published
data: [halved]
base: {version: "1"}
"""
RATIO = """\
- claim: It halves.
  said: ~2X
  sql: |
    SELECT max(value) / min(value) AS ratio FROM halved;
  holds: ratio BETWEEN 1.9 AND 2.1
  verdict: holds
"""


@pytest.fixture
def study(tmp_path):
    folder = tmp_path / "data" / "published"
    folder.mkdir(parents=True)
    (folder / "halved.csv").write_text(
        HEADER
        + "m,e,1,scan,qps,100,queries/s,higher,a.txt,2024-02,\n"
        + "m,e,2,scan,qps,50,queries/s,higher,a.txt,2024-02,51\n"
    )
    path = tmp_path / "posts" / "halves" / "study.yml"
    path.parent.mkdir(parents=True)
    path.write_text(STUDY)
    return load_study(path)


def checked(study, text):
    (study.folder / "claims.yml").write_text(text)
    return checked_claims(study, Project(study.path.parents[2]))


def test_claim_shows_its_figures_and_verdict(study):
    """100 over 50 is 2: within 1.9 and 2.1."""
    row = checked(study, RATIO).iloc[0]

    assert ("~2X", "ratio 2.00", "holds") == (row["said"], row["figures"], row["verdict"])


def test_sum_of_counts_is_a_whole_number(study):
    """Two figures: DuckDB sums them to an integer of 128 bits."""
    text = RATIO.replace("max(value) / min(value)", "sum(1)")

    assert "ratio 2" == checked(study, text)["figures"][0]


def test_raw_figure_is_a_column_of_the_query(study):
    """100 over the raw 51 is 1.96."""
    text = RATIO.replace("max(value) / min(value)", "max(value) / max(raw)")

    assert "ratio 1.96" == checked(study, text)["figures"][0]


def test_claim_that_the_data_contradict_is_named(study):
    """A recorded verdict that turned stops the build, with file, line and figures."""
    with pytest.raises(UserError, match=r"claims\.yml:1: claim 'It halves\.' is marked "
                       r"'differs' but holds by the data \(ratio 2\.00\)"):  # fmt: skip
        checked(study, RATIO.replace("verdict: holds", "verdict: differs"))


def test_claim_that_cannot_be_checked_says_why(study):
    """Without data there is no query, but a note."""
    text = "- {claim: Disks wear., verdict: cannot be checked, note: No wear data.}\n"

    assert "No wear data." == checked(study, text)["note"][0]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("- {claim: x, verdict: holds}\n", "1: 'sql' is missing"),
        ("- {claim: x, verdict: cannot be checked}\n", "1: 'note' is missing"),
        (
            "- {claim: x, verdict: holds, sql: SELECT 1, hods: a}\n",
            "did you mean 'holds'",
        ),
        (RATIO.replace("halved;", "doubled"), "1: the query fails: .*doubled"),
        (RATIO.replace("halved;", "halved GROUP BY version"), "gives 2 rows"),
        (RATIO.replace("max(value)", "max(raw) - NULL"), "1 rows with a gap"),
    ],
)
def test_mistake_in_the_file_is_one_sentence(study, text, message):
    """Keys, queries and results that do not make a claim are named with their line."""
    with pytest.raises(UserError, match=message):
        checked(study, text)


def test_query_cannot_read_files(study):
    """A claim rests on published tables, not on what lies about on a machine."""
    text = RATIO.replace("FROM halved;", "FROM read_csv('/etc/passwd') AS halved(value)")

    with pytest.raises(UserError, match="the query fails"):
        checked(study, text)


def test_study_without_claims_has_none(study):
    """No file, no claims, and a table that says so."""
    found = checked_claims(study)

    assert [] == read_claims(study)
    assert "No claim of a source is checked here." in claims_table(found).as_raw_html()


def test_table_marks_what_differs(study):
    """The verdict stands out; the note is a footnote."""
    text = RATIO.replace("2.1", "1.95").replace("verdict: holds", "verdict: differs")
    page = claims_table(checked(study, text + "  note: By a typo.\n")).as_raw_html()

    assert '<span class="bb-worse">differs</span>' in page
    assert "By a typo." in page
