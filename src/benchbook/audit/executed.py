"""An executed notebook against the same one executed again: cell by cell."""

from __future__ import annotations

import html
import json
import math
import re
from collections.abc import Iterator

from nbformat import NotebookNode

from benchbook.audit.contradiction import Contradiction
from benchbook.finding import MIME_KEY

OWN_CELL = "write in a Markdown cell of your own beside it"
_AROUND = 60  # letters shown before and after the first difference
# Whether runs were made first is no finding: a replay never makes any.
_MEASURED = re.compile(r"^measure = \w+$", re.MULTILINE)
_NUMBER = re.compile(r"\d+(?:\.\d+)?(?:e[+-]?\d+)?")
_SHOWN = 7  # digits at most, to a reader; those behind them hang on the processor
_CLOSE = 1e-6
_DROPPED = re.compile(r"<style>.*?</style>|<script.*?</script>|<svg.*?</svg>", re.DOTALL)


def differences(executed: NotebookNode, again: NotebookNode) -> list[Contradiction]:
    """Cells that hold something else than executing them gives."""
    ids = [[cell.id for cell in notebook.cells] for notebook in (executed, again)]
    if ids[0] != ids[1]:
        old, new = (", ".join(_only(*pair)) for pair in (ids, ids[::-1]))
        return [Contradiction("cells", f"{old or 'another order'}", new or "none")]
    pairs = enumerate(zip(executed.cells, again.cells, strict=True))
    return [one for n, (old, new) in pairs for one in _cell(f"cell {n}", old, new)]


def _only(mine: list[str], others: list[str]) -> list[str]:
    return [name for name in mine if name not in others]


def _cell(where: str, old: NotebookNode, new: NotebookNode) -> Iterator[Contradiction]:
    sources = [_MEASURED.sub("", cell.source) for cell in (old, new)]
    if sources[0] != sources[1]:
        says, gives = _first_difference(old.source, new.source)
        kept = f"; to say more, {OWN_CELL}" if old.cell_type == "markdown" else ""
        yield Contradiction(where, says, f"{gives}{kept}")
    if old.metadata != new.metadata:
        yield Contradiction(where, f"{dict(old.metadata)}", f"{dict(new.metadata)}")
    mine, theirs = old.get("outputs", []), new.get("outputs", [])
    if len(mine) != len(theirs):
        yield Contradiction(where, f"{len(mine)} outputs", f"{len(theirs)}")
        return
    for a, b in zip(mine, theirs, strict=True):
        if not _alike(_content(a), _content(b)):
            yield Contradiction(where, *_first_difference(*_read(_text(a), _text(b))))
            continue
        texts = [_metadata(output) for output in (a, b)]
        if not _alike(*texts):
            yield Contradiction(where, *_first_difference(*texts))


def _content(output: NotebookNode) -> str:
    return json.dumps(output.get("data", output.get("text")), sort_keys=True)


def _metadata(output: NotebookNode) -> str:
    """As text, what is claimed as a set: in one order, and each claim once."""
    metadata = dict(output.get("metadata", {}))
    said = metadata.pop(MIME_KEY, {})
    texts = [json.dumps(claim, sort_keys=True) for claim in said.get("claims", ())]
    claims = {_NUMBER.sub(lambda n: f"{float(n[0]):.6g}", text): text for text in texts}
    rest = {**metadata, MIME_KEY: {k: v for k, v in said.items() if k != "claims"}}
    return json.dumps([rest, [claims[key] for key in sorted(claims)]], sort_keys=True)


def _alike(old: str, new: str) -> bool:
    """Equal texts, but for digits of their numbers that nobody is shown."""
    if old == new:
        return True
    if _NUMBER.sub("", old) != _NUMBER.sub("", new):
        return False
    pairs = zip(_NUMBER.findall(old), _NUMBER.findall(new), strict=True)
    return all(a == b or _as_shown(a, b) for a, b in pairs)


def _as_shown(a: str, b: str) -> bool:
    """Do they differ in digits alone that nobody is shown, as a fit's last ones?"""
    digits = max(len(n.replace(".", "").lstrip("0").split("e")[0]) for n in (a, b))
    return digits > _SHOWN and math.isclose(float(a), float(b), rel_tol=_CLOSE)


def _text(output: NotebookNode) -> str:
    data = output.get("data", {})
    return str(data.get("text/markdown") or data or output.get("text", ""))


def _read(old: str, new: str) -> tuple[str, str]:
    """What a reader sees of two texts, unless they differ in what nobody reads."""
    texts = tuple(readable(text) for text in (old, new))
    return (old, new) if texts[0] == texts[1] else (texts[0], texts[1])


def readable(text: str) -> str:
    """HTML without tags, styles and drawings: cells of a row apart by blanks."""
    if "```{=html}" not in text:
        return text
    bare = re.sub(r"<[^>]*>", " ", _DROPPED.sub(" ", text))
    return " ".join(html.unescape(bare).replace("```{=html}", "").split())


def _first_difference(old: str, new: str) -> tuple[str, str]:
    """Both texts around the place where they part."""
    pairs = zip(old, new, strict=False)
    equal = next((i for i, (a, b) in enumerate(pairs) if a != b), min(len(old), len(new)))
    begin = max(0, equal - _AROUND)
    cut = [" ".join(t[begin : equal + _AROUND].split()) for t in (old, new)]
    return repr(cut[0]), repr(cut[1])
