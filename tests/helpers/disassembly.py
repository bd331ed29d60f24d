"""Instructions by class in the functions of a program: what a compiler made of them.

bench/micro/instructions.c counts the same classes when it builds, into the
instructions.tsv that a run folder carries; here are its reader and the same count for
any binary.
"""

from __future__ import annotations

import io
import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import pandas as pd

from benchmath.errors import UserError

# An instruction belongs to the first class it fits; x86 in AT&T syntax.
CLASSES = {
    "crc32": re.compile(r"crc32"),
    "pclmul": re.compile(r"v?pclmul"),
    "zmm": re.compile(r".*%zmm"),
    "ymm": re.compile(r".*%ymm"),
    "xmm": re.compile(r".*%xmm"),
    "branch": re.compile(r"j|call|ret"),
    "nop": re.compile(r"nop|xchg   %ax,%ax|int3"),
    "other": re.compile(r""),
}
VECTOR = ["xmm", "ymm", "zmm"]
COLUMNS = ["function", "mnemonic_class", "count"]

_FUNCTION = re.compile(r"^[0-9a-f]+ <(.*)>:$")
_INSTRUCTION = re.compile(r"^ *[0-9a-f]+:\t(.*)$")
_PREFIXES = re.compile(
    r"(?:(?:lock|rep|repz|repnz|bnd|notrack|data16|cs|ds|es|ss|rex\.W) +)*"
)


def classify(instruction: str) -> str:
    """The class of one disassembled instruction, prefixes aside."""
    text = _PREFIXES.sub("", instruction, count=1)
    return next(name for name, pattern in CLASSES.items() if pattern.match(text))


def parse_disassembly(text: str, functions: Sequence[str] = ("",)) -> pd.DataFrame:
    """Long counts (function, mnemonic_class, count) from the text objdump prints.

    Only functions whose name contains one of ``functions`` are counted.
    """
    counts = Counter(
        (function, classify(instruction))
        for function, instruction in _instructions(text.splitlines())
        if any(part in function for part in functions)
    )
    rows = [(function, name, count) for (function, name), count in counts.items()]
    return pd.DataFrame(rows, columns=COLUMNS)


def _instructions(lines: Iterable[str]) -> Iterator[tuple[str, str]]:
    function = ""
    for line in lines:
        if header := _FUNCTION.match(line):
            function = header[1]
        elif instruction := _INSTRUCTION.match(line):
            yield function, instruction[1]


def read_instructions(text: str) -> pd.DataFrame:
    """The long counts of an instructions.tsv."""
    frame = pd.read_csv(io.StringIO(text), sep="\t", dtype={"count": int}, quoting=3)
    if list(frame.columns) != COLUMNS:
        raise UserError(
            f"instructions.tsv has the columns {', '.join(frame.columns)}, "
            f"not {', '.join(COLUMNS)}"
        )
    return frame


def instruction_table(counts: pd.DataFrame) -> pd.DataFrame:
    """One row per function: instructions in all, each class, and vector (xmm to zmm).

    Padding (nop) is a column of its own and no part of the sum.
    """
    wide = (
        counts.pivot_table("count", "function", "mnemonic_class", aggfunc="sum")
        .reindex(columns=list(CLASSES))
        .fillna(0)
        .astype(int)
        .rename_axis(columns=None)
        .reset_index()
    )
    total = wide[list(CLASSES)].sum(axis="columns") - wide["nop"]
    wide.insert(1, "instructions", total)
    return wide.assign(vector=wide[VECTOR].sum(axis="columns"))


def hot_functions(table: pd.DataFrame) -> pd.DataFrame:
    """The functions that do a checksum's work: those with its instructions or vectors.

    Where there are none (a table-driven checksum) the largest function stands for all.
    """
    special = table[["crc32", "pclmul", "vector"]].sum(axis="columns")
    if not (special > 0).any():
        return table.nlargest(1, "instructions").reset_index(drop=True)
    return table[special > 0].reset_index(drop=True)


def count_instructions(binary: Path, functions: Sequence[str]) -> pd.DataFrame:
    """The table of a program's functions whose name contains one of ``functions``."""
    if shutil.which("objdump") is None:
        raise UserError("objdump is missing: install the package binutils")
    done = subprocess.run(
        ["objdump", "-d", "-C", "--no-show-raw-insn", str(binary)],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise UserError(f"objdump cannot read {binary}: {done.stderr.strip()[:200]}")
    return instruction_table(parse_disassembly(done.stdout, functions))
