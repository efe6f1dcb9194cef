"""What the study is made of: question, parameters, answer, simulation and JSON."""

from __future__ import annotations

from collections import Counter

import numpy as np

from advisor.allocation.problem import Problem
from advisor.basics.host_list import parse_capacities
from advisor.basics.quantities import count
from advisor.models.process_tree import Tree
from advisor.overlays.overlay import Overlay
from advisor.overlays.overlay_options import Placement, allowed, mean_costs, placements
from advisor.overlays.overlay_plan import OverlayPlan
from advisor.overlays.placed import check_placed
from advisor.project.overlay_edits import with_tree
from advisor.project.project import Project
from advisor.project.questions import QUESTIONS
from advisor.project.study_case import OVERLAY, Subject
from advisor.studies.network_settings import OWN
from advisor.studies.study import CheckOf, Study, StudyOf, StudyResult, Use
from advisor.studies.trees.parameters import TreesParameters
from advisor.studies.trees.run import run
from advisor.studies.trees.tree_host_fields import hosts_of
from advisor.trees.tree_file import tree_report
from advisor.trees.tree_hosts import Capacity, place_tree
from advisor.trees.tree_picture import TreePicture
from machines import InputError, Platform

# The trees study as a close look at an overlay: its processes, their hosts, and their tree.

_NS = 1e3  # in a µs


def _settings(project: Project, subject: Subject) -> dict[str, object]:
    """Its back-ends and their work; message costs are the mean of its routes, o = g assumed."""
    platform = project.platform
    overlay = _overlay(project, subject)
    costs = mean_costs(platform, overlay)
    return _hosts(platform, overlay) | {
        "back_ends": overlay.count,
        "operation": costs.operation,
        "network": OWN,
        "latency": costs.p.L,
        "overhead": costs.p.o_s,
        "gap": costs.p.g,
        "gap_per_byte": costs.p.G * _NS,
        "size_bytes": overlay.message_bytes,
        "filter_cost": costs.filter_cost,
        "rate": overlay.rate_hz,
    }


def _hosts(platform: Platform, overlay: Overlay) -> dict[str, object]:
    """Its machines: a back-end each place, and an internal process a core where any may be.

    Names that no list of hosts can hold leave all hosts out.
    """
    cores = {machine.name: machine.cores for machine in platform.machines}
    free = tuple((machine.name, machine.cores) for machine in allowed(platform, overlay))
    texts = tuple(_listed(hosts) for hosts in (overlay.back_ends, free))
    if not free or "" in texts:
        return {} if free else {"max_internal": 0}
    return {
        "hosts": texts[0],
        "internal_hosts": texts[1],
        "front_end": overlay.front_end,
        "host_cores": min(cores[name] for name, _ in overlay.back_ends),
    }


def _listed(hosts: tuple[Capacity, ...]) -> str:
    """One host a line; empty where that would be read as others."""
    text = "\n".join(f"{name}:{many}" for name, many in hosts)
    try:
        return text if parse_capacities(text) == hosts else ""
    except InputError:
        return ""


def _used(
    project: Project, subject: Subject, parameters: TreesParameters, result: StudyResult
) -> Use:
    """The plan with the recommended tree, on the study's hosts or else beside the back-ends."""
    overlay = _overlay(project, subject)
    tree = result.answer
    assert isinstance(tree, Tree)
    if tree.back_ends != overlay.count:
        raise InputError(
            f"the tree has {tree.back_ends} back-ends, and the overlay has {overlay.count}",
            where=subject.words, remedy=f"Ask with back_ends={overlay.count}",
        )  # fmt: skip
    plan = _placed(project.platform, overlay, tree, parameters)
    position = project.workload.overlays.index(overlay)
    return Use(with_tree(project, position, plan), f"Use {_called(plan)} for {subject.name}")


def _placed(
    platform: Platform, overlay: Overlay, tree: Tree, parameters: TreesParameters
) -> OverlayPlan:
    """The tree where the study has it, or on the first of the usual machines that can take it."""
    wanted = (*_on_hosts(overlay, tree, parameters), *placements(platform, overlay, tree))
    refused: InputError | None = None
    for internal in dict.fromkeys(wanted or ((),)):
        plan = OverlayPlan.of(tree, internal)
        try:
            check_placed(platform, overlay, plan)
        except InputError as error:
            refused = refused or error
        else:
            return plan
    assert refused is not None
    raise refused


def _on_hosts(overlay: Overlay, tree: Tree, parameters: TreesParameters) -> tuple[Placement, ...]:
    """The internal processes on the hosts that the settings name, if these are the overlay's."""
    hosts = hosts_of(parameters)
    if hosts is None or Counter(dict(hosts.back_ends)) != Counter(dict(overlay.back_ends)):
        return ()
    placed = place_tree(tree, hosts)
    inner = np.flatnonzero(tree.fanouts)[1:]
    return (tuple(placed.hosts[int(host)] for host in placed.host[inner]),)


def _called(plan: OverlayPlan) -> str:
    if plan.tree.internal == 0:
        return "a flat tree"
    if plan.shape is None:
        return f"a tree of {count(plan.tree.internal, 'internal process', 'internal processes')}"
    return f"{plan.shape.replace('x', '×')} tree"


def _overlay(project: Project, subject: Subject) -> Overlay:
    """The overlay of that name."""
    return next(one for one in project.workload.overlays if one.name == subject.name)


OF_PROJECT = (StudyOf(OVERLAY, _settings, _used),)


# The JSON of the trees study: beside that of any study, the tree that it chose.


def chosen(result: StudyResult, _problem: Problem | None) -> dict[str, object]:
    """Under "tree" the best one, as `export` and the study itself read it."""
    picture = result.picture(TreePicture)
    return (
        {} if picture is None else {"tree": tree_report(picture.chosen.tree, picture.chosen.name)}
    )


STUDY = Study(
    QUESTIONS["trees"],
    TreesParameters,
    run,
    CheckOf("advisor.studies.trees.check"),
    report=chosen,
    of_project=OF_PROJECT,
)
