"""Pages that tests read: small in a message, however deep and long they are."""

from __future__ import annotations

from html_page import read_page


def test_an_element_is_short_in_a_message(tmp_path):
    """Its tag, what names it, and the beginning of its text; not what is around it."""
    file = tmp_path / "index.html"
    levels, words = 200, "many words " * 1000
    deep = f'{"<div class=x>" * levels}<a href="b.html">{words}</a>{"</div>" * levels}'
    file.write_text(f"<main>{deep}</main>", encoding="utf-8")
    page = read_page(file)

    assert "<a href='b.html'> 'many words many words many words many wo…'" == repr(
        page.all("a")[0]
    )
    assert len(repr(page.elements)) < 80 * len(page.elements)
    assert len(repr(page)) < 80 + len(str(file))


def test_an_element_is_equal_to_itself_only(tmp_path):
    """Looking for one in a list compares no trees."""
    file = tmp_path / "index.html"
    file.write_text("<p>a</p><p>a</p>", encoding="utf-8")
    first, second = read_page(file).all("p")

    assert first != second
