"""Series and tables of the shared-memory study: where the time goes, curves, savings, changes.

Parts of the time are called as causes where they are one (`advisor.basics.causes`), so that the
window gives them their colours.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from advisor.basics.causes import COMPUTING, IDLE
from advisor.basics.quantities import number, percent
from advisor.models.dvsm import COMPONENTS, ApplicationTime
from advisor.shared_memory.technology_changes import Change, TechnologyParameter, time_without
from advisor.studies.shared_memory.findings import FACTORS, Findings
from advisor.studies.shared_memory.parameters import Scenario, SharedMemoryCase
from advisor.studies.study import Series, Table

TITLES = {
    "busy": COMPUTING,
    "fault": "page faults",
    "empty": "empty misses",
    "collection": "garbage collection",
    "lock": "locks",
    "service": "serving others",
    "barrier": "barriers",
    "idle": IDLE,
}
WHOLE = ("scenario", "", "mean time of a processor", "s")
TOGETHER = "where the time goes"
_FASTER = "faster processors"
US = 1e-6
MOST_PHASES = 6
MOST_DRAWN_PROCESSORS = 16


def series(case: SharedMemoryCase, found: Findings) -> tuple[Series, ...]:
    """Bars of the whole, of processors and phases; curves against processors; savings."""
    return (
        *_whole(found),
        *_by_processor(case, found),
        *_by_phase(case, found),
        *_savings(found),
        *_curves(case, found),
    )


def tables(case: SharedMemoryCase, found: Findings) -> tuple[Table, ...]:
    """Components, operations, savings, changes and messages."""
    extra = (*([_way_table(case, found)] if found.ways else []),)
    if found.messages:
        extra = (*extra, _message_table(found))
    return (
        _component_table(case, found),
        _operation_table(case, found),
        _saving_table(found),
        _change_table(case, found),
        *extra,
    )


def shown_phases(found: ApplicationTime) -> list[int]:
    """The phases that take the most time, in their order."""
    lasts = found.repeats * found.parts.sum(axis=2).max(axis=1)
    return sorted(np.argsort(-lasts, kind="stable")[:MOST_PHASES].tolist())


def shown_processors(found: ApplicationTime) -> list[int]:
    """The processors that work longest, in their order."""
    work = found.repeats @ found.parts[..., :-1].sum(axis=2)
    return sorted(np.argsort(-work, kind="stable")[:MOST_DRAWN_PROCESSORS].tolist())


def told(parameter: TechnologyParameter, value: float) -> str:
    """A parameter's value in words."""
    return number(value * parameter.scale, parameter.unit)


def together(change: Change) -> str:
    """The parameters of a change in words: "locks and protocol software"."""
    names = [one.title for one in change.parameters]
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _stacked(
    parts: Sequence[tuple[str, Sequence[float]]], x_label: str, y_label: str
) -> Iterator[Series]:
    """A series for each component that occurs in one of the bars; a bar is (name, µs by part)."""
    for place, component in enumerate(COMPONENTS):
        values = tuple(US * float(bar[place]) for _, bar in parts)
        if any(values) or component == "busy":
            yield Series(
                name=TITLES[component],
                x=tuple(name for name, _ in parts),
                y=values,
                x_label=x_label,
                x_unit="",
                y_label=y_label,
                y_unit="s",
                kind="bars",
                beside=TOGETHER,
            )


def _whole(found: Findings) -> Iterator[Series]:
    bars = [(name, list(one.breakdown.values())) for name, one in found.times.items()]
    yield from _stacked(bars, WHOLE[0], WHOLE[2])


def _by_processor(case: SharedMemoryCase, found: Findings) -> Iterator[Series]:
    sums = {name: np.tensordot(one.repeats, one.parts, axes=1) for name, one in found.times.items()}
    bars = [
        (f"processor {processor}, {name}", parts[processor])
        for processor in shown_processors(found.times[case.base.name])
        for name, parts in sums.items()
    ]
    yield from _stacked(bars, "processor", "time")


def _by_phase(case: SharedMemoryCase, found: Findings) -> Iterator[Series]:
    """The bars of each phase on axes of their own: all its runs; a single phase is the whole."""
    if len(case.application.phases) == 1:
        return
    base = found.times[case.base.name]
    processors = shown_processors(base)
    for phase in shown_phases(base):
        described = case.application.phases[phase]
        runs = f", {described.repeat} times" if described.repeat > 1 else ""
        bars = [
            (f"processor {processor}, {name}", one.repeats[phase] * one.parts[phase, processor])
            for processor in processors
            for name, one in found.times.items()
        ]
        yield from _stacked(bars, "phase", f"time in phase {phase + 1} ({described.name}{runs})")


def _savings(found: Findings) -> Iterator[Series]:
    """A tornado: one group of bars for each place, the longest bar on top."""
    for there in found.savings:
        if there.savings:
            yield Series(
                name="overhead saved",
                x=tuple(one.parameter.title for one in there.savings),
                y=tuple(max(0.0, 100.0 * one.share) for one in there.savings),
                x_label="parameter",
                x_unit="",
                y_label=f"share of overhead saved, {there.where}",
                y_unit="%",
                kind="bars",
            )


def _curves(case: SharedMemoryCase, found: Findings) -> Iterator[Series]:
    for what, unit, size in (("speedup", "", 1.0), ("efficiency", "%", 100.0)):
        axes = ("processor factor", "", what, unit)
        for curve in found.curves:
            values = curve.speedups if what == "speedup" else curve.efficiencies
            name = f"{curve.scenario}, system software's benefit {percent(curve.system_benefit)}"
            y = tuple(size * value for value in values)
            yield Series(name, FACTORS, y, *axes, beside=_FASTER)
        for scenario in case.scenarios:
            here = (scenario.technology.processor,)
            y = (size * float(getattr(found.times[scenario.name], what)),)
            yield Series(f"{scenario.name} as asked", here, y, *axes, "points", beside=_FASTER)


def _component_table(case: SharedMemoryCase, found: Findings) -> Table:
    base, what_if = (found.times[one.name] for one in case.scenarios)
    without = [time_without(one) for one in (base, what_if)]
    rows: list[tuple[object, ...]] = [
        (
            TITLES[name],
            US * base.breakdown[name],
            100.0 * base.breakdown[name] / base.time,
            None if name == "busy" else US * without[0][name],
            US * what_if.breakdown[name],
            100.0 * what_if.breakdown[name] / what_if.time,
            None if name == "busy" else US * without[1][name],
        )
        for name in COMPONENTS
    ]
    whole = ("in all", US * base.time, 100.0, None, US * what_if.time, 100.0, None)
    columns = (
        ("component", ""), ("time, base", "s"), ("share, base", "%"),
        ("whole without it, base", "s"), ("time, what-if", "s"), ("share, what-if", "%"),
        ("whole without it, what-if", "s"),
    )  # fmt: skip
    return Table("Where the time goes", columns, (*rows, whole))


def _operation_table(case: SharedMemoryCase, found: Findings) -> Table:
    """What each operation costs, and how often a processor does it in the whole run."""
    base = case.base
    many = np.tensordot(base.counts.repeats, base.counts.counts, axes=1)  # (P, K)
    rows = tuple(
        (
            kind.name,
            TITLES[base.counts.operations[k].component],
            float(many[:, k].mean()),
            float(many[:, k].max()),
            *(US * float(found.times[one.name].operation_times[k]) for one in case.scenarios),
            US * float(many[:, k].mean() * found.times[base.name].operation_times[k]),
        )
        for k, kind in enumerate(case.application.operations)
    )
    columns = (
        ("operation", ""), ("component", ""), ("mean count", ""), ("most", ""),
        ("time of each, base", "s"), ("time of each, what-if", "s"),
        ("time of a processor, base", "s"),
    )  # fmt: skip
    return Table("Operations", columns, rows)


def _saving_table(found: Findings) -> Table:
    rows = tuple(
        (
            there.where,
            one.parameter.title,
            told(one.parameter, one.before),
            told(one.parameter, one.after),
            100.0 * one.share,
        )
        for there in found.savings
        for one in there.savings
    )
    columns = (("where", ""), ("parameter", ""), ("from", ""), ("to", ""), ("overhead saved", "%"))
    return Table("Savings", columns, rows)


def _change_table(case: SharedMemoryCase, found: Findings) -> Table:
    rows: list[tuple[object, ...]] = []
    for scenario in case.scenarios:
        reach = found.reaches.get(scenario.name)
        if reach is not None and reach.change is not None:
            rows += _change_rows(scenario, reach.change)
    columns = (
        ("from", ""), ("parameter", ""), ("now", ""), ("then", ""), ("relative change", "%"),
        ("efficiency", "%"),
    )  # fmt: skip
    return Table(f"To efficiency {percent(case.asked.target)}", columns, tuple(rows))


def _change_rows(scenario: Scenario, change: Change) -> Iterator[tuple[object, ...]]:
    for one in change.parameters:
        now = one.value(scenario.net, scenario.technology)
        then = one.value(scenario.net, change.technology)
        relative = 100.0 * abs(then - now) / now
        values = told(one, now), told(one, then)
        yield scenario.name, one.title, *values, relative, 100.0 * change.efficiency


def _way_table(case: SharedMemoryCase, found: Findings) -> Table:
    """Alternatives about the base."""
    rows = tuple(
        (
            way.name,
            *(US * time for time in way.times),
            *(100.0 * share for share in way.efficiencies),
            way.reaches(case.asked.target),
        )
        for way in found.ways
    )
    columns = (
        ("instead", ""), ("time, from", "s"), ("time, to", "s"), ("efficiency, from", "%"),
        ("efficiency, to", "%"), ("reaches the target", ""),
    )  # fmt: skip
    return Table("Alternatives", columns, rows)


def _message_table(found: Findings) -> Table:
    styles = next(iter(found.messages.values()))
    rows: list[tuple[object, ...]] = [
        (style.name, *(priced[style].seconds for priced in found.messages.values()))
        for style in styles
    ]
    shared = ("shared memory", *(US * found.times[name].time for name in found.messages))
    columns = (("as", ""), *((name, "s") for name in found.messages))
    return Table("Messages instead", columns, (shared, *rows))
