"""A misspelt parameter is refused however the notebook is executed."""

import papermill
import pytest
from papermill.exceptions import PapermillExecutionError
from places import ROOT

from benchbook.results.parameters import assigned, check_names
from benchbook.study.study import load_study
from benchmath.errors import UserError

STUDY = "tests/fixtures/posts/checksums/study.yml"


def test_names_are_those_of_plain_assignments():
    """Imports, calls and magics bind no parameter."""
    cells = ["%matplotlib inline", "import os", "a = 1", "print(a)"]

    assert {"a"} == assigned(cells)


def test_unknown_name_lists_the_known_ones():
    """The sentence tells what could have been meant."""
    study = load_study(ROOT / STUDY)
    with pytest.raises(UserError, match="has no parameter 'bse'; available: block_size"):
        check_names(["bse"], {"study", "measure", "block_size"}, study)


@pytest.mark.slow
@pytest.mark.engine
def test_plain_papermill_refuses_a_misspelt_parameter(tmp_path):
    """papermill itself would only log a warning."""
    with pytest.raises(PapermillExecutionError, match="has no parameter 'blok_size'"):
        papermill.execute_notebook(
            str(ROOT / "notebooks" / "compilers.ipynb"), str(tmp_path / "out.ipynb"),
            parameters={"study": STUDY, "blok_size": "4096"}, cwd=str(ROOT),
            progress_bar=False,
        )  # fmt: skip
