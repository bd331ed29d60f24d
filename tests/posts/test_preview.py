"""The preview shows what Quarto would, and fails on what it does not know."""

from __future__ import annotations

import json
import re

import nbformat
import pytest
from html_page import read_page
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from sample_site import make_project

from benchbook.posts import preview
from benchbook.posts.clean import Head, framed
from benchbook.posts.site import build_site
from benchmath.errors import UserError


@pytest.fixture
def whole(tmp_path):
    """A checkout with all pages of the site."""
    return make_project(tmp_path / "checkout")


@pytest.fixture
def project(whole):
    """A checkout of which the site has the index and posts."""
    config = whole.root / "_quarto.yml"
    few = 'render: [index.qmd, "posts/*/index.ipynb"]'
    config.write_text(re.sub(r"render: \[.*\]", few, config.read_text()))
    return whole


def write_post(project, *cells, slug: str = "sample", head: Head | None = None) -> None:
    """posts/<slug>/index.ipynb of those cells."""
    folder = project.posts / slug
    folder.mkdir(exist_ok=True)
    notebook = framed(new_notebook(cells=list(cells)), head or Head("Why?"), "## Data")
    nbformat.write(notebook, folder / "index.ipynb")


def rendered(project, *cells) -> str:
    """The HTML of a post of those cells."""
    write_post(project, *cells)
    for error in preview.render(project.root, project.site):
        raise error
    return (project.site / "posts" / "sample" / "index.html").read_text()


def code(source: str, **data: object):
    outputs = [new_output("display_data", data={"text/plain": "seen"})]
    return new_code_cell(source, outputs=outputs)


def test_code_is_folded_and_options_are_not_shown(project):
    """Source stands in a closed details element, without its #| lines."""
    html = rendered(project, code("#| code-summary: How\nrun()"))

    assert '<details class="code-fold">\n<summary>How</summary>' in html
    assert "#|" not in html
    assert "seen" in html


def test_cell_options_are_honoured(project):
    """echo, output, include and code-fold do what Quarto does."""
    html = rendered(
        project,
        code("#| echo: false\none()"),
        code("#| output: false\ntwo()"),
        code("#| include: false\nthree()"),
        code("#| code-fold: false\nfour()"),
    )

    assert "one" not in html and "three" not in html
    assert "two" in html and "four" in html
    assert 2 == html.count("seen")
    assert 1 == html.count("<details")


def test_tables_and_figures_are_numbered(project):
    """A label and a caption make `Table 1`, and a reference leads there."""
    html = rendered(
        project,
        new_markdown_cell("See @tbl-b and @fig-a."),
        code("#| label: fig-a\n#| fig-cap: A picture.\nx()"),
        code("#| label: tbl-a\n#| tbl-cap: First.\nx()"),
        code("#| label: tbl-b\n#| tbl-cap: '**Second**.'\nx()"),
    )

    assert '<a href="#tbl-b">Table 2</a> and <a href="#fig-a">Figure 1</a>' in html
    assert "Table 2: <strong>Second</strong>." in html
    assert '<figure id="tbl-b" class="quarto-float quarto-float-tbl">' in html


def test_callouts_have_a_title(project):
    """A heading inside becomes the title; without one the kind is."""
    html = rendered(
        project,
        new_markdown_cell("::: {.callout-tip}\n## Read this\nText.\n:::"),
        new_markdown_cell("::: {.callout-warning}\nText.\n:::"),
    )

    assert '<div class="callout callout-tip">' in html
    assert "<p>Read this</p>" in html
    assert "<p>Warning</p>" in html


def test_opinions_and_bound_numbers_are_shown(project):
    """An opinion in a block of its own; of a bound number its value alone."""
    opinion = "::: {.opinion}\nI think so.\n:::"
    bound = 'It has <!-- ratio("l.x") -->1.08 [1.03, 1.13]<!-- / --> of *it*.'
    page = rendered(project, new_markdown_cell(f"{opinion}\n\n{bound}"))

    assert re.search(r'<div class="opinion">\s*<p>I think so.</p>', page)
    shown = re.sub(r"<!--.*?-->", "", " ".join(page.split()))
    assert "It has 1.08 [1.03, 1.13] of <em>it</em>." in shown


def test_contents_lead_to_the_sections(project):
    """Headings of levels 2 and 3, code in them as text."""
    html = rendered(project, new_markdown_cell("## Why `x` is *slow*\n\n### Then\n"))

    assert '<a href="#why-x-is-slow">Why x is slow</a>' in html
    assert '<li class="level-3"><a href="#then">Then</a></li>' in html


def test_hidden_cells_are_not_there(project):
    """The tag remove-cell hides code and output, hide-code only the code."""
    gone, silent = code("one()"), code("two()")
    gone.metadata["tags"], silent.metadata["tags"] = ["remove-cell"], ["hide-code"]
    html = rendered(project, gone, silent)

    assert "one()" not in html and "two()" not in html
    assert 1 == html.count("seen")


def test_images_are_files_with_a_text(project):
    """An SVG lies where Quarto puts it, and says in words what it shows."""
    cell = new_code_cell("#| fig-alt: All [1] dots.\nplot()")
    cell.outputs = [new_output("display_data", data={"image/svg+xml": "<svg/>"})]
    html = rendered(project, cell)

    file = "index_files/figure-html/cell-2-output-1.svg"
    assert f'<img src="{file}" alt="All [1] dots." />' in html
    assert "<svg/>" == (project.site / "posts" / "sample" / file).read_text()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("cell", "what"),
    [
        (new_code_cell("#| layout-ncol: 2\nx()"), "option 'layout-ncol'"),
        (new_markdown_cell("::: {.panel-tabset}\nx\n:::"), "div 'panel-tabset'"),
        (new_markdown_cell("{{< video x.mp4 >}}"), "shortcodes"),
        (new_markdown_cell("See @tbl-none."), "@tbl-none names no table"),
        (new_markdown_cell("```{=latex}\nx\n```"), "raw latex"),
        (new_code_cell("#| label: tbl-x\nx()", outputs=[
            new_output("stream", name="stdout", text="x")]), "needs a caption"),
        (new_code_cell("x()", outputs=[
            new_output("display_data", data={"text/html": "<b>x</b>"})]), "text/html"),
        (new_code_cell("x()", outputs=[new_output("display_data", data={
            "application/vnd.jupyter.widget-view+json": {}})]), "widget-view"),
        (new_code_cell("x()", outputs=[
            new_output("error", ename="E", evalue="e", traceback=[])]), "an error"),
    ],
)  # fmt: skip
def test_the_unknown_is_refused(project, cell, what):
    """One sentence that names the post and the construct."""
    with pytest.raises(UserError, match=r"posts/sample/index\.ipynb: .*" + what):
        rendered(project, cell)


def site_of_three(project):
    """Posts a and b of one day, an older one on the method; returns the site's folder."""
    write_post(project, slug="old", head=Head("Old?", "Yes.", "2025-01-02", ("method",),
                                              listed={"kind": "method"}))  # fmt: skip
    write_post(project, slug="b", head=Head("B?", "No.", "2026-01-02", ("versions",),
                                            listed={"dbms": "MySQL"}))  # fmt: skip
    write_post(project, slug="a", head=Head("A?", "", "2026-01-02"))
    preview.render(project.root, project.site)
    return project.site


def links_to_posts(page) -> list[str]:
    hrefs = [a.attributes["href"] for a in page.all("a")]
    return [h.split("/")[-2] for h in hrefs if h.startswith("posts/")]


def test_findings_are_listed_before_posts_on_the_method(project):
    """Each list has the newest first; of one day, by title."""
    index = read_page(site_of_three(project) / "index.html")

    assert ["a", "b", "old"] == links_to_posts(index)
    above = [e.text for e in index.elements if e.tag in ("h2", "td")]
    assert above.index("How sure the figures are") < above.index("Old?")


@pytest.mark.slow
def test_posts_on_versions_stand_in_one_table(whole):
    """With the fields of their front matter."""
    page = read_page(site_of_three(whole) / "versions.html")

    assert ["b"] == links_to_posts(page)
    assert "MySQL" == page.all("td")[0].text


def test_neighbours_lead_from_post_to_post(project):
    """In the order of the addresses; the first has none before it."""
    site = site_of_three(project)
    links = {
        slug: [
            a.attributes["href"]
            for a in read_page(site / "posts" / slug / "index.html").all("a")
            if any("page-navigation" in e.classes for e in a.around)
        ]
        for slug in ("a", "b", "old")
    }

    assert ["../../posts/b/index.html"] == links["a"]
    assert ["../../posts/a/index.html", "../../posts/old/index.html"] == links["b"]


@pytest.mark.slow
def test_pages_of_the_site_lead_to_each_other(whole):
    """The menu is that of _quarto.yml; a link to a source is one to its page."""
    site = site_of_three(whole)
    about = read_page(site / "about.html")

    links = [a.attributes["href"] for a in about.all("a")]
    assert {"index.html", "versions.html", "METHODS.html", "about.html"} <= set(links)
    assert ["How conclusions are drawn"] == [
        h.text for h in read_page(site / "METHODS.html").all("h1")
    ]


def test_a_repository_is_linked_where_one_is_named(project):
    """`repo-url` of _quarto.yml; nothing is made up without it."""
    assert "View source" not in (site_of_three(project) / "index.html").read_text()
    config = project.root / "_quarto.yml"
    named = "  repo-url: https://example.org/bench\n  repo-actions"
    config.write_text(config.read_text().replace("  repo-actions", named))
    preview.render(project.root, project.site)

    page = (project.site / "posts" / "a" / "index.html").read_text()
    assert 'href="https://example.org/bench/blob/main/posts/a/index.ipynb"' in page


def test_a_page_says_what_it_is_to_those_who_link_to_it(project):
    """Its title and text; its address and picture once the site has one."""
    project.posts.joinpath("sample").mkdir(parents=True, exist_ok=True)
    head = Head("Why?", "Because.", listed={"image": "thumbnail.png"})
    write_post(project, head=head)
    text = '<meta property="og:description" content="Because.">'
    alone, named = page_of(project, ""), page_of(project, "https://example.org/lab/")

    assert text in alone
    assert "canonical" not in alone
    at = "https://example.org/lab/posts/sample"
    assert text in named
    assert f'<link rel="canonical" href="{at}/index.html">' in named
    assert f'<meta property="og:image" content="{at}/thumbnail.png">' in named


def page_of(project, address: str) -> str:
    """The HTML of the post, of a site at that address."""
    config = project.root / "_quarto.yml"
    favicon = "  favicon: site/favicon.svg\n"
    named = f"{favicon}  site-url: {address}\n" if address else favicon
    config.write_text(config.read_text().replace(favicon, named))
    preview.render(project.root, project.site)
    return (project.site / "posts" / "sample" / "index.html").read_text()


@pytest.mark.slow
def test_links_of_the_page_that_is_shown_anywhere_are_the_sites(whole):
    """Whoever asks for an address of any depth that nobody has gets 404.html."""
    assert '<base href="/">' in (site_of_three(whole) / "404.html").read_text()


def test_a_page_that_is_not_there_is_named(whole):
    """_quarto.yml may name a page that somebody deleted."""
    (whole.root / "about.qmd").unlink()

    with pytest.raises(UserError, match=r"_quarto.yml: render: there is no about\.qmd"):
        preview.render(whole.root, whole.site)


@pytest.mark.slow
def test_a_search_reads_all_pages(whole):
    """search.json has the sections of posts and of the site's own pages."""
    found = json.loads((site_of_three(whole) / "search.json").read_text())

    hrefs = {entry["href"] for entry in found}
    assert {"about.html#how-to-run-it", "posts/a/index.html"} <= hrefs


def test_an_empty_site_says_so(project):
    """Without a post there is still an index."""
    preview.render(project.root, project.site)

    assert "No posts yet." in (project.site / "index.html").read_text()


def test_the_same_posts_make_the_same_site(project):
    """No page holds a time or anything else that changes by itself."""
    first = rendered(project, new_markdown_cell("## One\n\nText."))
    second = rendered(project, new_markdown_cell("## One\n\nText."))

    assert first == second
    assert "rendered without Quarto" in first


def made_again(project, only: str = "") -> list[str]:
    """The sources of the pages that another rendering makes."""
    said: list[str] = []
    preview.render(project.root, project.site, only, said.append)
    return [text.partition(" ")[0] for text in said]


def test_pages_that_stand_are_not_made_again(project):
    """The whole site is what it was, down to what a search reads."""
    site = site_of_three(project)
    files = {p: p.read_bytes() for p in site.rglob("*") if p.is_file()}

    assert [] == made_again(project)
    assert files == {p: p.read_bytes() for p in site.rglob("*") if p.is_file()}


def test_a_changed_post_is_made_again_alone(project):
    """Its title stands in the list, and between its neighbours: not its text."""
    site_of_three(project)
    write_post(project, new_markdown_cell("New."), slug="a",
               head=Head("A?", "", "2026-01-02"))  # fmt: skip

    assert ["posts/a/index.ipynb"] == made_again(project)
    assert "New." in (project.site / "posts" / "a" / "index.html").read_text()


@pytest.mark.slow
def test_a_changed_title_is_shown_wherever_it_stands(project):
    """In the list and on the page of the next post."""
    site_of_three(project)
    write_post(project, slug="a", head=Head("Else?", "", "2026-01-02"))

    assert ["index.qmd", "posts/a/index.ipynb", "posts/b/index.ipynb"] == sorted(
        made_again(project)
    )


@pytest.mark.slow
def test_one_post_is_made_with_the_lists_alone(project):
    """Others that changed as well wait for the whole site."""
    site_of_three(project)
    for slug in ("a", "b"):
        write_post(project, slug=slug, head=Head("New?", "", "2026-01-02"))

    assert ["index.qmd", "posts/a/index.ipynb"] == sorted(
        made_again(project, "posts/a/index.ipynb")
    )
    assert "posts/b/index.ipynb" in made_again(project)


def test_one_post_of_a_site_that_is_not_there(project):
    """Its page, and the lists, which show all posts."""
    write_post(project, slug="a", head=Head("A?"))
    write_post(project, slug="b", head=Head("B?"))
    preview.render(project.root, project.site, "posts/a/index.ipynb")

    assert (project.site / "posts" / "a" / "index.html").is_file()
    assert not (project.site / "posts" / "b").exists()
    assert "B?" in (project.site / "index.html").read_text()


def test_a_post_that_was_never_executed_has_no_page(project):
    with pytest.raises(UserError, match=r"posts/none/index\.ipynb is not there yet"):
        build_site(project, slug="none")


def test_an_unknown_renderer_is_refused(project):
    """The sentence names those there are."""
    with pytest.raises(UserError, match="available: quarto, preview"):
        build_site(project, renderer="word")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("{{< include /etc/passwd >}}", "shortcodes"),
        (":::: {.columns}\n::::", "div 'columns'"),
        (None, "no notebook"),
    ],
)
def test_a_bad_post_stops_no_other(project, text, why):
    """The others are there; it is named with its reason, once all is written."""
    write_post(project, code("run()"), slug="good")
    write_post(project, new_markdown_cell(text or ""), slug="bad")
    if text is None:
        (project.posts / "bad" / "index.ipynb").write_text("{")
    with pytest.raises(UserError, match=f"^posts/bad/index.ipynb: .*{why}") as raised:
        build_site(project, renderer="preview")

    pages = sorted(p.parent.name for p in project.site.glob("posts/*/index.html"))
    assert (["good"], 1) == (pages, raised.value.exit_code)
    assert "posts/good/index.html" in (project.site / "index.html").read_text()
