"""`benchbook`, and `python -m benchbook`."""

import os
import sys


def command() -> None:
    """What the shell calls: the list of verbs at once, all else by click."""
    if sys.argv[1:] in (["--help"], ["-h"]) and _has_80_columns():
        help_of_all = __file__.replace("__main__.py", "cli/help.txt")
        with open(help_of_all) as text:  # noqa: PTH123  # pathlib is slow to import
            sys.stdout.write(text.read())
    else:
        call()


def _has_80_columns() -> bool:
    """As shutil tells it to click, which wraps its help there at the latest."""
    if "COLUMNS" in os.environ:
        return False
    try:
        columns = os.get_terminal_size(1).columns
    except OSError:
        return True
    return columns == 0 or columns >= 80


def call() -> None:
    """By click."""
    from benchbook.cli.main import main

    main()


if __name__ == "__main__":
    call()
