"""How long does a call of `benchbook` take, in times of what no call can do without?

CPU seconds of processes, user and system, the least of several that took turns. Python's
bytecode is compiled by the first of them.
"""

import resource
import subprocess
import sys
from pathlib import Path

import pandas as pd
from script import arguments, show

VERB = str(Path(sys.executable).with_name("benchbook"))
COMPARE = ["compare", "--study", "postgres-old-to-new", "13.23", "18.6"]
CALLS = {
    "python -c pass": [sys.executable, "-c", "pass"],
    "benchbook --help": [VERB, "--help"],
    'python -c "import pandas, duckdb"': [sys.executable, "-c", "import pandas, duckdb"],
    f"benchbook {' '.join(COMPARE)}": [VERB, *COMPARE],
    "python -c pass, again": [sys.executable, "-c", "pass"],
    "benchbook load, nothing new": [VERB, "load"],
}


def seconds(call: list[str]) -> float:
    """CPU seconds of one process."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(call, stdout=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    """One table; the goal of the first two ratios is 2 at most, of a load .3 s."""
    rounds = range(1 + arguments(__doc__, 9).series)
    turns = [{name: seconds(call) for name, call in CALLS.items()} for _ in rounds]
    least = pd.DataFrame(turns[1:]).min()
    times = least / least.shift().where([False, True] * (len(CALLS) // 2))
    columns = {"call": least.index, "CPU ms": 1000 * least, "times the one above": times}
    show("Start of a call", pd.DataFrame(columns))


if __name__ == "__main__":
    main()
