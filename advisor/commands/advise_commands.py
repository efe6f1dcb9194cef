"""The subcommands that place tasks: `advise`, `predict` and `compare`."""

from __future__ import annotations

import os
from argparse import Namespace
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import cast

from advisor.advice.explain import Explanation, explain
from advisor.advice.gains_by_decision import DecisionGain, gains_by_decision, gains_sentence
from advisor.advice.how_sure import odds_of, with_p90
from advisor.advice.plan_difference import PlanDifference, plan_difference
from advisor.allocation.comparison import Row, compare
from advisor.allocation.evaluation import best_single_machine
from advisor.allocation.measures import Measure, find_measure, front
from advisor.allocation.objectives import MAKESPAN, WITHIN
from advisor.allocation.plan import Plan
from advisor.allocation.predict import predict
from advisor.allocation.prediction import Prediction
from advisor.allocation.problem import Problem
from advisor.basics.quantities import duration, percent
from advisor.basics.stop_rule import ShouldStop
from advisor.basics.units import Unit, durations
from advisor.commands.decided import Decided, decided, decided_report, say_decided
from advisor.commands.group_option import (
    check_group,
    group_files,
    grouping_of,
    grouping_report,
    say_grouping,
    write_grouping,
)
from advisor.commands.inputs import (
    Question,
    load_kernels,
    read_allocation,
    read_answers,
    read_question,
    warn,
)
from advisor.commands.interrupts import INTERRUPTED, interruptible
from advisor.commands.odds_rows import RowOdds, add_odds, row_odds
from advisor.commands.robust_answer import goal_of, searched
from advisor.commands.schedule_text import say_schedule
from advisor.commands.text import columns, said_before, say, say_json
from advisor.commands.worker_options import computing_as_asked
from advisor.decisions.decision_traits import columns_of, shown
from advisor.export.export_record import Planned
from advisor.export.json_answer import (
    advice_report,
    as_json,
    comparison_report,
    explanation_report,
    prediction_report,
)
from advisor.export.odds_report import band_report, duel_report, odds_report
from advisor.export.registry import export
from advisor.project.better import Better, better
from advisor.search import STRATEGIES
from advisor.search.portfolio import deadlines_of, each_strategy, strategy_named
from advisor.search.strategy import AUTO
from advisor.studies.what_if.tipping import tipping
from machines import InfeasibleError, InputError
from machines.default_spreads import EXACT
from machines.files import expect_writable, is_there, refusal, write_text


def run_advise(arguments: Namespace) -> int:
    """Search, explain, print; write plan and schedule with ``--out``.

    Whether they can be written is asked before the search; if they can't be all the same, the
    answer is printed before that is told.
    """
    for path in (*_out_files(arguments), *group_files(arguments)):
        expect_writable(path, new_folders=True)
    question = _asked(arguments)
    problem, objective = question.problem, arguments.objective or question.objective
    check_group(arguments, problem)
    goal = goal_of(arguments, problem)
    objective = objective if goal is None else MAKESPAN
    load_kernels(problem)
    keep = arguments.strategy != AUTO or goal is not None
    start = None if keep else question.present
    with interruptible() as stopped, computing_as_asked(arguments, stopped):
        recommendation, robust = searched(arguments, problem, objective, start, goal, stopped)
        if robust is not None and arguments.draws is None:  # one figure is said of one plan
            arguments.draws, arguments.seed = robust.found.draws, robust.found.seed
        explanation = explain(
            problem,
            recommendation,
            question.present,
            should_stop=stopped,
            keep=keep,
            draws=arguments.draws,
            seed=arguments.seed,
        )
        recommendation = explanation.recommendation
        grouping = grouping_of(arguments, problem, recommendation.plan, stopped)
        status = INTERRUPTED if stopped() else 0
        tips = tipping(problem, recommendation.plan, question.assumed, objective, stopped)
    prediction = predict(problem, recommendation.plan)
    told = better(question.project, problem, prediction.makespan_s)
    choices = decided(problem, objective, recommendation.plan)
    report = _report(question, explanation, prediction, choices, told, tips)
    report |= {} if robust is None else robust.report
    if arguments.json:
        add_odds(report, problem, recommendation, arguments)

    def write() -> None:
        if arguments.out is not None:
            _write(_out_files(arguments), report, Planned(problem, prediction.plan, prediction))
        write_grouping(arguments, question, grouping)

    with said_before(write):
        if arguments.json:
            say_json(report | grouping_report(grouping))
        else:
            first = [one.sentence for one in (told, robust) if one is not None]
            _say_advice(question, explanation, prediction, choices, first, tips)
            say_grouping(arguments, problem, prediction.plan, grouping)
    return status


def _report(
    question: Question,
    explanation: Explanation,
    prediction: Prediction,
    choices: Decided | None,
    told: Better | None,
    tips: str,
) -> dict[str, object]:
    """The answer as one object."""
    problem, found = question.problem, explanation.recommendation
    report = advice_report(problem, found, prediction, explanation, question.sources)
    if tips:
        report["assumed"] = tips
    if told is not None:
        report["run"] = asdict(told)
    if choices is not None:
        report["explanation"] = explanation_report(problem, explanation) | decided_report(choices)
    report["warnings"] = list(
        dict.fromkeys((*question.warnings, *found.warnings, *prediction.warnings))
    )
    return report


def run_predict(arguments: Namespace) -> int:
    """Predict a stated allocation."""
    for path in group_files(arguments):
        expect_writable(path, new_folders=True)
    question = _asked(arguments)
    problem = question.problem
    check_group(arguments, problem)
    plan = read_allocation(arguments.allocation, problem)
    load_kernels(problem)
    prediction = predict(problem, plan)
    odds = odds_of(problem, plan, prediction.makespan_s, count=arguments.draws, seed=arguments.seed)
    with interruptible() as stopped:
        grouping = grouping_of(arguments, problem, plan, stopped)
        status = INTERRUPTED if stopped() else 0
    with said_before(lambda: write_grouping(arguments, question, grouping)):
        if arguments.json:
            report = prediction_report(problem, prediction) | grouping_report(grouping)
            report |= odds_report(odds)
            report["warnings"] = list(dict.fromkeys((*question.warnings, *prediction.warnings)))
            say_json(report)
            return status
        makespan, total = durations(prediction.makespan_s, prediction.total_s)
        say(f"Makespan {makespan}, total {total}.", *(() if odds is None else odds.sentences))
        say_schedule(problem, prediction)
        warn((*question.warnings, *prediction.warnings))
        say_grouping(arguments, problem, plan, grouping)
    return status


def run_compare(arguments: Namespace) -> int:
    """Run several strategies and set their plans side by side."""
    measure = find_measure(arguments.pareto)
    question = _asked(arguments)
    problem, objective = question.problem, arguments.objective or question.objective
    load_kernels(problem)
    stated = _stated(arguments.against, problem)
    with interruptible() as stopped, computing_as_asked(arguments, stopped):
        plans, bound_s, refused = _plans(problem, objective, arguments, stopped)
        status = INTERRUPTED if stopped() else 0
    warn(refused)
    rows = compare(problem, _first(plans, stated, arguments.against), objective, bound_s)
    odds = row_odds(problem, rows, objective, arguments)
    rows = with_p90(rows, odds)
    difference, gains = _against(problem, rows, objective) if arguments.against else (None, ())
    if arguments.json:
        report = comparison_report(problem, rows, objective, measure, difference, gains)
        entries = cast("list[dict[str, object]]", report["plans"])
        deadlines_s = deadlines_of([row.plan for row in rows])
        for entry, (one, against) in zip(entries, odds, strict=False):
            entry.update(band_report(one) | duel_report(against))
            if deadlines_s:
                entry["in_time"] = [
                    {"deadline_s": deadline_s, "share": share}
                    for deadline_s, share in zip(deadlines_s, one.in_time, strict=True)
                ]
        say_json(report)
        return status
    if difference is not None:
        say(difference.sentence)
    if by_decision := gains_sentence(gains, rows[0].prediction.value_s(objective)):
        say(by_decision)
    say_comparison(rows, objective, measure, odds)
    warn((*question.warnings, *problem.costs.warnings))
    return status


def _asked(arguments: Namespace) -> Question:
    question = read_question(
        arguments.workload,
        arguments.platform,
        arguments.model,
        sharing=arguments.sharing,
        runtime=arguments.runtime,
        answers=read_answers(arguments.answer),
    )
    if not arguments.exact:
        return question
    platform = question.problem.platform
    stated = replace(platform, spread=platform.spread.over(EXACT))
    return replace(question, problem=replace(question.problem, platform=stated))


def _stated(against: str | None, problem: Problem) -> tuple[str, Plan] | None:
    """The plan of a file that others are set against, before anything is searched."""
    if against is None or against in STRATEGIES:
        return None
    return Path(against).name, read_allocation(against, problem)


def _first(
    plans: list[tuple[str, Plan]], stated: tuple[str, Plan] | None, against: str | None
) -> list[tuple[str, Plan]]:
    """The plans, the one that others are set against before them."""
    if stated is not None:
        return [stated, *plans]
    if against is not None and all(name != against for name, _ in plans):
        raise InputError("no plan to compare others with", value=against, remedy="Add it to them")
    return sorted(plans, key=lambda named: named[0] != against)


def _against(
    problem: Problem, rows: Sequence[Row], objective: str
) -> tuple[PlanDifference, tuple[DecisionGain, ...]]:
    """The first plan against the best of the others; against itself where it is alone."""
    others = rows[1:] or rows
    best = min(others, key=lambda row: row.prediction.value_s(objective))
    first = rows[0]
    pair = (first.name, first.prediction), (best.name, best.prediction)
    gains = gains_by_decision(problem, objective, first.plan, best.plan)
    return plan_difference(problem, *pair), gains


def _plans(
    problem: Problem, objective: str, arguments: Namespace, stopped: ShouldStop
) -> tuple[list[tuple[str, Plan]], float, tuple[str, ...]]:
    """(name, plan) of the best single machine, then of every strategy; the best proved bound, s.

    Last, why named strategies refuse, where others do not.
    """
    named = arguments.strategies
    names = [name for name, one in STRATEGIES.items() if not one.by_name]
    if named is not None:
        names = [name.strip() for name in named.split(",")]
    single = best_single_machine(problem, objective)
    plans = [] if single is None else [single]
    refused, bound_s = {}, 0.0
    for one in each_strategy(
        problem,
        objective,
        tuple(dict.fromkeys(names)),
        arguments.seconds,
        arguments.seed,
        stopped,
    ):
        if one.found is not None:
            plans.append((one.strategy, one.found.plan))
            bound_s = max(bound_s, one.found.bound_s)
        elif one.refusal is not None:
            if strategy_named(one.strategy) is None:
                raise one.refusal
            refused[one.strategy] = one.refusal
    reasons = tuple(f"{strategy}: {refusal}" for strategy, refusal in refused.items())
    if named is not None and len(refused) == len(set(names)):
        raise next(iter(refused.values()))
    if not plans:
        raise InfeasibleError("no strategy found a plan", remedy="; ".join(reasons[:1]))
    return plans, bound_s, () if named is None else reasons


def _out_files(arguments: Namespace) -> list[Path]:
    """The plan and the schedule that ``--out`` asks for."""
    if arguments.out is None:
        return []
    return [Path(arguments.out) / name for name in ("plan.json", "schedule.csv")]


def _write(files: list[Path], report: Mapping[str, object], planned: Planned) -> None:
    plan, schedule = files
    try:
        plan.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise refusal("can't be made", plan.parent, error) from error
    write_text(plan, as_json({**report, "sources": _from(plan.parent, report)}) + "\n")
    export("csv", planned, schedule)


def _from(folder: Path, report: Mapping[str, object]) -> dict[str, str]:
    """The files of a question as they are found from a folder; names of the catalogue stay."""
    sources = cast("Mapping[str, str]", report.get("sources", {}))
    return {
        key: "\n".join(
            os.path.relpath(name, folder)
            if is_there(Path(name)) and not Path(name).is_absolute()
            else name
            for name in names.split("\n")
        )
        for key, names in sources.items()
    }


def _say_advice(
    question: Question,
    explanation: Explanation,
    prediction: Prediction,
    choices: Decided | None,
    first: Sequence[str],
    tips: str,
) -> None:
    warn(question.warnings)  # what the answer rests on comes before it
    say(*first, explanation.headline, *explanation.reasons, *([tips] if tips else []))
    if choices is not None:
        say_decided(choices)
    say_schedule(question.problem, prediction)
    warn((*explanation.recommendation.warnings, *prediction.warnings))


_LEFT_OUT = {"endless"}  # a line is long enough without; --json has all


def say_comparison(
    rows: Sequence[Row], objective: str, measure: Measure, odds: RowOdds | None = None
) -> None:
    """Print the comparison; a star marks the Pareto front of makespan and `measure`."""
    best = min(rows, key=lambda row: row.prediction.value_s(objective))
    unit = Unit.of_times(*(row.prediction.value_s(objective) for row in rows))
    value = unit.text(best.prediction.value_s(objective))
    others = [row.name for row in rows if row is not best and row.alike_to(best, objective)]
    also = f" Tied {WITHIN}: {', '.join(others)}." if others else ""
    say(f"Best {objective}: {best.name}, {value}.{also}", "")
    marks = ["*" if on_front else "" for on_front in front(rows, measure)]
    table = [("plan", "l", [row.name for row in rows]), ("", "l", marks)]
    for trait in shown(rows):
        if trait.key not in _LEFT_OUT:
            table += columns_of(trait, rows)
    if odds:
        bands = [one for one, _ in odds]
        unit_ = Unit.of_times(*(one.p90_s for one in bands))
        table += [
            ("expected", "r", [unit_.text(one.expected_s) for one in bands]),
            ("9 of 10 within", "r", [unit_.text(one.p90_s) for one in bands]),
            ("earlier than best", "r", [percent(against.odds) for _, against in odds]),
        ]
        for at, deadline_s in enumerate(deadlines_of([row.plan for row in rows])):
            shares = [percent(one.in_time[at]) for one in bands]
            table.append((f"within {duration(deadline_s)}", "r", shares))
    if all(heading != measure.trait.title for heading, _, _ in table):
        table += columns_of(measure.trait, rows)
    headings, sides, cells = zip(*table, strict=True)
    say(columns(headings, list(zip(*cells, strict=True)), "".join(sides)), "")
    pair = f"makespan and {measure.title}"
    say(f"* on the Pareto front of {pair}: no other plan is as good in both and better in one")
    if lack := measure.lack(rows):
        say(f"{measure.title.capitalize()} is not known of every plan: {lack}.")
