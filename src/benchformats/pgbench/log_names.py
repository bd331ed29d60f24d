"""Names of pgbench's logs, ``-l``: after the number of its process, a file per thread.

``pgbench_log.4711`` is the first thread's, ``pgbench_log.4711.1`` the second's; with
``--log-prefix`` another text stands before them.
"""

from __future__ import annotations

import re
from collections.abc import Container

from benchformats.parsed import RunName

# A short number behind a text of one's own may be a version or a trial.
_RUN = re.compile(r"(pgbench_log)\.\d+|(.+)\.\d{3,}", re.ASCII)
_THREAD = re.compile(r"(.+\.\d+)\.\d+", re.ASCII)
_OWN = re.compile(r"pgbench_log\.\d+", re.ASCII)


def run_of(name: str, beside: Container[str] = ()) -> RunName | None:
    """The run that a log is of, told by its name and those beside it.

    >>> run_of("pgbench_log.4711.1")
    RunName(first='pgbench_log.4711', what='pgbench_log')
    >>> run_of("v1.5.4711"), run_of("log.txt")
    (RunName(first='v1.5.4711', what='v1.5'), None)
    """
    thread = _THREAD.fullmatch(name)
    if thread and (thread[1] in beside or _OWN.fullmatch(thread[1])):
        name = thread[1]
    run = _RUN.fullmatch(name)
    return RunName(name, run[1] or run[2]) if run else None
