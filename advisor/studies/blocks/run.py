"""Study: how large a block of a Diamond DAG should be, with and without network contention.

Few large blocks serialise the wavefront, many small ones pay for messages. The closed form, a
search over whole numbers and the Gantt programme (`advisor.messages.diamond_blocks`) answer
together.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields, replace

from advisor.basics.quantities import count, number, percent
from advisor.basics.rounding import ALIKE
from advisor.basics.stop_rule import ShouldStop
from advisor.messages.diamond_blocks import Gantt, gantt, least, thinned, wavefront
from advisor.messages.network_load import PUBLISHED, SOURCE, NetworkLoad
from advisor.messages.networks import RANDOM, shape
from advisor.models.logpc import OCCUPANCIES, DiamondSteps
from advisor.studies.blocks.parameters import BlocksCase, BlocksParameters, load_of
from advisor.studies.facts import LESS, Fact
from advisor.studies.study import (
    EQUATION,
    STATED,
    Note,
    OnProgress,
    Series,
    StudyProgress,
    StudyResult,
    Table,
)
from machines.stopping import Stopped, stoppable

PAPER = "Moritz & Frank 2001"
_MATTERS = 0.01  # share of the makespan from which contention is worth a word


def run(
    parameters: BlocksParameters,
    on_progress: OnProgress | None = None,
    should_stop: ShouldStop | None = None,
) -> StudyResult:
    """Find the best number of blocks and draw what it does.

    Returns: makespan against b without contention and in both occupancies with it; the optimum, the
    divisors of n, the mappings; its picture is the `Gantt` of the chosen b.
    Raises `Stopped`: told to stop before the traffic on a large network was priced.
    """
    with stoppable(should_stop):
        case = BlocksCase.of(parameters)
    if on_progress is not None:
        on_progress(StudyProgress(0.2, "Trying numbers of blocks"))
    best, complete = least(case.makespan, case.most, should_stop)
    chosen = case.chosen(best)
    picture = chart_of(case, chosen)
    with stoppable(should_stop):
        orders, whole = mappings(case, chosen)
    facts = _facts(case, best, chosen)
    return StudyResult(
        headline=_headline(case, best, facts),
        alternative=_alternative(case, best, chosen),
        against="" if (other := _rival(case, best, chosen)) is None else count(other, "block"),
        facts=facts,
        reasons=(
            *_block(case, chosen, facts),
            *_choice(case, best),
            *_chart(picture, chosen, facts),
        ),
        series=series(case, best),
        tables=(numbers(case, best, chosen), orders),
        notes=_notes(case, chosen),
        pictures=() if picture is None else (picture,),
        answer=best if parameters.blocks is None else chosen,
        complete=complete and whole,
    )


def _headline(case: BlocksCase, best: int, facts: Sequence[Fact]) -> str:
    reading = "" if case.diamond.charges_receiver else " (receiving overhead O_r as printed)"
    return f"Cut each stripe into {count(best, 'block')}{reading}: {facts[0].text}."


def _rival(case: BlocksCase, best: int, chosen: int) -> int | None:
    """The b to compare with: the user's own, else the one that was named; None: they are best."""
    other = chosen if chosen != best else min(case.asked.against, case.most)
    return other if other != best else None


def _alternative(case: BlocksCase, best: int, chosen: int) -> str:
    other = _rival(case, best, chosen)
    if other is None:
        return "No other number of blocks is faster."
    slower = case.slower(other, best)
    factor = f"{number(1.0 + slower, digits=2)} times" if slower >= 0.1 else percent(slower)
    return f"{factor} faster than {count(other, 'block')}."


def _facts(case: BlocksCase, best: int, chosen: int) -> tuple[Fact, ...]:
    """Makespan, what contention adds to it, and the message of a block; against another b."""
    other, clock, diamond = _rival(case, best, chosen), case.clock, case.diamond
    wanted: list[tuple[str, str, str, Callable[[int], float]]] = [
        ("makespan", clock.unit, LESS, lambda b: clock.shown(case.makespan(b))),
        ("message of a block", "B", "", lambda b: _whole(diamond.message(b))),
    ]
    if case.load.applies:
        wanted.append(
            ("contention adds", "%", LESS,
             lambda b: 100.0 * (case.makespan(b) / diamond.makespan(b) - 1.0))
        )  # fmt: skip
    return tuple(
        Fact(name, value(best), unit, None if other is None else value(other), better)
        for name, unit, better, value in wanted
    )


def _whole(message_bytes: float) -> float:
    """The mean message of a block in whole bytes; blocks of unlike width have unlike ones."""
    return float(max(round(message_bytes), 1))


def _block(case: BlocksCase, b: int, facts: Sequence[Fact]) -> tuple[str, ...]:
    """What one block of the chosen number does, and what contention adds."""
    diamond, text = case.diamond, case.clock.text
    steps, C_n = diamond.steps(b), diamond.contention(b, case.load)
    first = (
        f"Of {count(b, 'block')} on each of {diamond.P} processors one computes "
        f"{text(steps.work)}, its message of "
        f"{facts[1].said(_whole(diamond.message(b)))} takes {text(steps.sending)} to send and "
        f"{text(steps.receiving)} to receive."
    )
    if C_n <= 0:
        return (first,)
    share = facts[2].said(100.0 * (case.makespan(b) / diamond.makespan(b) - 1.0))
    return (
        first,
        f"Network contention adds {text(C_n)} to a message and {share} to the makespan "
        f"({case.asked.mapping} mapping on the {shape(diamond.net.network)}).",
    )


def _choice(case: BlocksCase, best: int) -> tuple[str, ...]:
    """The closed form's optimum, what O_r as printed advises, and the best equal blocks."""
    found = []
    optimum = case.diamond.optimum()
    if optimum is not None:
        beyond = "" if optimum <= case.most else f", beyond the {case.most} that are possible"
        found.append(
            f"Without contention the closed form is least at {optimum:.6g} blocks (b*){beyond}."
        )
    if case.diamond.charges_receiver and (text := _as_printed(case)):
        found.append(text)
    nearest = min(case.diamond.whole(), key=case.makespan)
    if nearest != best:
        loss = percent(case.slower(nearest, best))
        found.append(f"Equal blocks: the best, {count(nearest, 'block')}, takes {loss} longer.")
    return tuple(found)


def _as_printed(case: BlocksCase) -> str:
    """What the reading without the network's o_r advises, and what that costs; receivers pay it."""
    o_r = case.diamond.net.long.o_r
    if o_r == 0.0:
        return ""
    said = (
        f"A receiver pays the network's own overhead o_r, {case.clock.text(o_r)} a message; the "
        "receiving overhead O_r as printed leaves it out"
    )
    own, printed = (
        least(lambda b, one=one: one.makespan(b, case.load), case.most)[0]  # type: ignore[misc]
        for one in (case.charged, case.printed)
    )
    more = case.charged.makespan(printed, case.load) / case.charged.makespan(own, case.load) - 1.0
    if more < ALIKE:
        return f"{said}, which does not change the best number of blocks here."
    advised = f"{count(printed, 'block')}, which costs {percent(more)} more than {own:,}"
    return f"{said} and advises {advised}."


def _chart(picture: Gantt | None, b: int, facts: Sequence[Fact]) -> tuple[str, ...]:
    if picture is None:
        return ()
    end = facts[0].said(picture.makespan)
    return (f"The Gantt chart of {count(b, 'block')}, event by event, ends at {end}.",)


def _notes(case: BlocksCase, chosen: int) -> tuple[Note, ...]:
    diamond, load = case.diamond, case.load
    interval = diamond.steps(chosen).block
    occ = load.occ(diamond.message(chosen), diamond.net.long.G)
    loaded = interval + 2.0 * diamond.contention(chosen, load)
    texts = [(text, SOURCE) for text in load.caveats(interval, loaded, occ, diamond.net.unit)]
    if not diamond.charges_receiver and (text := _as_printed(case)):
        texts.append((text, f"{PAPER}, sec. 5.2"))
    if diamond.n % chosen:
        uneven = f"{count(chosen, 'block')} do not divide n = {diamond.n}: unequal blocks"
        texts.append((uneven, f"{PAPER}, sec. 5.2"))
    if diamond.P == 2:
        texts.append(("two processors: the closed form is an upper bound", f"{PAPER}, Eq. (15)"))
    if diamond.P * chosen > MOST_DRAWN:
        texts.append((f"{count(diamond.P * chosen, 'block')} are too many to draw", ""))
    longer = case.makespan(chosen) / diamond.makespan(chosen) - 1.0
    if case.asked.mapping == RANDOM and load.k_d > 1.0 and longer > _MATTERS:
        drawn = "another seed" if load.waits else "one drawn"
        tens = f"random mappings differ by tens of percent: see {drawn}"
        texts.append((tens, f"{PAPER}, sec. 5.2.2"))
    equation = Note(
        True,
        "Makespan M of P stripes in b blocks in closed form; with a contention C_n of a message "
        "M + (P + 2 b − 3) C_n",
        f"{PAPER}, Eq. (15)",
        EQUATION,
    )
    net = diamond.net
    network = Note(True, f"{net.name}, {shape(net.network)}", net.source, STATED)
    doubts = (Note(False, text, source) for text, source in texts)
    return (*doubts, network, *case.origin, equation)


# Curves and tables of the blocks study.

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
