"""The machines of a study: findings, what drifted, and the section that shows both."""

import re

import pandas as pd
import pytest
from explanation_frames import SERVER, frame, version
from nbformat.v4 import new_code_cell, new_notebook, new_output

from benchbook.posts.clean import cleaned
from benchbook.results.drift import drifted
from benchbook.results.results import Results
from benchbook.tables.health import health_section
from benchbook.views.machine import hazards_of_machine, health, machine_section

pytestmark = pytest.mark.unit

SWAP = ["swap", "none", "ok"]
BAD_SWAP = ["swap", "2,048 MiB", "warn"]
GOVERNOR = ["governor", "performance", "ok"]


def run(number, machine="m", tag="pg15", **columns):
    env = {
        "cpus": 2, "clock_ticks_per_s": 100, "kernel": "6.1", "governor": "performance",
        "before": {"load1": 0.1, "steal_ticks": 0, "probe": {"fdatasync_per_s": 4000}},
        "after": {"load1": 1.0, "steal_ticks": 0, "probe": {"fdatasync_per_s": 3900}},
    }  # fmt: skip
    row = {
        "run_id": f"r{number}", "machine": machine, "tag": tag, "trial": number,
        "started": pd.Timestamp("2026-11-22") + pd.Timedelta(minutes=number),
        "elapsed_s": 50.0, "doctor": [GOVERNOR, SWAP], "env": env,
    }  # fmt: skip
    return row | columns


def changed(number, env, **columns):
    """A run whose env has other values."""
    usual = run(number)
    return usual | {"env": usual["env"] | env} | columns


def row_of(table, name, column="fact"):
    return table[table[column] == name].iloc[0]


def test_findings_of_a_frozen_post_are_read(tmp_path):
    """Parquet gives arrays of arrays back."""
    runs = pd.DataFrame([run(1)])[["run_id", "machine", "started", "doctor"]]
    runs.to_parquet(tmp_path / "runs.parquet")

    found = health(pd.read_parquet(tmp_path / "runs.parquet"))

    assert ["governor", "swap"] == list(found["name"])


def test_findings_in_the_order_of_doctor():
    """One row per check, with the reason that `doctor` gives."""
    found = health(pd.DataFrame([run(1, doctor=[SWAP, GOVERNOR]), run(2)]))

    assert ["governor", "swap"] == list(found["name"])
    assert "Any other than performance" in found["why"].iloc[0]
    assert not found["changed"].any()


def test_finding_that_changed_shows_both_values_and_the_worse_status():
    """Swap came on between two runs."""
    found = health(pd.DataFrame([run(2, doctor=[BAD_SWAP]), run(1)]))

    swap = row_of(found, "swap", "name")
    assert ("none → 2,048 MiB", "warn") == (swap["value"], swap["status"])
    assert swap["changed"]


def test_load_differs_at_every_look():
    """What is of the moment is shown with its values, but is no change."""
    runs = [run(n, doctor=[["load", f"0.{n}", "ok"]]) for n in range(1, 7)]

    load = health(pd.DataFrame(runs)).iloc[0]

    assert "0.1 → 0.2 → 0.3 → 0.4 → … (2 more values)" == load["value"]
    assert not load["changed"]


@pytest.mark.parametrize(
    ("recorded", "said"),
    [(None, "not recorded"), ([SWAP], "not recorded in 1 of 2 runs")],
)
def test_runs_without_findings_say_so(recorded, said):
    """Runs of before, or of another host: nothing is made up."""
    runs = pd.DataFrame([run(1, doctor=None), run(2, doctor=recorded)])

    assert said == row_of(health(runs), "doctor", "name")["value"]


def test_runs_without_the_column():
    """A frame that knows no doctor at all."""
    runs = pd.DataFrame([run(1)]).drop(columns="doctor")

    assert ["not recorded"] == list(health(runs)["value"])


def test_machines_stay_apart():
    """Each has findings of its own."""
    found = health(pd.DataFrame([run(1), run(2, machine="n", doctor=[BAD_SWAP])]))

    swap = found[found["name"] == "swap"]
    assert {"m": "none", "n": "2,048 MiB"} == dict(
        zip(swap["machine"], swap["value"], strict=True)
    )


def test_swapped_pages_are_a_finding():
    """Samples tell what a finding before the run cannot."""
    os = pd.DataFrame({"run_id": ["r1", "r1"], "swapped_in": [0, 3], "swapped_out": 0})

    found = row_of(health(pd.DataFrame([run(1)]), os), "swapped", "name")

    assert ("3 pages in 1 of 1 runs", "warn") == (found["value"], found["status"])


def test_steal_of_env():
    """100 ticks of 10 ms in 50 s of 2 CPUs are 1%, 300 are 3%: the worst is named."""
    stolen = {"after": {"steal_ticks": 300}}
    runs = [run(1), changed(2, stolen), changed(3, {"after": {"steal_ticks": 100}})]

    steal = row_of(drifted(pd.DataFrame(runs)), "steal")

    assert ("0", "1", "3") == (steal["first"], steal["last"], steal["worst"])
    assert ("pg15 trial 1", "pg15 trial 2") == (steal["first_run"], steal["worst_run"])
    assert steal["moved"]


def test_fdatasync_before_and_after():
    """The lowest rate is the worst; a drop below two thirds is worth a look."""
    slow = {"before": {"probe": {"fdatasync_per_s": 400}}}

    found = drifted(pd.DataFrame([run(1), changed(2, slow), run(3)]))

    before, after = (row_of(found, f"fdatasync {w}") for w in ("before", "after"))
    assert ("4,000", "400", True) == (before["first"], before["worst"], before["moved"])
    assert ("3,900", False) == (after["worst"], after["moved"])


def test_samples_tell_clock_steal_and_others():
    """Of 80 s busy 40 + 10 are both trees' and 10 interrupts: 20 others', 25%."""
    s = 10**9
    os = pd.DataFrame({
        "run_id": ["r1"], "user_ns": [60 * s], "nice_ns": [0], "system_ns": [10 * s],
        "idle_ns": [18 * s], "iowait_ns": [0], "irq_ns": [4 * s], "softirq_ns": [6 * s],
        "steal_ns": [2 * s], "mhz": [2900.0],
    })  # fmt: skip
    trees = pd.DataFrame({
        "run_id": "r1", "user_ns": [30 * s, 8 * s], "system_ns": [10 * s, 2 * s],
    })  # fmt: skip

    found = drifted(pd.DataFrame([run(1)]), os, trees)

    assert "25" == row_of(found, "load by others")["worst"]
    assert "2,900" == row_of(found, "CPU clock")["worst"]
    assert "2" == row_of(found, "steal")["worst"]


def test_kernel_that_changed():
    """First and last value, and the first run that had another one."""
    runs = [run(1), changed(2, {"kernel": "6.6"}), changed(3, {"kernel": "6.6"})]

    kernel = row_of(drifted(pd.DataFrame(runs)), "kernel")

    assert ("6.1", "6.6", "pg15 trial 2") == (
        kernel["first"], kernel["last"], kernel["worst_run"],
    )  # fmt: skip


def test_what_stood_still_has_no_row():
    """One kernel and one governor are no drift."""
    found = drifted(pd.DataFrame([run(1), run(2)]))

    assert not {"kernel", "governor"} & set(found["fact"])
    assert not found["moved"].any()


def section(*runs):
    of_runs = pd.DataFrame(runs)
    return health_section(health(of_runs), drifted(of_runs)).data


def test_section_is_closed_and_says_what_to_look_at():
    """One details element; its summary names what is worth a look."""
    html = section(run(1, doctor=[BAD_SWAP]), changed(2, {"kernel": "6.6"}))

    assert html.startswith('<details class="bb-machine">')
    assert html.endswith("</details>")
    assert "Machine: what <code>benchbook doctor</code> finds, and what drifted" in html
    assert "look at swap; drifted: kernel" in re.sub(r"<[^>]+>", "", html)


def test_section_without_anything_to_look_at():
    """Said in words, too."""
    told = "nothing found to look at; nothing drifted that was recorded"

    assert told in section(run(1), run(2))


def test_section_has_every_id_once():
    """Two tables in one output have no id in common, and nothing is loaded."""
    html = section(run(1), run(2))

    ids = re.findall(r'\sid="([^"]+)"', html)
    assert len(ids) == len(set(ids))
    assert "<script" not in html and "http" not in html


def test_section_becomes_a_raw_block_of_the_post():
    """As it is, in a container that scrolls: Quarto and the preview show it alike."""
    shown = health_section(
        health(pd.DataFrame([run(1)])), drifted(pd.DataFrame([run(1)]))
    )
    output = new_output("display_data", data={"text/html": shown.data})
    cell = new_code_cell("health_section(...)", outputs=[output])

    block = cleaned(new_notebook(cells=[cell])).cells[0].outputs[0].data["text/markdown"]

    assert block.startswith('```{=html}\n<div class="bb-table">\n<details')
    assert block.endswith("</details>\n</div>\n```")


def test_values_of_machines_are_escaped():
    """A value from /proc is text."""
    html = section(run(1, doctor=[["governor", "<b>fast</b>", "info"]]))

    assert "&lt;b&gt;fast&lt;/b&gt;" in html


def test_section_and_hazards_of_a_study():
    """From the frames that `collect` gives; without samples what env and metrics tell."""
    metric = frame(version("1", costs=SERVER | {"steal_pct": 3.0}))
    none = pd.DataFrame()
    steps = pd.DataFrame(columns=["run_id", "step", "main", "start_ns", "elapsed_ns"])
    results = Results(
        None, pd.DataFrame([run(1)]), steps, metric, none, none, none, none, none
    )

    assert "swap" in machine_section(results).data
    codes = [hazard.code for hazard in hazards_of_machine(results)]
    assert ["stolen time", "load by others"] == codes
