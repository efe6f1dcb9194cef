"""The trees study checked by simulation: the recommended tree, message by message.

Single operations of the whole tree, and streams over the part of it that decides the period.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from advisor.basics.quantities import count, duration, percent
from advisor.basics.stop_rule import ShouldStop
from advisor.models.mrnet import BROADCAST, REDUCTION, Tree
from advisor.studies.simulated import NOTHING, Job, Point, simulated
from advisor.studies.study import Check, Note, OnCheckProgress, Series, Table
from advisor.studies.trees.candidates import TreesCase
from advisor.studies.trees.parameters import TreesParameters
from advisor.studies.trees.tree_answer_words import SIMULATED
from advisor.studies.trees.views import fanouts_of
from advisor.trees.cores_simulation import simulate_on_cores
from advisor.trees.tree_costs import ROUND_TRIP, US, TreeCosts, measure
from advisor.trees.tree_simulation import busiest_part, simulate_tree
from machines.stopping import stopped

_MOST = 300_000  # processes of a tree whose single operations are simulated
_MOST_SHARING = 20_000  # processes whose sharing of cores is simulated
_MESSAGES = 60_000  # of a stream, about
_FEWEST, _MOST_OPERATIONS = 3, 1000
_EDGE = 3e-4  # share of the first receive in a stream, at most
_UNDER_WAY = 16  # round trips for each level of the tree


def check(
    parameters: TreesParameters,
    on_progress: OnCheckProgress | None = None,
    should_stop: ShouldStop | None = None,
) -> Check:
    """Simulate the recommended tree of the study: see `check_tree`."""
    case = TreesCase.of(parameters)
    chosen = case.chosen
    return check_tree(chosen.name, chosen.tree, case.costs, on_progress, should_stop)


def check_tree(
    name: str,
    tree: Tree,
    costs: TreeCosts,
    on_progress: OnCheckProgress | None = None,
    should_stop: ShouldStop | None = None,
) -> Check:
    """Simulate a tree and set the model beside it.

    `name`: of the tree. `costs`: of its `operation` the stream is drawn over the study's curves;
    times in µs.
    """
    bench = _Bench(name, tree, costs, busiest_part(tree))
    return simulated(list(bench.jobs()), bench.check, on_progress, should_stop)


@dataclass(frozen=True, eq=False)
class _Bench:
    """The tree, and the part of it that decides its period."""

    name: str
    tree: Tree
    costs: TreeCosts
    part: Tree

    def jobs(self) -> Iterator[Job]:
        """Latencies, as far as the tree is small enough, then periods."""
        model = measure(self.tree, self.costs)
        if self.costs.sharing(self.tree) is not None:
            if self.tree.size <= _MOST_SHARING:
                for operation in (BROADCAST, REDUCTION):
                    predicted = model.latency(operation)
                    part = partial(self._shared, operation, predicted)
                    yield Job(f"a {operation}", (part,))
            return
        if self.tree.size <= _MOST:
            for operation in (BROADCAST, REDUCTION, ROUND_TRIP):
                predicted = model.latency(operation)
                part = partial(self._latency, operation, predicted)
                yield Job(f"a {operation}", (part,))
        if self.part.size <= _MOST:
            asked = (ROUND_TRIP,) if self.costs.operation == ROUND_TRIP else ()
            for operation in (BROADCAST, REDUCTION, *asked):
                yield Job(f"a stream of {operation}s", (partial(self._period, operation),))

    def check(self, points: Sequence[Point], complete: bool) -> Check:
        """What is known after some points."""
        rows = tuple(
            (point.of[0], *_seconds(point), _difference(point), point.of[1]) for point in points
        )
        columns = (
            ("quantity", ""),
            ("predicted", "s"),
            ("simulated", "s"),
            ("difference", "%"),
            ("operations", ""),
        )
        return Check(
            sentence=self._sentence(points),
            series=tuple(self._series(points)),
            table=Table("Check by simulation", columns, rows),
            notes=tuple(self._notes()),
            complete=complete,
        )

    def _latency(self, operation: str, predicted: float) -> Point | None:
        found = simulate_tree(self.tree, self.costs, operation, should_stop=stopped)
        of = (_latency_of(operation), 1)
        return Point(of, found.latency, 0.0, (predicted,)) if found.complete else None

    def _shared(self, operation: str, predicted: float) -> Point | None:
        """By processor sharing, where the study lists."""
        time = simulate_on_cores(self.tree, self.costs, operation, stopped)
        return None if time is None else Point((_latency_of(operation), 1), time, 0.0, (predicted,))

    def _period(self, operation: str) -> Point | None:
        operations = min(max(_MESSAGES // self.part.size, _FEWEST), _MOST_OPERATIONS)
        window = _UNDER_WAY * self.tree.depth
        found = simulate_tree(
            self.part, self.costs, operation, operations, window=window, should_stop=stopped
        )
        predicted = replace(self.costs, operation=operation).period(*self.tree.busiest)
        of = (_period_of(operation), operations)
        return Point(of, found.period, 0.0, (predicted,)) if found.complete else None

    def _sentence(self, points: Sequence[Point]) -> str:
        if not points:
            return NOTHING
        known = {str(point.of[0]): point for point in points}
        parts = [
            f"{one} {duration(known[_latency_of(one)].time * US)} "
            f"({_said(known[_latency_of(one)])})"
            for one in (BROADCAST, REDUCTION)
            if _latency_of(one) in known
        ]
        periods = [known[name] for name in map(_period_of, (BROADCAST, REDUCTION)) if name in known]
        if periods:
            worst = max(periods, key=lambda point: abs(_difference(point) or 0.0))
            parts.append(f"periods {_said(worst)}")
        both = known.get(_latency_of(ROUND_TRIP))
        if both is not None:
            parts.append(f"answered at once, a round trip takes {duration(both.time * US)}")
        return f"Simulated {self.name} tree: {'; '.join(parts)}."

    def _series(self, points: Sequence[Point]) -> Iterator[Series]:
        """Over the curves of the study, at the largest fan-out of the tree."""
        fanout, operation = self.tree.max_fanout, self.costs.operation
        if fanout > fanouts_of(self.tree.back_ends)[-1]:
            return
        shown = {
            _latency_of(operation): f"latency of a {operation}",
            _period_of(operation): "period",
        }
        for point in points:
            label = shown.get(str(point.of[0]))
            if label is not None:
                x, y = (float(fanout),), (point.time * US,)
                yield Series("simulated", x, y, "fan-out k", "", label, "s", "points")

    def _notes(self) -> Iterator[Note]:
        if self.costs.sharing(self.tree) is not None:
            yield Note(
                True,
                "All processes of a host that have something to do share its cores alike; the "
                "study lets what was ready first go first. Streams are not simulated: their period "
                "is a bound",
                "Placewise's own simulation of shared cores",
            )
            return
        yield Note(
            True,
            "Each process has one processor and one network interface, sends before it receives, "
            "and takes in messages as they come. A round trip is predicted as a broadcast and then "
            "a reduction; simulated, each back-end answers at once. Periods are lower bounds.",
            SIMULATED,
        )
        if self.tree.size > _MOST:
            limit = f"{count(_MOST, 'process', 'processes')} are simulated as a whole"
            yield Note(False, f"Only trees of up to {limit}: no latencies here")


def _latency_of(operation: str) -> str:
    return f"latency of a {operation}"


def _period_of(operation: str) -> str:
    return f"period of {operation}s"


def _seconds(point: Point) -> tuple[float, float]:
    predicted = point.estimates[0] or 0.0
    return predicted * US, point.time * US


def _difference(point: Point) -> float | None:
    """Of what is simulated from what is predicted, in percent."""
    predicted = point.estimates[0]
    if not predicted:
        return None
    share = point.time / predicted - 1.0
    return 100.0 * share if abs(share) > _EDGE else 0.0


def _said(point: Point) -> str:
    share = (_difference(point) or 0.0) / 100.0
    if not share:
        return "as predicted"
    return f"{percent(abs(share))} {'above' if share > 0 else 'below'} the prediction"
