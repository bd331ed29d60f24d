"""What stands in the posts and data/published of this checkout: claims and tables."""

import re

import pytest
from places import ROOT

from benchbook.project import Project
from benchbook.published.claims import FILE, checked_claims, read_claims
from benchbook.published.figures import figures, published_names
from benchbook.published.sets import metric_table
from benchbook.study.study import load_study

pytestmark = pytest.mark.unit

PROJECT = Project(ROOT)
SLUGS = sorted(p.parent.name for p in PROJECT.posts.glob(f"*/{FILE}"))
TABLES = published_names(PROJECT)
NO_KEY = {"value", "unit", "direction", "source", "date", "raw", "remark"}


def figure(table, metric, **dimensions):
    rows = figures(table, PROJECT)
    rows = rows[rows["metric"] == metric]
    for name, value in dimensions.items():
        rows = rows[rows[name] == value]
    return rows["value"].item()


@pytest.mark.slow
@pytest.mark.parametrize("slug", SLUGS)
def test_verdicts_follow_from_the_figures(slug):
    """No verdict of a post is contradicted by the tables that it rests on."""
    study = load_study(PROJECT.posts / slug)

    assert len(read_claims(study)) == len(checked_claims(study, PROJECT))


@pytest.mark.parametrize("slug", SLUGS)
def test_claims_rest_on_the_tables_of_their_study(slug):
    """A study names under `data` at least one of the tables that its claims query."""
    study = load_study(PROJECT.posts / slug)
    asked = " ".join(claim.sql for claim in read_claims(study))

    assert any(re.search(rf"\b{name}\b", asked) for name in study.data)


@pytest.mark.parametrize("name", TABLES)
def test_no_two_figures_have_one_key(name):
    """Machine, engine, version, step, metric and the table's own dimensions are a key."""
    table = figures(name, PROJECT)
    key = [c for c in table.columns if c not in NO_KEY]

    assert table[table.duplicated(key, keep=False)].empty


@pytest.mark.parametrize("name", TABLES)
def test_every_figure_says_where_and_when_it_was_published(name):
    """Source is filled, date is YYYY-MM or YYYY-MM-DD."""
    table = figures(name, PROJECT)
    dated = table["date"].str.fullmatch(r"20\d\d-[01]\d(-[0-3]\d)?")

    assert (table["source"].str.strip() != "").all()
    assert dated.all()


@pytest.mark.parametrize("name", TABLES)
def test_direction_is_a_word_of_the_vocabulary(name):
    """Which is better is higher, lower or none."""
    assert set(figures(name, PROJECT)["direction"]) <= {"higher", "lower", "none"}


@pytest.mark.parametrize("name", TABLES)
def test_a_figure_that_does_not_follow_says_why(name):
    """What the raw data give is never without a remark, and never the same number."""
    table = figures(name, PROJECT)
    wrong = table[table["raw"].notna()]

    assert (wrong["remark"] != "").all()
    assert (wrong["raw"] != wrong["value"]).all()


@pytest.mark.slow
@pytest.mark.parametrize("name", TABLES)
def test_every_figure_gets_into_the_store(name):
    """Each table is a set of the view metric, with a row for each figure."""
    assert len(figures(name, PROJECT)) == metric_table(name, PROJECT).num_rows


@pytest.mark.parametrize("name", TABLES)
def test_every_table_stands_in_the_list(name):
    """data/published/README.md has a line for each table with its number of figures."""
    listed = (PROJECT.data / "published" / "README.md").read_text()
    number = f"{len(figures(name, PROJECT)):,}"

    assert re.search(rf"^\| {name} \|.*\| {number} \|", listed, re.MULTILINE)


@pytest.mark.parametrize(
    ("machine", "dop", "step", "postgres", "mysql", "myrocks"),
    [
        ("c7g.2xl", "1", "q100.1", 53, 109, 140),
        ("c6i.8xl.ht0", "16", "l.i1", 27, 34, 40),
        ("c7g.8xl", "16", "l.i0", 13, 16, 23),
        ("c6i.16xl.ht0", "22", "q100.1", 80, 144, 175),
        ("c6i.16xl.ht1", "22", "q100.1", 57, 190, 269),
        ("c7g.16xl", "44", "q100.1", 119, 218, 258),
    ],
)
def test_cpu_per_operation_of_2023_is_as_published(
    machine, dop, step, postgres, mysql, myrocks
):
    """Microseconds of Postgres, InnoDB and MyRocks, as the post and its reports print."""
    found = [
        figure("ibench_arm_x86_2023", "cpupq", machine=machine, dop=dop, step=step,
               engine=engine)
        for engine in ("postgres", "mysql", "myrocks")
    ]  # fmt: skip

    assert [postgres, mysql, myrocks] == found


@pytest.mark.parametrize(
    ("machine", "base", "medians"),
    [
        ("ser4", "mariadb 10.2.44", [0.96, 0.97, 0.99, 0.94, 0.91]),
        ("ser7", "mariadb 10.2.44", [0.96, 0.96, 0.93, 0.96, 0.95]),
        ("ser4", "mysql 5.6.51", [0.70, 0.70, 0.65, 0.76, 0.56]),
        ("ser7", "mysql 5.6.51", [0.80, 0.75, 0.73, 0.89, 0.67]),
        ("ser4", "mysql 8.0.36", [1.15, 1.22, 1.21, 1.17, 1.36]),
        ("ser7", "mysql 8.0.36", [1.13, 1.20, 1.15, 1.15, 1.28]),
    ],
)
def test_medians_of_april_2024_are_as_published(machine, base, medians):
    """Point queries in two parts, range queries without and with aggregation, writes."""
    rows = figures("mariadb_mysql_2024", PROJECT)
    rows = rows[(rows["machine"] == machine) & (rows["relative_to"] == base)]

    assert medians == list(rows[rows["metric"] == "median"]["value"])
