"""The quick check of a study against its schema, beside that of jsonschema."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from places import ROOT

from benchbook.study.file import SCHEMA
from benchbook.study.yaml_file import fits, plain, read_yaml

pytestmark = pytest.mark.unit

STUDIES = sorted(ROOT.glob("**/posts/*/study.yml"))
ODD = ("", "x", "8h", 0, -1, 1.5, float("nan"), True, None, [], {}, ["x", 3], {"x": {}})


def damaged(value: Any) -> Iterator[Any]:
    """The value with each of its parts missing, or something odd."""
    parts = value.items() if isinstance(value, dict) else enumerate(value)
    for key, part in list(parts):
        without = copy.copy(value)
        del without[key]
        others = [*ODD, *(damaged(part) if isinstance(part, (dict, list)) else ())]
        yield without
        for other in others:
            changed = copy.copy(value)
            changed[key] = other
            yield changed


@pytest.mark.parametrize("path", STUDIES, ids=lambda path: path.parent.name)
def test_what_fits_is_valid(path):
    """A study fits; what is made of it by damage fits only where jsonschema agrees."""
    study, valid = plain(read_yaml(path)), Draft202012Validator(SCHEMA).is_valid

    assert fits(study, SCHEMA, SCHEMA)
    assert [] == [
        json.dumps(one)
        for one in damaged(study)
        if fits(one, SCHEMA, SCHEMA) and not valid(one)
    ]


def test_a_word_that_is_not_known_is_no_certainty():
    assert not fits("x", {"const": "x"}, {})
