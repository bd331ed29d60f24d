"""Hosts as instances of server types, as frames."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from benchbook.results.results import Results
from benchbook.views.scaling import cpus_of
from benchmath.frames import Kind, MetricFrame, cells_of, label, select
from benchmath.scaling import ScalingFrame, scaling
from benchmath.variation.instances import (
    EFFECT,
    INSTANCE,
    INSTANCES,
    SERVER,
    InstanceFrame,
    instance_variation,
    price_per_million,
    server_ratios,
)

_COSTS = Kind("costs_of_servers", {
    "price": "per hour", "cost": "per million", "cost_low": "per million",
    "cost_high": "per million",
})  # fmt: skip
_DOTS = Kind("rates_of_instances", ("row", "runs", "off"))


def with_servers(results: Results) -> MetricFrame:
    """``metric`` with the type of each host, as `servers` in study.yml has it.

    A host that none of them names is a type of its own.
    """
    types = {
        host: name
        for name, server in results.study.servers.items()
        for host in server.hosts
    }
    hosts = results.metric["machine"].astype(str)
    return results.metric.assign(**{SERVER: [types.get(host, host) for host in hosts]})


def instances_of_servers(
    rows: MetricFrame, metric: str = "throughput", effect: float = EFFECT
) -> InstanceFrame:
    """``instance_variation``, each row with the name of its test."""
    found = instance_variation(rows, metric, effect)
    named = _named(found, "step", INSTANCES.dimensions(found))
    return found.assign(test=named, effect=effect)


def _named(rows: pd.DataFrame, of: str, dimensions: Sequence[str]) -> pd.Series:
    """Column ``of`` with what varies of ``dimensions``, type, host and step apart."""
    aside = {SERVER, INSTANCE, "step", "op", "metric"}
    varying = [d for d in dimensions if d not in aside and rows[d].nunique() > 1]
    names = rows[of].astype(str)
    return names + " " + label(rows, varying) if varying else names


def ratios_of_servers(rows: MetricFrame, metric: str = "throughput") -> pd.DataFrame:
    """``server_ratios`` of every type over the first."""
    return server_ratios(rows, str(rows[SERVER].iloc[0]), metric)


def costs_of_servers(instances: InstanceFrame, results: Results) -> pd.DataFrame:
    """What a million operations cost on each type that has a price."""
    prices = {n: s.price for n, s in results.study.servers.items() if s.price}
    rows = instances[instances[SERVER].isin(list(prices))]
    price = rows[SERVER].map(prices).astype(float)
    ends = {"cost": "rate", "cost_low": "rate_high", "cost_high": "rate_low"}
    costs = {name: price_per_million(rows[rate], price) for name, rate in ends.items()}
    return _COSTS.of(rows.assign(price=price, **costs), [SERVER, "test"])


def laws_of_servers(
    rows: MetricFrame, results: Results, metric: str = "throughput"
) -> ScalingFrame:
    """``scaling`` of each type over the clients; empty where all runs have as many.

    Of a type with several instances a run is an instance's mean, so that intervals are
    over instances; of a single one its own runs.
    """
    chosen = select(rows, metric)
    if chosen["dop"].nunique() < 2:
        return scaling(chosen.head(0))
    several = chosen.groupby(SERVER)[INSTANCE].transform("nunique") > 1
    of_instance = [*cells_of(chosen), "dop"]
    logs = chosen.assign(log=np.log(chosen["value"]))
    means = np.exp(logs.groupby(of_instance, dropna=False)["log"].transform("mean"))
    once = chosen.assign(value=chosen["value"].mask(several, means))
    once = once[~several | ~once.duplicated(of_instance)]
    alike = once.assign(machine=once[SERVER], machine_id=once[SERVER])
    return scaling(alike.drop(columns=SERVER), cpus_of(results.runs))


def rates_of_instances(rows: MetricFrame, metric: str = "throughput") -> pd.DataFrame:
    """Each instance's mean rate relative to that of its type: runs, off (a share).

    ``row`` is the type, with what else varies between its runs, the clients say.
    """
    chosen = select(rows, metric)
    keys = cells_of(chosen)
    logs = chosen.assign(value=np.log(chosen["value"]))
    means = logs.groupby(keys, sort=False, dropna=False)["value"]
    table = means.agg(["size", "mean"]).reset_index()
    of_type = [key for key in keys if key != INSTANCE]
    middle = table.groupby(of_type, sort=False, dropna=False)["mean"].transform("mean")
    off = np.exp(table["mean"] - middle) - 1
    row = _named(table, SERVER, of_type)
    return _DOTS.of(table.assign(row=row, runs=table["size"], off=off), keys)
