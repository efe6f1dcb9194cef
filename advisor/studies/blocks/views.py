"""Curves and tables of the blocks study."""

from __future__ import annotations

from dataclasses import fields, replace

from advisor.basics.quantities import count
from advisor.messages.diamond import Gantt, gantt, thinned, wavefront
from advisor.messages.network_load import PUBLISHED, NetworkLoad
from advisor.messages.networks import RANDOM
from advisor.models.logpc import OCCUPANCIES, DiamondSteps
from advisor.studies.blocks.parameters import BlocksCase, load_of
from advisor.studies.study import Series, Table
from machines.stopping import Stopped

BLOCKS, CONTENTION = "blocks b", "contention C_n"
MOST_DRAWN = 60_000  # blocks of all stripes in a chart that a person can read


def series(case: BlocksCase, best: int) -> tuple[Series, ...]:
    """Makespan against b, without contention and with it; the equal blocks and the best."""
    diamond, whole = case.diamond, list(case.diamond.whole())
    every = sorted({*thinned(case.most), best, *whole})
    curves: list[tuple[str, str, list[int], NetworkLoad | None]] = [
        ("without contention", "line", every, None)
    ]
    if case.load.applies:
        curves += [(f"with contention, {name}", "line", every, one) for name, one in _loads(case)]
    curves += [("equal blocks", "points", whole, case.load), ("best", "points", [best], case.load)]
    return tuple(
        Series(
            name=name,
            x=tuple(float(b) for b in xs),
            y=tuple(case.clock.shown(diamond.makespan(b, load)) for b in xs),
            x_label="blocks of a stripe b",
            x_unit="",
            y_label="makespan",
            y_unit=case.clock.unit,
            kind=kind,
            counts=True,
        )
        for name, kind, xs, load in curves
    )


def _loads(case: BlocksCase) -> list[tuple[str, NetworkLoad]]:
    """The reading that was asked for; of the published one both occupancies."""
    if case.asked.contention != PUBLISHED:
        return [(case.asked.contention, case.load)]
    return [(one, replace(case.load, occupancy=one)) for one in OCCUPANCIES[::-1]]


def numbers(case: BlocksCase, best: int, chosen: int) -> Table:
    """The numbers of blocks that matter, and what each costs."""
    diamond, whole, unit = case.diamond, set(case.diamond.whole()), case.clock.unit
    against = min(case.asked.against, case.most)
    other = {against: "compared", chosen: "chosen"}
    kinds = {b: kind for b, kind in other.items() if b not in whole} | {best: "best"}
    rows = tuple(
        (
            b,
            kinds.get(b, "equal blocks"),
            diamond.message(b),
            case.clock.shown(diamond.makespan(b)),
            case.clock.shown(diamond.contention(b, case.load)),
            case.clock.shown(case.makespan(b)),
            1.0 + case.slower(b, best),
        )
        for b in sorted({*whole, best, chosen, against})
    )
    columns = (
        (BLOCKS, ""), ("kind", ""), ("message", "bytes"), ("without contention", unit),
        (CONTENTION, unit), ("makespan", unit), ("times the best", ""),
    )  # fmt: skip
    return Table("Numbers of blocks", columns, rows)


def mappings(case: BlocksCase, chosen: int) -> tuple[Table, bool]:
    """The same blocks under other mappings; whether they are all there when it is stopped."""
    diamond, clock, rows, whole = case.diamond, case.clock, [], True
    alone = diamond.makespan(chosen)
    for order in dict.fromkeys((RANDOM, "row-major", "snake", case.asked.mapping)):
        try:
            own = order == case.asked.mapping
            load = case.load if own else load_of(case.asked, diamond, case.routes, order)
        except Stopped:
            whole = False
            break
        makespan, C_n = diamond.makespan(chosen, load), diamond.contention(chosen, load)
        longer = makespan / alone
        model = "applies" if load.applies else "fewer hops than 1: no contention"
        shown = (clock.shown(C_n), clock.shown(makespan))
        rows.append((order, load.k_d, load.channel, *shown, longer, model))
    columns = (
        ("mapping", ""), ("hops in a dimension k_d", ""), ("busiest channel", ""),
        (CONTENTION, clock.unit), ("makespan", clock.unit), ("times without contention", ""),
        ("model", ""),
    )  # fmt: skip
    return Table("Mappings", columns, tuple(rows)), whole


def chart_of(case: BlocksCase, chosen: int) -> Gantt | None:
    """The chart of the chosen b; ``None`` where it has more blocks than a person can read."""
    diamond, clock = case.diamond, case.clock
    if diamond.P * chosen > MOST_DRAWN:
        return None
    steps, C_n = diamond.steps(chosen), diamond.contention(chosen, case.load)
    shown = DiamondSteps(*(clock.shown(getattr(steps, one.name)) for one in fields(steps)))
    title = f"Diamond DAG, {diamond.P} stripes in {count(chosen, 'block')}"
    return gantt(wavefront(shown, diamond.P, chosen, clock.shown(C_n)), clock.unit, title)
