"""Every kind of chart in a real browser, drawn anew for a wide page and for a phone."""

from __future__ import annotations

import shutil
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest
from chart_frames import ALL
from places import ROOT

from benchbook.posts.vega import write_vega
from benchbook.raw_html import chart_block

pytest_plugins = ("browser_fixtures",)
pytestmark = [pytest.mark.browser, pytest.mark.slow]  # what they start takes long

PAGE = """<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">
<link rel="icon" href="data:,"><title>Charts</title>
<link rel="stylesheet" href="site/benchbook.css">
<style>main {{ max-width: 800px }}</style>
</head><body><main class="content">{}</main><script src="site/charts.js"></script></body>
"""
# Of layers that filter the same rows in panels with scales of their own; all is drawn.
KNOWN = "Detected faceted independent scales that union domain of the same fields"
# Pairs of words of one chart that lie over each other, by more than a hair.
COLLISIONS = """figures => figures.flatMap(figure => {
  const words = [...figure.querySelectorAll('svg.marks text')]
    .filter(t => t.textContent.trim() && getComputedStyle(t).opacity !== '0')
    .map(t => [t.textContent, t.getBoundingClientRect()]);
  const over = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2
    && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 4;
  return words.flatMap(([text, box], i) => words.slice(i + 1)
    .filter(([, other]) => over(box, other))
    .map(([second]) => `${figure.id}: ${text} | ${second}`));
})"""
WIDER = """figures => figures.filter(f => f.scrollWidth > f.clientWidth)
  .map(f => `${f.id}: ${f.scrollWidth} > ${f.clientWidth}`)"""


class Quiet(SimpleHTTPRequestHandler):
    """Serves files without a line per request."""

    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """A page with all charts, each under its name."""
    root = tmp_path_factory.mktemp("charts")
    blocks = [
        chart_block(chart().to_dict(), f"c{i}").replace(
            "<figure", f'<figure id="{name}"', 1
        )
        for i, (name, chart) in enumerate(ALL.items())
    ]
    shutil.copytree(ROOT / "site", root / "site", dirs_exist_ok=True)
    write_vega(root / "site")
    (root / "index.html").write_text(PAGE.format("\n".join(blocks)), encoding="utf-8")
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(root)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/index.html"
    server.shutdown()


@pytest.fixture(params=(1280, 390), scope="module")
def shown(browser, address, request):
    """The page when all charts are interactive, and what the console said."""
    page = browser.new_page(viewport={"width": request.param, "height": 900})
    said: list[str] = []
    page.set_default_timeout(120_000)
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.goto(address)
    page.wait_for_function(
        "document.querySelectorAll('figure.bb-chart:not([data-state])').length === 0"
    )
    yield page, said
    page.close()


def test_the_console_stays_empty(shown):
    """Neither a warning nor an error, of no kind of chart."""
    assert [] == [text for text in shown[1] if KNOWN not in text]


def test_words_do_not_collide(shown):
    """Labels, titles and legends have room, also between panels."""
    assert [] == shown[0].locator("figure.bb-chart").evaluate_all(COLLISIONS)


def test_charts_fit_their_place(shown):
    """No chart has to be scrolled sideways."""
    assert [] == shown[0].locator("figure.bb-chart").evaluate_all(WIDER)
