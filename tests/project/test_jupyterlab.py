"""A template in the JupyterLab of this environment, run as a reader would run it.

JupyterLab has a Vega-Lite of its own, older than the one Altair writes for: whether it
still draws the charts, only a browser can say.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import urlsplit

import altair
import nbformat
import pytest
import vl_convert
from browser_fixtures import CHROMIUM, FLAGS
from places import ROOT

from benchbook.raw_html import VEGALITE_VERSION
from benchbook.store.database import LOCK

LAB = Path(sys.prefix) / "share/jupyter/lab/static"
SETTINGS = ["--no-browser", "--allow-root", "--ServerApp.ip=127.0.0.1",
            "--ServerApp.port=0", "--IdentityProvider.token=", "--LabApp.news_url=None",
            "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
            "--LabApp.extension_manager=readonly"]  # fmt: skip
# The user's setting: without it JupyterLab asks about news even where there is no URL.
NEWS = "lab/user-settings/@jupyterlab/apputils-extension/notification.jupyterlab-settings"
PLACES = ("HOME", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR",
          "IPYTHONDIR", "BENCHBOOK_LOCK")  # fmt: skip
WAIT_S = 30
TEMPLATE = "notebooks/inserts.ipynb"
VEGALITE = "application/vnd.vegalite.v5+json"
OUTPUT = ".jp-OutputArea-output"
# Cells that wait show a star; a cell that fails takes it from those below it.
RAN = """() => {
  const prompts = [...document.querySelectorAll('.jp-CodeCell .jp-InputArea-prompt')];
  const texts = prompts.map(prompt => prompt.textContent);
  return texts.includes('[1]:') && !texts.includes('[*]:');
}"""
COLOURS = """canvas => {
  const pen = canvas.getContext('2d');
  const image = pen.getImageData(0, 0, canvas.width, canvas.height);
  return new Set(new Uint32Array(image.data.buffer)).size;
}"""


def in_lab(test):
    """Mark a test that needs JupyterLab and a browser."""
    return pytest.mark.slow(pytest.mark.browser(pytest.mark.engine(test)))


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    if not CHROMIUM.exists():
        pytest.skip(f"no {CHROMIUM}: apt-get install chromium fonts-dejavu-core")
    playwright = pytest.importorskip("playwright.sync_api")
    env = os.environ | {"HOME": str(tmp_path_factory.mktemp("home"))}
    with playwright.sync_playwright() as driver:
        yield driver.chromium.launch(executable_path=str(CHROMIUM), args=FLAGS, env=env)


@pytest.fixture(scope="module")
def checkout(tmp_path_factory):
    """The templates and the fixtures they read, copied: a reader's JupyterLab saves."""
    root = tmp_path_factory.mktemp("lab") / "checkout"
    ignored = shutil.ignore_patterns("*.duckdb*", ".ipynb_checkpoints")
    for name in ("notebooks", "tests/fixtures"):
        shutil.copytree(ROOT / name, root / name, ignore=ignored)
    shutil.copy(ROOT / "_quarto.yml", root)
    (root / "bench").symlink_to(ROOT / "bench")
    return root


@pytest.fixture(scope="module")
def address(browser, checkout):
    """JupyterLab on the checkout, on a port of its own choice; HOME stays untouched."""
    home = checkout.parent
    named = ("BENCHBOOK", "JPY", "JUPYTER", "XDG")
    kept = {k: v for k, v in os.environ.items() if not k.startswith(named)}
    places = {name: str(home / name.lower()) for name in PLACES}
    news = home / "jupyter_config_dir" / NEWS
    news.parent.mkdir(parents=True)
    news.write_text(json.dumps({"fetchNews": "false", "checkForUpdates": False}))
    env = kept | places | {"BENCHBOOK_ROOT": str(checkout)}
    words = [sys.executable, "-m", "jupyter", "lab", *SETTINGS]
    with (home / "log").open("w") as log:
        server = subprocess.Popen(words, cwd=checkout, env=env, stdout=log, stderr=log)
        try:
            yield served(home, server)
        finally:
            server.terminate()
            server.wait(WAIT_S)


def served(home, server):
    """The address that JupyterLab writes down once it listens."""
    end = time.monotonic() + WAIT_S
    while time.monotonic() < end and server.poll() is None:
        for file in home.glob("jupyter_runtime_dir/jpserver-*.json"):
            if text := file.read_text():
                return json.loads(text)["url"]
        time.sleep(0.1)
    raise AssertionError(f"JupyterLab did not start: {(home / 'log').read_text()}")


@pytest.fixture(scope="module")
def ran(browser, address, checkout):
    """The page after Run All Cells, what it asked for, and the outputs that it saved."""
    page = browser.new_page()
    asked = []
    page.context.on("request", lambda request: asked.append(request.url))
    page.on("websocket", lambda socket: asked.append(socket.url))
    page.goto(f"{address}lab/tree/{TEMPLATE}")
    page.get_by_text("| Idle").wait_for()
    page.get_by_role("menuitem", name="Run", exact=True).click()
    page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
    page.wait_for_function(RAN, timeout=60_000)
    page.get_by_text("| Idle").wait_for()
    with page.expect_response(lambda r: r.request.method == "PUT" and TEMPLATE in r.url):
        page.keyboard.press("Control+s")
    saved = nbformat.read(checkout / TEMPLATE, as_version=4)
    outputs = [output for cell in saved.cells for output in cell.get("outputs", [])]
    return SimpleNamespace(page=page, asked=asked, outputs=outputs)


@in_lab
def test_no_cell_fails_or_warns(ran):
    """Each output is a result: no traceback, nothing on stderr."""
    assert [] == [o for o in ran.outputs if o.output_type in ("error", "stream")]


@in_lab
def test_every_chart_is_drawn(ran):
    """JupyterLab's Vega-Lite draws what Altair writes for a newer one."""
    written = [o for o in ran.outputs if VEGALITE in o.get("data", {})]
    drawn = ran.page.locator(f"{OUTPUT} .vega-embed canvas.marks")
    drawn.nth(len(written) - 1).wait_for()

    assert len(written) == drawn.count() > 0
    assert [True] * len(written) == [large(chart) for chart in drawn.all()]
    assert all(chart.evaluate(COLOURS) > 10 for chart in drawn.all())  # blank: 1


def large(shown):
    """Is it visible, and larger than an icon?"""
    shown.scroll_into_view_if_needed()
    box = shown.bounding_box()
    return shown.is_visible() and box["width"] > 100 and box["height"] > 50


@in_lab
def test_every_table_is_visible(ran):
    """Tables of great_tables are HTML with a style of its own; JupyterLab shows them.

    Those of a folded section once it is opened.
    """
    for summary in ran.page.locator(f"{OUTPUT} details > summary").all():
        summary.click()
    written = sum(str(o).count("<table ") for o in ran.outputs)
    tables = ran.page.locator(f"{OUTPUT} table.gt_table").all()

    assert written == len(tables) > 0
    shown = [(table.is_visible(), table.bounding_box()) for table in tables]
    assert [] == [box for there, box in shown if not there or box["width"] < 100]


@in_lab
def test_no_request_leaves_this_machine(ran):
    """The browser asks no other host; an address of data: or blob: has none."""
    assert {"127.0.0.1"} == {urlsplit(url).hostname for url in ran.asked} - {None}


@in_lab
def test_nothing_is_measured(ran, checkout):
    """In JupyterLab `collect` only reads: what is new is the database and its lock."""
    files = [p.relative_to(checkout) for p in checkout.glob("tests/**/*")]
    made = [p for p in files if not (p.match("benchbook.duckdb*") or p.name == LOCK)]

    assert [] == [p for p in made if not (ROOT / p).exists()]


@pytest.mark.unit
def test_jupyterlab_draws_the_kind_of_chart_that_altair_writes():
    """Altair's Vega-Lite major is the newest for which JupyterLab has a MIME type."""
    texts = [file.read_text(encoding="utf-8") for file in LAB.glob("jlab_core.*.js")]
    known = re.findall(r"application/vnd\.vegalite\.v(\d+)\+json", "".join(texts))

    assert altair.SCHEMA_VERSION.split(".")[0] == f"v{max(known, key=int)}"


@pytest.mark.unit
def test_posts_draw_with_the_vegalite_that_altair_writes():
    """Posts render with Altair's own Vega-Lite, which vl_convert has to carry."""
    assert altair.SCHEMA_VERSION.startswith(f"v{VEGALITE_VERSION}.")
    assert VEGALITE_VERSION in vl_convert.get_vegalite_versions()
