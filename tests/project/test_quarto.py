"""What Quarto would make of our notebooks and settings, checked where it is not there."""

from __future__ import annotations

import re

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output
from places import ROOT
from quarto_view import classes_of, divs_of, files_of, options_of
from ruamel.yaml import YAML
from sample_site import HEAD, executed, make_project

from benchbook.posts.clean import NUMBERED, cleaned, framed
from benchbook.raw_html import LAID_OUT

CONFIG = YAML(typ="safe").load(ROOT / "_quarto.yml")
POSTS = sorted(ROOT.glob("posts/*/index.ipynb"))
HEADING = re.compile(r"^#{2,6} |<h[1-6]\b", re.MULTILINE)
SEEN = ("quiet-checksums", "crc32c-compilers", "trivial-move")  # read as a whole


@pytest.fixture(scope="module")
def notebooks():
    """Every template and every published post, by its path."""
    paths = [*sorted(ROOT.glob("notebooks/*.ipynb")), *POSTS]
    return {str(p.relative_to(ROOT)): nbformat.read(p, as_version=4) for p in paths}


@pytest.fixture(scope="module")
def posts(notebooks):
    return {name: made for name, made in notebooks.items() if name.startswith("posts/")}


def code_cells(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def test_no_cell_of_a_post_is_numbered_by_its_id(posts):
    """A cell whose id begins with tbl- would be a table without a caption."""
    numbered = [
        (name, cell.id)
        for name, notebook in posts.items()
        for cell in code_cells(notebook)
        if NUMBERED.match(cell.id)
    ]

    assert [] == numbered


def test_no_heading_is_made_by_an_output(posts):
    """The table of contents of a page has the headings of its Markdown cells only."""
    made = [
        (name, cell.id)
        for name, notebook in posts.items()
        for cell in code_cells(notebook)
        for output in cell.outputs
        if HEADING.search(output.get("data", {}).get("text/markdown", ""))
    ]

    assert [] == made


def test_what_has_a_label_has_a_caption(notebooks):
    """A label of a table or figure comes with its caption, and stands once."""
    wrong = []
    for name, notebook in notebooks.items():
        options = [options_of(cell) for cell in code_cells(notebook)]
        labels = [o["label"] for o in options if "label" in o]
        bare = [
            o["label"]
            for o in options
            if "label" in o and f"{o['label'].partition('-')[0]}-cap" not in o
        ]
        wrong += [(name, n) for n in {*bare, *(n for n in labels if labels.count(n) > 1)}]

    assert [] == wrong


def test_a_numbered_table_has_no_sentence_in_it(posts):
    """What a labelled cell shows lies under its caption: tables and charts only."""
    sentences = [
        (name, options_of(cell)["label"])
        for name, notebook in posts.items()
        for cell in code_cells(notebook)
        if options_of(cell).get("label", "").startswith("tbl-")
        for output in cell.outputs
        if "{=html}" not in output.get("data", {}).get("text/markdown", "")
    ]

    assert [] == sentences


def test_no_class_is_one_of_the_page_layout(posts):
    """An element with a class such as column-title would be laid out as a column."""
    taken = [
        (name, word)
        for name, notebook in posts.items()
        for word in sorted(classes_of(notebook))
        if LAID_OUT.match(word)
    ]

    assert [] == taken


@pytest.mark.parametrize("slug", SEEN)
def test_a_post_as_quarto_reads_it(slug):
    """Each numbered table has its own caption, and every id stands once."""
    notebook = nbformat.read(ROOT / "posts" / slug / "index.ipynb", as_version=4)
    divs = divs_of(notebook)
    ids = [div.id for div in divs if div.id]

    assert [] == [div.id for div in divs if div.numbered and not div.captioned]
    assert len(set(ids)) == len(ids) > 0


def test_the_sample_as_quarto_reads_it():
    """Its table and its figure are numbered, both with a caption."""
    divs = divs_of(framed(cleaned(executed()), HEAD, "## Data"))

    numbered = {div.id: div.captioned for div in divs if div.numbered}
    assert {"tbl-rates": True, "fig-rates": True} == numbered


def test_a_cell_named_like_a_table_is_none_on_the_page():
    """It shows a sentence and a table; Quarto would number them, the page does not."""
    shown = [new_output("display_data", data={"text/markdown": text})
             for text in ("A sentence.", "```{=html}\n<b>1</b>\n```")]  # fmt: skip
    template = new_notebook(cells=[new_code_cell("x()", id="tbl-x", outputs=shown)])
    divs, page = (divs_of(framed(n, HEAD, "")) for n in (template, cleaned(template)))

    assert [False] == [div.captioned for div in divs if div.numbered]
    assert [] == [div.id for div in page if div.numbered]


def test_only_files_of_the_project_are_published(tmp_path):
    """Nothing of .venv or of the tests, where folders have the same names."""
    project = make_project(tmp_path / "checkout")
    for name in ("site/foreign.css", "notebooks/a.ipynb", "posts/a/study.yml"):
        for folder in (".venv/lib", "tests/fixtures"):
            (project.root / folder / name).parent.mkdir(parents=True, exist_ok=True)
            (project.root / folder / name).write_text("")
    files = files_of(project.root, CONFIG["project"]["resources"])

    assert {"posts", "site", "notebooks"} == {name.partition("/")[0] for name in files}
    assert "site/benchbook.css" in files
    assert "tests/fixtures/site/foreign.css" in files_of(project.root, ["site/*"])


def test_git_ignores_what_quarto_would_have_ignored():
    """It adds these lines to .gitignore where they are missing."""
    lines = (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()

    assert {"/.quarto/", "**/*.quarto_ipynb"} <= set(lines)


def test_the_feed_holds_descriptions_only():
    """Whole posts would make it megabytes."""
    head = (ROOT / "all.qmd").read_text(encoding="utf-8").split("---\n")[1]
    listing = YAML(typ="safe").load(head)["listing"]
    feeds = [one["feed"] for one in (listing if isinstance(listing, list) else [listing])
             if "feed" in one]  # fmt: skip

    assert ["metadata"] == [feed["type"] for feed in feeds]


def test_vega_is_there_before_quarto_renders():
    """Quarto starts a target of the Makefile that writes it where resources are."""
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")

    assert "make -s vega" in CONFIG["project"]["pre-render"]
    assert re.search(r"^vega:.*\n\t-@.*benchbook\.posts\.vega$", makefile, re.MULTILINE)
    assert "/site/*" in CONFIG["project"]["resources"]


def test_explore_has_its_data_before_quarto_renders():
    """So it does for what the page Explore reads."""
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    module = r"^explore:.*\n\t-@.*benchbook\.explore\.files$"

    assert "make -s explore" in CONFIG["project"]["pre-render"]
    assert re.search(module, makefile, re.MULTILINE)
    assert "/site/explore/*" in CONFIG["project"]["resources"]


def test_search_is_made_small_after_quarto_renders():
    """Quarto's own index has the cells of tables and the text of flame graphs."""
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")

    module = r"^search:.*\n\t-@.*benchbook\.posts\.search$"

    assert ["make -s search"] == CONFIG["project"]["post-render"]
    assert re.search(module, makefile, re.MULTILINE)
