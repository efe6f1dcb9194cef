"""Load parameters: the figures of a platform that other users change from hour to hour.

Contenders on a machine, slowdowns of machines and links, speeds, bandwidths of links and switches:
each can be read off a platform and set on it, as one number. Sliders, flips and decision maps vary
them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from advisor.allocation.bandwidths import bandwidth, bandwidths, with_bandwidth
from advisor.allocation.costs import EXACT
from advisor.basics.quantities import duration, number
from advisor.models.contention import contended_slowdown, link_slowdown
from machines import Contender, Direction, InputError, Link, Machine, Platform

CONTENDERS = "contenders"
MACHINE_SLOWDOWN = "machine slowdown"
LINK_SLOWDOWN = "link slowdown"
SPEED = "speed"
BANDWIDTH = "bandwidth"
STARTUP = "startup"
OVERHEAD = "overhead"


@dataclass(frozen=True)
class LoadParameter:
    """One load figure of a platform, as a continuous number.

    Attributes
    ----------
    kind : str
        "contenders", "machine slowdown", "link slowdown", "speed", "bandwidth", "startup" or
        "overhead".
    subject : str
        Name of the machine, link or switch; of an overhead "tasks".
    title, unit : str
        For axes and sentences; all are pure numbers but bandwidths, in B/s, startups and overheads,
        in s.
    low, high : float
        The range worth looking at.
    """

    kind: str
    subject: str
    title: str
    unit: str
    low: float
    high: float

    @property
    def key(self) -> str:
        """How a user names it on the command line, e.g. ``contenders:M1``."""
        return f"{self.kind}:{self.subject}"

    def value(self, platform: Platform, reading: str = EXACT) -> float:
        """What `platform` has now.

        Contenders are counted as the CPU-bound ones that slow a one-core task as much; on one
        core that is slowdown − 1.
        """
        if self.kind == BANDWIDTH:
            return bandwidth(platform, self.subject)
        if self.kind == LINK_SLOWDOWN:
            return link_slowdown(platform, _link(platform, self.subject), reading).value
        if self.unit == "s":
            overhead = self.kind == OVERHEAD
            runtime = platform.runtime
            return runtime.task_overhead_s if overhead else _startup(_link(platform, self.subject))
        machine = platform.machine(self.subject)
        if self.kind == SPEED:
            return machine.speed
        if self.kind == MACHINE_SLOWDOWN:
            return contended_slowdown(machine, 1, reading).value
        return equivalent_contenders(machine, reading)

    def applied(self, platform: Platform, value: float, reading: str = EXACT) -> Platform:
        """`platform` with this figure set to `value`.

        x contenders are floor(x) CPU-bound ones and one that is found at the processor a share
        x − floor(x) of the time; they replace the machine's contenders and a stated slowdown.
        Links of the machine whose traffic those contenders slowed keep their slowdown. A link's
        bandwidth is that of small messages to its second end; all its others change as it does.

        Raises
        ------
        InputError
            The value is out of range, or there are more contenders than a measured delay table
            of one of its links covers.
        """
        if self.kind == BANDWIDTH:
            return with_bandwidth(platform, self.subject, value)
        if self.kind == LINK_SLOWDOWN:
            changed = replace(_link(platform, self.subject), slowdown=value)
            return _with_link(platform, changed)
        if self.unit == "s":
            return self._delayed(platform, value)
        machine = platform.machine(self.subject)
        if self.kind == SPEED:
            return _with_machine(platform, replace(machine, speed=value))
        if any(contender.communicate > 0 for contender in machine.contenders):
            platform = _frozen_links(platform, machine, reading)
        if self.kind == MACHINE_SLOWDOWN:
            return _with_machine(platform, replace(machine, contenders=(), slowdown=value))
        return _with_machine(platform, _loaded(machine, value, reading))

    def _delayed(self, platform: Platform, value: float) -> Platform:
        """With another startup of a link, or overhead of tasks."""
        if self.kind == OVERHEAD:
            return replace(platform, runtime=replace(platform.runtime, task_overhead_s=value))
        return _with_link(platform, _started(_link(platform, self.subject), value))

    def sentence(self, value: float) -> str:
        """The parameter at a value in words: "2 contenders on M1", "slowdown 2.25 of M1–M2"."""
        text = f"{value:.3g}"
        if self.kind == CONTENDERS:
            words = contenders_in_words(value).replace(" ", " CPU-bound ")
            return f"{words} on {self.subject}"
        if self.kind == BANDWIDTH:
            return f"bandwidth {number(value, self.unit)} of {self.subject}"
        if self.unit == "s":
            return f"{self.kind} {duration(value)} of {self.subject}"
        return (
            f"{'link ' if self.kind == LINK_SLOWDOWN else ''}{self._word} {text} of {self.subject}"
        )

    def words(self, value: float) -> str:
        """A value alone: "2.25", "12.5 MB/s"."""
        if self.unit == "s":
            return duration(value)
        return number(value, self.unit) if self.kind == BANDWIDTH else f"{value:.3g}"

    def ranging(self, low: float, high: float) -> str:
        """A range in words: "contenders on M1 from 0 to 10"."""
        return f"{self.title} from {self.words(low)} to {self.words(high)}"

    @property
    def _word(self) -> str:
        return SPEED if self.kind == SPEED else "slowdown"


def parameters_of(platform: Platform) -> tuple[LoadParameter, ...]:
    """All load parameters of a platform: contenders, then slowdowns, speeds and bandwidths.

    Ranges reach from the unloaded machine or link to 10 contenders (two a core, if that is more)
    or a slowdown of 10; further if there is more now, less far where measured delay tables or
    what a machine may have end; no contenders where it is slower than they can make it;
    speeds and bandwidths from a tenth to ten times the present one.
    """
    found = []
    measured = tuple(
        link for link in platform.links
        if link.slowdown is None and (link.delay_comp or link.delay_comm)
    )  # fmt: skip
    for machine in platform.machines:
        present = math.ceil(equivalent_contenders(machine, EXACT))
        high = max(10.0, 2.0 * present, 2.0 * machine.cores)
        most = machine.most_contenders
        high = min(high, most, _measured_contenders(platform, measured, machine))
        title = f"contenders on {machine.name}"
        if high > 0 and present <= most:
            found.append(LoadParameter(CONTENDERS, machine.name, title, "", 0.0, high))
    for link in platform.links:
        high = max(10.0, 2.0 * math.ceil(link.slowdown or 1.0))
        title = f"slowdown of link {link.name}"
        found.append(LoadParameter(LINK_SLOWDOWN, link.name, title, "", 1.0, high))
    for machine in platform.machines:
        high = max(10.0, 2.0 * math.ceil(machine.slowdown or 1.0))
        title = f"slowdown of {machine.name}"
        found.append(LoadParameter(MACHINE_SLOWDOWN, machine.name, title, "", 1.0, high))
    for machine in platform.machines:
        low, high = machine.speed / 10.0, machine.speed * 10.0
        title = f"speed of {machine.name}"
        found.append(LoadParameter(SPEED, machine.name, title, "", low, high))
    for name, now in bandwidths(platform).items():
        title = f"bandwidth of {name}"
        found.append(LoadParameter(BANDWIDTH, name, title, "B/s", now / 10.0, now * 10.0))
    return tuple(found)


def all_parameters(platform: Platform) -> tuple[LoadParameter, ...]:
    """The load parameters, then what others do not change, but a map can show.

    Startups of links and the runtime's overhead of a task, each from a tenth to ten times itself.
    """
    found = list(parameters_of(platform))
    startups = [(link.name, _startup(link)) for link in platform.links]
    for name, now in startups:
        if now > 0.0:
            title = f"startup of {name}"
            found.append(LoadParameter(STARTUP, name, title, "s", now / 10.0, now * 10.0))
    now = platform.runtime.task_overhead_s
    if now > 0.0:
        title = "overhead of each task"
        found.append(LoadParameter(OVERHEAD, "tasks", title, "s", now / 10.0, now * 10.0))
    return tuple(found)


def find_parameter(platform: Platform, key: str) -> LoadParameter:
    """The parameter of that key (``kind:subject``; a hyphen may stand for a link's dash)."""
    parameters = all_parameters(platform)
    for parameter in parameters:
        if key in {parameter.key, parameter.key.replace("–", "-")}:
            return parameter
    known = ", ".join(parameter.key for parameter in parameters[:20])
    raise InputError("unknown load parameter", value=key, remedy=f"Parameters: {known}")


def _measured_contenders(platform: Platform, measured: tuple[Link, ...], machine: Machine) -> float:
    """How many contenders the delay tables of the machine's links cover; they don't extrapolate."""
    if any(contender.communicate > 0 for contender in machine.contenders):
        return math.inf  # `applied` keeps the present slowdown of its links
    covered = math.inf
    for link in measured:
        if machine.name in link.ends:
            (other,) = link.ends - {machine.name}
            beside = len(platform.machine(other).contenders)
            tables = [len(table) for table in (link.delay_comp, link.delay_comm) if table]
            covered = min([covered, *(length - beside for length in tables)])
    return covered


def contenders_in_words(*loads: float) -> str:
    """Loads of several machines together, with the digits of the slider: "3.92 contenders"."""
    text = load_figure(sum(loads))
    return f"{text} contender{'' if text == '1' else 's'}"


def load_figure(load: float) -> str:
    """A load in contenders, with the digits of the slider: "3.92"."""
    return f"{load:.3g}"


def equivalent_contenders(machine: Machine, reading: str) -> float:
    """How many CPU-bound contenders slow a one-core task as much as those of a machine do."""
    if machine.slowdown is None and all(one.compute == 1.0 for one in machine.contenders):
        return float(len(machine.contenders))
    now = contended_slowdown(machine, 1, reading).value
    if now <= 1.0:  # cores to spare: nothing to invert, the shares themselves are the load
        stated = machine.slowdown is not None
        return 0.0 if stated else sum(one.compute for one in machine.contenders)
    return now * machine.cores - 1.0  # each that always computes takes its share of all cores


def _loaded(machine: Machine, load: float, reading: str) -> Machine:
    """The machine under `load` CPU-bound contenders, the last one present part of the time."""
    if not 0.0 <= load < 10_000:
        raise InputError(
            "the number of contenders is out of range",
            where=f'machine "{machine.name}"',
            value=load,
            remedy="Allowed: 0 to 9999",
        )
    whole = math.floor(load)
    part = load - whole
    contenders = [Contender(f"load {number + 1}", 1.0) for number in range(whole)]
    if part > 1e-12:
        share = part
        if reading == EXACT:
            # dedicated share of one that is seen computing `part` of the time beside the others
            stretch = max(1.0, (whole + 1) / machine.cores)
            share = part / (part + (1.0 - part) * stretch)
        contenders.append(Contender(f"load {whole + 1}", share))
    return replace(machine, contenders=tuple(contenders), slowdown=None)


def _frozen_links(platform: Platform, machine: Machine, reading: str) -> Platform:
    links = tuple(
        replace(link, slowdown=link_slowdown(platform, link, reading).value)
        if machine.name in link.ends and link.slowdown is None
        else link
        for link in platform.links
    )
    return replace(platform, links=links)


def _startup(link: Link) -> float:
    """Of its slower direction, s."""
    return max(link.to_second.startup_s, link.to_first.startup_s)


def _started(link: Link, startup_s: float) -> Link:
    """The link with the startup of its slower direction set; its others change as it does."""
    times = startup_s / _startup(link)

    def one_way(way: Direction) -> Direction:
        above = way.above
        if above is not None:
            above = replace(above, startup_s=above.startup_s * times)
        return replace(way, startup_s=way.startup_s * times, above=above)

    return replace(link, to_second=one_way(link.to_second), to_first=one_way(link.to_first))


def _link(platform: Platform, name: str) -> Link:
    return next(link for link in platform.links if link.name == name)


def _with_link(platform: Platform, link: Link) -> Platform:
    links = tuple(link if old.ends == link.ends else old for old in platform.links)
    return replace(platform, links=links)


def _with_machine(platform: Platform, machine: Machine) -> Platform:
    machines = tuple(machine if old.name == machine.name else old for old in platform.machines)
    return replace(platform, machines=machines)
