"""The lines of driver.jsonl: what each kind of record holds, and a strict check of one.

The drivers print them with bench/common/record.c; data/README.md explains every key.
What sidecars print is in sidecar_records.py.
"""

from __future__ import annotations

import json
import operator
from collections.abc import Callable, Mapping
from itertools import chain
from typing import Any

from benchmath.errors import UserError

SCHEMA = 1
OPS = ("insert", "delete", "query", "transaction", "index", "scan", "bytes", "run")
CLOCKS = ("intended", "actual")
Record = dict[str, Any]
Kinds = Mapping[str, Mapping[str, str]]
Check = Callable[[Any], str]  # what is wrong with a value; "" where nothing is

# A trailing "?" makes a key optional; "count|null" is a counter that the loader takes
# from the tool's own output.
RUN = {
    "kind": "text", "schema": "count", "driver": "text", "engine": "text",
    "version": "text", "compiler": "text", "optimized": "flag", "assertions": "flag",
    "dop": "count", "seed": "word", "cpus": "counts", "pid": "count",
    "mono_ns": "count", "real_ns": "count", "boot_id": "text", "options": "texts",
    "settings": "texts",
}  # fmt: skip
STEP = {
    "kind": "text", "step": "text", "op": "op", "main": "flag", "seq": "count",
    "dop": "count", "start_ns": "count", "end_ns": "count", "ops": "count|null",
    "rows": "count|null", "errors": "count", "retries": "count", "bytes": "count|null",
    "wait_ns": "count", "cpu_ns": "count", "target_ops_per_s": "count",
    "checked": "flag?", "fetched": "count?",
}  # fmt: skip
SAMPLE = {
    "kind": "text", "step": "text", "op": "op", "t_ns": "count", "interval_ns": "count",
    "ops": "count", "rows": "count", "max_ns": "count", "clients": "counts",
    "sub_bits": "count?", "times": "twos?",
}  # fmt: skip
HIST = {
    "kind": "text", "step": "text", "op": "op", "clock": "clock", "unit": "text",
    "sub_bits": "count", "counts": "pairs",
}  # fmt: skip
STATEMENT = {
    "kind": "text", "step": "text", "name": "text", "sql": "text", "sent": "count",
    "rows": "count", "affected": "count", "errors": "count", "retries": "count",
    "total_ns": "count", "max_ns": "count", "sub_bits": "count", "counts": "pairs",
    "plan": "text|null?",
}  # fmt: skip
RECALL = {
    "kind": "text", "step": "text", "name": "text", "k": "count", "asked": "count",
    "found": "count",
}  # fmt: skip
USE = {
    "kind": "text", "step": "text", "server_cpu_ns": "count?", "client_cpu_ns": "count?",
    "machine_cpu_ns": "count?", "machine_busy_ns": "count?", "switches": "count?",
    "reads": "count?",
    "read_bytes": "count?", "writes": "count?", "written_bytes": "count?",
    "server_read_bytes": "count?", "server_written_bytes": "count?",
    "log_bytes": "count?", "folder_bytes": "count?", "memory_bytes": "count?",
}  # fmt: skip
BEGIN = {"kind": "text", "step": "text", "t_ns": "count"}
WAIT = {"kind": "text", "step": "text", "t_ns": "count", "sessions": "tally"}
END = {
    "kind": "text", "status": "text", "reason": "text", "mono_ns": "count",
    "real_ns": "count", "boot_id": "text", "lines": "count?",
}  # fmt: skip

# Schema -> kind -> key -> type. A newer schema is an entry here; a file is checked by
# the tables of the schema that its run record names.
SCHEMAS: dict[int, Kinds] = {
    SCHEMA: {
        "run": RUN,
        "begin": BEGIN,
        "step": STEP,
        "sample": SAMPLE,
        "hist": HIST,
        "statement": STATEMENT,
        "recall": RECALL,
        "size": {"kind": "text", "step": "text", "bytes": "count"},
        "use": USE,
        "wait": WAIT,
        "note": {"kind": "text", "step": "text", "text": "text"},
        "output": {"kind": "text", "step": "text", "file": "text", "format": "text"},
        "end": END,
    }
}


class RecordError(UserError):
    """A line that is not a record as the schema has it: file, line, what is wrong."""


def parse(line: str | bytes) -> Record:
    """The JSON object of one line; ValueError says why it is none."""
    try:
        text = line if isinstance(line, str) else line.decode()
        record = json.loads(
            text, object_pairs_hook=_no_duplicates, parse_constant=_no_constant
        )
        if "\\u" in text:  # half of a surrogate pair has no UTF-8
            json.dumps(record, ensure_ascii=False).encode()
    except UnicodeError:
        raise ValueError("not UTF-8 text") from None
    except RecursionError:
        raise ValueError("nested too deeply") from None
    except json.JSONDecodeError as error:
        raise ValueError(
            f"not a whole JSON object ({error.msg}, column {error.colno})"
        ) from None
    if not isinstance(record, dict):
        raise ValueError("not a JSON object")
    return record


def _no_duplicates(pairs: list[tuple[str, Any]]) -> Record:
    record = dict(pairs)
    if len(record) != len(pairs):
        raise ValueError("a key stands twice")
    return record


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def kinds_of_file(record: Record) -> Kinds:
    """The tables for the schema that a file's first record names."""
    if record.get("kind") != "run":
        raise ValueError("the first record is not run")
    schema = record.get("schema")
    if type(schema) is int and schema in SCHEMAS:
        return SCHEMAS[schema]
    if type(schema) is int and schema > SCHEMA:
        raise ValueError(
            f"schema {schema} is newer than {SCHEMA}, the newest known here: "
            "update Benchbook"
        )
    raise ValueError(f"there is no schema {_short(schema)}")


def check_record(
    record: Record, kinds: Kinds, types: Mapping[str, Check] | None = None
) -> str:
    """The record's kind, if its keys and their types are those of the kind.

    ``types`` are further types than those of driver.jsonl.
    """
    checks = TYPES if types is None else {**TYPES, **types}
    kind = record.get("kind")
    if not isinstance(kind, str) or kind not in kinds:
        raise ValueError(f"unknown kind {kind!r}")
    keys = kinds[kind]
    for key, value in record.items():
        if key not in keys:
            raise ValueError(f"unknown key {key!r} in a {kind} record")
        problem = checks[keys[key].rstrip("?")](value)
        if problem:
            raise ValueError(f"{key} of a {kind} record is {_short(value)}, {problem}")
    for key, kind_of_value in keys.items():
        if key not in record and not kind_of_value.endswith("?"):
            raise ValueError(f"a {kind} record without {key}")
    return kind


def is_count(value: object) -> bool:
    return type(value) is int and 0 <= value < 2**63


def _ascend(numbers: list[int]) -> bool:
    return all(map(operator.lt, numbers, numbers[1:]))


def _is_pair(value: object) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(map(is_count, value))


def _pairs_problem(value: object) -> str:
    """What is wrong with [[index, count], ...]."""
    if not isinstance(value, list):
        return "not a list"
    if all(type(pair) is list and len(pair) == 2 for pair in value):
        flat = list(chain.from_iterable(value))  # quick where nothing is wrong
        whole = set(map(type, flat)) <= {int} and min(flat, default=0) >= 0
        if whole and max(flat, default=0) < 2**63 and _ascend(flat[::2]):
            return ""
    last = -1
    for pair in value:
        if not _is_pair(pair):
            return f"holding {_short(pair)}, not an index and a count"
        if pair[0] <= last:
            return f"out of order at index {pair[0]}"
        last = pair[0]
    return ""


def is_tally(value: object) -> bool:
    return isinstance(value, dict) and all(map(is_count, value.values()))


def expect(accepts: Callable[[Any], bool], expected: str) -> Check:
    """A check that says "not" and what was expected."""
    return lambda value: "" if accepts(value) else f"not {expected}"


TYPES: dict[str, Check] = {
    "text": expect(lambda v: isinstance(v, str), "a string"),
    "text|null": expect(lambda v: v is None or isinstance(v, str), "a string or null"),
    "flag": expect(lambda v: isinstance(v, bool), "true or false"),
    "count": expect(is_count, "a whole number of 0 or more"),
    "count|null": expect(lambda v: v is None or is_count(v), "a count or null"),
    "word": expect(lambda v: type(v) is int and 0 <= v < 2**64, "64 bits unsigned"),
    "counts": expect(
        lambda v: isinstance(v, list) and all(map(is_count, v)), "a list of counts"
    ),
    "texts": expect(
        lambda v: isinstance(v, dict) and all(isinstance(t, str) for t in v.values()),
        "an object of strings",
    ),
    "tally": expect(is_tally, "an object of counts"),
    "op": expect(lambda v: v in OPS, f"one of {', '.join(OPS)}"),
    "clock": expect(lambda v: v in CLOCKS, f"one of {', '.join(CLOCKS)}"),
    "pairs": _pairs_problem,
    "twos": expect(  # whose order record_checks.py looks at, for all samples at once
        lambda v: isinstance(v, list) and all(map(_is_pair, v)),
        "a list of two counts each",
    ),
}


def _short(value: object) -> str:
    text = json.dumps(value)
    return text if len(text) <= 40 else text[:37] + "..."
