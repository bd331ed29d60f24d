"""Names that would be markup, a formula or a control sequence are shown as they are."""

import json
import re

import pypandoc
import pytest

from benchbook.escaped import (
    markdown_cell,
    markdown_code,
    markdown_text,
    plain_text,
    printable,
    set_aside,
    shown,
    taken_back,
    xml_text,
)

pytestmark = pytest.mark.unit

HOSTILE = (
    "<script>alert(1)</script>", "a|b", "a\\|b", "`x`", "``", "*b*", "[a](http://x)",
    "@all", "#1", "a`b", "--", "![x](http://y/z.png)", "</details>", "&lt;",
    "https://x.example/", " a ", "x\\",
)  # fmt: skip


def test_a_name_is_the_text_of_one_code_span():
    """As GitHub's Markdown reads a table of them: each a cell of its own, and no more."""
    lines = [f"| {markdown_cell(name)} | x |" for name in HOSTILE]
    text = "\n".join(["| a | b |", "|---|---|", *lines])
    tree = json.loads(pypandoc.convert_text(text, "json", "gfm"))
    [table] = tree["blocks"]
    rows = table["c"][4][0][3]
    cells = [row[1][0][4] for row in rows]

    assert [[name] for name in HOSTILE] == [
        [inline["c"][1] for inline in cell[0]["c"] if inline["t"] == "Code"]
        for cell in cells
    ]
    assert [1] * len(HOSTILE) == [len(cell[0]["c"]) for cell in cells]


def test_control_characters_are_seen():
    assert "a\ufffd[31mb\ufffdc\ufffd" == printable("a\x1b[31mb\nc\u202e")


def test_long_names_are_cut():
    assert 202 == len(markdown_code("a" * 300))


def test_xml_has_no_forbidden_characters():
    assert "a\ufffd\ufffd\n" == xml_text("a\x00\x1b\n")


MARKUP = (
    "2.0 <new>", "1.0|rc", "<img src=x onerror=alert(1)>", "[a](javascript:alert(1))",
    "[1](x)", "javascript:alert(1)", "{{< include /etc/passwd >}}", "$x$", "a\nb",
    "::: {.callout-note}", "**b**", "_u_", "# x", "- x", "1. x", "a\\<b>", "^x^", "~~x~~",
    "a--b", "a...b", '"q"', "[^1]", "~~~", "a]{.x}", "(@) x", "| a | b |", "&#60;b>",
)  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("name", [*HOSTILE, *MARKUP])
@pytest.mark.parametrize("text", ["{}", "a **{}** b", "`{}` and {}"])
def test_a_name_in_a_sentence_is_seen_and_not_obeyed(name, text):
    """As pandoc reads the page: no element but the sentence's, and the name's letters."""
    said = shown(text.replace("{}", set_aside(name)))
    tree = json.loads(pypandoc.convert_text(said, "json", "markdown+autolink_bare_uris"))
    html = pypandoc.convert_text(said, "html5", "markdown+autolink_bare_uris")
    letters = plain_text(re.sub("<[^>]*>", "", html)).split()
    bare = text.replace("**", "").replace("`", "").replace("{}", printable(name))

    assert ["Para"] == [block["t"] for block in tree["blocks"]]
    assert set() == set(re.findall(r"<(\w+)", html)) - {"p", "strong", "code"}
    assert bare.split() == letters
    assert "{{<" not in said
    assert name == taken_back(set_aside(name))


@pytest.mark.parametrize(
    "name",
    ["5.7.44", "l.i0", "qr100.L1", "points-covered-pk.pre", "ma110401_rel.z11b_bee",
     "-O2 -march=native", "~ 1.00 [0.98, 1.02]", "the server's own", "a→b", "+12%"],
)  # fmt: skip
def test_an_ordinary_name_is_not_changed(name):
    """Underscores and dots of it least of all."""
    assert name == markdown_text(name)
