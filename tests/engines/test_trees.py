"""Install trees: what is found in them, and what a run says of its build."""

import json
from pathlib import Path

import pytest
from server_studies import own_tree, program, spec_of, study_of

from benchbook.engines.builds import Build, plan_build
from benchbook.engines.install_trees import Tree, install_line, stated, tree_digest
from benchbook.measure.execute import destination
from benchbook.measure.plan import Todo, missing_trees
from benchbook.measure.spec import TAG_PREFIX, Config, Prepared
from benchbook.project import Project
from benchmath.errors import UserError

pytestmark = pytest.mark.unit


def test_own_tree_without_the_program_is_one_sentence(tmp_path):
    """A folder that holds no mysqld is found out before anything is measured."""
    study = study_of(tmp_path, f"{{engine: mysql, tag: m, basedir: {tmp_path}}}")

    with pytest.raises(UserError, match="install tree m: no program mysqld in"):
        plan_build(study.cells[0], study.driver, Project(tmp_path))


def test_words_of_a_study_are_what_a_build_says(tmp_path):
    """`build:` is the label, split into compiler and flags; a spec holds no path."""
    study, build = own_tree(tmp_path, 'build: "gcc 12 -O2 -flto"')
    found = spec_of(study, build)

    assert {"label": "gcc 12 -O2 -flto", "compiler": "gcc 12", "flags": "-O2 -flto",
            "series": "", "source": ""}.items() <= found["build"].items()  # fmt: skip
    assert str(tmp_path) not in json.dumps(found)


def test_tree_says_itself_what_it_is(tmp_path):
    """The file benchbook-install of a tree brings label, series and source."""
    program(tmp_path / "my8036", "mysqld")
    (tmp_path / "my8036" / "benchbook-install").write_text(
        "engine=mysql\nversion=8.0.36\nsource=npm\nseries=npm\nlabel=gcc 9 -O3\n"
    )
    study, build = own_tree(tmp_path)

    assert {"label": "gcc 9 -O3", "compiler": "gcc 9", "flags": "-O3", "series": "npm",
            "source": "npm"} == build.of_engine  # fmt: skip
    assert "my80036_npm-gcc9-O3" == spec_of(study, build)["tag"]


def test_library_of_an_own_tree_is_used_in_the_driver(tmp_path):
    """SQLite is no server: its library's folder, and the driver's compiler and flags."""
    lib = tmp_path / "sqlite-3.46" / "lib"
    lib.mkdir(parents=True)
    (lib / "libsqlite3.so.0").write_text("x")
    entry = f"{{engine: sqlite, basedir: {lib.parent}, build: debug}}"
    study = study_of(tmp_path, entry)
    build = plan_build(study.cells[0], study.driver, Project(tmp_path))

    assert (str(lib), None) == (build.library, build.server)
    assert ("debug", "-O2") == (build.of_engine["label"], build.of_engine["flags"])
    assert build.of_engine["compiler"] == build.compiler_line


@pytest.mark.parametrize(
    ("label", "expected"),
    [
        ("gcc 7.5 -Os", ("gcc 7.5", "-Os")),
        ("gcc 12.2 -O2 (Debian 12)", ("gcc 12.2", "-O2")),
        ("gcc 12.2 (Debian 12)", ("gcc 12.2", "")),
        ("release", ("", "")),
        ("", ("", "")),
    ],
)
def test_compiler_and_flags_of_a_label(label, expected):
    """What is no compiler is not called one."""
    assert expected == stated(label)


def test_another_program_is_another_build(tmp_path):
    """The digest covers the program, whatever the study calls it, not its place."""
    first = program(tmp_path / "a", "mysqld")
    program(tmp_path / "b", "mysqld")
    project = Project(tmp_path)
    same = {tree_digest(Tree(tmp_path / t), "mysql", project) for t in ("a", "b")}
    first.write_text("#!/bin/bash\n")

    assert 1 == len(same)
    assert tree_digest(Tree(tmp_path / "a"), "mysql", project) not in same


def test_plugin_of_myrocks_is_a_part_of_the_build(tmp_path):
    """ha_rocksdb.so decides what MyRocks is, not what InnoDB is."""
    program(tmp_path / "t", "mariadbd")
    tree, project = Tree(tmp_path / "t"), Project(tmp_path)
    plugin = tmp_path / "t" / "lib" / "plugin" / "ha_rocksdb.so"
    plugin.parent.mkdir(parents=True)
    before = tree_digest(tree, "myrocks", project)
    plugin.write_text("x")

    assert before != tree_digest(tree, "myrocks", project)


def test_cells_that_share_a_tag_have_folders_of_their_own(tmp_path):
    """What the user's tag does not say stands behind it; alone it stays as it is."""
    study = study_of(tmp_path, f"{{engine: mysql, tag: my8036_rel, basedir: {tmp_path}}}",
                     matrix='{config: [a, b], compiler: [gcc, clang]}',
                     base="{config: a}")  # fmt: skip
    single = study_of(
        tmp_path, f"{{engine: mysql, tag: my8036_rel, basedir: {tmp_path}}}"
    )
    program(tmp_path, "mysqld")
    for name in "ab":
        config = study.folder / "configs" / name
        config.parent.mkdir(exist_ok=True)
        config.write_text("port = 1\n")
    build = Build(study.driver, "", "", "cc", "gcc 12", "-O2", "gcc", "d", tmp_path)

    assert ["gcc.a", "clang.a", "gcc.b", "clang.b"] == [
        spec_of(study, build, number=i)["tag"].removeprefix("my8036_rel.")
        for i in range(4)
    ]
    assert "my8036_rel" == spec_of(single, build)["tag"]


def test_myrocks_has_the_tag_of_the_field():
    """rx1011..., as the archives call it."""
    assert "rx" == TAG_PREFIX["myrocks"]


# Trees of the catalogue


CATALOGUE = """\
engine version source series label kind package release archive sha256 mb
postgres 15 debian debian12 gcc_12.2_-O2 deb postgresql-15 - - - 31
postgres 15.19 jar jar gcc_7.5_-Os maven a:b 15.19.0 - - 9
postgres 15.20 built built - built - - - - 25
"""


@pytest.fixture
def offered(tmp_path, monkeypatch):
    """A project with a catalogue of three, and an empty cache."""
    monkeypatch.setenv("BENCHBOOK_CACHE", str(tmp_path / "cache"))
    file = tmp_path / "bench" / "engines.tsv"
    file.parent.mkdir()
    file.write_text(CATALOGUE.replace(" ", "\t").replace("_", " "))
    return Project(tmp_path)


def test_plan_installs_nothing(tmp_path, offered):
    """A tree that is not there has a place, a size and a label."""
    study = study_of(tmp_path, '{engine: postgres, version: "15.19", source: jar}')
    build = plan_build(study.cells[0], study.driver, offered)

    assert (False, 9) == (build.tree.installed, build.tree.mb)
    assert {"label": "gcc 7.5 -Os", "series": "jar"}.items() <= build.of_engine.items()
    assert not (tmp_path / "cache").exists()


def test_what_is_to_be_got_stands_in_the_order_of_the_study(tmp_path, offered):
    """Six builds, whose runs come in an order of their own."""
    flags = [f"-O2 -DN={number}" for number in range(6)]
    study = study_of(
        tmp_path, '{engine: postgres, version: "15.20", source: built}',
        matrix=f"{{compiler: [gcc], flags: {json.dumps(flags)}}}",
        base=f'{{flags: "{flags[0]}"}}',
    )  # fmt: skip
    cells = tuple(
        Prepared(cell, plan_build(cell, study.driver, offered), Config(), "", "", str(i))
        for i, cell in enumerate(study.cells)
    )
    todo = [Todo(cells[i], 1, 1, 1) for i in (3, 5, 0, 4, 1, 2)]

    assert flags == [tree.flags for tree in missing_trees(todo, cells)]


def test_a_tree_that_comes_is_another_cell(tmp_path, offered):
    """What was measured is known by the programs; before they are there nothing is."""
    study = study_of(tmp_path, '{engine: postgres, version: "15.19", source: jar}')
    before = plan_build(study.cells[0], study.driver, offered)
    program(before.tree.path, "postgres")
    (before.tree.path / "benchbook-install").write_text("version=15.19\nseries=jar\n")
    after = plan_build(study.cells[0], study.driver, offered)

    assert after.tree.installed
    assert before.digest != after.digest and before.folder == after.folder


def test_a_tree_that_was_changed_is_not_used(tmp_path, offered):
    """A byte of the server's program, behind the installer's back."""
    study = study_of(tmp_path, '{engine: postgres, version: "15.19", source: jar}')
    tree = plan_build(study.cells[0], study.driver, offered).tree.path
    file = program(tree, "postgres")
    (tree / "benchbook-install").write_text("version=15.19\nseries=jar\n")
    plan_build(study.cells[0], study.driver, offered)
    file.write_text(f"{file.read_text()}#")

    with pytest.raises(UserError, match="have changed since they were installed: delete"):
        plan_build(study.cells[0], study.driver, offered)


def test_compiler_of_a_built_engine_is_not_the_drivers(tmp_path, offered):
    """Two sets of flags: two trees and labels, one driver compiled as always."""
    study = study_of(
        tmp_path, '{engine: postgres, version: "15.20", source: built}',
        matrix='{compiler: [gcc], flags: ["-O2", "-O3 -flto"]}',
        base="{flags: -O2}",
    )  # fmt: skip
    first, second = (plan_build(c, study.driver, offered) for c in study.cells)

    assert ("cc", "-O2") == (second.compiler, second.flags)
    assert first.folder == second.folder and first.tree.path != second.tree.path
    assert "-O3 -flto" == second.of_engine["flags"]
    assert second.of_engine["label"].startswith("gcc ")
    assert "built" == second.of_engine["source"]
    assert spec_of(study, first)["tag"] != spec_of(study, second, number=1)["tag"]


def test_first_numbers_of_a_fixed_version_are_not_enough(tmp_path, offered):
    """15 of the jars is refused before anything is fetched; Debian's is any 15.N."""
    jar, debian = (
        study_of(tmp_path, f'{{engine: postgres, version: "15", source: {source}}}')
        for source in ("jar", "debian")
    )

    assert plan_build(debian.cells[0], debian.driver, offered).tree.moving
    with pytest.raises(
        UserError, match=r'is postgres 15.19 .jar.: write version: "15.19"'
    ):
        plan_build(jar.cells[0], jar.driver, offered)


def test_cells_from_everywhere_have_folders_of_their_own(tmp_path, offered):
    """Six origins of one engine, each with one client and two: twelve folders."""
    program(tmp_path / "own", "postgres")
    entries = """\
{engine: postgres, version: "15.19", source: jar}
  - {engine: postgres, version: "15", source: debian}
  - {engine: postgres, version: "15.20", source: built, dims: {flags: "-O2"}}
  - {engine: postgres, version: "15.20", source: built, dims: {flags: "-O3"}}
  - {engine: postgres, basedir: OWN, tag: pg1520}
  - {engine: postgres, connect: "${X}", tag: pg1520}"""
    study = study_of(tmp_path, entries.replace("OWN", str(tmp_path / "own")))
    folders = {
        destination(spec_of(study, plan_build(c, study.driver, offered), "15.20", i),
                    offered)
        for i, c in enumerate(study.cells)
    }  # fmt: skip

    assert 12 == len(study.cells) == len(folders)


def test_what_the_catalogue_lacks_is_one_sentence(tmp_path, offered):
    """The sentence lists what there is."""
    study = study_of(tmp_path, '{engine: postgres, version: "9.1", source: jar}')

    with pytest.raises(UserError, match=r"no postgres 9.1 from jar in the catalogue"):
        plan_build(study.cells[0], study.driver, offered)


def test_tree_is_got_by_bash_alone():
    """The words of bench/install.sh for a fetched tree and for a built one."""
    fetched = Tree(Path("/t"), "postgres", "15.19", "jar")
    built = Tree(Path("/t"), "postgres", "15.20", "built", compiler="gcc-12",
                 flags="-O2 -flto")  # fmt: skip

    assert "bench/install.sh postgres 15.19 jar" == install_line(fetched)
    assert ("bench/install.sh --built postgres 15.20 gcc-12 '-O2 -flto'"
            == install_line(built))  # fmt: skip
