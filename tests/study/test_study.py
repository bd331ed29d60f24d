"""study.yml: what it means, and one sentence with a line for each mistake."""

import re
from pathlib import Path

import pytest
from places import ROOT

from benchbook.study.file import SCHEMA
from benchbook.study.study import Step, load_study
from benchmath.errors import UserError

GOOD = """\
title: Does it hold?
template: ingest
driver: ingest
base: {indexes: 0}
engines:
  - {engine: "null", version: "1"}
matrix:
  indexes: [0, 3]
  dop: [1, 2]
steps: ["l.i0:rows=1000", "l.x"]
trials: 2
"""


def write(tmp_path: Path, text: str) -> Path:
    file = tmp_path / "posts" / "holds" / "study.yml"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    return file


def complaint(tmp_path: Path, text: str) -> str:
    with pytest.raises(UserError) as caught:
        load_study(write(tmp_path, text))
    return str(caught.value)


def test_matrix_is_the_product_in_listed_order(tmp_path):
    """Cells come in the order of the lists, the last dimension fastest."""
    study = load_study(write(tmp_path, GOOD))

    assert [("0", 1), ("0", 2), ("3", 1), ("3", 2)] == [
        (dict(c.dims)["indexes"], c.dop) for c in study.cells
    ]


def test_steps_have_a_size(tmp_path):
    """A step is a name and rows, seconds, or the driver's default."""
    study = load_study(write(tmp_path, GOOD))

    assert (Step("l.i0", "rows", "1000"), Step("l.x")) == study.cells[0].steps


def test_preset_replaces_steps_and_keeps_the_rest(tmp_path):
    """The chosen preset's keys win over the study's own."""
    text = GOOD + (
        "preset: demo\npresets:\n"
        "  demo: {trials: 1, steps: ['l.i0:rows=5'], label: small}\n"
    )
    study = load_study(write(tmp_path, text))

    assert (1, "small", "5") == (
        study.trials, study.label, study.cells[0].steps[0].amount,
    )  # fmt: skip


def test_a_preset_has_a_base_of_its_own(tmp_path):
    """Its cells may be others, with other settings."""
    text = GOOD + 'preset: full\npresets: {full: {base: {indexes: "3"}}}\n'

    assert {"indexes": "3"} == load_study(write(tmp_path, text)).base


def test_misspelt_key_names_the_line_and_the_key_meant(tmp_path):
    """An unknown key is refused, with the closest known one."""
    said = complaint(tmp_path, GOOD.replace("trials", "trails"))

    assert "study.yml:11: unknown key 'trails'; did you mean 'trials'?" in said


def test_missing_base_is_named(tmp_path):
    """A study without a base is refused."""
    said = complaint(tmp_path, GOOD.replace("base: {indexes: 0}\n", ""))

    assert "'base' is missing" in said


def test_version_read_as_a_number_is_refused_with_its_line(tmp_path):
    """5.10 unquoted would become 5.1."""
    said = complaint(tmp_path, GOOD.replace('version: "1"', "version: 5.10"))

    assert "study.yml:6: version 5.1" in said
    assert "write it in quotes" in said


def test_empty_matrix_list_is_refused(tmp_path):
    """A dimension without a value leaves no cell to run."""
    said = complaint(tmp_path, GOOD.replace("dop: [1, 2]", "dop: []"))

    assert "study.yml:9: matrix.dop is empty, so there is no cell to run" in said


def test_unknown_dimension_is_refused(tmp_path):
    """A matrix key must be a word of the vocabulary or an option of the driver."""
    said = complaint(tmp_path, GOOD.replace("  indexes: [0, 3]", "  indices: [0, 3]"))

    assert "driver ingest has no dimension 'indices'" in said


def test_base_that_no_cell_has_is_refused(tmp_path):
    """The base must be one of the cells; the sentence lists what there is."""
    said = complaint(tmp_path, GOOD.replace("base: {indexes: 0}", "base: {indexes: 7}"))

    assert "no cell has indexes '7'; available: 0, 3" in said


def test_post_on_versions_needs_a_base_of_a_version(tmp_path):
    """Its row in the table of versions would be empty."""
    said = complaint(tmp_path, f"{GOOD}categories: [versions]\n")

    assert "needs a base of a version" in said


def test_broken_yaml_names_the_line(tmp_path):
    """A syntax error is a sentence with its line, not a traceback."""
    said = complaint(tmp_path, GOOD.replace("engines:", "engines: [", 1))

    assert "not YAML" in said
    assert "study.yml:" in said


def test_the_same_cell_twice_is_refused(tmp_path):
    """Two equal cells would count their runs together."""
    twice = GOOD.replace("dop: [1, 2]", "dop: [1, 1]")

    assert "two cells are the same" in complaint(tmp_path, twice)


def test_engine_may_bring_its_own_dims_and_steps(tmp_path):
    """Cells that cannot run the same steps are listed as engines of their own."""
    text = GOOD.replace("  indexes: [0, 3]\n", "").replace(
        '  - {engine: "null", version: "1"}\n',
        '  - {engine: "null", dims: {indexes: 0}, steps: ["l.i0"]}\n'
        '  - {engine: "null", dims: {indexes: 3}}\n',
    )
    study = load_study(write(tmp_path, text))

    assert [1, 1, 2, 2] == [len(c.steps) for c in study.cells]


def test_premises_are_the_templates_or_the_studys_and_the_usual_ones(tmp_path):
    """`premises` replaces those of the template's question; unknown ones are refused."""
    usual = ("long_enough", "paced", "alone", "clock", "together", "pace")
    io_bound = re.sub("template: .*", "template: io-bound", GOOD)

    assert usual == load_study(write(tmp_path, GOOD)).premises
    assert ("larger_than_memory", "reads", *usual) == (
        load_study(write(tmp_path, io_bound)).premises
    )
    cached = load_study(write(tmp_path, io_bound + "premises: [cached]\n")).premises
    assert ("cached", *usual) == cached
    assert "premises" in complaint(tmp_path, GOOD + "premises: [quick]\n")


def test_a_template_needs_what_it_compares_by(tmp_path):
    """Blocks of a checksum: a study of inserts has none, and hears it before it runs."""
    text = re.sub("template: .*", "template: compilers", GOOD)

    assert (
        "template compilers compares by block_size, which not every cell has: put it in "
        "the matrix, or use the template engine-builds"
    ) in complaint(tmp_path, text)


def test_every_key_is_documented():
    """posts/README.md names each key of the schema."""
    from benchbook.study.file import SCHEMA

    text = (ROOT / "posts" / "README.md").read_text()
    keys = [*SCHEMA["properties"], *SCHEMA["$defs"]["engine"]["properties"]]

    assert [] == [key for key in keys if f"`{key}`" not in text]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (
            'steps: ["qr100.L1:seconds=20s"]',
            "steps.0 'qr100.L1:seconds=20s': write a name",
        ),
        ('steps: ["l.i0:rows=0"]', "steps.0 'l.i0:rows=0': write a name"),
        ('steps: ["a:seconds=0.0:warmup=1"]', "1': write a name, or a name and a size"),
        ('steps: ["a:events=0"]', "l.i0:rows=1000: numbers above 0 with three decimals"),
        ('steps: ["a:seconds=0.0005"]', "with three decimals at most, without a unit"),
        ("seconds: 20s", "seconds '20s': write a number without a unit"),
        ("margin: two", "margin 'two': write the margin as 3%, 3 or .03"),
        ("margin: [2]", "margin [2]: write a share as 2%, 2 or .02"),
        ("margin: 0", "a change lies between 0% and 100%"),
    ],
)
def test_a_wrong_value_says_what_is_expected(tmp_path, line, expected):
    """Words, where the schema has a pattern or a type."""
    key = line.split(":")[0]
    rest = [kept for kept in GOOD.splitlines() if not kept.startswith(f"{key}:")]
    said = complaint(tmp_path, "\n".join([*rest, line, ""]))

    assert expected in said


def _patterns(node):
    if isinstance(node, dict):
        if "pattern" in node:
            yield node
        node = list(node.values())
    for value in node if isinstance(node, list) else []:
        yield from _patterns(value)


def test_every_pattern_is_put_into_words():
    """Nobody is shown a regular expression."""
    assert [] == [node for node in _patterns(SCHEMA) if "expected" not in node]


@pytest.mark.parametrize("said", ["2%", "2", ".02", "0.02"])
def test_margin_is_written_as_at_the_command_line(tmp_path, said):
    """A share, with or without the sign."""
    study = load_study(write(tmp_path, f"{GOOD}margin: {said}\n"))

    assert 0.02 == study.margin


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ("{no-delete: 1}", "driver ingest has no option 'no-delete'; available: indexes, "
         "index_set, tables, contend, prepare, price, no_delete"),
        ("{no_delete: 2}", "options: no_delete '2'; available: 0, 1"),
        ("{tables: 8}", "options: tables '8'; available: 1, dop"),
        ("{indexes: 3}", "options: indexes is a dimension of a cell too; keep one"),
    ],
)  # fmt: skip
def test_options_are_the_drivers(tmp_path, options, expected):
    """What the driver would refuse is refused before it is started."""
    assert expected in complaint(tmp_path, f"{GOOD}options: {options}\n")


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("dop: [1, 2]", "dop: [65]", "dop '65': write a whole number, 1 to 64"),
        ("indexes: [0, 3]", "indexes: [0, 8]", "indexes '8'; available: 0, 3"),
    ],
)
def test_values_of_dimensions_are_the_drivers(tmp_path, old, new, expected):
    """As those of options."""
    assert expected in complaint(tmp_path, GOOD.replace(old, new))


def test_steps_that_take_turns_stand_at_the_same_place(tmp_path):
    """Arms make the first steps together, the second ones, and so on."""
    others = 'engines:\n  - {engine: "null", version: "1", steps: ["l.i0:rows=9", %s]}\n'
    others += '  - {engine: "null", version: "2", steps: ["l.i0:rows=9", %s]}\n'
    text = GOOD.replace('engines:\n  - {engine: "null", version: "1"}\n', others)
    text = text.replace("base: {indexes: 0}", 'base: {version: "1"}') + "order: turns\n"
    query, last = '"qr100.L1:seconds=1"', '"l.x", "qr100.L1:seconds=1"'

    said = complaint(tmp_path, text % (query, last))

    assert "step qr100.L1 is not at the same place in the steps of all" in said
    assert load_study(write(tmp_path, text % ('"l.x"', last))).cells
