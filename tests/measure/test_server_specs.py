"""From a cell with a server to the words of run.sh and of its driver."""

import pytest
from server_studies import ROOT, own_tree, spec_of, study_of

from benchbook.cli.plan import plan_text
from benchbook.engines.builds import plan_build
from benchbook.measure.execute import LocalPaths, run_line
from benchbook.measure.guess import run_seconds
from benchbook.measure.run import RunOptions, with_options
from benchbook.measure.spec import declaration, find_config
from benchbook.project import Project
from benchbook.study.derived import aa_study, left_out
from benchbook.study.drivers import DRIVERS
from benchmath.errors import UserError

pytestmark = pytest.mark.unit


def test_server_gets_config_and_memory_and_the_driver_the_rest(tmp_path):
    """run.sh is told of the server; ingest knows its target, --no-prepare, --price."""
    study, build = own_tree(
        tmp_path, "dims: {memory: 256M, prepare: 0, price: real}", "config: c"
    )
    (study.folder / "c").write_text("[mysqld]\nport = 1\n")
    found = spec_of(study, build)
    words = found["command"]
    paths = LocalPaths(
        Project(tmp_path), tmp_path / "bin", study.folder / "c", server=build.server.path
    )
    line = run_line(found, paths)

    assert ["--target", "{server}"] == words[3:5]
    assert "--config" not in words and "--memory" not in words
    assert ["--no-prepare", "--price", "real"] == words[9:12]
    expected = ["--server", "mysql", "--basedir", str(tmp_path / "my8036"), "--memory",
                "268435456"]  # fmt: skip
    at = line.index("--server")
    assert expected == line[at : at + 6]
    assert str(study.folder / "c") == line[line.index("--config") + 1]


@pytest.mark.parametrize(
    ("placement", "client", "server"),
    [
        ("same", "3", "3"),
        ("split", "2,3", "0,1"),
        ("none", "", ""),
        ("0-1", "0-1", "0-1"),
    ],
)
def test_placement_of_client_and_server(tmp_path, placement, client, server):
    """On four CPUs, the server takes the lower half of a split."""
    study, build = own_tree(tmp_path, f'dims: {{placement: "{placement}"}}')
    found = spec_of(study, build)

    assert (client, server) == (found["cpus"], found["server_cpus"])


def test_server_elsewhere_is_named_by_its_variable(tmp_path):
    """The driver reads the variable itself; no CPU of ours is a server's."""
    study = study_of(tmp_path, '{engine: postgres, connect: "${PG_URL}"}')
    build = plan_build(study.cells[0], study.driver, Project(ROOT))
    found = spec_of(study, build)
    line = run_line(found, LocalPaths(Project(tmp_path), tmp_path, remote=True))

    assert ["--target", "env:PG_URL"] == found["command"][3:5]
    assert ("", "at PG_URL") == (found["server_cpus"], found["build"]["label"])
    assert "--remote" in line and "--server" not in line


def test_prepared_statements_are_the_default(tmp_path):
    """prepare: 1 adds no word."""
    study, build = own_tree(tmp_path, "dims: {prepare: 1}")

    assert not any("prepare" in word for word in spec_of(study, build)["command"])


def test_embedded_engines_are_what_they_were(tmp_path):
    """No key of servers is in the identity of a cell that has none."""
    study = study_of(tmp_path, "{engine: sqlite}")

    assert not {"source", "connect"} & declaration(study.cells[0], study).keys()


def test_time_of_a_server_holds_its_start(tmp_path):
    """3 s to start and stop; 1000 rows at 170,000/s, twice as long for two clients of one
    CPU; 300 rows at 100/s take 3 s; 0.4 s of any run.
    """
    cells = study_of(tmp_path, "{engine: mysql, basedir: /x}").cells

    assert [6.4 + 1 / 170, 6.4 + 2 / 170] == [
        pytest.approx(run_seconds(c, DRIVERS["ingest"])) for c in cells
    ]


def test_empty_config_is_refused(tmp_path):
    """Comments and headings are no settings."""
    study = study_of(tmp_path, "{engine: mysql, basedir: /x, config: none}")
    (study.folder / "none").write_text("# later\n[mysqld]\n\n")

    with pytest.raises(UserError, match="none is empty: an engine would run with its"):
        find_config(study.cells[0], study, Project(tmp_path))


def test_environment_is_for_servers_that_are_started(tmp_path):
    """server.sh alone obeys it, so for an engine without one it would be a lie."""
    text = "# environment: MALLOC_ARENA_MAX=1\nport = 1\n"
    server = study_of(tmp_path, "{engine: mysql, basedir: /x, config: c}")
    (server.folder / "c").write_text(text)
    sentence = "/c: '# environment:' is for a server's process, and sqlite starts none"

    assert "c" == find_config(server.cells[0], server, Project(tmp_path)).name
    none = study_of(tmp_path, "{engine: sqlite, config: c}")
    with pytest.raises(UserError, match=sentence):
        find_config(none.cells[0], none, Project(tmp_path))


@pytest.mark.parametrize("engine", ["mysql, basedir: /x", "sqlite"])
def test_initdb_is_for_postgres(tmp_path, engine):
    """No other server is made by it, so elsewhere its options would have no effect."""
    study = study_of(tmp_path, f"{{engine: {engine}, config: c}}")
    (study.folder / "c").write_text("# initdb: -k\nport = 1\n")
    name = engine.partition(",")[0]
    sentence = f"/c: '# initdb:' is for postgres, and {name} has no initdb: take the line"

    with pytest.raises(UserError, match=sentence):
        find_config(study.cells[0], study, Project(tmp_path))


def test_initdb_of_postgres_is_taken(tmp_path):
    """What only initdb can set."""
    study = study_of(tmp_path, "{engine: postgres, basedir: /x, config: c}")
    (study.folder / "c").write_text("# initdb: -k\nport = 1\n")

    assert "c" == find_config(study.cells[0], study, Project(tmp_path)).name


def test_set_is_checked_like_the_study(tmp_path):
    """--set memory=x is refused before anything is run."""
    study = study_of(tmp_path, "{engine: mysql, basedir: /x}")

    with pytest.raises(UserError, match="memory 'x': write bytes"):
        with_options(study, RunOptions(settings={"memory": "x"}))


def test_server_is_repeated_and_reloaded_but_not_rebuilt(tmp_path):
    """The A/A arms of a server; the sentence says what is not measured."""
    aa = aa_study(study_of(tmp_path, "{engine: mysql, basedir: /x}"))

    assert ["main", "again", "reloaded-2"] == [c.arm for c in aa.cells]
    [sentence] = left_out(aa, builds=3, loads=2)
    assert sentence.startswith("mysql cannot be built again here")


def test_plan_names_the_variables_that_are_not_set(tmp_path, monkeypatch):
    """What `run` would ask for is known before."""
    monkeypatch.delenv("PG_URL", raising=False)
    study = study_of(tmp_path, '{engine: postgres, connect: "${PG_URL}"}')
    (tmp_path / "data").mkdir()

    assert "to be set before `run`: PG_URL" in plan_text(study, Project(tmp_path))
