"""Expressions of hand-written text: what they give, what is refused, what is kept."""

import nbformat
import pandas as pd
import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output
from places import ROOT

from benchbook.audit.bound import Source, without_values
from benchbook.audit.page import description_of
from benchbook.finding import MIME_KEY
from benchmath.errors import UserError

pytestmark = pytest.mark.unit


def ratio(me, step, value, low, high):
    return {"subject": me, "relation": "is", "value": value, "low": low, "high": high,
            "unit": "ratio", "rows": {"me": me, "step": step}}  # fmt: skip


CLAIMS = [
    ratio("18.6", "l.i1", 1.1296, 1.104, 1.1512),
    ratio("17.9", "l.i1", 0.9, 0.8, 1.0),
    {"subject": "18.6", "relation": "count", "count": 4, "of": 6,
     "rows": {"me": "18.6"}, "where": {"verdict": "improved"}},
]  # fmt: skip
# Geometric mean of 1,000 and 4,000: 2,000.
METRIC = pd.DataFrame(
    {
        "version": "18.6", "step": "l.i1", "op": "insert", "metric": "ips", "main": True,
        "value": [1000.0, 4000.0], "unit": "rows/s", "direction": "higher",
        "run_id": ["a", "b"], "trial": [1, 2],
    }
)  # fmt: skip


def source(*claims, metric=METRIC) -> Source:
    """Of a page with two outputs: the second says something else of the same name."""
    outputs = [
        new_output(
            "display_data", {"text/markdown": ""}, metadata={MIME_KEY: {"claims": c}}
        )
        for c in (list(claims or CLAIMS), [ratio("18.6", "l.i1", 0.8, 0.7, 0.9)])
    ]
    page = new_notebook(cells=[new_code_cell("", outputs=outputs)])
    return Source(page, lambda: metric, {"version": "13.23"}, "posts/a")


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        ('ratio("l.i1", version="18.6")', "1.13 [1.10, 1.15]"),
        ('rate("l.i1", version="18.6")', "2,000"),
        ('count("improved", version="18.6")', "4"),
    ],
)
def test_expression_is_the_pages_own_number(expression, text):
    """The ratio is that of the first sentence, table or chart that has it."""
    written = f"It is at `{{python}} {expression}` now."

    assert f"It is at {text} now." == source().filled(written, keep=False)


def test_expression_stays_and_is_read_anew():
    """Filled twice from another page, the text has the other number."""
    first = source().filled('At `{python} ratio("l.i1", version="18.6")`.', keep=True)
    again = source(ratio("18.6", "l.i1", 1.2, 1.1, 1.3)).filled(first, keep=True)

    assert (
        'At <!-- ratio("l.i1", version="18.6") -->1.13 [1.10, 1.15]<!-- / -->.' == first
    )
    assert (
        'At <!-- ratio("l.i1", version="18.6") -->1.20 [1.10, 1.30]<!-- / -->.' == again
    )


def test_text_without_expressions_is_left_alone():
    text = "A <!-- comment --> and `code`."

    assert text == source().filled(text, keep=True)


@pytest.mark.parametrize(
    "expression",
    [
        "1 + 1",
        "open('/etc/passwd').read()",
        "print('x')",
        'ratio("l.i1", version=str(18))',
        "ratio(",
        "ratio()",
        'ratio("l.i1", **{})',
    ],
)
def test_nothing_but_the_three_names_may_stand_in_text(expression):
    """One sentence: what, where, what may; nothing is evaluated."""
    with pytest.raises(UserError) as error:
        source().filled(f"`{{python}} {expression}`", keep=True)

    assert 2 == error.value.exit_code
    assert str(error.value).startswith(
        f"posts/a: `{{python}} {expression}` may not stand"
    )
    assert 'ratio("STEP", version="...")' in str(error.value)


def test_expression_that_fits_nothing_is_refused():
    with pytest.raises(UserError, match=r"fits nothing on the page; name .* `version`"):
        source().filled('`{python} ratio("l.i9", version="18.6")`', keep=True)


def test_expression_that_fits_several_is_refused():
    """Without a version both of the table fit."""
    several = r"fits 2 \(1.13 \[1.10, 1.15\], 0.90 \[0.80, 1.00\]\)"

    with pytest.raises(UserError, match=several):
        source().filled('`{python} ratio("l.i1")`', keep=True)


def test_bound_numbers_are_left_to_the_next_execution():
    """An audit looks for the others on the page."""
    text = 'Of 7 <!-- ratio("l.i1") -->1.13 [1.10, 1.15]<!-- / --> or `{python} x`.'

    assert "Of 7   or  ." == without_values(text)


def test_ratio_of_a_published_post_is_that_of_its_answer():
    """What clang 19 reaches of gcc 12 in crc32c."""
    page = nbformat.read(ROOT / "posts/crc32c-compilers/index.ipynb", as_version=4)
    of_page = Source(page, pd.DataFrame, {"compiler": "gcc-12"}, "posts/crc32c-compilers")
    text = of_page.filled('`{python} ratio("crc32c", compiler="clang-19")`', keep=False)

    assert f"clang 19 reaches {text} of gcc 12" in description_of(page)
