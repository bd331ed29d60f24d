"""What the benchmarks have in common: arguments and tables on stdout."""

import argparse

import pandas as pd


def arguments(text: str | None, series: int) -> argparse.Namespace:
    """``--seed`` and ``--series``, with the script's own default of the latter."""
    about = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=text, formatter_class=about)
    parser.add_argument("--seed", type=int, default=1, help="default 1")
    parser.add_argument(
        "--series", type=int, default=series, help=f"simulated cases, default {series}"
    )
    return parser.parse_args()


def show(title: str, table: pd.DataFrame) -> None:
    """A heading and an aligned table; missing values are blank."""
    text = table.to_string(index=False, na_rep="", float_format=lambda v: f"{v:.1f}")
    print(f"\n{title}\n\n{text}", flush=True)  # noqa: T201
