"""Small campaigns, and who carries them out in tests."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from advisor.basics.shards import within_reach
from advisor.campaigns.answer_case import Asking, answer
from advisor.campaigns.campaign_cases import Cases, planned
from advisor.campaigns.campaign_file import parse_campaign
from machines.stopping import ask
from tests.advisor.commands.asking import PLATFORM, WORKLOAD

HEAD = 'format = "placewise-campaign"\nversion = 1\nname = "small"\n'
LAYERED = """
workloads = [{ generate = "layered", tasks = 4, machines = 2, ccr = [0.1, 1.0], seeds = 5 }]
strategies = ["heft", "min-min"]
"""
FILES = ("campaign.json", "results.csv", "results.jsonl", "timings.csv")
ROWS = ("results.csv", "results.jsonl")


def campaign(text: str = LAYERED, folder: Path = Path()) -> Cases:
    """The cases of a campaign's file with these lines."""
    return planned(parse_campaign(HEAD + text), folder)


def two_machines(folder: Path) -> Path:
    """A workload of two tasks in w.toml, and machines for it in p.toml."""
    folder.mkdir(exist_ok=True)
    (folder / "w.toml").write_text(WORKLOAD, encoding="utf-8")
    (folder / "p.toml").write_text(PLATFORM, encoding="utf-8")
    return folder


def rows(out: Path) -> dict[str, bytes]:
    """What follows from the cases alone."""
    return {name: (out / name).read_bytes() for name in ROWS}


class Plain:
    """`Shards` that compute here, without compiled kernels."""

    def each(
        self, function: Callable[[Any], Any], items: Sequence[Any]
    ) -> Iterator[tuple[int, Any]]:
        for place, item in enumerate(items):
            ask()
            yield place, function(item)


class Known:
    """`Shards` that know the answers of a campaign, and tell which they were asked for."""

    def __init__(self, cases: Cases) -> None:
        asking = Asking(cases)
        self.answers = [answer(asking(number)) for number in range(len(cases))]
        self.asked: list[int] = []

    def each(
        self, function: Callable[[Any], Any], items: Sequence[Any]
    ) -> Iterator[tuple[int, Any]]:
        del function
        for place, item in enumerate(items):
            ask()
            self.asked.append(item.case.number)
            yield place, self.answers[item.case.number]


class Shuffled:
    """`Shards` whose answers come in another order, as far as the items' reach lets them.

    Attributes
    ----------
    furthest : int
        The most items that were handed out and not answered.
    """

    def __init__(self, seed: int = 0) -> None:
        self.furthest = 0
        self._rng = random.Random(seed)

    def each(
        self, function: Callable[[Any], Any], items: Sequence[Any]
    ) -> Iterator[tuple[int, Any]]:
        fresh, out = 0, {}
        while out or fresh < len(items):
            while fresh < within_reach(items):
                out[fresh] = items[fresh]
                fresh += 1
            self.furthest = max(self.furthest, len(out))
            place = self._rng.choice(list(out))
            yield place, function(out.pop(place))
