"""Damaged files of the sysbench family: no crash, no hang, no number from nowhere."""

import math
import re
import time

import pytest
from damage import damaged
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sysbench_files import (
    BLOCKS,
    FOLDER,
    MET,
    MET_TABLE,
    OLD,
    QPS_ABS,
    QPS_REL,
    RUN,
    R,
    not_printed,
)

from benchformats import (
    tprocc,
)
from benchformats.parsed import TextFile
from benchformats.sysbench import met as sysbench_met
from benchformats.sysbench import met_tables, qps_tables
from benchformats.sysbench import output as sysbench_output
from benchformats.sysbench import r as sysbench_r

pytestmark = pytest.mark.unit

TEST = "update-index.range100.pk1"
NOPM = "pg1222,33781\npg1323,33740\npg181,33705\n"
FILES = [
    (sysbench_output, f"{FOLDER}/sb.o.{TEST}.dop3", RUN),
    (sysbench_output, "other/sysbench.rw.16.res", OLD),
    (sysbench_output, "other/several", RUN + OLD + RUN),
    (sysbench_r, f"{FOLDER}/sb.r.qps.{TEST}", R),
    (sysbench_met, f"{FOLDER}/sb.met.{TEST}.dop3", MET),
    (met_tables, "o.met.my", MET_TABLE),
    (qps_tables, "qps.abs.my.tsv", QPS_ABS),
    (qps_tables, "qps.rel.my.tsv", QPS_REL),
    (qps_tables, "o.qps.abs.my", BLOCKS),
    (tprocc, "sum.res.pg.load8.vu1.w100.5.120.csv", NOPM),
]
IDS = [f"{module.NAME}-{number}" for number, (module, _, _) in enumerate(FILES)]
FUZZ = settings(deadline=None, max_examples=150, derandomize=True,
                suppress_health_check=[HealthCheck.too_slow])  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(("module", "path", "text"), FILES, ids=IDS)
@FUZZ
@given(data=st.data())
def test_a_damaged_file_gives_only_what_it_says(module, path, text, data):
    """Every figure stands in its line; rows obey the contract; nothing raises."""
    file = TextFile(path, data.draw(damaged(text)))

    module.recognises(file)
    parsed = module.read(file)

    assert [] == not_printed(parsed, file.text)
    assert all(r.direction in ("higher", "lower", "none") for r in parsed.rows)
    assert all(r.metric and not math.isnan(r.value) for r in parsed.rows)
    assert all(0 <= p.line <= len(file.lines) and p.text for p in parsed.problems)


@pytest.mark.slow
@pytest.mark.parametrize(("module", "path", "text"), FILES, ids=IDS)
@settings(FUZZ, max_examples=60)
@given(data=st.data())
def test_a_file_that_ends_early_gives_the_beginning_of_the_whole(
    module, path, text, data
):
    """Of a cut file no figure differs from that of the whole file."""
    whole = module.read(TextFile(path, text)).rows
    cut = module.read(TextFile(path, text[: data.draw(st.integers(0, len(text)))])).rows

    assert [] == [row for row in cut if row not in whole]


@pytest.mark.slow
@pytest.mark.parametrize(("module", "path", "text"), FILES, ids=IDS)
@settings(FUZZ, max_examples=60)
@given(other=st.text(st.characters(codec="utf-8"), max_size=300))
def test_any_text_is_read_without_an_error(module, path, text, other):
    """Whatever --format forces on a parser, it returns."""
    for made in (other, text[:40] + other, other + text):
        file = TextFile(path, made)
        module.recognises(file)

        assert [] == not_printed(module.read(file), made)


@pytest.mark.slow
@pytest.mark.parametrize(("module", "path", "text"), FILES, ids=IDS)
@pytest.mark.parametrize(
    "piece", ["1", " ", "\t", "a", "sysbench --a", "1.1", ",", "x.\t"]
)
def test_a_line_of_a_megabyte_takes_no_time(module, path, text, piece):
    """Nothing backtracks: a megabyte without a line end is read in a second or two."""
    line = piece * (1_000_000 // len(piece))
    file = TextFile(path, f"{text}SQL statistics:\n {line}\n{line}x\n{text}")
    begin = time.process_time()

    module.recognises(file)
    module.read(file)

    assert time.process_time() - begin < 5


@pytest.mark.slow
@pytest.mark.parametrize(("module", "path", "text"), FILES, ids=IDS)
def test_numbers_of_any_length_are_no_error(module, path, text):
    """A run of 5000 digits fits no integer and no float: it is told, or no figure."""
    for number in sorted(set(re.findall(r"\d+", text))):
        parsed = module.read(TextFile(path, text.replace(number, "9" * 5000)))

        assert all(math.isfinite(r.value) or r.metric[:4] == "rel_" for r in parsed.rows)
