"""CSV of ours opened by a spreadsheet: texts of others stay texts."""

import pandas as pd
import pytest

from benchbook.cli.report import inert_frame

pytestmark = pytest.mark.unit


def test_a_formula_is_a_text():
    """In cells, in the index, in the header; numbers and other texts are as they were."""
    frame = pd.DataFrame(
        {"step": ["=cmd|x!A0", "scan", "-0.5"], "@v": [-1.5, 2.0, 3.0]},
        index=["+a", "b", "-c"],
    )

    assert (",step,'@v\n'+a,'=cmd|x!A0,-1.5\nb,scan,2.0\n'-c,-0.5,3.0\n") == inert_frame(
        frame
    ).to_csv(lineterminator="\n")


def test_missing_texts_and_repeated_names_are_kept():
    """What SQL gives: NULLs, and two columns of one name."""
    frame = pd.DataFrame([[None, "=1", 1]], columns=["a", "a", "n"])

    assert "a,a,n\n,'=1,1\n" == inert_frame(frame).to_csv(index=False)
