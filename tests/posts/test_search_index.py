"""A search reads every section of a page, what is folded there included."""

from __future__ import annotations

import json
import subprocess

import pypandoc
import pytest

from benchbook.posts.preview.search_index import entries

pytestmark = pytest.mark.unit

TEXT = """Before *all* `l.i0`.

## Why `x`

::: {.cell}
```{.python .cell-code}
secret()
```

```{=html}
<details><summary>More</summary><table><tr><td>one</td><td>two &lt; 3</td></tr></table>
<script>var hidden;</script><svg><text>drawn</text></svg></details>
```
:::

- a
- b
"""


def test_sections_have_their_heading_and_their_text():
    """Words stay apart across cells and blocks; code, scripts and drawings are none."""
    command = [pypandoc.get_pandoc_path(), "-f", "markdown", "-t", "json"]
    done = subprocess.run(command, input=TEXT, capture_output=True, text=True, check=True)
    first, second = entries("p.html", "Page", json.loads(done.stdout)["blocks"])

    assert ("p.html", "Page", "", "Before all l.i0.") == tuple(
        first[name] for name in ("href", "title", "section", "text")
    )
    assert ("p.html#why-x", "Why x") == (second["href"], second["section"])
    assert "Why x More one two < 3 a b" == second["text"]
