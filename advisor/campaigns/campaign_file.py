"""Campaign files: TOML, read strictly. What its names stand for is looked up in `cases`.

What a campaign asks: workloads, machines, loads and strategies, of which every combination runs.

Frozen values, as a campaign file states them; `advisor.campaigns.campaign_cases` makes the cases.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import isfinite, prod
from pathlib import Path
from typing import TypeVar

from advisor.allocation.objectives import MAKESPAN, OBJECTIVES
from advisor.allocation.timeline_modes import FAIR
from advisor.basics.content import read_content
from advisor.studies.parameters import written
from machines.catalogue.shelf import Catalogue
from machines.checks import LARGEST_WHOLE, flag, number, repeated, text, whole
from machines.errors import InputError
from machines.files import decoded, is_there
from machines.formats import toml_text
from machines.formats.fields import Table, names, place, required, rows, table, whole_document

FORMAT, VERSION = "placewise-campaign", 1

_KEYS = (
    "format", "version", "name", "workloads", "platforms", "strategies", "loads", "sharing",
    "seconds", "objective", "studies", "plans",
)  # fmt: skip
_GENERATE, _SEEDS = "generate", "seeds"
_LONGEST_S = 86_400.0

Value = TypeVar("Value")


def read_campaign(path: str | Path) -> Campaign:
    """The campaign that a file states."""
    content, _ = read_content(path)
    return parse_campaign(decoded(content, str(path)), str(path))


def parse_campaign(content: str, where: str = "campaign") -> Campaign:
    """The campaign in TOML text; `where` names the text in errors."""
    document = toml_text.parse(content, where)
    with place(where):
        return campaign_from(document)


def campaign_from(document: object) -> Campaign:
    """The campaign described by nested dicts with the file's keys."""
    source = whole_document(document, _KEYS, FORMAT, VERSION)
    platforms = names(source.get("platforms", []), "platforms", "campaign")
    objective = text("objective", source.get("objective", MAKESPAN), among=OBJECTIVES)
    return Campaign(
        text("name", required(source, "name", "campaign")),
        tuple(_workloads(row, at) for at, row in enumerate(rows(source, "workloads"), 1)),
        platforms,
        names(source.get("strategies", []), "strategies", "campaign"),
        tuple(_load(row, platforms, at) for at, row in enumerate(rows(source, "loads"), 1))
        or ((),),
        names(source.get("sharing", [FAIR]), "sharing", "campaign"),
        number("seconds", source.get("seconds", 1.0), above=True, high=_LONGEST_S),
        objective,
        tuple(_study(row, at) for at, row in enumerate(rows(source, "studies"), 1)),
        flag("plans", source.get("plans", False)),
    )


def dump_campaign(campaign: Campaign) -> str:
    """The text of a file that states a campaign; `parse_campaign` reads it as it was."""
    table_: Table = {
        "format": FORMAT,
        "version": VERSION,
        "name": campaign.name,
        "workloads": [_entry(one) for one in campaign.workloads],
        "platforms": list(campaign.platforms),
        "strategies": list(campaign.strategies),
        "loads": [
            {f"{platform}/{machine}": many for platform, machine, many in load}
            for load in campaign.loads
        ],
        "sharing": list(campaign.sharing),
        "seconds": campaign.seconds,
        "objective": campaign.objective,
        "studies": [
            {"name": one.name, "set": _settings(one.sweep), _SEEDS: _told(one.sweep.seeds)}
            for one in campaign.studies
        ],
        "plans": campaign.plans,
    }
    return toml_text.dump(table_)


def _entry(one: str | Family) -> object:
    if isinstance(one, str):
        return one
    return {
        _GENERATE: one.generator,
        **_settings(one.sweep),
        _SEEDS: _told(one.sweep.seeds),
    }


def _settings(sweep: Sweep) -> dict[str, object]:
    return {key: values[0] if len(values) == 1 else list(values) for key, values in sweep.settings}


def _told(seeds: Sequence[int]) -> object:
    return len(seeds) if isinstance(seeds, range) else list(seeds)


def _workloads(row: object, position: int) -> str | Family:
    if isinstance(row, str):
        return text("workloads", row)
    where = f"workloads {position}"
    if not isinstance(row, dict) or _GENERATE not in row:
        raise InputError(
            "this is neither a pattern of files nor a generator",
            where=where,
            value=row,
            remedy='Give "folder/*.json" or { generate = "layered", tasks = [20, 50], seeds = 20 }',
        )
    generator = text(_GENERATE, row[_GENERATE], where=where)
    return Family(generator, _sweep(row, (_GENERATE, _SEEDS), row.get(_SEEDS, 1), where))


def _study(row: object, position: int) -> AskedStudy:
    where = f"studies {position}"
    source = table(row, ("name", "set", _SEEDS), where)
    settings = source.get("set", {})
    if not isinstance(settings, dict):
        raise InputError("set must be a table of settings", where=where, value=settings)
    sweep = _sweep(settings, (), source.get(_SEEDS, 1), where)
    told = tuple((key, tuple(map(written, values))) for key, values in sweep.settings)
    name = text("name", required(source, "name", where), where=where)
    return AskedStudy(name, Sweep(told, sweep.seeds))


def _sweep(source: Table, other: tuple[str, ...], seeds: object, where: str) -> Sweep:
    """What a table sets, a list being several values."""
    settings = tuple(
        (key, _values(value, key, where)) for key, value in source.items() if key not in other
    )
    return Sweep(settings, _seeds(seeds, where))


def _values(value: object, key: str, where: str) -> tuple[object, ...]:
    values = tuple(value) if isinstance(value, list) else (value,)
    wrong = [one for one in values if not _is_value(one)]
    if wrong or not values:
        raise InputError(
            f"{key} must be a value or a list of values", where=where, value=wrong or value
        )
    return _distinct(key, values, where)


def _is_value(value: object) -> bool:
    if isinstance(value, int):
        return abs(value) <= LARGEST_WHOLE
    return isinstance(value, str) or (isinstance(value, float) and isfinite(value))


def _distinct(key: str, values: tuple[Value, ...], where: str) -> tuple[Value, ...]:
    again = repeated(values)
    if again is not None:
        raise InputError(f"{key} has a value twice", where=where, value=again)
    return values


def _seeds(value: object, where: str) -> Sequence[int]:
    """So many seeds from 0 on, or those that are listed."""
    if not isinstance(value, list):
        return range(whole(_SEEDS, value, low=1, where=where))
    if not value:
        raise InputError("seeds is empty", where=where, remedy="Give their number or a list")
    seeds = tuple(whole(_SEEDS, one, high=2**32 - 1, where=where) for one in value)
    return _distinct(_SEEDS, seeds, where)


def _load(row: object, platforms: Sequence[str], position: int) -> Load:
    """``{"lab/desk-1" = 2}``: the longest name of a platform that begins the key is meant."""
    where = f"loads {position}"
    if not isinstance(row, dict):
        raise InputError(
            'a load is a table of "platform/machine" = contenders', where=where, value=row
        )
    found = []
    for key, value in row.items():
        named = [one for one in platforms if key.startswith(f"{one}/")]
        platform = max(named, key=len, default=key.rpartition("/")[0])
        if not platform:
            raise InputError(
                "a load names platform and machine", where=where, value=key,
                remedy='Write "lab/desk-1" = 2',
            )  # fmt: skip
        contenders = number(key, value, where=where)
        found.append((platform, key[len(platform) + 1 :], contenders))
    return tuple(found)


Load = tuple[tuple[str, str, float], ...]  # (platform, machine, CPU-bound contenders)
Setting = tuple[str, object]


@dataclass(frozen=True)
class Sweep:
    """Settings of which some have several values; its points are all their combinations.

    `settings`: pairs (name, values); the last varies first.
    """

    settings: tuple[tuple[str, tuple[object, ...]], ...] = ()
    seeds: Sequence[int] = (0,)  # of random numbers, for each point

    @property
    def many(self) -> int:
        """How many points there are; `len` can't tell numbers beyond all memory."""
        return prod(len(values) for _, values in self.settings) * len(self.seeds)

    def __len__(self) -> int:
        return self.many

    def __getitem__(self, place: int) -> tuple[tuple[Setting, ...], int]:
        """The settings and the seed of a place; seeds vary first."""
        place, seed = divmod(place, len(self.seeds))
        chosen: list[Setting] = []
        for name, values in reversed(self.settings):
            place, value = divmod(place, len(values))
            chosen.append((name, values[value]))
        if place:
            raise IndexError(place)
        return tuple(reversed(chosen)), self.seeds[seed]

    def points(self) -> Iterator[tuple[Setting, ...]]:
        """Every combination of the settings, whatever the seed."""
        names = [name for name, _ in self.settings]
        for values in product(*(values for _, values in self.settings)):
            yield tuple(zip(names, values, strict=True))


@dataclass(frozen=True)
class Family:
    """Workloads from a generator."""

    generator: str  # its name
    sweep: Sweep  # of its settings


@dataclass(frozen=True)
class AskedStudy:
    """A study that is asked beside the allocations."""

    name: str
    sweep: Sweep  # of its settings, as texts


@dataclass(frozen=True)
class Campaign:
    """What a campaign file says.

    `workloads`: patterns of workload files, relative to the campaign's file, and generators.
    `platforms`: files, or names of the catalogue; empty: what each workload brings along.
    """

    name: str
    workloads: tuple[str | Family, ...] = ()
    platforms: tuple[str, ...] = ()
    strategies: tuple[str, ...] = ()
    loads: tuple[Load, ...] = ((),)  # who computes there already; () changes nothing
    sharing: tuple[str, ...] = (FAIR,)  # timelines
    seconds: float = 1.0  # effort of a search
    objective: str = MAKESPAN
    studies: tuple[AskedStudy, ...] = ()
    plans: bool = False  # whether results hold the plans


def words(settings: tuple[Setting, ...]) -> str:
    """Settings as a label: "tasks=50 ccr=0.1"."""
    return " ".join(f"{name}={value}" for name, value in settings)


# The campaigns that ship, by name; each is a file that may be copied and changed.

CAMPAIGNS = Catalogue("campaigns", read_campaign, "campaign", titled=lambda one: one.name)


def campaign_path(name: str) -> Path:
    """The file that a user means: one that is there, or a campaign that ships."""
    ships = name in CAMPAIGNS.names()
    # a folder of that name holds the results
    if is_there(name) and not (ships and Path(name).is_dir()):
        return Path(name)
    if ships:
        return CAMPAIGNS.path(name)
    raise InputError(
        "no such file, and no shipped campaign of this name",
        value=name,
        remedy="Names: " + ", ".join(CAMPAIGNS.names()),
    )
