"""A template in the JupyterLab of this environment, run as a reader would run it.

JupyterLab has a Vega-Lite of its own, older than the one Altair writes for; whether it
still draws the charts, only a browser can say.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LAB = Path(sys.prefix) / "share" / "jupyter" / "lab" / "static"
CHROMIUM = Path("/usr/bin/chromium")
FLAGS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-sync",
         "--disable-background-networking", "--disable-component-update"]  # fmt: skip
SETTINGS = [
    "--no-browser", "--ServerApp.ip=127.0.0.1", "--ServerApp.port=0",
    "--IdentityProvider.token=", "--LabApp.news_url=None",
    "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
    "--LabApp.extension_manager=readonly",
]  # fmt: skip
HERE = ("127.0.0.1", "localhost")
START_S = 30
TEMPLATE = "notebooks/inserts.ipynb"
# The notebook after the last cell: no prompt waits, and the kernel has nothing to do.
DONE = """() => {
  const shown = [...document.querySelectorAll('.jp-CodeCell .jp-InputArea-prompt')];
  const status = document.querySelector('.jp-Notebook-ExecutionIndicator');
  return shown.length > 0 && shown.every(p => /^\\[\\d+\\]:$/.test(p.textContent.trim()))
    && status.dataset.status === 'idle';
}"""
SIZES = "all => all.map(e => e.getBoundingClientRect()).map(r => [r.width, r.height])"
pytestmark = [pytest.mark.browser, pytest.mark.engine]


def lab_environ(folder):
    """This environment with every place that JupyterLab writes to below ``folder``."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith("JUPYTER")}
    own = {name: str(folder / name.lower()) for name in (
        "HOME", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR",
        "IPYTHONDIR", "BENCHBOOK_LOCK",
    )}  # fmt: skip
    return kept | own | {"BENCHBOOK_ROOT": str(folder / "checkout")}


@pytest.fixture(scope="module")
def checkout(tmp_path_factory):
    """The templates and the fixtures they read, to be written to."""
    root = tmp_path_factory.mktemp("lab") / "checkout"
    ignored = shutil.ignore_patterns("*.duckdb*", ".ipynb_checkpoints")
    for name in ("notebooks", "tests/fixtures"):
        shutil.copytree(ROOT / name, root / name, ignore=ignored)
    shutil.copy(ROOT / "_quarto.yml", root)
    (root / "bench").symlink_to(ROOT / "bench")
    return root


@pytest.fixture(scope="module")
def address(checkout):
    """JupyterLab on the checkout, without a token; it picks the port itself."""
    environ = lab_environ(checkout.parent)
    root = ["--allow-root"] if os.geteuid() == 0 else []
    with (checkout.parent / "log").open("w+") as log:
        server = subprocess.Popen(
            [sys.executable, "-m", "jupyter", "lab", *SETTINGS, *root],
            cwd=checkout, env=environ, stdout=log, stderr=log,
        )  # fmt: skip
        try:
            yield served(Path(environ["JUPYTER_RUNTIME_DIR"]), server)
        finally:
            server.terminate()
            server.wait(START_S)


def served(folder, server):
    """The address that the server writes down once it listens."""
    end = time.monotonic() + START_S
    while time.monotonic() < end and server.poll() is None:
        for file in folder.glob("jpserver-*.json"):
            return json.loads(file.read_text())["url"]
        time.sleep(0.1)
    raise AssertionError("JupyterLab did not start; its messages are in the file log")
