"""The page Explore in a real browser: choose, see, link, download; names stay names."""

from __future__ import annotations

import csv
import io
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import quote

import pytest
from explored import FORMULA, IMAGE, SCRIPT, SLUG, hostile_project

from benchbook.posts.site import build_site

pytest_plugins = ("browser_fixtures",)
pytestmark = pytest.mark.browser


class Quiet(SimpleHTTPRequestHandler):
    """Serves files without a line per request."""

    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    project = hostile_project(tmp_path_factory.mktemp("explore") / "checkout")
    site = build_site(project, renderer="preview").parent
    quiet = partial(Quiet, directory=str(site))
    server = ThreadingHTTPServer(("127.0.0.1", 0), quiet)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/explore.html"
    server.shutdown()


@pytest.fixture(params=(1280, 390))
def page(browser, request):
    context = browser.new_context(viewport={"width": request.param, "height": 900})
    yield context.new_page()
    context.close()


def opened(page, address):
    page.goto(address)
    page.locator("#bb-explore tbody tr").first.wait_for()
    page.locator("details").evaluate_all("all => all.forEach(d => d.open = true)")
    return page


def names_in_table(page):
    return page.locator("#bb-explore tbody tr").evaluate_all(
        "rows => rows.map(row => [...row.cells].map(cell => cell.textContent))"
    )


@pytest.mark.slow
def test_table_and_chart_show_every_ratio_and_no_name_is_executed(page, address):
    """Two configs over the base in two steps; markup in names is shown as text."""
    errors, hurt = [], "window.hurt"
    page.on("pageerror", lambda error: errors.append(str(error)))
    opened(page, address)
    rows = names_in_table(page)

    assert 4 == len(rows) == page.locator("#bb-explore svg g.ratio").count()
    assert {"l.i0", SCRIPT} == {row[0] for row in rows}
    assert any(IMAGE in row for row in rows)
    assert any(FORMULA in row for row in rows)
    assert 0 == page.locator("#bb-explore :is(img, script)").count()
    assert page.evaluate(hurt) is None
    assert [] == errors
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


@pytest.mark.slow
def test_a_link_restores_what_was_chosen(page, address):
    """Another base, one step, an order; the address alone brings them back."""
    opened(page, address)
    page.get_by_label("Base").select_option(IMAGE)
    page.get_by_label(SCRIPT).uncheck()
    page.get_by_label("Order").select_option("up")
    shown = names_in_table(page)
    link = page.get_by_role("link", name="Link to this selection").evaluate("a => a.href")
    page.goto("about:blank")
    opened(page, link)

    assert 2 == len(shown)
    assert shown == names_in_table(page)
    assert IMAGE == page.get_by_label("Base").input_value()
    assert "up" == page.get_by_label("Order").input_value()


@pytest.mark.slow
def test_the_csv_has_the_selection_and_no_formula(page, address):
    """A name that a spreadsheet would compute stands behind an apostrophe."""
    opened(page, address)
    page.get_by_label("l.i0").uncheck()
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Download CSV").click()
    text = waiting.value.path().read_text(encoding="utf-8")
    lines = list(csv.DictReader(io.StringIO(text)))

    assert f"{SLUG}-throughput.csv" == waiting.value.suggested_filename
    assert [IMAGE, f"'{FORMULA}"] == [line["compared"] for line in lines]
    assert {SCRIPT} == {line["step"] for line in lines}
    assert ["0.5", "1.0001"] == [line["relative"] for line in lines]
    assert "50 51 49" == lines[0]["values"]


def test_a_filter_that_nothing_passes_says_so(page, address):
    """An engine that no study has, in a link of somebody's."""
    page.goto(f"{address}#engine={quote(IMAGE)}")
    page.get_by_text("No published study has this engine").wait_for()

    assert 0 == page.locator("#bb-explore table").count()


@pytest.mark.slow
def test_data_that_cannot_be_read_is_said(page, address):
    """Without its data the page says so instead of staying empty."""
    page.route("**/explore/index.json", lambda route: route.abort())
    page.goto(address)

    page.get_by_text("The data cannot be read").wait_for()


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_on_explore(browser, address, scheme):
    """Names of controls, contrast, header cells; with everything open."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    context = browser.new_context(color_scheme=scheme)
    found = axe.run(opened(context.new_page(), address)).response["violations"]
    context.close()

    assert [] == [(rule["id"], n["target"]) for rule in found for n in rule["nodes"]]
