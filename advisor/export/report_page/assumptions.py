"""Everything that the numbers rest on, each with its source; and where a model may not hold."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from advisor.allocation.costs import EXACT
from advisor.allocation.timeline_modes import FAIR
from advisor.basics.quantities import count, slowdown
from advisor.export.report_page.page_blocks import Block, Listing, Section, Text
from advisor.export.report_page.subject import Reported
from advisor.models.contention import link_slowdown, machine_slowdown
from advisor.overlays.overlay_words import overlay_words
from advisor.programs.kinds import kind_of
from machines import catalogue
from machines.errors import capital
from machines.parameters import properties_of

Said = tuple[str, str]  # what is assumed, and its source
_MOST = 40  # of a kind
_OWN = "the platform's file"
_WORKLOAD = "the workload's file"


def _blocks(reported: Reported) -> tuple[Block, ...]:
    items = (
        *_readings(reported),
        *_platform(reported),
        *_first(_loads(reported), "machines and links that others use"),
        *_networks(reported),
        *_tasks(reported),
    )
    return (Listing(tuple(dict.fromkeys(items))),)


def _readings(reported: Reported) -> Iterator[Said]:
    project = reported.project
    if project.reading == EXACT:
        yield (
            "Applications share a processor or link equally; a newcomer meets the mean queue, s = "
            "1 + mean queue. Measured within 3 % on one core.",
            "exact processor sharing: Mean Value Analysis, Reiser & Lavenberg 1980",
        )
    else:
        yield (
            "Slowdowns are sums over the contenders' shares of time; with two or more that compute "
            "part of the time this misses by 10–20 %.",
            "Figueira & Berman 1996, sec. 3.2",
        )
    if project.sharing == FAIR:
        yield (
            "Transfers that run at once share links and switches max–min fairly; the plan's tasks "
            "share processors. Packets, TCP's slow start and retransmissions are not modelled.",
            "Bertsekas & Gallager 1992, sec. 6.5; Casanova et al. 2014",
        )
    else:
        yield (
            "Each transfer has the network to itself, and the plan's tasks never slow each other.",
            "the classical timeline; Topcuoglu, Hariri & Wu 2002",
        )
    if project.plan.order is None:
        yield (
            "The plan has no order of its own: tasks start in decreasing upward rank.",
            "Topcuoglu, Hariri & Wu 2002, Eq. (8)",
        )


def _platform(reported: Reported) -> Iterator[Said]:
    platform = reported.project.platform
    for preset in catalogue.entries():
        if catalogue.load(preset.name) == platform:
            yield f"Machines and links are those of “{preset.title}”.", preset.source
            yield from (
                (f"Assumed there: {one}.", "Placewise's catalogue") for one in preset.assumed
            )
            break
    else:
        machines, links = (
            count(len(platform.machines), "machine"),
            count(len(platform.links), "link"),
        )
        yield f"Cores and speeds of {machines}, startups and bandwidths of {links} as stated.", _OWN
    for one in properties_of(type(platform.runtime)):
        value = getattr(platform.runtime, one.name)
        kept = "default" if value == one.default else _OWN
        meaning = (part for part in one.help.split(". ") if part.startswith(f"{value}:"))
        shown = f"{value:g} {one.unit}" if isinstance(value, float) else value
        said = f"{one.title} {next(meaning, '')}" if one.choices else ""
        if not said.rstrip().removeprefix(one.title):
            said = f"{one.title}: {shown}. {one.help}"
        yield f"{said.rstrip('.')}.", f"runtime, {kept}"


def _loads(reported: Reported) -> Iterator[Said]:
    """Why machines and links are slower than when they are empty."""
    platform, reading = reported.project.platform, reported.project.reading
    for machine in platform.machines:
        found = machine_slowdown(machine, 1, reading)
        if found.value != 1.0:
            others = [f"{one.name} ({one.compute:g} computing)" for one in machine.contenders[:6]]
            if more := len(machine.contenders) - len(others):
                others.append(f"{more:,} more")
            who = f", beside {', '.join(others)}" if others else ""
            yield (
                f"{machine.name} is slowed {slowdown(found.value)}{who}.",
                f"{found.origin}; loads: {_OWN}",
            )
    for link in platform.links:
        found = link_slowdown(platform, link, reading)
        if found.value != 1.0:
            yield f"Link {link.name} is slowed {slowdown(found.value)}.", found.origin


def _networks(reported: Reported) -> Iterator[Said]:
    for machine in reported.project.platform.machines:
        for inside in (machine.network, machine.shared_memory):
            if inside is not None:
                name = getattr(inside, "name", "") or getattr(inside, "network", "")
                yield f"{machine.name} has “{name}” inside.", inside.source or "the user's own"
                yield from ((one, f"assumed of “{name}”") for one in inside.assumed)


def _tasks(reported: Reported) -> Iterator[Said]:
    tasks = reported.project.workload.tasks
    plain = [task for task in tasks if task.program is None and task.scaling is None]
    work = sum(task.work is not None for task in plain)
    if work:
        yield f"A machine's speed divides the work of {count(work, 'task')}.", _WORKLOAD
    if len(plain) > work:
        stated = count(len(plain) - work, "task")
        yield f"Seconds of {stated} are stated by machine, alone on it.", _WORKLOAD
    programs = [task for task in tasks if task.program is not None]
    yield from _first(
        (
            (f"{task.name}: {task.program.words()}.", f"{kind_of(task.program).name} program")
            for task in programs
            if task.program is not None
        ),
        "programs",
    )
    for overlay in reported.project.workload.overlays:
        said = f"{overlay.name}: {overlay_words(overlay)}. Its processes and messages take their "
        yield f"{said}share of hosts and links.", "Roth, Arnold & Miller 2003 (MRNet); " + _WORKLOAD
    scalable = [task for task in tasks if task.scaling is not None]
    yield from _first(
        (
            (f"{task.name} scales by {law}.", source)
            for task in scalable
            for law, source in [_law(task.scaling)]
        ),
        "scalable tasks",
    )


def _law(scaling: object) -> Said:
    sigma, kappa = getattr(scaling, "sigma", None), getattr(scaling, "kappa", 0.0)
    if sigma is None:
        return "its think time and the demands of its messages", "Gunther 2005, Eq. (5) and (25)"
    if kappa:
        return f"sigma = {sigma:g}, kappa = {kappa:g}", "universal scalability law, Gunther 1993"
    return f"a serial fraction sigma = {sigma:g}", "Amdahl 1967"


def _first(items: Iterable[Said], what: str) -> tuple[Said, ...]:
    """The first of many, and how many are left out."""
    every = list(items)
    left_out = len(every) - _MOST
    more = [(f"… and {left_out:,} more {what}.", "the project's file")] if left_out > 0 else []
    return (*every[:_MOST], *more)


def _notes(reported: Reported) -> tuple[Block, ...]:
    answer = reported.explanation.recommendation
    found = (*reported.given.warnings, *reported.prediction.warnings, *answer.warnings)
    if not found:
        return (Text("Every number is inside the domain of its model: no warnings."),)
    return (Listing.of(*(capital(one) for one in dict.fromkeys(found))),)


SECTION = Section("assumptions", "Assumptions", _blocks)
VALIDITY = Section("validity", "Validity and warnings", _notes)
