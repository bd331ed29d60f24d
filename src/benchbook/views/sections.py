"""The closing sections of a post: builds, configuration, machine, commands, caveats.

Frames in, frames or Said out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import nan

import pandas as pd

from benchbook.escaped import coded
from benchbook.finding import Said, names_as_data
from benchbook.results.drift import mapping_of
from benchbook.study.published import Explains
from benchbook.study.study import Study
from benchmath.frames import Kind
from benchmath.hazard import Hazard
from benchmath.hazards.pace import pace_ms, times_slower
from benchmath.prose import counted, number

STEADY = (
    "kernel",
    "cpu_model",
    "cpus",
    "microcode",
    "governor",
    "thp",
    "mem_kib",
    "swap_kib",
)
_FACT = {
    "cpu_model": "CPU", "cpus": "CPUs", "thp": "transparent huge pages",
    "mem_kib": "memory", "swap_kib": "swap",
}  # fmt: skip
COUNTED = ("crc32", "pclmul", "xmm", "ymm", "zmm")
_INSTRUCTIONS = Kind("instructions", dict.fromkeys((*COUNTED, "all"), "count"))
_BUILDS = Kind("builds_of", {"runs": "count"})
# Where the work of a step is done: engine, step, functions in the order of preference.
WORK = (
    ("rocksdb", "crc32c", ("crc32c_3way", "ExtendImpl", "Extend")),
    ("xxhash", "xxh3", ("XXH3_hashLong_64b_default", "XXH3_hashLong_64b", "XXH3_64bits")),
)
TIGHT_LOOP = (
    "one block is checksummed over and over: it stays in the first-level cache, and the "
    "branch predictor knows the loop"
)


def builds_of(runs: pd.DataFrame) -> pd.DataFrame:
    """One row per engine, version and build: what its compiler calls itself, runs."""
    keys = ["engine", "version", "build", "compiler_line"]
    counts = runs.groupby(keys, sort=False, dropna=False).size().reset_index(name="runs")
    return _BUILDS.shown(counts.rename(columns={"compiler_line": "compiler"}))


def machine_facts(runs: pd.DataFrame, probes: pd.DataFrame | None = None) -> pd.DataFrame:
    """What the runs say of their machine; several values mean that it changed.

    ``probes``, of ``benchmath.hazards.pace.probed``, say how fast it was.
    """
    facts: dict[str, list[str]] = {}
    for run in runs.to_dict("records"):
        env = mapping_of(run["env"])
        _note(facts, "machine", f"{run['machine']} ({run['machine_id']})")
        for key in STEADY:
            if env.get(key) not in (None, ""):
                _note(facts, _FACT.get(key, key), _fact(key, env[key]))
    if probes is not None and len(probes):
        of_machine = probes["run_id"].map(runs.set_index("run_id")["machine"])
        for _, own in probes.groupby(of_machine, sort=False):
            _note(facts, "fixed piece of work", _took(own))
    rows = [(k, v[0] if len(v) == 1 else " → ".join(v)) for k, v in facts.items()]
    return pd.DataFrame(rows, columns=["fact", "value"])


def _took(probes: pd.DataFrame) -> str:
    probes = probes.drop_duplicates("probe")  # all arms of a session have the same
    low, high = probes["work_ns"].quantile([0.05, 0.95]) / 1e6
    range_ = f"5 to 95%: {number(low)} to {number(high)}"
    return f"{number(pace_ms(probes))} ms ({counted(len(probes), 'probe')}; {range_})"


def _fact(name: str, value: object) -> str:
    """A fact as a reader takes it in: memory in GiB, all else as it was read."""
    if name.endswith("_kib") and isinstance(value, int):
        return f"{value / 2**20:.1f} GiB" if value else "none"
    return str(value)


def instructions(counts: pd.DataFrame, runs: pd.DataFrame) -> pd.DataFrame:
    """Instructions of the function that does a checksum's work, one row per build.

    ``counts`` has run_id, function, mnemonic_class, count. Columns: step, build,
    function, then counts: crc32, pclmul, xmm, ymm, zmm (128, 256 and 512 bits), all.
    """
    one = runs.drop_duplicates(["engine", "version", "build"])
    functions = counts.merge(one[["run_id", "engine", "build"]], on="run_id")
    rows = []
    for engine, step, names in WORK:
        for build, mine in functions[functions["engine"] == engine].groupby(
            "build", sort=False
        ):
            function = _first_match(mine["function"], names)
            body = mine[mine["function"] == function]
            count = body.groupby("mnemonic_class")["count"].sum()
            row = {"step": step, "build": build, "function": _bare(function)}
            row |= {name: int(count.get(name, 0)) for name in COUNTED}
            rows.append(row | {"all": int(count.sum())})
    columns = ["step", "build", "function", *_INSTRUCTIONS.columns]
    return _INSTRUCTIONS.shown(pd.DataFrame(rows, columns=columns))


def _first_match(functions: pd.Series, names: Sequence[str]) -> str:
    """The function of the first pattern that any matches; inlining moves the work."""
    for name in names:
        matching = sorted({f for f in functions if name in f}, key=len)
        if matching:
            return matching[0]
    return ""


def _bare(function: str) -> str:
    """A C++ function without its arguments and namespaces."""
    return function.split("(")[0].rsplit("::", 1)[-1]


def commands(study: Study) -> Said:
    """How to make these runs and this page again; published figures need no runs."""
    program = ".venv/bin/benchbook"
    lines = ["# in a checkout of this repository"]
    if study.live:
        lines.append("make report  # set-up, then every post")
    else:
        lines.append("./setup.sh report")
    if not study.data:
        lines += [
            f"{program} plan {study.slug}  # cells, time, smallest effect",
            f"{program} run {study.slug}  # only what is missing",
        ]
    lines.append(f"{program} post {study.slug}")
    return Said("```bash\n" + "\n".join(lines) + "\n```")


@names_as_data
def caveats(hazards: Iterable[Hazard], *more: str) -> Said:
    """Hazards as a list, those of one kind and text together."""
    texts: dict[str, list[str]] = {}
    for hazard in hazards:
        texts.setdefault(hazard.code, []).append(coded(hazard.text))
    lines = []
    for code, said in texts.items():
        distinct = list(dict.fromkeys(said))
        first = "; ".join(distinct[:4])
        rest = f"; and {len(distinct) - 4} more" if len(distinct) > 4 else ""
        lines.append(f"- **{code}**: {first}{rest}")
    lines += [f"- {text}" for text in more]
    return Said("\n".join(lines) or "None known.")


@names_as_data
def explained(entries: Iterable[Explains], slug: str, paces: Mapping[str, float]) -> Said:
    """Why other posts have intervals of the same step that exclude the page's.

    ``paces`` of the posts, in ms, tell whether their machine was as fast.
    """
    lines = [
        f"- **{one.because}**, beside [{name}](../{name}/index.html): "
        + _with_pace(one.text, paces.get(slug, nan), paces.get(name, nan))
        for one in entries
        for name in [one.other if one.post == slug else one.post]
    ]
    head = "Other posts measured some of these steps and found other ratios:"
    return Said("\n".join([head, "", *lines]))


def _with_pace(text: str, here_ms: float, there_ms: float) -> str:
    times = times_slower(here_ms, there_ms)
    if times == 1:
        return text
    where = "here" if here_ms > there_ms else "there"
    both = f"{number(here_ms)} ms here, {number(there_ms)} there"
    slow = f"The machine was {number(times)} times as slow {where} ({both})."
    return f"{text.rstrip('.')}. {slow}"


@names_as_data
def gaps(missing: pd.DataFrame, failed: pd.DataFrame) -> Said:
    """Runs the page should have and has not, and why."""
    lines = []
    for cell, rows in missing.groupby("cell", sort=False):
        trials = ", ".join(map(str, rows["trial"]))
        lines.append(f"- missing: {cell}, trial {trials}")
    for row in failed.to_dict("records"):
        lines.append(f"- failed: {row['tag']} trial {row['trial']}: {row['reason']}")
    return Said("\n".join(lines) or "Every planned run is there; none failed.")


def _note(facts: dict[str, list[str]], key: str, value: str) -> None:
    values = facts.setdefault(key, [])
    if value not in values:
        values.append(value)
