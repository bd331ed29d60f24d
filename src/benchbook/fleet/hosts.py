"""The hosts of a fleet, as hosts.yml names them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchbook.machine.facts import NAME
from benchbook.study.cell import Cell
from benchbook.study.yaml_file import read_yaml
from benchmath.errors import UserError

KEYS = ("name", "ssh", "folder", "cpus", "only")
_CPUS = re.compile(r"\d+(-\d+)?(,\d+(-\d+)?)*")


@dataclass(frozen=True)
class Host:
    """A machine that measures; ``name`` is that of its runs."""

    name: str
    ssh: str  # as OpenSSH takes it: user@address, or a Host of ssh_config
    folder: str = "benchbook"  # below its home, unless it begins with /
    cpus: str = ""  # that may be used, as taskset takes them; all by default
    only: Mapping[str, frozenset[str]] = field(default_factory=dict, hash=False)

    def may_run(self, cell: Cell) -> bool:
        """Has the cell, in each dimension that ``only`` names, one of its values?"""
        have = cell.dimensions()
        return all(have.get(name) in values for name, values in self.only.items())


@dataclass(frozen=True)
class Fleet:
    """hosts; ssh_config: in place of the user's own; patience_s: how long a host may be
    silent before its work is given to others."""

    hosts: tuple[Host, ...]
    ssh_config: str = ""
    patience_s: float = 300.0


def read_hosts(file: Path) -> Fleet:
    """hosts.yml; UserError says where it is wrong."""
    if not file.is_file():
        raise UserError(f"{file}: no such file; write the hosts there (GUIDE.md)")
    raw = read_yaml(file)
    if not isinstance(raw, dict):
        raise UserError(f"{file}: write hosts: [{{name: bee, ssh: user@bee}}]")
    patience = raw.get("patience", 300)
    if isinstance(patience, bool) or not isinstance(patience, int | float):
        raise UserError(f"{file}: patience {patience!r}: write seconds, such as 300")
    strange = sorted(set(raw) - {"hosts", "ssh_config", "patience"})
    if strange or not isinstance(raw.get("hosts"), list) or not raw["hosts"]:
        why = f"unknown key {strange[0]!r}" if strange else "no list `hosts`"
        raise UserError(f"{file}: {why}; write hosts: [{{name: bee, ssh: user@bee}}]")
    hosts = tuple(_host(one, file) for one in raw["hosts"])
    for what in ("name", "ssh"):
        named = [(getattr(h, what), h.folder if what == "ssh" else "") for h in hosts]
        if twice := [n for n in named if named.count(n) > 1]:
            raise UserError(f"{file}: two hosts have the {what} {twice[0][0]!r}")
    config = str(raw.get("ssh_config", ""))
    if config:
        config = str((file.parent / Path(config).expanduser()).resolve())
    return Fleet(hosts, config, float(patience))


def _host(raw: Any, file: Path) -> Host:
    if not isinstance(raw, dict) or not {"name", "ssh"} <= raw.keys():
        raise UserError(f"{file}: a host is {{name: ..., ssh: ...}}, not {raw!r}")
    if strange := sorted(raw.keys() - set(KEYS)):
        raise UserError(
            f"{file}: {raw['name']}: unknown key {strange[0]!r}; available: "
            f"{', '.join(KEYS)}"
        )
    if not isinstance(raw.get("only", {}), dict):
        raise UserError(f"{file}: {raw['name']}: only: write {{engine: [postgres]}}")
    host = Host(
        str(raw["name"]), str(raw["ssh"]), str(raw.get("folder", "benchbook")),
        str(raw.get("cpus", "")), _only(raw.get("only", {})),
    )  # fmt: skip
    if not NAME.fullmatch(host.name):
        raise UserError(
            f"{file}: name {host.name!r}: use letters, digits, dots and dashes"
        )
    if host.ssh.startswith("-") or re.search(r"\s", host.ssh):
        raise UserError(f"{file}: {host.name}: ssh {host.ssh!r}: write user@address")
    if host.cpus and not _CPUS.fullmatch(host.cpus):
        raise UserError(f"{file}: {host.name}: cpus {host.cpus!r}: write 0-3 or 0,2")
    if not re.fullmatch(r"[A-Za-z0-9_./~-]+", host.folder):
        raise UserError(f"{file}: {host.name}: folder {host.folder!r}: a plain path")
    return host


def _only(raw: Mapping[str, Any]) -> dict[str, frozenset[str]]:
    values = {k: v if isinstance(v, list) else [v] for k, v in raw.items()}
    return {str(k): frozenset(map(str, v)) for k, v in values.items()}
