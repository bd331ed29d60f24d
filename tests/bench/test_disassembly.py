"""Instructions by class, from objdump's text and from a build's instructions.tsv."""

import pandas as pd
import pytest
from disassembly import (
    classify,
    hot_functions,
    instruction_table,
    parse_disassembly,
    read_instructions,
)

from benchmath.errors import UserError

pytestmark = pytest.mark.unit

DISASSEMBLY = """
micro:     file format elf64-x86-64

Disassembly of section .text:

0000000000001130 <crc32c_3way(unsigned int, char const*)>:
    1130:\tendbr64
    1134:\tcrc32q -0xd8(%rsi),%rcx
    113d:\tcrc32q -0xd0(%rsi),%rcx
    1146:\tpclmulqdq $0x0,%xmm3,%xmm0
    114c:\tmovq   %xmm0,%rax
    1151:\tjne    1134 <crc32c_3way(unsigned int, char const*)+0x4>
    1153:\tret
    1154:\tcs nopw 0x0(%rax,%rax,1)

0000000000001160 <other>:
    1160:\txor    %eax,%eax
    1162:\tret
"""


@pytest.mark.parametrize(
    ("instruction", "expected"),
    [
        ("crc32q -0xd8(%rsi),%rcx", "crc32"),
        ("vpclmulqdq $0x1,%zmm3,%zmm0,%zmm1", "pclmul"),
        ("vpaddq (%rax),%zmm3,%zmm0", "zmm"),
        ("vextracti64x4 $0x1,%zmm1,%ymm2", "zmm"),
        ("vextracti128 $0x1,%ymm1,%xmm2", "ymm"),
        ("movdqu (%rdi),%xmm1", "xmm"),
        ("bnd jmp 1030 <main>", "branch"),
        ("repz ret", "branch"),
        ("data16 cs nopw 0x0(%rax,%rax,1)", "nop"),
        ("xchg   %ax,%ax", "nop"),
        ("rep stos %al,%es:(%rdi)", "other"),
        ("lea    0x8(%rsi),%rdx", "other"),
    ],
)
def test_an_instruction_is_of_the_first_class_it_fits(instruction, expected):
    """A checksum instruction counts as one even when it works on vector registers."""
    assert expected == classify(instruction)


def test_instructions_are_counted_in_their_function():
    """Only the functions asked for are counted, each instruction once."""
    table = instruction_table(parse_disassembly(DISASSEMBLY, ["crc32c"]))

    expected = {
        "function": "crc32c_3way(unsigned int, char const*)", "instructions": 7,
        "crc32": 2, "pclmul": 1, "zmm": 0, "ymm": 0, "xmm": 1, "branch": 2, "nop": 1,
        "other": 1, "vector": 1,
    }  # fmt: skip
    assert [expected] == table.to_dict("records")


def test_without_a_choice_all_functions_are_counted():
    """Function names come in the order of the table: by name."""
    table = instruction_table(parse_disassembly(DISASSEMBLY))

    assert [7, 2] == table["instructions"].tolist()


def test_the_file_of_a_build_reads_the_same():
    """instructions.tsv holds the long form of the same table."""
    text = "function\tmnemonic_class\tcount\nf(int)\tcrc32\t3\nf(int)\tother\t4\n"

    table = instruction_table(read_instructions(text))

    assert [("f(int)", 7, 3)] == list(
        table[["function", "instructions", "crc32"]].itertuples(index=False, name=None)
    )


def test_a_file_with_other_columns_is_refused():
    """The message names both sets of columns."""
    with pytest.raises(UserError, match="has the columns a, b, not function"):
        read_instructions("a\tb\n1\t2\n")


def test_the_functions_with_special_instructions_are_the_hot_ones():
    """A helper without checksum or vector instructions is left out."""
    table = instruction_table(parse_disassembly(DISASSEMBLY))

    assert ["crc32c_3way(unsigned int, char const*)"] == hot_functions(table)[
        "function"
    ].tolist()


def test_a_table_driven_checksum_is_its_largest_function():
    """Where no function has such instructions, the largest stands for the work."""
    counts = pd.DataFrame(
        {
            "function": ["small", "large"],
            "mnemonic_class": ["other", "other"],
            "count": [2, 9],
        }
    )

    assert ["large"] == hot_functions(instruction_table(counts))["function"].tolist()
