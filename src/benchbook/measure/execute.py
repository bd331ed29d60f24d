"""Starting drivers: the only place where a measuring process is started."""

from __future__ import annotations

import itertools
import json
import os
import re
import shutil
import subprocess
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchbook.files import full_sentence, is_full, says_full
from benchbook.machine.facts import Machine
from benchbook.measure.spec import Prepared, slug
from benchbook.project import Project
from benchbook.runs.folder import RunError, records_of, run_folder, verify
from benchbook.study.cell import OF_A_SERVER
from benchbook.study.check import amount_bytes
from benchmath.errors import UserError

FAILED = 1  # exit code of run.sh that is not the user's fault; 3: nothing to write to
_ARM = re.compile(r"^arm \d+: ")  # whose of a session said it


@dataclass(frozen=True)
class LocalPaths:
    """The local half of a run: what a spec must not hold because it is a path."""

    project: Project
    bin: Path
    config: Path | None = None
    workload: Path | None = None
    source: Path | None = None  # the folder that a user's commands run in
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


@dataclass(frozen=True)
class Local:
    """Runs specs on this machine, for which ``cells`` are prepared.

    One after the other, but those of a session, which stand together, take turns.
    """

    machine: Machine
    project: Project
    cells: tuple[Prepared, ...]

    def machines(self) -> list[Machine]:
        return [self.machine]

    def map(self, specs: Iterable[Mapping[str, Any]]) -> Iterator[Finished]:
        for session, runs in itertools.groupby(specs, lambda s: s.get("session", "")):
            placed = [(spec, self.paths(spec)) for spec in runs]
            if session and len(placed) > 1:
                yield from execute_session(placed)
            else:
                yield from (execute(spec, paths) for spec, paths in placed)

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
        workload=prepared.workload,
        source=build.place,
        library=build.library,
        server=build.server.path if build.server else None,
        remote=bool(build.variable),
        copies=(sidecar,) if sidecar.exists() else (),
        probe=not build.driver.only_calculates([s.step for s in prepared.cell.steps]),
    )


def destination(spec: Mapping[str, Any], project: Project) -> Path:
    """The run folder's path but for the start time, which run.sh appends.

    Below the machine, a folder is named by the tag and by what else tells cells apart.
    """
    named = {k: v for k, v in spec["dims"].items() if k not in ("compiler", "flags")}
    words = [spec["tag"], *(f"{k}{slug(v)}" for k, v in named.items())]
    for key, usual in (("arm", "main"), ("placement", "none")):
        words += [slug(spec[key])] if spec[key] != usual else []
    # Arms of a session start at one time, and may be told apart by their programs alone.
    words += [spec["cell_id"]] if spec.get("session") else []
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
    if paths.workload:
        words += ["--workload", str(paths.workload)]
    if paths.source:
        words += ["--source", str(paths.source)]
    for file in paths.copies:
        words += ["--copy", str(file)]
    if spec["cpus"]:
        words += ["--cpus", spec["cpus"]]
    if spec["server_cpus"]:
        words += ["--server-cpus", spec["server_cpus"]]
    if paths.server:
        words += ["--server", spec["engine"], "--basedir", str(paths.server)]
        for name in OF_A_SERVER:
            if amount := spec["dims"].get(name):
                words += [f"--{name.replace('_', '-')}", str(amount_bytes(amount))]
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


def session_line(
    lines: Sequence[Sequence[str]],
    session: str,
    turn_ms: int,
    seed: int,
    quiet: int,
    patience_s: int,
    paths: LocalPaths,
) -> list[str]:
    """The call of the referee that makes the runs of ``lines``, which take turns."""
    words = [str(paths.bin / "referee"), "--keeper", str(paths.bin / "keeper")]
    words += ["--dir", str(paths.project.data / "scratch"), "--turn-ms", str(turn_ms)]
    words += ["--seed", str(seed), "--quiet", str(quiet)]
    words += ["--patience", str(patience_s)] if quiet else []
    words += [*(["--session", session] if session else []), "--"]
    return words + list(itertools.chain(*(["--and", *line] for line in lines)))[1:]


def execute(spec: Mapping[str, Any], paths: LocalPaths) -> Finished:
    """Run one spec to a finished run folder.

    A failed run is a result. Errors: the folder cannot be written (disk full, no
    permission), or the spec names an environment variable that is not set.
    """
    words = [*_dies_with_parent(), *run_line(spec, paths)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode in (0, FAILED) and done.stdout.strip():
        return _finished(done.stdout.strip().splitlines()[-1], paths.project)
    raise UserError(_why(done.stderr, paths), exit_code=FAILED)


def execute_session(
    placed: Sequence[tuple[Mapping[str, Any], LocalPaths]],
) -> list[Finished]:
    """Run the specs of a session to finished run folders, in their order.

    A failed run is a result, and does not stop the others. Errors: as those of
    ``execute``; the folders that were finished stay.
    """
    first, paths = placed[0]
    line = session_line(
        [run_line(spec, place) for spec, place in placed],
        first["session"], first["turn_ms"], first["seed"] + first["trial"],
        first.get("quiet", 0), first.get("patience_s", 0), paths,
    )  # fmt: skip
    (paths.project.data / "scratch").mkdir(parents=True, exist_ok=True)
    words = [*_dies_with_parent(), *line]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    said = [text.split("\t", 2) for text in done.stdout.splitlines() if "\t" in text]
    folders = {int(number): folder for number, _, folder in said}
    if folders.keys() != set(range(1, len(placed) + 1)):
        raise UserError(_why(done.stderr, paths, folders.values()), exit_code=FAILED)
    return [_finished(folders[i], paths.project) for i in sorted(folders)]


def _finished(folder: str, project: Project) -> Finished:
    """The folder, unless a helper of run.sh was killed and it lacks what that said."""
    path = Path(folder)
    try:
        evidence = verify(run_folder(path, project.raw))
    except RunError as error:
        shutil.rmtree(path)
        raise UserError(
            f"{path.name} cannot be believed: {error}; nothing of it was kept, run again",
            exit_code=FAILED,
        ) from None
    return Finished(path, evidence.status, evidence.reason)


def _why(stderr: str, paths: LocalPaths, kept: Collection[str] = ()) -> str:
    """Why a run folder is missing, and which of those it took turns with are there."""
    lines = [_ARM.sub("", line) for line in stderr.splitlines() if line.strip()]
    names = ", ".join(Path(folder).name for folder in kept)
    left = f"kept of these runs: {names}" if names else "nothing of this run was kept"
    own = [line for line in lines if line.startswith(("run.sh: ", "referee: "))]
    said = (own or lines or ["run.sh said nothing"])[-1].removeprefix("run.sh: ")
    said = said.removeprefix("referee: ")
    if says_full(stderr) or is_full(paths.project.data):
        return f"{full_sentence(paths.project.data)}; {left}"
    return f"{said} ({paths.project.data}); {left}, run again"


def _dies_with_parent() -> list[str]:
    """A killed measuring process must not leave a driver running behind it."""
    return ["setpriv", "--pdeathsig", "TERM"] if shutil.which("setpriv") else []


def available_cpus() -> list[int]:
    """CPUs this process may use, ascending."""
    return sorted(os.sched_getaffinity(0))
