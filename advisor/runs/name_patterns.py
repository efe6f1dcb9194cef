"""Names of a log found among known names: as they are, then by the ways in which engines bend them.

A pattern counts only where it leads one name to one: what two names share, or what fits two, is
left for the user to see. The patterns, from the surest on:

1. the slug that our exports write (`advisor.basics.slugs`), ignoring case;
2. the last part of a path, with or without its ending, and of a host its name before the first dot;
3. letters and digits alone, with wildcards' names left out: ``project[i=3]`` for ``project3``;
4. of Nextflow's ``WORKFLOW:PROCESS (tag)`` the process and tag;
5. less what engines hang on: numbers, hexadecimal digests and a few words, from the right
   (``raw0-default-0``, ``raw0-1f2e3d4c``), each shorter form by 1 and 3.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping

from advisor.basics.slugs import slug

_WILDCARD = re.compile(r"(?<![A-Za-z0-9_])[A-Za-z_][A-Za-z0-9_]*=")
_SIGN = re.compile(r"[^A-Za-z0-9]+")
_UUID = r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
_DIGEST = r"(?=[a-f]*[0-9])[0-9a-f]{6,}"
_HUNG = re.compile(
    rf"[-_.:/\s([{{#]+(?:{_UUID}|[0-9]+|{_DIGEST}|default|try|attempt|run|retry)[\s)\]}}]*$",
    re.IGNORECASE,
)
_ENDING = re.compile(r"\.[A-Za-z][A-Za-z0-9]{0,7}$")
_MOST_HUNG = 4  # parts
_TAIL = 80  # characters in which a part is looked for: a search takes their square
NUMBERED = " #"  # readers write it before a number that tells tasks apart, and no more

Pattern = Callable[[str], Iterable[str]]


def found_names(
    names: Iterable[str], known: Mapping[str, int], *, alone: bool = True
) -> dict[str, int]:
    """Positions of names among known ones, exact ones first, then pattern by pattern.

    `names`: of the log, each once.
    `known`: the names that are looked for, and what they stand for.
    `alone`: no two names stand for the same: of tasks; several workers may be of one machine.
    Returns: position by name; a name that is not in it fits none, or not one alone.
    """
    names = list(names)
    found = {name: known[name] for name in names if name in known}
    for pattern in _PATTERNS:
        left = [name for name in names if name not in found and NUMBERED not in name]
        if not left:
            break
        found |= _by(pattern, left, known, set(found.values()) if alone else None)
    return found


def _by(
    pattern: Pattern, names: list[str], known: Mapping[str, int], taken: set[int] | None
) -> dict[str, int]:
    """The names that the pattern leads to one position each; with `taken`, no two to the same."""
    forms: dict[str, set[int]] = {}
    for name, position in known.items():
        for form in (_slug(name), _bare(name)):
            forms.setdefault(form, set()).add(position)
    reached: dict[str, int] = {}
    for name in names:
        for form in pattern(name):
            positions = forms.get(form, set())
            if positions:
                if len(positions) == 1 and not positions & (taken or set()):
                    (reached[name],) = positions
                break
    if taken is None:
        return reached
    times: dict[int, int] = {}
    for position in reached.values():
        times[position] = times.get(position, 0) + 1
    return {name: position for name, position in reached.items() if times[position] == 1}


def _slug(name: str) -> str:
    return "_" + slug(name).lower()  # told from `_bare` by the sign


def _bare(name: str) -> str:
    """Letters and digits alone, but for what stands between two numbers."""
    text = _WILDCARD.sub("", name).lower()
    parts = [part for part in _SIGN.split(text) if part]
    joined = ""
    for part in parts:
        joined += f".{part}" if joined[-1:].isdigit() and part[0].isdigit() else part
    return joined


def _by_slug(name: str) -> Iterable[str]:
    yield _slug(name)


def _by_last_part(name: str) -> Iterable[str]:
    last = name.replace("\\", "/").rstrip("/").rpartition("/")[2]
    yield _slug(last)
    yield _slug(_ENDING.sub("", last))
    yield _slug(last.partition(".")[0])


def _by_process(name: str) -> Iterable[str]:
    """Of Nextflow's ``WORKFLOW:PROCESS (tag)`` the process and tag."""
    _, inside, last = name.partition(" (")[0].rpartition(":")
    if inside:
        yield _bare(last + name.removeprefix(name.partition(" (")[0]))


def _by_signs(name: str) -> Iterable[str]:
    yield _bare(name)


def _by_stem(name: str) -> Iterable[str]:
    for _ in range(_MOST_HUNG):
        shorter = name[:-_TAIL] + _HUNG.sub("", name[-_TAIL:])
        if not shorter or shorter == name:
            return
        name = shorter
        yield _slug(name)
        yield _bare(name)


_PATTERNS: tuple[Pattern, ...] = (_by_slug, _by_last_part, _by_signs, _by_process, _by_stem)
