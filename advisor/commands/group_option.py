"""`--group DIR` of `advise` and `predict`: short tasks as groups, where that pays, as files."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable
from pathlib import Path

from advisor.advice.grouping import Grouping, grouped, short_sentence
from advisor.allocation.plan import Plan
from advisor.allocation.predict import predict
from advisor.allocation.problem import Problem
from advisor.basics import json_text
from advisor.commands.inputs import Question, warn
from advisor.commands.text import say
from advisor.export.export_record import Planned
from advisor.export.json_answer import as_json
from advisor.export.plan_json import EXPORT as PLAN_JSON
from advisor.project.workload_file import dump_workload
from machines import InputError
from machines.files import refusal, write_text

_NO_GAIN = "No grouping pays: nothing is written"


def group_files(arguments: Namespace) -> tuple[Path, ...]:
    """The workload and the plan that ``--group`` asks for."""
    if arguments.group is None:
        return ()
    return Path(arguments.group) / "workload.toml", Path(arguments.group) / "plan.json"


def check_group(arguments: Namespace, problem: Problem) -> None:
    """Refuse to group for a runtime that takes no time for a task."""
    if arguments.group is not None and problem.platform.runtime.task_overhead_s <= 0.0:
        raise InputError(
            "the runtime takes no time for a task, so that grouping can't pay",
            where="--group", value=arguments.group,
            remedy="Give --runtime NAME, or task_overhead_s in the platform's [runtime]",
        )  # fmt: skip


def grouping_of(
    arguments: Namespace, problem: Problem, plan: Plan, stopped: Callable[[], bool]
) -> Grouping | None:
    """The grouping that ``--group`` asks for; None: not asked, or none pays."""
    if arguments.group is None:
        return None
    return grouped(problem, plan, problem.platform.runtime.task_overhead_s, stopped)


def say_grouping(
    arguments: Namespace, problem: Problem, plan: Plan, grouping: Grouping | None
) -> None:
    """What grouping gives, or that tasks are short."""
    if grouping is not None:
        say(grouping.sentence)
    elif short := short_sentence(problem, plan):
        hint = _NO_GAIN if arguments.group else "--group DIR writes them grouped, where that pays"
        warn((f"{short}: {hint}",))
    elif arguments.group:
        warn((_NO_GAIN,))


def grouping_report(grouping: Grouping | None) -> dict[str, object]:
    """The same for ``--json``; empty without a grouping."""
    if grouping is None:
        return {}
    groups = {name: list(members) for name, members in grouping.groups}
    found = {
        "groups": groups,
        "before_s": grouping.before_s,
        "after_s": grouping.after_s,
        "sentence": grouping.sentence,
    }
    return {"grouping": found}


def write_grouping(arguments: Namespace, question: Question, grouping: Grouping | None) -> None:
    """Write the grouped workload and its plan, which names it, and say so."""
    if grouping is None:
        return
    workload, plan = group_files(arguments)
    try:
        workload.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise refusal("can't be made", workload.parent, error) from error
    problem = question.problem.about(grouping.workload)
    planned = Planned(problem, grouping.plan, predict(problem, grouping.plan))
    document = json_text.parse(PLAN_JSON.render(planned).encode(), "plan")
    assert isinstance(document, dict)
    document |= {
        "model": problem.reading,
        "sharing": problem.sharing,
        "sources": question.sources | {"workload": workload.name},
    }
    write_text(workload, dump_workload(grouping.workload))
    write_text(plan, as_json(document) + "\n")
    if not arguments.json:
        say(f"Written to {arguments.group}: workload.toml, plan.json.")
