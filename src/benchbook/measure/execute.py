"""Starting drivers: the only place where a measuring process is started."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from benchbook.errors import UserError
from benchbook.machine.facts import Machine
from benchbook.measure.spec import Prepared, slug
from benchbook.project import Project
from benchbook.runs.folder import MANIFEST, records_of
from benchbook.study.check import memory_bytes

FAILED, UNWRITABLE = 1, 3  # exit codes of run.sh that are not the user's fault


@dataclass(frozen=True)
class LocalPaths:
    """The local half of a run: what a spec must not hold because it is a path."""

    project: Project
    bin: Path
    config: Path | None = None
    library: str = ""
    server: Path | None = None  # install tree of a server that the run starts
    remote: bool = False  # the server runs elsewhere
    copies: tuple[Path, ...] = ()
    probe: bool = False


@dataclass(frozen=True)
class Finished:
    """A finished run folder and how it went."""

    folder: Path
    status: str
    reason: str

    @property
    def server_failed(self) -> bool:
        """Was there no server for the driver, so that it was never started?"""
        records = records_of(self.folder)
        silent = records is None or not records.stat().st_size
        return self.status != "ok" and silent and self.reason.startswith("server.sh: ")


class Executor(Protocol):
    """Where runs are made: this machine, hosts by ssh, or a cluster's workers.

    A spec says what to run and nothing of where; each host finds its own programs,
    install trees and settings files for it.
    """

    def machines(self) -> list[Machine]: ...

    def map(self, specs: Iterable[Mapping[str, Any]]) -> Iterator[Finished]: ...


@dataclass(frozen=True)
class Local:
    """Runs one spec after the other on this machine, for which ``cells`` are prepared."""

    machine: Machine
    project: Project
    cells: tuple[Prepared, ...]

    def machines(self) -> list[Machine]:
        return [self.machine]

    def map(self, specs: Iterable[Mapping[str, Any]]) -> Iterator[Finished]:
        for spec in specs:
            yield execute(spec, self.paths(spec))

    def paths(self, spec: Mapping[str, Any]) -> LocalPaths:
        """Where the spec's cell lies here: its id covers programs, tree and settings."""
        for prepared in self.cells:
            if prepared.id == spec["cell_id"]:
                return local_paths(prepared, self.project)
        raise UserError(
            f"{spec['study']}: {spec['tag']} is another build or has other settings than "
            f"any that {self.machine.name} has: bring them here, or plan the study here"
        )


def local_paths(prepared: Prepared, project: Project) -> LocalPaths:
    """Where all that a cell needs lies on this machine."""
    build = prepared.build
    sidecar = build.folder / "instructions.tsv"
    return LocalPaths(
        project=project,
        bin=build.folder,
        config=prepared.config.file,
        library=build.library,
        server=build.server.path if build.server else None,
        remote=bool(build.variable),
        copies=(sidecar,) if sidecar.exists() else (),
        probe=build.driver.writes,
    )


def destination(spec: Mapping[str, Any], project: Project) -> Path:
    """The run folder's path but for the start time, which run.sh appends.

    Below the machine, a folder is named by the tag and by what else tells cells apart.
    """
    named = {k: v for k, v in spec["dims"].items() if k not in ("compiler", "flags")}
    words = [spec["tag"], *(f"{k}{slug(v)}" for k, v in named.items())]
    for key, usual in (("arm", "main"), ("placement", "none")):
        words += [slug(spec[key])] if spec[key] != usual else []
    machine = project.raw / spec["study"] / spec["machine"]
    return machine / ".".join(words) / f"dop{spec['dop']}.t{spec['trial']}"


def run_line(
    spec: Mapping[str, Any], paths: LocalPaths, text: str | None = None
) -> list[str]:
    """The call of bench/run.sh that makes this run.

    ``text`` is the spec as run.sh gets it, where that has gaps for run.sh to fill.
    """
    words = [str(paths.project.bench / "run.sh"), "--bin", str(paths.bin)]
    if paths.config:
        words += ["--config", str(paths.config)]
    for file in paths.copies:
        words += ["--copy", str(file)]
    if spec["cpus"]:
        words += ["--cpus", spec["cpus"]]
    if spec["server_cpus"]:
        words += ["--server-cpus", spec["server_cpus"]]
    if paths.server:
        words += ["--server", spec["engine"], "--basedir", str(paths.server)]
        memory = spec["dims"].get("memory")
        words += ["--memory", str(memory_bytes(memory))] if memory else []
    if paths.remote:
        words.append("--remote")
    if paths.library:
        words += ["--lib", paths.library]
    if paths.probe:
        words.append("--probe")
    words += sidecar_words(spec.get("watch", {}))
    text = text or json.dumps(spec, separators=(",", ":"))
    return [*words, text, str(destination(spec, paths.project)), *spec["command"]]


def sidecar_words(watch: Mapping[str, Any]) -> list[str]:
    """Options of run.sh for what stands beside the run."""
    if watch.get("count_instructions"):
        return ["--count-instructions"]
    words = ["--sample", str(watch["sample_ms"])] if watch.get("sample_ms") else []
    words += ["--counters"] if words and watch.get("counters") else []
    if words and watch.get("host"):
        words += ["--sample-host", watch["host"]]
        words += ["--server-pid-file", watch["pid_file"]] if watch["pid_file"] else []
    profile = watch.get("profile")
    if not profile:
        return words
    words += ["--pmp", str(profile["pmp_s"])] if profile.get("pmp_s") else []
    return [*words, "--profile", profile_words(profile)]


def profile_words(profile: Mapping[str, Any]) -> str:
    """Options of profile.sh; lists are separated by commas."""
    lists = {key: ",".join(profile[key]) for key in ("steps", "trees")}
    names = ("hz", "event", "call_graph", "after_s", "seconds")
    said = lists | {key: f"{profile[key]}" for key in names}
    words = [f"--{key.replace('_', '-')} {value}" for key, value in said.items()]
    return " ".join([*words, *(["--off-cpu"] if profile["off_cpu"] else [])])


def execute(spec: Mapping[str, Any], paths: LocalPaths) -> Finished:
    """Run one spec to a finished run folder.

    A failed run is a result. Errors: the folder cannot be written (disk full, no
    permission), or the spec names an environment variable that is not set.
    """
    words = [*_dies_with_parent(), *run_line(spec, paths)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode in (0, FAILED) and done.stdout.strip():
        folder = Path(done.stdout.strip().splitlines()[-1])
        manifest = json.loads((folder / MANIFEST).read_text())
        return Finished(folder, manifest["status"], manifest["reason"])
    raise UserError(_why(done, paths), exit_code=FAILED)


def _why(done: subprocess.CompletedProcess[str], paths: LocalPaths) -> str:
    lines = [line for line in done.stderr.splitlines() if line.strip()]
    full = any("No space left" in line for line in lines)
    own = [line for line in lines if line.startswith("run.sh: ")]
    said = (own or lines or ["run.sh said nothing"])[-1].removeprefix("run.sh: ")
    if full:
        return f"no space left on the disk of {paths.project.data}: free some, run again"
    return f"{said} ({paths.project.data}); nothing of this run was kept, run again"


def _dies_with_parent() -> list[str]:
    """A killed measuring process must not leave a driver running behind it."""
    return ["setpriv", "--pdeathsig", "TERM"] if shutil.which("setpriv") else []


def available_cpus() -> list[int]:
    """CPUs this process may use, ascending."""
    return sorted(os.sched_getaffinity(0))
