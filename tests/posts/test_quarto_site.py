"""Quarto is given what changed, and what it warns about is said."""

from __future__ import annotations

import logging
import sys

import pytest
from sample_site import make_project

from benchbook.posts import quarto
from benchmath.errors import UserError

PROGRAM = f"""#!{sys.executable}
import pathlib, sys
here = pathlib.Path(__file__).parent
with (here / "calls").open("a") as calls:
    print(*sys.argv[1:], file=calls)
(here.parent / "checkout/_site").mkdir(exist_ok=True)
(here.parent / "checkout/_site/index.html").touch()
sys.stderr.write((here / "said").read_text() if (here / "said").exists() else "")
bad = (here / "bad").read_text() if (here / "bad").exists() else "no post"
whole = "--output-dir" in sys.argv and bad != "no post"
sys.exit((here / "fails").exists() or whole or bad in sys.argv[2])
"""


class Site:
    """A checkout with two posts, and a program that notes how it was called."""

    def __init__(self, folder):
        self.project = make_project(folder / "checkout")
        self.root, self.out = self.project.root, self.project.site
        for slug in ("a", "b"):
            self.write(f"posts/{slug}/index.ipynb", "{}")
        self.bin = folder / "bin"
        self.bin.mkdir()
        self.program = self.bin / "quarto"
        self.program.write_text(PROGRAM)
        self.program.chmod(0o755)

    def write(self, name: str, text: str) -> None:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def calls(self, out=None) -> list[str]:
        """The files that rendering hands to the program, and its options."""
        calls = self.bin / "calls"
        calls.unlink(missing_ok=True)
        quarto.render(str(self.program), self.root, out or self.out, self.out)
        text = calls.read_text() if calls.exists() else ""
        return [line.replace(f"{self.root}/", "") for line in text.splitlines()]


@pytest.fixture
def site(tmp_path):
    return Site(tmp_path)


def test_only_what_changed_is_rendered_again(site):
    """All of it, nothing, a post whose text changed, and what lists one if that shows."""
    whole = [f"render {site.root} --output-dir _site"]
    assert (whole, []) == (site.calls(), site.calls())

    site.write("posts/b/data/rows.csv", "1")
    assert ["render posts/b/index.ipynb"] == site.calls()

    site.write("posts/b/index.ipynb", '{"cells": [{"source": "description: It is"}]}')
    lists = [f"render {name}.qmd" for name in ("index", "all", "versions")]
    assert ["render posts/b/index.ipynb", *lists] == site.calls()


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("_quarto.yml", "project: {render: [index.qmd]}"),
        ("site/benchbook.css", ""),
        ("posts/b/index.ipynb", r'"title: \"Another?\"\n",'),
        ("posts/c/index.ipynb", "{}"),
    ],
)
def test_what_other_pages_show_renders_every_page(site, name, text):
    """The settings, the files of the site, and the titles of posts."""
    site.calls()
    site.write(name, text)

    assert [f"render {site.root} --output-dir _site"] == site.calls()


def test_a_post_that_went_leaves_no_page(site):
    """The site is made anew."""
    site.calls()
    (site.root / "posts/b/index.ipynb").unlink()

    assert 1 == len(site.calls())


def test_another_folder_gets_the_whole_site(site, tmp_path):
    """Quarto renders single pages into the folder of _quarto.yml only."""
    out = tmp_path / "elsewhere"
    whole = [f"render {site.root} --output-dir {out}"]

    assert (whole, whole) == (site.calls(out), site.calls(out))


def test_warnings_are_said(site, caplog):
    """Each once, without the colours of a terminal; progress is not."""
    warning = "\x1b[33mWARN: Unable to create a feed: no `site-url`\x1b[39m"
    (site.bin / "said").write_text(f"[1/2] index.qmd\n{warning}\n" * 2)
    with caplog.at_level(logging.WARNING):
        site.calls()

    assert ["quarto: WARN: Unable to create a feed: no `site-url`"] == caplog.messages


def test_a_failure_is_one_sentence_and_leaves_no_record(site):
    """The line with ERROR; the next time begins anew."""
    (site.bin / "said").write_text("[1/2] index.qmd\nERROR: no such thing\nmore\n")
    (site.bin / "fails").touch()
    with pytest.raises(UserError, match="quarto render failed: ERROR: no such thing"):
        site.calls()

    assert not (site.out / quarto.RENDERED).exists()


@pytest.mark.slow
def test_a_bad_post_stops_no_other(site):
    """Where the whole site fails each page is rendered, and the bad ones are returned."""
    (site.bin / "bad").write_text("posts/a/")
    (site.bin / "said").write_text("ERROR: no such thing\n")
    wrong = quarto.render(str(site.program), site.root, site.out, site.out)
    (site.bin / "bad").unlink()

    reason = "posts/a/index.ipynb: quarto render failed: ERROR: no such thing"
    assert [reason] == [str(error) for error in wrong]
    assert "render posts/b/index.ipynb" in (site.bin / "calls").read_text().replace(
        f"{site.root}/", ""
    )
    assert "render posts/a/index.ipynb" == site.calls()[0]
