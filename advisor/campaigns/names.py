"""What the names of a campaign stand for; all that are unknown are told at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TypeVar

from advisor.allocation.timeline_modes import SHARINGS
from advisor.basics.quantities import count, few
from advisor.campaigns.campaign_file import AskedStudy, Campaign, Family, Setting, words
from advisor.campaigns.generators.registry import GENERATORS
from advisor.project.platforms import find_machines
from advisor.search import STRATEGIES
from advisor.studies import STUDIES, parse_settings
from machines import Platform
from machines.checks import repeated
from machines.errors import InputError, PlacewiseError
from machines.formats.fields import suggestion
from machines.parameters import parameters_of

Record = TypeVar("Record")

_SHOWN = 5
_MOST_POINTS = 10_000  # of a sweep that are tried before anything runs
_SEED = "seed"


def checked(campaign: Campaign, folder: Path) -> dict[str, Platform]:
    """The platforms that a campaign names, once all its names are known."""
    platforms: dict[str, Platform] = {}
    wrong = [
        *_unknown("strategies", campaign.strategies, STRATEGIES),
        *_unknown("sharing", campaign.sharing, SHARINGS),
        *_platforms(campaign, folder, platforms),
        *_loads(campaign, platforms),
        *_workloads(campaign, folder),
        *_studies(campaign),
    ]
    if campaign.workloads and not campaign.strategies:
        wrong.append("strategies: none")
    if not campaign.workloads and not campaign.studies:
        wrong.append("neither workloads nor studies")
    if wrong:
        raise InputError(
            f"{count(len(wrong), 'entry is', 'entries are')} wrong, nothing was run",
            where=f'campaign "{campaign.name}"',
            remedy="; ".join(wrong),
        )
    return platforms


def files_of(pattern: str, folder: Path) -> list[str]:
    """The files that a pattern matches, sorted, as it would name them."""
    root = Path(Path(pattern).anchor) if Path(pattern).is_absolute() else folder
    try:
        inside = str(Path(pattern).relative_to(root)) if root != folder else pattern
        found = [path for path in root.glob(inside) if path.is_file()]
    except (OSError, ValueError, IndexError, NotImplementedError):  # Python's, of odd patterns
        return []
    return sorted(str(path) if root != folder else path.relative_to(root).as_posix()
                  for path in found)  # fmt: skip


def _unknown(what: str, named: Iterable[str], known: Iterable[str]) -> Iterator[str]:
    named, known = tuple(named), tuple(known)
    strange = [name for name in named if name not in known]
    if strange:
        offered = dict.fromkeys(suggestion(name, known) for name in strange[:_SHOWN])
        yield f"{what}: no {few(strange, _SHOWN)}. {' '.join(offered)}"
    again = repeated(named)
    if again is not None:
        yield f"{what}: {again} is listed twice"


def _platforms(campaign: Campaign, folder: Path, found: dict[str, Platform]) -> Iterator[str]:
    again = repeated(campaign.platforms)
    if again is not None:
        yield f"platforms: {again} is listed twice"
    for name in campaign.platforms:
        try:
            found[name] = find_machines(name, folder / name).platform
        except PlacewiseError as error:
            yield f"platform {name}: {error}"


def _loads(campaign: Campaign, platforms: dict[str, Platform]) -> Iterator[str]:
    for load in campaign.loads:
        for platform, machine, _ in load:
            if platform not in campaign.platforms:
                yield f"loads: {platform} is none of the platforms"
            elif platform in platforms and machine not in platforms[platform].index:
                yield f"loads: {platform} has no machine {machine}"


def _workloads(campaign: Campaign, folder: Path) -> Iterator[str]:
    named: list[str] = []
    for entry in campaign.workloads:
        if isinstance(entry, Family):
            yield from _settings(entry)
            continue
        found = files_of(entry, folder)
        if not found:
            yield f"workloads: {entry} matches no file in {folder}"
        named += found
    again = repeated(named)
    if again is not None:
        yield f"workloads: {again} is listed twice"


def _settings(family: Family) -> Iterator[str]:
    generator = GENERATORS.get(family.generator)
    if generator is None:
        yield from _unknown("generators", [family.generator], GENERATORS)
        return
    known = [one.name for one in parameters_of(generator.record)]
    strange = [name for name, _ in family.sweep.settings if name not in known]
    if strange:
        yield from _unknown(f"settings of {generator.name}", strange, known)
        return
    yield from _refused(family, lambda point: generator.record(**dict(point)))


def _studies(campaign: Campaign) -> Iterator[str]:
    for asked in campaign.studies:
        study = STUDIES.get(asked.name)
        if study is None:
            yield from _unknown("studies", [asked.name], STUDIES)
        elif study.needs_problem:
            yield f"studies: {asked.name} is about a project"
        elif len(asked.sweep.seeds) > 1 and not takes_seed(study.record):
            yield f"studies: {asked.name} has no seed: one is enough"
        else:
            yield from _refused(asked, partial(settled, study.record))


def _refused(
    asked: Family | AskedStudy, make: Callable[[tuple[Setting, ...]], object]
) -> Iterator[str]:
    """The first point of a sweep that its record refuses."""
    for point in islice(asked.sweep.points(), _MOST_POINTS):
        try:
            make(point)
        except PlacewiseError as error:
            yield f"{words(point)}: {error}"
            return


def settled(record: type[Record], point: tuple[Setting, ...], seed: int = 0) -> Record:
    """A study's settings at a point of a sweep, with the seed where it has one."""
    told = [f"{name}={value}" for name, value in point]
    return parse_settings(record, [*told, f"{_SEED}={seed}"] if takes_seed(record) else told)


def takes_seed(record: type) -> bool:
    """Whether a study's settings have a seed."""
    return any(one.name == _SEED for one in parameters_of(record))
