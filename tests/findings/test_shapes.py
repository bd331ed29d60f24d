"""Every sentence reads well and is borne out, whatever the shape of its frames."""

from __future__ import annotations

import ast
import re
from html import unescape as html_text

import pypandoc
import pytest
from finding_shapes import SHAPES
from places import ROOT
from template_names import NAMES_OF_TEMPLATES

from benchbook.audit.claims import claim_contradictions
from benchbook.audit.quantifiers import unborne
from benchbook.audit.words import unclaimed
from benchbook.escaped import set_aside
from benchbook.finding import claim_of
from benchbook.posts.audit import _texts

pytestmark = pytest.mark.unit

# What passes a finding on, or says the library's own words only.
NAMELESS = {
    "on_premises", "missing_costs", "commands", "run_again", "caveats", "gaps",
    "together",
}  # fmt: skip
SRC = ROOT / "src" / "benchbook"

# What no reader should meet: holes, two blanks, one of many, words of ours.
ILL = re.compile(
    r"\bnan\b|\bNone\b|\binf\b|<NA>|  | [.,;:]|\(\)|\[\]|\bme\b|\bsurely\b|\bboundar"
    r"|\b1 (?:are|have|were|tests|steps|builds|comparisons|intervals|versions)\b"
    r"|\b(?:[2-9]|\d\d+) (?:has|was|test|step|build|comparison|interval)\b"
)


@pytest.fixture(scope="module")
def findings():
    return {name: made() for name, made in SHAPES.items()}


@pytest.mark.parametrize("name", SHAPES)
def test_sentence_reads_well(findings, name):
    """It begins as one, ends as one, and has no hole."""
    text = findings[name].data

    assert re.match(r"\*\*|[A-Z\d]", text), text
    assert text.endswith("."), text
    assert not ILL.search(text), (ILL.search(text), text)


@pytest.mark.parametrize("name", SHAPES)
def test_sentence_is_borne_out(findings, name):
    """The auditor has nothing to say of its claims, its words and its numbers."""
    made = findings[name]
    claims = [claim_of(claim.as_json()) for claim in made.claims]

    assert [] == claim_contradictions(name, claims, made.frames)
    assert [] == list(unborne(made.data, claims))
    assert [] == unclaimed(made.data, claims, _texts(made.frames))


@pytest.mark.parametrize("name", SHAPES)
def test_sentence_is_short(findings, name):
    """Of forty versions not forty are named."""
    assert len(findings[name].data) < 1100


def test_every_finding_has_shapes():
    """What a notebook may call is in the list."""
    here = {name.partition(":")[0] for name in SHAPES}
    called = {name for names in NAMES_OF_TEMPLATES.values() for name in names}

    assert set() == {name for name in called if name.endswith("_finding")} - here


@pytest.mark.parametrize(
    "hostile",
    [
        "<script>x</script>",
        pytest.param("[a](javascript:x)", marks=pytest.mark.slow),
        "{{< env HOME >}}",
        pytest.param("a|`b` $c$ *d*", marks=pytest.mark.slow),
    ],
)
def test_names_are_data_in_every_sentence(monkeypatch, hostile):
    """Whatever steps and versions are called, no sentence has an element of theirs."""

    def renamed(text):
        return set_aside(re.sub(r"^(?:q\w|8\.[\d.]+|l\.i0)$", rf"\g<0>{hostile}", text))

    monkeypatch.setattr("benchbook.finding.set_aside", renamed)
    texts = [made().data for made in SHAPES.values()]
    html = pypandoc.convert_text("\n\n".join(texts), "html5", "markdown")

    assert {"p", "strong", "code", "ul", "li"} >= set(re.findall(r"<(\w+)", html))
    assert html_text(re.sub("<[^>]*>", "", html)).count(hostile) > 40
    assert not any("{{<" in text for text in texts)


@pytest.mark.slow
def test_every_sentence_is_made_of_data():
    """What composes Markdown is marked as taking names as data, or is called by it."""
    for path in SRC.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        assert path.name == "finding.py" or "import Markdown" not in text, path
        for function in ast.parse(text).body:
            if not isinstance(function, ast.FunctionDef) or function.name[0] == "_":
                continue
            returns = ast.unparse(function.returns) if function.returns else ""
            marks = [ast.unparse(mark) for mark in function.decorator_list]
            if returns in ("Said", "Finding") and function.name not in NAMELESS:
                assert "names_as_data" in marks, f"{path}: {function.name}"
