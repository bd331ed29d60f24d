"""mrg.some as we write it: by hand, and read back."""

import pytest

from benchformats.iibench.tables import read
from benchformats.iibench.written import COLUMNS, merged, per_second
from benchformats.parsed import TextFile

pytestmark = pytest.mark.unit


def test_costs_of_an_insert_are_per_second_too():
    """18 us of four CPUs, 103,093 times a second, are 46% of them."""
    costs = {"cs_o": 0.1018, "machine_cpu_o": 17.654, "wkb_o": 0.153, "w_o": 0.0004}
    found = per_second("l.i0", 103093, 0, costs, 4)

    assert {"ips": 103093, "qps": 0, "csps": 10495, "cpups": 45.5} == {
        name: round(found[name], 1 if name == "cpups" else 0)
        for name in ("ips", "qps", "csps", "cpups")
    }
    assert (0.153, 15.4) == (found["wkbpi"], round(found["wmbps"], 1))
    assert found["cpupq"] == 17.654


def test_writes_beside_queries_are_per_insert():
    """Two writes a query, 1,000 queries and 100 inserts a second."""
    found = per_second("qr100.L1", 100, 1000, {"w_o": 2.0, "r_o": 3.0}, 1)

    assert (2000, 20) == (found["wps"], found["wpi"])
    assert (3000, 3) == (found["rps"], found["rpq"])


def test_without_inserts_nothing_is_per_insert():
    assert "wpi" not in per_second("qr100.L1", 0, 1000, {"w_o": 2.0}, 1)


def test_what_is_not_known_is_said_so():
    text = merged({"l.i0": {"pg18": {"ips": 5.4, "csps": 10.0}}})

    assert text.splitlines() == [
        "l.i0",
        "\t".join([*COLUMNS, "tag"]),
        "5\t" + "NA\t" * 9 + "10\t" + "NA\t" * 9 + "pg18",
    ]


def test_what_is_written_is_read_back():
    """Two steps of two engines, every column."""
    row = {column: float(n) for n, column in enumerate(COLUMNS, 1)}
    text = merged({
        "l.i0": {"a": row, "b": {**row, "ips": 99.0}}, "qr100.L1": {"a": row},
    })  # fmt: skip
    parsed = read(TextFile("mrg.some", text))
    found = {(r.step, r.tag, r.metric): r.value for r in parsed.rows}

    assert not parsed.problems
    assert 3 * len(COLUMNS) == len(found)
    assert (1.0, 99.0) == (found["l.i0", "a", "ips"], found["l.i0", "b", "ips"])
    assert 12.0 == found["qr100.L1", "a", "cpups"]
