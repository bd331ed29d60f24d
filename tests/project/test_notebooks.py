"""Every template obeys the house rules and executes on the fixtures with its defaults."""

import ast
import re

import nbformat
import pytest
from jupyter_client import KernelManager
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell
from papermill.iorw import load_notebook_node
from papermill.parameterize import parameterize_notebook
from places import ROOT

SELDOM_CHANGED = (
    "ab", "background-jobs", "cloud-variance", "compilers", "db_bench-variance",
    "db_bench-versions", "engine-builds", "insert-cost", "io-bound", "published", "quiet",
    "sawtooth", "scaling", "servers", "sysbench-versions", "trivial-move", "variance",
    "versions",
)  # fmt: skip
TEMPLATES = sorted((ROOT / "notebooks").glob("*.ipynb"))
BANNED = (ast.FunctionDef, ast.For, ast.If, ast.Try, ast.While)
SQL = re.compile(r"\b(SELECT|FROM|GROUP BY)\b")


@pytest.fixture(params=TEMPLATES, ids=lambda p: p.stem)
def template(request):
    """The path of one template."""
    return request.param


def code_cells(path):
    notebook = nbformat.read(path, as_version=4)
    return [c for c in notebook.cells if c.cell_type == "code"]


def test_first_cell_is_the_question(template):
    """A notebook opens with its question as the only H1."""
    first = nbformat.read(template, as_version=4).cells[0]

    assert first.source.startswith("# ")
    assert first.source.rstrip().endswith("?")


def test_no_cell_has_the_id_of_a_heading(template):
    """Quarto gives a cell its id and a section that of its heading: one page, two ids."""
    notebook = nbformat.read(template, as_version=4)
    text = "\n".join(c.source for c in notebook.cells if c.cell_type == "markdown")
    heads = re.findall(r"^#+ (.*)", text, re.MULTILINE)
    slugs = {re.sub(r"[^\w.-]+", "-", head.lower()).strip("-") for head in heads}

    assert set() == slugs & {cell.id for cell in code_cells(template)}


def test_outputs_are_stripped(template):
    """Templates are committed without results."""
    assert [] == [c.outputs for c in code_cells(template) if c.outputs]


def test_exactly_one_cell_holds_the_parameters(template):
    """papermill replaces that cell; `study` is one of its names."""
    tagged = [
        c for c in code_cells(template) if "parameters" in c.metadata.get("tags", [])
    ]

    assert 1 == len(tagged)
    assert "study = " in tagged[0].source


def test_code_cells_are_short_and_hold_no_logic(template):
    """At most five lines; no def, loop, branch or SQL: those belong in the library."""
    for cell in code_cells(template):
        lines = [x for x in cell.source.splitlines() if x and not x.startswith("#|")]
        found = [type(n).__name__ for n in ast.walk(ast.parse(cell.source))
                 if isinstance(n, BANNED)]  # fmt: skip

        assert len(lines) <= 5, cell.source
        assert [] == found, cell.source
        assert not SQL.search(cell.source), cell.source


def test_example_study_lies_beside_the_template(template):
    """`benchbook new` copies it, so it must be a study of this template."""
    from benchbook.study.study import load_study

    example = template.with_suffix(".study.yml")

    assert template.stem == load_study(example).template


def test_example_without_a_template_of_its_own_is_a_study():
    """Of commands: the page is that of `ab`."""
    from benchbook.study.study import load_study

    study = load_study(ROOT / "notebooks" / "command.study.yml")

    assert ("ab", "command") == (study.template, study.driver.name)


def executed(path):
    """Those of figures and of method, which change seldom, are slow tests."""
    marks = [pytest.mark.slow] if path.stem in SELDOM_CHANGED else []
    return pytest.param(path, id=path.stem, marks=marks)


@pytest.fixture(scope="module")
def kernel():
    """One for all templates: to start it takes as long as most of them."""
    manager = KernelManager()
    manager.start_kernel(cwd=str(ROOT))
    yield manager
    manager.shutdown_kernel(now=True)


@pytest.mark.engine
@pytest.mark.parametrize("template", [executed(path) for path in TEMPLATES])
def test_template_executes_on_the_fixtures(template, kernel):
    """The default parameters read the runs in tests/fixtures."""
    loaded = load_notebook_node(str(template))
    notebook = parameterize_notebook(loaded, {"measure": False})
    notebook.cells.insert(0, new_code_cell("%reset -f"))  # what others left behind

    NotebookClient(notebook, km=kernel).execute()  # raises what a cell raises
