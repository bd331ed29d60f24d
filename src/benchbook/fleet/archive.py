"""A team's archive of run folders: sent there and brought home, never changed.

An archive is a URL that fsspec opens (s3://bucket/lab, sftp://host/folder, a folder). It
holds what data/raw holds. The manifest of a run is written last, there as here: what a
broken connection leaves has none, does not count, and is sent again.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from benchbook.project import Project
from benchbook.runs.folder import (
    MANIFEST,
    SPEC,
    RunError,
    RunFolder,
    find_runs,
    listed,
    verify,
)
from benchbook.runs.records import parse
from benchbook.secret import HIDDEN, without_secrets
from benchmath.errors import UserError
from benchmath.prose import counted

if TYPE_CHECKING:
    from fsspec import AbstractFileSystem

_DEPTH = 4  # study / machine / tag / run
Say = Callable[[str], None]


@dataclass
class Moved:
    """Runs that were sent or brought, that were there already, and that were refused."""

    moved: int = 0
    there: int = 0
    refused: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Archive:
    """Where run folders lie: a file system and the folder in it."""

    name: str
    files: AbstractFileSystem
    root: str
    has_folders: bool = True  # which have to be made; a store of objects has none
    password: str = ""  # of its address

    def place(self, *parts: str) -> str:
        return "/".join((self.root.rstrip("/"), *parts))

    def manifests(self, study: str) -> dict[str, bytes]:
        """Those of whole runs, by folder."""
        with self.sentences():
            below = self.place(study) if study else self.root
            if not self.files.exists(below):
                return {}
            start = len(self.place(""))
            names = [str(name)[start:] for name in self.files.find(below)]
            folders = [
                path.parent.as_posix()
                for path in map(PurePosixPath, names)
                if path.name == MANIFEST and _is_run(path.parent)
            ]
            places = {folder: self.place(folder, MANIFEST) for folder in folders}
            found = self.files.cat(list(places.values())) if places else {}
            return {folder: found[place] for folder, place in places.items()}

    def studies(self) -> list[str]:
        """The names of the folders that hold runs, sorted."""
        with self.sentences():
            if not self.files.exists(self.root):
                return []
            found = self.files.ls(self.root, detail=True)
            folders = (one["name"] for one in found if one["type"] == "directory")
            names = (PurePosixPath(name).name for name in folders)
            return sorted(name for name in names if not name.startswith("."))

    def specs(self, folders: Iterable[str]) -> dict[str, dict[str, Any]]:
        """What spec.json of each run says; nothing where it cannot be read."""
        places = {folder: self.place(folder, SPEC) for folder in folders}
        with self.sentences():
            names = list(places.values())
            found = self.files.cat(names, on_error="omit") if names else {}
        return {folder: _parsed(found.get(place)) for folder, place in places.items()}

    def without_password(self, said: str) -> str:
        """A text that does not tell the password of the address."""
        return said.replace(self.password, HIDDEN) if self.password else said

    @contextmanager
    def sentences(self) -> Iterator[None]:
        """What the file system or its service says, as a UserError."""
        try:
            yield
        except (UserError, KeyboardInterrupt):
            raise
        except Exception as error:  # each service has errors of its own
            said = str(error).strip().partition("\n")[0] or type(error).__name__
            said = without_secrets(self.without_password(said))
            raise UserError(f"{self.name}: {said}", 1) from error


def open_archive(url: str) -> Archive:
    """UserError for a URL that nothing here opens."""
    name = without_secrets(url)
    try:
        from fsspec import url_to_fs
        from fsspec.asyn import AsyncFileSystem

        files, root = url_to_fs(url)
        files.invalidate_cache()  # of what an earlier call found there
    except ImportError as error:
        raise UserError(
            f"{name} needs a package that is not here ({error}): the extra "
            "benchbook[fleet] has those of S3 and SSH"
        ) from error
    except ValueError as error:
        raise UserError(f"{name}: {error}") from error
    # Stores of objects are those: what s3fs makes of a folder is a bucket.
    has_folders = not isinstance(files, AsyncFileSystem)
    return Archive(name, files, root, has_folders, urlsplit(url).password or "")


def push(archive: Archive, project: Project, study: str, say: Say) -> Moved:
    """Send the run folders that are not there; each is verified before.

    A run that is there with another manifest, or that is not whole here, is refused by
    name, and the others are sent.
    """
    of = f" of {study}" if study else ""
    runs = [r for r in find_runs(project.raw) if study in ("", r.folder.split("/")[0])]
    if not runs:
        raise UserError(f"no finished run{of} in {project.raw}")
    there, done = archive.manifests(study), Moved()
    for run in runs:
        if run.folder in there:
            _compare(run.manifest, there[run.folder], run.folder, done)
            continue
        try:
            names = verify(run).names
        except RunError as error:
            done.refused.append(f"{run.folder}: {error}")
            continue
        with archive.sentences():
            for name in (*names, MANIFEST):
                target = archive.place(run.folder, name)
                if archive.has_folders:
                    archive.files.makedirs(target.rpartition("/")[0], exist_ok=True)
                archive.files.put_file(str(run.path / name), target)
        done.moved += 1
        say(f"[{done.moved + done.there}/{len(runs)}] {run.folder}")
    return done


def pull(archive: Archive, project: Project, study: str, say: Say) -> Moved:
    """Bring the run folders that are not here; each is verified before it counts."""
    there = archive.manifests(study)
    if not there:
        of = f" of {study}" if study else ""
        raise UserError(f"no run{of} in {archive.name}")
    return bring(archive, project, there, say)


def bring(
    archive: Archive, project: Project, there: Mapping[str, bytes], say: Say
) -> Moved:
    """Those of the named folders, with their manifests, that are not here."""
    here = {run.folder: run.manifest for run in find_runs(project.raw)}
    done = Moved()
    for folder, manifest in there.items():
        if folder in here:
            _compare(here[folder], manifest, folder, done)
            continue
        try:
            _bring(archive, project, folder, manifest)
        except RunError as error:
            done.refused.append(f"{folder}: {error}")
            continue
        done.moved += 1
        say(f"[{done.moved + done.there}/{len(there)}] {folder}")
    return done


def _bring(archive: Archive, project: Project, folder: str, manifest: bytes) -> None:
    """Into a hidden folder first, which is no run's."""
    study, _, below = folder.partition("/")
    arriving = project.raw / f".pulled-{study}"
    shutil.rmtree(arriving, ignore_errors=True)
    try:
        run = arriving / below
        for name in listed(manifest):
            (run / name).parent.mkdir(parents=True, exist_ok=True)
            with archive.sentences():
                if not archive.files.exists(archive.place(folder, name)):
                    raise RunError(f"{name} is not there")
                archive.files.get_file(archive.place(folder, name), str(run / name))
        (run / MANIFEST).write_bytes(manifest)
        verify(RunFolder(run, folder, "", manifest))
        place = project.raw / folder
        place.parent.mkdir(parents=True, exist_ok=True)
        run.rename(place)
    finally:
        shutil.rmtree(arriving, ignore_errors=True)


def _compare(mine: bytes, theirs: bytes, folder: str, done: Moved) -> None:
    if mine == theirs:
        done.there += 1
    else:
        done.refused.append(
            f"{folder}: there is another run of this name in the archive; neither was "
            "changed: one of the two was edited, find out which"
        )


def _parsed(content: bytes | None) -> dict[str, Any]:
    try:
        return parse(content or b"{}")
    except ValueError:
        return {}


def _is_run(path: PurePosixPath) -> bool:
    """Is it a folder as those of data/raw are, and none that hides or leads elsewhere?"""
    return len(path.parts) == _DEPTH and not any(p.startswith(".") for p in path.parts)


def sentence(done: Moved, verb: str) -> str:
    """``12 runs sent, 3 were there``; UserError with what was refused."""
    text = f"{counted(done.moved, 'run')} {verb}, {done.there} were there"
    if done.refused:
        lines = "\n".join(done.refused)
        raise UserError(f"{lines}\n{text}, {len(done.refused)} refused: see above", 1)
    return text
