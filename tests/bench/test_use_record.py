"""What a step used: figures of the driver's `use` records."""

import json
import subprocess

import pytest
from servers import compiled

pytestmark = pytest.mark.engine


def test_the_machine_was_busy_at_least_as_long_as_its_client(builds):
    """All CPUs together, not the line of the last one, on which nothing ran."""
    out = compiled(builds, "ingest")
    words = ["taskset", "-c", "0", out / "ingest", "--engine", "null", "--target", "x",
             "--step", "l.i0:rows=10000000"]  # fmt: skip
    said = subprocess.run(words, capture_output=True, text=True, check=True).stdout

    records = [json.loads(line) for line in said.splitlines()]
    [use] = [record for record in records if record["kind"] == "use"]
    busy, client = use["machine_busy_ns"], use["client_cpu_ns"]
    assert client > 100_000_000, "too short to tell"
    assert busy > 0.7 * client
