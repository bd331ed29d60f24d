"""The small picture of a post in lists: one panel of its first chart, without words."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from nbformat import NotebookNode

from benchbook.raw_html import VEGALITE_VERSION

NAME = "thumbnail.png"
WIDTH, HEIGHT = 160, 100
SCALE = 2  # for screens of two pixels a point
Spec = Mapping[str, Any]

_CHART = re.compile(
    r'<figure class="bb-chart">.*?aria-label="([^"]*)".*?'
    r'<script type="application/json">(.*?)</script>',
    re.DOTALL,
)
_CONCATS = ("hconcat", "vconcat", "concat")
_FACETS = ("row", "column", "facet")
_PLACES = {"x", "y"}
_LOOKS = {"color", "fill", "stroke", "opacity", "fillOpacity", "strokeOpacity", "size",
          "shape", "strokeDash", "strokeWidth"}  # fmt: skip
_INHERITED = ("data", "datasets", "config", "transform", "$schema")


def first_chart(notebook: NotebookNode) -> tuple[str, Spec] | None:
    """What the first chart of an executed notebook is called, and its spec."""
    for text in _shown(notebook):
        if match := _CHART.search(text):
            return html.unescape(match[1]), json.loads(match[2])
    return None


def picture(spec: Spec) -> bytes:
    """A PNG on a transparent ground, for light and for dark pages."""
    import vl_convert

    small = silent(one_panel(spec)) | {
        "width": WIDTH, "height": HEIGHT, "padding": 3, "background": "transparent",
        "autosize": {"type": "fit", "contains": "padding"},
    }  # fmt: skip
    png: bytes = vl_convert.vegalite_to_png(
        small, vl_version=VEGALITE_VERSION, scale=SCALE
    )
    return png


def one_panel(view: Spec) -> dict[str, Any]:
    """The first of charts beside each other, and of a chart's facets."""
    shared = {name: view[name] for name in _INHERITED if name in view}
    for name in _CONCATS:
        if name in view:
            return one_panel(shared | dict(view[name][0]))
    if "facet" in view:
        facet = view["facet"]
        channels = [facet] if "field" in facet else list(facet.values())
        inner = one_panel(shared | dict(view["spec"]))
        return _of_first(inner, channels, _rows(view))
    encoding = dict(view.get("encoding", {}))
    channels = [encoding.pop(name) for name in _FACETS if name in encoding]
    made = {**view, "encoding": encoding} if channels else dict(view)
    return _of_first(made, channels, _rows(view))


def silent(view: Spec) -> dict[str, Any]:
    """The same view without title, axes, legends and marks that are words."""
    made = {key: value for key, value in view.items() if key != "title"}
    if "layer" in made:
        made["layer"] = [silent(part) for part in made["layer"] if not _is_text(part)]
    if "encoding" in made:
        made["encoding"] = {c: _silent(c, d) for c, d in made["encoding"].items()}
    return made


def _shown(notebook: NotebookNode) -> Iterator[str]:
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            yield output.get("data", {}).get("text/markdown", "")


def _rows(view: Spec) -> list[dict[str, Any]]:
    data = view.get("data") or {}
    named = view.get("datasets", {}).get(data.get("name"), [])
    rows: list[dict[str, Any]] = data.get("values", named)
    return rows


def _of_first(view: Spec, channels: list[Spec], rows: list[Any]) -> dict[str, Any]:
    """The view of the rows that have each field's first value."""
    filters = []
    for channel in channels:
        name = str(channel.get("field", "")).replace("\\", "")
        if rows and name in rows[0]:
            equal = {"field": channel["field"], "equal": rows[0][name]}
            filters.append({"filter": equal})
    if not filters:
        return dict(view)
    return {**view, "transform": [*filters, *view.get("transform", [])]}


def _is_text(view: Spec) -> bool:
    mark = view.get("mark")
    return (mark.get("type") if isinstance(mark, Mapping) else mark) == "text"


def _silent(channel: str, definition: Any) -> Any:
    if not isinstance(definition, Mapping):
        return definition
    if channel in _PLACES:
        return {**definition, "axis": None}
    return {**definition, "legend": None} if channel in _LOOKS else definition
