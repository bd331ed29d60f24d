"""`benchbook engines`: what can be had, and getting it."""

import subprocess
import sys

import pytest
from fake_engines import make_engines

from benchbook.digests import short_digest
from benchbook.engines import catalogue
from benchbook.engines.catalogue import CatalogueEntry, choose, find
from benchbook.project import Project
from benchbook.study.compilers import compiler_line
from benchmath.errors import UserError

# engine, version, source, kind, package
ROWS = [
    ("postgres", "9.6.24", "jar", "maven", "a:b"),
    ("postgres", "15.19", "jar", "maven", "a:b"),
    ("postgres", "17.11", "jar", "maven", "a:b"),
    ("postgres", "15", "debian", "deb", "postgresql-15 libpq5"),
    ("postgres", "17.11", "built", "built", "postgresql-17"),
    ("mysql", "5.7.19", "jar", "maven", "a:b"),
    ("mysql", "5.7.22", "jar", "maven", "a:b"),
    ("mariadb", "10.11.5", "jar", "maven", "a:b"),
    ("mariadb", "10.11", "debian", "deb", "mariadb-server mariadb-plugin-rocksdb"),
    ("mariadb", "10.5.23", "bullseye", "deb", "server=10.5.23 mariadb-plugin-rocksdb=1"),
]


@pytest.fixture
def project(tmp_path, monkeypatch) -> Project:
    """A catalogue, and an empty cache."""
    monkeypatch.setenv("BENCHBOOK_CACHE", str(tmp_path / "cache"))
    head = "engine version source series label kind package release archive sha256 mb"
    lines = ["# a comment", head.replace(" ", "\t")]
    for engine, version, source, kind, package in ROWS:
        row = (engine, version, source, "s", "gcc -O2", kind, package, "r", "-", "-", "7")
        lines.append("\t".join(row))
    (tmp_path / "bench").mkdir()
    (tmp_path / "bench" / "engines.tsv").write_text("\n".join(lines) + "\n")
    return Project(tmp_path)


def names(entries: list[CatalogueEntry]) -> list[str]:
    return [f"{e.version} {e.source}" for e in entries]


def put(project: Project, name: str, **notes: str) -> None:
    """An install tree in the cache."""
    tree = catalogue.cache() / name
    tree.mkdir(parents=True)
    text = "".join(f"{key}={value}\n" for key, value in notes.items())
    (tree / "benchbook-install").write_text(text)


def test_the_catalogue_has_every_line_of_the_file(project):
    """In its order, numbers as numbers."""
    found = catalogue.catalogue(project)

    assert [row[:3] for row in ROWS] == [(e.engine, e.version, e.source) for e in found]
    assert ("s", "gcc -O2", 7) == (found[0].series, found[0].label, found[0].mb)


def test_the_real_catalogue_can_be_read():
    """No engine, version and source is there twice."""
    found = catalogue.catalogue(Project.find())

    assert len(found) == len({(e.engine, e.version, e.source) for e in found}) > 30


def test_the_first_numbers_find_an_entry(project):
    """9.6 is 9.6.24; 1 is not 15."""
    assert "9.6.24" == find(project, "postgres", "9.6").version
    with pytest.raises(
        UserError, match=r"no postgres 1 in the catalogue; available: 9\.6\.24"
    ):
        find(project, "postgres", "1")


def test_a_suites_release_is_found_before_it_is_known(project):
    """Debian's 15 may be 15.20; once it is installed, it is what it is."""
    assert "15" == find(project, "postgres", "15.20", "debian").version

    put(project, "postgres-15-debian", version="15.21")

    assert "15" == find(project, "postgres", "15.21", "debian").version
    with pytest.raises(UserError, match=r"no postgres 15\.20 from debian"):
        find(project, "postgres", "15.20", "debian")


def test_more_than_one_entry_is_refused(project):
    """The sentence names them."""
    with pytest.raises(UserError, match=r"may be 15 \(debian\), 15\.19 \(jar\): say"):
        find(project, "postgres", "15")


def test_myrocks_is_a_mariadb_with_its_plugin(project):
    """Whatever release of it the packages are pinned to."""
    assert "10.11 debian" == names([find(project, "myrocks", "10.11")])[0]
    assert "mariadb" == find(project, "myrocks", "10.5").engine


def test_an_engine_that_is_not_there_is_named(project):
    """With those that are."""
    with pytest.raises(UserError, match="available: postgres, mysql, mariadb, myrocks"):
        find(project, "oracle", "9")


def test_a_range_takes_the_first_source_of_each_release_series(project):
    """Both ends are in it; two releases of one source both are."""
    assert ["9.6.24 jar", "15.19 jar", "17.11 jar"] == names(
        choose(project, "postgres", ["9.6..17"])
    )
    assert ["5.7.19 jar", "5.7.22 jar"] == names(choose(project, "mysql", ["5.5..5.7"]))
    assert ["10.5.23 bullseye", "10.11.5 jar"] == names(
        choose(project, "mariadb", ["10..11"])
    )


def test_a_source_of_a_range_can_be_named(project):
    """And several words are joined, each entry once, in the order of versions."""
    assert ["15 debian"] == names(choose(project, "postgres", ["9..18"], "debian"))
    assert ["9.6.24 jar", "17.11 jar"] == names(
        choose(project, "postgres", ["17.11", "9.6", "16..18"], "jar")
    )


def test_an_empty_range_is_refused(project):
    """The sentence says what there is."""
    with pytest.raises(
        UserError, match=r"no mysql 8\.0\.\.9 in the catalogue; available: "
    ):
        choose(project, "mysql", ["8.0..9"])


def test_a_built_tree_is_named_for_its_compiler_and_flags(project):
    """The same name as bench/install.sh gives it."""
    digest = short_digest(f"{compiler_line('cc')}\n-O3 -flto")

    tree = catalogue.tree(project, "postgres", "17", "built", "cc", "-O3 -flto")

    assert catalogue.cache() / f"postgres-17.11-cc-{digest}" == tree


def test_half_a_tree_does_not_count(project):
    """Without the file that is written last."""
    (catalogue.cache() / "postgres-15-debian").mkdir(parents=True)

    assert catalogue.installed(catalogue.cache() / "postgres-15-debian") is None
    assert {} == catalogue.trees()


def test_every_build_of_a_version_is_removed(project):
    """From one source; of several it must be said which."""
    notes = {"engine": "postgres", "version": "17.11"}
    put(project, "a", source="built", **notes)
    put(project, "b", source="built", **notes)
    put(project, "c", source="jar", **notes)

    with pytest.raises(UserError, match=r"may be 17\.11 \(built\), 17\.11 \(jar\)"):
        catalogue.remove("postgres", "17")
    assert ["a", "b"] == [p.name for p in catalogue.remove("postgres", "17", "built")]
    assert ["c"] == [p.name for p in catalogue.trees()]
    with pytest.raises(UserError, match=r"no mysql 5\.7 is installed; there is no mysql"):
        catalogue.remove("mysql", "5.7")


def call(fake, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "benchbook", "engines", *words], capture_output=True,
        text=True, check=False, env=fake.environ | {"BENCHBOOK_ROOT": str(fake.root)},
    )  # fmt: skip


@pytest.mark.slow
@pytest.mark.engine
def test_the_command_installs_lists_and_removes(tmp_path):
    """Progress on standard error, folders and lists on standard output."""
    fake = make_engines(tmp_path)

    done = call(fake, "install", "postgres", "1..2")

    assert 0 == done.returncode, done.stderr
    tree = fake.cache / "postgres-2.0-jar"
    assert f"postgres 2.0 (jar): {tree}" == done.stdout.splitlines()[1]
    assert 2 == done.stderr.count("done in ")
    assert 2 == sum(line.endswith("*") for line in call(fake).stdout.splitlines())
    assert f"removed {tree}\n" == call(fake, "remove", "postgres", "2").stdout
    assert not tree.exists()


@pytest.mark.slow
@pytest.mark.engine
def test_one_that_fails_keeps_no_other_from_being_tried(tmp_path):
    """The reason is said, and the failed one is named at the end."""
    fake = make_engines(tmp_path)
    fake.pin(fake.jar("1.5", "false"), fake.jar("2.0"))

    done = call(fake, "install", "postgres", "1..2")

    assert 1 == done.returncode
    assert "cannot install postgres 1.5 (jar): " in done.stderr
    assert "1 of 2 could not be installed: postgres 1.5 (jar)" in done.stderr
    assert (fake.cache / "postgres-2.0-jar").is_dir()


@pytest.mark.slow
@pytest.mark.engine
def test_the_command_builds_with_a_compiler_and_flags(tmp_path):
    """The list shows the build below its source."""
    fake = make_engines(tmp_path)
    fake.pin(fake.sqlite())

    done = call(fake, "build", "sqlite", "3.1", "--cc", "cc", "--cflags", "-O1")

    assert 0 == done.returncode, done.stderr
    build = next(x for x in call(fake).stdout.splitlines() if "-O1" in x)
    assert ["sqlite", "3.1.0", "built", "*"] == [*build.split()[:3], build.split()[-1]]
