"""When which task runs where: the plan's schedule, and the advised one's on the same axis."""

from __future__ import annotations

from advisor.advice.plan_difference import plan_difference
from advisor.allocation.task_causes import task_causes
from advisor.export.report_page.gantt_figure import schedule_figures
from advisor.export.report_page.page_blocks import Block, Section, Text
from advisor.export.report_page.subject import ADVISED, OWN, Reported
from machines.errors import capital


def _blocks(reported: Reported) -> tuple[Block, ...]:
    problem, prediction, other = reported.problem, reported.prediction, reported.advised
    if other is None:
        return schedule_figures(problem, prediction, reported.causes, "The plan")
    until_s = max(prediction.makespan_s, other.makespan_s)
    costs = problem.settled(other.plan).costs
    difference = plan_difference(problem, (OWN, prediction), (ADVISED, other.prediction))
    return (
        Text(capital(difference.sentence)),
        *schedule_figures(problem, prediction, reported.causes, "The plan", until_s),
        *schedule_figures(
            problem,
            other.prediction,
            task_causes(costs, other.prediction),
            "As advised",
            until_s,
        ),
    )


SECTION = Section("schedule", "Schedule", _blocks)
