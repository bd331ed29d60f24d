"""Flame graphs in a real browser: zoom, search, keys, at the width of a phone."""

from __future__ import annotations

import pytest
from places import ROOT
from profile_frames import costs, stacks

from benchbook.charts.flame import flame
from benchmath.profiles.paths import flame_paths

pytest_plugins = ("browser_fixtures",)
pytestmark = pytest.mark.browser

SITE = ROOT / "site"
PAGE = """<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>t</title>
<style>{style}</style><main class="content">{graph}</main><script>{script}</script>"""


@pytest.fixture
def page(browser, request):
    """main calls read (5 of 8 us, 3 of them in the kernel's copy) and write (3)."""
    made = stacks("r", {"main;read": 2, "main;read;copy": 3, "main;write": 3})
    text = PAGE.format(
        style=(SITE / "benchbook.css").read_text(encoding="utf-8"),
        script=(SITE / "flame.js").read_text(encoding="utf-8"),
        graph=flame(flame_paths(made, costs(r=8))).html,
    )
    width = getattr(request, "param", 390)
    opened = browser.new_page(viewport={"width": width, "height": 800})
    opened.errors = []
    opened.on("pageerror", lambda error: opened.errors.append(str(error)))
    opened.on("request", lambda request: opened.errors.append(request.url))
    opened.set_content(text)
    yield opened
    assert [] == opened.errors
    over = opened.evaluate("document.documentElement.scrollWidth - window.innerWidth")
    assert over <= 0
    opened.close()


def frame(page, name: str):
    return page.locator(f'svg.flame svg[aria-label^="{name},"]')


def share_of_width(page, name: str) -> object:
    """Of the graph; the outline of a frame widens it by a pixel or two."""
    whole = page.locator("svg.flame").bounding_box()["width"]
    return pytest.approx(frame(page, name).bounding_box()["width"] / whole, abs=0.012)


@pytest.mark.slow
@pytest.mark.parametrize("page", [1200, 390], indirect=True)
def test_click_zooms_and_escape_leaves(page):
    """A frame fills the width, its callers too, the rest goes; Escape brings it back."""
    frame(page, "read").click()

    assert [1.0, 1.0, 0.6] == [share_of_width(page, n) for n in ("main", "read", "copy")]
    assert not frame(page, "write").is_visible()
    assert "Zoomed: read, 5 µs/op, 62.5% of all" in page.locator("output").inner_text()
    page.keyboard.press("Escape")
    assert 0.625 == share_of_width(page, "read")
    assert frame(page, "write").is_visible()


def test_the_button_leaves_too(page):
    """For those who have no keyboard; it is off where there is nothing to leave."""
    button = page.get_by_role("button", name="Reset zoom")
    assert button.is_disabled()
    frame(page, "write").click()
    button.click()

    assert 0.375 == share_of_width(page, "write")
    assert button.is_disabled()


def test_search_marks_frames_and_says_their_share(page):
    """copy is below read and so is not counted twice: e is in read, write: 8 of 8 us."""
    page.get_by_role("searchbox").fill("READ")
    assert (
        "“READ”: 5 µs/op, 62.5% of all in 1 frame" == page.locator("output").inner_text()
    )
    assert 1 == page.locator(".flame-hit").count()

    page.get_by_role("searchbox").fill("e")
    said = page.locator("output").inner_text()
    assert "“e”: 8 µs/op, 100.0% of all in 2 frames" == said
    page.keyboard.press("Escape")
    assert "" == page.locator("output").inner_text()


def test_every_frame_is_reached_by_keys(page):
    """Tab to the root, arrows to frames, Enter zooms; the tooltip goes along."""
    page.locator("svg.flame svg").first.focus()
    for key in ("ArrowDown", "ArrowDown", "ArrowRight"):
        page.keyboard.press(key)
    assert (
        "write\n3 µs/op, 37.5% of all, itself 3"
        == page.locator(".flame-tip").inner_text()
    )
    page.keyboard.press("Enter")

    assert 1.0 == share_of_width(page, "write")


def test_pointing_shows_what_a_frame_costs(page):
    """The tooltip lies within the page, beside the pointer."""
    frame(page, "copy").hover()

    tip = page.locator(".flame-tip")
    assert "copy\n3 µs/op, 37.5% of all, itself 3" == tip.inner_text()
    box = tip.bounding_box()
    assert 0 <= box["x"] and box["x"] + box["width"] <= page.viewport_size["width"]
