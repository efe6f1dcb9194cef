"""Platform → slowdown of every machine and link, each with where it comes from.

The one place that chooses between what is stated, Figueira & Berman's published formula and exact
processor sharing. The reading "exact" is the default; a link with measured delay tables uses the
published formula with them in both readings.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from advisor.models.slowdown import (
    communication_slowdown,
    link_sharing_slowdown,
    resident_slowdown,
    resource_slowdown,
)
from advisor.models.waves import Wave, wave_slowdown
from machines import Contender, InputError, Link, Machine, Platform
from machines.parameters import slowed_by

EXACT = "exact"
PUBLISHED = "published"
_WHOLE = 1e-9  # of a processor: what rounding adds to a sum of shares
CONTENTION_READINGS = (EXACT, PUBLISHED)

_PUBLISHED_MISSES = (
    "the published formula misses by 10–20 % with two or more part-time contenders; "
    "the exact model is within 3 %"
)


@dataclass(frozen=True)
class Slowdown:
    """A factor and its origin.

    Attributes
    ----------
    value : float
        Contended time over dedicated time, ≥ 1.
    origin : str
        The equation, its inputs and its source, as one phrase.
    notes : tuple of str
        Limits of validity that apply here; shown beside the number.
    """

    value: float
    origin: str
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class PacedContender(Contender):
    """Processes whose work comes at a pace of its own, instead of waiting for its turn.

    Attributes
    ----------
    compute : float
        Share of a processor that each of them needs.
    processes : int
        How many begin together (`advisor.models.waves`).
    """

    processes: int = 1


def machine_slowdown(machine: Machine, cores: int = 1, reading: str = EXACT) -> Slowdown:
    """Slowdown of a task that holds `cores` cores of `machine`.

    Times what properties of the machine that slow tasks contribute (`machines.parameters`):
    stated; else exact: 1/E[min(1, c/(n + k))] with n contenders computing beside a task of k
    cores, their transfers sharing one link; or published: max(1, (sum of fcomp + k)/c), which on
    one core is Figueira & Berman 1996, sec. 3.2.2, with no delay by communication. Processes of
    overlays, which do not wait, multiply the exact one by `advisor.models.waves.wave_slowdown`.

    Parameters
    ----------
    machine : Machine
    cores : int
        Cores that the task holds, at most the machine's.
    reading : {"exact", "published"}

    Raises
    ------
    InputError
        An unknown reading, or more cores than the machine has.
    """
    check_reading(reading)
    found = contended_slowdown(machine, cores, reading)
    for one, factor in slowed_by(machine):
        origin = f"{found.origin}; × {factor:g} by {one.title}"
        found = Slowdown(found.value * factor, origin, found.notes)
    return found


def contended_slowdown(machine: Machine, cores: int, reading: str) -> Slowdown:
    """Of these, what is stated or what contenders take, without what properties contribute."""
    if machine.slowdown is not None:
        return Slowdown(machine.slowdown, "stated")
    if not machine.contenders:
        return Slowdown(1.0, "no contenders")
    if reading == PUBLISHED:
        return _published_machine(machine, cores)
    waves = _waves(machine.contenders)
    if waves:
        return _beside_waves(machine, cores, waves)
    value = resident_slowdown(_shares(machine.contenders), machine.cores, cores)
    if machine.cores == 1:
        origin = f"1 + mean queue {value - 1.0:.3g} (arrival theorem; exact processor sharing)"
    else:
        origin = (
            f"1 / mean speed {1.0 / value:.3g}, speed = min(1, {machine.cores}/(n + {cores})) with "
            f"n contenders computing (exact processor sharing on {machine.cores} cores)"
        )
    return Slowdown(value, origin)


def _beside_waves(machine: Machine, cores: int, waves: Sequence[Wave]) -> Slowdown:
    """With processes whose work comes at a rate of its own, and contenders that wait."""
    factor = wave_slowdown(waves, machine.cores, cores)
    origin = f"{factor:.3g} by processes whose work comes at its rate (waves of processor sharing)"
    waiting = tuple(one for one in machine.contenders if not isinstance(one, PacedContender))
    if not waiting:
        return Slowdown(factor, origin)
    found = contended_slowdown(replace(machine, contenders=waiting), cores, EXACT)
    return Slowdown(found.value * factor, f"{found.origin}; × {origin}", found.notes)


def link_slowdown(platform: Platform, link: Link, reading: str = EXACT) -> Slowdown:
    """Slowdown of a transfer over `link`, either way, by the contenders of its end machines.

    Stated; else with measured tables, in either reading, 1 + sum pcomp_i delay_comp^i +
    sum pcomm_i delay_comm^i (Figueira & Berman 1996, sec. 3.2.1); else exact: 1 + the mean
    number of contenders at the link; or published with delay_comm^i = i, delay_comp = 0:
    1 + sum of fcomm.

    Parameters
    ----------
    platform : Platform
        That `link` belongs to.
    link : Link
    reading : {"exact", "published"}

    Raises
    ------
    InputError
        An unknown reading, or a delay table shorter than the number of contenders.
    """
    check_reading(reading)
    if link.slowdown is not None:
        return Slowdown(link.slowdown, "stated")
    joined = (link.first, link.second)
    ends = [platform.machine(name) for name in joined if name in platform.index]
    contenders = [contender for machine in ends for contender in _waiting(machine.contenders)]
    if not contenders:
        return Slowdown(1.0, "no contenders at either end")
    notes = _several_links(platform, ends)
    if link.delay_comp or link.delay_comm:
        return _measured_link(link, contenders, notes)
    if reading == PUBLISHED:
        value = resource_slowdown([([c.communicate for c in contenders], None)])
        origin = (
            f"1 + Σ communicate {value - 1.0:.3g} (published formula, F&B sec. 3.2.1, delay = i)"
        )
        return Slowdown(value, origin, (*_part_time([c.communicate for c in contenders]), *notes))
    value = link_sharing_slowdown(
        [(_shares(_waiting(machine.contenders)), machine.cores) for machine in ends]
    )
    origin = f"1 + mean queue {value - 1.0:.3g} at the link (arrival theorem; exact sharing)"
    return Slowdown(value, origin, notes)


def check_reading(reading: str) -> None:
    """Refuse a reading that is neither "exact" nor "published"."""
    if reading not in CONTENTION_READINGS:
        raise InputError(
            "unknown contention model",
            where="model",
            value=reading,
            remedy="Allowed: " + ", ".join(CONTENTION_READINGS),
        )


def _published_machine(machine: Machine, cores: int) -> Slowdown:
    if cores > machine.cores:
        raise InputError(
            "the task holds more cores than the machine has",
            where=f'machine "{machine.name}"',
            value=cores,
            remedy=f"Allowed: 1 to {machine.cores}",
        )
    computing = [contender.compute for contender in _waiting(machine.contenders)]
    alone = resource_slowdown([(computing, None)])
    if machine.cores == 1:
        origin = f"1 + Σ compute {alone - 1.0:.3g} (published formula, F&B sec. 3.2.2)"
        return Slowdown(alone, origin, _part_time(computing))
    value = max(1.0, (alone - 1.0 + cores) / machine.cores)
    origin = (
        f"max(1, (Σ compute {alone - 1.0:.3g} + {cores})/{machine.cores} cores) "
        "(published formula, F&B sec. 3.2.2, shared over the cores)"
    )
    return Slowdown(value, origin, _part_time(computing))


def _measured_link(link: Link, contenders: Sequence[Contender], notes: tuple[str, ...]) -> Slowdown:
    """The published formula with the link's tables; without one of them its default."""
    p = len(contenders)
    for name in ("delay_comp", "delay_comm"):
        table = getattr(link, name)
        if table and len(table) < p:
            raise InputError(
                f"{name} is too short",
                where=f"link {link.name}",
                value=len(table),
                remedy=f"The {p} contenders of its two machines need {p} entries; "
                "delays are not extrapolated",
            )
    value = communication_slowdown(
        [contender.compute for contender in contenders],
        [contender.communicate for contender in contenders],
        link.delay_comp or [0.0] * p,
        link.delay_comm or [float(i) for i in range(1, p + 1)],
    )
    origin = "1 + Σ pcomp·delay_comp + Σ pcomm·delay_comm (measured tables, F&B sec. 3.2.1)"
    missing = tuple(
        f"{name} is not measured: {default} assumed"
        for name, default in (("delay_comp", "no delay"), ("delay_comm", "one delay a contender"))
        if not getattr(link, name)
    )
    return Slowdown(value, origin, (*missing, *notes))


def _part_time(shares: Sequence[float]) -> tuple[str, ...]:
    busy = [share for share in shares if share > 0.0]
    part_time = any(share < 1.0 for share in busy)
    return (_PUBLISHED_MISSES,) if part_time and len(busy) >= 2 else ()


def _several_links(platform: Platform, ends: Sequence[Machine]) -> tuple[str, ...]:
    """The platform does not say which link a contender uses: it is counted on every one."""
    return tuple(
        f"communication of the contenders of {machine.name} is counted on each of its {count} links"
        for machine in ends
        if any(contender.communicate > 0 for contender in machine.contenders)
        and (count := platform.degree[machine.name]) > 1
    )


def _waves(contenders: Sequence[Contender]) -> list[Wave]:
    return [(one.compute, one.processes) for one in contenders if isinstance(one, PacedContender)]


def _waiting(contenders: Sequence[Contender]) -> list[Contender]:
    """As contenders that wait: of paced ones the fewest equal ones that can do their work."""
    found: list[Contender] = []
    for one in contenders:
        if isinstance(one, PacedContender):
            needed = one.compute * one.processes
            many = max(1, math.ceil(needed - _WHOLE))
            found += [Contender(one.name, needed / many)] * many
        else:
            found.append(one)
    return found


def _shares(contenders: Sequence[Contender]) -> list[tuple[float, float]]:
    return [(contender.compute, contender.communicate) for contender in contenders]
