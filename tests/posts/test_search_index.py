"""A search reads the prose of every section and the heads of its tables."""

from __future__ import annotations

import json
import subprocess

import pypandoc
import pytest

from benchbook.posts.preview.search_index import entries, said_by_templates, unlike

pytestmark = pytest.mark.unit

TEXT = """Before *all* `l.i0`.

## Why `x`

::: {.cell}
```{.python .cell-code}
secret()
```

```{=html}
<details><summary>More</summary><table>
<thead><tr><th>one</th><th>two &lt; 3</th></tr></thead>
<tbody><tr><td>measured</td></tr></tbody></table><pre>printed</pre>
<script>var hidden;</script><svg><text>drawn</text></svg></details>
```
:::

    indented code

- a
- b
"""


def blocks(text: str) -> list:
    command = [pypandoc.get_pandoc_path(), "-f", "markdown", "-t", "json"]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)["blocks"]


def test_what_all_posts_say_is_found_on_none():
    """Their caveats; those of another page are its own."""
    text = blocks("Why?\n\n## Caveats\n\nNone.\n")
    post, page = entries("posts/a/index.html", "A", text), entries("m.html", "M", text)

    assert ["posts/a/index.html"] == [entry["href"] for entry in post]
    assert ["m.html", "m.html#caveats"] == [entry["href"] for entry in page]


def test_sections_have_their_heading_and_their_text():
    """Words stay apart; cells of tables, code, scripts and drawings are none.

    The heading is the section's name and not said again.
    """
    first, second = entries("p.html", "Page", blocks(TEXT))

    assert ("p.html", "Page", "", "Before all l.i0.") == tuple(
        first[name] for name in ("href", "title", "section", "text")
    )
    assert ("p.html#why-x", "Why x") == (second["href"], second["section"])
    assert "one two < 3 a b" == second["text"]


def test_what_a_template_says_is_no_post_s_own(tmp_path):
    """By its words: a page shows code and links otherwise than a template writes them."""
    cell = {
        "cell_type": "markdown",
        "source": ["## Size\n\n`rows` are [those](x.html) in the table. All count."],
    }
    (tmp_path / "a.ipynb").write_text(json.dumps({"cells": [cell]}))
    said = said_by_templates(tmp_path)
    text = "rows are those in the table. All count. So do deletes."
    mine, other = ({"href": href, "text": text} for href in ("posts/a.html", "b.html"))

    assert ["So do deletes.", text] == [e["text"] for e in unlike([mine, other], said)]


def test_a_section_without_words_of_its_own_is_not_found():
    """The page is, whatever is on it."""
    texts = {"posts/a.html": "", "posts/a.html#b": "All alike.", "posts/a.html#c": "Own."}
    mine = [{"href": href, "text": text} for href, text in texts.items()]

    assert ["posts/a.html", "posts/a.html#c"] == [
        entry["href"] for entry in unlike(mine, frozenset(["all alike"]))
    ]
