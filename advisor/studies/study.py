"""What a study is: a question with a parameter record, a pure run and a result to draw.

The record is one of `advisor.studies.parameters`. The window and the command line draw any result,
so that a study knows of neither.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any, TypeVar

from advisor.allocation.problem import Problem
from advisor.allocation.recommendation import Recommendation
from advisor.basics.stop_rule import ShouldStop
from advisor.project.project import Project
from advisor.project.questions import Question
from advisor.studies.facts import Fact
from machines import InputError

Picture = TypeVar("Picture")


@dataclass(frozen=True)
class Series:
    """One named curve or set of bars; `x` are numbers, or names for bars.

    `kind` is "line", "points", "bars" or "band"; bars of one x are stacked, a band reaches from
    `lower` to `y`. `half_width` are those of 95 % confidence intervals of `y`, `labels` what each
    point is, or what else is said of each bar; empty: nothing is known. Plots whose series name
    the same `beside` belong together, and stand side by side where there is room. `by_ratio`:
    steps of `x` count by their ratio, so that its axis is logarithmic unless the user wants
    another; `y_by_ratio`: those of `y`. `counts`: `x` are numbers of things, and so are the ticks
    of its axis.
    """

    name: str
    x: tuple[float, ...] | tuple[str, ...]
    y: tuple[float, ...]
    x_label: str
    x_unit: str
    y_label: str
    y_unit: str
    kind: str = "line"
    half_width: tuple[float, ...] = ()
    labels: tuple[str, ...] = ()
    lower: tuple[float, ...] = ()
    beside: str = ""
    by_ratio: bool = False
    counts: bool = False
    y_by_ratio: bool = False

    def __post_init__(self) -> None:
        for what, given, needed in (
            ("half width", self.half_width, False),
            ("label", self.labels, False),
            ("lower end", self.lower, self.kind == "band"),
        ):
            if (given or needed) and len(given) != len(self.y):
                number = f"{len(given)} of {len(self.y)}"
                where = f"series {self.name}"
                raise InputError(f"each y needs a {what}", where=where, value=number)
        if not all(width >= 0.0 for width in self.half_width):
            raise InputError(
                "a half width is below 0 or not a number",
                where=f"series {self.name}",
                value=self.half_width,
            )


@dataclass(frozen=True)
class Table:
    """Rows under named columns; a column is (name, unit), unit "" for texts and counts.

    `settings` are, row by row, the study's own settings that make the row its answer; empty: no
    row can be adopted. `unlike`: each row is a quantity of its own, which is shown with digits of
    its own.
    """

    title: str
    columns: tuple[tuple[str, str], ...]
    rows: tuple[tuple[object, ...], ...]
    settings: tuple[Mapping[str, object], ...] = ()
    unlike: bool = False


VALIDITY, MEASURED, STATED, RANGE, ASSUMED, EQUATION = (
    "validity", "measured", "stated", "range", "assumed", "equation",
)  # fmt: skip


@dataclass(frozen=True)
class Note:
    """What an answer rests on: inside or outside a model's domain, why, and who says so.

    `kind` is what the text tells of: where the model holds (`VALIDITY`), a number that was
    `MEASURED`, `STATED` by its source, known to a `RANGE` only or `ASSUMED`, or an `EQUATION`.
    """

    inside_domain: bool
    text: str
    source: str = ""
    kind: str = VALIDITY


@dataclass(frozen=True)
class StudyProgress:
    """What a running study tells: the share done, a sentence, and what it has so far."""

    fraction: float
    sentence: str
    partial: StudyResult | None = None


OnProgress = Callable[[StudyProgress], None]


@dataclass(frozen=True, eq=False)
class StudyResult:
    """The answer of a study.

    `alternative`: what that costs against the alternative, and how sure that is; empty: nothing to
        say.
    `against`: what the facts' differences are against, in a word or two; empty: there is no
        alternative.
    `series`, `tables`, `notes`: what to plot, to list, and what it rests on.
    `pictures`: values with views of their own, e.g. a decision map; the first is the main one.
    `answer`: what to do as a value: a style, the node of every process, a number of blocks, a tree,
        a law of scaling; for `StudyOf.used`. ``None``: nothing that a plan could take.
    """

    headline: str  # what to do, in one sentence
    alternative: str = ""
    against: str = ""
    facts: tuple[Fact, ...] = ()  # at most `MOST_FACTS` figures
    reasons: tuple[str, ...] = ()  # why, one sentence each
    series: tuple[Series, ...] = ()
    tables: tuple[Table, ...] = ()
    notes: tuple[Note, ...] = ()
    recommendation: Recommendation | None = None  # the plan to apply, where the study ends with one
    pictures: tuple[object, ...] = ()
    answer: object = None
    complete: bool = True  # False when it was stopped before its end

    @property
    def sentence(self) -> str:
        """The answer in words: what to do, and what it costs against the alternative."""
        return f"{self.headline} {self.alternative}".rstrip()

    def picture(self, kind: type[Picture]) -> Picture | None:
        """The first of its pictures of a type; ``None`` where there is none."""
        return next((one for one in self.pictures if isinstance(one, kind)), None)


@dataclass(frozen=True)
class Check:
    """What a simulation of a study's chosen case says about its answer.

    `series`: simulated values with half widths, on the axes (labels and units) of those series of
        the study that they are to be drawn over.
    """

    sentence: str  # simulated value and deviations of the estimates
    series: tuple[Series, ...]
    table: Table  # estimates beside simulated values
    notes: tuple[Note, ...] = ()  # what the simulation leaves out, and where it was not possible
    complete: bool = True  # False when it was stopped before its end


@dataclass(frozen=True)
class CheckProgress:
    """What a running check tells: the share done, a sentence, and what it has so far."""

    fraction: float
    sentence: str
    partial: Check | None = None


OnCheckProgress = Callable[[CheckProgress], None]


@dataclass(frozen=True)
class CheckOf:
    """The ``check`` of a module that is imported when it is called: scipy is slow to import.

    `repeats` says that simulating more narrows its intervals: it takes ``times``.
    """

    module: str
    repeats: bool = False

    def __call__(
        self,
        parameters: object,
        on_progress: OnCheckProgress | None = None,
        should_stop: ShouldStop | None = None,
        times: int = 1,
    ) -> Check:
        """Simulate the chosen case, or so many times as much as usual of it."""
        more = {"times": times} if self.repeats else {}
        check = import_module(self.module).check
        found: Check = check(parameters, on_progress, should_stop, **more)
        return found


@dataclass(frozen=True)
class Use:
    """A project with a study's answer in it, and what that step is called."""

    project: Project
    text: str


@dataclass(frozen=True)
class StudyOf:
    """How a study looks at one kind of thing of a project, and gives its answer back.

    `settings`: the subject's own values, as far as they are not the record's defaults; raises
        `InputError` where the study has nothing to say about it.
    `used`: the project with the answer as its decision; raises `InputError` where it does not fit.
    """

    kind: str  # of its subjects: "task", "overlay" or "machine"; empty: the project as a whole
    settings: Callable[[Project, Any], Mapping[str, object]]
    used: Callable[[Project, Any, Any, StudyResult], Use]
    verb: str = "Use in plan"  # what that is called on a button


@dataclass(frozen=True)
class Study:
    """One question that the window, the library and the command line can ask.

    `run`: ``run(parameters, on_progress=None, should_stop=None) -> StudyResult``, pure.
    `check`: ``check(parameters, on_progress=None, should_stop=None) -> Check``, pure: the chosen
        case simulated, with `CheckProgress`. ``None``: nothing to simulate.
    `report`: ``report(result, problem) -> mapping``: what its JSON has beyond that of any study.
    """

    asks: Question  # its line in the list of questions
    record: type  # its parameter record
    run: Callable[..., StudyResult]
    check: Callable[..., Check] | None = None
    report: Callable[[StudyResult, Problem | None], Mapping[str, object]] | None = None
    of_project: tuple[StudyOf, ...] = ()  # what of a project it can look at, one a kind

    @property
    def name(self) -> str:
        """Its name on the command line."""
        return self.asks.name

    @property
    def title(self) -> str:
        """Its name in the window."""
        return self.asks.title

    @property
    def question(self) -> str:
        """The question in one sentence."""
        return self.asks.question

    @property
    def needs_problem(self) -> bool:
        """Whether the record has a field `problem`: a platform and a workload are needed."""
        return any(field.name == "problem" for field in dataclasses.fields(self.record))
