"""A post audited: executed again, its claims derived again, its runs counted again."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nbformat
import pandas as pd
from nbformat import NotebookNode

from benchbook.audit.averaged import pair_contradictions
from benchbook.audit.bookkeeping import gap_contradictions, run_contradictions
from benchbook.audit.bound import without_values
from benchbook.audit.cells import cells_of, claims_of, outputs_of, text_of
from benchbook.audit.claims import claim_contradictions, insignificant_changes
from benchbook.audit.contradiction import Audit, Contradiction
from benchbook.audit.draft import Read, proofread
from benchbook.audit.executed import differences, readable
from benchbook.audit.page import page_contradictions
from benchbook.audit.prose import Known, long_sentences
from benchbook.audit.quantifiers import unborne
from benchbook.audit.ratios import ratio_contradictions, unexplained
from benchbook.audit.scaling import law_contradictions
from benchbook.audit.words import numbers_of, sentences, unclaimed
from benchbook.finding import NAMES, Finding
from benchbook.measure.spec import declared_cells
from benchbook.posts.clean import cleaned, keep_hand_written
from benchbook.posts.execute import as_page, executed_with, frames_of, template_of
from benchbook.posts.kept import hand_written
from benchbook.posts.replay import Replay, replay
from benchbook.project import Project
from benchbook.results import evidence
from benchbook.study.drivers import DRIVERS
from benchbook.study.file import read_study_file
from benchbook.study.study import Study
from benchmath.errors import UserError

TEXTS = ("title", "description", "date", "categories", "label", "sources")  # of study.yml


@dataclass(frozen=True)
class Again:
    """A study executed again: the page it gives, what its cells showed, its frames."""

    page: NotebookNode
    objects: Mapping[str, tuple[Any, ...]]
    frames: Mapping[str, pd.DataFrame]


def audit(study: Study, project: Project) -> Audit:
    """Everything that an executed post says and its data do not; reads no kernel."""
    path = _page(study)
    files = tuple(file_contradictions(study.folder))
    if files:  # nothing can be read from evidence that is not what was published
        return Audit(files)
    notebook = nbformat.read(path, as_version=4)
    return audited(notebook, again(study, project, notebook), study)


def audit_words(study: Study) -> Audit:
    """What a person wrote against the page, of which nothing else has changed."""
    notebook = nbformat.read(study.folder / "index.ipynb", as_version=4)
    found = page_contradictions(notebook, _known(notebook, frames_of(study), study))
    texts = written_in(notebook, study)
    return Audit(
        tuple(dict.fromkeys(found)),
        tuple(long_sentences(texts)),
        sum(len(sentences(text)) for text in texts.values()),
        sum(len(numbers_of(text)) for text in texts.values()),
    )


def proofread_draft(draft: Path, study: Study) -> list[Read]:
    """A text of the user's own against the study's page and its data."""
    path = _page(study)
    try:
        text = draft.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"{draft}: {getattr(error, 'strerror', error)}") from None
    frames = frames_of(study)
    cells = cells_of(nbformat.read(path, as_version=4))
    return proofread(text, cells, frames["metric"], _names(frames))


def _page(study: Study) -> Path:
    path = study.folder / "index.ipynb"
    if not path.is_file():
        raise UserError(f"{path}: not executed yet; `benchbook post {study.slug}` does")
    return path


def again(study: Study, project: Project, notebook: NotebookNode) -> Again:
    """The post that the study's template and data give now."""
    template = template_of(study, project)
    made: Replay = replay(template, executed_with(study, project, False), project.root)
    page = cleaned(made.notebook)
    keep_hand_written(page, notebook)
    return Again(as_page(page, study, project, notebook), made.objects, frames_of(study))


def checked(
    notebook: NotebookNode, made: Again, study: Study
) -> dict[str, list[Contradiction]]:
    """What each kind of check finds, by its name."""
    planned = _planned(study)
    return {
        "replay": differences(notebook, made.page),
        "claims": list(_claims(notebook, made, study.base)),
        "page": page_contradictions(notebook, _known(notebook, made.frames, study)),
        "runs": run_contradictions(made.frames)
        + gap_contradictions(made.frames, planned),
    }


def audited(notebook: NotebookNode, made: Again, study: Study) -> Audit:
    """An executed notebook against its study executed again."""
    contradictions = [c for part in checked(notebook, made, study).values() for c in part]
    texts = [readable(text_of(output)) for _, output in outputs_of(notebook)]
    said = [text_of(o) for _, o in outputs_of(notebook) if claims_of(o)]
    return Audit(
        tuple(dict.fromkeys(contradictions)),
        tuple(long_sentences(written_in(notebook, study))),
        sum(len(sentences(text)) for text in said),
        sum(len(numbers_of(text)) for text in texts),
        sum(len(claims_of(output)) for _, output in outputs_of(notebook)),
    )


def file_contradictions(folder: Path) -> Iterator[Contradiction]:
    """Evidence files that are not those of the manifest, and files it does not name."""
    place = folder / ("evidence" if evidence.exists(folder / "evidence") else "data")
    if not evidence.exists(place):
        return
    manifest = json.loads((place / evidence.MANIFEST).read_text(encoding="utf-8"))
    for name, facts in manifest["files"].items():
        path = place / name
        if not path.is_file():
            yield Contradiction(f"{place.name}/{name}", "in the manifest", "no such file")
            continue
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        if digest != facts["sha256"]:
            yield Contradiction(f"{place.name}/{name}", facts["sha256"][:12], digest[:12])
    files = {p.relative_to(place).as_posix() for p in place.rglob("*") if p.is_file()}
    for name in sorted(files - {*manifest["files"], evidence.MANIFEST}):
        yield Contradiction(f"{place.name}/{name}", "beside the evidence", "not in it")


def _claims(
    notebook: NotebookNode, made: Again, base: Mapping[str, str]
) -> Iterator[Contradiction]:
    """Claims of the executed notebook against the frames of the same cell, and those
    frames against the runs."""
    for n, cell in enumerate(notebook.cells):
        findings = [s for s in made.objects.get(cell.id, ()) if isinstance(s, Finding)]
        carrying = [o for o in cell.get("outputs", []) if claims_of(o)]
        for output, finding in zip(
            carrying, [s for s in findings if s.claims], strict=False
        ):
            yield from _finding(f"cell {n}", output, finding, made.frames, base)


def _finding(
    where: str,
    output: NotebookNode,
    finding: Finding,
    frames: Mapping[str, pd.DataFrame],
    base: Mapping[str, str],
) -> Iterator[Contradiction]:
    claims, text = claims_of(output), text_of(output)
    yield from claim_contradictions(where, claims, finding.frames)
    yield from insignificant_changes(where, claims)
    for number in unclaimed(text, claims, _texts(finding.frames)):
        yield Contradiction(where, number, "no claim of it")
    for word, gives in unborne(text, claims):
        yield Contradiction(where, word, gives)
    metric = pd.concat(
        [f for f in (frames.get("metric"), frames.get("aa")) if f is not None and len(f)]
        or [pd.DataFrame()]
    )
    judged = finding.frames.get("judged")
    if judged is not None and len(metric):
        turns = frames.get("turns")
        yield from ratio_contradictions(where, judged, metric, turns, base)
    pairs = finding.frames.get("pairs")
    if pairs is not None and len(metric):
        yield from pair_contradictions(where, pairs, metric)
    law = finding.frames.get("law")
    if law is not None and len(metric):
        yield from law_contradictions(where, law, metric)
    boundaries = finding.frames.get("boundaries")
    if judged is not None and boundaries is not None:
        against = [c.subject for c in claims if c.relation == "against"]
        yield from unexplained(where, judged, boundaries, against)


def _known(
    notebook: NotebookNode, frames: Mapping[str, pd.DataFrame], study: Study
) -> Known:
    """What hand-written text may name and count besides what the page shows."""
    metric = frames["metric"]
    steps = set(metric["step"].dropna()) if "step" in metric else set()
    texts = [p.read_text(encoding="utf-8") for p in study.folder.rglob("configs/*/*")]
    return Known(
        names=_names(frames),
        steps=sorted(steps | {step.step for c in study.cells for step in c.steps}),
        every_step=sorted(
            {s for d in DRIVERS.values() for e in d.steps.values() for s in e}
        ),
        settings=_settings([read_study_file(study.path), *texts]),
        written={k: without_values(v) for k, v in written_in(notebook, study).items()},
    )


def written_in(notebook: NotebookNode, study: Study) -> dict[str, str]:
    """What a person wrote: the description, if it is theirs, and cells by their ids."""
    answer = {"description": study.description} if study.description else {}
    return answer | {c.id: c.source for c in hand_written(notebook, notebook)}


def _settings(value: Any) -> list[float]:
    """The numbers of study.yml but for its texts."""
    if isinstance(value, Mapping):
        return [n for k, v in value.items() if k not in TEXTS for n in _settings(v)]
    if isinstance(value, list):
        return [number for one in value for number in _settings(one)]
    return [float(n) for n in re.findall(r"\d+(?:\.\d+)?", str(value))]


def _names(frames: Mapping[str, pd.DataFrame]) -> list[str]:
    """Every name that stands in the frames: numbers in it are no amounts."""
    names: set[str] = set()
    for frame in frames.values():
        for column in (*NAMES, "base", "sentence_names", "after", "at", "leaf"):
            if column in frame.columns:
                names |= {str(v) for v in frame[column].dropna().unique()}
    words = {part for name in names for part in name.split()}
    series = {w.rpartition(".")[0] for w in words if re.fullmatch(r"\d+\.\d+\.\d+", w)}
    return sorted(names | words | series)


def _texts(frames: Mapping[str, pd.DataFrame]) -> list[str]:
    """``_names``, and every other text that stands in the frames of a sentence."""
    texts = {
        str(value)
        for frame in frames.values()
        for column in frame.select_dtypes(exclude="number").columns
        for value in frame[column]
        if isinstance(value, str) and column != "sentence"
    }
    return sorted(texts.union(_names(frames)))


def _planned(study: Study) -> dict[str, int]:
    """The trials of each declared cell; nothing where verdicts say how many there are."""
    if study.until:
        return {}
    return dict.fromkeys(declared_cells(study), study.trials)
