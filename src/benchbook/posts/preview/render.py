"""The site without Quarto: the same notebooks at the same addresses, through pandoc.

Cells become the markdown that Quarto would make of them, pandoc reads it, a few nodes
of its document are rewritten, pandoc writes HTML, one template frames it. Anything else
is an error: nobody publishes a page that Quarto would show otherwise. A page that stands,
of the same source and with the same lists and neighbours, is not made again.
"""

from __future__ import annotations

import base64
import json
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import urlsplit

import jinja2
import nbformat
import pypandoc
from markupsafe import Markup
from nbformat import NotebookNode
from ruamel.yaml import YAML

from benchbook.digests import short_digest
from benchbook.escaped import plain_text
from benchbook.posts.preview import search_index
from benchbook.posts.preview.document import Node, nodes, words
from benchbook.posts.preview.listing import Listing, listings, seen
from benchbook.posts.preview.rendered import SEARCH, Rendered, keep, rendered
from benchbook.raw_html import fenced
from benchmath.errors import UserError

SHOWN = {"echo", "output", "include", "warning", "eval", "code-fold", "code-summary"}
OPTIONS = {"label", "tbl-cap", "fig-cap", "fig-alt", *SHOWN}
CALLOUTS = {f"callout-{k}" for k in ("note", "tip", "warning", "important", "caution")}
DIVS = {
    "cell", "cell-output", "bb-answer", "bb-api", "bb-float", "opinion", *CALLOUTS,
}  # fmt: skip
FLOATS = {"tbl": "Table", "fig": "Figure"}
IMAGES = {"image/svg+xml": "svg", "image/png": "png"}
HIDDEN = {"remove-cell", "hide-cell"}
SOURCES = (".qmd", ".md", ".ipynb")


@dataclass
class Page:
    """One page on its way to HTML."""

    source: str  # below the checkout; what errors name
    digest: str  # of the source
    head: Node = field(default_factory=dict)
    markdown: str = ""
    files: dict[str, bytes] = field(default_factory=dict)
    document: Node = field(default_factory=dict)  # pandoc's, of the markdown

    @property
    def href(self) -> str:
        """Where the page is, below the site."""
        return str(PurePosixPath(self.source).with_suffix(".html"))

    @property
    def folder(self) -> str:
        return f"{PurePosixPath(self.source).parent}/".removeprefix("./")

    @property
    def root(self) -> str:
        """From the page to the site's first folder."""
        return "../" * self.folder.count("/")

    @property
    def is_anywhere(self) -> bool:  # asked by preview_template.html
        """Is it shown at addresses of any depth, as servers show what they lack?"""
        return self.href == "404.html"

    @property
    def title(self) -> str:
        return plain_text(str(self.head.get("title", "")))


@dataclass(frozen=True)
class Around:
    """What a page shows besides its text."""

    lists: Sequence[Listing] = ()
    before: Page | None = None
    after: Page | None = None

    @property
    def digest(self) -> str:
        beside = [f"{page.href} {page.title}" if page else ""
                  for page in (self.before, self.after)]  # fmt: skip
        shown = [one.html() for one in self.lists]
        return short_digest("\n".join([*beside, *shown]))


def render(
    root: Path, out: Path, only: str = "", say: Callable[[str], None] = lambda text: None
) -> list[UserError]:
    """Write the site beside ``out``, then put it in its place.

    With ``only``, the source of a post, that one, and the pages with lists of posts; all
    others stay as they stand, or are not there. Returns what is wrong with each post that
    is not in it.
    """
    config = YAML(typ="safe").load(root / "_quarto.yml")
    project = config["project"]
    project["render"] = list(_own_pages(root, project["render"]))
    before = rendered(out, [root / "_quarto.yml"])
    wrong: list[UserError] = []
    posts = list(_posts(root, config, before, only, wrong))
    pages = [_page(root, name) for name in project["render"]]
    standing, made = [], []
    for page, around in [*_with_lists(pages, posts), *_in_row(posts, config)]:
        asked = not only or page.source == only or around.lists
        digest = f"{page.digest} {around.digest}"
        old = before.digest(page.source, page.href)
        if old and (old == digest or not asked):
            standing.append((page, old))
        elif asked:
            made.append((page, around, digest))
    for number, (page, _, _) in enumerate(made, start=1):
        say(f"{page.source} ({number} of {len(made)})")
        if not page.document:
            _fill(page, root, config)
    partial = out.with_name(f".partial-{out.name}")
    shutil.rmtree(partial, ignore_errors=True)
    for path in _resources(root, project["resources"]):
        _write(partial / path.relative_to(root), path.read_bytes())
    found = [one for page, _ in standing for one in before.take(page.href, partial)]
    said = search_index.said_by_templates(root / "notebooks")
    for page, around, _ in made:
        for name, content in page.files.items():
            _write(partial / page.folder / name, content)
        text, entries = _html(page, config, around)
        _write(partial / page.href, text.encode())
        found += search_index.unlike(entries, said)
    found.sort(key=lambda entry: entry["href"].partition("#")[0])
    index = json.dumps(found, ensure_ascii=False, separators=(",", ":"))
    _write(partial / SEARCH, index.encode())
    digests = {page.source: old for page, old in standing}
    digests |= {page.source: digest for page, _, digest in made}
    keep(partial, before.library, digests)
    shutil.rmtree(out, ignore_errors=True)
    partial.rename(out)
    return wrong


def _posts(
    root: Path, config: Node, before: Rendered, only: str, wrong: list[UserError]
) -> Iterator[Page]:
    """The posts that can be shown; what is wrong with the others goes into ``wrong``.

    Of those whose pages stand, or that nobody asked for, the front matter is read alone.
    """
    for path in sorted(root.glob("posts/*/index.ipynb")):
        page = Page(path.relative_to(root).as_posix(), "")
        asked = only in ("", page.source)
        try:
            content = path.read_bytes()
            page.digest = short_digest(content)
            if asked and not before.is_made_of(page.source, page.digest):
                _fill(page, root, config)
            else:
                page.head = _head(content.decode())
        except UserError as error:
            trouble = error
        except Exception as error:  # whatever a file may hold: the others are shown
            why = " ".join(str(error).split())
            trouble = UserError(f"{page.source}: no notebook: {why}")
        else:
            if page.title:
                yield page
            continue
        if asked:
            wrong.append(trouble)


def _head(notebook: str) -> Node:
    """The front matter of a notebook, its first cell, without the outputs of the rest."""
    start = notebook.index("{", notebook.index('"cells"'))
    cell, _ = json.JSONDecoder().raw_decode(notebook, start)
    return _front_matter("".join(cell["source"]))[0]


def _fill(page: Page, root: Path, config: Node) -> None:
    """Give the page its markdown, if it is a post's, and its document."""
    if page.source.startswith("posts/"):
        _read_post(page, root / page.source, config)
    _read(page, config)


def _with_lists(pages: list[Page], posts: list[Page]) -> Iterator[tuple[Page, Around]]:
    """The site's own pages, with the lists of posts that they ask for."""
    items = [
        {"path": post.source, "href": post.href, "folder": post.folder, **post.head}
        for post in posts
    ]
    for page in pages:
        try:
            yield page, Around(lists=listings(page.head, items))
        except UserError as error:
            raise UserError(f"{page.source}: {error}") from None


def _in_row(posts: list[Page], config: Node) -> Iterator[tuple[Page, Around]]:
    """Each post between its neighbours, in the order of the addresses."""
    in_row = config["website"].get("page-navigation", False)
    beside = [None, *posts, None] if in_row else [None] * (len(posts) + 2)
    for post, before, after in zip(posts, beside, beside[2:], strict=False):
        yield post, Around(before=before, after=after)


def _page(root: Path, source: str) -> Page:
    """A page of the site itself; without front matter its heading is the title."""
    if not (root / source).is_file():
        raise UserError(f"_quarto.yml: render: there is no {source}")
    content = (root / source).read_bytes()
    head, text = _front_matter(content.decode())
    heading = re.match(r"# (.+)\n", text)
    if heading and "title" not in head:
        head, text = {**head, "title": heading[1]}, text[heading.end() :]
    return Page(source, short_digest(content), head, text)


def _own_pages(root: Path, globs: list[str]) -> Iterator[str]:
    """The pages of the site itself, in the order of _quarto.yml; posts are notebooks."""
    for glob in globs:
        if "*" not in glob:
            yield glob
        elif not glob.endswith(".ipynb"):
            yield from (p.relative_to(root).as_posix() for p in sorted(root.glob(glob)))


def _resources(root: Path, globs: list[str]) -> Iterator[Path]:
    """The files that are published as they are."""
    for glob in globs:
        if not glob.startswith("/"):
            raise UserError(
                f"_quarto.yml: resources: {glob!r}: Quarto looks for it in every folder, "
                f"those of .venv too; write {'/' + glob!r}"
            )
        yield from (path for path in root.glob(glob[1:]) if path.is_file())


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def _front_matter(text: str) -> tuple[Node, str]:
    match = re.match(r"---\n(.*?)\n---\s*(?:\n|\Z)", text, re.DOTALL)
    if not match:
        return {}, text
    return YAML(typ="safe").load(match[1]), text[match.end() :]


# Notebook to markdown


def _read_post(page: Page, path: Path, config: Node) -> None:
    cells = nbformat.read(path, as_version=4).cells
    page.head, _ = _front_matter(cells[0].source if cells else "")
    if not page.head.get("title"):
        raise UserError(f"{page.source}: has no title; `benchbook post` makes posts")
    parts = []
    for number, cell in enumerate(cells[1:], start=2):
        try:
            parts.append(_cell(cell, number, page, config["format"]["html"]))
        except UserError as error:
            raise UserError(f"{page.source}: cell {number}: {error}") from None
    page.markdown = "\n\n".join(parts)


def _cell(cell: NotebookNode, number: int, page: Page, defaults: Node) -> str:
    if cell.cell_type != "code":
        return str(cell.source)
    options, code = _options(cell.source)
    tags = set(cell.metadata.get("tags", []))
    if HIDDEN & tags or not options.get("include", True):
        return ""
    parts = []
    if options.get("echo", "hide-code" not in tags) and code:
        parts.append(_code(code, defaults | options))
    if options.get("output", True) and cell.outputs:
        names = (f"cell-{number}-output-{i}" for i in range(1, 1 + len(cell.outputs)))
        outputs = [
            _output(output, name, options, page.files)
            for output, name in zip(cell.outputs, names, strict=True)
        ]
        parts.append(_float("\n\n".join(outputs), options))
    return "\n\n".join([":::::: {.cell}", *parts, "::::::"])


def _options(source: str) -> tuple[Node, str]:
    lines = source.splitlines()
    count = next((i for i, s in enumerate(lines) if not s.startswith("#|")), len(lines))
    text = "\n".join(line[2:].removeprefix(" ") for line in lines[:count])
    options = YAML(typ="safe").load(text) or {}
    for name in options.keys() - OPTIONS:
        raise UserError(f"the preview does not know the cell option {name!r}")
    return options, "\n".join(lines[count:]).strip("\n")


def _code(code: str, options: Node) -> str:
    block = fenced(code, "{.python .cell-code}")
    if options["code-fold"] not in (True, "show"):
        return block
    opened = " open" if options["code-fold"] == "show" else ""
    summary = f"<summary>{options.get('code-summary', 'Code')}</summary>"
    start = fenced(f'<details class="code-fold"{opened}>\n{summary}', "{=html}")
    return "\n\n".join([start, block, fenced("</details>", "{=html}")])


def _output(out: NotebookNode, name: str, options: Node, files: dict[str, bytes]) -> str:
    data = out.get("data", {"text/plain": out.get("text", "")})
    if "text/markdown" in data:
        return str(data["text/markdown"])
    for kind in IMAGES.keys() & data.keys():
        file = f"index_files/figure-html/{name}.{IMAGES[kind]}"
        is_text = kind == "image/svg+xml"
        files[file] = data[kind].encode() if is_text else base64.b64decode(data[kind])
        alt = options.get("fig-alt") or options.get("fig-cap", "")
        return f"![{alt}]({file})\\"
    if set(data) != {"text/plain"} or out.output_type == "error":
        kinds = ", ".join(data) if out.output_type != "error" else "an error"
        raise UserError(f"the preview cannot show {kinds}; `benchbook post` avoids it")
    text = fenced(data["text/plain"].rstrip("\n"), "")
    return f"::: {{.cell-output}}\n{text}\n:::"


def _float(body: str, options: Node) -> str:
    """A table or figure with number and caption; the caption is the first paragraph."""
    label = options.get("label", "")
    kind = label.partition("-")[0]
    caption = options.get(f"{kind}-cap") if kind in FLOATS else None
    if caption is None and (kind in FLOATS or {"tbl-cap", "fig-cap"} & options.keys()):
        raise UserError("a label tbl-… or fig-… needs a caption, and a caption a label")
    if caption is None:
        return body
    return f"::::: {{#{label} .bb-float}}\n{caption}\n\n{body}\n:::::"


# Markdown to HTML


def _read(page: Page, config: Node) -> None:
    """Give the page its document."""
    if "{{<" in f"{page.markdown}{page.head}":  # where Quarto looks for them
        raise UserError(
            f"{page.source}: the preview does not know shortcodes such as {{{{< … >}}}}"
        )
    document = json.loads(_pandoc(page.markdown, "markdown", "json"))
    try:
        blocks = _rewritten(document["blocks"], _numbered(document["blocks"]))
    except UserError as error:
        raise UserError(f"{page.source}: {error}") from None
    page.document = {**document, "blocks": _linked(blocks, config["project"]["render"])}


def _html(page: Page, config: Node, around: Around) -> tuple[str, list[dict[str, str]]]:
    """The page, and what a search finds on it."""
    blocks = _listed(page.document["blocks"], around.lists)
    document = {**page.document, "blocks": blocks}
    content = _pandoc(json.dumps(document), "json", "html5", "--mathml", "--wrap=none")
    file = Path(__file__).with_name("preview_template.html")
    text = file.read_text(encoding="utf-8")
    template = jinja2.Template(text, autoescape=True, finalize=seen)
    address = f"{config['website'].get('site-url', '').rstrip('/')}/"
    text = template.render(
        site=config["website"],
        address=address if address != "/" else "",
        base=urlsplit(address).path,
        menu=_menu(config),
        page=page,
        is_post=page.source.startswith("posts/"),
        root=page.root,
        head=page.head,
        content=Markup(content),
        contents=list(_contents(blocks)) if page.head.get("toc", True) else [],
        before=around.before,
        after=around.after,
    )
    if not page.head.get("search", True):
        return text, []
    return text, search_index.entries(page.href, page.title, blocks)


def _menu(config: Node) -> list[Node]:
    items = config["website"]["navbar"].get("left", [])
    return [{"text": item["text"], "href": _address(item["href"])} for item in items]


def _address(source: str) -> str:
    """The page that is made of a file."""
    path = PurePosixPath(source)
    return str(path.with_suffix(".html")) if path.suffix in SOURCES else source


def _linked(tree: Any, rendered: list[str]) -> Any:
    """Links to the files of pages as links to the pages."""
    for node in nodes(tree):
        if node["t"] == "Link":
            target, hash_, anchor = node["c"][2][0].partition("#")
            if target in rendered:
                node["c"][2][0] = _address(target) + hash_ + anchor
    return tree


def _listed(blocks: list[Node], lists: Sequence[Listing]) -> list[Node]:
    """The blocks with each list in the place of the empty div of its name, or last."""
    html = {one.name: one.html() for one in lists}
    placed = [
        _raw(html.pop(block["c"][0][0]))
        if block["t"] == "Div" and block["c"][0][0] in html
        else block
        for block in blocks
    ]
    return [*placed, *map(_raw, html.values())]


def _raw(text: str) -> Node:
    return {"t": "RawBlock", "c": ["html", text]}


def _pandoc(text: str, source: str, target: str, *options: str) -> str:
    command = [pypandoc.get_pandoc_path(), "-f", source, "-t", target, *options]
    done = subprocess.run(command, input=text, capture_output=True, encoding="utf-8")
    if done.returncode != 0:
        raise UserError(f"pandoc failed: {done.stderr.strip()}", exit_code=1)
    return done.stdout


def _numbered(blocks: list[Node]) -> dict[str, str]:
    """The name of each labelled table and figure: tbl-relative is Table 1."""
    names: dict[str, str] = {}
    counts = dict.fromkeys(FLOATS, 0)
    for node in nodes(blocks):
        if node["t"] == "Div" and "bb-float" in node["c"][0][1]:
            label = node["c"][0][0]
            kind = label.partition("-")[0]
            counts[kind] += 1
            names[label] = f"{FLOATS[kind]} {counts[kind]}"
    return names


def _rewritten(tree: Any, floats: dict[str, str]) -> Any:
    """What pandoc's HTML writer cannot know: callouts, floats, references to them."""
    if isinstance(tree, list):
        return [_rewritten(part, floats) for part in tree]
    if not isinstance(tree, dict):
        return tree
    node = {key: _rewritten(part, floats) for key, part in tree.items()}
    kind = node.get("t")
    if kind == "Div":
        return _div(node, floats)
    if kind == "Table":
        return _new_div(["plain-table"], [node])
    if kind == "Cite":
        return _reference(node, floats)
    if kind in ("RawBlock", "RawInline") and node["c"][0] != "html":
        raise UserError(f"the preview cannot show raw {node['c'][0]}")
    return node


def _div(node: Node, floats: dict[str, str]) -> Node:
    (label, classes, _), blocks = node["c"]
    for name in set(classes) - DIVS:
        raise UserError(f"the preview does not know the div {name!r}")
    if CALLOUTS & set(classes):
        return _callout(node)
    if classes == ["bb-float"]:
        numbered = {"t": "Str", "c": f"{floats[label]}: "}
        caption = {"t": "Plain", "c": [numbered, *blocks[0]["c"]]}
        kind = label.partition("-")[0]
        attributes = [label, ["quarto-float", f"quarto-float-{kind}"], []]
        return {"t": "Figure", "c": [attributes, [None, [caption]], blocks[1:]]}
    return node


def _callout(node: Node) -> Node:
    (label, classes, attributes), blocks = node["c"]
    kind = classes[0].removeprefix("callout-")
    title = [{"t": "Str", "c": dict(attributes).get("title", kind.capitalize())}]
    if blocks and blocks[0]["t"] == "Header":
        title, blocks = blocks[0]["c"][2], blocks[1:]
    heading = _new_div(["callout-title"], [{"t": "Para", "c": title}])
    parts = [heading, _new_div(["callout-body"], blocks)]
    return _new_div(["callout", classes[0]], parts, label)


def _new_div(classes: list[str], blocks: list[Node], label: str = "") -> Node:
    return {"t": "Div", "c": [[label, classes, []], blocks]}


def _reference(node: Node, floats: dict[str, str]) -> Node:
    label = node["c"][0][0]["citationId"]
    if label not in floats:
        raise UserError(f"@{label} names no table or figure of this page")
    text = [{"t": "Str", "c": floats[label]}]
    return {"t": "Link", "c": [["", [], []], text, [f"#{label}", ""]]}


def _contents(blocks: list[Node]) -> Iterator[Node]:
    for node in nodes(blocks):
        if node["t"] == "Header" and node["c"][0] in (2, 3):
            level, (label, _, _), inlines = node["c"]
            yield {"level": level, "id": label, "text": words(inlines)}
