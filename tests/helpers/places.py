"""Where the tests find what they read, wherever they lie themselves."""

from pathlib import Path

ROOT = Path(__file__).parents[2]
BENCH = ROOT / "bench"
FIXTURES = ROOT / "tests/fixtures"
SITE_PAGES = (
    "_quarto.yml",
    "index.qmd",
    "all.qmd",
    "versions.qmd",
    "explore.qmd",
    "api.qmd",
    "about.qmd",
    "404.qmd",
    "METHODS.md",
)
