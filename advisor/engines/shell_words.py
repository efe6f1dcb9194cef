"""Words of a shell: how scripts are written so that names and commands stay data, and read back.

A script is fixed text, the functions, and after it one statement a line: words that are bare where
they can be and in single quotes otherwise, as `shlex.quote` writes them. Line breaks in quotes do
not end a statement.
"""

from __future__ import annotations

import hashlib
import re
import shlex
from collections.abc import Iterable, Mapping

from advisor.allocation.plan_jobs import Jobs
from advisor.basics.slugs import unique_slugs
from machines.errors import InputError

_PART = r"""[A-Za-z0-9_@%+=:,./-]+|'[^']*'|"'\""""
_WORD = re.compile(rf"(?:{_PART})+")
_PARTS = re.compile(_PART)
Statement = tuple[str, ...]


def statement(*words: object) -> str:
    """A line of words, with its end."""
    return " ".join(shlex.quote(str(word)) for word in words) + "\n"


def statements(text: str) -> tuple[Statement, ...]:
    """The words of every statement; lines of ``#`` between statements are read over.

    Raises
    ------
    InputError
        Anything that a shell would not take as plain words: an expansion, a second command.
    """
    found: list[Statement] = []
    words: list[str] = []
    at = 0
    while at < len(text):
        if not words and text[at] == "#":
            end = text.find("\n", at)
            at = len(text) if end < 0 else end + 1
        elif text[at] == "\n":
            if words:
                found.append(tuple(words))
                words = []
            at += 1
        elif text[at] == " ":
            at += 1
        else:
            word = _WORD.match(text, at)
            if word is None:
                line = text.count("\n", 0, at) + 1
                raise InputError(
                    "expected a word in quotes", where=f"line {line}",
                    value=text[at : at + 20].partition("\n")[0],
                )  # fmt: skip
            words.append("".join(map(_plain, _PARTS.findall(word[0]))))
            at = word.end()
    if words:
        found.append(tuple(words))
    return tuple(found)


def _plain(part: str) -> str:
    return part[1:-1] if part[0] in "'\"" else part


def after_functions(text: str, functions: str) -> str:
    """What a script says after its functions; InputError if they are not these."""
    before, found, rest = text.partition(functions)
    if not found or any(line and not line.startswith("#") for line in before.split("\n")):
        raise InputError("not a Placewise script, or it was edited")
    return rest


def named(names: Mapping[str, str], slugs: Iterable[str]) -> frozenset[str]:
    """The names that slugs stand for; InputError for one that no line before has stated."""
    found = {slug: names.get(slug) for slug in slugs}
    for slug, name in found.items():
        if name is None:
            raise InputError("no line before states it", value=slug)
    return frozenset(name for name in found.values() if name is not None)


def number(word: str) -> int:
    """A number of cores."""
    if not re.fullmatch("[0-9]{1,9}", word):
        raise InputError("expected a number", value=word)
    return int(word)


def comment(text: str) -> str:
    """Lines of a comment."""
    return "".join(f"# {line}".rstrip() + "\n" for line in text.split("\n"))


def plan_name(jobs: Jobs, said: Iterable[object]) -> str:
    """A file's name for a plan: of the workload, and other for every other plan of it."""
    (slug,) = unique_slugs([jobs.name or "plan"])
    return f"{slug}-{hashlib.sha256(repr(tuple(said)).encode()).hexdigest()[:8]}"
