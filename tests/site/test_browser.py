"""The site in a real browser, below a sub-path, at desktop and phone width.

BENCHBOOK_SITE names the folder; without it, the preview of the sample post is shown.
"""

from __future__ import annotations

import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest
from places import ROOT
from sample_site import make_site

pytest_plugins = ("browser_fixtures",)
pytestmark = pytest.mark.browser

WIDTHS = (1280, 390)
OWN = (
    "index.html", "all.html", "versions.html", "explore.html", "about.html",
    "METHODS.html",
)  # fmt: skip
VISIBLE = """figures => figures.map(figure => {
  const svgs = [...figure.querySelectorAll('svg.marks')].filter(s => s.checkVisibility());
  const marks = svgs.flatMap(s => [...s.querySelectorAll('.role-mark *')]);
  const sizes = svgs.map(s => s.getBoundingClientRect());
  return svgs.length === 1 && marks.length > 0 && sizes[0].width > 100
    && sizes[0].height > 50;
})"""


class Quiet(SimpleHTTPRequestHandler):
    """Serves files without a line per request."""

    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    return make_site(tmp_path_factory.mktemp("browser") / "checkout").resolve()


@pytest.fixture(scope="module")
def address(site, tmp_path_factory):
    """The site as a project page has it: below a folder of a host."""
    root = tmp_path_factory.mktemp("host")
    (root / "lab").symlink_to(site)
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(root)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/lab/"
    server.shutdown()


@pytest.fixture(scope="module")
def posts(site):
    return sorted(p.relative_to(site).as_posix() for p in site.glob("posts/*/index.html"))


@pytest.fixture(params=WIDTHS)
def context(browser, request):
    opened = browser.new_context(viewport={"width": request.param, "height": 900})
    yield opened
    opened.close()


def watched(context):
    """A page, and the lists that its errors and requests go to."""
    page = context.new_page()
    errors, requests = [], []
    page.on("console", lambda m: errors.append(m.text) if m.type == "error" else None)
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("request", lambda request: requests.append(request.url))
    return page, errors, requests


def drawn(page):
    """Open what is folded, and wait until every chart is interactive; how many there are.

    A chart in a fold is drawn when that opens.
    """
    page.locator("details").evaluate_all("all => all.forEach(d => d.open = true)")
    page.wait_for_function(
        "document.querySelectorAll('figure.bb-chart:not([data-state])').length === 0"
    )
    return page.locator("figure.bb-chart").count()


@pytest.mark.slow
def test_no_error_and_no_request_leaves_this_machine(context, address, posts):
    """No page writes an error to the console or asks another host for anything."""
    for path in [*OWN, *posts]:
        page, errors, requests = watched(context)
        page.goto(address + path, wait_until="networkidle")
        drawn(page)
        foreign = [u for u in requests if not u.startswith((address, "data:", "blob:"))]
        assert [] == errors, path
        assert [] == foreign, path


@pytest.mark.slow
def test_charts_become_interactive(context, address, posts):
    """With JavaScript, each chart is drawn again, with a tooltip to point at."""
    for path in posts:
        page, _, _ = watched(context)
        page.goto(address + path)
        count = drawn(page)
        assert [True] * count == page.locator("figure.bb-chart").evaluate_all(VISIBLE)
        assert count == page.locator("figure.bb-chart .vega-embed").count()


@pytest.mark.slow
def test_charts_are_visible_without_javascript(browser, address, posts):
    """Without JavaScript, each chart is the picture that the post carries.

    Those that are folded open on a click without it, too.
    """
    for width in WIDTHS:
        still = browser.new_context(
            viewport={"width": width, "height": 900}, java_script_enabled=False
        )
        page = still.new_page()
        for path in posts:
            page.goto(address + path)
            unfolded = "figure.bb-chart:not(details:not([open]) *)"
            visible = page.locator(unfolded).evaluate_all(VISIBLE)
            assert [True] * len(visible) == visible
        still.close()


@pytest.mark.slow
def test_charts_stay_where_vega_cannot_be_had(context, address, posts):
    """If the script is missing, the picture stays."""
    page, _, _ = watched(context)
    page.route("**/vega.js", lambda route: route.abort())
    page.goto(address + posts[0], wait_until="networkidle")
    page.locator("details").evaluate_all("all => all.forEach(d => d.open = true)")
    visible = page.locator("figure.bb-chart").evaluate_all(VISIBLE)

    assert [True] * len(visible) == visible


def test_no_page_is_wider_than_the_window(context, address, posts):
    """Tables, code and charts scroll in their own containers, never the page."""
    for path in [*OWN, *posts]:
        page, _, _ = watched(context)
        page.goto(address + path, wait_until="networkidle")
        drawn(page)
        page.locator("details").evaluate_all("all => all.forEach(d => d.open = true)")
        over = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
        assert over <= 0, path


@pytest.mark.slow
def test_text_lines_are_of_a_readable_length(browser, address, posts):
    """On a wide screen a paragraph stays below 80 characters a line."""
    page = browser.new_page(viewport={"width": 1920, "height": 1000})
    page.goto(address + posts[0])
    rem = page.evaluate("parseFloat(getComputedStyle(document.body).fontSize)")
    widths = page.locator("main p").evaluate_all(
        "all => all.map(p => p.getBoundingClientRect().width)"
    )
    page.close()

    assert max(widths) < 45 * rem


# Contrast of what is written with the first ground behind it that is not transparent.
CONTRAST = """elements => {
  const rgba = (text) => (text.match(/[\\d.]+/g) ?? [0, 0, 0, 0]).map(Number);
  const light = ([r, g, b]) => [r, g, b].map((c) => c / 255)
    .map((c) => c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
    .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  const ground = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const colour = rgba(getComputedStyle(at).backgroundColor);
      if (colour.length < 4 || colour[3] > 0) return colour;
    }
    return [255, 255, 255];
  };
  return elements.map((element) => {
    const pair = [light(rgba(getComputedStyle(element).color)), light(ground(element))];
    return (Math.max(...pair) + 0.05) / (Math.min(...pair) + 0.05);
  });
}"""
TAGS = (
    "p, li, h1, h2, h3, td, th, a, code, figcaption, summary, time, .category, pre span"
)
WRITTEN = f":is({TAGS})"


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_are_legible_in_the_colours_of_the_system(browser, address, posts, scheme):
    """A dark page for those who ask for one; text has 4.5 times its ground's light."""
    opened = browser.new_context(color_scheme=scheme)
    page = opened.new_page()
    for path in [*OWN, *posts]:
        page.goto(address + path)
        ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert (ground == "rgb(255, 255, 255)") == (scheme == "light"), path
        page.locator("details").evaluate_all("all => all.forEach(d => d.open = true)")
        assert min(page.locator(f"main {WRITTEN}").evaluate_all(CONTRAST)) >= 4.5, path
    opened.close()


@pytest.mark.slow
def test_a_search_finds_every_word_in_any_order(context, address, posts):
    """Also what is folded; the result leads to the section, which opens."""
    page, _, _ = watched(context)
    page.goto(address + "about.html")
    box = page.get_by_role("searchbox")
    if not box.is_visible():
        pytest.skip("Quarto's search, which opens in a window of its own")
    box.fill("interval margin verdict")
    found = page.locator("#bb-found a")
    found.first.wait_for()
    assert (
        "About" in found.first.inner_text() or "conclusions" in found.first.inner_text()
    )
    box.fill("decided verdict nowhere-to-be-found")
    page.get_by_text("No page has all of").wait_for()

    assert 0 == found.count()
    box.fill("undecided equivalent about")
    page.get_by_role("link", name="About › How sure it is").first.click()
    page.wait_for_url("**/about.html#how-sure-it-is")


@pytest.mark.slow
@pytest.mark.parametrize("width", WIDTHS)
def test_what_quarto_puts_into_no_container_scrolls_itself(browser, width):
    """A Markdown table as Quarto writes it, and code in a line, keep to their column."""
    cells = "<td><code>an_option_of_some_length</code></td>" * 12
    long = "a/path/without/a/blank/" * 8
    page = browser.new_page(viewport={"width": width, "height": 800})
    page.set_content(
        f"<style>{(ROOT / 'site' / 'benchbook.css').read_text(encoding='utf-8')}</style>"
        '<main class="content" style="display: grid"><section class="level2">'
        f'<table class="caption-top table"><tbody><tr>{cells}</tr></tbody></table>'
        f"<p>It is <code>{long}</code>.</p></section></main>"
    )
    over = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
    page.close()

    assert over <= 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(browser, address, posts, scheme):
    """Contrast, names, texts of images, order of headings: the index and three posts."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    context = browser.new_context(
        viewport={"width": 1280, "height": 900}, color_scheme=scheme
    )
    found = []
    for path in ["index.html", *posts[:3]]:
        page = context.new_page()
        page.goto(address + path, wait_until="networkidle")
        drawn(page)
        page.locator("details").evaluate_all("all => all.forEach(d => d.open = true)")
        found += [
            (path, rule["id"], node["target"], node["failureSummary"])
            for rule in axe.run(page).response["violations"]
            for node in rule["nodes"]
        ]
    context.close()

    assert [] == found[:10]
