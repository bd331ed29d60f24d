"""`benchbook plan --detect` at the terminal, before and after runs of the null engine."""

import pytest

pytestmark = pytest.mark.engine


@pytest.mark.slow
def test_detect_without_runs_says_what_to_run(checkout):
    """Nothing on record: the plan, and the commands that make noise known."""
    checkout.study("s")
    text = checkout.ok("plan", "s", "--detect", "3%")

    assert "2 cells x 2 trials = 4 runs" in text
    assert (
        "to detect 3%: nothing is known of this machine's noise; "
        "`benchbook run s --trials 2` tells it" in text
    )


@pytest.mark.slow
def test_detect_reads_the_noise_of_measured_runs(checkout):
    """After two trials: the step's noise, its source, and the trials that it asks for."""
    checkout.study("s")
    checkout.ok("run", "s")
    checkout.ok("load")
    text = checkout.ok("plan", "s", "--detect", ".5")

    assert "to detect 50% with 80% power" in text
    assert "4 runs of this study" in text
    assert "l.i0 decides: " in text
    assert "not measured" not in text  # both cells are one build


@pytest.mark.slow
def test_bad_effect_is_one_sentence(checkout):
    """Exit 2, what was wrong, and no traceback."""
    checkout.study("s")
    done = checkout.call("plan", "s", "--detect", "much")

    assert 2 == done.returncode
    assert (
        "benchbook: --detect 'much': write the change to find as 3%, 3 or .03\n"
        == done.stderr
    )
