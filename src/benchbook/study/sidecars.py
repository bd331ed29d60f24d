"""What stands beside a run and looks on, and which runs are made only to be looked at."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from benchbook.study.cell import Step

SERVER, CLIENT = "server", "client"
Parsed = Callable[[Sequence[str]], tuple[Step, ...]]  # what a list of steps says


@dataclass(frozen=True)
class Watch:
    """The sidecars of each run of a study; the defaults cost next to nothing."""

    sampler_hz: float = 1.0  # 0: none
    counters: bool = False  # performance counters of client and server, by the sampler
    waits: bool = False  # what the sessions of a server wait for, once a second

    @property
    def sample_ms(self) -> int:
        return round(1000 / self.sampler_hz) if self.sampler_hz else 0

    def record(self) -> dict[str, Any]:
        """What differs from the defaults: it may change what is measured."""
        usual = asdict(Watch())
        return {k: v for k, v in asdict(self).items() if v != usual[k]}


@dataclass(frozen=True)
class Profile:
    """Runs with perf beside them: of which steps, for how long, how often."""

    steps: tuple[str, ...]
    trials: int = 3
    hz: int = 999
    event: str = "auto"
    call_graph: str = "fp"
    after_s: float = 0.5  # since the step's begin
    seconds: float = 2.0
    trees: tuple[str, ...] = ()  # () is the server where there is one, else the client
    off_cpu: bool = False
    pmp_s: int = 0  # a stack of every thread by gdb each so many seconds; 0: none

    def record(self) -> dict[str, Any]:
        """What decides what is recorded."""
        said = asdict(self)
        return said if self.pmp_s else {k: v for k, v in said.items() if k != "pmp_s"}

    def trees_of(self, is_server: bool) -> tuple[str, ...]:
        trees = self.trees or ((SERVER,) if is_server else (CLIENT,))
        return trees if is_server else (CLIENT,)


@dataclass(frozen=True)
class Counted:
    """Runs whose instructions are counted: in which steps, where not in the study's."""

    steps: tuple[Step, ...] = ()
    trials: int = 1


def watch_of(raw: Mapping[str, Any]) -> Watch:
    """The sidecars that a study.yml asks for."""
    return Watch(
        sampler_hz=float(raw.get("sampler_hz", Watch.sampler_hz)),
        counters=raw.get("counters", False),
        waits=raw.get("waits", False),
    )


def profile_of(raw: Mapping[str, Any]) -> Profile | None:
    """What `profile:` and `off_cpu:` say; None where nothing is profiled."""
    if "profile" not in raw:
        return None
    said: dict[str, Any] = {
        k: tuple(v) if isinstance(v, list) else v for k, v in raw["profile"].items()
    }
    return Profile(**said, off_cpu=raw.get("off_cpu", False))


def counted_of(raw: Mapping[str, Any], parsed: Parsed) -> Counted | None:
    """What `instructions:` says; None where none are counted."""
    if "instructions" not in raw:
        return None
    said = raw["instructions"]
    return Counted(parsed(said.get("steps", [])), said.get("trials", 1))
