"""Checksums over the sizes of blocks."""

from __future__ import annotations

from types import SimpleNamespace

import pandas as pd
import pytest

from benchbook.templates.compilers import over_blocks, ratios_by_block

pytestmark = pytest.mark.unit


def results(sizes: list[str], compilers: list[str]) -> SimpleNamespace:
    rows = [
        {"run_id": f"{compiler}{flags}{size}", "step": "crc32c", "op": "crc32c",
         "main": True, "clock": "", "metric": "throughput", "unit": "MB/s",
         "direction": "higher", "compiler": compiler, "flags": flags, "block_size": size,
         "value": 100.0}
        for compiler in compilers for flags in ("-O2", "-O3") for size in sizes
    ]  # fmt: skip
    return SimpleNamespace(metric=pd.DataFrame(rows), base={"flags": "-O3"})


def builds(shown: list) -> set[str]:
    (chart,) = shown
    return set(chart.data["build"] if hasattr(chart, "data") else ())


def test_one_size_has_no_curve():
    """Nothing is displayed."""
    assert [] == over_blocks(results(["4096"], ["gcc"]))


def test_ratios_of_several_sizes_have_a_panel_each():
    """Of one size the title names it."""
    one = pd.DataFrame({
        "step": "crc32c", "block_size": ["64", "4096"], "me": "clang", "base": "gcc",
        "relative": 1.1, "low": 1.0, "high": 1.2, "detected": True, "n": 3, "n_base": 3,
        "note": "",
    })  # fmt: skip
    both, single = (ratios_by_block(rows).to_dict() for rows in (one, one.head(1)))

    assert ["64", "4096"] == both["facet"]["sort"]
    assert "Ratio to the base, blocks of 64 bytes" == single["title"]["text"]


def test_a_curve_for_each_build():
    """Compiler and flags together."""
    shown = over_blocks(results(["64", "4096"], ["gcc", "clang"]))

    assert {"gcc -O2", "gcc -O3", "clang -O2", "clang -O3"} == builds(shown)


def test_of_many_builds_those_with_the_flags_of_the_base():
    """Eight builds are more than a chart has colours."""
    shown = over_blocks(results(["64", "4096"], ["gcc", "clang", "icx", "tcc"]))

    assert {"gcc -O3", "clang -O3", "icx -O3", "tcc -O3"} == builds(shown)
