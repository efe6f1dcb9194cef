"""Which key opens which page: 1 … 9, then a letter of its title."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from string import ascii_uppercase

_DIGITS = "123456789"


def page_keys(titles: Sequence[str], taken: Iterable[str]) -> Iterator[tuple[str, ...]]:
    """The keys of each page; none when all letters are gone.

    `titles`: of the pages, in the order of the rail. `taken`: keys that other actions have. Yields:
    from the tenth page on the first letter of its title that is free, or of the alphabet.
    """
    used = set(taken)
    for place, title in enumerate(titles):
        wanted = _DIGITS[place : place + 1] or f"{title.upper()}{ascii_uppercase}"
        free = (key for key in wanted if key in _DIGITS + ascii_uppercase and key not in used)
        key = next(free, "")
        used.add(key)
        yield (key,) if key else ()
