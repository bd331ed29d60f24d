"""Turns and runs of small sessions, as the views of these names have them."""

from collections.abc import Mapping, Sequence

import pandas as pd

TURN_NS = 100_000_000
Arms = Mapping[str, Sequence[int]]


def session(name: str, arms: Arms, **fixed: object) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Turns and runs of one session: of each version its operations round by round."""
    turn = {
        "step": "s", "op": "query", "seq": 1, "place": 0, "begin_ns": 0, "rows": 0,
        "active_ns": TURN_NS, "head_ns": TURN_NS // 10, "head_ops": 0,
        "client_cpu_ns": TURN_NS // 4, "server_cpu_ns": TURN_NS // 4,
        "machine_cpu_ns": TURN_NS, "steal_ns": 0, "session": name,
    } | fixed  # fmt: skip
    turns = [
        turn | {"run_id": f"{name} {version}", "arm": arm, "round": n, "ops": count}
        for arm, (version, ops) in enumerate(arms.items(), 1)
        for n, count in enumerate(ops, 1)
    ]
    runs = [{"run_id": f"{name} {version}", "version": version} for version in arms]
    return pd.DataFrame(turns), pd.DataFrame(runs)


def sessions(**named: Arms) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Turns and runs of several sessions."""
    frames = [session(name, arms) for name, arms in named.items()]
    turns, runs = (pd.concat(of, ignore_index=True) for of in zip(*frames, strict=True))
    return turns, runs
