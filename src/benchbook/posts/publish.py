"""Freezing a post: its notebook and evidence, small enough for git, without secrets."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from benchbook.measure.spec import find_config
from benchbook.posts import freshness
from benchbook.posts.audit import audit
from benchbook.posts.execute import configs_of, frames_of, post
from benchbook.project import Project
from benchbook.results import evidence
from benchbook.runs.folder import SPEC
from benchbook.secret import secrets_in
from benchbook.study.study import Study, load_study
from benchmath.errors import UserError
from benchmath.hazards.premises import loudest

NOTEBOOK_LIMIT = 2_000_000
EVIDENCE_LIMIT = 3_000_000
MARK = "published.json"
SECRET = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")


@dataclass(frozen=True)
class Published:
    """What was frozen, and the line that commits it."""

    folder: Path
    command: str
    notebook_bytes: int
    evidence_bytes: int
    unchecked: tuple[str, ...]  # secrets not set here, so nobody could look for them

    def __str__(self) -> str:
        lines = [
            f"frozen: {self.folder} (notebook {self.notebook_bytes / 1e3:.0f} kB, "
            f"evidence {self.evidence_bytes / 1e3:.0f} kB); commit it with",
            f"  {self.command}",
        ]
        if self.unchecked:
            names = ", ".join(self.unchecked)
            lines.append(f"not set here, so not looked for in what is published: {names}")
        return "\n".join(lines)


def publish(slug: str, project: Project, thin: int = 1) -> Published:
    """Freeze posts/<slug>: write its evidence, execute it from there, mark it."""
    study = load_study(project.posts / slug)
    if (study.folder / MARK).is_file():
        raise UserError(
            f"posts/{slug} is published already; to publish new runs, delete its "
            f"evidence/ and {MARK} first (git keeps them)"
        )
    _refuse_looks(_settings_texts(study, project), project)
    frames = _thinned(frames_of(study), thin)
    if frames["runs"].empty and not (study.data and len(frames["metric"])):
        raise UserError(
            f"posts/{slug} has no runs to publish; `benchbook run posts/{slug}` measures"
        )
    _refuse_loud(study, frames)
    secrets, unchecked = _secrets(study, project)
    _refuse_secrets(secrets, _frame_texts(frames))
    _refuse_looks(_frame_texts(frames), project)
    try:
        size = _freeze(study, frames, configs_of(study, project), thin)
        notebook = post(study.path, project, measure=False, force=True)
        _refuse_secrets(secrets, _file_texts(study, notebook))
        _refuse_looks(_file_texts(study, notebook), project)
        _refuse_large(notebook)
        _refuse_false(study, project)
    except BaseException:
        shutil.rmtree(study.folder / "evidence", ignore_errors=True)
        raise
    mark = {"schema": 1, "slug": slug, "digest": freshness.recorded(notebook)["digest"]}
    (study.folder / MARK).write_text(json.dumps(mark, indent=1) + "\n", encoding="utf-8")
    shutil.rmtree(study.folder / "data", ignore_errors=True)
    return Published(
        folder=study.folder,
        command=f"git add -f posts/{slug} && git commit -m 'posts: publish {slug}'",
        notebook_bytes=notebook.stat().st_size,
        evidence_bytes=size,
        unchecked=unchecked,
    )


def loud_steps(frames: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Steps in which others took more of the machine than evidence may have.

    The rows of ``loudest`` above their limit, the worst first.
    """
    worst = loudest(frames["metric"], frames.get("turns", pd.DataFrame()))
    return worst[worst["share"] > worst["limit"]][::-1]


def _refuse_loud(study: Study, frames: Mapping[str, pd.DataFrame]) -> None:
    """Measured beside load, and study.yml does not say why."""
    loud = loud_steps(frames)
    if loud.empty or study.noisy:
        return
    worst = loud.iloc[0]
    raise UserError(
        f"posts/{study.slug}: others took {100 * worst['share']:.0f}% of the busy CPU "
        f"time in {worst['step']}, more than {100 * worst['limit']:.0f}%"
        f"{f', and in {len(loud) - 1} more steps' if len(loud) > 1 else ''}; measure it "
        'again while nothing else runs, or say in study.yml why it counts: `noisy: "..."`'
    )


def _thinned(frames: dict[str, pd.DataFrame], thin: int) -> dict[str, pd.DataFrame]:
    if thin < 1:
        raise UserError(f"samples can be merged by 1 second or more, not {thin}")
    if thin > 1:
        whole = frames["samples"]
        frames["times"] = evidence.thinned_times(frames["times"], whole, thin)
        frames["samples"] = evidence.thinned(frames["samples"], thin)
    return frames


def _freeze(
    study: Study,
    frames: Mapping[str, pd.DataFrame],
    configs: Mapping[str, str],
    thin: int,
) -> int:
    """Write the evidence if it is small enough for git; its size in bytes."""
    day = _day(study, frames["runs"])
    folder = study.folder / "evidence"
    manifest = evidence.write(folder, frames, configs, date=day, sample_s=thin)
    sizes = {name: facts["bytes"] for name, facts in manifest["files"].items()}
    total = sum(sizes.values())
    if total > EVIDENCE_LIMIT:
        name = max(sizes, key=lambda n: sizes[n])
        by_second = name.startswith(("samples", "times"))
        advice = "publish with --thin 10, which merges ten seconds of samples into one"
        raise UserError(
            f"posts/{study.slug}: the evidence takes {total / 1e6:.1f} MB, more than "
            f"{EVIDENCE_LIMIT / 1e6:.0f}: {name} alone {sizes[name] / 1e6:.1f}; "
            f"{advice if by_second else 'split the study in two'}"
        )
    return total


def _day(study: Study, runs: pd.DataFrame) -> str:
    """The day of the newest run; of figures that nobody measured here, the study's."""
    return str(pd.to_datetime(runs["started"]).max().date()) if len(runs) else study.date


def _refuse_large(notebook: Path) -> None:
    size = notebook.stat().st_size
    if size <= NOTEBOOK_LIMIT:
        return
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    biggest = max(cells, key=lambda cell: len(json.dumps(cell.get("outputs"))))
    first = "".join(biggest["source"]).strip().splitlines()[-1:]
    raise UserError(
        f"{notebook}: {size / 1e6:.1f} MB, more than {NOTEBOOK_LIMIT / 1e6:.1f}; the "
        f"largest output is that of `{''.join(first)}`: show fewer points there, or "
        "draw them with matplotlib"
    )


def _refuse_false(study: Study, project: Project) -> None:
    contradictions = audit(study, project).contradictions
    if contradictions:
        more = f" (and {len(contradictions) - 1} more: `benchbook audit {study.slug}`)"
        raise UserError(
            f"posts/{study.slug}: {contradictions[0]}"
            f"{more * (len(contradictions) > 1)}; not published",
            1,
        )


def _secrets(study: Study, project: Project) -> tuple[dict[str, str], tuple[str, ...]]:
    """Values of the ${NAME}s in study and specs, and the names that have none here."""
    specs = [m.with_name(SPEC) for m in freshness.run_manifests(study, project)]
    paths = [study.path, *(p for p in specs if p.is_file())]
    names = {n for p in paths for n in SECRET.findall(p.read_text(encoding="utf-8"))}
    values = {n: os.environ[n] for n in sorted(names) if os.environ.get(n)}
    return values, tuple(sorted(names - values.keys()))


def _refuse_secrets(secrets: Mapping[str, str], texts: Iterator[tuple[str, str]]) -> None:
    for where, text in texts if secrets else ():
        for name, value in secrets.items():
            if value in text or json.dumps(value)[1:-1] in text:
                raise UserError(
                    f"not published: the value of ${{{name}}} stands in {where}; "
                    "keep it out of the runs' output, then measure again"
                )


def _refuse_looks(texts: Iterator[tuple[str, str]], project: Project) -> None:
    """Refuse what looks like a secret, whatever the study says of it."""
    for where, text in texts:
        for line, name in secrets_in(text):
            file = where.removeprefix(f"{project.root}/")
            raise UserError(
                f"not published: {file}, line {line}: {name} looks like a secret: take "
                "it out, then measure again"
            )


def _settings_texts(study: Study, project: Project) -> Iterator[tuple[str, str]]:
    """study.yml and the settings files where somebody can mend them."""
    yield str(study.path), study.path.read_text(encoding="utf-8")
    for cell in study.cells:
        if file := find_config(cell, study, project).file:
            yield str(file), file.read_text(encoding="utf-8", errors="replace")


def _frame_texts(frames: Mapping[str, pd.DataFrame]) -> Iterator[tuple[str, str]]:
    for name, frame in frames.items():
        for column in frame.columns:
            if not pd.api.types.is_numeric_dtype(frame[column]):
                values: set[Any] = {str(v) for v in frame[column]}
                yield f"column {column} of {name}", "\n".join(sorted(values))


def _file_texts(study: Study, notebook: Path) -> Iterator[tuple[str, str]]:
    configs = [p for p in study.folder.glob("evidence/configs/**/*") if p.is_file()]
    for path in (notebook, study.path, *configs):
        yield str(path), path.read_text(encoding="utf-8", errors="replace")
