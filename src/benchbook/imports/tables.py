"""``--columns``: which columns of tables hold what, said in the command or in YAML."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from benchbook.study.yaml_file import read_yaml
from benchformats import Format, format_of
from benchformats.tidy import figures
from benchformats.tidy.columns import columns_said
from benchmath.errors import UserError


def table_format(said: str) -> Format:
    """The format of tables whose columns are what ``said`` says."""
    try:
        columns = columns_said(_pairs(said))
    except ValueError as error:
        raise UserError(f"--columns: {error}") from None
    read = figures.reader_of(columns)
    return replace(format_of(figures), recognises=lambda file: True, read=read)


def _pairs(said: str) -> list[tuple[str, str]]:
    """``step=test, value=ms`` as pairs; of a YAML file its keys and values."""
    if said.endswith((".yml", ".yaml")):
        return _of_file(Path(said))
    pairs = []
    for part in filter(None, map(str.strip, said.split(","))):
        key, equals, value = part.partition("=")
        if not equals:
            raise ValueError(f"{part!r}: write ROLE=COLUMN, as in value=latency_ms")
        pairs.append((key.strip(), value.strip()))
    if not pairs:
        raise ValueError("nothing is said: write ROLE=COLUMN, as in value=latency_ms")
    return pairs


def _of_file(path: Path) -> list[tuple[str, str]]:
    if not path.is_file():
        raise UserError(f"{path}: no such file of --columns")
    content = read_yaml(path)
    if not isinstance(content, dict) or not content:
        raise ValueError(f"{path} has no keys: write lines such as `value: latency_ms`")
    return [
        (str(k), "+".join(map(str, v)) if isinstance(v, list) else str(v))
        for k, v in content.items()
    ]
