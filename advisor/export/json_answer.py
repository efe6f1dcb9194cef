"""Answers as JSON objects: what the command line prints and the exports write.

Plain dicts, lists, strings and numbers in a fixed order, so that the same answer is the same
text everywhere; infinity and NaN, which JSON lacks, become null.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from itertools import islice

from advisor.advice.explain import Explanation
from advisor.advice.flips import Flip
from advisor.advice.gains_by_decision import DecisionGain
from advisor.advice.plan_difference import PlanDifference
from advisor.advice.savings import Saving
from advisor.allocation.comparison import Row
from advisor.allocation.measures import MEASURES, Measure, front
from advisor.allocation.peaks import peaks
from advisor.allocation.placement import placement
from advisor.allocation.plan import Plan
from advisor.allocation.prediction import Prediction
from advisor.allocation.problem import Problem
from advisor.allocation.recommendation import Recommendation
from advisor.allocation.slack import slack_s
from advisor.allocation.spending import Spending, spending
from advisor.decisions.plan_table import decisions_table
from advisor.export.odds_report import odds_report

_JOINED = 1 << 16  # signs of JSON that become one text at a time
PLAN_FORMAT = "placewise-plan"
VERSION = 1

Json = dict[str, object]


def advice_report(
    problem: Problem,
    recommendation: Recommendation,
    prediction: Prediction,
    explanation: Explanation | None = None,
    sources: Mapping[str, str] | None = None,
) -> Json:
    """What `advise` prints; also the plan file that `predict` and `export` read.

    Parameters
    ----------
    prediction : Prediction
        Of the recommended plan.
    explanation : Explanation, optional
        Adds the sentences and flips.
    sources : mapping of str, optional
        "workload" and "platform" as the user named them, so that `export` finds them again.
    """
    report: Json = {
        "format": PLAN_FORMAT,
        "version": VERSION,
        "objective": recommendation.objective,
        "value_s": recommendation.value_s,
        "lower_bound_s": recommendation.lower_bound_s,
        "gap": recommendation.gap,
        "proved_optimal": recommendation.proved_optimal,
        "strategy": recommendation.strategy,
        "model": problem.reading,
        "sharing": problem.sharing,
        **plan_report(problem, recommendation.plan),
    }
    if recommendation.proved_optimal:
        names = [_named(problem, tie) for tie in recommendation.ties]
        report |= {"ties": names, "ties_complete": recommendation.ties_complete}
    report |= {
        "alternatives": [
            {"strategy": name, "value_s": value_s}
            for name, _, value_s in recommendation.alternatives
        ],
        "breakdown_s": dict(prediction.breakdown_s),
        "critical_breakdown_s": dict(prediction.critical_breakdown_s),
        "peaks": peaks_report(problem, prediction),
        **_shared(prediction),
    }
    if explanation is not None:
        report |= odds_report(explanation.odds)
        report["explanation"] = explanation_report(problem, explanation)
    if sources:
        report["sources"] = dict(sources)
    return report | {
        "warnings": list(recommendation.warnings),
        "steps": recommendation.steps,
        "seconds_spent": recommendation.seconds_spent,
    }


def plan_report(problem: Problem, plan: Plan) -> Json:
    """``allocation`` {task: machine} and ``order`` [task] of a plan; the order is always named.

    With scalable tasks also ``processors`` {task: number}, of these; ``choices`` and ``overlays``
    where the plan decides about programs or overlays.
    """
    _, order = placement(problem, plan)
    tasks = problem.workload.tasks
    report: Json = {
        "allocation": plan.named(problem.workload, problem.platform),
        "order": [tasks[task].name for task in order.tolist()],
    }
    if counts := plan.counts(problem.workload):
        report["processors"] = counts
    return report | decisions_table(plan, problem.workload)


def prediction_report(problem: Problem, prediction: Prediction) -> Json:
    """What `predict` prints."""
    machines = [machine.name for machine in problem.platform.machines]
    slack = slack_s(problem, prediction).tolist()
    variants = problem.variants_of(prediction.plan) if problem.workload.variable else ()
    tasks: dict[str, Json] = {}
    for index, task in enumerate(problem.workload.tasks):
        dedicated_s = float(prediction.task_dedicated_s[index])
        tasks[task.name] = {
            "machine": machines[prediction.plan.allocation[index]],
            "start_s": float(prediction.start_s[index]),
            "end_s": float(prediction.end_s[index]),
            "dedicated_s": dedicated_s,
            "slowdown": ratio(float(prediction.task_s[index]), dedicated_s),
            "critical": bool(prediction.critical[index]),
            "slack_s": slack[index],
        }
        if task.variants:
            tasks[task.name]["variant"] = task.variants[variants[index]].name
    flows = []
    for index, flow in enumerate(problem.workload.edges):
        dedicated_s = float(prediction.flow_dedicated_s[index])
        slowed = ratio(float(prediction.flow_s[index]), dedicated_s)
        entry = {"from": flow.source, "to": flow.target, "dedicated_s": dedicated_s}
        flows.append(entry | {"slowdown": slowed})
    return {
        "makespan_s": prediction.makespan_s,
        "total_s": prediction.total_s,
        "lower_bounds_s": dict(prediction.lower_bounds_s),
        "model": problem.reading,
        "sharing": problem.sharing,
        "tasks": tasks,
        "flows": flows,
        "breakdown_s": dict(prediction.breakdown_s),
        "critical_breakdown_s": dict(prediction.critical_breakdown_s),
        "utilisation": dict(zip(machines, prediction.utilisation.tolist(), strict=True)),
        **spending_report(spending(problem, prediction)),
        "peaks": peaks_report(problem, prediction),
        **_shared(prediction),
        **_transfers(problem, prediction),
        "warnings": list(prediction.warnings),
    }


def peaks_report(problem: Problem, prediction: Prediction) -> list[Json]:
    """The most that is held of cores, memory and resources at a time; memory in bytes.

    ``machine`` is null of what the whole platform has, ``count`` of what is not limited.
    """
    machines = problem.platform.machines
    return [
        {
            "machine": None if one.machine is None else machines[one.machine].name,
            "kind": one.kind,
            "held": one.held,
            "count": one.count if math.isfinite(one.count) else None,
            "at_s": one.at_s,
        }
        for one in peaks(problem, prediction)
    ]


def _shared(prediction: Prediction) -> Json:
    """What contention adds: the contention-free makespan, and the load of what is shared."""
    if prediction.endless_s is None:
        return {}
    resources = [
        {"name": one.name, "bytes": one.size_bytes, "busy_share": one.busy_share}
        for one in prediction.resources
    ]
    return {"endless_s": prediction.endless_s, "resources": resources}


def _transfers(problem: Problem, prediction: Prediction) -> Json:
    """Every transfer of the executed timeline, in the order in which they set out."""
    moved, hosts = prediction.transfers, problem.platform.hosts
    if moved is None:
        return {}
    return {
        "transfers": [
            {
                "item": moved.name(problem.workload, row),
                "from": hosts[moved.source[row]],
                "to": hosts[moved.target[row]],
                "start_s": float(moved.left_s[row]),
                "end_s": float(moved.arrived_s[row]),
                "bytes": float(moved.size_bytes[row]),
                "dedicated_s": float(moved.dedicated_s[row]),
            }
            for row in range(moved.source.size)
        ]
    }


def comparison_report(
    problem: Problem,
    rows: Sequence[Row],
    objective: str,
    measure: Measure = MEASURES["total"],
    difference: PlanDifference | None = None,
    gains: Sequence[DecisionGain] = (),
) -> Json:
    """What `compare` prints; with a `difference` also what was asked for against a plan.

    `gains` are those of its decisions. The front is that of the makespan and `measure`; every plan
    lists all those that it is on.
    """
    machines = [machine.name for machine in problem.platform.machines]
    best = min(rows, key=lambda row: row.prediction.value_s(objective))
    fronts = {one.name: front(rows, one) for one in MEASURES.values()}
    return {
        "objective": objective,
        "model": problem.reading,
        "sharing": problem.sharing,
        "pareto": measure.name,
        "best": best.name,
        "alike": [row.name for row in rows if row is not best and row.alike_to(best, objective)],
        "plans": [
            {
                "name": row.name,
                "makespan_s": row.makespan_s,
                "total_s": row.total_s,
                "makespan_difference_s": row.makespan_difference_s,
                "total_difference_s": row.total_difference_s,
                "gap": row.gap,
                **spending_report(row.spent),
                "on_pareto_front": fronts[measure.name][place],
                "pareto_fronts": [name for name, on_front in fronts.items() if on_front[place]],
                "breakdown_s": dict(row.breakdown_s),
                "utilisation": dict(zip(machines, row.utilisation, strict=True)),
                **plan_report(problem, row.plan),
            }
            for place, row in enumerate(rows)
        ],
        **({} if difference is None else {"against": _against(problem, rows, difference, gains)}),
    }


def spending_report(spent: Spending) -> Json:
    """What a plan takes beside time; null where a machine of it has no price or no watts."""
    return {
        "machines_used": spent.machines,
        "processors_used": spent.processors,
        "money": spent.money,
        "energy_j": spent.energy_j,
        "without_price": list(spent.unpriced),
        "without_watts": list(spent.unmetered),
    }


def _against(
    problem: Problem,
    rows: Sequence[Row],
    difference: PlanDifference,
    gains: Sequence[DecisionGain],
) -> Json:
    """One plan beside another: the sentence, which tasks move, and what else is decided."""
    named = {row.name: row.plan.named(problem.workload, problem.platform) for row in rows}
    first, second = named[difference.before], named[difference.after]
    tasks = [problem.workload.tasks[task].name for task in difference.moved]
    return {
        "before": difference.before,
        "after": difference.after,
        "makespan_s": list(difference.makespan_s),
        "moved": [{"task": one, "from": first[one], "to": second[one]} for one in tasks],
        "changed": [
            {"decision": one.kind, "about": one.subject, "from": one.before, "to": one.after}
            for one in difference.changes
        ],
        "by_decision": gains_report(gains),
        "sentence": difference.sentence,
    }


def explanation_report(problem: Problem, explanation: Explanation) -> Json:
    """The reasons of a recommendation."""
    named = problem.workload.tasks
    return {
        "headline": explanation.headline,
        "advised": {
            "value_s": explanation.advised_s,
            **plan_report(problem, explanation.advised),
        },
        "alike": [
            {"strategy": name, "value_s": value_s, "allocation": _named(problem, plan.allocation)}
            for name, plan, value_s in explanation.alike
        ],
        "places": {
            place.name: [named[task].name for task in place.tasks] for place in explanation.places
        },
        "others_cost_s": explanation.others.cost_s,
        "limit": None if explanation.limit is None else explanation.limit.sentence,
        "held": explanation.held,
        "anomaly": explanation.anomaly,
        "timeline": explanation.timeline,
        "proof": explanation.proof,
        "ties": explanation.ties,
        "against_current": _saving(explanation.against_current),
        "by_decision": gains_report(explanation.by_decision),
        "against_runner_up": _saving(explanation.against_runner_up),
        "flips": [_flip(problem, flip) for flip in explanation.flips],
        "flips_searched": explanation.flips_searched,
    }


def gains_report(gains: Sequence[DecisionGain]) -> list[Json]:
    """What each kind of decision saves, after those before it and alone."""
    return [
        {
            "decisions": list(one.names),
            "words": one.words,
            "gain_s": one.gain_s,
            "alone_s": one.alone_s,
        }
        for one in gains
    ]


def as_json(report: Mapping[str, object]) -> str:
    """The report as JSON text, without a newline at its end.

    Joined piece by piece: no thread of Python runs while a list of millions becomes one text.
    """
    encoder = json.JSONEncoder(ensure_ascii=False, allow_nan=False, indent=2)
    signs = encoder.iterencode(_finite(report))
    pieces = iter(lambda: "".join(islice(signs, _JOINED)), "")
    return "".join(pieces)


def ratio(contended_s: float, dedicated_s: float) -> float:
    """The slowdown; 1 where nothing was to be slowed."""
    return contended_s / dedicated_s if dedicated_s > 0 else 1.0


def _named(problem: Problem, allocation: tuple[int, ...]) -> dict[str, str]:
    return Plan(allocation).named(problem.workload, problem.platform)


def _saving(saving: Saving | None) -> Json | None:
    if saving is None:
        return None
    return {
        "against": saving.against,
        "value_s": saving.value_s,
        "saved_s": saving.saved_s,
        "by_cause_s": dict(saving.by_cause_s),
        "sentence": saving.sentence,
    }


def _flip(problem: Problem, flip: Flip) -> Json:
    return {
        "parameter": flip.parameter.key,
        "value": flip.value,
        "present": flip.present,
        "at": flip.at,
        "lost_s": flip.lost_s,
        "lost_share": flip.lost_share,
        "exact": flip.exact,
        "allocation": _named(problem, flip.plan.allocation),
        "sentence": flip.sentence,
    }


def _finite(value: object) -> object:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {key: _finite(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(one) for one in value]
    return value
