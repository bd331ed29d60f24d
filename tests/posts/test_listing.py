"""Lists of posts: which, in what order, what of each; an unknown option is refused."""

from __future__ import annotations

import pytest

from benchbook.posts.preview.listing import listings
from benchmath.errors import UserError

pytestmark = pytest.mark.unit

POSTS = [
    {"path": "posts/a/index.ipynb", "href": "posts/a/index.html", "title": "A?",
     "date": "2026-11-20", "kind": "finding", "categories": ["versions", "MySQL"]},
    {"path": "posts/b/index.ipynb", "href": "posts/b/index.html", "title": "B?",
     "date": "2026-11-21", "kind": "finding", "categories": ["versions"], "dbms": "X"},
    {"path": "posts/c/index.ipynb", "href": "posts/c/index.html", "title": "C?",
     "date": "2026-11-21", "kind": "method", "categories": ["method"]},
]  # fmt: skip


def titles(**asked: object) -> list[str]:
    """The titles of one list of those posts."""
    head = {"listing": {"contents": "posts/*/index.ipynb", "fields": ["title"], **asked}}
    return [item["title"] for item in listings(head, POSTS)[0].items]


def test_posts_are_sorted_by_each_field_in_turn():
    """The newest first; of one day, by title; by title if nothing is said."""
    assert ["B?", "C?", "A?"] == titles(sort=["date desc", "title"])
    assert ["C?", "B?", "A?"] == titles(sort=["date desc", "title desc"])
    assert ["A?", "B?", "C?"] == titles()


def test_scale_stands_below_what_was_found():
    """How large what was measured is, as the post says at its top."""
    posts = [POSTS[0] | {"description": "Yes.", "scale": "5 rows, 1 GB"}]
    head = {"listing": {"contents": "posts/*/index.ipynb",
                        "fields": ["title", "description", "scale"]}}  # fmt: skip
    html = listings(head, posts)[0].html()

    assert html.index("Yes.") < html.index('<p class="scale">5 rows, 1 GB</p>')


def test_a_list_ends_where_it_is_said():
    assert ["A?", "B?"] == titles(**{"max-items": 2})


def test_posts_are_included_and_excluded_by_their_fields():
    """A field may have several values, and so may what is asked for."""
    assert ["C?"] == titles(include={"kind": "method"})
    assert ["A?", "B?"] == titles(include={"categories": "versions"})
    assert ["A?", "B?"] == titles(exclude={"kind": ["method", "live"]})
    assert ["A?"] == titles(include={"categories": "versions", "kind": "finding"},
                            exclude={"dbms": "*"})  # fmt: skip


def test_several_lists_of_a_page_have_their_names():
    """Each goes where the page has an empty div of its id."""
    one = {"id": "one", "contents": "posts/*/index.ipynb", "fields": []}
    made = listings({"listing": [one, one | {"id": "two"}]}, POSTS)

    assert ["one", "two"] == [each.name for each in made]


def test_a_table_has_a_column_per_field():
    """A field that a post lacks is blank; the title leads to it."""
    asked = {
        "id": "t", "type": "table", "contents": "posts/*/index.ipynb",
        "fields": ["dbms", "title"], "field-display-names": {"dbms": "Engine"},
    }  # fmt: skip
    html = listings({"listing": asked}, POSTS)[0].html()

    assert '<th scope="col">Engine</th>' in html
    assert "<td></td>" in html and "<td>X</td>" in html
    assert '<td><a href="posts/b/index.html">B?</a></td>' in html


def test_a_picture_stands_beside_the_title_with_its_text():
    """The text of a post without one stands below the others'."""
    post = POSTS[0] | {
        "image": "thumbnail.png",
        "image-alt": 'A "b"',
        "folder": "posts/a/",
    }
    asked = {"contents": "posts/*/index.ipynb", "fields": ["image", "title"]}
    html = listings({"listing": asked}, [post, POSTS[1]])[0].html()

    assert 2 == html.count('<li class="with-image">')
    assert 'src="posts/a/thumbnail.png" alt="A &#34;b&#34;"' in html


@pytest.mark.parametrize(
    ("asked", "what"),
    [({"grid-columns": 2}, "option 'grid-columns'"), ({"type": "grid"}, "type 'grid'")],
)
def test_what_the_preview_does_not_know_is_refused(asked, what):
    """Quarto would show something else there."""
    with pytest.raises(UserError, match=what):
        titles(**asked)


def test_code_in_a_description_is_code():
    """Quarto reads Markdown there; what looks like HTML is text."""
    post = POSTS[0] | {"description": "`x` < `y`"}
    asked = {"contents": "posts/*/index.ipynb", "fields": ["description"]}

    html = listings({"listing": asked}, [post])[0].html()
    assert "<p><code>x</code> &lt; <code>y</code></p>" in html
