"""Simulated reports as metric frames: many machines at once, each a report of its own.

A version's logarithms are its level, an effect of its build, and the noise of each run.
Arrays have the axes machine, step, version, trial.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import pandas as pd
from noise_kinds import KINDS, Random

_RUN = {
    "machine_id": "id", "engine": "e", "build": "gcc", "config": "c", "dop": 1,
    "op": "query", "main": True, "clock": "", "metric": "qps", "unit": "queries/s",
    "direction": "higher", "build_no": 1, "load_no": 1, "arm": "main",
}  # fmt: skip


@dataclass(frozen=True)
class Report:
    """What is drawn: sizes, the kind of noise, and the levels of the versions.

    ``changed`` maps the version to its true ratio to version 0, for the steps of
    ``changed_steps`` (default: all). ``steps_differ`` is the stddev of the logarithm of
    a step's own noise around ``cov``; ``loud`` the factor on the last version's noise;
    ``luck_sd`` the stddev of what all steps of a run share.
    """

    versions: int = 2
    trials: int = 3
    steps: int = 1
    kind: str = "normal"
    cov: float = 0.01
    build_sd: float = 0.0
    steps_differ: float = 0.0
    loud: float = 1.0
    luck_sd: float = 0.0
    interleaved: bool = False
    changed: dict[int, float] = field(default_factory=dict)
    changed_steps: Sequence[int] | None = None


def step_noise(report: Report, machines: int, random: Random) -> np.ndarray:
    """The stddev of the logarithm of a run, of each machine and step."""
    own = random.normal(0, report.steps_differ, (machines, report.steps))
    return report.cov * np.exp(own)


def draw(report: Report, run_sd: np.ndarray, random: Random) -> np.ndarray:
    """The throughput of each run of machines that are as noisy as ``run_sd``."""
    shape = (*run_sd.shape, report.versions, report.trials)
    noise = _in_order(report, KINDS[report.kind](random, _as_run(shape)), shape)
    noise *= run_sd[:, :, None, None]
    noise[:, :, -1] *= report.loud
    noise += random.normal(0, report.build_sd, (*shape[:3], 1))
    noise += random.normal(0, report.luck_sd, (shape[0], 1, *shape[2:]))
    steps = range(report.steps) if report.changed_steps is None else report.changed_steps
    for version, ratio in report.changed.items():
        noise[:, list(steps), version] += np.log(ratio)
    return 1000 * np.exp(noise)


def metric_frame(values: np.ndarray, interleaved: bool = False) -> pd.DataFrame:
    """The runs as a metric frame: machine m0.., step s0.., version v0.., trials from 1.

    Interleaved: trials run the versions forwards and backwards in turn; otherwise all
    trials of a version in a row.
    """
    machine, step, version, trial = np.indices(values.shape)
    position = run_order(*values.shape[2:], interleaved)[version, trial]
    frame = _rows(values, machine, step, version, trial)
    return frame.assign(position=position.ravel())


def again_frame(values: np.ndarray) -> pd.DataFrame:
    """Runs of one build as an A/A study: the axis of versions holds the arms.

    The first arm is ``main``, the second ``again``, with trials of their own.
    """
    names = ["main", "again"]
    machine, step, arm, trial = np.indices(values.shape)
    frame = _rows(values, machine, step, np.zeros_like(arm), trial)
    return frame.assign(
        arm=np.array(names)[arm.ravel()], run_id=_ids(machine, arm, trial)
    )


def rebuilt_frame(values: np.ndarray) -> pd.DataFrame:
    """Runs of several builds of one version: the axis of versions holds the builds."""
    machine, step, build, trial = np.indices(values.shape)
    names = ["main", *(f"rebuilt-{i}" for i in range(2, values.shape[2] + 1))]
    frame = _rows(values, machine, step, np.zeros_like(build), trial)
    return frame.assign(
        arm=np.array(names)[build.ravel()],
        build_no=build.ravel() + 1,
        run_id=_ids(machine, build, trial),
    )


def run_order(versions: int, trials: int, interleaved: bool) -> np.ndarray:
    """The position of each version's trials in the study, from 0."""
    version, trial = np.indices((versions, trials))
    if not interleaved:
        return version * trials + trial
    there_and_back = np.where(trial % 2 == 0, version, versions - 1 - version)
    return trial * versions + there_and_back


def _as_run(shape: tuple[int, ...]) -> tuple[int, ...]:
    return (*shape[:2], shape[2] * shape[3])


def _in_order(report: Report, noise: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    """Noise in the order of running, as machine, step, version, trial."""
    order = run_order(report.versions, report.trials, report.interleaved)
    return noise[..., order.ravel()].reshape(shape)


def _rows(
    values: np.ndarray,
    machine: np.ndarray,
    step: np.ndarray,
    version: np.ndarray,
    trial: np.ndarray,
) -> pd.DataFrame:
    columns = {
        "machine": _named("m", machine),
        "step": _named("s", step),
        "version": _named("v", version),
        "trial": trial.ravel() + 1,
        "run_id": _ids(machine, version, trial),
        "value": values.ravel(),
    }
    return pd.DataFrame(columns).assign(**_RUN)


def _named(letter: str, index: np.ndarray) -> np.ndarray:
    names = np.array([f"{letter}{i}" for i in range(int(index.max()) + 1)], dtype=object)
    return names[index.ravel()]


def _ids(*indexes: np.ndarray) -> np.ndarray:
    """One number per run: its steps share it."""
    sizes = [int(index.max()) + 1 for index in indexes]
    return np.ravel_multi_index([index.ravel() for index in indexes], sizes).astype(str)
