"""A user's own commands as a study has them, and as the driver `command` reads them."""

from __future__ import annotations

import json
import os.path
import re
import shlex
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from benchbook.commands.numbers import check_rule
from benchbook.commands.revisions import Checkout, Revision, find_revision
from benchbook.digests import short_digest
from benchbook.project import Project
from benchmath.errors import UserError

DRIVER = "command"
KEYS = ("setup", "prepare", "command", "cleanup", "timeout")
NUMBERS = "numbers"
REVISION = "revision"  # the dimension whose values are revisions of git
SCRATCH = "scratch"  # a placeholder: a folder of the run's own
_PLACEHOLDER = re.compile(r"\{([a-z][a-z0-9_]*)\}")
_PLAIN = r"[^\s'\";|&<>(){}$`=]"
_PLAIN_WORD = re.compile(f"{_PLAIN}+")
_WORD = re.compile(f"(?:{_PLACEHOLDER.pattern}|{_PLAIN})+")


@dataclass(frozen=True)
class Commands:
    """What a study says of its commands; ``file`` is written for the driver."""

    file: Path
    digest: str
    steps: tuple[str, ...]
    placeholders: frozenset[str]  # names in braces, of the commands and of ``build``
    folder: Path  # where they run; of a revision the same folder of its checkout
    texts: tuple[str, ...] = ()  # with names in braces
    build: str = ""  # that makes a revision
    name: str = DRIVER
    # By the names that the study gives them, as they were when it was read.
    revisions: Mapping[str, Revision] = field(default_factory=dict, hash=False)

    @property
    def kinds(self) -> dict[str, str]:
        return dict.fromkeys(self.steps, DRIVER)

    def files_named(self, values: Mapping[str, str]) -> tuple[Path, ...]:
        """What a cell's commands are made of as far as they name it.

        ``values`` are the cell's dimensions and options.
        """
        words = {word for text in self.texts for word in _words(text, values)}
        places = (self.folder / word for word in words if not word.startswith("-"))
        # Path.is_file raises where a word is too long for a name.
        there = {place for place in places if os.path.isfile(place)}  # noqa: PTH113
        return tuple(sorted(there))

    def checkout(self, values: Mapping[str, str], project: Project) -> Checkout | None:
        """That of a cell with these dimensions and options; None without a revision."""
        if REVISION not in values:
            return None
        name, build = values[REVISION], self.build
        # A published study is read without its repository, and asks for it only here.
        revision = self.revisions.get(name) or find_revision(
            name, self.folder, "revision"
        )
        for name, value in values.items():
            build = build.replace(f"{{{name}}}", shlex.quote(value))
        within = self.folder.relative_to(revision.repository.resolve())
        key = short_digest(f"{revision.tree}\n{within}\n{build}")
        root = project.build / "revisions" / key / "tree"
        return Checkout(revision, root, root / within, build)


def read_commands(raw: Mapping[str, Any], study_file: Path) -> Commands:
    """The commands of a study's keys commands, folder and build, ready for the driver."""
    said: dict[str, dict[str, Any]] = {
        step: {"command": of} if isinstance(of, str) else of
        for step, of in raw["commands"].items()
    }
    for step, of in said.items():
        if "timeout" in of and not 0 < of["timeout"] <= 86_400:
            raise UserError(
                f"{study_file}: commands.{step}.timeout {of['timeout']}: write seconds, "
                "up to a day"
            )
    for step, of in said.items():
        check_rule(of.get(NUMBERS), f"{study_file}: commands.{step}.numbers")
    named = Path(raw.get("folder", ".")).expanduser()
    folder = (study_file.resolve().parent / named).resolve()
    texts = [str(of[key]) for of in said.values() for key in KEYS if key in of]
    build = raw.get("build", "")
    lines = [
        f"{step}\t{key}\t{_escaped(str(of[key]))}\n"
        for step, of in said.items()
        for key in KEYS
        if key in of
    ] + [
        f"{step}\t{NUMBERS}\t{_escaped(json.dumps(of[NUMBERS]))}\n"
        for step, of in said.items()
        if NUMBERS in of
    ]
    content = "".join(lines)
    digest = short_digest(content)
    file = Project.find(study_file.resolve().parent).build / "commands" / digest
    if not file.is_file():
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content)
    return Commands(
        file=file,
        digest=digest,
        steps=tuple(said),
        placeholders=frozenset(_PLACEHOLDER.findall("\n".join([*texts, build]))),
        folder=folder,
        texts=tuple(texts),
        build=build,
    )


def with_revisions(commands: Commands, names: Iterable[str], where: str) -> Commands:
    """The commands with what their revisions are now; UserError for one that is not."""
    found = {name: find_revision(name, commands.folder, where) for name in names}
    return replace(commands, revisions=found)


def rule_of(text: str, step: str) -> Any:
    """How to find the numbers of a step, of the text of ``Commands.file``; None: none."""
    for line in text.splitlines():
        of, key, rest = (*line.split("\t", 2), "", "")[:3]
        if (of, key) == (step, NUMBERS):
            return json.loads(rest.replace("\\\\", "\\"))
    return None


def _escaped(text: str) -> str:
    """One line: bench/command/text.h says how."""
    return text.strip().replace("\\", "\\\\").replace("\n", "\\n")


def _words(text: str, values: Mapping[str, str]) -> Iterator[str]:
    """What may be a file's name: words of the shell, and of a value that is a command."""
    for match in _WORD.finditer(text):
        word = _PLACEHOLDER.sub(lambda name: values.get(name[1], name[0]), match[0])
        yield word
        yield from _PLAIN_WORD.findall(word)
