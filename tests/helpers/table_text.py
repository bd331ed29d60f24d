"""What a reader sees of a table."""

from __future__ import annotations

import re


def shown(table):
    """The text of a table's cells and footers, row by row, markup removed."""
    html = table.as_raw_html()
    rows = re.findall(r"<tr.*?</tr>", html, re.DOTALL)
    texts = [re.sub(r"<br>", " ", row) for row in rows]
    texts = [re.sub(r"</t[dh]>\s*<t[dh]", "</td> | <td", text) for text in texts]
    plain = [" ".join(re.sub(r"<[^>]+>", "", text).split()) for text in texts]
    return [line.replace("&amp;", "&").replace("&lt;", "<") for line in plain]
