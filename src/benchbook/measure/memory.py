"""Whether all arms of a session fit into memory at once, and how to split them if not."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path

from benchbook.machine.facts import meminfo
from benchbook.measure.spec import Prepared
from benchbook.study.check import amount_bytes
from benchmath.errors import UserError

USABLE = 0.8  # of the memory that is available: the page cache wants some
BESIDE = 256 << 20  # of an engine beside its cache, and of its client
_CACHE = re.compile(
    r"^\s*(?:loose_)?(?:shared_buffers|innodb_buffer_pool_size|rocksdb_block_cache_size"
    r"|key_buffer_size|memory_limit)\s*=\s*'?(\d+\s*[KMG]?)B?'?",
    re.MULTILINE,
)


def available_bytes() -> int:
    """Memory of this machine that programs can have now."""
    return 1024 * meminfo(Path("/"), "MemAvailable")


def need(prepared: Prepared) -> int:
    """Bytes that an arm may come to use: its limit, or its caches and what is beside.

    A guess: what a settings file does not name is an engine's default, which is small.
    """
    limit = dict(prepared.cell.dims).get("memory")
    if limit:
        return amount_bytes(limit) + BESIDE
    if prepared.build.variable:  # its server runs elsewhere
        return BESIDE
    text = prepared.config.file.read_text() if prepared.config.file else ""
    return BESIDE + sum(amount_bytes(m.replace(" ", "")) for m in _CACHE.findall(text))


def parts(
    group: Sequence[int],
    is_base: Callable[[int], bool],
    needs: Callable[[int], int],
    room: int,
) -> list[list[int]]:
    """The group in as few sessions as fit into ``room`` bytes, the base in each.

    Errors: the base and one other arm do not fit.
    """
    base = [i for i in group if is_base(i)][:1]
    others = [i for i in group if i not in base]
    split: list[list[int]] = []
    for arm in others:
        if split and sum(map(needs, [*split[-1], arm])) <= room:
            split[-1].append(arm)
        else:
            split.append([*base, arm])
        if sum(map(needs, split[-1])) > room:
            wanted = sum(map(needs, split[-1])) / 2**20
            raise UserError(
                f"two arms that take turns may need {wanted:.0f} MiB and there are "
                f"{room / 2**20:.0f} MiB for them: use a config with smaller caches, or "
                "`order: abba`, where each has the machine for itself"
            )
    return split or [base]
