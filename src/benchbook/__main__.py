"""`python -m benchbook`."""

from benchbook.cli.main import main

main()
