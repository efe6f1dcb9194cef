"""A case answered: a pure function of what is asked, for whichever process carries it out.

Cases that follow each other mostly share workload and problem: the last one is kept.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from threading import local

import numpy as np

from advisor.allocation.character import ccr, heterogeneity
from advisor.allocation.costs import EXACT
from advisor.allocation.loads import CONTENDERS, LoadParameter
from advisor.allocation.problem import Problem
from advisor.allocation.workload import Workload
from advisor.campaigns.campaign_cases import ALLOCATION, OWN, Case, Cases, Source
from advisor.campaigns.generators.registry import GENERATORS
from advisor.campaigns.names import settled
from advisor.campaigns.row_columns import Row
from advisor.export.json_answer import Json, plan_report
from advisor.project.workload_file import WorkloadFile, read_workload
from advisor.search import advise
from advisor.studies import STUDIES
from machines import Platform
from machines.errors import LONGEST_LINE, InputError, PlacewiseError, readable
from machines.stopping import Stopped, ask, stopped

LOST = "every process that tried this case crashed; it may need more memory than available"
_KEPT = local()


@dataclass(frozen=True, eq=False)
class Ask:
    """A case with what it needs from files.

    `objective`, `seconds`: of the campaign. `file`: the workload, or why it can't be read; None: a
    generator makes it.
    """

    case: Case
    objective: str
    seconds: float
    file: WorkloadFile | PlacewiseError | None = None
    platform: Platform | None = None  # without the load; None: what the workload brings along
    keeps_plan: bool = False  # whether the answer has the plan


@dataclass(frozen=True, eq=False)
class Answer:
    """What came of a case.

    `took_s`: measured seconds of the search, or of the study; that its problem was made is not in
    them.
    """

    row: Row  # what follows from the case
    took_s: float
    plan: Json | None = None  # what `advise --json` calls the plan


class Asking:
    """Makes the asks of a campaign's cases; a file is read once for neighbours."""

    def __init__(self, cases: Cases) -> None:
        self._cases = cases
        self._read: tuple[str, WorkloadFile | PlacewiseError] | None = None

    def __call__(self, number: int, keeps_plan: bool | None = None) -> Ask:
        """What is asked of a case."""
        case, campaign = self._cases[number], self._cases.campaign
        return Ask(
            case,
            campaign.objective,
            campaign.seconds,
            self._file(case.source.file) if case.source.file else None,
            self._cases.platforms[case.platform] if case.platform != OWN else None,
            campaign.plans if keeps_plan is None else keeps_plan,
        )

    def _file(self, name: str) -> WorkloadFile | PlacewiseError:
        if self._read is None or self._read[0] != name:
            path = self._cases.folder / name
            try:
                found: WorkloadFile | PlacewiseError = read_workload(path)
            except PlacewiseError as error:
                found = error  # told as the campaign names the file, wherever that lies
                found.where = found.where.replace(str(path), name, 1)
            self._read = name, found
        return self._read[1]


def answer(one: Ask) -> Answer:
    """The answer of a case; the last problem is kept for the next one in this thread.

    Kernels are loaded by whoever carries out; a plan is the same without them.

    Raises `Stopped`: the work at hand was told to stop (`machines.stopping`): no answer is half.
    """
    ask()
    clock = _Clock()
    try:
        row, plan = (_study if one.case.source.study != ALLOCATION else _allocation)(one, clock)
    except Stopped:
        raise
    except PlacewiseError as error:
        row, plan = _failed(one, str(error)), None
    except MemoryError:
        row, plan = _failed(one, "not enough memory for this case"), None
    except Exception as error:  # noqa: BLE001 - a defect in one case is told in its row
        row, plan = _failed(one, f"{type(error).__name__}: {error}"), None
    return Answer(row, clock.took_s, plan)


def lost(one: Ask) -> Answer:
    """The answer of a case that ended every process that computed it."""
    return Answer(_row(one, error=LOST), 0.0)


def problem_of(ask_: Ask) -> tuple[Problem, tuple[str, ...]]:
    """The problem of a case about an allocation, and what was noticed while it was made."""
    return _Instance(ask_).problem


class _Clock:
    """Seconds since it was started; before, none."""

    def __init__(self) -> None:
        self._began: float | None = None

    def start(self) -> None:
        """What comes now is measured."""
        self._began = time.perf_counter()

    @property
    def took_s(self) -> float:
        """So far."""
        return 0.0 if self._began is None else time.perf_counter() - self._began


class _Instance:
    """The problem that a case shares with its neighbours."""

    def __init__(self, one: Ask, before: _Instance | None = None) -> None:
        self._ask = one
        self._before = before if before is not None and before._is_like(one) else None

    def serves(self, one: Ask) -> bool:
        """Whether another case is about the same problem."""
        here = self._ask.case
        return self._is_like(one) and (
            (here.load, here.sharing) == (one.case.load, one.case.sharing)
        )

    def _is_like(self, one: Ask) -> bool:
        """Files are told apart by being the same values: a name may stand for another content."""
        before, here = self._ask, self._ask.case
        return (here.source, here.platform) == (one.case.source, one.case.platform) and (
            before.file is one.file and before.platform is one.platform
        )

    @cached_property
    def parts(self) -> tuple[Workload, Platform, tuple[str, ...]]:
        """Workload, machines without load, and what was noticed."""
        before, self._before = self._before, None
        if before is not None:
            return before.parts
        source, file, platform = self._ask.case.source, self._ask.file, self._ask.platform
        if isinstance(file, PlacewiseError):
            raise file
        if file is None:
            return (*_generated(source, platform), ())
        if platform is not None:
            return file.workload, platform, file.warnings
        if file.platform is None:
            raise InputError(
                "the file names no machines", where=source.file, remedy="Give platforms"
            )
        return file.workload, file.platform, (*file.warnings, *file.platform_warnings)

    @property
    def sizes(self) -> dict[str, object]:
        """How many tasks, flows and machines, once that is known."""
        if "parts" not in self.__dict__:
            return {}
        workload, platform, _ = self.parts
        return {
            "tasks": len(workload.tasks),
            "flows": len(workload.edges),
            "machines": len(platform.machines),
        }

    @cached_property
    def character(self) -> dict[str, object]:
        """What kind of problem it is; what all strategies ask of it is known then, too."""
        problem, _ = self.problem
        problem.lower_bounds_s  # noqa: B018 - else the first strategy would pay for it
        return {"ccr": ccr(problem), "heterogeneity": heterogeneity(problem)}

    @cached_property
    def problem(self) -> tuple[Problem, tuple[str, ...]]:
        """The problem, and what was noticed."""
        workload, platform, warnings = self.parts
        for _, machine, contenders in self._ask.case.load:
            parameter = LoadParameter(CONTENDERS, machine, "", "", 0.0, contenders)
            platform = parameter.applied(platform, contenders)
        return Problem.of(platform, workload, EXACT, self._ask.case.sharing), warnings


def _generated(source: Source, platform: Platform | None) -> tuple[Workload, Platform]:
    generator = GENERATORS[source.generator]
    settings = generator.record(**dict(source.settings))
    workload, machines = generator.make(settings, np.random.default_rng(source.seed), platform)
    return workload, machines


def _instance_of(one: Ask) -> _Instance:
    """The last one of this thread, if the case is about the same."""
    before: _Instance | None = getattr(_KEPT, "instance", None)
    if before is None or not before.serves(one):
        _KEPT.instance = _Instance(one, before)
    kept: _Instance = _KEPT.instance
    return kept


def _allocation(one: Ask, clock: _Clock) -> tuple[Row, Json | None]:
    instance = _instance_of(one)
    problem, warnings = instance.problem
    case, character = one.case, instance.character
    clock.start()  # what strategies share is there now
    found = advise(
        problem, one.objective, case.strategy, one.seconds, case.source.seed,
        should_stop=stopped, clocked=False,
    )  # fmt: skip
    ask()  # what was stopped is no answer
    row = _row(
        one,
        **instance.sizes,
        **character,
        value=float(found.value_s),
        unit="s",
        bound=float(found.lower_bound_s),
        gap=float(found.gap) if np.isfinite(found.gap) else None,
        proved=bool(found.proved_optimal),
        steps=int(found.steps),
        warnings=tuple(dict.fromkeys((*warnings, *found.warnings))),
    )
    return row, plan_report(problem, found.plan) if one.keeps_plan else None


def _study(one: Ask, clock: _Clock) -> tuple[Row, None]:
    source = one.case.source
    study = STUDIES[source.study]
    clock.start()
    result = study.run(settled(study.record, source.settings, source.seed), None, stopped)
    ask()
    if not result.facts:
        raise InputError("this study has no figure to report", where=source.study)
    fact = result.facts[0]
    if not np.isfinite(fact.value):
        raise InputError("the figure is not finite", where=source.study, value=fact.value)
    doubts = (note.text for note in result.notes if not note.inside_domain)
    warnings = tuple(dict.fromkeys(doubts))
    return _row(one, value=float(fact.value), unit=fact.unit, warnings=warnings), None


def _failed(one: Ask, error: str) -> Row:
    """The row of a case without an answer, with the size of its problem if that was made."""
    kept: _Instance | None = getattr(_KEPT, "instance", None)
    sizes = kept.sizes if kept is not None and kept.serves(one) else {}
    return _row(one, **sizes, error=readable(error, LONGEST_LINE))


def _row(one: Ask, **answer: object) -> Row:
    """The case's inputs with an answer, or an error."""
    case, source = one.case, one.case.source
    is_allocation = source.study == ALLOCATION
    values: dict[str, object] = {
        "case": case.number,
        "study": source.study,
        "workload": source.label,
        "generator": source.generator,
        "tasks": 0,
        "flows": 0,
        "machines": 0,
        "ccr": None,
        "heterogeneity": None,
        "seed": source.seed,
        "platform": case.platform,
        "load": ", ".join(f"{machine} {many:g}" for _, machine, many in case.load),
        "sharing": case.sharing,
        "strategy": case.strategy,
        "objective": one.objective if is_allocation else "",
        "seconds": one.seconds if is_allocation else 0.0,
        "value": None,
        "unit": "",
        "bound": None,
        "gap": None,
        "proved": False,
        "steps": 0,
    }
    make: Callable[..., Row] = Row
    return make(**(values | answer))
