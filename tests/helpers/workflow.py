"""A local runner of a GitHub workflow's job: enough of it for the recipes we ship."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any


def run_steps(
    job: Mapping[str, Any], folder: Path, env: dict[str, str]
) -> dict[str, int]:
    """Exit code of each `run:` step that GitHub would run here, by its name.

    As there: `bash -e`, a step's own `env`, and after a failure only steps with
    `if: always()`. Steps with `uses:`, and those whose condition or variables need
    GitHub itself, are left out.
    """
    codes: dict[str, int] = {}
    failed = False
    for step in job["steps"]:
        condition = step.get("if", "")
        own = {name: str(value) for name, value in step.get("env", {}).items()}
        of_github = "github." in condition or any("${{" in v for v in own.values())
        if "run" not in step or of_github or (failed and condition != "always()"):
            continue
        words = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
        done = subprocess.run(words, cwd=folder, env=env | own, check=False)
        codes[step["name"]] = done.returncode
        failed = failed or done.returncode != 0
    return codes
