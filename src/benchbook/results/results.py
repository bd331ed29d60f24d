"""What `collect` gives a notebook: a study's frames, and its base against the rest."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import pandas as pd

from benchbook.study.arms import MAIN
from benchbook.study.study import Study
from benchmath.errors import UserError
from benchmath.frames import dimensions_of, label, measurement_of, name_of, select
from benchmath.hazard import Hazard
from benchmath.hazards.odd_base import odd_base_run
from benchmath.hazards.pace import pace_ms, probed
from benchmath.hazards.premises import UNRATED
from benchmath.ratios.floor import noise_floor
from benchmath.ratios.relative import relative
from benchmath.ratios.suite import suite
from benchmath.ratios.verdicts import verdicts
from benchmath.turns.centred import without_sessions
from benchmath.turns.estimate import TurnRatioFrame, keys_of, ratios_of
from benchmath.turns.looks import as_decided
from benchmath.turns.rounds import paired_rounds
from benchmath.turns.sessions import MEASURES, session_ratios


@dataclass(frozen=True)
class Results:
    """A study's runs as frames; ``dims`` are columns of their own.

    runs: one row per run. steps: per run, step and op, counters. metric: the long view.
    samples: per second. times: response times per second and bucket, of steps of two
    seconds and more. turns: per turn and op, of runs that took turns with others in a
    session; probes, before and after its steps; loud, one row per session and step that
    does not count, because others took too much of the machine. statements: per run,
    step and statement of a workload, with the engine's plan. hists: per bucket.
    instructions: counts per run and disassembled function, where a build has them.
    missing: planned runs that are not there.
    failed: runs that failed, with the reason. aa: ``metric`` of the A/A runs of these
    machines, from which the noise floor is estimated.

    Beside the runs: os, trees, devices and counters, per interval of the sampler;
    samplers, one row per run; waits, per second and state. Of RocksDB's tree, as its own
    log and statistics tell it: lsm_jobs, per flush, compaction and move; lsm_levels, per
    dump and level; lsm_writes, per level that got files; stalls, per cause. Of runs that
    are never timed: profile_runs with their rates (profiled), profiles (captures), stacks
    and leaves (what perf report says); counted, ``metric`` of runs under callgrind, and
    counted_paths, the tool and the features of the processor that they saw.
    """

    study: Study
    runs: pd.DataFrame
    steps: pd.DataFrame
    metric: pd.DataFrame
    samples: pd.DataFrame
    hists: pd.DataFrame
    instructions: pd.DataFrame
    missing: pd.DataFrame
    failed: pd.DataFrame
    aa: pd.DataFrame = field(default_factory=pd.DataFrame)
    turns: pd.DataFrame = field(default_factory=pd.DataFrame)
    probes: pd.DataFrame = field(default_factory=pd.DataFrame)
    loud: pd.DataFrame = field(default_factory=pd.DataFrame)
    elsewhere: Results | None = None  # with the placements that do not answer, too
    statements: pd.DataFrame = field(default_factory=pd.DataFrame)
    times: pd.DataFrame = field(default_factory=pd.DataFrame)
    os: pd.DataFrame = field(default_factory=pd.DataFrame)
    trees: pd.DataFrame = field(default_factory=pd.DataFrame)
    devices: pd.DataFrame = field(default_factory=pd.DataFrame)
    counters: pd.DataFrame = field(default_factory=pd.DataFrame)
    samplers: pd.DataFrame = field(default_factory=pd.DataFrame)
    waits: pd.DataFrame = field(default_factory=pd.DataFrame)
    lsm_jobs: pd.DataFrame = field(default_factory=pd.DataFrame)
    lsm_levels: pd.DataFrame = field(default_factory=pd.DataFrame)
    lsm_writes: pd.DataFrame = field(default_factory=pd.DataFrame)
    stalls: pd.DataFrame = field(default_factory=pd.DataFrame)
    profile_runs: pd.DataFrame = field(default_factory=pd.DataFrame)
    profiled: pd.DataFrame = field(default_factory=pd.DataFrame)
    profiles: pd.DataFrame = field(default_factory=pd.DataFrame)
    stacks: pd.DataFrame = field(default_factory=pd.DataFrame)
    leaves: pd.DataFrame = field(default_factory=pd.DataFrame)
    counted: pd.DataFrame = field(default_factory=pd.DataFrame)
    counted_paths: pd.DataFrame = field(default_factory=pd.DataFrame)
    measures: tuple[str, ...] = MEASURES  # of turns, that somebody will look at

    @property
    def dimensions(self) -> tuple[str, ...]:
        """The columns of ``metric`` that tell cells apart and may stand in a base."""
        return dimensions_of(self.metric)

    @property
    def base(self) -> dict[str, str]:
        return self.study.base

    @property
    def compared(self) -> str:
        """The dimension whose values are compared; the first where the base has more."""
        return next(iter(self.study.base))

    @property
    def own(self) -> pd.DataFrame:
        """``metric`` of the study itself, without the studies it reads besides."""
        return self.metric[self.metric["set"] == self.study.slug]

    @property
    def others(self) -> pd.DataFrame:
        """``metric`` of the studies under `also`."""
        return self.metric[self.metric["set"] != self.study.slug]

    @property
    def pace_ms(self) -> float:
        """How long a fixed piece of work took on the machine; NaN: not recorded."""
        return pace_ms(probed(self.runs, self.probes))

    def floor(self, metric: str = "throughput") -> pd.DataFrame | None:
        """The noise floor of the machines by their A/A runs; None without any.

        Builds with the same code at the same addresses have no build effect.
        """
        if self.aa.empty:
            return None
        floor = noise_floor(self.aa, metric)
        same = self.study.same_code
        return floor.assign(build_sd=0.0, build_df=np.inf) if same else floor

    def judged_aa(self, metric: str = "throughput") -> pd.DataFrame:
        """Every A/A arm against `main`: what is called a change there is false."""
        if self.aa.empty:
            raise UserError(
                f"no A/A runs of {self.study.slug}: `benchbook calibrate "
                f"{self.study.slug}` makes them"
            )
        floor = noise_floor(self.aa, metric)
        compared = relative(self.aa, {"arm": MAIN}, metric, floor=floor)
        return verdicts(compared, self.study.margin)

    def judged(self, metric: str = "throughput") -> pd.DataFrame:
        """Every cell against its base, with interval and verdict.

        Of several placements those of the first are judged with all: what is said of one
        is what a table of all says.
        """
        if self.elsewhere is not None:
            judged = self.elsewhere.judged(metric)
            mine = judged["placement"].isin(self.metric["placement"])
            return judged[mine].reset_index(drop=True)
        compared = relative(
            self.metric, self.base, metric, floor=self.floor(metric),
            turns=self.turn_ratios,
        )  # fmt: skip
        return verdicts(compared, self.study.margin)

    @cached_property
    def turn_ratios(self) -> TurnRatioFrame | None:
        """Ratios of what took turns, by the clock and per CPU second; None without.

        With `until: decided` those by the clock have the intervals of all looks at them:
        the usual one of a look that stopped because of what it saw is too short.
        """
        if self.turns.empty:
            return None
        keys = keys_of(self.runs, self.base, self.dimensions)
        ratios = ratios_of(self.loads, keys, self.base)
        if self.decided.empty:
            return ratios
        return as_decided(ratios, self.decided, [*self.dimensions, "step", "op"])

    @cached_property
    def loads(self) -> pd.DataFrame:
        """Ratios of what took turns, of each load by itself; empty without turns."""
        if self.turns.empty:
            return pd.DataFrame()
        turns = self.turns[~self.turns["step"].isin(UNRATED)]  # has no rate
        keys = keys_of(self.runs, self.base, self.dimensions)
        rounds = paired_rounds(turns, self.runs, self.base, keys[:-2])
        return session_ratios(rounds, keys, self.measures)

    @cached_property
    def decided(self) -> pd.DataFrame:
        """The comparisons of a study with `until: decided`; empty without any.

        One row per arm and step's main op, by the clock, as ``decisions`` has them.
        """
        if not self.study.until or self.turns.empty:
            return pd.DataFrame()
        from benchbook.results.decided import decided_comparisons  # slow, rarely needed

        own = self.runs[self.runs["study"] == self.study.slug]
        return decided_comparisons(
            self.study, own, self.turns, self.steps, self.dimensions, self.tests
        )

    @property
    def tests(self) -> int:
        """How many comparisons with the base ``judged`` has by the clock, at most."""
        from benchbook.results.decided import is_compared  # as above

        if not set(self.base) <= set(self.metric.columns):
            return 0
        rows = select(self.metric[is_compared(self.metric["step"], self.study)])
        others = rows[label(rows, list(self.base)) != name_of(self.base)]
        return len(others[[*self.dimensions, *measurement_of(rows)]].drop_duplicates())

    def without_sessions(self, metric: str = "throughput") -> pd.DataFrame:
        """Rows of a metric for detectors: without what the sessions differ by."""
        if self.turns.empty:
            return self.metric
        sessions = self.turns.drop_duplicates("run_id").set_index("run_id")["session"]
        return without_sessions(self.metric, sessions, metric)

    def odd_base_run(self, metric: str = "throughput") -> list[Hazard]:
        """A base run that alone makes many verdicts, as a hazard.

        None where arms took turns: a session is a partner of each arm at the same time.
        """
        if len(self.turns):
            return []
        floor, margin = self.floor(metric), self.study.margin
        return odd_base_run(self.metric, self.base, margin, metric, floor=floor)

    def judged_suite(self, metric: str = "throughput") -> pd.DataFrame:
        """The geometric mean over all steps of each compared cell, with its verdict.

        Cells are told apart by what varies within a step: a dimension that follows from
        the step (the library that a checksum comes from) does not split the suite.
        """
        rows = select(self.metric, metric)
        of_step = rows.groupby("step")[list(self.dimensions)].nunique(dropna=False)
        dims = [d for d in self.dimensions if (of_step[d] > 1).any()]
        means = suite(
            rows, self.base, None, metric, dims, floor=self.floor(metric),
            turns=self.turn_ratios, loads=self.loads if len(self.loads) else None,
        )  # fmt: skip
        return verdicts(means, self.study.margin)

    @property
    def main_samples(self) -> pd.DataFrame:
        """``samples`` of each step's main op, whose rate is the step's throughput."""
        return self._of_main_ops(self.samples)

    @property
    def main_times(self) -> pd.DataFrame:
        """``times`` of each step's main op; empty where no run has them."""
        return self.times if self.times.empty else self._of_main_ops(self.times)

    @property
    def main_turns(self) -> pd.DataFrame:
        """``turns`` of each step's main op; empty where no run took turns."""
        return self.turns if self.turns.empty else self._of_main_ops(self.turns)

    def _of_main_ops(self, frame: pd.DataFrame) -> pd.DataFrame:
        main = self.steps.loc[self.steps["main"], ["run_id", "step", "op"]]
        return frame.merge(main, on=["run_id", "step", "op"])
