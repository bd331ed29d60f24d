"""`benchbook plan --detect`: trials of each step, from the noise on record."""

import math
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from benchbook.cli.options import effect_of
from benchbook.cli.plan_detect import detection_text, percent, smallest_text
from benchbook.measure.guess import run_seconds
from benchbook.measure.trials import (
    StepNoise,
    assumed_noise,
    builds_needed,
    cost,
    decisive,
    least_effect,
    noise_on_record,
    smallest_effects,
    step_trials,
)
from benchbook.study.cell import Cell, Step
from benchbook.study.drivers import DRIVERS
from benchbook.study.study import Study
from benchmath.errors import UserError
from benchmath.ratios.power import power_of, runs_needed

pytestmark = pytest.mark.unit

LOAD = Step.parse("l.i0:rows=40000")
SCAN = Step.parse("qr100.L1:seconds=3")


def study(compilers=("gcc", "clang"), steps=(LOAD,), base=None, trials=3, cells=None):
    """A study of one cell per compiler, the first being the base."""
    made = cells or [Cell("null", tuple(steps), compiler=c) for c in compilers]
    return Study(
        slug="s", path=Path("posts/s/study.yml"), title="Is it slower?", template="t",
        driver=DRIVERS["ingest"], base=base or {"compiler": "gcc"}, cells=tuple(made),
        trials=trials,
    )  # fmt: skip


def known(sd, **more):
    """The noise of l.i0 on record."""
    return {"l.i0": StepNoise(sd, "6 runs of this study", **more)}


def record(values, step="l.i0", name="s", **dims):
    """Rows of the view metric: the runs of one cell of the set ``name``."""
    row = {
        "set": name, "machine": "m", "engine": "null", "arm": "main", "build_no": 1,
        "load_no": 1, "step": step, "op": "insert", "clock": "", "metric": "ips",
        "main": True, "unit": "rows/s", "direction": "higher",
    } | dims  # fmt: skip
    cell = f"{name} {sorted(dims.items())}"
    frame = pd.DataFrame(row | {"value": np.asarray(values, dtype=float)})
    runs = [f"{cell} {i}" for i in range(len(frame))]
    trials = range(1, len(frame) + 1)
    return frame.assign(cell_id=cell, run_id=runs, trial=trials)


@pytest.mark.parametrize(
    ("text", "expected"), [("3%", 0.03), (".03", 0.03), ("3", 0.03), ("0.5 %", 0.005)]
)
def test_effect_is_a_percentage_or_a_share(text, expected):
    """3%, 3 and .03 are the same; 1 and more is in percent."""
    assert math.isclose(expected, effect_of(text))


@pytest.mark.parametrize("text", ["", "three", "-3%", "nan", "3%%", "1e-2"])
def test_what_is_no_effect_is_one_sentence(text):
    """The sentence shows what was written and how to write it."""
    with pytest.raises(UserError) as error:
        effect_of(text)

    assert f"--detect {text!r}: write the change to find as 3%, 3 or .03" == str(
        error.value
    )


@pytest.mark.parametrize("text", ["0", "0%", "100%", "250"])
def test_effect_lies_between_nothing_and_everything(text):
    """No change cannot be detected, the loss of everything needs no plan."""
    with pytest.raises(UserError, match="a change lies between 0% and 100%"):
        effect_of(text)


def test_noise_is_pooled_over_the_cells_of_a_step():
    """CoV 1% of 3 runs and 5% of 3: the mean square is (1 + 25) / 2."""
    rows = [record([99, 100, 101], v="1"), record([95, 100, 105], v="2")]

    noise = noise_on_record(pd.concat(rows), "s")["l.i0"]

    assert math.isclose(math.sqrt(13e-4), noise.sd)
    assert "6 runs of this study" == noise.source


def test_noise_of_the_study_comes_before_that_of_others():
    """A step that the study has runs of is not told by other studies, another one is."""
    rows = [
        record([99, 100, 101]),
        record([95, 100, 105], name="other"),
        record([98, 100, 102], "l.x", name="other"),
        record([98, 100, 102], "l.x", name="more"),
    ]

    noise = noise_on_record(pd.concat(rows), "s")

    assert {"l.x": "6 runs of more, other", "l.i0": "3 runs of this study"} == {
        step: n.source for step, n in noise.items()
    }
    assert math.isclose(0.01, noise["l.i0"].sd)


def test_runs_of_the_same_cell_in_two_studies_are_not_one_cell():
    """Two studies at two levels: noise is what varies within each."""
    rows = [record([99, 101], name="a"), record([198, 202], name="b")]

    noise = noise_on_record(pd.concat(rows), "s")["l.i0"]

    assert math.isclose(math.sqrt(2) / 100, noise.sd)


def test_aa_runs_count_as_the_studys_own():
    """The arms of s.aa are cells of the study; their 4 df are for single runs."""
    rows = [
        record([99, 100, 101], name="s.aa"),
        record([99, 100, 101], name="s.aa", arm="again"),
        record([95, 100, 105], name="other"),
    ]

    noise = noise_on_record(pd.concat(rows), "s")["l.i0"]

    assert (0.01, 4.0) == (round(noise.sd, 12), round(noise.df, 9))


def test_single_runs_are_no_noise_on_record():
    """A cell with one run says nothing: the step is not there."""
    assert {} == noise_on_record(record([100]), "s")
    assert {} == noise_on_record(record([]), "s")


def aa_runs(name="s.aa"):
    """Two builds 2% apart, each run twice."""
    rebuilt = {"arm": "rebuilt-2", "build_no": 2}
    rows = [record([100, 101], name=name), record([102, 103], name=name, **rebuilt)]
    return pd.concat(rows)


def test_build_effect_counts_where_builds_are_compared():
    """Two builds differ by 2% in s.aa: a floor for compilers, none for settings."""
    compilers = noise_on_record(aa_runs(), "s", builds_differ=True)["l.i0"]
    settings = noise_on_record(aa_runs(), "s", builds_differ=False)["l.i0"]

    assert 0.01 < compilers.floor_sd < 0.02
    assert (0.0, False, False) == (
        settings.floor_sd, settings.unmeasured, compilers.unmeasured,
    )  # fmt: skip


def test_load_effect_counts_always():
    """Two loads differ by 2%: a floor, whether builds are compared or not."""
    rows = aa_runs().replace({"arm": {"rebuilt-2": "reloaded-2"}})
    rows = rows.assign(load_no=rows["build_no"], build_no=1)

    noise = noise_on_record(rows, "s", builds_differ=False)["l.i0"]

    assert 0.01 < noise.floor_sd < 0.02


def test_build_effect_that_nobody_measured_is_named():
    """Runs without another build: unmeasured, where builds are compared."""
    assert noise_on_record(record([100, 101]), "s", builds_differ=True)["l.i0"].unmeasured
    assert not noise_on_record(record([100, 101]), "s")["l.i0"].unmeasured


def test_build_effect_of_another_study_counts_where_the_own_has_none():
    """The A/A runs of t tell what builds do; those of s itself come first."""
    own = record([99, 100, 101])
    quiet = aa_runs().assign(value=[100.0, 101, 100, 101])

    of_t = noise_on_record(pd.concat([own, aa_runs("t.aa")]), "s", builds_differ=True)
    of_s = noise_on_record(pd.concat([quiet, aa_runs("t.aa")]), "s", builds_differ=True)

    assert of_t["l.i0"].floor_sd > 0.01
    assert "3 runs of this study" == of_t["l.i0"].source
    assert 0 == of_s["l.i0"].floor_sd


def test_unknown_step_is_assumed_to_be_a_median_one():
    """CoV 1%, 2% and 5% on record: 2% is assumed, and said to be."""
    noise = {
        s: StepNoise(sd, "") for s, sd in zip("abc", (0.01, 0.05, 0.02), strict=True)
    }

    assert StepNoise(0.02, "assumed: median of 3 steps") == assumed_noise(noise)


def test_two_cells_need_the_trials_of_their_own_test():
    """One other cell: trials, base and each are runs_needed of two equal sides."""
    [step] = step_trials(study(), known(0.02), 0.03)

    expected = runs_needed(0.02, 0.03)
    assert [expected] * 3 == [step.trials, step.base, step.each]


def test_more_cells_lend_degrees_of_freedom():
    """With 8 compilers the variance is pooled: 3 trials do where a pair needs 4."""
    eight = study([f"gcc-{i}" for i in range(8)], base={"compiler": "gcc-0"})

    assert 4 == step_trials(study(), known(0.01), 0.03)[0].trials
    assert 3 == step_trials(eight, known(0.01), 0.03)[0].trials


def test_planned_trials_find_the_effect_with_the_power():
    """The least number: 80% power with it, less with one fewer (9 cells, CoV 3%)."""
    nine = study([f"gcc-{i}" for i in range(9)], base={"compiler": "gcc-0"})

    n = step_trials(nine, known(0.03), 0.03)[0].trials

    powers = [power_of(0.03, 0.03, k, k, df=9 * (k - 1)) for k in (n - 1, n)]
    assert powers[0] < 0.8 <= powers[1]


def test_simulated_studies_find_the_planned_effect():
    """4,000 studies of 5 compilers with the planned trials: 80% power, or a bit more."""
    five = study([f"gcc-{i}" for i in range(5)], base={"compiler": "gcc-0"})
    n = step_trials(five, known(0.02), 0.03)[0].trials
    runs = np.random.default_rng(7).normal(0, 0.02, (4000, 5, n))
    runs[:, 1] += math.log(1.03)
    error = np.sqrt(runs.var(axis=2, ddof=1).mean(axis=1) * 2 / n)

    t = (runs[:, 1].mean(axis=1) - runs[:, 0].mean(axis=1)) / error

    critical = {4: 2.1314, 5: 2.0860, 6: 2.0595, 7: 2.0423, 8: 2.0301, 9: 2.0211}[n]
    assert 0.79 < (np.abs(t) > critical).mean() < 0.87


def test_base_gets_the_square_root_of_the_others():
    """4 others: the base gets twice their trials, and they need fewer than alike."""
    five = study([f"gcc-{i}" for i in range(5)], base={"compiler": "gcc-0"})

    [step] = step_trials(five, known(0.02), 0.03)

    assert 4 == step.others
    assert step.base == 2 * step.each
    assert step.each < step.trials < step.base


def test_every_base_cell_is_counted():
    """2 compilers at 2 flags against gcc -O2: one base and three others."""
    cells = [
        Cell("null", (LOAD,), compiler=c, flags=f)
        for c in ("gcc", "clang") for f in ("-O2", "-O3")
    ]  # fmt: skip
    one = study(cells=cells, base={"compiler": "gcc", "flags": "-O2"})
    two = study(cells=cells)

    assert 3 == step_trials(one, known(0.02), 0.03)[0].others
    assert 1 == step_trials(two, known(0.02), 0.03)[0].others


def test_base_on_another_machine_is_one_cell_for_each():
    """base: {machine: c6i}: every cell here is compared with one there."""
    elsewhere = study(base={"machine": "c6i"})

    assert 1 == step_trials(elsewhere, known(0.02), 0.03)[0].others


def test_step_that_no_base_cell_has_is_not_compared():
    """Only the cell with indexes can scan: no trials, no part in the decision."""
    cells = [
        Cell("null", (LOAD,), compiler="gcc"),
        Cell("null", (LOAD, SCAN), compiler="clang"),
    ]
    noise = known(0.02) | {"qr100.L1": StepNoise(0.5, "")}

    load, scan = step_trials(study(cells=cells), noise, 0.03)

    assert (0, None) == (scan.others, scan.trials)
    assert load == decisive([load, scan])
    assert ["l.i0"] == list(smallest_effects(study(cells=cells), noise))


def test_noisiest_step_decides():
    """The step that needs the most trials, whatever its place."""
    noise = known(0.02) | {"qr100.L1": StepNoise(0.04, "")}

    steps = step_trials(study(steps=(LOAD, SCAN)), noise, 0.03)

    assert "qr100.L1" == decisive(steps).step


def test_build_effect_is_not_averaged_out():
    """A build effect of 2% a side hides 3%, whatever the runs; 11 builds a side do not.

    The normal test would want 2 * (2.8016 * hypot(.01, .02) / log(1.03))^2 = 8.98, and
    Student's has a power of .798 with 10. With any number of runs of one build, all
    that can be found is 2.8016 * sqrt(2) * .02, in logs.
    """
    [step] = step_trials(study(), known(0.01, floor_sd=0.02), 0.03)

    assert step.trials is None
    assert 11 == builds_needed(step, 0.03)
    assert math.isclose(
        2.8016 * math.sqrt(2) * 0.02, math.log1p(least_effect(step)), abs_tol=1e-4
    )


def test_cost_counts_base_and_others():
    """5 trials of the base and 2 of each of two others: 9 runs of 1 s and overhead."""
    three = study(["gcc", "clang", "icc"])

    runs, seconds = cost(three, 5, 2)

    each = run_seconds(three.cells[0], three.driver)
    assert 9 == runs
    assert math.isclose(9 * each, seconds)


def test_present_trials_see_their_smallest_effect():
    """The power at the effect that 3 trials of 2 cells see is 80%."""
    seen = smallest_effects(study(), known(0.01))["l.i0"]

    assert math.isclose(0.8, power_of(seen, 0.01, 3, 3), abs_tol=1e-6)


def test_one_trial_sees_by_the_noise_of_aa_runs():
    """A single run has no interval of its own; A/A runs on record give it one."""
    single = study(trials=1)

    assert math.isnan(smallest_effects(single, known(0.01))["l.i0"])
    assert 0.03 < smallest_effects(single, known(0.01, df=20))["l.i0"] < 0.05


def test_line_of_the_plan_names_median_and_noisiest():
    """CoV 1% and 3% of two steps, 3 trials: what each can see."""
    two = study(steps=(LOAD, SCAN))
    noise = known(0.01) | {"qr100.L1": StepNoise(0.03, "")}

    low, high = smallest_effects(two, noise).values()

    expected = (
        f"smallest effect seen with 80% power at 3 trials: {percent((low + high) / 2)} "
        f"on the median step, {percent(high)} on the noisiest "
        "(run-to-run CoV 2.0% and 3.0% of 2 steps on record)"
    )
    assert expected == smallest_text(two, noise)


@pytest.mark.parametrize(
    ("trials", "noise", "expected"),
    [
        (1, known(0.01), "one trial without A/A runs has no interval"),
        (3, {"l.x": StepNoise(0.01, "")}, "no step of it on record"),
    ],
)
def test_line_of_the_plan_says_what_is_not_known(trials, noise, expected):
    """One trial without A/A runs, or noise of other steps only."""
    assert expected in smallest_text(study(trials=trials), noise)


def test_text_shows_each_step_and_what_decides():
    """A known step and an assumed one; the first line that follows says what to set."""
    text = detection_text(study(steps=(LOAD, SCAN)), known(0.01), 0.03)

    assert [
        "to detect 3% with 80% power, two-sided 5%, in each comparison with the base:",
        "step      noise  build, load  noise from                 trials  base + others"
        "  seen by 3 trials",
        "l.i0      1.0%                6 runs of this study       4                    "
        "  3.1%",
        "qr100.L1  1.0%                assumed: median of 1 step  4                    "
        "  3.1%",
        "l.i0 decides: 4 trials, 8 runs, about 28 s (`trials: 4` in study.yml, 3 now)",
    ] == text.splitlines()


def test_text_gives_both_ways_to_share_out_trials():
    """Equal trials, or more of the base, with the commands that make them."""
    five = study([f"gcc-{i}" for i in range(5)], base={"compiler": "gcc-0"})

    [step] = step_trials(five, known(0.02), 0.03)
    lines = detection_text(five, known(0.02), 0.03).splitlines()

    assert f"{step.base} + {step.each}" in lines[2]
    assert f"l.i0 decides: {step.trials} trials, {5 * step.trials} runs" in lines[3]
    assert lines[4].startswith(
        f"or {step.base} of each base cell and {step.each} of each other: "
        f"{step.base + 4 * step.each} runs"
    )
    assert f"`benchbook run s --trials {step.each}`" in lines[4]
    assert "`benchbook run s --only compiler=gcc-0`" in lines[4]


def test_text_says_when_the_plan_is_enough():
    """5 trials planned, fewer needed."""
    text = detection_text(study(trials=5), known(0.01), 0.03)

    assert "l.i0 decides: 4 trials, 8 runs, about 4 s: the 5 planned are enough" in text


def test_text_asks_for_builds_where_runs_are_in_vain():
    """Build effect 2%: never, the builds that would do, the effect that is left."""
    text = detection_text(study(), known(0.01, floor_sd=0.02), 0.03)

    assert "never" in text.splitlines()[2]
    assert "decides" not in text
    assert "l.i0: no number of runs detects 3%: builds or loads" in text
    assert "repeat the builds, about 11 a side with one run each" in text


def test_text_warns_of_a_build_effect_that_nobody_measured():
    """The plan counts on none, and says so."""
    text = detection_text(study(), known(0.01, unmeasured=True), 0.03)

    assert "not measured" in text.splitlines()[2]
    assert "build effect not measured for l.i0" in text
    assert "`benchbook calibrate s`" in text


def test_text_names_steps_that_are_not_compared():
    """A step that only other cells have is listed with its reason."""
    cells = [
        Cell("null", (LOAD,), compiler="gcc"),
        Cell("null", (LOAD, SCAN), compiler="clang"),
    ]

    text = detection_text(study(cells=cells), known(0.01), 0.03)

    assert "not compared, as no base cell or no other has it: qr100.L1" in text


@pytest.mark.parametrize(
    ("share", "expected"),
    [(0.0035, "0.35%"), (0.0123, "1.2%"), (0.154, "15%"), (0.00996, "1.0%")],
)
def test_percentages_have_two_digits(share, expected):
    """Two digits that count, over the whole range."""
    assert expected == percent(share)
