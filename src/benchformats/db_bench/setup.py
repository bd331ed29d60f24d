"""What the name of a file of db_bench results says of the set-up behind its figures.

``sum.iobuf.clang.lto.txt`` is of one compiler, ``fmt.byrx.hcc.abs1.tsv`` of one block
cache (LRU, hyper clock cache). A file named ``both`` has each version twice, with LRU and
then with the hyper clock cache: the files of one cache beside all archived ones show it.
``sum2`` and ``csum2`` begin with the base of the comparison. Where its version occurs
again it is of another build, which the file does not name.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field

CACHE = "block_cache"
COMPILER = "compiler"
BOTH = "each version twice: read as its block caches lru and hcc, in this order"
BASE = "the base of the comparison: the file does not name its build"

_COMPILER = re.compile(r"\.((?:gcc|clang)\d{0,3}(?:\.lto)?)(?=\.)", re.ASCII)
_CACHE = re.compile(r"\.(lru|hcc|both)(?=\.)")
_CACHES = ("lru", "hcc")
_WITH_BASE = re.compile(r"c?sum2\.")


@dataclass(frozen=True)
class Setup:
    """Dimensions of all figures of a file, and which of them its repeats differ in."""

    dims: dict[str, str] = field(default_factory=dict)
    both: bool = False  # block caches
    base: bool = False  # comes first

    def dims_of(self, cells: Sequence[Hashable]) -> list[dict[str, str]]:
        """Of the rows (or columns) of a step, told by what names each: its version."""
        counts, before = Counter(cells), Counter[Hashable]()
        dims_of_cells = []
        for cell in cells:
            dims = dict(self.dims)
            if self.both and counts[cell] == len(_CACHES):
                dims[CACHE] = _CACHES[before[cell]]
            before[cell] += 1
            dims_of_cells.append(dims)
        if self.begins_with_base(cells):
            dims_of_cells[0].pop(COMPILER, None)
        return dims_of_cells

    def begins_with_base(self, cells: Sequence[Hashable]) -> bool:
        """The first is of another build than the others, one of which has its name."""
        return self.base and bool(cells) and cells[0] in cells[1:]


def setup_of(name: str) -> Setup:
    """What a file's name says, between dots."""
    cache, compiler = _CACHE.search(name), _COMPILER.search(name)
    both = cache is not None and cache[1] == "both"
    dims = {CACHE: cache[1]} if cache and not both else {}
    dims |= {COMPILER: compiler[1]} if compiler else {}
    return Setup(dims, both, bool(_WITH_BASE.match(name)))
