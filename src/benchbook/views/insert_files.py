"""What a post of the insert benchmark measured, in the layout that its tools read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from IPython.display import HTML

from benchbook.results.results import Results
from benchbook.views.engines import main_hists
from benchbook.views.workloads import links, tags_of
from benchformats.iibench.figures import is_query_step
from benchformats.iibench.written import merged, per_second
from benchmath.costs.io import main_op
from benchmath.frames import label
from benchmath.latency.histogram import percentiles

FILE = "mrg.some"
_COSTS = ("r_o", "rkb_o", "w_o", "wkb_o", "cs_o", "machine_cpu_o")
_GIB = 2**30


def insert_downloads(results: Results) -> HTML:
    """Links to ``insert_files``."""
    return links(insert_files(results), "No such file: cells differ in their clients.")


def insert_files(results: Results) -> dict[str, str]:
    """mrg.some by its name: a line per step and DBMS, with rates, costs and sizes.

    None where cells differ in their clients or the CPUs of their machines.
    """
    metric = results.metric
    environs = [env for env in results.runs["env"] if isinstance(env, dict)]
    cpus = {env["cpus"] for env in environs if "cpus" in env}
    if len(cpus) != 1 or metric["dop"].nunique() != 1:
        return {}
    names, tags = list(results.base), tags_of(results)
    metric = metric.assign(tag=label(metric, names).map(tags))
    cells = _Cells(
        metric.groupby(["step", "tag", "op", "metric"])["value"].mean().to_dict(),
        main_op(metric).groupby(["step", "tag", "metric"])["value"].mean().to_dict(),
        _longest(results, names, tags), int(cpus.pop()),
    )  # fmt: skip
    steps = dict.fromkeys(metric.sort_values("seq", kind="stable")["step"].astype(str))
    figures = {step: {t: cells.line(step, t) for t in tags.values()} for step in steps}
    known = {
        step: {tag: line for tag, line in of.items() if line}
        for step, of in figures.items() if any(of.values())
    }  # fmt: skip
    return {FILE: merged(known)} if known else {}


@dataclass(frozen=True)
class _Cells:
    """Means over the runs: rates of each op, costs of the main, longest operations."""

    rates: Mapping[tuple[str, str, str, str], float]
    costs: Mapping[tuple[str, str, str], float]
    longest: Mapping[tuple[str, str], float]
    cpus: int

    def line(self, step: str, tag: str) -> dict[str, float]:
        """The columns of a step of a cell; nothing where it has no rate."""
        inserts = max(
            self.rates.get((step, tag, op, "ips"), 0.0) for op in ("insert", "index")
        )
        queries = self.rates.get((step, tag, "query", "qps"), 0.0)
        if not (queries if is_query_step(step) else inserts):
            return {}
        costs = {
            name: self.costs[step, tag, name]
            for name in _COSTS if (step, tag, name) in self.costs
        }  # fmt: skip
        found = per_second(step, inserts, queries, costs, self.cpus)
        if (step, tag, "size_bytes") in self.costs:
            found["dbgb1"] = self.costs[step, tag, "size_bytes"] / _GIB
        if (step, tag) in self.longest:
            found["maxop"] = self.longest[step, tag]
        return found


def _longest(
    results: Results, names: list[str], tags: dict[str, str]
) -> dict[tuple[str, str], float]:
    """maxop: the longest main operation in seconds, by step and DBMS."""
    hists = main_hists(results)
    hists = hists[hists["clock"] == "actual"]
    if hists.empty:
        return {}
    times = percentiles(hists.assign(tag=label(hists, names).map(tags)), ["step", "tag"])
    return {
        (str(row["step"]), str(row["tag"])): float(row["max"]) / 1e6
        for _, row in times.iterrows()
    }
