"""The pages of the library: every public name, escaped, as the library has it."""

from __future__ import annotations

from types import ModuleType
from typing import Annotated

import pytest
from api_page import api_page, modules, pages, public_names, there

pytestmark = pytest.mark.unit


def hostile(count: int, name: str = "a'b") -> list[int]:
    """Adds <b>rows</b> to ``a_b`` and [links](x).

    ~~~
    <script>alert(1)</script>
    """
    return [count]


def made(**names) -> str:
    module = ModuleType("m")
    module.__dict__.update(names)
    return api_page("m", module)


def test_page_is_that_of_the_library():
    """Run `python tests/helpers/api_page.py` where it is not."""
    assert pages() == there()


@pytest.mark.parametrize("module", modules().values(), ids=list(modules()))
def test_every_public_function_says_what_it_does(module):
    """A docstring of its own; a name without one would be an empty entry."""
    public = public_names(module)

    assert [] == [n for n, f in public.items() if callable(f) and not f.__doc__]


def test_every_public_name_is_on_its_page():
    """Functions have a heading and a link that leads to it, constants are listed."""
    found = there()

    for module, given in modules().items():
        text = found[f"library/{module}.qmd"]
        for name, value in public_names(given).items():
            assert (f"{{#{module}.{name}}}" if callable(value) else f"`{name}`") in text
            link = f"(library/{module}.qmd#{module}.{name})"
            assert not callable(value) or link in found["api.qmd"]


def test_annotations_are_printed_as_they_are_written():
    """No quotes around a type; those of a default stay."""
    assert 'm.hostile(count: int, name: str = "a\'b") -> list[int]' in made(
        hostile=hostile
    )


def test_frame_with_named_columns_is_a_frame():
    """What its columns are stands in the docstring."""

    def framed(table):
        """Counts."""

    framed.__annotations__ = {"table": Annotated[int, "columns a, b"]}

    assert "m.framed(table: int)" in made(framed=framed)


def test_docstring_is_text():
    """Tags and links are escaped, code is code, no line ends the block."""
    text = made(hostile=hostile)

    assert r"Adds \<b\>rows\</b\> to `a_b` and \[links\]\(x\)." in text
    assert "\n ~~~\n<script>" in text


def test_constants_are_listed():
    """Nothing can be said of them but their names."""
    assert "Units and names of columns: `UNITS`." in made(UNITS={"a": "s"})
