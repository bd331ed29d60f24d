"""What every page of the site owes its reader, whichever renderer made it.

BENCHBOOK_SITE names the folder; without it, the preview of the sample post is checked.
"""

from __future__ import annotations

import json
from urllib.parse import unquote, urlsplit

import pytest
from html_page import read_page
from sample_site import make_site

LOADED = {"script": "src", "link": "href", "img": "src", "iframe": "src", "source": "src"}


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    return make_site(tmp_path_factory.mktemp("dom") / "checkout")


@pytest.fixture(scope="module")
def pages(site):
    """The site's own pages and the posts; what Quarto writes beside them is its own."""
    own = [
        site / f"{name}.html"
        for name in ("index", "versions", "explore", "about", "METHODS")
    ]
    paths = [*own, *sorted(site.glob("posts/*/index.html"))]
    return [read_page(path) for path in paths]


@pytest.fixture(scope="module")
def posts(pages):
    found = [page for page in pages if page.path.parent.parent.name == "posts"]
    assert found
    return found


def test_links_resolve(site, pages):
    """A link within the site leads to a file of it, relative, so under any sub-path."""
    broken = []
    for page in pages:
        for element in page.elements:
            for name in ("href", "src"):
                target = urlsplit(element.attributes.get(name, "#"))
                if target.scheme or target.netloc or not target.path:
                    continue
                file = page.path.parent / unquote(target.path)
                file = file / "index.html" if file.is_dir() else file
                inside = site.resolve() in file.resolve().parents
                if target.path.startswith("/") or not inside or not file.is_file():
                    broken.append((page.path.parent.name, target.path))

    assert [] == broken


def test_anchors_exist(pages):
    """A link to a place on the same page names an id that is there."""
    missing = [
        link.attributes["href"]
        for page in pages
        for link in page.all("a")
        if len(link.attributes.get("href", "")) > 1
        and link.attributes["href"].startswith("#")
        and link.attributes["href"][1:] not in page.ids
    ]

    assert [] == missing


def test_nothing_is_loaded_from_another_host(site, pages):
    """Scripts, styles, images and fonts come from the site itself."""
    foreign = [
        (page.path.parent.name, element.attributes[LOADED[element.tag]])
        for page in pages
        for element in page.elements
        if element.tag in LOADED
        and element.attributes.get("rel") not in ("canonical", "alternate")
        and urlsplit(element.attributes.get(LOADED[element.tag], "")).netloc
    ]
    for style in site.rglob("*.css"):
        text = style.read_text(encoding="utf-8", errors="replace")
        if "@import url(http" in text or "url(http" in text or "url(//" in text:
            foreign.append(("css", style.name))

    assert [] == foreign


def test_each_page_has_one_heading_of_level_one(pages):
    """The question is the only h1."""
    assert [1] * len(pages) == [len(page.all("h1")) for page in pages]


def test_ids_are_unique(pages):
    """No id stands twice on a page, charts and tables included.

    Quarto gives its style sheets of light and dark one id; nothing refers to it.
    """
    for page in pages:
        sheets = [link.attributes.get("id") for link in page.all("link")]
        ids = [i for i in page.ids if i not in sheets]
        assert [] == [i for i in set(ids) if ids.count(i) > 1]


def test_charts_have_a_picture_and_a_spec(posts):
    """A chart is an SVG with a name for screen readers, beside a Vega-Lite spec."""
    for page in posts:
        for figure in page.all("figure", "bb-chart"):
            inside = [e for e in page.elements if figure in e.around]
            pictures = [e for e in inside if e.tag == "svg"]
            specs = [json.loads(e.text) for e in inside if e.tag == "script"]
            assert ["img"] == [p.attributes.get("role") for p in pictures]
            assert all(p.attributes["aria-label"].strip() for p in pictures)
            assert ["vega-lite" in s["$schema"] for s in specs] == [True]


def test_charts_are_made_interactive_by_the_site(site, posts):
    """Every page with a chart loads charts.js once, and vega.js lies beside it."""
    for page in posts:
        loaded = [s for s in page.all("script")
                  if s.attributes.get("src", "").endswith("site/charts.js")]  # fmt: skip
        assert not page.all("figure", "bb-chart") or 1 == len(loaded)
    assert (site / "site" / "vega.js").stat().st_size > 500_000


def test_tables_scroll_inside_a_container(posts):
    """One that code made never widens the page; one in Markdown scrolls by itself."""
    containers = {"bb-table", "table-responsive"}
    loose = [
        table.text[:40]
        for page in posts
        for table in page.all("table")
        if {"gt_table", "dataframe"} & table.classes
        and not any(containers & element.classes for element in table.around)
    ]

    assert [] == loose


def test_images_have_a_text(pages):
    """Every image says in words what it shows; an ornament says nothing on purpose."""
    silent = [
        image.attributes.get("src")
        for page in pages
        for image in page.all("img")
        if not image.attributes.get("alt")
        and not any(e.tag in ("header", "nav") for e in image.around)
    ]

    assert [] == silent


def test_every_post_is_listed(site, pages):
    """On the first page, or on that of all posts, to which it links."""
    links = {
        link.attributes.get("href", "").removeprefix("./")
        for page in (pages[0], read_page(site / "all.html"))
        for link in page.all("a")
    }
    posts = {p.relative_to(site).as_posix() for p in site.glob("posts/*/index.html")}

    assert set() == posts - links
