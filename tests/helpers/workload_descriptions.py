"""Writes what the driver sql says of our workloads: plans need no compiler.

Call it after a change:  python tests/helpers/workload_descriptions.py
A test holds the file equal to what the driver says.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

from places import BENCH, ROOT

from benchbook.digests import short_digest
from benchbook.project import Project
from benchbook.study.drivers import driver_named
from benchbook.study.program import usual_program
from benchbook.study.workload import DESCRIBED, FILE, FOLDER

FILE_OF_ALL = BENCH / FOLDER / DESCRIBED


def descriptions(sql: Path) -> str:
    """The file: a line of each workload, by its digest."""
    lines = []
    own = (ROOT / "posts").glob(f"*/{FILE}/*/{FILE}")  # as a post was measured with it
    for file in [*sorted((BENCH / FOLDER).glob(f"*/{FILE}")), *sorted(own)]:
        words = [sql, "--describe", file]
        done = subprocess.run(words, capture_output=True, text=True, check=True)
        lines.append(f'"{short_digest(file.read_bytes())}": {done.stdout.strip()}')
    return "{\n" + ",\n".join(lines) + "\n}\n"


if __name__ == "__main__":
    FILE_OF_ALL.write_text(
        descriptions(usual_program(driver_named("sql", BENCH), Project(ROOT)))
    )
