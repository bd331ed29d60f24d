"""Names that would be markup, a formula or a control sequence are shown as they are."""

import json

import pypandoc
import pytest

from benchbook.escaped import (
    markdown_cell,
    markdown_code,
    printable,
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
