"""site/vega.js: what makes charts interactive; git does not keep it.

`python -m benchbook.posts.vega` writes it for those who call `quarto render` themselves.
"""

from __future__ import annotations

import re
from importlib.metadata import version
from pathlib import Path

from benchbook.files import replace_text
from benchbook.project import Project
from benchbook.raw_html import VEGALITE_VERSION

# Vega-Lite says of each panel whose layers leave out other rows that it takes them for
# rows of one source. They are. Nothing a page can set reaches this message.
_ONE_SOURCE = re.compile(
    r'[\w$]+\("Detected faceted independent scales that union domain of the same fields'
    r' from different source[^"]*"\),'
)


def write_vega(folder: Path) -> None:
    """Vega, Vega-Lite and Vega-Embed in one file, of the version that drew the SVGs."""
    import vl_convert

    file = folder / "vega.js"
    converter = version("vl-convert-python")
    made_by = f"// Vega-Lite {VEGALITE_VERSION}, Vega 6, by vl-convert {converter}\n"
    if file.is_file() and file.read_text(encoding="utf-8").startswith(made_by):
        return
    bundle = vl_convert.javascript_bundle(
        "window.vegaEmbed = vegaEmbed;", vl_version=VEGALITE_VERSION
    )
    # Vega-Lite 5 says that it compiles to Vega 5. The Vega of the file is newer and draws
    # the same, but would warn of every chart.
    bundle = bundle.replace("schema/vega/v5.json", "schema/vega/v6.json")
    replace_text(file, made_by + _ONE_SOURCE.sub("", bundle))


if __name__ == "__main__":
    write_vega(Project.find().root / "site")
