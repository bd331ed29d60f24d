"""`collect(study)`: the one call by which a notebook gets its data.

Measures what is missing (in a process of its own), loads it, returns frames.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd

from benchbook.digests import declared_id
from benchbook.machine.facts import Machine
from benchbook.measure.decided import standing_on_record
from benchbook.measure.launch import measure_missing, require_measured
from benchbook.measure.spec import declaration, declared_cells
from benchbook.project import Project
from benchbook.results import evidence
from benchbook.results.aa import aa_runs
from benchbook.results.loud import without_loud_steps
from benchbook.results.named import named_frame
from benchbook.results.parameters import apply_parameters
from benchbook.results.results import Results
from benchbook.runs.inventory import OnDisk
from benchbook.secret import without_secrets
from benchbook.store.query import expand_dims, query
from benchbook.study.derived import instructions_study, is_base, profile_study
from benchbook.study.find import find_study
from benchbook.study.study import Study, load_study
from benchbook.study.until import FEWEST_LOADS
from benchmath.errors import UserError
from benchmath.frames import dimensions_of, ordered, places, with_dimensions
from benchmath.units import in_one_unit

# What stands beside timed runs, and beside those that are made to be looked at.
WATCHED = ("os", "trees", "devices", "counters", "samplers", "waits")
# What an engine tells of itself.
TOLD = ("lsm_jobs", "lsm_levels", "lsm_writes", "stalls")
PROFILED = ("profiles", "stacks", "leaves")


def collect(study_path: str | Path, measure: bool | None = None) -> Results:
    """Everything known of a study, measuring first what is missing.

    ``measure`` defaults to True, but to False in JupyterLab, where a missing cell is an
    error that names the command.  A published post is read from its evidence:
    ``bb.collect("posts/sawtooth/study.yml", False).metric``.
    """
    study = load_study(find_study(study_path))
    apply_parameters(study)
    return collected(study, measure)


def collected(study: Study, measure: bool | None = None) -> Results:
    """``collect`` of a study that need not be the calling notebook's own."""
    frozen = study.folder / "evidence"
    if evidence.exists(frozen):
        frames = evidence.read(frozen)
        frames["runs"] = _with_texts(frames["runs"], evidence.texts(frozen))
        return Results(study=study, **frames)
    from benchbook.store.load import load  # slow to import: evidence needs it not

    project = Project(study.path.parents[2])
    interactive = measure is None and "JPY_SESSION_NAME" in os.environ
    if measure or (measure is None and not interactive):
        measure_missing(study, project)
    elif interactive:
        require_measured(study, project)
    load(project)
    results = read_results(study, project)
    if study.data:
        return replace(results, metric=_comparable(study, project))
    return results


def _comparable(study: Study, project: Project) -> pd.DataFrame:
    """Imports and tables of ``data:``, tests in one unit where their units convert.

    Others stay as they are: a template may show them, and none compares them.
    """
    found = in_one_unit(named_frame(study.data, project))
    return pd.concat([found.frame, found.left_out]).sort_index()


def _with_texts(runs: pd.DataFrame, texts: Mapping[str, str]) -> pd.DataFrame:
    """Runs that were frozen before they kept their settings files, with these files."""
    if "config_text" in runs.columns or not {"engine", "config"} <= {*runs.columns}:
        return runs
    names = runs["engine"].astype(str) + "/" + runs["config"].astype(str)
    return runs.assign(config_text=[texts.get(name, "") for name in names])


def read_results(study: Study, project: Project) -> Results:
    """The frames of the study's own runs and of the studies it names under `also`."""
    runs = _runs(study, project)
    chosen = _chosen(runs, study, project)
    ids = list(chosen["run_id"])
    frames = {
        name: _in_order(query(f"collect_{name}", project=project, run_ids=ids), ids)
        for name in ("steps", "metric", "samples", "hists", "instructions")
    }
    owner = dict(zip(chosen["run_id"], chosen["study"], strict=True))
    frames["metric"]["set"] = frames["metric"]["run_id"].map(owner)
    if study.reuse:  # positions count the runs of the study that measured them
        for name in ("steps", "metric"):
            frames[name]["position"] = frames[name]["run_id"].map(_by_start(chosen))
    told = ("turns", "probes", "statements", "times", *WATCHED, *TOLD)
    frames |= frames_of_runs(told, ids, project)
    frames |= _profiles(study, project) | _counted(study, project)
    for name in ("samples", "hists"):
        frames[name] = with_dimensions(frames[name], chosen, _identity(chosen))
    results = Results(
        study=study,
        runs=chosen,
        missing=_missing(chosen, study, project),
        failed=_failed(runs, study),
        aa=_aa(chosen, study, project),
        **frames,
    )
    return without_loud_steps(results)


def runs_that_count(study: Study, project: Project) -> pd.DataFrame:
    """The runs of ``read_results``: planned cells, newest build of each."""
    return _chosen(_runs(study, project), study, project)


def _runs(study: Study, project: Project) -> pd.DataFrame:
    records = query("collect_runs", project=project, studies=_names(study, project))
    if study.reuse:  # a run of the same cell counts wherever it was measured
        own = records["declared_id"].isin([*declared_cells(study)])
        records.loc[own, "study"] = study.slug
    return _readable(records)


def _readable(runs: pd.DataFrame) -> pd.DataFrame:
    """Dimensions as columns, JSON as what it holds, and no secret of a settings file.

    `compiler` stays what the study calls it; the compiler's own line is a fact.
    """
    runs = runs.rename(columns={"compiler": "compiler_line", "flags": "flags_used"})
    for column in ("env", "settings", "spec", "config_text"):
        runs[column] = [  # a run that failed early has no settings
            without_secrets(text) if isinstance(text, str) else None
            for text in runs[column]
        ]
    for column in ("env", "settings"):
        runs[column] = [_mapping(text) for text in runs[column]]
    runs["doctor"] = [(_mapping(text) or {}).get("doctor") or None
                       for text in runs["spec"]]  # fmt: skip
    return expand_dims(runs)


def _profiles(study: Study, project: Project) -> dict[str, pd.DataFrame]:
    """Runs with perf beside them, and what it saw; nothing where none is asked for."""
    companion = profile_study(study)
    if companion is None:
        return {}
    runs = _companion_runs(companion, project)
    ids = list(runs["run_id"])
    frames = frames_of_runs(PROFILED, ids, project)
    rates = _in_order(query("collect_metric", project=project, run_ids=ids), ids)
    return {"profile_runs": runs, "profiled": rates, **frames}


def _counted(study: Study, project: Project) -> dict[str, pd.DataFrame]:
    """Runs under callgrind, and what they saw of the processor; nothing if not asked."""
    companion = instructions_study(study)
    if companion is None:
        return {}
    ids = list(_companion_runs(companion, project)["run_id"])
    counted = _in_order(query("collect_metric", project=project, run_ids=ids), ids)
    paths = query("collect_counts", project=project, run_ids=ids)
    return {"counted": counted, "counted_paths": paths}


def _companion_runs(companion: Study, project: Project) -> pd.DataFrame:
    runs = query("collect_runs", project=project, studies=[companion.slug])
    return _chosen(_readable(runs), companion, project)


def frames_of_runs(
    names: Iterable[str], ids: list[str], project: Project
) -> dict[str, pd.DataFrame]:
    """Frames of the store, of the chosen runs and in their order."""
    frames = {n: query(f"collect_{n}", project=project, run_ids=ids) for n in names}
    return {name: _in_order(frame, ids) for name, frame in frames.items()}


def _aa(chosen: pd.DataFrame, study: Study, project: Project) -> pd.DataFrame:
    """A/A runs of the study and its `also`; without any, all those of its machines."""
    named = [f"{name}.aa" for name in (study.slug, *study.also)]
    return aa_runs(named, chosen["machine_id"], project)


def _mapping(text: str | None) -> dict[str, Any] | None:
    return json.loads(text) if isinstance(text, str) else None


def _in_order(frame: pd.DataFrame, ids: list[str]) -> pd.DataFrame:
    """Rows in the order of the chosen runs: that of the study's cells, then trials."""
    return expand_dims(ordered(frame, {"run_id": ids}).reset_index(drop=True))


def _identity(runs: pd.DataFrame) -> list[str]:
    """The columns by which samples and histograms of runs are told apart."""
    return ["study", "tag", "trial", *dimensions_of(runs)]


def _names(study: Study, project: Project) -> list[str]:
    if study.reuse:
        return list(query("studies", project=project)["study"])
    return [study.slug, *study.also]


def _sessions(runs: pd.DataFrame) -> pd.Series:
    """The session of each run, '' where it took no turns."""
    specs = (_mapping(text) or {} for text in runs["spec"])
    names = [str(spec.get("session", "")) for spec in specs]
    return pd.Series(names, index=runs.index, dtype=object)


def _made_all(runs: pd.DataFrame) -> pd.Series:
    """Did each run make all steps of its cell?"""
    specs = (_mapping(text) or {} for text in runs["spec"])
    made = [not spec.get("left_out") for spec in specs]
    return pd.Series(made, index=runs.index, dtype=bool)


def _whole_sessions_first(runs: pd.DataFrame, session: pd.Series) -> pd.DataFrame:
    """Of a trial that was made again, the session with most arms, of such the last.

    Runs that took no turns stay in their order.
    """
    mine = session.loc[runs.index]
    arms = mine.map(mine.value_counts()).where(mine != "", 0)
    latest = pd.Series(range(len(runs)), index=runs.index).where(mine != "", 0)
    order = pd.DataFrame({"arms": -arms, "latest": -latest})
    return runs.loc[order.sort_values(["arms", "latest"], kind="stable").index]


def _chosen(runs: pd.DataFrame, study: Study, project: Project) -> pd.DataFrame:
    """The runs that count: planned cells, newest build of each, one run per trial."""
    trials: dict[str, int] = {}  # in the order in which the studies list their cells
    bases: set[str] = set()
    until: set[str] = set()  # cells whose later loads may lack steps
    for one in (study, *(_other(name, project) for name in study.also)):
        for cell in one.cells:
            declared = declared_id(declaration(cell, one))
            trials[declared] = one.trials
            bases |= {declared} if is_base(cell, one) else set()
            until |= {declared} if one.until else set()
    limit = runs["declared_id"].map(trials)
    session = _sessions(runs)
    # The base of a group that was split takes turns in each of its parts.
    again = (session != "") & runs["declared_id"].isin(bases)
    counts = (runs["trial"] <= limit) | (again & limit.notna())
    counts &= _made_all(runs) | runs["declared_id"].isin(until)
    good = runs[(runs["status"] == "ok") & ~runs["overridden"] & counts]
    good = good.sort_values("started", kind="stable")
    if study.machines:
        good = good[good["machine"].isin(study.machines)]
    who = ["study", "machine", "machine_id", "declared_id"]
    newest = good.groupby(who)["cell_id"].transform("last")
    current = good[good["cell_id"] == newest]
    current = _whole_sessions_first(current, session)
    one_each = current.drop_duplicates([*who, "cell_id", "trial"])
    cell = places(one_each["declared_id"], trials)
    sorted_runs = one_each.assign(cell=cell).sort_values(["machine", "cell", "trial"])
    return sorted_runs.drop(columns="cell").reset_index(drop=True)


def _by_start(runs: pd.DataFrame) -> pd.Series:
    """The place of each run in the order in which those of one machine began."""
    began = runs.set_index("run_id").groupby(["machine", "machine_id"])["started"]
    return began.rank(method="first").astype(int)


def _other(name: str, project: Project) -> Study:
    path = project.posts / name / "study.yml"
    if not path.is_file():
        raise UserError(f"also: there is no study {name!r} in {project.posts}")
    return load_study(path)


def _missing(chosen: pd.DataFrame, study: Study, project: Project) -> pd.DataFrame:
    """One row per planned run that no machine of the study has."""
    own = chosen[chosen["study"] == study.slug]
    machines = list(study.machines) or sorted(own["machine"].unique()) or [""]
    have = set(zip(own["machine"], own["declared_id"], own["trial"], strict=True))
    rows = []
    for machine in machines:
        wanted = _wanted(own[own["machine"] == machine], study, project)
        for cell in study.cells:
            key = declared_id(declaration(cell, study))
            for trial in range(1, wanted[key] + 1):
                if (machine, key, trial) not in have:
                    row = {"machine": machine, "cell": cell.label(), "trial": trial}
                    rows.append(row)
    return pd.DataFrame(rows, columns=["machine", "cell", "trial"])


def _wanted(own: pd.DataFrame, study: Study, project: Project) -> dict[str, int]:
    """How many trials of each cell a machine must have, by declared id.

    With `until: decided` none of what is decided, and one more of all else: nobody knows
    how many it will be.
    """
    names = declared_cells(study)
    if not study.until:
        return dict.fromkeys(names, study.trials)
    filed = OnDisk(project).that_serve(study)
    machines = own[["machine", "machine_id"]].drop_duplicates()
    standings = [
        standing_on_record(study, Machine(name, machine_id), filed, project)
        for name, machine_id in machines.itertuples(index=False)
    ]
    ended = [name for name in names if any(s and s.ends([name]) for s in standings)]
    last = own.groupby("declared_id")["trial"].max().to_dict()
    further = {n: max(FEWEST_LOADS, last.get(n, 0) + 1) for n in names}
    limited = {n: min(study.trials, trials) for n, trials in further.items()}
    return limited | dict.fromkeys(ended, 0)


def _failed(runs: pd.DataFrame, study: Study) -> pd.DataFrame:
    own = runs[(runs["status"] != "ok") & (runs["study"] == study.slug)]
    return own[["machine", "tag", "dop", "trial", "attempt", "reason", "folder"]]
