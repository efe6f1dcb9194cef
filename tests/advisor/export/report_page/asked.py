"""Reports for tests: of small projects as users get them, and of large ones without a search."""

from __future__ import annotations

import itertools
from dataclasses import replace
from functools import cache
from xml.etree.ElementTree import Element

import numpy as np
from defusedxml.ElementTree import fromstring

from advisor.advice.explain import Explanation
from advisor.advice.others import Others
from advisor.allocation.comparison import Row
from advisor.allocation.plan import Plan
from advisor.allocation.prediction import Prediction
from advisor.allocation.recommendation import Recommendation
from advisor.allocation.spending import Spending
from advisor.allocation.timeline_modes import NONE
from advisor.allocation.workload import Flow, Task, Workload
from advisor.basics.causes import COMPUTING
from advisor.decisions.registry import present
from advisor.export.report_page.html import html
from advisor.export.report_page.sections import page_of
from advisor.export.report_page.subject import OWN, Given, Reported, reported
from advisor.project.examples import load_example
from advisor.project.project import Pin, Project
from machines import Direction, Link, Machine, Platform
from tests.conftest import cluster

XHTML = "{http://www.w3.org/1999/xhtml}"
SVG = "{http://www.w3.org/2000/svg}"


def made(project: Project, file: str = "p.placewise", date: str = "") -> Reported:
    """A report after a short search."""
    return reported(project, Given(file, date, seconds=0.001))


@cache
def clustered() -> Reported:
    """Of a dozen tasks on three machines, the first with a limit of memory."""
    project = cluster(3, 4, 2)
    first, *others = project.platform.machines
    machines = (replace(first, memory_bytes=10**9), *others)
    return made(replace(project, platform=replace(project.platform, machines=machines)))


def unsearched(project: Project) -> Reported:
    """A report of a plan that is taken for the answer; tasks run in turn, each alone."""
    problem, plan = project.problem(), project.plan
    place = np.array(plan.allocation)
    task_s = problem.costs.task_s[np.arange(place.size), place]
    end_s, free_s = np.zeros(place.size), np.zeros(len(project.platform.machines))
    for task, machine in enumerate(plan.allocation):
        end_s[task] = free_s[machine] = free_s[machine] + task_s[task]
    makespan_s, total_s = float(end_s.max()), float(task_s.sum())
    edges = len(project.workload.edges)
    prediction = Prediction(
        plan=plan, start_s=end_s - task_s, end_s=end_s, task_dedicated_s=task_s, task_s=task_s,
        flow_dedicated_s=np.zeros(edges), flow_s=np.zeros(edges),
        critical=end_s > 0.9 * makespan_s, critical_flows=np.zeros(edges, bool),
        makespan_s=makespan_s, total_s=total_s, breakdown_s={COMPUTING: total_s},
        critical_breakdown_s={COMPUTING: makespan_s}, utilisation=free_s / makespan_s,
        lower_bounds_s={"makespan": 1.0, "total": 1.0},
    )  # fmt: skip
    answer = Recommendation(plan, "makespan", makespan_s, makespan_s / 2.0, False, "manual")
    explanation = Explanation(
        recommendation=answer, advised=plan, advised_s=makespan_s, headline="Keep it.", places=(),
        proof="", ties="", alike=(), by_decision=(), against_current=None, against_runner_up=None,
        flips=(), flips_searched="", flips_varied=False, limits="", limit=None,
        others=Others(0.0, "", ""), timeline="",
    )  # fmt: skip
    row = Row(
        name=OWN, problem=problem, first=plan, plan=plan, prediction=prediction,
        makespan_s=makespan_s, total_s=total_s, spent=Spending(1, 1, total_s, None, None),
        breakdown_s=prediction.breakdown_s, utilisation=tuple(prediction.utilisation.tolist()),
        gap=1.0, makespan_difference_s=0.0, total_difference_s=0.0, busiest="", busy_share=0.0,
        endless_s=makespan_s, sharing=project.sharing,
    )  # fmt: skip
    return Reported(project, problem, prediction, explanation, (row,), (), Given("p.placewise"))


def otherwise(project: Project) -> Plan:
    """A plan that decides everything once otherwise than the project's."""
    problem, plan = project.problem(), project.plan.moved((0,), 1)
    for kind in present(problem, plan):
        for one in list(kind.values(problem, plan))[:1]:
            here = kind.values(problem, plan)[one]
            options = kind.options(problem, plan, one)
            other = next((option for option in options if option != here), here)
            plan = kind.put(problem, plan, one, other)
    return plan


@cache
def monitored() -> Reported:
    """Of programs, scalable tasks and an overlay, with a pin that decides otherwise."""
    project = load_example("monitored")
    return made(replace(project, pins=(Pin("other", otherwise(project)),)))


def text_of(report: Reported) -> str:
    return html(page_of(report))


def read(report: Reported) -> Element:
    """The page, by an XML parser."""
    root: Element = fromstring(text_of(report))
    return root


def words(element: Element) -> str:
    """All text inside, with single blanks."""
    return " ".join(" ".join(element.itertext()).split())


def section(root: Element, name: str) -> Element:
    return next(one for one in root.iter(f"{XHTML}section") if one.get("id") == name)


def renamed(project: Project, sign: str) -> Project:
    """The same project, `sign` in every name."""
    platform, workload = project.platform, project.workload
    names = {one.name: f"{one.name}{sign}x" for one in (*platform.machines, *workload.tasks)}
    machines = tuple(replace(one, name=names[one.name]) for one in platform.machines)
    links = tuple(
        replace(one, first=names[one.first], second=names[one.second]) for one in platform.links
    )
    tasks = tuple(
        replace(
            task,
            name=names[task.name],
            seconds=tuple((names[machine], s) for machine, s in task.seconds),
        )
        for task in workload.tasks
    )
    flows = tuple(
        replace(
            flow,
            source=names[flow.source],
            target=names[flow.target],
            seconds=tuple(((names[a], names[b]), s) for (a, b), s in flow.seconds),
        )
        for flow in workload.flows
    )
    return replace(
        project,
        platform=replace(platform, name=f"p{sign}x", machines=machines, links=links),
        workload=Workload(f"w{sign}x", tasks, flows),
    )


def many(tasks: int, machines: int = 50) -> Project:
    """Independent chains, in turn on machines joined in a row."""
    both = Direction(1e-4, 1e9)
    hosts = tuple(Machine(f"node{one:03d}", cores=2) for one in range(machines))
    links = tuple(
        Link(one.name, other.name, both, both) for one, other in itertools.pairwise(hosts)
    )
    every = tuple(Task(f"task {one}", work=1.0 + one % 7) for one in range(tasks))
    flows = tuple(
        Flow(every[one].name, every[one + machines].name, ((1, 1e5),))
        for one in range(tasks - machines)
    )
    plan = Plan(tuple(one % machines for one in range(tasks)))
    platform, workload = Platform("row", hosts, links), Workload("many", every, flows)
    return Project(platform, workload, plan, sharing=NONE)
