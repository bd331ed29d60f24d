"""site/vega.js is written once for a version."""

from __future__ import annotations

import pytest

from benchbook.posts.vega import write_vega


@pytest.mark.slow
def test_vega_is_written_where_it_is_missing_or_of_another_version(tmp_path):
    """Its first line says which it is; the same one is left alone."""
    file = tmp_path / "vega.js"
    file.write_text("// Vega-Lite 4.0, by vl-convert 0.1\n")
    write_vega(tmp_path)
    first, _, rest = file.read_text(encoding="utf-8").partition("\n")
    file.write_text(f"{first}\nkept", encoding="utf-8")
    write_vega(tmp_path)

    assert "vegaEmbed" in rest
    assert "union domain of the same fields" not in rest
    assert "union domain of multiple fields" in rest
    assert f"{first}\nkept" == file.read_text(encoding="utf-8")
