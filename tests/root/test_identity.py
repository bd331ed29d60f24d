"""Ids depend on what was measured and on nothing else."""

from benchbook.digests import canonical, cell_id, declared_id

DECLARED = {"driver": "ingest", "engine": "null", "dop": 1, "dims": {"b": 2, "a": 1}}


def test_canonical_json_sorts_keys_and_makes_strings():
    """Numbers and strings of the same text are the same value."""
    assert '{"a":"1","b":["2","true",""]}' == canonical({"b": [2, True, None], "a": "1"})


def test_key_order_does_not_matter():
    """A study may list its dimensions in any order."""
    other = {"dims": {"a": "1", "b": "2"}, "dop": "1", "engine": "null"}
    other["driver"] = "ingest"

    assert declared_id(DECLARED) == declared_id(other)


def test_a_new_build_is_a_new_cell_with_the_same_declaration():
    """The build digest is part of cell_id and not of declared_id."""
    old = cell_id(DECLARED, "1", "aaaa", "")
    new = cell_id(DECLARED, "1", "bbbb", "")

    assert old != new
    assert 16 == len(old) == len(declared_id(DECLARED))
