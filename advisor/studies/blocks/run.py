"""Study: how large a block of a Diamond DAG shall be, with and without network contention.

Few large blocks serialise the wavefront, many small ones pay for messages. The closed form, a
search over whole numbers and the Gantt programme (`advisor.messages.blocks`) answer together.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

from advisor.basics.quantities import count, number, percent
from advisor.basics.stopping import ShouldStop
from advisor.messages.blocks import Gantt, gantt, wavefront
from advisor.messages.diamond import Diamond, least, stripes_load, thinned
from advisor.messages.network_load import (
    NETWORK_MODELS,
    PUBLISHED,
    ROUTE_AWARE,
    SOURCE,
    NetworkLoad,
)
from advisor.messages.networks import ORDER_NAMES, RANDOM, Clock, chosen_network, shape
from advisor.models.logpc import OCCUPANCIES, DiamondSteps
from advisor.studies.parameters import parameter
from advisor.studies.questions import QUESTIONS
from advisor.studies.study import (
    Check,
    Note,
    OnCheckProgress,
    OnProgress,
    Series,
    Study,
    StudyProgress,
    StudyResult,
    Table,
)
from machines import InputError
from machines.catalogue import interconnect_names
from machines.traffic import Routes, routes_of

_DRAWN = 60_000  # blocks of all stripes in a chart that a person can read


@dataclass(frozen=True)
class BlocksParameters:
    """What the blocks study asks for; times in the network's unit."""

    network: str = parameter(
        interconnect_names()[0], choices=interconnect_names(), help="Preset of message costs."
    )
    dims: str = parameter(
        "", title="shape", help='Another shape, e.g. 8x8 or "4x4x4 torus"; empty: its own.'
    )
    n: int = parameter(1024, low=1, high=10**6, help="Rows and columns of the matrix.")
    processors: int | None = parameter(
        None, low=2, high=4096, help="Stripes, one a processor; auto: one on each node."
    )
    task_time: float = parameter(
        100.0, title="time of an element", low=1e-9, high=1e15, help="In the network's unit."
    )
    bytes_per_value: float = parameter(
        8.0, unit="B", low=1e-3, high=1e9, help="Bytes of one value of a block's last row."
    )
    aggregation: float = parameter(
        0.0, low=0.0, high=1e15, help="alpha: time to pack and unpack one value of a message."
    )
    blocks: int | None = parameter(
        None, low=1, high=10**6, help="Blocks of a stripe to draw; auto: the best."
    )
    against: int = parameter(16, low=1, high=10**6, help="Blocks to compare with.")
    mapping: str = parameter(
        RANDOM, choices=ORDER_NAMES, help="Order in which stripes take the nodes."
    )
    seed: int = parameter(
        0, low=0, high=2**31 - 1, help="Of the random mapping.", only={"mapping": (RANDOM,)}
    )
    contention: str = parameter(
        ROUTE_AWARE, choices=NETWORK_MODELS, help="Model of network contention."
    )
    occupancy: str = parameter(
        "physical",
        choices=OCCUPANCIES,
        help='Time that B bytes occupy a channel: "physical" B·G; "bytes" B, as printed.',
        only={"contention": (PUBLISHED,)},
    )


@dataclass(frozen=True, eq=False)
class BlocksCase:
    """The parameters resolved: the Diamond DAG, its mapping's load and what is possible."""

    asked: BlocksParameters
    diamond: Diamond
    routes: Routes
    load: NetworkLoad
    most: int

    @classmethod
    def of(cls, asked: BlocksParameters) -> BlocksCase:
        """Resolve the parameters; InputError where they name nothing that exists."""
        net = chosen_network(asked.network, asked.dims)
        P = net.network.size if asked.processors is None else asked.processors
        diamond = Diamond(
            net, asked.n, P, asked.task_time, asked.bytes_per_value, asked.aggregation
        )
        routes = routes_of(net.network)
        return cls(asked, diamond, routes, _load(asked, diamond, routes), diamond.most())

    @property
    def clock(self) -> Clock:
        """How its times are shown."""
        return Clock.of(self.diamond.net)

    def makespan(self, b: int) -> float:
        """With the contention that was asked for."""
        return self.diamond.makespan(b, self.load)

    def chosen(self, best: int) -> int:
        """The b that was asked for, or the best; InputError if it can't be."""
        b = best if self.asked.blocks is None else self.asked.blocks
        if b > self.most:
            raise InputError(
                "a stripe can't have so many blocks",
                where="blocks",
                value=b,
                remedy=f"Allowed: 1 to {self.most}, where messages have 1 + a bytes",
            )
        return b

    def slower(self, b: int, than: int) -> float:
        """How much longer b blocks take than others, as a share."""
        return self.makespan(b) / self.makespan(than) - 1.0


def _load(
    asked: BlocksParameters, diamond: Diamond, routes: Routes, order: str | None = None
) -> NetworkLoad:
    name = asked.mapping if order is None else order
    return stripes_load(
        diamond.net, routes, diamond.P, name, asked.seed, asked.contention, asked.occupancy
    )


def run(
    parameters: BlocksParameters,
    on_progress: OnProgress | None = None,
    should_stop: ShouldStop | None = None,
) -> StudyResult:
    """Find the best number of blocks and draw what it does.

    Returns
    -------
    StudyResult
        Makespan against b without contention and in both occupancies with it; the optimum, the
        divisors of n, the mappings; its picture is the `Gantt` of the chosen b.

    Raises
    ------
    InputError
        A network or mapping that does not exist, b > n, or messages shorter than 1 + a bytes.
    """
    case = BlocksCase.of(parameters)
    if on_progress is not None:
        on_progress(StudyProgress(0.2, "Trying numbers of blocks"))
    best, complete = least(case.makespan, case.most, should_stop)
    chosen = case.chosen(best)
    picture = _picture(case, chosen)
    return StudyResult(
        sentence=_sentence(case, best),
        reasons=(*_block(case, chosen), *_choice(case, best), *_chart(case, picture, chosen)),
        series=_series(case, best),
        tables=(_numbers(case, best, chosen), _mappings(case, chosen)),
        notes=_notes(case, chosen),
        pictures=() if picture is None else (picture,),
        complete=complete,
    )


def check(
    parameters: BlocksParameters,
    on_progress: OnCheckProgress | None = None,
    should_stop: ShouldStop | None = None,
) -> Check:
    """Simulate the wavefront: see `advisor.studies.blocks.check`."""
    from advisor.studies.blocks import check as blocks_check  # noqa: PLC0415 - scipy is slow to import

    return blocks_check.check(parameters, on_progress, should_stop)


def _sentence(case: BlocksCase, best: int) -> str:
    against = min(case.asked.against, case.most)
    if best == against:
        return f"Blocks of b = {best} are the best: {case.clock.text(case.makespan(best))}."
    slower = case.slower(against, best)
    factor = f"{number(1.0 + slower, digits=2)} times" if slower >= 0.1 else percent(slower)
    return f"Blocks of b = {best}: {factor} faster than b = {against}."


def _block(case: BlocksCase, b: int) -> tuple[str, ...]:
    """What one block of the chosen number does, and what contention adds."""
    diamond, text = case.diamond, case.clock.text
    steps, C_n = diamond.steps(b), diamond.contention(b, case.load)
    first = (
        f"b = {b} on {diamond.P} processors: a block computes {text(steps.work)}, its message of "
        f"{number(diamond.message(b), 'B')} takes {text(steps.sending)} to send and "
        f"{text(steps.receiving)} to receive."
    )
    if C_n <= 0:
        return (first,)
    share = case.makespan(b) / diamond.makespan(b) - 1.0
    return (
        first,
        f"Network contention adds {text(C_n)} to a message and {percent(share)} to the makespan "
        f"({case.asked.mapping} mapping on the {shape(diamond.net.network)}).",
    )


def _choice(case: BlocksCase, best: int) -> tuple[str, ...]:
    """The closed form's optimum and the best equal blocks."""
    found = []
    optimum = case.diamond.optimum()
    if optimum is not None:
        beyond = "" if optimum <= case.most else f", beyond the {case.most} that are possible"
        found.append(f"Without contention the closed form is least at b* = {optimum:.6g}{beyond}.")
    nearest = min(case.diamond.whole(), key=case.makespan)
    if nearest != best:
        loss = percent(case.slower(nearest, best))
        found.append(f"Equal blocks: b = {nearest} divides n and takes {loss} longer.")
    return tuple(found)


def _chart(case: BlocksCase, picture: Gantt | None, b: int) -> tuple[str, ...]:
    if picture is None:
        return ()
    end = case.clock.text(picture.makespan / case.clock.factor)
    return (f"The Gantt chart of b = {b}, event by event, ends at {end}.",)


def _series(case: BlocksCase, best: int) -> tuple[Series, ...]:
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
        )
        for name, kind, xs, load in curves
    )


def _loads(case: BlocksCase) -> list[tuple[str, NetworkLoad]]:
    """The reading that was asked for; of the published one both occupancies."""
    if case.asked.contention != PUBLISHED:
        return [(case.asked.contention, case.load)]
    return [(one, replace(case.load, occupancy=one)) for one in OCCUPANCIES[::-1]]


def _numbers(case: BlocksCase, best: int, chosen: int) -> Table:
    diamond, whole, unit = case.diamond, set(case.diamond.whole()), case.clock.unit
    against = min(case.asked.against, case.most)
    rows = tuple(
        (
            b,
            "best" if b == best else "equal blocks" if b in whole else "chosen",
            diamond.message(b),
            case.clock.shown(diamond.makespan(b)),
            case.clock.shown(diamond.contention(b, case.load)),
            case.clock.shown(case.makespan(b)),
            1.0 + case.slower(b, best),
        )
        for b in sorted({*whole, best, chosen, against})
    )
    columns = (
        ("b", ""), ("kind", ""), ("message", "B"), ("without contention", unit), ("C_n", unit),
        ("makespan", unit), ("times the best", ""),
    )  # fmt: skip
    return Table("Numbers of blocks", columns, rows)


def _mappings(case: BlocksCase, chosen: int) -> Table:
    """The same blocks under other mappings."""
    diamond, clock, rows = case.diamond, case.clock, []
    alone = diamond.makespan(chosen)
    for order in dict.fromkeys((RANDOM, "row-major", "snake", case.asked.mapping)):
        load = _load(case.asked, diamond, case.routes, order)
        makespan, C_n = diamond.makespan(chosen, load), diamond.contention(chosen, load)
        longer = makespan / alone
        model = "applies" if load.applies else "k_d < 1: no contention"
        shown = (clock.shown(C_n), clock.shown(makespan))
        rows.append((order, load.k_d, load.channel, *shown, longer, model))
    columns = (
        ("mapping", ""), ("k_d", ""), ("busiest channel", ""), ("C_n", clock.unit),
        ("makespan", clock.unit), ("times without contention", ""), ("model", ""),
    )  # fmt: skip
    return Table("Mappings", columns, tuple(rows))


def _notes(case: BlocksCase, chosen: int) -> tuple[Note, ...]:
    diamond, load = case.diamond, case.load
    interval = diamond.steps(chosen).block
    occ = load.occ(diamond.message(chosen), diamond.net.long.G)
    loaded = interval + 2.0 * diamond.contention(chosen, load)
    texts = [(text, SOURCE) for text in load.caveats(interval, loaded, occ, diamond.net.unit)]
    if diamond.n % chosen:
        texts.append((f"b = {chosen} does not divide n = {diamond.n}: unequal blocks", "sec. 5.2"))
    if diamond.P == 2:
        texts.append(("two processors: the closed form is an upper bound", "Eq. (15)"))
    if diamond.P * chosen > _DRAWN:
        texts.append((f"{count(diamond.P * chosen, 'block')} are too many to draw", ""))
    if case.asked.mapping == RANDOM and load.k_d > 1.0:
        drawn = "another seed" if load.waits else "one drawn"
        texts.append((f"random mappings differ by tens of percent: see {drawn}", "sec. 5.2.2"))
    return tuple(Note(False, text, source) for text, source in texts)


def _picture(case: BlocksCase, chosen: int) -> Gantt | None:
    diamond, clock = case.diamond, case.clock
    if diamond.P * chosen > _DRAWN:
        return None
    steps, C_n = diamond.steps(chosen), diamond.contention(chosen, case.load)
    shown = DiamondSteps(*(clock.shown(getattr(steps, one.name)) for one in fields(steps)))
    title = f"Diamond DAG, {diamond.P} stripes in {count(chosen, 'block')}"
    return gantt(wavefront(shown, diamond.P, chosen, clock.shown(C_n)), clock.unit, title)


STUDY = Study(*QUESTIONS["blocks"], record=BlocksParameters, run=run, check=check)
