"""`benchbook rm`: the runs of one study and nothing else."""

import pytest


@pytest.fixture
def kept(checkout):
    """A file of each folder that stays whatever is asked."""
    files = [
        checkout.project.raw / "s" / "run",
        checkout.project.data / "published" / "a",
    ]
    for file in files:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("1")
    return files


@pytest.mark.slow
@pytest.mark.parametrize("name", ["..", ".", "", "/", "../published", "t"])
def test_what_is_no_study_with_runs_is_refused(checkout, kept, name):
    """Before anything is asked or deleted."""
    done = checkout.call("rm", name, "--yes")

    assert (2, "") == (done.returncode, done.stdout)
    assert "benchbook: no raw runs of " in done.stderr
    assert all(file.exists() for file in kept)


def test_a_study_without_runs_is_told_before_the_question(checkout, kept):
    """Nobody is asked whether 0 runs shall go."""
    done = checkout.call("rm", "t")

    assert (2, "") == (done.returncode, done.stdout)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["s", "posts/s", "posts/s/"])
def test_runs_of_a_study_go(checkout, kept, name):
    """By its name or its path; what is published stays."""
    checkout.ok("rm", name, "--yes")

    assert [False, True] == [file.exists() for file in kept]
