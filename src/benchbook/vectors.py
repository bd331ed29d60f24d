"""The vectors that a workload searches: a set made here, or files of the user's own."""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from benchbook.digests import files_digest, short_digest
from benchbook.project import Project
from benchmath.errors import UserError

if TYPE_CHECKING:  # who only plans does not wait for it
    import numpy as np

FOLDER = "vectors"  # of data/
PARTS = ("base", "queries")  # what is searched, and what is asked for
# By name what stands for the numbers: another one when bench/vectors.sh makes others.
MADE = {"source-text": "7ec5987d7e070719"}


@dataclass(frozen=True)
class Vectors:
    """A set: where its two files are, or that it is made here.

    ``folder`` is its name below data/vectors, which its content decides.
    """

    name: str
    digest: str
    files: tuple[Path, ...] = ()  # base and queries; none: bench/vectors.sh makes it

    @property
    def folder(self) -> str:
        return f"{self.name}-{self.digest}"

    def is_made(self, project: Project) -> bool:
        folder = project.data / FOLDER / self.folder
        return all((folder / f"{part}.fvecs").is_file() for part in PARTS)


def find_vectors(named: str, study_file: Path) -> Vectors:
    """What a study's `vectors:` names: a set made here, or a folder with two files.

    They are called base and queries, and end in .fvecs, .npy or .parquet.
    """
    if named in MADE:
        return Vectors(named, MADE[named])
    folder = _folder(named, study_file)
    if not folder.is_dir():
        raise UserError(
            f"{study_file}: no vectors {named!r}; available: {', '.join(MADE)}, or a "
            "folder with the files base and queries, .fvecs, .npy or .parquet"
        )
    files = [_file(folder, part) for part in PARTS]
    name = re.sub(r"[^A-Za-z0-9]+", "-", folder.resolve().name).strip("-") or "own"
    return Vectors(name, short_digest(files_digest(folder, files)), tuple(files))


def is_here(named: str, study_file: Path) -> bool:
    """Can the set be made here, or is the folder there?"""
    return named in MADE or _folder(named, study_file).is_dir()


def _folder(named: str, study_file: Path) -> Path:
    return study_file.resolve().parent / Path(named).expanduser()


def _file(folder: Path, part: str) -> Path:
    found = [file for end in READERS if (file := folder / f"{part}{end}").is_file()]
    if len(found) != 1:
        which = "two" if found else "no file"
        raise UserError(
            f"{folder}: {which} called {part}: one of "
            f"{', '.join(f'{part}{end}' for end in READERS)} is needed"
        )
    return found[0]


def vectors_line(vectors: Vectors) -> str:
    """The call for bash that makes the set below data/, where a checkout is pasted."""
    if vectors.files:
        raise UserError(
            f"the vectors in {vectors.files[0].parent} lie on this machine alone, so "
            "there is no line for another: use `benchbook run`"
        )
    return f"bench/vectors.sh {vectors.name} data/{FOLDER}/{vectors.folder}"


def make_vectors(vectors: Vectors, project: Project, say: Callable[[str], None]) -> None:
    """Put the set into data/vectors, unless it is there."""
    if vectors.is_made(project):
        return
    say(f"making the vectors {vectors.name}")
    folder = project.data / FOLDER / vectors.folder
    if not vectors.files:
        words = [str(project.bench / "vectors.sh"), vectors.name, str(folder)]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        if done.returncode:
            raise UserError(done.stderr.strip().splitlines()[-1])
        return
    folder.parent.mkdir(parents=True, exist_ok=True)
    partial = Path(tempfile.mkdtemp(prefix=f"{folder.name}.", dir=folder.parent))
    partial.chmod(0o755)
    try:
        for part, file in zip(PARTS, vectors.files, strict=True):
            _write(partial / f"{part}.fvecs", _checked(READERS[file.suffix](file), file))
        shutil.rmtree(folder, ignore_errors=True)
        partial.replace(folder)
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def _write(file: Path, rows: np.ndarray) -> None:
    import numpy as np

    heads = np.full((len(rows), 1), rows.shape[1], dtype="<i4").view("<f4")
    np.hstack([heads, rows.astype("<f4", copy=False)]).tofile(file)


def _checked(rows: np.ndarray, file: Path) -> np.ndarray:
    """Rows of numbers, all of one length; what no index could hold is refused here."""
    import numpy as np

    if rows.ndim != 2 or not rows.size or rows.dtype.kind not in "fiu":
        raise UserError(f"{file}: not rows of numbers that are equally long")
    rows = rows.astype("<f4")
    if not np.isfinite(rows).all():
        row = int(np.argmin(np.isfinite(rows).all(axis=1)))
        raise UserError(f"{file}: row {row + 1} holds what is no finite 32-bit number")
    return rows


def _fvecs(file: Path) -> np.ndarray:
    import numpy as np

    words = np.fromfile(file, dtype="<i4")
    dim = int(words[0]) if len(words) else 0
    if dim < 1 or len(words) % (dim + 1) or (words[:: dim + 1] != dim).any():
        raise UserError(
            f"{file}: not an fvecs file: rows of a dimension and so many floats"
        )
    return words.reshape(-1, dim + 1)[:, 1:].view("<f4")


def _npy(file: Path) -> np.ndarray:
    import numpy as np

    try:
        loaded = np.load(file, allow_pickle=False)
    except (ValueError, OSError) as error:
        raise UserError(f"{file}: {error}") from None
    return np.asarray(loaded)


def _parquet(file: Path) -> np.ndarray:
    """The one column of lists."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        table = pq.read_table(file)
    except (pa.ArrowInvalid, OSError) as error:
        raise UserError(f"{file}: {error}") from None
    lists = [
        name
        for name in table.column_names
        if pa.types.is_list(table.schema.field(name).type)
        or pa.types.is_fixed_size_list(table.schema.field(name).type)
        or pa.types.is_large_list(table.schema.field(name).type)
    ]
    if len(lists) != 1:
        raise UserError(
            f"{file}: {len(lists)} columns hold lists of numbers, one is needed"
        )
    column = table[lists[0]].combine_chunks()
    lengths = {len(row) for row in column} if column.null_count == 0 else set()
    if len(lengths) != 1:
        raise UserError(f"{file}: the lists of {lists[0]} are not equally long")
    flat = column.flatten().to_numpy(zero_copy_only=False)
    return flat.reshape(len(column), lengths.pop())


READERS: dict[str, Callable[[Path], np.ndarray]] = {
    ".fvecs": _fvecs,
    ".npy": _npy,
    ".parquet": _parquet,
}
