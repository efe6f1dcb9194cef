"""Titles that are too long for their room, cut so that one is still told from the others."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

CUT = "…"

_LONG = 24  # letters of a word that fit the narrowest sheet


def shortened(title: str, others: Sequence[str], fits: Callable[[str], bool]) -> str:
    """The title, or as much of it as fits: "MIT Alewife, … two arguments".

    Left out is one run of words, as short as can be, beside which a word stays that each of the
    others lacks. Where no such text fits the end is left out, letter by letter.

    `others`: what it could be taken for. `fits`: whether there is room for a text.
    """
    if fits(title):
        return title
    words = title.split()
    lacked = [own for other in others if (own := set(words) - set(other.split()))]
    for first, after in _runs(len(words)):
        kept = {*words[:first], *words[after:]}
        text = " ".join((*words[:first], CUT, *words[after:]))
        if all(kept & own for own in lacked) and fits(text):
            return text
    ends = (f"{title[:end].rstrip()}{CUT}" for end in range(len(title) - 1, 0, -1))
    return next((text for text in ends if fits(text)), CUT)


def _runs(words: int) -> Iterator[tuple[int, int]]:
    """Where runs of words begin and end that may be left out: short ones and late ones first."""
    for length in range(1, words):
        for first in range(words - length, -1, -1):
            yield first, first + length


def breakable(text: str, letters: int = _LONG) -> str:
    """The text with places to break lines inside words that are longer."""
    return re.sub(rf"\S{{{letters}}}(?=\S)", lambda found: f"{found[0]}\u200b", text)
