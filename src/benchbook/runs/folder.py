"""Finished run folders of data/raw: finding them, and whether they are what was written.

bench/run.sh writes them; the manifest comes last, so a folder without one does not exist.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchbook.digests import canonical, cell_id, declared_id
from benchbook.machine.facts import IDENTITY, machine_id
from benchbook.runs.records import parse
from benchbook.study.cell import RESERVED
from benchmath.errors import UserError

SCHEMA = 1
# What a run folder holds besides sidecars and a tool's own output.
MANIFEST = "manifest.json"
SPEC = "spec.json"
ENV = "env.json"
CONFIG = "config"
WORKLOAD = "workload"
STDERR = "stderr.log"
RECORDS = ("driver.jsonl", "driver.jsonl.zst")  # zstd packs them when the run has ended
DEPTH = "*/*/*"  # machine / tag / run, below a study's folder

MANIFEST_KEYS: dict[str, type] = {"status": str, "reason": str, "files": dict}
# Keys of spec.json that the store needs; the file holds more.
SPEC_KEYS: dict[str, type] = {
    "study": str, "machine": str, "machine_id": str, "driver": str, "engine": str,
    "version": str, "build": dict, "config": dict, "tag": str, "arm": str, "dop": int,
    "placement": str, "dims": dict, "cell_id": str, "declared_id": str, "build_no": int,
    "load_no": int, "trial": int, "attempt": int, "position": int, "overridden": bool,
}  # fmt: skip
# Of what a cell declares, what spec.json says again where the store looks for it.
DECLARED = (
    "driver", "engine", "dop", "placement", "arm", "steps", "dims", "options", "workload",
    "vectors",
)  # fmt: skip
# Of a run that took turns with others.
SESSION_KEYS: dict[str, type] = {"session": str, "turn_ms": int}


class RunError(UserError):
    """A run folder that cannot be believed: what is wrong with which file of it."""


@dataclass(frozen=True)
class RunFolder:
    """A folder with a manifest, not verified yet."""

    path: Path
    folder: str  # relative to data/raw, with forward slashes
    sha256: str  # of manifest.json
    manifest: bytes = field(repr=False)

    @property
    def run_id(self) -> str:
        """The manifest holds the digest of every file, so its own names the run."""
        return self.sha256[:16]

    @property
    def contents(self) -> str:
        """The same for a copy whose manifest was written in other words."""
        try:
            files = json.loads(self.manifest)["files"]
            return json.dumps(files, sort_keys=True)
        except (ValueError, KeyError, TypeError, RecursionError):
            return self.sha256


@dataclass(frozen=True)
class Evidence:
    """A verified run folder; `driver` is None where a failed run left no records."""

    run: RunFolder
    status: str
    reason: str
    spec: dict[str, Any]
    env: dict[str, Any]
    driver: Path | None

    @property
    def names(self) -> list[str]:
        """The files of the folder that its manifest lists."""
        return list(json.loads(self.run.manifest)["files"])


def manifests(raw: Path, study: str = "*") -> list[Path]:
    """Those of all finished runs of a study (default: of all studies), by path.

    A hidden folder is one that is being written.
    """
    there = raw.glob(f"{study}/{DEPTH}/{MANIFEST}")
    return sorted(p for p in there if not _is_hidden(p.relative_to(raw)))


def _is_hidden(path: Path) -> bool:
    return any(part.startswith(".") for part in path.parts)


def records_of(folder: Path) -> Path | None:
    """The file with the driver's records; None where a failed run left none."""
    return next((p for n in RECORDS if (p := folder / n).is_file()), None)


def find_runs(raw: Path) -> Iterator[RunFolder]:
    """Every run folder below data/raw, by path."""
    for path in manifests(raw):
        try:
            yield run_folder(path.parent, raw)
        except FileNotFoundError:
            continue  # removed since it was listed


def run_folder(path: Path, raw: Path) -> RunFolder:
    """One of data/raw that has a manifest."""
    content = (path / MANIFEST).read_bytes()
    digest = hashlib.sha256(content).hexdigest()
    return RunFolder(path, path.relative_to(raw).as_posix(), digest, content)


def listed(manifest: bytes) -> list[str]:
    """The files that a manifest names, none of them outside its folder, else RunError."""
    names = list(_json_object(manifest, MANIFEST, MANIFEST_KEYS)["files"])
    for name in names:
        if name.startswith("/") or ".." in Path(name).parts:
            raise RunError(f"manifest.json names {name}, which lies outside the folder")
    return names


def verify(run: RunFolder) -> Evidence:
    """Check every file against the manifest; RunError says what does not agree."""
    manifest = _json_object(run.manifest, MANIFEST, MANIFEST_KEYS)
    for name in listed(run.manifest):
        _verify_file(run.path, name, manifest["files"][name])
    spec = _listed_json(run, manifest, SPEC, SPEC_KEYS)
    env = _listed_json(run, manifest, ENV, {"started_utc": str, "ended_utc": str})
    _check_spec(run, spec)
    _check_identity(spec)
    _check_files(spec, manifest["files"])
    if contradiction := contradicted(spec, env):
        raise RunError(contradiction)
    driver = next((run.path / n for n in RECORDS if n in manifest["files"]), None)
    status = manifest["status"]
    if status not in ("ok", "failed"):
        raise RunError(f"manifest.json has the status {status!r}, not ok or failed")
    if status == "ok" and env.get("exit_code", 0) != 0:
        raise RunError(
            f"env.json has the exit code {env['exit_code']} of a run that is ok"
        )
    if status == "ok" and manifest["reason"]:
        raise RunError("manifest.json has a reason why a run failed that is ok")
    if status == "ok" and driver is None:
        raise RunError(f"manifest.json lists neither {' nor '.join(RECORDS)}")
    return Evidence(run, status, manifest["reason"], spec, env, driver)


def contradicted(spec: Mapping[str, Any], env: Mapping[str, Any]) -> str:
    """Why the host that ran is not the one that spec.json says, or ''.

    env.json is written where the run is made. Facts that one of the two lacks, as those
    of older runs, are not compared.
    """
    said = {**(spec.get("host") or {}), "machine_id": spec.get("machine_id")}
    there = {"cpu_model": " ".join(str(env.get("cpu_model", "")).split())}
    if isinstance(memory := env.get("mem_kib"), int):
        there["mem_gib"] = str(round(memory / 2**20))
    host = env.get("host") or {}
    real = there | host | {"machine_id": env.get("machine_id")}
    if host and machine_id({**dict.fromkeys(IDENTITY, ""), **host}) != real["machine_id"]:
        return "env.json has a machine_id that is not the hash of its own facts"
    for fact, value in real.items():
        if value and said.get(fact) and value != said[fact]:
            return (
                f"spec.json was written for {fact} {said[fact]!r}, but env.json says it "
                f"ran on {value!r}: it belongs to neither machine; measure it again"
            )
    return ""


def _verify_file(folder: Path, name: str, entry: object) -> None:
    if not isinstance(entry, dict) or not {"sha256", "bytes"} <= entry.keys():
        raise RunError(f"manifest.json has no sha256 and bytes for {name}")
    try:
        with (folder / name).open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
            size = file.tell()
    except OSError as error:
        raise RunError(f"{name} cannot be read: {error.strerror}") from None
    if size != entry["bytes"]:
        raise RunError(
            f"{name} has {size} bytes where the manifest says {entry['bytes']}: "
            "it was changed after the run, or not copied whole"
        )
    if digest != entry["sha256"]:
        raise RunError(f"{name} was changed after the run: its sha256 is another")


def _listed_json(
    run: RunFolder, manifest: dict[str, Any], name: str, keys: dict[str, type]
) -> dict[str, Any]:
    if name not in manifest["files"]:
        raise RunError(f"manifest.json does not list {name}")
    return _json_object((run.path / name).read_bytes(), name, keys)


def _json_object(content: bytes, name: str, keys: dict[str, type]) -> dict[str, Any]:
    try:
        values = parse(content)
    except ValueError as error:
        raise RunError(f"{name}: {error}") from None
    schema = values.get("schema", SCHEMA)
    if type(schema) is not int or schema > SCHEMA:
        raise RunError(
            f"{name} has schema {schema!r}, newer than {SCHEMA}: update Benchbook"
        )
    for key, expected in keys.items():
        if type(values.get(key)) is not expected:
            raise RunError(
                f"{name} lacks {key}, or it is not of type {expected.__name__}"
            )
    return values


def _check_files(spec: Mapping[str, Any], files: Mapping[str, Any]) -> None:
    """The files that the driver was given are those that the cell was planned with."""
    settings = spec["config"].get("digest") or None
    for name, planned in ((WORKLOAD, spec.get("workload")), (CONFIG, settings)):
        ran = str(files.get(name, {}).get("sha256", ""))
        if planned is None or (isinstance(planned, str) and planned == ran[:16]):
            continue
        raise RunError(
            f"{name} is not the file that spec.json was written for (its digest is "
            f"{ran[:16] or 'missing'}, not {planned}); measure it again"
        )


def _check_identity(spec: Mapping[str, Any]) -> None:
    """Its ids are of what it declares, and it says of itself what it declares.

    Older runs do not keep the declaration.
    """
    declared = spec.get("declared")
    if declared is None:
        return
    if not isinstance(declared, dict) or spec["declared_id"] != declared_id(declared):
        raise RunError("spec.json has a declared_id that is not that of what it declares")
    made = [str(spec[part].get("digest") or "") for part in ("build", "config")]
    versions = (spec["version"], str(declared.get("version", "")))  # found, asked for
    if spec["cell_id"] not in (cell_id(declared, v, *made) for v in versions):
        raise RunError(
            "spec.json has a cell_id that is not that of its version, build and config"
        )
    own = {key: declared.get(key) for key in ("compiler", "flags") if declared.get(key)}
    said = {**declared, "dims": {**declared.get("dims", {}), **own}}
    for key in DECLARED:
        if key in said and canonical(said[key]) != canonical(spec.get(key)):
            raise RunError(f"spec.json has other {key} than those that it declares")


def _check_left_out(spec: Mapping[str, Any], steps: list[str]) -> None:
    """Steps that a run left out are some of its own, and all arms of a session do so."""
    if "left_out" not in spec:
        return
    left_out = spec["left_out"]
    if not isinstance(left_out, list) or not all(isinstance(n, str) for n in left_out):
        raise RunError("spec.json has a left_out that is no list of steps")
    if not left_out or left_out != [name for name in steps if name in left_out]:
        raise RunError(
            "spec.json leaves out steps that are none of its own, or not in their order"
        )
    if len(left_out) == len(steps) or not spec.get("session"):
        raise RunError(
            "spec.json leaves out every step, or some of a run that took no turns"
        )


def _check_spec(run: RunFolder, spec: dict[str, Any]) -> None:
    place = f"{spec['study']}/{spec['machine']}/{spec['tag']}"
    name = f"dop{spec['dop']}.t{spec['trial']}-"
    tag, _, here = run.folder.rpartition("/")
    if not (f"{tag}.".startswith(f"{place}.") and here.startswith(name)):
        raise RunError(
            f"spec.json says it belongs under {place} as {name}TIME: move the folder "
            "there, a copy elsewhere would count twice"
        )
    for key, expected in SESSION_KEYS.items():
        if type(spec.get(key, expected())) is not expected:
            raise RunError(f"spec.json has a {key} that is no {expected.__name__}")
    steps = spec.get("steps", [])
    if type(steps) is not list or not all(
        isinstance(step, dict) and isinstance(step.get("step"), str) for step in steps
    ):
        raise RunError("spec.json has steps that are no list of objects with a step")
    _check_left_out(spec, [step["step"] for step in steps])
    for part, keys in (
        ("build", ("label", "compiler", "flags")),
        ("config", ("name",)),
        ("dims", tuple(spec["dims"])),
    ):
        for key in keys:
            if not isinstance(spec[part].get(key), str):
                raise RunError(f"spec.json lacks {part}.{key}, or it is not a string")
    hidden = sorted(RESERVED.intersection(spec["dims"]))
    if hidden:
        raise RunError(f"spec.json has a dimension {hidden[0]}, the name of a column")
