"""What a coordinator of a fleet takes of its own CPU per cell, on one host with sshd.

python tests/benchmarks/fleet_cost.py [CELLS]: cells on the null engine, each a job of its
own; CPU seconds of `benchbook run --on` with all that it starts (ssh, rsync), per cell.
"""

from __future__ import annotations

import getpass
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
STUDY = """\
title: What does a coordinator cost?
template: inserts
driver: ingest
base: {indexes: 0}
engines: [{engine: "null"}]
matrix: {indexes: [0, 3]}
steps: ["l.i0:rows=1000"]
placement: none
quiet: "off"
"""


def main(cells: int, sshd: str = "/usr/sbin/sshd", port: int = 22022) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for key in ("id", "key"):
            words = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", folder / key]
            subprocess.run(words, check=True)
        (folder / "sshd_config").write_text(
            f"Port {port}\nListenAddress 127.0.0.1\nHostKey {folder}/key\n"
            f"AuthorizedKeysFile {folder}/id.pub\nStrictModes no\nUsePAM no\n"
            "PidFile none\nPermitRootLogin yes\n"
        )
        (folder / "known").write_text(
            f"[127.0.0.1]:{port} {(folder / 'key.pub').read_text()}"
        )
        (folder / "config").write_text(
            f"Host bee\n HostName 127.0.0.1\n Port {port}\n"
            f" User {getpass.getuser()}\n IdentityFile {folder}/id\n"
            f" UserKnownHostsFile {folder}/known\n"
        )
        (folder / "hosts.yml").write_text(
            f"hosts: [{{name: bee, ssh: bee, folder: {folder}/there}}]\n"
            f"ssh_config: {folder}/config\n"
        )
        lab = folder / "lab"
        call = [sys.executable, "-m", "benchbook"]
        subprocess.run([*call, "init", lab], check=True, stdout=subprocess.DEVNULL)
        (lab / "posts" / "cost").mkdir()
        trials = f"trials: {cells // 2}\n"
        (lab / "posts" / "cost" / "study.yml").write_text(STUDY + trials)
        Path("/run/sshd").mkdir(exist_ok=True)
        daemon = subprocess.Popen([sshd, "-D", "-f", folder / "sshd_config"])
        try:
            subprocess.run(["sleep", "1"], check=True)
            line = [*call, "run", "cost", "--on", folder / "hosts.yml"]
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            subprocess.run(line, cwd=lab, check=True, stderr=subprocess.DEVNULL)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
        finally:
            daemon.kill()
        used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        print(f"{cells} cells: {used / cells:.3f} s of CPU per cell")  # noqa: T201


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else 100)
