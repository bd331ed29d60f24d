"""Versions and tests whose names are markup: shown on the page, never obeyed by it.

The whole path of somebody's figures: imported, executed, audited, rendered.
"""

from __future__ import annotations

import csv
import re
import shutil
from html import unescape

import pytest
from click.testing import CliRunner
from html_page import read_page
from places import ROOT, SITE_PAGES

from benchbook.cli.main import main
from benchbook.posts.audit import audit
from benchbook.posts.execute import post
from benchbook.posts.site import build_site
from benchbook.project import Project
from benchbook.study.study import load_study

pytest_plugins = ("browser_fixtures",)
pytestmark = [pytest.mark.engine, pytest.mark.browser]

VERSIONS = (
    "<script>window.pwned=1</script>", "<img src=x onerror=window.pwned=2>",
    "[a](javascript:window.pwned=3)", "{{< include /etc/passwd >}}", "2.0 <new>",
    "1.0|rc", "`tick`", "$x$", "::: {.callout-note}", "*s*", "_u_", "<b>b</b>",
)  # fmt: skip
TESTS = ("ins<i>x</i>", "q|r", "scan_{a}")
COLUMNS = "version=release,step=test,trial=trial,value=rate"


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """A checkout with the post of a table of such names, executed and rendered."""
    root = tmp_path_factory.mktemp("hostile") / "checkout"
    for folder in ("data", "bench", "posts", "build"):
        (root / folder).mkdir(parents=True)
    for name in ("notebooks", *SITE_PAGES, "requirements.lock"):
        (root / name).symlink_to(ROOT / name)
    shutil.copytree(ROOT / "site", root / "site")
    shutil.copy(ROOT / "posts/_metadata.yml", root / "posts")
    with (root / "mine.csv").open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["release", "test", "trial", "rate"])
        rows.writerows(
            (version, test, trial, 1000 + 200 * (n % 2) + trial)
            for n, version in enumerate(("1.0", *VERSIONS))
            for test in TESTS
            for trial in (1, 2, 3)
        )
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(root)
        words = ["new", "mine", "--from-csv", "mine.csv", "--columns", COLUMNS]
        done = CliRunner().invoke(main, words)
        assert done.exit_code == 0, done.output
        made = Project(root)
        post(made.posts / "mine" / "study.yml", made)
    build_site(made, renderer="preview")
    return made


def test_no_element_is_of_a_name(project):
    """Elements are those of the page; every name is read on it."""
    path = project.site / "posts/mine/index.html"
    page = read_page(path)
    texts = unescape(re.sub(r"<[^>]*>", "", path.read_text()))

    assert {"posts/mine/index.html"} == {
        str(p.relative_to(project.site)) for p in project.site.glob("posts/*/index.html")
    }
    assert [] == [e for tag in ("b", "i", "em") for e in page.all(tag)]
    assert [] == [e for e in page.elements if "onerror" in e.attributes]
    assert [] == [e for e in page.all("a") if "script:" in e.attributes.get("href", "")]
    assert [] == [name for name in (*VERSIONS, *TESTS) if name not in texts]


@pytest.mark.slow
def test_the_auditor_reads_such_names(project):
    """The sentences are borne out by frames that have them."""
    assert () == audit(load_study(project.posts / "mine"), project).contradictions


@pytest.mark.slow
def test_nothing_of_a_name_runs(project, browser):
    """In the post and in the list of posts, as a browser shows them."""
    for name in ("posts/mine/index.html", "all.html"):
        page = browser.new_page()
        page.goto(f"file://{project.site / name}")
        page.wait_for_timeout(500)
        assert page.evaluate("window.pwned === undefined")
        said = page.locator("main").inner_text()
        assert "<script>window.pwned=1</script>" in said
