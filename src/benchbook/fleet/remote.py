"""What is done on a host by OpenSSH: a script, files there and back.

A job goes on there without us: it has a folder with its script, its output and, once it
has ended, its exit code. So a broken connection, or a coordinator that is killed, loses
nothing: who comes back finds the job running, or its end.
"""

from __future__ import annotations

import re
import shlex
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchbook.files import LEAST_FREE, says_full
from benchbook.fleet.hosts import Fleet, Host
from benchmath.errors import UserError

LOST = 255  # ssh's own exit code, of a connection that was not made or broke
GONE = {3: "its folder there is gone", 4: "the host was started anew"}  # by exit code
WAIT_S = 20  # that one call waits for the end of a job
_RC = re.compile(r"^rc (\d+)$", re.M)
# Room for what a job says at its end is taken before: its disk may be full by then.
_START = """
cd {folder}/fleet && cd ../bench && cd .. || exit 3
job=fleet/{name}
[ -e "$job/rc" ] && exit 0
[ -e "$job/pid" ] && kill -0 "$(cat "$job/pid")" 2>/dev/null && exit 0
rm -rf -- "$job"
mkdir -p "$job" data/scratch
cat >"$job/script"
for file in pid out err rc.new; do
  : >"$job/$file"
  why=$(fallocate --keep-size --length 4096 -- "$job/$file" 2>&1) || case $why in
    *"o space left"*) echo "$why" >&2; exit 1 ;;
  esac
done
setsid nohup bash -c '{prefix}bash "$1/script" >>"$1/out" 2>>"$1/err"
  echo $? >>"$1/rc.new" && mv "$1/rc.new" "$1/rc"' _ "$job" </dev/null >/dev/null 2>&1 &
echo $! >>"$job/pid"
"""
_AWAIT = """
cd {folder}/fleet/{name} || exit 3
for _ in $(seq {wait}); do
  [ -e rc ] && break
  kill -0 "$(cat pid)" 2>/dev/null || {{ sleep 1; [ -e rc ] || exit 4; }}
  sleep 1
done
[ -e rc ] || {{ tail -n 1 err; exit 0; }}
echo "rc $(cat rc)"; cat out; echo "--"; tail -n 5 err
[ "$(cat rc)" = 0 ] || grep -iE 'no space left|disk (is )?full|quota exceeded' err ||
  [ "$(df -k --output=avail . | tail -n 1)" -ge {least} ] ||
  echo "no space left on device: $(tail -n 1 err)"
"""
_END = """
cd {folder} 2>/dev/null || exit 0
job=fleet/{name}
if [ -e "$job/pid" ] && [ ! -e "$job/rc" ]; then
  kill -TERM -- -"$(cat "$job/pid")" 2>/dev/null || true
fi
rm -rf -- "$job" {folders}
"""


class HostLost(Exception):
    """A host does not answer; what was started there may go on."""


class JobGone(Exception):
    """A job ended without a word: the host was started, or made, anew."""


@dataclass(frozen=True)
class Ended:
    """How a job ended: its exit code, what it printed, its last complaint."""

    code: int
    out: str
    complaint: str


@dataclass(frozen=True)
class Remote:
    """A host to talk to; connections are kept for a minute and shared."""

    host: Host
    fleet: Fleet

    @property
    def options(self) -> list[str]:
        """Of ssh: nobody is asked anything, and an unknown host key is refused."""
        sockets = Path(tempfile.gettempdir()) / "benchbook-ssh-%C"
        settings = ("BatchMode=yes", "ConnectTimeout=10", "ServerAliveInterval=5",
                    "ServerAliveCountMax=3", "StrictHostKeyChecking=yes",
                    "ControlMaster=auto", "ControlPersist=60",
                    f"ControlPath={sockets}")  # fmt: skip
        words = [word for setting in settings for word in ("-o", setting)]
        return [*(["-F", self.fleet.ssh_config] if self.fleet.ssh_config else []), *words]

    def call(self, script: str, given: str = "") -> str:
        """What a script of bash prints there.

        HostLost; JobGone where it exits with one of GONE; UserError where it fails.
        """
        text = f"set -eu\n{script}"
        words = ["ssh", *self.options, self.host.ssh, f"bash -c {shlex.quote(text)}"]
        done = subprocess.run(
            words, input=given, capture_output=True, text=True, check=False
        )
        if not 0 <= done.returncode < 128:  # LOST, or ssh or the script was killed
            raise HostLost(_last(done.stderr) or "no connection")
        if done.returncode in GONE:
            raise JobGone(GONE[done.returncode])
        if done.returncode:
            said = _last(done.stderr) or f"exit code {done.returncode}"
            raise UserError(no_space(said) or said, exit_code=1)
        return done.stdout

    def prepare(self, folders: Sequence[tuple[Path, str]]) -> None:
        """Bring folders there, each to its place below the host's folder."""
        self.call(f"mkdir -p {self._folder}/fleet {self._folder}/data/scratch")
        for here, there in folders:
            self.call(f"mkdir -p {self._folder}/{shlex.quote(there)}")
            self._rsync([
                "--delete", "--exclude=bin/", "--exclude=evidence/", "--exclude=data/",
                "--exclude=*.ipynb", f"{here}/", f"{self._place}/{there}/",
            ])  # fmt: skip

    def start(self, name: str, script: str) -> None:
        """Begin a job, unless it runs there or has ended."""
        cpus = f"taskset -c {self.host.cpus} " if self.host.cpus else ""
        self.call(_START.format(folder=self._folder, name=name, prefix=cpus), script)

    def await_end(self, name: str) -> Ended | str:
        """How a job ended; while it runs what it said last. JobGone: it did not end."""
        script = _AWAIT.format(
            folder=self._folder, name=name, wait=WAIT_S, least=LEAST_FREE >> 10
        )
        said = self.call(script)
        if not (code := _RC.search(said)):
            return said.strip()
        out, _, complaint = said[code.end() :].rpartition("\n--\n")
        return Ended(int(code[1]), out.strip("\n"), _last(complaint))

    def fetch(self, folders: Sequence[str], target: Path) -> None:
        """Bring run folders home, with their path below data/raw, into ``target``."""
        target.mkdir(parents=True, exist_ok=True)
        there = [f"{self._place}/data/raw/./{folder}" for folder in folders]
        self._rsync(["--relative", *there, str(target)], "here")

    def end(self, name: str, folders: Sequence[str] = ()) -> None:
        """Forget a job there, and the run folders that are home; stop it if it runs."""
        there = " ".join(shlex.quote(f"data/raw/{folder}") for folder in folders)
        self.call(_END.format(folder=self._folder, name=name, folders=there))

    def jobs(self) -> list[str]:
        """The names of those that are there, running or ended."""
        said = self.call(f"cd {self._folder}/fleet 2>/dev/null && ls || true")
        return said.split()

    def machine_id(self) -> str:
        """As its runs will have it; the host must be prepared."""
        says = 'source bench/identity.sh; host_id "$(host_facts data)"'
        return self.call(f"cd {self._folder}; {says}").strip()

    def seconds(self) -> float:
        """Its clock."""
        return float(self.call("date +%s.%N"))

    @property
    def _folder(self) -> str:
        """In bash's words there."""
        home = self.host.folder.removeprefix("~/")
        return home if home.startswith("/") else f'"$HOME"/{shlex.quote(home)}'

    @property
    def _place(self) -> str:
        """As rsync names it."""
        return f"{self.host.ssh}:{self.host.folder.removeprefix('~/')}"

    def _rsync(self, words: Sequence[str], where: str = "there") -> None:
        shell = shlex.join(["ssh", *self.options])
        done = subprocess.run(
            ["rsync", "-a", "--partial", "-e", shell, *words],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        said = _last(done.stderr) or "no connection"
        lost = done.returncode in (LOST, 12, 30, 35)  # connection, protocol stream, time
        if lost and not says_full(said):
            raise HostLost(said)
        if done.returncode:
            raise UserError(no_space(said, where) or f"rsync: {said}", exit_code=1)


def no_space(said: str, where: str = "there") -> str:
    """The sentence where these words say that a disk is full, else ''."""
    return f"no space is left {where}: {said}" if says_full(said) else ""


def _last(text: str) -> str:
    """The line that says that a disk is full, from which others follow, else the last."""
    lines = [line for line in text.splitlines() if line.strip()]
    return next(filter(says_full, lines), lines[-1] if lines else "")
