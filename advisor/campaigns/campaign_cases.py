"""The cases of a campaign: every combination of what it asks, numbered, made when it is needed.

`planned` looks up all names first and tells all that are unknown at once. Cases of one workload
follow each other, those of one problem, too, so that neighbours share what they need.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, groupby
from pathlib import Path
from typing import overload

from advisor.campaigns.campaign_file import AskedStudy, Campaign, Family, Load, Setting, words
from advisor.campaigns.names import checked, files_of
from machines import Platform
from machines.errors import InputError

MOST_CASES = 1_000_000
ALLOCATION = "allocation"
OWN = ""  # the platform that a workload brings along


@dataclass(frozen=True)
class Source:
    """What a case is about."""

    study: str  # "allocation", or the study's name
    file: str = ""  # of a workload, as the campaign's pattern names it; empty: there is none
    generator: str = ""  # name; empty: there is none
    settings: tuple[Setting, ...] = ()  # pairs (name, value); of the generator or the study
    seed: int = 0

    @property
    def label(self) -> str:
        """How tables call it, whatever the seed."""
        return self.file or " ".join(filter(None, (self.generator, words(self.settings))))


@dataclass(frozen=True)
class Case:
    """One case: all that its answer follows from, but for files."""

    number: int  # in its campaign, from 0
    source: Source
    platform: str = OWN  # as the campaign names it; empty: what the workload brings along
    load: Load = ()  # what of the campaign's load is about this platform
    sharing: str = ""
    strategy: str = ""


@dataclass(frozen=True)
class _Block:
    """Sources that are asked under the same conditions."""

    name: str
    sources: Sequence[Source]
    conditions: tuple[tuple[str, Load], ...]
    sharing: tuple[str, ...]
    strategies: tuple[str, ...]

    @property
    def many(self) -> int:
        """How many cases, be it beyond all memory."""
        others = len(self.conditions) * len(self.sharing) * len(self.strategies)
        return self.many_sources * others

    @property
    def many_sources(self) -> int:
        """How many workloads, or points of a study."""
        if isinstance(self.sources, _Sources):
            return self.sources.of.sweep.many
        return len(self.sources)

    def __len__(self) -> int:
        return self.many

    def case(self, place: int, number: int) -> Case:
        place, strategy = divmod(place, len(self.strategies))
        place, sharing = divmod(place, len(self.sharing))
        place, condition = divmod(place, len(self.conditions))
        platform, load = self.conditions[condition]
        return Case(
            number, self.sources[place], platform, load,
            self.sharing[sharing], self.strategies[strategy],
        )  # fmt: skip

    @property
    def factors(self) -> str:
        """What its sources are multiplied by: " × 2 timelines × 4 strategies"."""
        counted = (
            (len(self.conditions), "platforms and loads"),
            (len(self.sharing), "timelines"),
            (len(self.strategies), "strategies"),
        )
        return "".join(f" × {many:,} {what}" for many, what in counted if many > 1)


@dataclass(frozen=True)
class _Sources(Sequence[Source]):
    """Those of a generator or study, made one by one."""

    of: Family | AskedStudy

    def __len__(self) -> int:
        return len(self.of.sweep)

    @overload
    def __getitem__(self, place: int) -> Source: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Source]: ...
    def __getitem__(self, place: int | slice) -> Source | Sequence[Source]:
        if isinstance(place, slice):
            return [self[one] for one in range(*place.indices(len(self)))]
        settings, seed = self.of.sweep[place]
        if isinstance(self.of, Family):
            return Source(ALLOCATION, "", self.of.generator, settings, seed)
        return Source(self.of.name, "", "", settings, seed)


@dataclass(frozen=True, eq=False)
class Cases:
    """All cases of a campaign, in the order of its results."""

    campaign: Campaign
    folder: Path  # what its paths are relative to
    platforms: dict[str, Platform]  # those that the campaign names
    blocks: tuple[_Block, ...]

    @cached_property
    def _ends(self) -> list[int]:
        return list(accumulate(map(len, self.blocks)))

    def __len__(self) -> int:
        return self._ends[-1] if self.blocks else 0

    def __getitem__(self, number: int) -> Case:
        block = bisect_right(self._ends, number)
        if not 0 <= number < len(self):
            raise IndexError(number)
        return self.blocks[block].case(number - (self._ends[block - 1] if block else 0), number)

    def __iter__(self) -> Iterator[Case]:
        return (self[number] for number in range(len(self)))

    @property
    def files(self) -> tuple[str, ...]:
        """The workload files, each once, as the campaign names them."""
        found = (
            source.file
            for block in self.blocks
            if not isinstance(block.sources, _Sources)
            for source in block.sources
        )
        return tuple(dict.fromkeys(found))

    @property
    def product(self) -> str:
        """What makes their number: "(2 of *.json + 60 each of fft, layered) × 4 strategies"."""
        terms = []
        for factors, alike in groupby(self.blocks, key=lambda block: block.factors):
            many = [_sum(tuple(same)) for _, same in groupby(alike, key=_many_sources)]
            several = len(many) > 1 and factors
            terms.append(
                f"({' + '.join(many)}){factors}" if several else " + ".join(many) + factors
            )
        return " + ".join(terms)


def _many_sources(block: _Block) -> int:
    return block.many_sources


def _sum(blocks: tuple[_Block, ...]) -> str:
    """Blocks of as many sources each: "20 of fft", "20 each of fft, layered"."""
    each = "each of" if len(blocks) > 1 else "of"
    return f"{blocks[0].many_sources:,} {each} {', '.join(block.name for block in blocks)}"


def planned(campaign: Campaign, folder: Path) -> Cases:
    """The cases of a campaign.

    `folder`: what the paths in it are relative to.
    """
    platforms = checked(campaign, folder)
    blocks: list[_Block] = []
    conditions = tuple(_conditions(campaign)) or ((OWN, ()),)
    asked = campaign.sharing, campaign.strategies
    for entry in campaign.workloads:
        if isinstance(entry, Family):
            own = any(name == "machines" for name, _ in entry.sweep.settings)
            own_conditions: tuple[tuple[str, Load], ...] = ((OWN, ()),)
            where = own_conditions if own else conditions
            blocks.append(_Block(entry.generator, _Sources(entry), where, *asked))
        else:
            found = [Source(ALLOCATION, name) for name in files_of(entry, folder)]
            blocks.append(_Block(entry, found, conditions, *asked))
    blocks += [
        _Block(study.name, _Sources(study), ((OWN, ()),), ("",), ("",))
        for study in campaign.studies
    ]
    cases = Cases(campaign, folder, platforms, tuple(blocks))
    many = sum(block.many for block in blocks)
    if many > MOST_CASES:
        raise InputError(
            f"{many:,} cases are too many",
            value=cases.product,
            remedy=f"At most {MOST_CASES:,}: ask for fewer, or in several campaigns",
        )
    return cases


def _conditions(campaign: Campaign) -> Iterator[tuple[str, Load]]:
    """Each platform with each load that is about it, once."""
    for platform in campaign.platforms:
        about = [
            tuple(one for one in load if one[0] == platform)
            for load in campaign.loads
            if not load or any(one[0] == platform for one in load)
        ]
        yield from ((platform, load) for load in dict.fromkeys(about or [()]))
