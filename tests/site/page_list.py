"""What a reader meets on each page of a site: a line per page, to be looked through.

    python tests/site/page_list.py [_site] [slug ...]

Columns: height in px at 1280 and at 390 px, once as it opens; then, with all folds open,
tables and pages wider than their room; charts higher than 900 px that are open; words
between title and answer; what axe-core finds in light and dark; messages of the console.
Below each line: what its findings are. Exit code 1 where anything but a height is not 0.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, sync_playwright

sys.path.append(str(Path(__file__).parents[1] / "helpers"))
from browser_fixtures import CHROMIUM, FLAGS

DESK, PHONE = 1280, 390
MOST = 30  # findings of a page that are shown
TALL = 900  # px of a chart that a screen does not show at once
COLUMNS = (
    "height", "height390", "tables", "wide", "over", "over390", "tall", "before",
    "axe", "axe_dark", "console",
)  # fmt: skip
CHECKED = ("wide", "over", "over390", "tall", "before", "axe", "axe_dark", "console")
OVER = "() => document.documentElement.scrollWidth - window.innerWidth"
HEIGHT = "() => document.documentElement.scrollHeight"
WIDE = """() => [...document.querySelectorAll('main table')].map(table => {
  const box = table.closest('.bb-table, .plain-table') || table.parentElement;
  const over = table.getBoundingClientRect().width - box.clientWidth;
  const head = table.querySelector('th')?.textContent.trim() ?? '';
  return [over, `${head}: ${table.rows.length} rows, ${Math.round(over)} px too wide`];
}).filter(([over]) => over > 1).map(([, words]) => words)"""
TALL_CHARTS = """most => [...document.querySelectorAll('main figure.bb-chart')]
  .filter(f => f.checkVisibility()).map(f => Math.round(f.getBoundingClientRect().height))
  .filter(height => height > most).map(height => `a chart of ${height} px`)"""
BEFORE = """() => {
  const answer = document.querySelector('main .bb-answer');
  if (!answer) return '';
  const range = document.createRange();
  range.setStartAfter(document.querySelector('#title-block-header'));
  range.setEndBefore(answer);
  return range.toString().trim();
}"""
READY = """() => [...document.querySelectorAll('figure.bb-chart')]
  .filter(f => f.checkVisibility()).every(f => f.dataset.state)"""


class Quiet(SimpleHTTPRequestHandler):
    """Serves files without a line per request."""

    def log_message(self, *_: Any) -> None:
        pass


@contextmanager
def served(site: Path) -> Iterator[str]:
    """The address of a site on this machine."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(site)))
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()


def looked_at(browser: Browser, address: str) -> dict[str, Any]:
    """A number per height, a list of findings per check."""
    row: dict[str, Any] = {"console": []}
    for width, scheme in ((DESK, "light"), (DESK, "dark"), (PHONE, "light")):
        context = browser.new_context(
            viewport={"width": width, "height": 900}, color_scheme=scheme
        )
        page = context.new_page()
        said: list[str] = row["console"]
        page.on("console", partial(_note, said))
        page.on("pageerror", partial(_note, said))
        page.goto(address, wait_until="networkidle")
        page.wait_for_function(READY)
        if scheme == "dark":
            row["axe_dark"] = violations(opened(page))
        elif width == DESK:
            row |= {"height": page.evaluate(HEIGHT), "before": words(page)}
            row["tall"] = page.evaluate(TALL_CHARTS, TALL)
            opened(page)
            row |= {"wide": page.evaluate(WIDE), "over": over(page)}
            row |= {"axe": violations(page), "tables": page.locator("main table").count()}
        else:
            row["height390"] = page.evaluate(HEIGHT)
            row["over390"] = over(opened(page))
        context.close()
    return row


def _note(said: list[str], message: Any) -> None:
    said.append(getattr(message, "text", str(message)))


def opened(page: Page) -> Page:
    """With all folds open and their charts drawn."""
    page.locator("details").evaluate_all("all => all.forEach(d => d.open = true)")
    page.wait_for_function(READY)
    return page


def over(page: Page) -> list[str]:
    px = page.evaluate(OVER)
    return [f"the page is {px} px too wide"] if px > 0 else []


def words(page: Page) -> list[str]:
    return str(page.evaluate(BEFORE)).split()


def violations(page: Page) -> list[str]:
    """A line per rule and element."""
    found = Axe().run(page).response["violations"]
    return [f"{rule['id']} {node['target']}" for rule in found for node in rule["nodes"]]


def show(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main() -> int:
    """Print a line per page, and its findings."""
    about = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=about)
    parser.add_argument("site", type=Path, nargs="?", default=Path("_site"))
    parser.add_argument("slugs", nargs="*", help="posts; default: every page")
    asked = parser.parse_args()
    if not (asked.site / "index.html").is_file():
        parser.error(f"{asked.site} holds no index.html: `benchbook site` makes a site")
    own = sorted(asked.site.glob("*.html")) + sorted(
        asked.site.glob("posts/*/index.html")
    )
    paths = [p.relative_to(asked.site).as_posix() for p in own]
    if asked.slugs:
        paths = [f"posts/{slug}/index.html" for slug in asked.slugs]
    count = 0
    show("\t".join(("page", *COLUMNS)))
    with served(asked.site.resolve()) as address, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=str(CHROMIUM), args=FLAGS)
        for path in paths:
            row = looked_at(browser, address + path)
            cells = [len(v) if isinstance(v := row[c], list) else v for c in COLUMNS]
            show("\t".join(map(str, (path.removesuffix("/index.html"), *cells))))
            findings = [f"  {c}: {f}" for c in CHECKED for f in dict.fromkeys(row[c])]
            show("\n".join(findings[:MOST]) or "  nothing to mend")
            count += len(findings)
        browser.close()
    return bool(count)


if __name__ == "__main__":
    sys.exit(main())
