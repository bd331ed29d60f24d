"""Tables in a real browser: they fit their page, and on a phone the first column stays.

BENCHBOOK_SITE names the folder of a site whose posts are looked at too.
"""

from __future__ import annotations

import os
from pathlib import Path

import pandas as pd
import pytest
from engine_frames import cell, frames
from places import ROOT

from benchbook import tables
from benchmath.ratios.relative import relative, summary
from benchmath.ratios.verdicts import verdicts

pytest_plugins = ("browser_fixtures",)
pytestmark = pytest.mark.browser

BASE = {"version": "5.5.9"}
STEPS = tuple(
    (f"points-notcovered-si.pre.range{10**i}.part{j}", "query", 123_456.0, 2)
    for i in range(3)
    for j in range(5)
)
COSTS = (
    "cpu_o", "client_cpu_o", "machine_cpu_o", "cs_o", "r_o", "rkb_o", "w_o", "wkb_o",
    "server_rkb_o", "server_wkb_o", "log_bytes_o",
)  # fmt: skip
OVER = """all => all.map(table => {
  const box = table.closest('.bb-table, .plain-table');
  const [inner, outer] = [table, box || table].map(e => e.getBoundingClientRect().width);
  return inner - outer;
}).filter(over => over > 1)"""
LEFT = """() => {
  const row = document.querySelector('.gt_table_body > tr');
  const box = row.closest('.bb-table');
  box.scrollLeft = 10000;
  const [first, table] = [row.cells[0], box].map(e => e.getBoundingClientRect());
  return [box.scrollLeft, first.left - table.left, first.width / window.innerWidth];
}"""


def wide_tables():
    """Of many steps, versions and costs, with the longest names that posts have."""
    versions = [("5.5.9", 1.0), ("5.6.24", 0.9), ("5.7.22", 1.2), ("8.0.12", 0.99)]
    metric = frames([cell(v, r) for v, r in versions], steps=STEPS)["metric"]
    judged, values = verdicts(relative(metric, BASE)), summary(metric)
    costs = pd.DataFrame(
        {"step": [s[0] for s in STEPS], "version": "5.6.24"}
        | {name: 0.00123 + 1.5 * i for i, name in enumerate(COSTS)}
    )
    ends = pd.DataFrame([
        {"test": step, "metric": name, "unit": "KB", "first_version": "10.1.23",
         "last_version": "11.4.5", "first": 12_345.0, "last": 0.00123}
        for step, *_ in STEPS for name in COSTS
    ])  # fmt: skip
    return [
        tables.ratios_by_step(judged, values, BASE),
        tables.values_by_step(values, ["version"]),
        tables.relative_table(judged),
        tables.plain_table(costs, units=dict.fromkeys(COSTS, "reads")),
        tables.first_last_table(ends),
    ]


@pytest.fixture(scope="module")
def page_file(tmp_path_factory):
    """The tables in the frame of the preview's pages."""
    styles = "".join(
        f"<style>{(ROOT / 'site' / name).read_text(encoding='utf-8')}</style>"
        for name in ("benchbook.css", "preview.css")
    )
    inside = "".join(
        f'<div class="bb-table">{table.as_raw_html()}</div>' for table in wide_tables()
    )
    head = '<meta charset="utf-8"><meta name="viewport" content="width=device-width">'
    page = (
        f'<!DOCTYPE html><html lang="en"><head>{head}{styles}</head><body class="post">'
        f'<div class="with-toc"><main class="content page">{inside}</main>'
        '<nav id="TOC"><h2>On this page</h2></nav></div></body></html>'
    )
    path = tmp_path_factory.mktemp("tables") / "index.html"
    path.write_text(page, encoding="utf-8")
    return path


def site_pages():
    site = os.environ.get("BENCHBOOK_SITE")
    return sorted(Path(site).resolve().glob("posts/*/index.html")) if site else []


def opened(browser, path, width):
    page = browser.new_page(viewport={"width": width, "height": 900})
    page.goto(path.as_uri())
    page.locator("details").evaluate_all("all => all.forEach(d => d.open = true)")
    return page


def test_tables_fit_their_page(browser, page_file):
    """At 1280 px no table is wider than its column, whatever it has to show."""
    page = opened(browser, page_file, 1280)
    over = page.locator("table").evaluate_all(OVER)
    page.close()

    assert [] == over


def test_tables_of_the_site_fit_their_pages(browser):
    """Each table of each post, those that open on a click too."""
    wide = {}
    for path in site_pages():
        page = opened(browser, path, 1280)
        if over := page.locator("table").evaluate_all(OVER):
            wide[path.parent.name] = over
        page.close()

    assert {} == wide


def test_the_first_column_stays_on_a_phone(browser, page_file):
    """Scrolled to its right end, a table shows the names of its rows, in 40% at most."""
    page = opened(browser, page_file, 390)
    scrolled, left, share = page.evaluate(LEFT)
    page.close()

    assert scrolled > 0
    assert abs(left) < 1
    assert share < 0.45
