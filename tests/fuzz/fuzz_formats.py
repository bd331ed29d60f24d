"""Coverage-guided fuzzing of every format: no crash, no hang, nothing out of contract.

    make fuzz SECONDS=600

An input is a path, a line end, and the text of the file. Inputs that found new code stay
in build/fuzz/inputs, so that the next run goes on from them; one that fails is written to
build/fuzz/crash-*, and ``fuzz_formats.py FILE`` repeats it.
"""

from __future__ import annotations

import random
import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve()
TESTS = HERE.parents[1]
sys.path[:0] = [str(TESTS), str(TESTS / "helpers"), str(HERE.parents[2] / "src")]

from text_blocks import reader  # noqa: E402

from benchformats import Format, formats  # noqa: E402
from benchformats.parsed import Parsed, TextFile, merged  # noqa: E402
from fuzz.fuzz_seeds import FILES  # noqa: E402

BUILD = HERE.parents[2] / "build" / "fuzz"
LONGEST = 2**14  # characters of an input
SLOWEST = 10  # seconds that an input may take before it counts as a hang
DIRECTIONS = {"higher", "lower", "none"}
WORDS = (b"", b"NA", b"inf", b"-1", b"1e999", b"nan", b"0", b"nonzero", b"1,234")


def file_of(data: bytes) -> TextFile:
    """An input as the importer would hand it to a format."""
    path, _, text = data.decode(errors="replace").partition("\n")
    return TextFile(path.replace("\0", "") or "x", text.replace("\r\n", "\n"))


def check(data: bytes, known: tuple[Format, ...] | None = None) -> list[str]:
    """Read an input by every format; the names of those that recognise it.

    AssertionError where what was read breaks the contract of ``formats.parsed``.
    """
    file = file_of(data)
    names = []
    for one in known or formats():
        if one.recognises(file):
            names.append(one.name)
        parsed = one.read(file)
        _check_contract(parsed, len(file.lines), one.name)
        if one.stream:
            pieces = TextFile(file.path, file.text, reader=reader(_parts(file.text)))
            again = merged(one.stream(pieces))
            assert _figures(again) == _figures(parsed), (
                f"{one.name}: stream and read differ"
            )
    return names


def _check_contract(parsed: Parsed, lines: int, name: str) -> None:
    for row in parsed.rows:
        assert 1 <= row.line <= max(1, lines), f"{name}: a row of line {row.line}"
        assert row.direction in DIRECTIONS, f"{name}: direction {row.direction!r}"
        assert isinstance(row.value, float | int), f"{name}: value {row.value!r}"
        assert row.value == row.value, f"{name}: {row.metric} is NaN"
        assert row.metric and row.dop >= 0, f"{name}: {row}"
    for problem in parsed.problems:
        assert 0 <= problem.line <= max(1, lines), f"{name}: {problem}"
        assert problem.text and "\n" not in problem.text, f"{name}: {problem}"


def _figures(parsed: Parsed) -> list[tuple[int, str, float]]:
    return [(row.line, row.metric, row.value) for row in parsed.rows]


def _parts(text: str) -> list[str]:
    """A text in parts of three lines."""
    lines = re.findall(r"[^\n]*\n|[^\n]+$", text)
    return ["".join(lines[start : start + 3]) for start in range(0, len(lines), 3)]


def seeds() -> dict[str, bytes]:
    """Undamaged files made for the tests of the formats, by a name of their own."""
    return {
        f"{number:03d}": f"{path}\n{text}".encode()
        for number, (path, text) in enumerate(FILES)
    }


def damaged(data: bytes, seed: int) -> bytes:
    """An input with some of its lines or cells lost, doubled, swapped or cut."""
    chance = random.Random(seed)
    lines = data.split(b"\n")
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(lines))
        other = chance.randrange(len(lines))
        cells = lines[at].split(b"\t" if b"\t" in lines[at] else b" ")
        cell = chance.randrange(len(cells))
        glue = b"\t" if b"\t" in lines[at] else b" "
        kind = chance.randrange(7)
        if kind == 0 and len(lines) > 1:
            del lines[at]
        elif kind == 1:
            lines.insert(at, lines[other])
        elif kind == 2:
            lines[at], lines[other] = lines[other], lines[at]
        elif kind == 3:
            lines[at] = glue.join(cells[:cell] + cells[cell + 1 :])
        elif kind == 4:
            cells[cell] = chance.choice(
                (b"", b"NA", b"inf", b"-1", b"1e999", b"nan", b"0")
            )
            lines[at] = glue.join(cells)
        elif kind == 5:
            lines[at] = lines[at][: chance.randrange(len(lines[at]) + 1)]
        else:
            lines[at] *= chance.randint(2, 50)
    return b"\n".join(lines)


def main(arguments: list[str]) -> None:
    """Fuzz until stopped; arguments are libFuzzer's, or inputs to repeat."""
    import atheris

    with atheris.instrument_imports(include=["benchbook"]):
        formats()
    inputs, given = BUILD / "inputs", BUILD / "seeds"
    for folder in (inputs, given):
        folder.mkdir(parents=True, exist_ok=True)
    for name, data in seeds().items():
        (given / name).write_bytes(data)
        check(data)  # what formats import at first use is no hang

    def mutate(data: bytes, longest: int, seed: int) -> bytes:
        changed = damaged(data, seed) if seed % 2 else atheris.Mutate(data, longest)
        return changed[:longest]

    options = [f"-max_len={LONGEST}", f"-timeout={SLOWEST}", "-rss_limit_mb=2048",
               f"-artifact_prefix={BUILD}/", "-print_final_stats=1"]  # fmt: skip
    repeat = any(not a.startswith("-") for a in arguments)
    folders = [] if repeat else [str(inputs), str(given)]
    atheris.Setup(
        [sys.argv[0], *options, *arguments, *folders],
        lambda data: check(data) and None,
        custom_mutator=mutate,
    )
    atheris.Fuzz()


if __name__ == "__main__":
    main(sys.argv[1:])
