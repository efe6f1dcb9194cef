"""Names in letters, digits and underscores: what formats with narrow names take.

Writers of such formats and readers of what came of them share the rule.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

_OTHER = re.compile(r"[^A-Za-z0-9_]+")
_LONGEST = 60


def slug(name: str) -> str:
    """A name in letters, digits and underscores that begins with a letter."""
    stem = _OTHER.sub("_", name).strip("_")[:_LONGEST] or "task"
    return stem if stem[0].isalpha() else f"t_{stem}"


def unique_slugs(names: Iterable[str]) -> list[str]:
    """The slugs of names; different ones even where case does not count."""
    found: list[str] = []
    seen: set[str] = set()
    for name in names:
        stem = slug(name)
        one, number = stem, 1
        while one.lower() in seen:
            number += 1
            one = f"{stem}_{number}"
        seen.add(one.lower())
        found.append(one)
    return found
