"""Checkouts for tests that run real drivers: own data and posts, shared builds."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import pytest
from checkouts import Checkout, checkout_below
from places import ROOT

# Minutes each: begun last, one worker would wait for the other.
LONGEST = ("test_story", "test_notebooks", "test_post", "test_measure", "test_publish")
# Hundreds of processes import the same modules. Where PYTHONDONTWRITEBYTECODE would have
# each of them compile pandas again, the compiled files go to a folder of their own.
if sys.dont_write_bytecode:
    sys.dont_write_bytecode, sys.pycache_prefix = False, str(ROOT / "build" / "pycache")
    os.environ["PYTHONPYCACHEPREFIX"] = sys.pycache_prefix
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
# Tests run beside one another: nobody waits for the others to end.
os.environ["BENCHBOOK_QUIET"] = "off"
# A shell that starts the tests in the background has all their programs ignore Ctrl-C.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def builds() -> Path:
    """Compiled drivers, once for all tests of a session (and of a developer's day)."""
    named = os.environ.get("BENCHBOOK_TEST_BUILDS")
    return Path(named) if named else ROOT / "build" / "tests"


@pytest.fixture
def make_checkout(tmp_path, builds):
    """A function that makes a checkout below the test's folder."""

    def make(name: str = "checkout", machine: str = "testbox") -> Checkout:
        return checkout_below(tmp_path, builds, name, machine)

    return make


@pytest.fixture(scope="module")
def shared_checkout(tmp_path_factory, builds) -> Checkout:
    """One checkout for all tests of a file: what is measured in it takes long."""
    folder = tmp_path_factory.mktemp("shared")
    return checkout_below(folder, builds, "checkout", "testbox")


@pytest.fixture
def checkout(make_checkout) -> Checkout:
    """One checkout."""
    return make_checkout()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """All tests of a test_..._corpus.py need the corpus; the longest files go first."""
    for item in items:
        if item.path.stem.endswith("_corpus"):
            item.add_marker("corpus")
    items.sort(key=lambda item: item.path.stem not in LONGEST)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """The last line but one: how many tests on real files ran, and how many did not."""
    told = {
        outcome: sum("corpus" in r.keywords for r in terminalreporter.getreports(outcome))
        for outcome in ("passed", "failed", "skipped")
    }
    if sum(told.values()):
        ran = told["passed"] + told["failed"]
        terminalreporter.write_line(
            f"corpus: {ran} tests ran, {told['skipped']} skipped (BENCHBOOK_CORPUS)"
        )
