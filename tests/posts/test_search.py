"""What Quarto's search keeps: prose and heads of tables."""

import json

import pytest

from benchbook.posts.search import sections, slim

pytestmark = pytest.mark.unit

PAGE = """<html><body><main class="content"><header><h1>Which?</h1></header>
<div class="bb-answer"><p>The answer &amp; its interval.</p></div>
<section id="rates" class="level2"><h2 class="anchored">Rates</h2>
<p>All clients.</p><pre>code</pre><svg><title>frame</title><text>0.1</text></svg>
<table><thead><tr><th>step</th></tr></thead><tbody><tr><td>scan</td></tr></tbody></table>
</section>
<section id="machine" class="level2"><h2>Machine</h2><p>Facts.</p></section>
</main></body></html>"""


def test_code_pictures_and_cells_are_not_read(tmp_path):
    """A head of a table is; a heading stands in a key of its own."""
    (tmp_path / "page.html").write_text(PAGE)

    found = sections(tmp_path / "page.html")

    assert {"rates": "All clients. step", "machine": "Facts."} == {
        name: text for name, text in found.items() if name
    }
    assert "The answer & its interval." == found[""]


def test_the_index_has_what_a_search_is_for(tmp_path):
    """Not what all posts say alike, nor what another search engine needs."""
    page = tmp_path / "posts/p/index.html"
    page.parent.mkdir(parents=True)
    page.write_text(PAGE)
    href = "posts/p/index.html"
    whole = [
        {"objectID": h, "href": h, "title": "Which?", "section": s, "text": "a long one"}
        for h, s in (
            (href, ""),
            (f"{href}#rates", "Rates"),
            (f"{href}#machine", "Machine"),
        )
    ]  # fmt: skip
    (tmp_path / "search.json").write_text(json.dumps(whole))
    slim(tmp_path, tmp_path)
    kept = json.loads((tmp_path / "search.json").read_text())

    assert [
        {"href": href, "title": "Which?", "section": "",
         "text": "The answer &amp; its interval."},
        {"href": f"{href}#rates", "title": "Which?", "section": "Rates",
         "text": "All clients. step"},
    ] == kept  # fmt: skip
    slim(tmp_path, tmp_path)
    assert kept == json.loads((tmp_path / "search.json").read_text())


def test_a_site_without_an_index_stays_as_it_is(tmp_path):
    """The preview has one of its own."""
    slim(tmp_path, tmp_path)

    assert [] == list(tmp_path.iterdir())
