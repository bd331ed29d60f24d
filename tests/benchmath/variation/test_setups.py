"""Steadiness of setups: largest and average CoV, choice, pairs, pooling, chances."""

import math

import numpy as np
import pandas as pd
import pytest
from setup_frames import TWO, cov_of, of_machine, pairs, published, runs, steadiest
from table_text import shown

from benchbook.audit.claims import claim_contradictions
from benchbook.findings.setups import (
    chance_columns,
    chosen_setups,
    paired_columns,
    paired_finding,
    pooled_columns,
    reach_of_cov,
    setups_finding,
    step_columns,
)
from benchbook.tables.setups import average_table, cov_matrix, workload_matrix
from benchbook.templates.cloud_variance.chart import cov_by_step
from benchmath.variation.cov import coefficient_of_variation
from benchmath.variation.setups import (
    agreement_with_published,
    builds_of_setups,
    chance_of_setups,
    chance_to_pass,
    choose_setups,
    paired_cov,
    pooled_setups,
    repeated,
    setup_cov,
    without_steps,
)

pytestmark = pytest.mark.unit

# CoV with n - 1 of 99, 100, 101 is 1%; what is published is sqrt(2/3) of that; what is
# right on average is 2/sqrt(pi) of it.
PUBLISHED, CORRECTED = math.sqrt(2 / 3), 2 / math.sqrt(math.pi)


def test_largest_and_average_of_a_setup():
    """CoVs of 1% and 4%: largest 4%, mean 2.5%, each in both forms."""
    row = setup_cov(TWO).iloc[0]

    assert ["readrandom", 2] == list(row[["worst_step", "n_steps"]])
    assert np.allclose(
        [0.04 * PUBLISHED, 0.025 * PUBLISHED, 0.04 * CORRECTED, 0.025 * CORRECTED],
        list(row[["largest", "average", "largest_corrected", "average_corrected"]]),
    )


def test_steps_that_do_not_count_are_left_out():
    """A step named in `left_out` and figures that are no rate are dropped."""
    frame = pd.concat([runs("m", 1), runs("m", 1, "revrange"), runs("m", 1, main=False)])

    assert ["fillseq"] * 3 == list(without_steps(frame, ["revrange"])["step"])


def test_published_cells_are_compared_by_their_digits():
    """4% * sqrt(2/3) is 0.03266, printed 0.033; a cell without runs matches nothing."""
    rows = published(
        ("byrx", "m", "1", "max_cov", 0.033),
        ("iobuf", "m", "1", "max_cov", 0.017),
        ("byrx", "other", "1", "max_cov", 0.033),
    )

    found = agreement_with_published(setup_cov(TWO), rows)

    assert ["0.033", "0.016", ""] == list(found["recomputed"])
    assert [True, False, False] == list(found["same"])


@pytest.mark.parametrize(
    ("limit", "within", "within_corrected"),
    [(0.032, False, False), (0.033, True, False), (0.046, True, True)],
)
def test_a_setup_must_keep_the_limit_in_every_workload(limit, within, within_corrected):
    """Largest 0.0327 as published and 0.0451 corrected, in the worse workload."""
    row = choose_setups(setup_cov(TWO), published(), limit).iloc[0]

    assert [within, within_corrected] == list(row[["within", "within_corrected"]])


def test_the_published_list_is_marked():
    """A setup is server and clients: another number of clients is another setup."""
    parts = [runs("m", 1, workload=w, dop=d) for w in ("byrx", "iobuf") for d in "12"]
    listed = published(("byrx and iobuf", "m", "2", "max_cov_at_most", 0.03))

    found = choose_setups(setup_cov(cov_of(*parts)), listed, 0.03)

    assert [False, True] == list(found["listed"])
    assert ["qualifies, not listed", "listed"] == list(chosen_setups(found)["published"])
    agreement = agreement_with_published(setup_cov(cov_of(*parts)), listed)
    assert "of them and lacks m dop 1." in setups_finding(found, agreement, 0.03).data


def test_a_setup_without_one_workload_is_refused():
    """Nothing can be said of a workload that was not run."""
    cov = cov_of(runs("m", 1), runs("n", 1), runs("n", 1, workload="iobuf"))

    with pytest.raises(ValueError, match="setup m dop 1 has no runs of one workload"):
        choose_setups(setup_cov(cov), published(), 0.03)


def test_pairs_differ_in_one_part_of_the_name():
    """Ratios 2 and 8: geometric mean 4; logs ln 4 -+ ln 2 and t(1) = 12.706."""
    row = paired_cov(pairs(), "ht0", "ht1").iloc[0]

    assert ["fillseq", "byrx", 2, 0] == list(row[["step", "me", "n", "lower"]])
    assert np.isclose(4, row["relative"])
    assert np.allclose(
        [4 / 2**12.7062, 4 * 2**12.7062], [row["low"], row["high"]], rtol=1e-3
    )


def test_all_steps_of_a_pair_count_once():
    """Steps at 2 and 8 times in one pair: one pair, no interval, ratio 4."""
    cov = cov_of(
        runs("a.ht0", 1), runs("a.ht1", 2),
        runs("a.ht0", 1, "readrandom"), runs("a.ht1", 8, "readrandom"),
    )  # fmt: skip
    row = paired_cov(cov, "ht0", "ht1").set_index("step").loc["all steps"]

    assert (1, True) == (row["n"], np.isnan(row["low"]))
    assert np.isclose(4, row["relative"])


def test_a_cov_of_zero_has_no_ratio():
    """Equal runs are refused rather than left out."""
    with pytest.raises(ValueError, match="a CoV of 0 has no ratio"):
        paired_cov(cov_of(runs("a.ht0", 0), runs("a.ht1", 2)), "ht0", "ht1")


def test_finding_of_pairs_names_single_steps():
    """Two pairs at exactly 2 and 2.02 times: surely more, and said so of the step."""
    cov = cov_of(
        runs("a.ht0", 1), runs("a.ht1", 2), runs("b.ht0", 1), runs("b.ht1", 2.02)
    )
    paired = paired_cov(cov, "ht0", "ht1")

    told = paired_finding(paired, "off", "on").data
    assert "**byrx** shows more variance with on than with off (2.01 [" in told
    assert "pairs of setups). The interval of its one step excludes 1." in told
    assert [2, 2] == list(paired_columns(paired)["pairs"])


@pytest.mark.parametrize(
    ("percent", "verdict"), [(0.2, "under 3%"), (30, "over 3%"), (3, "cannot tell")]
)
def test_servers_are_judged_by_their_pooled_cov(percent, verdict):
    """Two equal steps of 3 runs: 4 degrees of freedom, 0.60 to 2.87 times the CoV."""
    frame = pd.concat([runs("m", percent), runs("m", percent, "readrandom")])

    row = pooled_setups(frame, 0.03).iloc[0]

    assert verdict == row["verdict"]
    assert np.allclose(
        [percent / 100, 0.5991 * percent / 100, 2.8736 * percent / 100],
        list(row[["cov", "low", "high"]]), rtol=1e-3,
    )  # fmt: skip
    assert ["machine", "byrx", "byrx verdict"] == list(
        pooled_columns(pooled_setups(frame, 0.03)).columns
    )


def test_chance_that_a_setup_passes():
    """Three runs at the limit: chi-square(2) up to 3 is 1 - exp(-1.5), ten times over."""
    found = chance_to_pass(0.03, 10, [0.03], [3])

    assert np.isclose((1 - math.exp(-1.5)) ** 10, found["3 runs"][0])
    assert [["3.0%", "8.0%"]] == chance_columns(found).to_numpy().tolist()


def test_builds_are_named_by_their_servers():
    """The odd server out is named; four and more are `all others`."""
    parts = [runs(m, 1, version="7.9.1", build="a") for m in "klmn"]
    frame = pd.concat([*parts, runs("o", 1, version="7.9.0", build="b")])

    found = builds_of_setups(frame)

    assert [("all others", 4, 12), ("o", 1, 3)] == list(
        found[["machines", "servers", "runs"]].itertuples(index=False, name=None)
    )


def test_reach_of_three_runs_and_noise_of_steps():
    """Small CoVs of three runs: the interval is that of chi-square, 0.52 to 6.3 times."""
    cov = cov_of(runs("m", 0.1), runs("n", 0.1))

    assert "0.52 to 6.3 times the CoV" in reach_of_cov(cov).data
    assert (
        "2 of 2 cells are under 3%, 0 over it and 0 undecided" in reach_of_cov(cov).data
    )
    assert [2] == list(step_columns(cov)["setups"])


def test_matrix_shows_both_forms_and_what_was_not_published():
    """Above the limit stands out; a cell that the table lacks has a footnote."""
    parts = [runs("m", 4), runs("m", 1, dop="16"), runs("n", 1)]
    setups = setup_cov(cov_of(*parts))
    rows = published(
        ("byrx", "m", "1", "max_cov", 0.033), ("byrx", "n", "1", "max_cov", 0.008)
    )

    page = cov_matrix(setups, "byrx", 0.03, published=rows).as_raw_html()

    assert '<span class="bb-strong">0.033</span><br><span class="bb-small">0.045' in page
    assert 1 == page.count("The published table has no such cell")
    assert page.index("dop\xa01<") < page.index("dop\xa016<")


def test_averages_of_all_setups():
    """Mean of 1% and 4% as published, 0.0204, and corrected, 0.0282; the worst step."""
    page = average_table(setup_cov(TWO)).as_raw_html()

    assert '0.020 <span class="bb-small">0.028</span>' in page
    assert "readrandom" in page


def test_chart_has_a_panel_per_number_of_clients():
    """Panels in the order of the numbers, not of their texts."""
    cov = cov_of(runs("m", 1, dop="16"), runs("m", 1, dop="2"))

    chart = cov_by_step(cov, "byrx").to_dict()

    assert ["2 clients", "16 clients"] == chart["facet"]["sort"]


def test_limits_are_kept_in_both_forms():
    """4% is 3.3% as published and 4.5% corrected; 1% is .8 and 1.1."""
    _, setups = steadiest()
    _, wide = steadiest(0.04)

    assert [True, False] == list(setups["within"]) == list(setups["within_corrected"])
    assert [True, True] == list(wide["within"])
    assert [True, False] == list(wide["within_corrected"])


def test_steadiest_setup_comes_first():
    """Then the other end, the limit, whether they are surely different, and runs."""
    finding, _ = steadiest()

    assert str(finding.data).startswith(
        "Of 2 setups of workload and clients **byrx dop 1** is the steadiest: its "
        "largest CoV over 2 steps is 0.008 (readrandom). The least steady is byrx dop 2 "
        "with 0.033 (readrandom). As published, by the stddev that divides by n, 1 of 2 "
        "keeps the limit of 3%; by the corrected CoV 1 does. All its steps together, "
        "byrx dop 1 has the smallest CoV, 0.8%"
    )
    assert "so many runs of each side: 3 with byrx dop 1 and 12 with byrx dop 2." in (
        str(finding.data)
    )


def test_auditor_believes_the_steadiest_and_no_other():
    """Its claims follow from the frames; other frames contradict them."""
    finding, _ = steadiest()
    other, _ = steadiest(0.04)
    swapped = finding.frames | {"setups": other.frames["setups"]}

    assert [] == claim_contradictions("x", finding.claims, finding.frames)
    assert claim_contradictions("x", finding.claims, swapped)


def test_workloads_of_one_machine_are_a_matrix():
    """A row for each workload, a column for each number of clients."""
    _, setups = steadiest()

    assert "byrx | 0.008 0.011 | 0.033 0.045" in shown(workload_matrix(setups, 0.03))
    with pytest.raises(ValueError, match="of one machine"):
        workload_matrix(pd.concat([setups, setups.assign(machine="n")]), 0.03)


def test_single_runs_of_a_study_that_is_half_done_do_not_count():
    """The other step's CoV is that of the setup."""
    frame = of_machine()
    single = (frame["step"] == "readrandom") & (frame["trial"] > 1)
    cov = repeated(coefficient_of_variation(frame[~single], limit=0.03))

    assert ["fillseq", "fillseq"] == list(setup_cov(cov)["worst_step"])


def test_chances_are_of_as_many_steps_as_the_setups_have():
    """Two here."""
    _, setups = steadiest()

    assert chance_to_pass(0.03, 2, [0.02]).equals(chance_of_setups(setups, 0.03, [0.02]))
