"""What looks like a secret in a settings file, a notebook or evidence.

A name says it (`password`, `sasl_password`, `api_key`), an address with a password in it,
or the head of a private key. Its value is never given to anybody, the line and name are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

HIDDEN = "***"
_VALUE = r"""(?P<value>\$\{\w+\}|\\?"[^"\\]*\\?"|'[^'\\]*'|[^\s'",;&|<>{}()\\]+)"""
_NAME = (
    r"(?:password|passwd|passphrase|pwd|requirepass|masterauth|secret|credentials?"
    r"|(?:api|access|private|secret)[_-]?(?:access[_-]?)?key"
    r"|(?:(?:auth|access|api|bearer|session)[_-]?)?token)"
)
_SECRET = re.compile(
    rf"""
      (?:(?<![\w.\\-])|(?<=\\[nrt])) (?P<name>(?:[\w.-]*[_.-])?{_NAME})
      (?:\\?["'])? \s* [=:] \s* {_VALUE}
    | (?:^|\\n) \s* (?P<first>(?:[\w.-]*[_.-])?{_NAME})
      \s+ (?P<only>[^\s=:\\][^\s\\]*) \s* (?=$|\\n)
    | (?P<clause>\b(?:identified\s+by|password)) \s+ (?P<quoted>'[^']+')
    | (?P<address>\b[a-z][a-z0-9+.-]*://[^\s/:@'"]*) : (?P<inside>[^\s/:@'"]+) @
    | (?P<begin>-----BEGIN\ [A-Z ]*PRIVATE\ KEY-----)
    """,
    re.VERBOSE | re.IGNORECASE,
)
_VALUES = ("value", "only", "quoted", "inside", "begin")
# Switches, what names where the secret is, and what stands for one.
_NONE = re.compile(
    r"""\\?["']?(on|off|yes|no|true|false|none|null|default|force\w*|[01]?
    |\$\{?\w+\}?|\$\{.*|env:\w+|[*x.]{3,}|<\w+>|file:.*|/.*)\\?["']?""",
    re.VERBOSE | re.IGNORECASE,
)


def secrets_in(text: str) -> Iterator[tuple[int, str]]:
    """Line, from 1, and name of each secret, in a text or in JSON that holds texts."""
    for number, line in enumerate(text.splitlines(), start=1):
        for found in _found(line):
            names = (found["name"], found["first"], found["clause"])
            kind = "an address" if found["address"] else "a private key"
            yield number, next(filter(None, names), kind).strip("-.").lower()


def without_secrets(text: str) -> str:
    """The text with asterisks where the secrets were."""

    def hidden(found: re.Match[str]) -> str:
        name = next(name for name in _VALUES if found[name])
        if _NONE.fullmatch(found[name]):
            return found[0]
        begin, end = (place - found.start() for place in found.span(name))
        (quote,) = re.findall(r"""^\\?["']|^""", found[name])[:1]
        return f"{found[0][:begin]}{quote}{HIDDEN}{quote}{found[0][end:]}"

    return "\n".join(_SECRET.sub(hidden, line) for line in text.split("\n"))


def _found(line: str) -> Iterator[re.Match[str]]:
    for found in _SECRET.finditer(line):
        value = next((found[name] for name in _VALUES if found[name]), "")
        if value and not _NONE.fullmatch(value):
            yield found
