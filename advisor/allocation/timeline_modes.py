"""Whether transfers share what they cross, and own tasks their processors: the two timelines."""

from __future__ import annotations

from machines.errors import InputError

FAIR = "fair"
NONE = "none"
SHARINGS = (FAIR, NONE)
"""The contention-aware schedule (`advisor.allocation.execution`), or the contention-free one."""
SHARING_WORDS = {FAIR: "contention-aware schedule", NONE: "contention-free schedule"}
"""The same in words, wherever an answer says on which timeline it rests."""


def timeline_sentence(sharing: str) -> str:
    """The timeline as a sentence: "Timeline: contention-aware schedule."."""
    return f"Timeline: {SHARING_WORDS[sharing]}."


def check_sharing(sharing: str) -> None:
    """Refuse a timeline that is neither "fair" nor "none"."""
    if sharing not in SHARINGS:
        raise InputError(
            "unknown sharing",
            where="sharing",
            value=sharing,
            remedy="Allowed: " + ", ".join(SHARINGS),
        )
