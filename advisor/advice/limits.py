"""What limits a plan: a link, startups, what tasks hold, the engine that starts them, processors.

The plan is simulated again with a link or switch of twice the bandwidth, without startups, with
memory and resources without limit, with an engine that starts tasks at once, and without network
contention: what that saves would help. Same tasks on the same machines in the same order; a plan
advised for what is better may save more.

The same machines on a quicker network: some links or switches of more bandwidth.

Startups stay. Of a link in both directions a resource may be one; of an inner network the whole.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from advisor.allocation.bandwidths import widened, widened_link, widened_switch
from advisor.allocation.execution import Executed, executed_makespan
from advisor.allocation.host_costs import host_costs, shared_routes
from advisor.allocation.objectives import MAKESPAN, SPREAD
from advisor.allocation.placement import placement
from advisor.allocation.prediction import Prediction
from advisor.allocation.problem import Problem
from advisor.allocation.task_causes import FETCHING
from advisor.allocation.timeline_modes import FAIR
from advisor.basics.causes import IDLE, STARTING
from advisor.basics.quantities import duration, percent
from advisor.basics.units import durations
from machines import Platform
from machines.arrays import Floats
from machines.runtime import ENGINE_TIMES

NETWORK, STARTUPS, STATED = "network", "startups", "stated seconds"
PROCESSORS, HOLDINGS, ENGINE = "processors", "holdings", "engine"
_NOTHING = 1e-3  # share of the makespan below which a saving is called none
_TRIED, _NAMED = 6, 3
_EFFORT = 400_000  # tasks and edges that all further executions together may carry out
_MOST_OF_IT = 0.5  # share of the makespan on processors, from which on they are named first
_MORE = 0.5  # of what a quicker network saves in all, from which on some of its links are named


@dataclass(frozen=True)
class Limit:
    """What limits a contention-aware schedule.

    `resources`: positions in the prediction's `resources`: those that must be quicker together, the
        fullest first; empty where none would help.
    `makespan_s`, `endless_s`: what the plan takes, and where each transfer has the network to
        itself.
    `sentence`: "bus is busy 93 % of 26 min 4 s; twice its bandwidth would save 11 min (42 %);
        contention costs 20 min: without it the plan takes 6 min 4 s.".
    """

    kind: str  # {"network", "startups", "stated seconds", "processors", "holdings", "engine"}
    resources: tuple[int, ...]
    makespan_s: float
    endless_s: float
    saved_s: float  # what those resources save at twice their bandwidth, and without startups those
    sentence: str
    brief: str  # "processors 98 %", "bus 93 %"


def limit_of(problem: Problem, prediction: Prediction) -> Limit | None:
    """Say what limits a plan, and what would help.

    `prediction`: of a plan for it.
    Returns: ``None``: each transfer is alone by definition, so that nothing of the network is
    shared, or the plan takes no time.
    """
    if problem.sharing != FAIR or prediction.endless_s is None or prediction.makespan_s <= 0.0:
        return None
    return _Trial(problem.settled(prediction.plan), prediction).judged()


class _Trial:
    """Executions of one plan on quicker networks."""

    def __init__(self, problem: Problem, prediction: Prediction) -> None:
        self.problem, self.prediction = problem, prediction
        self.allocation, self.order = placement(problem, prediction.plan)
        size = self.allocation.size + len(problem.workload.edges)
        self.tried = max(1, min(_TRIED, _EFFORT // (2 * size)))
        self.notable_s = SPREAD * prediction.makespan_s
        self.nothing_s = _NOTHING * prediction.makespan_s

    def judged(self) -> Limit:
        """The verdict."""
        all_saved_s = self._saved_by(quicker_everywhere(self.problem))
        held_s, engine_s = self._saved_by_room(), self._saved_at_once()
        if engine_s >= max(self.notable_s, all_saved_s, held_s, self.without_startups_s):
            return self._engine(engine_s)
        if held_s >= max(self.notable_s, all_saved_s) and held_s >= self.without_startups_s:
            return self._holdings(held_s)
        if all_saved_s >= self.notable_s:
            return self._network(all_saved_s)
        if self.without_startups_s >= self.notable_s:
            return self._startups()
        return self._processors(all_saved_s)

    def saved_s(self, resources: list[int]) -> float:
        """What the plan saves where some resources have twice their bandwidth."""
        return self._saved_by(quicker(self.problem, resources))

    @cached_property
    def without_startups_s(self) -> float:
        """What the plan saves where no transfer takes time to start."""
        instance = self.problem.executed
        none = np.where(np.isfinite(instance.startup_s), 0.0, instance.startup_s)
        return self._saved_by(instance._replace(startup_s=none))

    @property
    def endless_s(self) -> float:
        """What the plan takes where each transfer has the network to itself."""
        found = self.prediction.endless_s
        return self.prediction.makespan_s if found is None else found

    def _saved_by(self, instance: Executed) -> float:
        taken_s = executed_makespan(instance, self.allocation, self.order)
        return self.prediction.makespan_s - taken_s

    def _network(self, all_saved_s: float) -> Limit:
        """One link that helps by itself, or those that must be quicker together."""
        candidates = self._candidates()
        gains = {one: self.saved_s([one]) for one in candidates}
        steps = {one: round(gain / self.nothing_s) for one, gain in gains.items()}
        best = max(candidates, key=lambda one: steps[one], default=-1)  # of equal ones the fullest
        if best >= 0 and gains[best] >= self.notable_s:
            text = self._one(best, gains[best])
            return self._limit(NETWORK, (best,), gains[best], text, self._shares((best,)))
        together, saved_s = self._together(candidates, all_saved_s)
        if together and saved_s >= max(self.notable_s, _MORE * all_saved_s):
            alone_s = max(gains[one] for one in together)
            text = self._some(together, saved_s, alone_s)
            return self._limit(NETWORK, together, saved_s, text, self._shares(together))
        text = "The transfers limit, though they share no link"
        if candidates:
            text = f"{self._busy(candidates[0])}, and others are as much of a limit"
        text += f": twice the bandwidth of all links would save {self._saving(all_saved_s)}"
        return self._limit(NETWORK, (), all_saved_s, text, "transfers")

    def _together(self, candidates: list[int], all_saved_s: float) -> tuple[tuple[int, ...], float]:
        """Resources, added one after the other, that together save about what all do."""
        chosen, saved_s = candidates[:1], 0.0
        while len(chosen) < min(len(candidates), _NAMED):
            rest = [one for one in candidates if one not in chosen]
            gains = [self.saved_s([*chosen, one]) for one in rest]
            at = int(np.argmax(gains))
            chosen, saved_s = [*chosen, rest[at]], gains[at]
            if saved_s >= _MORE * all_saved_s:
                break
        return tuple(chosen), saved_s

    def _candidates(self) -> list[int]:
        """Resources on the critical path and the fullest ones, the fullest first."""
        uses = self.prediction.resources
        used = [one for one in range(len(uses)) if uses[one].size_bytes > 0.0]
        full = sorted(used, key=lambda one: -uses[one].busy_share)
        weight = self._on_path()
        slow = sorted((one for one in used if weight[one] > 0.0), key=lambda one: -weight[one])
        both = [one for pair in zip(full, [*slow, *full], strict=False) for one in pair]
        return sorted(dict.fromkeys(both[: 2 * self.tried]), key=full.index)[: self.tried]

    def _on_path(self) -> Floats:
        """Seconds for which transfers of the critical path moved through each resource."""
        moved, marks = self.prediction.transfers, self.prediction.critical_transfers
        weight = np.zeros(len(self.prediction.resources))
        if moved is None or marks is None:
            return weight
        shared, hosts = self.problem.shared, self.problem.executed.startup_s.shape[1]
        for row in np.flatnonzero(marks).tolist():
            route = int(moved.source[row]) * hosts + int(moved.target[row])
            crossed = shared.passed[shared.first_pass[route] : shared.first_pass[route + 1]]
            weight[crossed] += moved.arrived_s[row] - moved.moved_s[row]
        return weight

    def _startups(self) -> Limit:
        saved_s = self.without_startups_s
        text = (
            f"The startups of transfers limit: without them the plan would take "
            f"{duration(saved_s)} less, with twice the bandwidth everywhere as long"
        )
        return self._limit(STARTUPS, (), saved_s, text, "startups of transfers")

    def _saved_at_once(self) -> float:
        """What the plan saves where the engine starts tasks at once, on workers that are up."""
        instance = self.problem.executed
        if not instance.dispatched and instance.overhead_s <= 0.0:
            return 0.0
        at_once: dict[str, Any] = dict.fromkeys((*ENGINE_TIMES, "overhead_s"), 0.0)
        at_once |= {"dispatched": False, "up_s": np.zeros_like(instance.up_s)}
        return self._saved_by(instance._replace(**at_once))

    def _engine(self, saved_s: float) -> Limit:
        text = (
            "The engine limits: if it started tasks at once, the plan would take "
            f"{self._saving(saved_s)} less"
        )
        brief = f"engine {percent(saved_s / self.prediction.makespan_s)}"
        return self._limit(ENGINE, (), saved_s, text, brief)

    def _saved_by_room(self) -> float:
        """What the plan saves where nobody waits for memory, its bandwidth or a resource."""
        if not np.isfinite(self._room).any():
            return 0.0
        return self._saved_by(self._unlimited())

    @property
    def _room(self) -> Floats:
        """The room of memory and resources, then bandwidths of memory where tasks state theirs."""
        instance = self.problem.executed
        return np.concatenate([instance.room, instance.memory_rate[: instance.draws.shape[1]]])

    def _unlimited(self, entry: int | None = None) -> Executed:
        """What is executed where all of the room, or one entry of it, is endless."""
        instance, room = self.problem.executed, self._room
        room[slice(None) if entry is None else entry] = np.inf
        kinds = instance.room.size
        rate = room[kinds:] if room.size > kinds else instance.memory_rate
        return instance._replace(room=room[:kinds], memory_rate=rate)

    def _holdings(self, all_saved_s: float) -> Limit:
        """What tasks wait for beside cores: the memory or the units whose limit costs most."""
        saved_s = {
            entry: self._saved_by(self._unlimited(entry))
            for entry in np.flatnonzero(np.isfinite(self._room)).tolist()
        }
        most = max(saved_s, key=lambda entry: saved_s[entry])
        if saved_s[most] < self.notable_s:
            text = (
                "Memory and resources limit together: without any of their limits the plan would "
                f"take {self._saving(all_saved_s)} less"
            )
            return self._limit(HOLDINGS, (), all_saved_s, text, "memory and resources")
        name = self._holding(most)
        text = (
            f"The {name} limits: without that limit the "
            f"plan would take {self._saving(saved_s[most])} less"
        )
        return self._limit(HOLDINGS, (), saved_s[most], text, name)

    def _holding(self, entry: int) -> str:
        """What an entry of the room is of: "gpu of server", "licence"."""
        needs, kinds = self.problem.costs.needs, self.problem.executed.room.size
        if entry >= kinds:
            return f"memory bandwidth of {self.problem.platform.machines[entry - kinds].name}"
        row, machine = np.argwhere(needs.place == entry)[0].tolist()
        kind, platform = str(needs.kinds[row]), self.problem.platform
        if any(kind == one.kind for one in platform.resources):
            return kind
        return f"{kind} of {platform.machines[machine].name}"

    def _processors(self, all_saved_s: float) -> Limit:
        """The network takes no part, or only seconds that flows state."""
        makespan_s = self.prediction.makespan_s
        if self._moving_s > 0.5 * makespan_s:
            text = "Transfers of stated seconds limit, which no bandwidth changes"
            return self._limit(STATED, (), 0.0, text, "stated seconds of transfers")
        share = self.prediction.utilisation
        busiest = int(np.argmax(share))
        name = self.problem.platform.machines[busiest].name
        whole, _ = durations(makespan_s, self.endless_s)
        on_them = percent(self._spent)
        busy = percent(float(share[busiest]))
        text = (
            f"The processors are the limit, not the network: the critical path spends "
            f"{on_them} of {whole} on them, {name} is {busy} utilised"
        )
        if all_saved_s >= self.nothing_s:
            text += f"; twice the bandwidth of all links would save {self._saving(all_saved_s)}"
        return self._limit(PROCESSORS, (), 0.0, text, f"processors {on_them}")

    @property
    def _moving_s(self) -> float:
        """Seconds of the critical path that fetch data."""
        path = self.prediction.critical_breakdown_s
        return sum(path.get(cause, 0.0) for cause in FETCHING)

    @property
    def _spent(self) -> float:
        """The share of the makespan that the critical path spends on processors."""
        path = self.prediction.critical_breakdown_s
        spent_s = (
            sum(path.values()) - self._moving_s - path.get(IDLE, 0.0) - path.get(STARTING, 0.0)
        )
        return spent_s / self.prediction.makespan_s

    def _one(self, best: int, saved_s: float) -> str:
        return f"{self._busy(best)}; twice its bandwidth would save {self._saving(saved_s)}"

    def _some(self, together: tuple[int, ...], saved_s: float, alone_s: float) -> str:
        uses = self.prediction.resources
        others = " and ".join(
            f"{uses[one].name} ({percent(uses[one].busy_share)})" for one in together[1:]
        )
        verb = "is" if len(together) == 2 else "are"
        alone = "nothing" if alone_s < self.nothing_s else f"at most {duration(alone_s)}"
        both = "both" if len(together) == 2 else "all of them"
        return (
            f"{self._busy(together[0])}, but {others} {verb} as much of a limit: twice the "
            f"bandwidth of one alone saves {alone}, of {both} {self._saving(saved_s)}"
        )

    def _saving(self, saved_s: float) -> str:
        return f"{duration(saved_s)} ({percent(saved_s / self.prediction.makespan_s)})"

    def _busy(self, one: int) -> str:
        use, makespan_s = self.prediction.resources[one], self.prediction.makespan_s
        whole, _ = durations(makespan_s, self.endless_s)
        return f"{use.name} is {percent(use.busy_share)} utilised over {whole}"

    def _shares(self, limiting: Iterable[int]) -> str:
        """How full they are, after the processors where these take most of the time."""
        uses = [self.prediction.resources[one] for one in limiting]
        full = " and ".join(f"{use.name} {percent(use.busy_share)}" for use in uses)
        return f"processors {percent(self._spent)}, {full}" if self._spent > _MOST_OF_IT else full

    def _limit(
        self, kind: str, resources: tuple[int, ...], saved_s: float, text: str, brief: str
    ) -> Limit:
        makespan_s = self.prediction.makespan_s
        longer_s = makespan_s - self.endless_s
        _, without = durations(makespan_s, self.endless_s)
        endless = f"contention costs {duration(longer_s)}: without it the plan takes {without}"
        if longer_s < self.nothing_s:
            endless = "without contention it would take as long"
        sentence = f"{text}; {endless}."
        return Limit(kind, resources, makespan_s, self.endless_s, saved_s, sentence, brief)


def limits_briefly(limit: Limit | None, prediction: Prediction, objective: str) -> str:
    """What a plan spends most of its time on, in a few words, also where nothing is shared."""
    if limit is not None:
        return limit.brief
    critical = objective == MAKESPAN
    spent = prediction.critical_breakdown_s if critical else prediction.breakdown_s
    whole = sum(spent.values())
    if whole <= 0.0:
        return "nothing"
    most = max(spent, key=lambda cause: spent[cause])
    return f"{most} {percent(spent[most] / whole)}"


def quicker(problem: Problem, resources: Iterable[int], factor: float = 2.0) -> Executed:
    """What is executed where some resources have a multiple of their bandwidth.

    `resources`: positions in its `shared.resources`.
    """
    platform, chosen = problem.loaded, list(resources)
    for one in chosen:
        platform = widened(platform, problem.shared.resources[one], factor)
    inner = [one for one in chosen if problem.shared.resources[one].machine is not None]
    return _on(problem, platform, inner, factor)


def quicker_everywhere(problem: Problem, factor: float = 2.0) -> Executed:
    """What is executed where every link, switch and inner network has a multiple of bandwidth."""
    platform = problem.loaded
    platform = replace(
        platform,
        links=tuple(widened_link(link, factor) for link in platform.links),
        switches=tuple(widened_switch(switch, factor) for switch in platform.switches),
    )
    found = enumerate(problem.shared.resources)
    return _on(problem, platform, [at for at, one in found if one.machine is not None], factor)


def _on(problem: Problem, platform: Platform, inner: list[int], factor: float) -> Executed:
    """The problem's tasks on a platform of the same parts, some inner networks quicker."""
    between = host_costs(platform, problem.reading, problem.sharing)
    shared = shared_routes(platform, between)
    capacity = shared.capacity.copy()
    capacity[inner] *= factor
    return problem.executed._replace(
        startup_s=between.contended.startup_s,
        per_byte_s=between.contended.per_byte_s,
        first_pass=shared.first_pass,
        passed=shared.passed,
        pair=shared.pair,
        capacity=capacity,
        weight=shared.weight,
    )
