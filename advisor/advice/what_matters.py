"""Where the doubt of an answer comes from, and which measurement would settle a choice."""

from __future__ import annotations

from dataclasses import dataclass

from advisor.basics.quantities import percent
from advisor.odds.shares import LINK, MACHINE, OTHER, TASKS, Share

_NAMED = 0.2  # share of the doubt from which a source is named
_SETTLES = 0.1  # by which knowing a number raises the odds of choosing right
_COMMANDS = {
    TASKS: "Logs of runs narrow it (placewise learn).",
    MACHINE: "Measuring that machine narrows it (placewise measure).",
    LINK: "Measuring that link narrows it (placewise measure --peer).",
}


@dataclass(frozen=True)
class Matters:
    """The sources of doubt.

    Attributes
    ----------
    shares : tuple of Share
        Largest first.
    now : float
        Odds of choosing the better of the plan and its rival as things stand.
    known : float
        The same if the source that tells most were known exactly.
    settles : Share or None
        That source; ``None``: there is no rival, or the choice is clear.
    rival : str
        What the plan is set against.
    """

    shares: tuple[Share, ...]
    now: float = 1.0
    known: float = 1.0
    settles: Share | None = None
    rival: str = ""

    @property
    def sentence(self) -> str:
        """What the doubt comes from; empty where nothing stands out."""
        parts = []
        named = [one for one in self.shares if one.share >= _NAMED][:2]
        if named:
            first, *more = named
            also = "".join(f", {percent(one.share)} from {_the(one)}" for one in more)
            parts.append(f"{percent(first.share)} of the doubt comes from {_the(first)}{also}.")
            parts.append(_COMMANDS.get(first.source, ""))
        if self.settles is not None and self.known >= self.now + _SETTLES:
            parts.append(
                f"Knowing {_the(self.settles)} would raise the odds of choosing right between this "
                f"plan and {self.rival} from {percent(self.now)} to {percent(self.known)}."
            )
        return " ".join(filter(None, parts))


def _the(one: Share) -> str:
    return one.title if one.source == OTHER else f"the {one.title}"
