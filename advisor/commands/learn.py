"""The subcommand `learn`: predicted against actual, and what runs teach."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

from advisor.advice.grouping import short_sentence
from advisor.allocation.plan import Plan
from advisor.allocation.predict import predict
from advisor.allocation.problem import Problem
from advisor.basics.quantities import count, percent
from advisor.basics.units import Unit, durations
from advisor.commands.inputs import (
    Question,
    load_kernels,
    read_allocation,
    read_question,
    warn,
)
from advisor.commands.learn_engine import learn_engine
from advisor.commands.text import columns, said_before, say, say_json
from advisor.learning.calibrations import Calibration, calibrated, calibrations, learnt_texts
from advisor.learning.plan_of_run import carried_plan, follows
from advisor.runs.actual import Actual
from advisor.runs.difference import difference
from advisor.runs.logs.reading import read_runs
from advisor.runs.matching import matched_runs
from machines.errors import InputError
from machines.folders import expect_new_folder, write_folder

_MOST_NAMES = 20  # of those that fit no task, on screen
_NOT_OFF = 1e-5  # percent() writes less than it as "< 0.001 %"


@dataclass(frozen=True)
class _Compared:
    """A run beside what was predicted of it, before and after learning.

    `carried_out`: the prediction is of the machines and order that the run used, which are not the
        plan's.
    """

    actual: Actual
    predicted_s: float
    learnt_s: float
    carried_out: bool
    sentence: str  # what the difference to the plan's prediction is made of
    notes: tuple[str, ...]


def run_learn(arguments: Namespace) -> int:
    """Set runs beside their prediction, and say and write what they teach."""
    if arguments.plan is None:
        if arguments.platform is not None:
            raise InputError(
                "a platform needs the plan that was run", where="--platform",
                remedy="Give --plan and the workload first, or the logs alone",
            )  # fmt: skip
        return learn_engine(arguments)
    workload, *logs = arguments.files
    if not logs or arguments.predict:
        raise InputError(
            "with a plan, learn takes a workload, then the logs of its runs", where="--plan",
            remedy="--predict is for logs alone" if logs else "Add the log of a run",
        )  # fmt: skip
    if arguments.out is not None:
        expect_new_folder(arguments.out)
    question = read_question(
        workload,
        arguments.platform,
        arguments.model,
        sharing=arguments.sharing,
        runtime=arguments.runtime,
    )
    problem = question.problem
    plan = read_allocation(arguments.plan, problem)
    runs = read_runs(logs)
    actuals, left_out = matched_runs(runs, problem)
    load_kernels(problem)
    found = calibrations(problem, plan, actuals)
    sure = [calibration for calibration in found if not calibration.doubtful]
    platform, workload = calibrated(problem, sure)
    learnt = Problem.of(platform, workload, problem.reading, problem.sharing)
    compared = [_compared(problem, learnt, plan, actual) for actual in actuals]
    before_s, after_s = (predict(one, plan).makespan_s for one in (problem, learnt))

    def write() -> None:
        if arguments.out is not None:
            write_folder(arguments.out, learnt_texts(platform, workload, sure, runs))

    with said_before(write):
        if arguments.json:
            say_json(_report(question, plan, compared, found, before_s, after_s))
            return 0
        _say_found(learnt, plan, compared, found, (before_s, after_s))
    if arguments.out is not None:
        say(f"Written into {arguments.out}: workload.toml, platform.toml, run.csv.")
    sys.stdout.flush()
    warn((*question.warnings, *left_out, *(note for one in compared for note in one.notes)))
    return 0


def _say_found(
    learnt: Problem, plan: Plan, compared: Sequence[_Compared], found: Sequence[Calibration],
    times_s: tuple[float, float],
) -> None:  # fmt: skip
    """The runs, the calibrations, and what the plan takes before and after them."""
    _say_runs(compared)
    _say_lessons(found)
    before, after = durations(*times_s)
    say("", f"The plan: {before} predicted before, {after} after calibration.")
    if short := short_sentence(learnt, plan):
        say(f"{short}: predict --group DIR writes them grouped, where that pays.")


def _compared(problem: Problem, learnt: Problem, plan: Plan, actual: Actual) -> _Compared:
    carried_out = not follows(plan, actual)
    used = carried_plan(problem, plan, actual) if carried_out else plan
    sentence, notes = "", actual.notes
    if actual.run.timed and actual.ran.any():
        told = difference(problem, plan, actual)
        sentence, notes = told.sentence, (*notes, *told.notes)
    return _Compared(
        actual,
        predict(problem, used).makespan_s,
        predict(learnt, used).makespan_s,
        carried_out,
        sentence,
        notes,
    )


def _say_runs(compared: Sequence[_Compared]) -> None:
    """A line a run, then what each difference is made of, then the names that fit nothing."""
    times = ((one.actual.makespan_s, one.predicted_s, one.learnt_s) for one in compared)
    unit = Unit.of_times(*chain.from_iterable(times))
    rows = [
        (
            one.actual.run.name,
            unit.text(one.actual.makespan_s) if one.actual.makespan_s > 0.0 else "not timed",
            unit.text(one.predicted_s),
            _off(one.predicted_s, one.actual),
            unit.text(one.learnt_s),
            _off(one.learnt_s, one.actual),
            "as it was run" if one.carried_out else "the plan",
        )
        for one in compared
    ]
    header = ("Run", "Actual", "Predicted", "off", "Calibrated", "off", "Prediction of")
    say(columns(header, rows, "lrrrrr"), "")
    for one in compared:
        if one.sentence:
            say(f"{one.actual.run.name}: {one.sentence}")
    unknown = list(dict.fromkeys(name for one in compared for name in one.actual.unknown))
    if unknown:
        more = len(unknown) - _MOST_NAMES
        some = ", ".join(unknown[:_MOST_NAMES]) + (f" and {more} more" if more > 0 else "")
        say(f"In logs, but no task of the workload ({count(len(unknown), 'name')}): {some}")


def _say_lessons(found: Sequence[Calibration]) -> None:
    for calibration in found:
        say("", f"{calibration.title}: {calibration.sentence}.")
        for note in calibration.notes:
            say(f"  {note}.")


def _off(predicted_s: float, actual: Actual) -> str:
    """A prediction against the actual makespan: "−12 %"."""
    if not actual.makespan_s > 0.0:
        return ""
    off = predicted_s / actual.makespan_s - 1.0
    if abs(off) < _NOT_OFF:
        return percent(0.0)
    return f"{'−' if off < 0 else '+'}{percent(abs(off))}"


def _report(
    question: Question, plan: Plan, compared: Sequence[_Compared], found: Sequence[Calibration],
    before_s: float, after_s: float,
) -> dict[str, object]:  # fmt: skip
    """The JSON object."""
    tasks = question.problem.workload.tasks
    return {
        "predicted_s": before_s,
        "after_s": after_s,
        "runs": [
            {
                "name": one.actual.run.name,
                "engine": one.actual.run.engine,
                "actual_s": one.actual.makespan_s or None,
                "predicted_s": one.predicted_s,
                "after_s": one.learnt_s,
                "prediction_of": "run" if one.carried_out else "plan",
                "sentence": one.sentence,
                "unknown": list(one.actual.unknown),
                "renamed": {name: tasks[task].name for name, task in one.actual.renamed},
                "missing": [tasks[task].name for task in one.actual.missing],
                "failed": [tasks[task].name for task in one.actual.failed],
                "notes": list(one.notes),
            }
            for one in compared
        ],
        "lessons": [
            {
                "name": calibration.name,
                "title": calibration.title,
                "learnt": calibration.learnt,
                "sentence": calibration.sentence,
                "header": list(calibration.header),
                "rows": [list(row) for row in calibration.rows],
                "notes": list(calibration.notes),
            }
            for calibration in found
        ],
        "plan": plan.named(question.problem.workload, question.problem.platform),
        "warnings": list(dict.fromkeys(question.warnings)),
    }
