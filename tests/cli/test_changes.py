"""`benchbook changepoints`: the stream of series, and the report of a set."""

import json
from pathlib import Path

import pandas as pd
import pytest
from click.testing import CliRunner
from make_runs import make_run
from studies import NULL_STUDY
from version_frames import WOBBLE, frame, versions

from benchbook.cli.changepoints import answers, changes_text
from benchbook.cli.main import main
from benchbook.project import Project
from benchbook.published.figures import published_frame
from benchbook.store.load import load
from benchmath.errors import UserError

pytestmark = pytest.mark.unit

STEP = [100, 101, 99, 100, 102, 98, 100, 101, 99, 100]
STEP += [50, 51, 49, 50, 52, 48, 50, 51, 49, 50]
FLAT = [100, 101, 99, 100, 102, 98, 100, 101, 99, 100]


def call(*words, text=""):
    """`benchbook changepoints` with some standard input."""
    return CliRunner().invoke(main, ["changepoints", *words], input=text)


def test_each_line_has_an_answer_in_its_line():
    """Two series, a blank line between them: [10] and []."""
    done = call("--jsonl", text=f"{json.dumps(STEP)}\n\n{json.dumps(FLAT)}\n")

    assert (0, "[10]\n[]\n") == (done.exit_code, done.stdout)


def test_object_has_values_and_groups():
    """{"y": ..., "groups": ...}: two versions of ten runs are no commits."""
    groups = [i // 4 for i in range(20)]

    lines = [
        json.dumps({"y": STEP[2:18], "groups": groups[:16]}),
        json.dumps({"y": STEP, "groups": None}),
        json.dumps({"y": STEP}),
    ]

    assert ["[8]", "[10]", "[10]"] == list(answers(lines))


def test_null_is_a_missing_value():
    """A null stands for a run that is not there; positions count it."""
    assert ["[11]"] == list(answers([json.dumps([None, *STEP])]))
    assert ["[]"] == list(answers(["[null, null]", ""]))


def test_answers_come_one_by_one():
    """The first answer is there before the second line is read."""

    def lines():
        yield json.dumps(STEP)
        raise AssertionError("read ahead")

    assert "[10]" == next(answers(lines()))


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("nonsense", "not JSON (Expecting value at character 1)"),
        ("[1, 2", "not JSON (Expecting ',' delimiter at character 6)"),
        ("[" * 100_000, "too deeply nested"),
        (b"[\xff]", "not UTF-8"),
        ("3", "a series is a list of numbers and nulls"),
        ('"12"', "a series is a list of numbers and nulls"),
        ('["1", "2"]', "a series is a list of numbers and nulls"),
        ("[1, true]", "a series is a list of numbers and nulls"),
        ("[[1, 2]]", "a series is a list of numbers and nulls"),
        ("[1, Infinity]", "value 1 is infinite"),
        ("[1" + "0" * 400 + "]", "a series is one list of numbers"),
        ('{"groups": [0]}', 'an object has the key "y" and may have "groups", no other'),
        (
            '{"y": [1], "group": [0]}',
            'an object has the key "y" and may have "groups", no other',
        ),
        (
            '{"y": [1], "groups": "a"}',
            "groups are a list of integers, one for each value",
        ),
        (
            '{"y": [1], "groups": [0.5]}',
            "groups are a list of integers, one for each value",
        ),
        ('{"y": [1, 2], "groups": [0]}', "2 values, but 1 groups"),
        (
            '{"y": [1, 2, 3], "groups": [0, 1, 0]}',
            "the points of group 0 do not stand together",
        ),
    ],
)
def test_bad_line_is_named(line, reason):
    """A line that is no series is one sentence with its number, counted with blanks."""
    with pytest.raises(UserError) as error:
        list(answers(["", json.dumps(FLAT), line]))

    assert f"line 3: {reason}" == str(error.value)


def test_bad_line_exits_1_after_the_earlier_answers():
    """What was answered stays printed; the sentence goes to standard error."""
    done = call("--jsonl", text=f"{json.dumps(STEP)}\nx\n{json.dumps(STEP)}\n")

    assert (1, "[10]\n") == (done.exit_code, done.stdout)
    assert done.stderr.startswith("benchbook: line 2: not JSON")


def test_stream_takes_the_methods_of_ruptures():
    """--method kernelcpd answers in the same form."""
    done = call("--jsonl", "--method", "kernelcpd", text=json.dumps(STEP))

    assert "[10]\n" == done.stdout


def test_unknown_method_is_refused_before_any_line():
    """A misspelt method is a usage error that names those there are."""
    done = call("--jsonl", "--method", "plet")

    assert 2 == done.exit_code
    assert (
        "benchbook: no method 'plet'; available: benchbook, kernelcpd, pelt\n"
        == done.stderr
    )


def test_nothing_to_look_at_is_refused():
    """Without set, study and stream the command says what it needs."""
    done = call()

    assert 2 == done.exit_code
    assert "--study STUDY, or --set NAME, or --jsonl" in done.stderr


@pytest.fixture
def published(tmp_path: Path) -> Project:
    """A published table: two tests that halve with version 5, one that does not."""
    rows = frame(
        *(versions([100] * 4 + [50] * 4, runs=1, step=s) for s in ("scan", "insert")),
        versions([100] * 8, runs=1, step="delete"),
    )
    folder = tmp_path / "data" / "published"
    folder.mkdir(parents=True)
    columns = ["machine", "engine", "version", "step", "metric", "value", "unit"]
    rows = rows[[*columns, "direction"]].assign(source="here", date="2026-11")
    rows.to_csv(folder / "halved.csv", index=False)
    return Project(tmp_path)


def test_report_takes_no_change_of_settings_for_one_of_a_version(published: Project):
    """All halves where the settings change, and no version did that."""
    file = published.root / "data/published/halved.csv"
    rows = pd.read_csv(file, dtype=str)
    rows["config"] = ["a" if int(version) < 5 else "b" for version in rows["version"]]
    rows.to_csv(file, index=False)
    text = changes_text("halved", "", "throughput", "benchbook", "version", published)

    assert "No test changed its level." in text
    assert "tests are told apart by config: a version is compared only with" in text


def test_report_groups_tests_by_boundary(published: Project):
    """Boundaries as aligned text, their tests, then what other methods find."""
    text = changes_text("halved", "", "throughput", "benchbook", "version", published)

    lines = text.splitlines()
    assert lines[0].startswith("throughput: 3 tests on m1, 8 values of version; ")
    assert lines[0].endswith("method benchbook, no noise floor on record")
    assert "boundary  tests   median  lowest  highest" == lines[3]
    assert "4→5       2 of 3  −50%    −50%    −50%" == lines[4]
    assert "4→5: 2 of 3 tests, median −50%" == lines[6]
    assert lines[7].startswith("  scan    0.50")
    assert lines[8].startswith("  insert  0.50")
    assert "each test alone  benchbook  kernelcpd  pelt  all of them" == lines[-6]
    assert "4→5              2          2          2     2" == lines[-5]
    assert "against benchbook  changes  precision  recall  Rand index" == lines[-3]
    assert "kernelcpd          2        1.00       1.00    1.00" == lines[-2]


def test_queries_are_the_main_rate_beside_inserts(published: Project):
    """q100.1 has inserts in the background: its throughput is that of the queries."""
    path = published.data / "published" / "halved.csv"
    header = path.read_text().splitlines()[0]
    cell = "m1,mysql,5.6.51,q100.1"
    rest = "rows/s,higher,here,2026-11"
    path.write_text(f"{header}\n{cell},ips,100,{rest}\n{cell},qps,3000,{rest}\n")

    found = published_frame(["halved"], published)

    assert [("ips", False), ("qps", True)] == list(
        zip(found["metric"], found["main"], strict=True)
    )


def test_report_without_a_change_says_so(published: Project):
    """Flat tests: one sentence, no table."""
    path = published.data / "published" / "halved.csv"
    head, *rows = path.read_text().splitlines()
    path.write_text("\n".join([head, *(row for row in rows if "delete" in row)]))

    text = changes_text("halved", "", "throughput", "benchbook", "version", published)

    assert "No test changed its level." == text.splitlines()[3]


def stored(root: Path, study: str, versions: list[str], **more: str) -> Project:
    """A store with one run of each version; the second half takes twice as long."""
    project = Project(root)
    for i, version in enumerate(versions):
        seconds = WOBBLE[i % 8] * (1 if i < len(versions) / 2 else 2)
        make_run(
            project.raw, study=study, version=version, position=len(versions) - i,
            steps=[("l.i0", "insert", 1000, seconds)], **more,
        )  # fmt: skip
    load(project)
    return project


@pytest.mark.slow
def test_set_of_the_store_is_in_version_order(tmp_path: Path):
    """Runs were made newest first and names sort otherwise: 9.0 comes before 10.0."""
    names = ["7.0", "7.1", "8.0", "9.0", "10.0", "10.1", "10.2", "10.10"]
    project = stored(tmp_path, "s", names)

    text = changes_text("s", "", "throughput", "benchbook", "version", project)

    assert "9.0→10.0  1 of 1" in text


def test_one_version_has_nothing_to_change_from(tmp_path: Path):
    """The sentence names it and what else there may be to order by."""
    project = stored(tmp_path, "s", ["1", "1"])

    with pytest.raises(
        UserError, match=r"no test of s has two values of version \(available: 1\)"
    ):
        changes_text("s", "", "throughput", "benchbook", "version", project)


@pytest.mark.slow
def test_noise_floor_is_that_of_the_machine(tmp_path: Path):
    """A/A runs in the store are used, and what they do not measure is said."""
    project = stored(tmp_path, "s", ["1", "2"])
    for arm in ("main", "again"):
        for trial in (1, 2):
            steps = [("l.i0", "insert", 1000, WOBBLE[trial])]
            make_run(project.raw, study="s.aa", arm=arm, trial=trial, steps=steps)
    load(project)

    text = changes_text("s", "", "throughput", "benchbook", "version", project)

    head = text.splitlines()[0]
    assert head.endswith("noise floor of the A/A runs, build effect not measured")


@pytest.mark.slow
def test_study_is_in_the_order_of_its_list(tmp_path: Path):
    """What study.yml lists first comes first, whatever the names mean."""
    names = ["b", "a", "d", "c", "h", "g", "f", "e"]
    project = stored(tmp_path, "s", names)
    study = tmp_path / "posts" / "s" / "study.yml"
    study.parent.mkdir(parents=True)
    engine = '  - {engine: "null"}\n'
    engines = "".join(f'  - {{engine: "null", version: "{name}"}}\n' for name in names)
    study.write_text(NULL_STUDY.replace(engine, engines))

    text = changes_text("", "posts/s", "throughput", "benchbook", "version", project)

    assert "c→h" in text


def test_figures_of_several_units_are_left_out_by_name(published: Project):
    """A scan in rows and in thousands of rows is no series; other tests are answered."""
    path = published.data / "published" / "halved.csv"
    head, first, *rows = path.read_text().splitlines()
    path.write_text("\n".join([head, first.replace("queries/s", "krows/s"), *rows]))

    text = changes_text("halved", "", "throughput", "benchbook", "version", published)

    assert "several kinds: scan qps (krows/s and queries/s)" in text


@pytest.mark.slow
def test_unknown_set_and_dimension_are_named(tmp_path: Path):
    """UserError says what is missing and what to do."""
    project = stored(tmp_path, "s", ["1", "2"])

    with pytest.raises(UserError, match="no set 'other': `benchbook sets` lists s;"):
        changes_text("other", "", "throughput", "benchbook", "version", project)
    with pytest.raises(UserError, match="no dimension 'colour' in s"):
        changes_text("s", "", "throughput", "benchbook", "colour", project)


def test_study_of_a_published_table_is_read_from_it(published: Project):
    """A study that names a published table under `data` needs no store."""
    study = published.posts / "halves" / "study.yml"
    study.parent.mkdir(parents=True)
    study.write_text(
        "title: Which versions changed?\ntemplate: versions\ndriver: published\n"
        "data: [halved]\nbase: {version: '1'}\n"
    )

    text = changes_text("", "halves", "throughput", "benchbook", "version", published)

    assert "4→5       2 of 3" in text
