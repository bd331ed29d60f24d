"""Names of frames: which symbols are one function, and which kind of code it is.

A function that a compiler copies or splits keeps its name with something behind it:
``walk.isra.0``, ``walk.constprop.0``, ``walk.part.0``, ``walk.cold``, ``walk.llvm.4711``,
``walk.lto_priv.0``. Another version of the compiler, or of the function's caller, splits
otherwise, so all of these are ``walk`` here. Rust's hash (``::h`` and 16 digits) and a
library's version (``@@GLIBC_2.34``) go too, and so do the arguments of C++, which change
with the version: overloads of a function are one. Outlined loops (``._omp_fn.0``),
procedure linkage (``@plt``) and template arguments are code of their own and stay.
"""

import re
from functools import lru_cache

USER, KERNEL, INLINED, JIT = "user", "kernel", "inlined", "jit"
UNKNOWN, PROCESS, MERGED = "unknown", "process", "merged"

_KINDS = {"k": KERNEL, "i": INLINED, "j": JIT}
_CLONE = re.compile(
    r"(?:\.(?:isra|constprop|part|lto_priv|llvm|clone|__uniq)\.\d+"
    r"|\.(?:cold|localalias|lto_priv)(?:\.\d+)?"
    r"| \[clone [^\]]*\]"
    r"|::h[0-9a-f]{16}"
    r"|@@?[A-Z][A-Za-z]*_[\d.]+)$",
    re.ASCII,
)
_QUALIFIED = re.compile(r"\) ?(?:const|volatile|&&?|noexcept| )*$")
_HEX = re.compile(r"0x[0-9a-f]+$|\[unknown\]$", re.ASCII)
_NO_END = ("::", ".", "operator")  # of what arguments stand behind
_MAP = re.compile(r"perf-\d+\.map$", re.ASCII)


@lru_cache(maxsize=2**16)
def function_of(symbol: str) -> str:
    """The function that a symbol belongs to: ``walk(int*) [clone .cold]`` is walk."""
    name = symbol
    while name != (name := _without_arguments(_CLONE.sub("", name))):
        pass
    return name or symbol


def kind_of(letter: str, symbol: str) -> str:
    """user, kernel, inlined, jit, or unknown where only a module's name is known."""
    kind = _KINDS.get(letter, USER)
    return UNKNOWN if kind == USER and symbol.startswith("[") else kind


def reported_name(symbol: str, dso: str) -> str:
    """A row of perf report under the name that perf script's reader gives its leaf.

    Addresses without a symbol are their module, ``[libc.so.6]``; of a frame compiled at
    run time ``caller->callee`` the caller remains.
    """
    if _HEX.match(symbol) or not symbol:
        name = dso.removesuffix(" (deleted)").rpartition("/")[2] or "unknown"
        symbol = name if name.startswith("[") else f"[{name}]"
    elif _MAP.search(dso):
        symbol = symbol.partition("->")[0]
    return symbol.replace(";", ":")


def _without_arguments(name: str) -> str:
    """Without the last pair of parentheses, where a name stands before it."""
    end = _QUALIFIED.search(name)
    if not end:
        return name
    depth = 0
    for at in range(end.start(), -1, -1):
        depth += (name[at] == ")") - (name[at] == "(")
        if depth == 0:
            before = name[:at].rstrip()
            return name if before.endswith(_NO_END) else before or name
    return name
