"""Hosts for tests: an sshd of their own each, on this machine, and how to reach them."""

from __future__ import annotations

import getpass
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

SSHD = shutil.which("sshd") or "/usr/sbin/sshd"


@dataclass
class Hosts:
    """Names of hosts that can be reached; ``file`` is their hosts.yml."""

    folder: Path
    file: Path
    daemons: dict[str, subprocess.Popen[bytes]]
    ports: dict[str, int]

    def start(self, name: str) -> None:
        """A connection to it is answered afterwards."""
        words = [SSHD, "-D", "-e", "-f", str(self.folder / name / "sshd_config")]
        self.daemons[name] = subprocess.Popen(words, stderr=subprocess.DEVNULL)
        for _ in range(100):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.ports[name])) == 0:
                    return
            time.sleep(0.05)
        raise AssertionError(f"no sshd for {name}")

    def stop(self, name: str) -> None:
        """No new connection, and none of those there are."""
        self.daemons[name].kill()
        self.daemons[name].wait()
        for socket_file in Path("/tmp").glob("benchbook-ssh-*"):
            words = ["ssh", "-o", f"ControlPath={socket_file}", "-O", "exit", "x"]
            subprocess.run(words, capture_output=True, check=False)


def _free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def _key(file: Path) -> str:
    words = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(file)]
    subprocess.run(words, check=True)
    return file.with_suffix(".pub").read_text()


@pytest.fixture
def hosts(tmp_path) -> Iterator[Hosts]:
    """bee, wasp and ant."""
    if not Path(SSHD).is_file():
        pytest.skip("needs sshd: apt-get install openssh-server")
    Path("/run/sshd").mkdir(exist_ok=True)  # where sshd goes before anybody is known
    folder = tmp_path / "hosts"
    folder.mkdir()
    own = _key(folder / "id")
    (folder / "authorized").write_text(own)
    names, config, known, ports = ("bee", "wasp", "ant"), [], [], {}
    for name in names:
        place = folder / name
        place.mkdir()
        public = _key(place / "key")
        ports[name] = _free_port()
        (place / "sshd_config").write_text(
            f"Port {ports[name]}\nListenAddress 127.0.0.1\nHostKey {place}/key\n"
            f"AuthorizedKeysFile {folder}/authorized\nStrictModes no\nUsePAM no\n"
            f"PidFile none\nPermitRootLogin yes\n"
        )
        known.append(f"[127.0.0.1]:{ports[name]} {public}")
        config.append(
            f"Host {name}\n HostName 127.0.0.1\n Port {ports[name]}\n"
            f" User {getpass.getuser()}\n IdentityFile {folder}/id\n"
            f" UserKnownHostsFile {folder}/known\n"
        )
    (folder / "known").write_text("".join(known))
    (folder / "config").write_text("".join(config))
    lines = [f"  - {{name: {n}, ssh: {n}, folder: {folder}/{n}/lab}}" for n in names]
    file = folder / "hosts.yml"
    file.write_text("\n".join(["hosts:", *lines, f"ssh_config: {folder}/config",
                               "patience: 5", ""]))  # fmt: skip
    found = Hosts(folder, file, {}, ports)
    for name in names:
        found.start(name)
    yield found
    for daemon in found.daemons.values():
        daemon.kill()
        daemon.wait()
