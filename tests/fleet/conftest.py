"""Hosts for tests: an sshd of their own each, on this machine, and how to reach them.

Those of ``far_hosts`` have a network, a home and CPUs of their own too.
"""

from __future__ import annotations

import getpass
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from distributed import Client

from benchbook.fleet.archive import Archive, open_archive

SSHD = shutil.which("sshd") or "/usr/sbin/sshd"


NAMES = ("bee", "wasp", "ant")
NEAR = "10.213.0.1"  # this machine, for hosts with a network of their own


@dataclass(frozen=True)
class Place:
    """Where a host's sshd listens, and the words that bring a command there."""

    address: str = "127.0.0.1"
    words: tuple[str, ...] = ()
    link: str = ""  # this machine's end of its network
    inside: tuple[str, ...] = ()  # its network and CPUs, and this machine's home


@dataclass
class Hosts:
    """Names of hosts that can be reached; ``file`` is their hosts.yml."""

    folder: Path
    file: Path
    daemons: dict[str, subprocess.Popen[bytes]]
    ports: dict[str, int]
    places: dict[str, Place]

    def start(self, name: str) -> None:
        """A connection to it is answered afterwards."""
        place = self.places[name]
        own = [SSHD, "-D", "-e", "-f", str(self.folder / name / "sshd_config")]
        words = [*place.words, *own]
        self.daemons[name] = subprocess.Popen(words, stderr=subprocess.DEVNULL)
        for _ in range(100):
            with socket.socket() as probe:
                if probe.connect_ex((place.address, self.ports[name])) == 0:
                    return
            time.sleep(0.05)
        raise AssertionError(f"no sshd for {name}")

    def stop(self, name: str) -> None:
        """No new connection, and none of those there are."""
        self.daemons[name].kill()
        self.daemons[name].wait()
        sockets = f"{tempfile.gettempdir()}/benchbook-ssh-%C"
        words = ["ssh", "-F", str(self.folder / "config"), "-o", f"ControlPath={sockets}"]
        subprocess.run([*words, "-O", "exit", name], capture_output=True, check=False)

    def cut(self, name: str, state: str = "down") -> None:
        """Its network, without a word to whoever uses it; ``up`` mends it."""
        link = self.places[name].link
        subprocess.run(["ip", "link", "set", link, state], check=True)


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
    yield from _hosts(tmp_path / "hosts", dict.fromkeys(NAMES, Place()))


@pytest.fixture
def far_hosts(tmp_path) -> Iterator[Hosts]:
    """The same, each in a network namespace: bee on CPU 0, wasp on 1, ant on both.

    A bridge joins them, so they reach each other too.
    """
    places, spaces, bridge = {}, [], f"bb{os.getpid()}"
    try:
        _ip(f"link add {bridge} type bridge")
        _ip(f"addr add {NEAR}/24 dev {bridge}")
        _ip(f"link set {bridge} up")
        for n, (name, cpus) in enumerate(zip(NAMES, ("0", "1", "0,1"), strict=True)):
            space, link = f"bb-{os.getpid()}-{name}", f"bb{os.getpid()}{name[0]}"
            home = tmp_path / "homes" / name
            home.mkdir(parents=True)
            far = f"10.213.0.{2 + n}"
            spaces.append(space)
            _ip(f"netns add {space}")
            _ip(f"link add {link} type veth peer name eth0 netns {space}")
            _ip(f"link set {link} master {bridge} up")
            _ip(f"-n {space} addr add {far}/24 dev eth0")
            _ip(f"-n {space} link set eth0 up")
            _ip(f"-n {space} link set lo up")
            _ip(f"-n {space} route add default via {NEAR}")
            inside = 'mount --bind "$1" "$HOME" && exec taskset -c "$2" "${@:3}"'
            enter = ("ip", "netns", "exec", space)
            words = (*enter, "bash", "-c", inside, "_", str(home), cpus)
            places[name] = Place(far, words, link, (*enter, "taskset", "-c", cpus))
        yield from _hosts(tmp_path / "hosts", places)
    finally:
        for place in places.values():  # before its other end, which goes later
            subprocess.run(["ip", "link", "del", place.link], check=False)
        subprocess.run(["ip", "link", "del", bridge], check=False)
        for space in spaces:
            subprocess.run(["ip", "netns", "del", space], check=False)


@pytest.fixture
def far_workers(far_hosts, tmp_path) -> Iterator[str]:
    """Address of a scheduler of Dask, with a worker that measures on each far host."""
    address = f"tcp://{NEAR}:{_free_port()}"
    words = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--host", address]
    here = [subprocess.Popen([*words, "--no-dashboard"], stderr=subprocess.DEVNULL)]
    try:
        for name, place in far_hosts.places.items():
            own = {"BENCHBOOK_CACHE": str(tmp_path / name), "BENCHBOOK_MACHINE": name}
            worker = [
                *place.inside, sys.executable, "-m", "distributed.cli.dask_worker",
                address, "--nthreads", "1", "--no-nanny", "--no-dashboard",
                "--resources", "bench=1", "--name", name,
            ]  # fmt: skip
            here.append(
                subprocess.Popen(
                    worker, cwd=tmp_path, env=os.environ | own, stderr=subprocess.DEVNULL
                )
            )
        with Client(address, timeout=30) as client:
            client.wait_for_workers(len(NAMES), timeout=60)
        yield address
    finally:
        for process in reversed(here):
            process.terminate()
            process.wait(timeout=30)


@pytest.fixture
def bucket(monkeypatch: pytest.MonkeyPatch) -> Iterator[Archive]:
    """In a bucket of an object store that runs here."""
    import boto3
    from moto.server import ThreadedMotoServer
    from s3fs import S3FileSystem

    S3FileSystem.clear_instance_cache()  # of another server
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "testing")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://{host}:{port}")
    boto3.client("s3").create_bucket(Bucket="lab")
    yield open_archive("s3://lab/runs")
    server.stop()


def _ip(words: str) -> None:
    if not shutil.which("ip"):
        pytest.skip("needs ip: apt-get install iproute2")
    done = subprocess.run(["ip", *words.split()], capture_output=True, check=False)
    if done.returncode:
        pytest.skip(f"no network of its own can be made: {done.stderr.decode().strip()}")


def _hosts(folder: Path, places: dict[str, Place]) -> Iterator[Hosts]:
    if not Path(SSHD).is_file():
        pytest.skip("needs sshd: apt-get install openssh-server")
    Path("/run/sshd").mkdir(exist_ok=True)  # where sshd goes before anybody is known
    folder.mkdir()
    own = _key(folder / "id")
    (folder / "authorized").write_text(own)
    config, known, ports = [], [], {}
    for name, where in places.items():
        place = folder / name
        place.mkdir()
        public = _key(place / "key")
        ports[name] = _free_port()
        (place / "sshd_config").write_text(
            f"Port {ports[name]}\nListenAddress {where.address}\nHostKey {place}/key\n"
            f"AuthorizedKeysFile {folder}/authorized\nStrictModes no\nUsePAM no\n"
            f"PidFile none\nPermitRootLogin yes\n"
        )
        known.append(f"[{where.address}]:{ports[name]} {public}")
        config.append(
            f"Host {name}\n HostName {where.address}\n Port {ports[name]}\n"
            f" User {getpass.getuser()}\n IdentityFile {folder}/id\n"
            f" UserKnownHostsFile {folder}/known\n"
        )
    (folder / "known").write_text("".join(known))
    (folder / "config").write_text("".join(config))
    lines = [f"  - {{name: {n}, ssh: {n}, folder: {folder}/{n}/lab}}" for n in places]
    file = folder / "hosts.yml"
    file.write_text("\n".join(["hosts:", *lines, f"ssh_config: {folder}/config",
                               "patience: 5", ""]))  # fmt: skip
    found = Hosts(folder, file, {}, ports, places)
    try:
        for name in places:
            found.start(name)
        yield found
    finally:
        for daemon in found.daemons.values():
            daemon.kill()
            daemon.wait()
