"""What makes the numbers of whole engines doubtful, and the fix of each hazard."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

import pandas as pd

from benchmath.frames import check_base, label, require
from benchmath.hazard import Hazard
from benchmath.hazards.runs import missed_targets, short_steps
from benchmath.settings import not_taken

SERVERS = ("postgres", "mysql", "mariadb", "myrocks")
# Settings by which a commit may be lost when the machine fails.
DURABLE = (
    "synchronous", "journal_mode", "fsync", "synchronous_commit", "full_page_writes",
    "innodb_flush_log_at_trx_commit", "innodb_doublewrite", "sync_binlog",
    "rocksdb_flush_log_at_trx_commit",
)  # fmt: skip
FIXES: Mapping[str, str] = {
    "short step": "lengthen it: seconds=10 or more, or more rows or keys",
    "SLA missed": "ignore its query rate, or lower the rate",
    "closed loop": "read the response times of the rate-limited inserts, or set a rate",
    "build changed": "compare inside one series, or divide by the calibration pair",
    "client on the same host": "placement: split, or a client on another host",
    "client on the same machine": "a client on another host",
    "prepared on one side": "prepare: [1] for all",
    "durability": "give both the same durability in their settings files",
    "setting not taken": "it is what was measured: say so, or ask for what it takes",
    "debt": "put a step before it that pays for them: cleanup, flush_mt_l0",
    "index creation": "compare l.x inside one engine only",
    "odd base run": "measure more trials",
    "changed together": "change one thing at a time",
    "not frozen": "order: abba, or servers that the study starts here",
}
_WRITES = ("insert", "delete", "index")


def with_fixes(hazards: Iterable[Hazard]) -> list[Hazard]:
    """The same hazards, each text followed by the optional fix of its kind."""
    return [
        replace(h, text=f"{h.text} (fix: {FIXES[h.code]})") if h.code in FIXES else h
        for h in hazards
    ]


def in_effect(runs: pd.DataFrame) -> pd.DataFrame:
    """Runs whose settings lack sync_binlog where there is no binary log to be synced."""
    require(runs, ("settings",))
    effective = [
        {k: v for k, v in settings.items() if k != "sync_binlog"}
        if isinstance(settings, Mapping) and settings.get("log_bin") == "OFF"
        else settings
        for settings in runs["settings"]
    ]
    return runs.assign(settings=effective)


def short_together(steps: pd.DataFrame, seconds: float = 10.0) -> list[Hazard]:
    """The short steps of ``short_steps`` under one text, so that a table says it once."""
    short = short_steps(steps, seconds)
    took = steps[steps["ops"] != 0].groupby("step")["elapsed_ns"].min() / 1e9
    names = [h.where["step"] for h in short]
    times = ", ".join(f"{name} {took[name]:.2g} s" for name in names)
    return [replace(h, text=f"shorter than {seconds:g} s: {times}") for h in short]


def missed_together(sla: pd.DataFrame) -> list[Hazard]:
    """The missed rates of ``missed_targets`` under one text, for inserts and deletes."""
    missed = missed_targets(sla)
    if not missed:
        return []
    worst = sla.loc[sla["ratio"].idxmin()]
    text = "the writers reached less than 95% of their rate, at worst "
    text += f"{worst['ratio']:.0%} in {worst['step']}: not comparable"
    hazards: list[Hazard] = []
    for hazard in missed:
        one = replace(hazard, text=text)
        hazards += [] if one in hazards else [one]
    return hazards


def settings_not_taken(runs: pd.DataFrame) -> list[Hazard]:
    """Cells whose engine has a setting otherwise than its settings file asks for.

    What such a cell is named after may not be what was measured.
    """
    require(runs, ("engine", "version", "config", "settings"))
    found: list[Hazard] = []
    for run in runs.to_dict("records"):
        cell = {c: str(run[c]) for c in ("engine", "version", "config")}
        for name, (asked, has) in not_taken(run).items():
            text = (
                f"{cell['engine']} {cell['version']} has {name} at {has}, where the "
                f"settings file {cell['config']} asks for {asked}"
            )
            one = Hazard("setting not taken", text, cell)
            found += [] if one in found else [one]
    return found


def client_on_host(runs: pd.DataFrame) -> list[Hazard]:
    """Servers whose client ran on the same machine, by placement.

    Where both share the CPUs, the client takes some of them from the server; with CPUs of
    its own it takes memory and the machine's other means. cpu/o does not hold it. A
    server that was connected to may be anywhere, and is not named.
    """
    require(runs, ("engine", "placement"))
    mine = runs[runs["engine"].isin(SERVERS) & ~connected(runs)]
    text = {
        "same": ("host", "client and server share one CPU"),
        "none": ("host", "client and server share the CPUs"),
        "split": ("machine", "client and server share a machine, on CPUs of their own"),
    }
    other = ("host", "client and server run on one machine")
    hazards = []
    for placement in dict.fromkeys(mine["placement"]):
        what, shared = text.get(placement, other)
        words = f"{shared}: throughput holds the client's work, cpu/o is the server's own"
        code = f"client on the same {what}"
        hazards.append(Hazard(code, words, {"placement": str(placement)}))
    return hazards


def prepared_on_one_side(runs: pd.DataFrame, base: Mapping[str, str]) -> list[Hazard]:
    """Comparisons in which one side prepared its statements and the other did not.

    ``runs`` needs the base's dimensions; without a column ``prepare`` all are prepared.
    """
    if "prepare" not in runs.columns or "prepare" in base or runs.empty:
        return []
    runs = runs.assign(prepare=runs["prepare"].astype(str).replace("", "1"))
    is_base = check_base(runs, base)
    theirs = set(runs.loc[is_base, "prepare"])
    others = runs[~is_base]
    return [
        Hazard(
            "prepared on one side",
            f"{me} {'prepared' if '1' in mine else 'sent as text'}, the base not so",
            {"me": str(me)},
        )
        for me, part in others.groupby(label(others, list(base)), sort=False)
        if not (mine := set(part["prepare"])) & theirs
    ]


def write_debt(steps: pd.DataFrame) -> list[Hazard]:
    """Steps that only read or query, right after writes without a cleanup between them.

    Needs step, seq, op and main. The step pays for the load: vacuum, compaction,
    write-back.
    """
    require(steps, ("step", "seq", "op", "main"))
    main = steps[steps["main"].astype(bool)]
    order = main.drop_duplicates(["step", "op"]).sort_values("seq", kind="stable")
    hazards, before = [], ""
    for row in order[["step", "op"]].drop_duplicates("step").itertuples(index=False):
        if row.op in ("query", "scan") and before:
            text = f"{row.step} pays for the writes of {before} before it"
            hazards.append(Hazard("debt", text, {"step": str(row.step)}))
        before = str(row.step) if row.op in _WRITES else ""
    return hazards


def index_creation(
    runs: pd.DataFrame, base: Mapping[str, str], steps: Iterable[str] = ("l.x",)
) -> list[Hazard]:
    """l.x compared over engines: some create three indexes in one pass, some in three."""
    if "engine" not in base or runs["engine"].nunique() < 2 or "l.x" not in set(steps):
        return []
    text = "engines create the three indexes in one pass or in three, in parallel or not"
    return [Hazard("index creation", text, {"step": "l.x"})]


def connected(runs: pd.DataFrame) -> pd.Series:
    """Runs whose server was not started for them: its target is a variable's value."""
    if "spec" not in runs.columns:
        return pd.Series(False, index=runs.index)
    return runs["spec"].astype(str).str.contains('"env:', regex=False)
